"""Opens matches: a table in the channel of an interaction, for everyone there or for invited people only; and a match
that one player plays alone, which is shown, as lessons are, where its player reads it: in direct messages if these
arrive and the player wants them there, otherwise in the answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import discord

from cogs.match.alone import Alone
from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.match.table_options import terms_like
from cogs.messages.content import Button, Content, Id
from cogs.messages.names import known_as
from cogs.messages.presenter import Presenter
from cogs.transport.hand_replies import HandReplies
from cogs.transport.interactions import Interactions, in_own_messages, is_ephemeral
from cogs.transport.newcomers import Reach
from cogs.transport.permissions import admit, public_thread_parent, server_or_refuse
from cogs.transport.pings import by_dm
from cogs.transport.senders import Answer, Interaction
from data.records.match import Guest, GuestState, Match
from data.records.people import Person, PingPreference

Invited = discord.Member | discord.User


class TableOpening:
    """Opens tables."""

    def __init__(self, service: MatchService, lobby: Lobby, interactions: Interactions) -> None:
        self._service = service
        self._lobby = lobby
        self._interactions = interactions

    async def open(self, interaction: Interaction, game: str, guests: Sequence[tuple[int, str]] = ()) -> Answer:
        """Open a lobby for this game, with terms like those of the channel's last table. `guests`: the ids and names of
        the people for whom alone it is; none: it is for all. Refused as by `admit` and `Lobby.open`.
        """
        if game not in self._service.games:
            raise Refused(Reason.NO_GAME)
        guild = server_or_refuse(interaction)
        assert interaction.channel_id is not None
        rules = self._service.games[game]
        await admit(self._service, interaction, rules, self._interactions.labels(interaction), opens=True)
        person = await self._interactions.meet(interaction)
        locale = interaction.guild_locale.value if interaction.guild_locale else interaction.locale.value
        invited = {user: Guest(user, name, GuestState.INVITED) for user, name in guests if user != person.user}
        server, last = await self._service.policy.of(guild), await self._service.index.last_in(interaction.channel_id)
        match = await self._lobby.open(
            game,
            guild=guild,
            channel=interaction.channel_id,
            user=person.user,
            name=person.name,
            terms=replace(terms_like(last, rules, server, locale), closed=bool(invited)),
            parent=public_thread_parent(interaction),
            guests=tuple(invited[user] for user in sorted(invited)),
        )
        return await self._interactions.welcome(interaction, match, "invited" if invited else "opened")


class PrivateOpening:
    """Opens private matches and shows them."""

    def __init__(self, alone: Alone, messages: Presenter, interactions: Interactions, hands: HandReplies) -> None:
        self._service = messages.service
        self._alone = alone
        self._messages = messages
        self._interactions = interactions
        self._hands = hands

    async def open(self, interaction: Interaction, slug: str, *, begins: bool = False) -> Answer | None:
        """Open a match alone, or show the one in which the user has not moved yet. `begins`: it begins at once, against
        beginners. Refused as by `Alone.open`.
        """
        if slug not in self._service.games:
            raise Refused(Reason.NO_GAME)
        person, title = await self._interactions.meet(interaction), self._service.games[slug].title
        hello = self._interactions.labels(interaction).say("alone.hello", game=title)
        by_message = await self.reaches(interaction, person, hello)
        ping = PingPreference.DM if in_own_messages(interaction) else None
        locale = interaction.locale.value
        match, new = await self._alone.open(slug, person.user, person.name, locale, ping, begins=begins)
        return await self.shown(interaction, match, new=new, by_message=by_message)

    async def again(self, interaction: Interaction, match: Match) -> Answer | None:
        """Begin the match that follows one that the user has played alone, and show it. Refused as by `Alone.again`."""
        person = await self._interactions.meet(interaction)
        following = await self._alone.again(match, person.user, person.name)
        return await self.shown(interaction, following, new=True, by_message=not is_ephemeral(interaction))

    async def reaches(self, interaction: Interaction, person: Person, hello: str) -> bool:
        """Return whether the user's direct messages are the place for what they begin: they press there, or want direct
        messages now; and these arrive. What they begin in an answer elsewhere stays there.
        """
        if is_ephemeral(interaction) and not in_own_messages(interaction):
            return False
        if not in_own_messages(interaction):
            if person.ping in (PingPreference.MENTION, PingPreference.NONE):
                return False
            if await self._service.clocks.quiet_until(person.user) is not None:
                return False
        return await self._interactions.open_dm(interaction, person, hello) is Reach.WORKS

    async def shown(self, interaction: Interaction, match: Match, *, new: bool, by_message: bool) -> Answer | None:
        """Show the player's hand of a private match in the answer, or return where it is in their direct messages.
        `new`: the match has been opened now.
        """
        person = await self._interactions.meet(interaction)
        if by_message and (where := await self._where(match, person, new=new)):
            labels, kind = self._messages.labels(match, interaction.locale.value), "lesson" if match.lesson else "alone"
            title = self._messages.title(match, labels)
            text = labels.say(f"{kind}.begun" if new else f"{kind}.goes_on", table=title)
            if new and in_own_messages(interaction):
                return text  # the hand comes below it, so it goes once it is read
            return Content((text,), ((Button(labels.say(f"{kind}.there"), url=where),),), person.user)
        await self._hands.look(interaction, match, person, is_ephemeral(interaction))
        return None

    async def _where(self, match: Match, person: Person, *, new: bool) -> str:
        """Return the address of the hand in the player's direct messages; "" if it is not there."""
        chair = match.chairs[match.seat_of(person.user) or 0]
        post = (await self._service.posts.of(match.id)).hands.get(chair.number)
        if not by_dm(chair, person) or post is None:
            return ""
        if post.message is not None:
            return f"https://discord.com/channels/@me/{post.channel}/{post.message}"
        return f"https://discord.com/channels/@me/{person.dm}" if new else ""


async def or_ask_again(
    interactions: Interactions,
    interaction: Interaction,
    opening: Awaitable[Answer | None],
    question: Callable[[], Awaitable[Content]],
) -> Answer | None:
    """Return the result of `opening`. If it is refused and was chosen in an answer that asks `question`, that asks
    again and says why: else a client goes on showing the choice as made, and would not send it a second time.
    """
    try:
        return await opening
    except Refused as error:
        data: Any = interaction.data or {}
        pressed = Id.parse(str(data.get("custom_id", "")))
        if pressed is None or pressed.action != "at" or not is_ephemeral(interaction):
            raise
        note = interactions.reason(interaction, error)
        return await interactions.show(interaction, replace(await question(), note=note))


def invited_people(*people: Invited) -> list[tuple[int, str]]:
    """Return the id and name of each of these people. Refused: one of them is a bot or not in the server."""
    if any(person.bot or not isinstance(person, discord.Member) for person in people):
        raise Refused(Reason.NO_PEOPLE)
    return [(person.id, known_as(person.display_name, person.name)) for person in people]


def chosen_people(interaction: Interaction) -> list[tuple[int, str]]:
    """Return the id and name of each person chosen, in order. Refused: none, or one of them is a bot or not a member of
    the server; Discord says which, so a forged press that names others is refused too.
    """
    data: Any = interaction.data or {}
    resolved = data.get("resolved", {})
    users, members = resolved.get("users", {}), resolved.get("members", {})
    found = []
    for value in data.get("values", ()):
        user, member = users.get(str(value)), members.get(str(value))
        if user is None or member is None or user.get("bot"):
            raise Refused(Reason.NO_PEOPLE)
        name = member.get("nick") or user.get("global_name") or user.get("username") or ""
        found.append((int(value), known_as(str(name), str(user.get("username") or ""))))
    if not found:
        raise Refused(Reason.NO_PEOPLE)
    return found
