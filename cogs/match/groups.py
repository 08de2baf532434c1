"""Groups of duplicate tables: several matches that are dealt from one secret, and compared once all have ended.

Until then each of them is held: only its players see its position, since others could use what it tells about deals
that they still play. Whether a match is held is stored. `release` stores that one is held no more. It can be called at
any time and again: after each end, at the start, and every hour, so a crash in between delays it only.

A lobby that never begins holds no table that has ended: one in which no player sits is called off, and any other gets
its own deals a day (`GRACE`) after the last end, before the deals of its group are shown.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace

from cogs.match.admission import check_not_departed
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from data.records.match import Match, Status
from data.store.erasure_log import ErasureLog
from rules.core.game import AnyGame

GRACE = 86_400
"""Seconds for which the players of a lobby may still begin it after all other tables of its group have ended."""


async def others(service: MatchService, match: Match) -> list[Match]:
    """Return the other tables of the match's group, the oldest first; without lobbies that were called off."""
    if match.duplicate is None:
        return []
    return [table for table in await service.index.of_group(match.duplicate) if table.id != match.id]


async def check_no_other(service: MatchService, match: Match, user: int, departures: ErasureLog | None) -> None:
    """Raise Refused if the user sits or has sat at another table of the group, or may have: their data was deleted
    since one began. Call it inside `policy.seating`, so that they cannot sit down at two tables at once.
    """
    for table in await others(service, match):
        if _has_sat(table, user):
            raise Refused(Reason.OTHER_TABLE, number=table.id)
        if table.started_at is not None:
            await check_not_departed(departures, table, user)


async def seated_elsewhere(service: MatchService, match: Match) -> frozenset[int]:
    """Return the users on the match's waiting list who sit or have sat at another table of its group."""
    tables = await others(service, match) if match.waiting else []
    return frozenset(who.user for who in match.waiting if any(_has_sat(table, who.user) for table in tables))


async def check_same_rules(service: MatchService, match: Match, game: AnyGame) -> None:
    """Raise Refused if a table of the group began under other rules than the match would now."""
    if any(table.started_at is not None and table.rules != game.version for table in await others(service, match)):
        raise Refused(Reason.DUPLICATE_RULES)


def check_shown(match: Match, user: int) -> None:
    """Raise Refused if the match is held and the user does not sit there."""
    if match.seat_of(user) is None:
        check_released(match)


def check_released(match: Match) -> None:
    """Raise Refused if the match is held: not even its players see the other hands and the secret."""
    if match.held:
        raise Refused(Reason.HELD)


async def hosts_another(service: MatchService, match: Match, user: int) -> bool:
    """Return whether the user is the host of another table of the match's group."""
    return any(table.host == user and table.seat_of(user) is not None for table in await others(service, match))


async def release(service: MatchService, group: int) -> None:
    """Store of each table of the group whether it is held no more: all others have ended, or cannot be played on
    (quarantine.py). A table that is left alone in its lobby or match is no duplicate any more.
    """
    await _part_with_lobbies(service, await service.index.of_group(group))
    for table in await service.index.of_group(group):
        if not table.held or await service.quarantine.fault(table) is not None or await _is_held(service, table):
            continue
        async with service.deciding(table.id) as match:
            if not match.held or await _is_held(service, match):  # a further table may have been opened meanwhile
                continue
            alone = match.open and not await others(service, match)
            group_now, apart = None if alone else match.duplicate, alone and match.status is Status.PLAYING
            await service.save(replace(match, duplicate=group_now, held=False, dissolved=apart))


async def _part_with_lobbies(service: MatchService, tables: Sequence[Match]) -> None:
    """If all tables of a group have ended but lobbies that have had their time to begin, call off those of the lobbies
    in which no player sits, and give each other one its own secret.
    """
    lobbies = [table for table in tables if table.status is Status.LOBBY]
    begun = [table for table in tables if table.status is not Status.LOBBY]
    for table in begun:
        if table.open and await service.quarantine.fault(table) is None:
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


async def _is_held(service: MatchService, match: Match) -> bool:
    """Return whether another table of the group can still be played on."""
    for table in await others(service, match):
        if table.open and await service.quarantine.fault(table) is None:
            return True
    return False


def _has_sat(match: Match, user: int) -> bool:
    return match.seat_of(user) is not None or match.former_seat(user) is not None
