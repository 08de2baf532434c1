"""Bad days: presses at the worst moment, a Discord that answers wrongly, a disk that is full. The match goes on."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import Any

import pytest

from cogs._publisher import Pace, Publisher
from tests.support.simulation import Simulation
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def publisher(sim: Simulation) -> Publisher:
    assert sim.bot.house is not None
    return sim.bot.house.publisher


async def move(table: Table) -> None:
    match, state = await table.now()
    await table.decide(table.sim.by_id(match.chairs[min(state.to_move())].user))


@pytest.fixture
def no_errors(sim: Simulation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """These faults are meant: what is logged of them is no failure, and the next try comes soon."""
    monkeypatch.setattr(publisher(sim), "_pace", Pace(edits=0, computer=0, retry=0.05))
    for name in ("cogs._publisher", "cogs._house"):
        caplog.set_level(logging.CRITICAL, logger=name)


# Wake-ups.


async def test_a_change_while_a_worker_ends_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it comes, also between a worker's last look and its end."""
    nothing: Any = None
    publisher = Publisher(nothing, nothing, nothing, nothing, Pace(edits=0))
    shown = 0

    async def show(number: int) -> None:
        nonlocal shown
        shown += 1

    monkeypatch.setattr(publisher, "_show", show)
    for ticks in range(12):
        publisher.changed(1)
        for _ in range(ticks):
            await asyncio.sleep(0)
        before = shown
        publisher.changed(1)
        for _ in range(12):
            await asyncio.sleep(0)
        assert shown > before, f"a change {ticks} steps after another"


class FaultOnce:
    """In the place of a coroutine function: fails at first, then does its work."""

    def __init__(self, work: Any, error: Exception, times: int = 1) -> None:
        self.work, self.error, self.times = work, error, times

    async def __call__(self, *args: Any, **how: Any) -> Any:
        if self.times:
            self.times -= 1
            raise self.error
        return await self.work(*args, **how)


FULL = sqlite3.OperationalError("database or disk is full")


async def test_what_a_fault_kept_from_being_shown_is_shown_later(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    desk = sim.bot.house.desk
    monkeypatch.setattr(desk, "table", FaultOnce(desk.table, FULL))
    await move(tide)
    version = (await tide.now())[0].version
    assert all(post.shown == version for post in (await sim.host.matches.posts(1)).values())


async def test_a_computer_that_could_not_move_moves_later(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    table = await Table.open(sim, "sea_change", sim.join_server("alice"), computers=1, seed="computer")
    monkeypatch.setattr(sim.host, "play_automatic", FaultOnce(sim.host.play_automatic, FULL))
    await table.start()
    for _ in range(4):
        match, state = await table.now()
        if match.seat_of(sim.people["alice"].id) in state.to_move():
            await move(table)
        await sim.env.advance_time(10)
    match, state = await table.now()
    assert match.moves >= 4
