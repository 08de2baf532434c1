"""Whatever breaks off, each round is opened and counted once; the secret of a season is not told."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from data.records.match import Status
from data.records.seasons import SeasonStatus
from data.store.database import Database, NotStored
from data.store.schema import after_restore, mark_restored
from tests.cogs.seasons.world import OPENER, World, count


class Stopped(BaseException):
    """The process is killed here."""


async def linked(base: Database) -> list[tuple[int, ...]]:
    sql = "SELECT season, round, number, match FROM season_table WHERE match IS NOT NULL"
    return await base.read(lambda c: [tuple(row) for row in c.execute(sql)])


# Whatever breaks off.


def breaking(world: World, monkeypatch: pytest.MonkeyPatch, at: int, *, before: bool, error: BaseException) -> Any:
    """Let write number `at` from now on break off, before or after it is stored."""
    write, done = Database.write, [0]

    async def breaks(self: Database, work: Callable[[sqlite3.Connection], Any], *more: Any, **how: Any) -> Any:
        done[0] += 1
        if done[0] == at and before:
            raise error
        result = await write(self, work, *more, **how)
        if done[0] == at:
            raise error
        return result

    monkeypatch.setattr(Database, "write", breaks)
    return done


STEPS = range(1, 8)
"""More writes than a round of two tables needs to open: a table and its start each, and the end of the round before."""


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [Stopped(), NotStored()], ids=["killed", "nothing stored"])
async def test_a_round_is_opened_once_whatever_breaks_off(
    world: World, monkeypatch: pytest.MonkeyPatch, step: int, before: bool, error: BaseException
) -> None:
    season = await world.open(4)
    await world.seasons.start(1, OPENER, manages=False)
    with monkeypatch.context() as patch:
        done = breaking(world, patch, step, before=before, error=error)
        with suppress(Stopped, NotStored):
            await world.seasons.advance(1, is_there=True)
        assert done[0] >= min(step, 4)
    world.restart()
    season = await world.advance()
    tables = season.in_round(1)
    assert len(await linked(world.base)) == len(tables) == await count(world.base, "match") == 2
    for found in tables:
        match = await world.match(found.match or 0)
        assert match.status is Status.PLAYING
        assert {chair.user for chair in match.chairs} == {season.entrants[place].user for place in found.places}
    assert await world.advance() == season


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", STEPS)
async def test_a_round_is_counted_once_and_the_next_opened_once_whatever_breaks_off(
    world: World, monkeypatch: pytest.MonkeyPatch, step: int, before: bool
) -> None:
    season = await world.begin(2, rounds=2)
    await world.play(season.tables[0].match or 0)
    with monkeypatch.context() as patch:
        breaking(world, patch, step, before=before, error=Stopped())
        with suppress(Stopped):
            await world.seasons.advance(1, is_there=True)
    world.restart()
    season = await world.advance()
    assert (season.round, season.status) == (2, SeasonStatus.PLAYING)
    assert sum(season.in_round(1)[0].points or ()) == 2
    assert await count(world.base, "match") == await count(world.base, "result") + 1 == 2
    assert (await world.match(season.in_round(2)[0].match or 0)).status is Status.PLAYING


async def test_two_looks_at_once_open_each_table_once(world: World) -> None:
    await world.open(6)
    await world.seasons.start(1, OPENER, manages=False)
    first = world.seasons
    world.restart()  # another program on the same database, as it were: the lock is not shared
    await asyncio.gather(first.advance(1, is_there=True), world.seasons.advance(1, is_there=True))
    await world.advance()
    assert await count(world.base, "match") == 3


async def test_a_lobby_that_a_player_left_before_it_began_waits_for_them(world: World, monkeypatch: Any) -> None:
    season = await world.open(2)
    await world.seasons.start(1, OPENER, manages=False)
    with monkeypatch.context() as patch:
        breaking(world, patch, 1, before=False, error=Stopped())
        with pytest.raises(Stopped):
            await world.advance()
    world.restart()
    match = await world.match(1)
    assert match.status is Status.LOBBY
    await world.lobby.leave(1, match.chairs[1].player)
    season = await world.advance()
    assert (await world.match(1)).status is Status.LOBBY
    await world.lobby.join(1, match.chairs[1].player, "back")
    await world.advance()
    match = await world.match(1)
    assert match.status is Status.PLAYING
    await world.play(1)
    season = await world.advance()
    winners = {season.entrants[place].user for place in season.tables[0].winners}
    outcome = world.service.state(await world.match(1)).outcome()
    assert outcome is not None
    assert winners == {match.chairs[seat].user for seat in outcome.winners}


async def test_the_secret_of_an_open_season_is_another_after_a_restore(world: World) -> None:
    open_one, running = await world.open(2), await world.begin(3, game="full_sun")

    def restore(c: sqlite3.Connection) -> None:
        mark_restored(c)
        after_restore(c, lambda count: 1_000_000)

    await world.base.write(restore)
    assert (await world.seasons.load(open_one.id)).secret != open_one.secret
    assert (await world.seasons.load(running.id)).secret == running.secret


async def test_no_repr_tells_the_secret(world: World) -> None:
    season = await world.begin(2)
    assert season.secret not in repr(season)
