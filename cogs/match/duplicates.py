"""Duplicate tables: several matches that are dealt from one secret, and compared once all have ended. The host of a
lobby opens a further one with its game, options and secret.

Until all have ended each of them is held: only its players see its position, since others could use what it tells about
deals that they still play. Whether a match is held is stored. `release` stores that one is held no more. It can be
called at any time and again: after each end, at the start, and every hour, so a crash in between delays it only.

A lobby that never begins holds no table that has ended: one in which no player sits is called off, and any other gets
its own deals a day (`GRACE`) after the last end, before the deals of its group are shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused, check_host, check_lobby
from cogs.match.service import MatchService
from cogs.match.table_options import applying
from data.records.match import Match, Status
from rules.core.chance import without_table
from rules.core.game import BadOption, chosen_options

MOST_TABLES = 4
"""The most tables of a group."""
GRACE = 86_400
"""Seconds for which the players of a lobby may still begin it after all other tables of its group have ended."""


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
        group = [match, *await self._service.index.duplicates_of(match)]
        if any(table.status is not Status.LOBBY for table in group):
            raise Refused(Reason.DUPLICATES_BEGUN)
        if len(group) >= MOST_TABLES:
            raise Refused(Reason.DUPLICATES_FULL, count=MOST_TABLES)
        game = self._service.game(match)
        wanted = match.wanted or game.seats[-1]
        try:
            chosen_options(game, wanted, applying(match, game, wanted))
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


async def release(service: MatchService, group: int) -> None:
    """Store of each table of the group whether it is held no more: all others have ended, or cannot be played on
    (quarantine.py). A table that is left alone in its lobby or match is no duplicate any more.
    """
    await _part_with_lobbies(service, await service.index.of_group(group))
    for table in await service.index.of_group(group):
        if not table.held or await service.quarantine.fault(table) is not None:
            continue
        if await _goes_on(service, await service.index.duplicates_of(table)):
            continue
        async with service.deciding(table.id) as match:
            others = await service.index.duplicates_of(match)  # a further table may have been opened meanwhile
            if not match.held or await _goes_on(service, others):
                continue
            alone = match.open and not others
            group_now, apart = None if alone else match.duplicate, alone and match.status is Status.PLAYING
            await service.save(replace(match, duplicate=group_now, held=False, dissolved=apart))


async def _part_with_lobbies(service: MatchService, tables: Sequence[Match]) -> None:
    """If all tables of a group have ended but lobbies that have had their time to begin, call off those of the lobbies
    in which no player sits, and give each other one its own secret.
    """
    lobbies = [table for table in tables if table.status is Status.LOBBY]
    begun = [table for table in tables if table.status is not Status.LOBBY]
    if await _goes_on(service, begun):
        return
    now = int(service.now())
    late = now >= max((table.ended_at or 0 for table in begun), default=now) + GRACE
    if not begun or (not late and any(table.people for table in lobbies)):
        return
    for table in lobbies:
        async with service.deciding(table.id) as match:
            if match.status is not Status.LOBBY or match.duplicate is None:
                continue
            if not match.people:
                await service.save(replace(match, status=Status.CANCELLED, ended_at=now))
            elif late:  # otherwise a player has sat down meanwhile
                own = secrets.token_hex(32)
                await service.save(replace(match, secret=own, duplicate=None, held=False, dissolved=True))


async def release_all(service: MatchService) -> None:
    """Do the same for all groups."""
    for group in await service.index.held_groups():
        await release(service, group)


async def _goes_on(service: MatchService, tables: Sequence[Match]) -> bool:
    """Return whether one of these tables can still be played on."""
    for table in tables:
        if table.open and await service.quarantine.fault(table) is None:
            return True
    return False
