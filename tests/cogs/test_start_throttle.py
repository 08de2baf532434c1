"""A bot that starts again and again: its wait grows, and a day's crash loop stays far below Discord's limit."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from cogs.runtime.start_throttle import (
    FREE,
    GAP,
    KNOWN_FOR,
    PAID_OFF,
    WAITS,
    LocalSlots,
    SessionLimits,
    StartThrottle,
    delay,
    spread,
)
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


async def test_a_clock_that_goes_back_pays_nothing_off_and_locks_no_player_out(machine: Machine) -> None:
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
    waits = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waits.set()
        await asyncio.Event().wait()

    waiting = asyncio.create_task(StartThrottle(machine.facts, lambda: machine.now).wait(sleep))
    await waits.wait()
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    assert await machine.start() == WAITS[0]


def test_the_delay_never_shrinks_as_the_debt_grows() -> None:
    waits = [delay(owed / 4) for owed in range(100)]
    assert all(one <= other for one, other in itertools.pairwise(waits))


async def test_a_rolling_restart_of_many_processes_waits_for_nothing(machine: Machine) -> None:
    for _ in range(4 * FREE - 1):
        await StartThrottle(machine.facts, lambda: machine.now).wait(machine.sleep, processes=4)
    assert machine.waited == []


def limits(left: int, reset_after: float = 3_600.0) -> SessionLimits:
    return SessionLimits(4, 1_000, left, reset_after, 2)


async def plenty() -> SessionLimits:
    return limits(900)


def test_the_last_sessions_of_a_day_are_spread_until_there_are_new_ones() -> None:
    assert spread(limits(51)) == 0
    assert 60 < spread(limits(50)) < 80
    assert spread(limits(0)) == 3_600
    now, left, began = 0.0, 50, 0
    while now < 3_600:
        now += spread(limits(left, 3_600 - now))
        left, began = left - 1, began + 1
        assert left >= 0 or now >= 3_600, "never more than there are"


async def test_shards_identify_in_their_bucket_one_after_the_other(machine: Machine) -> None:
    throttle = StartThrottle(machine.facts, lambda: machine.now, ask=plenty)
    throttle.own_slots.steady = lambda: machine.now
    began = machine.now
    for shard in range(6):
        await throttle.identify(shard, machine.sleep)
    assert machine.now - began == pytest.approx(2 * GAP), "three in each of two buckets"
    assert throttle.identified == 6
    assert throttle.left == 894


async def test_a_scarce_day_is_told_and_waited_for(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    asked = [limits(0, 100.0), limits(1_000)]

    async def ask() -> SessionLimits:
        return asked.pop(0) if len(asked) > 1 else asked[0]

    throttle = StartThrottle(machine.facts, lambda: machine.now, ask=ask)
    await throttle.identify(0, machine.sleep)
    assert machine.waited[0] == 100
    assert "Discord allows 0 more sessions in the next 100 s" in caplog.text
    assert throttle.left == 999, "it has asked again"


async def test_without_the_database_a_shard_takes_a_turn_of_its_own(machine: Machine) -> None:
    async def fails(bucket: int) -> float:
        raise NotStored

    throttle = StartThrottle(machine.facts, lambda: machine.now, fails, plenty)
    throttle.own_slots.steady = lambda: machine.now
    for _ in range(2):
        await throttle.identify(0, machine.sleep)
    assert sum(machine.waited) == pytest.approx(GAP)


async def test_a_local_turn_comes_5_s_after_the_last_one() -> None:
    now = [10.0]
    slots = LocalSlots(lambda: now[0])
    assert [await slots(0), await slots(0), await slots(1)] == [0, GAP, 0]
    now[0] += 5 * GAP
    assert await slots(0) == 0
    assert KNOWN_FOR > GAP > 5
