"""What no player waits for is shown a few matches at a time, so that what somebody waits for is shown at once."""

from __future__ import annotations

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

import pytest

import cogs.transport.publisher
from cogs.match.automatic_moves import Pace
from cogs.match.refusals import Reason, Refused
from cogs.match.service import Played
from cogs.runtime.holdings import Holdings, Shows
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.match_posts import Shown
from cogs.transport.publisher import LATE_AT_ONCE, Publisher
from cogs.transport.request_budget import PublishTiming
from cogs.workers.pool import Urgency, urgency
from data.store.engine import CommitUnknown, Unreachable
from tests.process.loopback import until
from tests.support.simulation import Simulation
from tests.support.table import Table

MANY = 50


def words_of_nothing() -> Any:
    """A presenter for a publisher whose matches are never looked at. No time goes by."""
    host = SimpleNamespace(clocks=SimpleNamespace(now=int), posts=None, people=None, now=int, policy=None)
    return SimpleNamespace(lacks_motion=lambda number: False, service=host)


class Counting(Publisher):
    """Shows nothing, and counts what is under way until `free`."""

    def __init__(self) -> None:
        nothing: Any = None
        timing, messages = PublishTiming(edits=0, retry=0.01, late=0), words_of_nothing()
        super().__init__(nothing, messages, ComputerMoves(messages.service, nothing, timing), timing)
        self.free = asyncio.Event()
        self.begun: list[int] = []
        self.fails = {3}
        self.shown = SimpleNamespace(show=self.show)

    async def show(self, number: int, *, missed: bool) -> Shown:
        self.begun.append(number)
        await self.free.wait()
        if number in self.fails:
            self.fails.discard(number)
            raise RuntimeError
        return Shown()


async def breathe() -> None:
    for _ in range(4 * MANY):
        await asyncio.sleep(0)


async def test_of_what_is_late_a_few_are_shown_at_once_and_in_the_end_all() -> None:
    publisher = Counting()
    for number in range(MANY):
        publisher.later(number)
    await breathe()
    assert publisher.begun == list(range(LATE_AT_ONCE))
    publisher.free.set()
    assert await until(lambda: len(publisher.begun) > MANY)  # one of them twice, since it failed
    assert sorted(publisher.begun) == sorted([*range(MANY), 3])
    await publisher.close()


async def test_a_change_is_shown_at_once_however_many_are_late_and_then_not_again() -> None:
    publisher = Counting()
    for number in range(MANY):
        publisher.later(number)
    await breathe()
    publisher.changed(MANY - 1)
    await breathe()
    assert publisher.begun == [*range(LATE_AT_ONCE), MANY - 1]
    publisher.free.set()
    assert await until(lambda: len(publisher.begun) > MANY)
    assert publisher.begun.count(MANY - 1) == 1
    await publisher.close()


async def test_it_begins_again_with_what_is_late_later_and_ends_when_told_to() -> None:
    publisher = Counting()
    publisher.free.set()
    for number in (1, 2):
        publisher.later(number)
        await breathe()
    assert publisher.begun == [1, 2]
    publisher.free.clear()
    for number in range(10, 10 + MANY):
        publisher.later(number)
    await breathe()
    await publisher.close()
    assert len(publisher.begun) == 2 + LATE_AT_ONCE


async def test_what_changes_after_the_end_is_left_to_the_next_start() -> None:
    publisher = Counting()
    publisher.free.set()
    await publisher.close()
    publisher.changed(1)
    publisher.later(2)
    await breathe()
    assert publisher.begun == []


async def test_what_is_cut_off_before_its_turn_was_not_begun(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the bot ends just then: work that was begun and never waited for is a warning, and so fails here."""
    usual = asyncio.gather

    def cut_off(*work: Any, **how: Any) -> Any:
        together = usual(*work, **how)
        together.cancel()
        return together

    monkeypatch.setattr(cogs.transport.publisher.asyncio, "gather", cut_off)
    with pytest.raises(asyncio.CancelledError):
        await sim.bot.app.publisher.shown.show(1)
    monkeypatch.undo()
    await asyncio.sleep(0)
    gc.collect()


async def test_a_computer_whose_match_has_changed_while_it_thought_is_no_fault(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where somebody's data was deleted in the meantime: it moves a little later."""
    table = await Table.begin(sim, "sea_change", sim.join_server("alice"), seed="busy", computers=1)
    moves, refused = sim.app.publisher.computers.moves, [Refused(Reason.BUSY)]
    play = moves.play

    async def busy(number: int, pace: Pace | None = None) -> Played | None:
        if refused:
            raise refused.pop()
        return await play(number, pace)

    monkeypatch.setattr(moves, "play", busy)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=0.01))
    await table.play(lambda match, state: match.moves > 4)
    assert not refused


class Noting(Counting):
    """Notes how urgent the pictures of each match are."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[int, list[Urgency]] = {}

    async def show(self, number: int, *, missed: bool) -> Shown:
        self.found.setdefault(number, []).append(urgency.get())
        return await super().show(number, missed=missed)


async def test_late_work_is_drawn_last() -> None:
    publisher = Noting()
    publisher.later(1)
    publisher.changed(2)
    await breathe()
    publisher.changed(1)  # while it is shown as late work: a player waits for it from now on
    publisher.free.set()
    assert await until(lambda: not publisher.workers)
    assert publisher.found == {1: [Urgency.LATE, Urgency.PEOPLE], 2: [Urgency.PEOPLE]}
    assert urgency.get() is Urgency.PRESS
    await publisher.close()


@pytest.mark.parametrize("lost", [CommitUnknown(), Unreachable()])
async def test_a_database_that_is_lost_as_the_work_begins_does_not_keep_it_from_beginning(lost: Exception) -> None:
    """Else this process would take no match until its next start, as the work begins once."""

    class Begun(Holdings):
        shared = True
        begins = False

        def start(self, table: Shows) -> None:
            self.begins = True

    async def fails(channel: int | None = None) -> list[int]:
        raise lost

    publisher, holdings = Counting(), Begun()
    publisher.holdings = holdings
    publisher.posts = SimpleNamespace(forget_refusals=fails)
    await publisher.resume()
    assert holdings.begins
    await publisher.close()
