"""Opens a table in the channel of an interaction, for everyone there or for invited people only; and who those are,
with the names that they have in that server.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.messages.names import known_as
from cogs.transport.interactions import Interactions
from cogs.transport.permissions import admit, public_thread_parent, server_of
from cogs.transport.senders import Answer, Interaction
from data.records.match import Guest, GuestState
from data.records.terms import Terms

Invited = discord.Member | discord.User


class TableOpening:
    """Opens tables."""

    def __init__(self, service: MatchService, lobby: Lobby, interactions: Interactions) -> None:
        self._service = service
        self._lobby = lobby
        self._interactions = interactions

    async def open(self, interaction: Interaction, game: str, guests: Sequence[tuple[int, str]] = ()) -> Answer:
        """Open a lobby for this game. `guests`: the ids and names of the people for whom alone it is; none: it is for
        all. Refused as by `admit` and `Lobby.open`.
        """
        if game not in self._service.games:
            raise Refused(Reason.NO_GAME)
        guild = server_of(interaction)
        if guild is None or interaction.channel_id is None:
            raise Refused(Reason.ONLY_IN_SERVERS)
        rules = self._service.games[game]
        await admit(self._service, interaction, rules, self._interactions.labels(interaction), opens=True)
        person = await self._interactions.meet(interaction)
        locale = interaction.guild_locale.value if interaction.guild_locale else interaction.locale.value
        invited = {user: Guest(user, name, GuestState.INVITED) for user, name in guests if user != person.user}
        server = await self._service.policy.of(guild)
        match = await self._lobby.open(
            game,
            guild=guild,
            channel=interaction.channel_id,
            user=person.user,
            name=person.name,
            terms=Terms(locale=locale, closed=bool(invited), clock=server.clock_at_first()),
            parent=public_thread_parent(interaction),
            guests=tuple(invited[user] for user in sorted(invited)),
        )
        return await self._interactions.welcome(interaction, match, "invited" if invited else "opened")


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
