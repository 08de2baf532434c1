"""Deadlines: written with the move that causes them, and found by an index, however many matches there are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from data.records.deadlines import Deadline, Deadlines, SeatClock
from data.records.hours import Hours, PeopleHours
from data.records.match import Conflict, LoggedMove, Match, Status
from data.records.matches import Matches
from data.store.database import Database
from tests.data.conftest import ONLY_SQLITE
from tests.data.test_matches import lobby
from tests.data.users import ANN


def a_match() -> Match:
    return lobby(status=Status.PLAYING, state={}, started_at=1000, turn_since=1000, clock="day_1")


RUNS = SeatClock(0, "1.1", 100, 50, 20, 10, ends=150, due=140)


async def test_a_deadline_is_stored_with_its_move_or_not_at_all(base: Database) -> None:
    matches, deadlines = Matches(base), Deadlines(base)
    match = await matches.open(a_match())
    after = replace(match, moves=1, clocks=(RUNS,))
    saved = await matches.save(after, LoggedMove(0, 0, "1.0", "play R1", ANN))
    assert await deadlines.due(140) == [Deadline(match.id, 0, "1.1")]
    assert await deadlines.due(139) == []
    assert await deadlines.running() == [match.id]
    # The same decision a second time: nothing of it is stored.
    again = replace(saved, moves=2, clocks=(replace(RUNS, due=999),))
    with pytest.raises(Conflict):
        await matches.save(again, LoggedMove(1, 0, "1.0", "play R2", ANN))
    assert await deadlines.earliest() == 140
    await matches.save(replace(saved, clocks=()))
    assert await deadlines.earliest() is None


@ONLY_SQLITE
@pytest.mark.parametrize(
    "query",
    [
        "SELECT due FROM clock WHERE due IS NOT NULL ORDER BY due LIMIT 1",
        "SELECT match, seat, turn FROM clock WHERE due <= 5 ORDER BY due LIMIT 500",
    ],
)
async def test_one_index_leads_to_what_is_due(base: Database, query: str) -> None:
    plan = await base.read(lambda c: [tuple(row)[3] for row in c.execute(f"EXPLAIN QUERY PLAN {query}")])
    assert any("clock_by_due" in step for step in plan), plan


async def test_hours_come_back_as_they_were_stored(base: Database) -> None:
    hours = Hours("Europe/Berlin", (1320, 420), frozenset({5, 6}), ((date(2026, 7, 1), date(2026, 7, 9)),))
    kept = PeopleHours(base)
    assert await kept.get(ANN) == Hours()
    await kept.put(ANN, hours)
    assert await kept.get(ANN) == await PeopleHours(base).get(ANN) == hours
