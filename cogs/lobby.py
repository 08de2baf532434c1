"""The presses in a lobby that choose how its table is played, and that start the match.

A press in the private message behind *More …* edits that message. The same press in the message of a lobby from an
older version changes the lobby only, whose message shows it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from discord.ext import commands

from cogs.match.refusals import check_lobby, check_seated
from cogs.messages.content import Content
from cogs.transport.app import App
from cogs.transport.interactions import Interaction
from cogs.transport.router import Press, Reply, Route, TableHandler, at_table
from data.records.match import Match, Status


class LobbyPresses(commands.Cog):
    """The presses of all lobbies but those that change who sits there (seats.py)."""

    def __init__(self, app: App) -> None:
        self._lobby = app.lobby
        self._messages = app.messages
        lobby = app.lobby
        app.router.add(
            {
                "more": Route(at_table(self._more), Reply.OWN_MESSAGE),
                "add": Route(self._changing(lobby.add_computer), Reply.CHANGES),
                "remove": Route(self._changing(lobby.remove_computer), Reply.CHANGES),
                "start": Route(at_table(self._start), Reply.SILENT),
                "option": Route(self._option, Reply.CHANGES),
            }
        )

    async def _more(self, interaction: Interaction, match: Match) -> Content:
        """Return the choices for the table. Refused if the user does not sit there, or the match has begun."""
        check_lobby(match)
        check_seated(match, interaction.user.id)
        return await self._messages.options(match, interaction.user.id, interaction.locale.value)

    def _changing(self, change: Callable[[int, int], Awaitable[Match]]) -> TableHandler:
        """Return a handler that makes this change of a lobby."""

        async def handle(interaction: Interaction, match: Match, _: Press) -> Content | None:
            return await self._as_it_is(interaction, await change(match.id, interaction.user.id))

        return handle

    async def _option(self, interaction: Interaction, match: Match, press: Press) -> Content | None:
        value = press.values[0] if press.values else ""
        match = await self._lobby.choose_option(match.id, interaction.user.id, press.rest, value)
        return await self._as_it_is(interaction, match)

    async def _start(self, interaction: Interaction, match: Match) -> None:
        await self._lobby.start(match.id, interaction.user.id)

    async def _as_it_is(self, interaction: Interaction, match: Match) -> Content | None:
        """Return the choices as they are after a change; None if the user may choose nothing any more."""
        if match.status is not Status.LOBBY or match.seat_of(interaction.user.id) is None:
            return None
        return await self._messages.options(match, interaction.user.id, interaction.locale.value)
