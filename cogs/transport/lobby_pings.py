"""Mentions in a lobby: of guests who are invited, of the players of the match before, who are asked to play again, of
the role of the server's players, if it is a new table for all, of the host, once enough players are there, and of all
who are expected, shortly before the lobby starts by itself. Each is sent once, and goes when the match begins.

One message at the table mentions the guests who are newly invited, and offers them *Accept* and *Decline*. The bot
stores the people whom a message invites before it sends the message (delivery.py). If its answer was lost, that message
goes before any other: by now more guests may be invited, and one message to all would ping the first ones twice.

When the lobby is over, its invitations are old messages of its table, which the worker takes down (table_message.py).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import discord

from cogs.match.service import MatchService
from cogs.messages.content import relative
from cogs.messages.door import INVITES, invitation
from cogs.messages.presenter import Presenter
from cogs.transport.components import offered_in, parts_of
from cogs.transport.delivery import bears, deliver, is_of_kind, mark
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.permissions import HOUR, may_ping, pings_players
from cogs.transport.senders import Handles, nonce, send_invitation, send_ping
from data.records.match import GuestState, Match, Status
from data.records.people import PingPreference
from data.records.post import Invitation, Sending, TablePost

log = logging.getLogger(__name__)

MOST_PINGS, INVITED_LATELY = 3, 3600
"""How often one host's lobbies ping the same guest, and within how many seconds."""


def _new(match: Match, said: dict[int, int | Invitation]) -> list[int]:
    """Return the invited guests whom no message has invited."""
    return [guest.user for guest in match.guests if guest.state is GuestState.INVITED and guest.user not in said]


def _invites(message: discord.Message, match: int, users: list[int]) -> bool:
    """Return whether that message invites these guests to a match."""
    said = "".join(str(part.get("content", "")) for part in parts_of(message))
    offers = {found.action for found in offered_in(message, match)} >= INVITES
    return offers and all(f"<@{user}>" in said for user in users)


async def wants_ping_now(service: MatchService, user: int) -> bool:
    """Return whether a user may be pinged about a lobby. If they want no pings, or have quiet hours, they are named."""
    person = await service.people.get(user)
    wanted = person is None or person.ping is not PingPreference.NONE
    return wanted and await service.clocks.quiet_until(user) is None


ANNOUNCING = "looking"
"""What the note of a ping of the role begins with."""


def _is_announcing(post: TablePost) -> bool:
    """Return whether a ping of the role has begun whose message is not known yet."""
    return post.sending is not None and is_of_kind(post.sending, ANNOUNCING)


REMINDED_WITHIN = 6 * 3600
"""Seconds: a lobby whose start moves by less than that is not reminded of it again."""


class LobbyPings:
    """The mentions in a service's lobbies."""

    def __init__(self, handles: Handles, messages: Presenter) -> None:
        self._handles = handles
        self._service, self._posts = messages.service, messages.service.posts
        self._messages = messages

    async def send_due(self, match: Match, post: TablePost) -> None:
        """Send all that is due in this lobby, whose message is `post`. Raises DiscordFailure to try again."""
        await self._invite_guests(match, post)  # first: what follows notes that the lobby is shown
        await self._ask_again(match, post)
        await self._announce(match, (await self._posts.of(match.id)).table)
        await self._call_host(match, (await self._posts.of(match.id)).table)
        await self._remind(match, (await self._posts.of(match.id)).table)
        await self._take_back(match, (await self._posts.of(match.id)).table)

    async def owes_any(self, match: Match, post: TablePost) -> bool:
        """Return whether a mention of this lobby is still to be sent."""
        if (
            self._to_remind(match, post)
            or self._may_call(match, post)
            or await self._to_ask_again(match, post) is not None
            or await self._role_to_ping(match, post) is not None
        ):
            return True
        return await self._owes_invitation(match, post)

    async def _ask_again(self, match: Match, post: TablePost) -> None:
        """In a lobby that follows another match (*Play again*), mention that match's players once.

        The lobby's host must be one of them. The invitation counts for all later lobbies that follow that match: a
        player who opens one lobby after another could otherwise ping the others for ever. Players who want no pings, or
        have quiet hours now, are named but not pinged.
        """
        invited = await self._to_ask_again(match, post)
        if invited is None:
            return
        if invited:
            labels = self._messages.labels(match)
            who = labels.list([f"<@{user}>" for user in invited])
            text = labels.say("invitation", who=who, link=self._messages.link(match, labels, post))
            post = await self._say_once(match, post, "again", text, invited, nonce("invitation", match.id))
        post = replace(post, invited=True, sending=None)
        await self._posts.note(post if self._to_remind(match, post) else replace(post, shown=match.version))

    async def _announce(self, match: Match, post: TablePost) -> None:
        """Ping the role of the server's players, unless one of its tables has in the last hour. The hour is stored
        before the ping is sent, and counts from when it was sent.
        """
        role = await self._role_to_ping(match, post)
        if role is None:
            return
        policy, now = self._service.policy, int(self._service.now())
        last, mine = (await policy.of(match.guild)).role_ping, Sending(match.place, now, str(match.id))
        if not _is_announcing(post) and (last is None or last.what != mine.what):
            if not await policy.note_role_ping(match.guild, last, mine):
                return  # another table pings it now
            last = mine
        labels = self._messages.labels(match)
        host = next(chair.number for chair in match.chairs if chair.user == match.host)
        link = self._messages.link(match, labels, post)
        text = labels.say("lobby.looking", role=f"<@&{role}>", host=labels.who(host), link=link)
        post = await self._say_once(match, post, ANNOUNCING, text, [], nonce("looking", match.id), [role])
        if last is not None and last.what == mine.what:
            await policy.note_role_ping(match.guild, last, Sending(match.place, int(self._service.now())))
        await self._posts.note(replace(post, announced=True, sending=None))

    async def _role_to_ping(self, match: Match, post: TablePost) -> int | None:
        """Return the role that this lobby is to ping; None: none, or it has."""
        if post.message is None or post.announced or match.status is not Status.LOBBY:
            return None
        server, most = await self._service.policy.of(match.guild), match.wanted or self._service.game(match).seats[-1]
        if server.ping_role is None or _is_announcing(post):  # what was begun is finished
            return server.ping_role
        last, guild = server.role_ping, self._handles.client.get_guild(match.guild)
        is_due = last is None or last.what == str(match.id) or match.opened_at >= last.since + HOUR
        is_wanted = is_due and pings_players(match, most, self._service.now())
        return server.ping_role if is_wanted and guild is not None and may_ping(guild, server.ping_role) else None

    async def _call_host(self, match: Match, post: TablePost) -> None:
        """Mention the host once, when enough players are there. A host who wants no pings is not told."""
        if not self._may_call(match, post):
            return
        labels = self._messages.labels(match)
        text = labels.say("lobby.enough", who=f"<@{match.host}>", link=self._messages.link(match, labels, post))
        host, said = await self._service.people.get(match.host), post
        if host is None or host.ping is not PingPreference.NONE:
            said = await self._say_once(match, post, "enough", text, [match.host], nonce("enough", match.id))
        said = replace(said, sending=None, called=True)
        await self._posts.note(said if self._to_remind(match, said) else replace(said, shown=match.version))
        await self._drop(match, post, said.ping)

    def _may_call(self, match: Match, post: TablePost) -> bool:
        """Return whether the host is to be told that enough players are there: another player came last, since the
        lobby was opened, and nothing begins by itself.
        """
        if post.message is None or post.called or match.status is not Status.LOBBY or match.version == 1:
            return False
        by_itself = match.starts_at is not None or match.season
        return self._are_enough(match) and match.chairs[-1].user not in (None, match.host) and not by_itself

    def _are_enough(self, match: Match) -> bool:
        return len(match.chairs) >= (match.wanted or self._service.game(match).seats[0])

    async def _take_back(self, match: Match, post: TablePost) -> None:
        """Delete the mention that has told the host that enough players are there, once they are not any more."""
        if post.called and post.ping is not None and post.reminded is None and not self._are_enough(match):
            await self._drop(match, post)
            await self._posts.note(replace(post, ping=None))

    async def close(self, match: Match, post: TablePost) -> TablePost:
        """Delete the last mention of a lobby or a match that is over. Return the table's post. What a cancelled lobby
        has said stays noted, so that *Play again* does not say it once more.
        """
        begins = post.of_lobby and match.status is not Status.CANCELLED
        if not begins and (match.open or post.ping is None):
            return post
        await self._drop(match, post)
        post = replace(post.begun() if begins else post, ping=None)
        await self._posts.note(post)
        return post

    async def _drop(self, match: Match, post: TablePost, now: int | None = None) -> None:
        """Delete the last mention, unless it is the one of `now`."""
        if post.ping is not None and post.ping != now:
            await self._handles.delete(match.guild, post.channel, post.ping)

    async def _remind(self, match: Match, post: TablePost) -> None:
        """Mention the players and the invited guests of a lobby once, shortly before it starts. Those who want no
        pings, or have quiet hours now, are named but not pinged.
        """
        reminded = self._to_remind(match, post)
        if not reminded or match.starts_at is None:
            return
        labels = self._messages.labels(match)
        who = labels.list([f"<@{user}>" for user in reminded])
        link = self._messages.link(match, labels, post)
        text = labels.say("start.reminder", who=who, time=relative(match.starts_at), link=link)
        key = nonce("start", match.id, match.starts_at)
        said = await self._say_once(match, post, f"start {match.starts_at}", text, reminded, key)
        await self._posts.note(replace(said, sending=None, reminded=match.starts_at, shown=match.version))
        await self._drop(match, post, said.ping)

    async def _say_once(
        self,
        match: Match,
        post: TablePost,
        kind: str,
        text: str,
        users: Sequence[int],
        key: str,
        roles: Sequence[int] = (),
    ) -> TablePost:
        """Send a text that mentions these users and roles at the table, unless an earlier try has. Users who want no
        pings, or have quiet hours now, are named but not pinged. Return the table's post, not stored yet; it is as
        before if Discord refuses. Raises DiscordFailure to try again.
        """
        begun = post.sending if post.sending is not None and is_of_kind(post.sending, kind) else None

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(
                match.guild, begun, lambda there: bears(there, begun.what), after=post.ping or 0
            )

        async def send() -> int:
            awake = [user for user in users if await wants_ping_now(self._service, user)]
            channel = self._handles.channel(match.guild, match.place)
            return (await send_ping(channel, text, awake, nonce=key, roles=roles)).id

        try:
            said = await deliver(
                begun,
                Sending(match.place, int(self._service.now()), mark(kind, text)),
                look=look,
                note=lambda sending: self._posts.note(replace(post, sending=sending)),
                send=send,
            )
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            log.warning("match %d: its players cannot be mentioned: %s", match.id, failure)
            return post
        return replace(post, ping=said.message)

    def _to_remind(self, match: Match, post: TablePost) -> list[int]:
        """Return the users to remind of a lobby's start; none if it needs no reminder, or has sent it."""
        soon = match.status is Status.LOBBY and match.starts_soon and match.starts_at is not None
        if not soon or post.message is None or match.starts_at is None:
            return []
        if post.reminded is not None and abs(match.starts_at - post.reminded) < REMINDED_WITHIN:
            return []  # a host who sets one time after another reminds once
        invited = [guest.user for guest in match.guests if guest.state is GuestState.INVITED]
        return [*(chair.player for chair in match.people), *invited]

    async def _to_ask_again(self, match: Match, post: TablePost) -> list[int] | None:
        """Return the users to invite to this lobby; None if it needs no invitation, or has sent it."""
        is_shown = match.status is Status.LOBBY and post.message is not None
        if not is_shown or match.previous is None or post.invited:
            return None
        before = await self._service.find(match.previous)
        if before is None or before.seat_of(match.host) is None:
            return None
        if await self._posts.has_invited(match.previous):
            return None
        people = (*before.people, *match.people)
        return list(dict.fromkeys(chair.user for chair in people if chair.user not in (None, match.host)))

    # Guests.

    async def _owes_invitation(self, match: Match, post: TablePost) -> bool:
        """Return whether a guest of this lobby, whose message is `post`, has no invitation yet."""
        if match.status is not Status.LOBBY or post.message is None or not match.guests:
            return False
        said = await self._posts.invitations(match.id)
        return any(found is Invitation.SENDING for found in said.values()) or bool(_new(match, said))

    async def _invite_guests(self, match: Match, post: TablePost) -> None:
        """Invite the guests of this lobby who are not invited yet. Raises DiscordFailure to try again."""
        if not await self._owes_invitation(match, post):
            return
        said = await self._posts.invitations(match.id)
        before = [user for user, found in said.items() if found is Invitation.SENDING]
        if before:
            begun = await self._posts.inviting(match.id)  # where that try was made: the table may have moved since
            if begun is None:  # the lobby is over since it was read, and that message is an old one of its table
                return
            await self._send(match, post, before, begun)
        if new := _new(match, said):
            await self._send(match, post, new)

    async def _send(self, match: Match, post: TablePost, users: list[int], begun: Sending | None = None) -> None:
        labels = self._messages.labels(match)
        table = self._messages.link(match, labels, post)
        invited = {guest.user for guest in match.guests if guest.state is GuestState.INVITED}
        sending = begun or Sending(match.place, int(self._service.now()))
        message: int | Invitation = Invitation.NONE

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(match.guild, begun, lambda there: _invites(there, match.id, users))

        async def send() -> int:
            awake = [user for user in users if user in invited and await self._may_be_pinged(match, user)]
            content = invitation(match, table, users, labels)
            channel = self._handles.channel(match.guild, sending.channel)
            return (await send_invitation(channel, content, awake, nonce=nonce("guests", match.id, *users))).id

        try:
            said = await deliver(
                begun,
                sending,
                look=look,
                note=lambda sending: self._note(match, users, Invitation.SENDING, sending),
                send=send,
            )
            message = said.message
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            # They can still press Join, and the lobby names them.
            log.warning("match %d: the invitation of guests cannot be sent: %s", match.id, failure)
        await self._note(match, users, message, sending)

    async def _note(self, match: Match, users: list[int], message: int | Invitation, sending: Sending) -> None:
        await self._posts.note_invitations(match.id, users, message, sending.channel, int(self._service.now()))

    async def _may_be_pinged(self, match: Match, user: int) -> bool:
        """Return whether a guest is pinged: not who wants none, has quiet hours, or was pinged often by that host."""
        since = int(self._service.now()) - INVITED_LATELY
        if await self._posts.times_invited(user, match.host, since) >= MOST_PINGS:
            return False
        return await wants_ping_now(self._service, user)
