"""A bot that starts again and again: its wait grows, and a day's crash loop stays far below Discord's limit."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from cogs.runtime.start_throttle import FREE, PAID_OFF, WAITS, StartThrottle, delay
from data.records.key_values import KeyValues
from data.store.database import Database, NotStored

NOON = 1_770_000_000.0
DAY = 86_400


class Machine:
    """A clock that only moves where somebody waits, and the waits."""

    def __init__(self, facts: KeyValues) -> None:
        self.now = NOON
        self.waited: list[float] = []
        self.facts = facts

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.now += seconds

    async def start(self) -> float:
        """One start of the bot; gives the seconds that it has waited."""
        self.waited.clear()
        await StartThrottle(self.facts, lambda: self.now).wait(self.sleep)
        return sum(self.waited)


@pytest.fixture
async def machine() -> AsyncIterator[Machine]:
    database = await Database.open(":memory:")
    yield Machine(KeyValues(database))
    await database.close()


@pytest.mark.parametrize("run", [0, 0.5, 7, 60, 120, 299, 301, 600])
@pytest.mark.parametrize("pause", [0, 5, 60])
async def test_a_crash_loop_uses_fewer_than_300_connections_a_day(machine: Machine, run: float, pause: float) -> None:
    connections = 0
    while True:
        await machine.start()
        if machine.now > NOON + DAY:
            break
        connections += 1
        machine.now += run + pause
    assert connections < 300


async def test_the_wait_grows_and_stays_at_five_minutes(machine: Machine) -> None:
    waits = [await machine.start() for _ in range(16)]
    assert waits[:FREE] == [0.0] * FREE
    assert list(dict.fromkeys(waits[FREE:])) == list(WAITS), "each of them, and never a shorter one again"
    assert waits[-5:] == [300.0] * 5


async def test_a_planned_restart_after_a_long_run_waits_for_nothing(machine: Machine) -> None:
    for _ in range(40):
        await machine.start()
    machine.now += 12 * PAID_OFF
    assert [await machine.start() for _ in range(FREE)] == [0.0] * FREE


async def test_a_clock_that_goes_back_pays_nothing_off_and_locks_nobody_out(machine: Machine) -> None:
    for _ in range(FREE):
        await machine.start()
    machine.now -= 30 * DAY
    assert await machine.start() == WAITS[0]
    machine.now += DAY
    assert await machine.start() == 0


async def test_where_nothing_can_be_noted_it_waits_the_longest(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def put(self: KeyValues, name: str, value: str) -> None:
        raise NotStored

    monkeypatch.setattr(KeyValues, "put", put)
    assert await machine.start() == WAITS[-1]


async def test_it_may_be_ended_while_it_waits_and_then_counts_for_nothing(machine: Machine) -> None:
    for _ in range(FREE):
        await machine.start()
    waiting = asyncio.create_task(StartThrottle(machine.facts, lambda: machine.now).wait())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    assert await machine.start() == WAITS[0]


def test_the_delay_never_shrinks_as_the_debt_grows() -> None:
    waits = [delay(owed / 4) for owed in range(100)]
    assert all(one <= other for one, other in itertools.pairwise(waits))
