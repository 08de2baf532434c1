"""Opens duplicate tables: a further lobby with the game, the options and the secret of one that is there."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

from cogs.match.groups import others, release
from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused, check_host, check_lobby
from cogs.match.service import MatchService
from data.records.match import Match, Status
from rules.core.chance import without_table
from rules.core.game import BadOption, chosen_options

MOST_TABLES = 4
"""The most tables of a group."""


class Duplicates:
    """Opens the duplicates of a service's lobbies."""

    def __init__(self, service: MatchService, lobby: Lobby) -> None:
        self._service = service
        self._lobby = lobby

    async def open(self, number: int, user: int, name: str) -> Match:
        """Open a further lobby with the deals of that one, and return it. No player sits there yet; the first one who
        joins becomes its host. Every cut is taken back, since the deals must follow from the secret alone.

        Refused: the user is not the lobby's host, a table of the group has begun, the group has `MOST_TABLES`, the
        options do not fit the number of seats, the match belongs to a season, or the server or the user has no room for
        a table.
        """
        match = await self._service.load(number)
        if await self._service.index.in_season(number):
            raise Refused(Reason.NOT_DUPLICATED)
        first = match.duplicate or match.id
        try:
            async with AsyncExitStack() as locks:
                await locks.enter_async_context(self._service.deciding(first))
                # In the order of their numbers: so two openings never wait for each other.
                for table in await self._service.index.of_group(first):
                    if table.id != first:
                        await locks.enter_async_context(self._service.deciding(table.id))
                return await self._open(await self._service.load(number), first, user, name)
        except Refused:
            await release(self._service, first)  # the lobby is no duplicate if it is left alone
            raise

    async def _open(self, match: Match, first: int, user: int, name: str) -> Match:
        """Do what `open` does, with all tables of the group locked."""
        check_lobby(match)
        check_host(match, user)
        if (match.duplicate or match.id) != first:  # its group has changed since
            raise Refused(Reason.BUSY)
        group = [match, *await others(self._service, match)]
        if any(table.status is not Status.LOBBY for table in group):
            raise Refused(Reason.DUPLICATES_BEGUN)
        if len(group) >= MOST_TABLES:
            raise Refused(Reason.DUPLICATES_FULL, count=MOST_TABLES)
        game = self._service.game(match)
        wanted = match.wanted or game.seats[-1]
        try:
            chosen_options(game, wanted, match.options)
        except BadOption as error:
            raise Refused(Reason.OPTIONS_DO_NOT_FIT, count=wanted) from error
        async with self._service.policy.seating(match.guild, user, new=True):
            pass  # refused before anything changes
        options = {"deck": dict(self._lobby.deck(match.game)), **match.options}
        secret = without_table(match.secret)  # only one lobby follows another match, so the seats of all are drawn
        for table in group:
            chairs = tuple(replace(chair, cut=None, ready=False) for chair in table.chairs)
            grouped = replace(table, duplicate=first, held=True, wanted=wanted, options=options, chairs=chairs)
            await self._service.save(replace(grouped, secret=secret))
        return await self._lobby.open(
            match.game,
            guild=match.guild,
            channel=match.place,
            parent=match.parent,
            user=user,
            name=name,
            terms=replace(match.terms, options=options, wanted=wanted, closed=False),
            chairs=(),
            secret=secret,
            duplicate=first,
            held=True,
        )
