"""Deadlines: written with the move that causes them, and found by an index, however many matches there are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from data.records.deadlines import Deadline, Deadlines, SeatClock
from data.records.hours import Hours, PeopleHours
from data.records.match import Conflict, LoggedMove, Match, Status
from data.records.matches import Matches
from data.store import schema
from data.store.database import Database
from tests.data.conftest import ONLY_SQLITE
from tests.data.test_matches import lobby
from tests.data.users import ANN


def a_match() -> Match:
    return lobby(status=Status.PLAYING, state={}, started_at=1000, turn_since=1000, clock="day_1")


RUNS = SeatClock(0, "1.1", 100, 50, 20, 10, ends=150, due=140)


async def test_clocks_come_back_as_they_were_stored(base: Database) -> None:
    matches, clocks = Matches(base), (replace(RUNS, called=2, stage=1), SeatClock(1, away=70))
    match = await matches.open(a_match())
    match = await matches.save(replace(match, clocks=clocks))
    assert await Matches(base).get(match.id) == match
    match = await matches.save(replace(match, clocks=clocks[1:]))
    assert (await Matches(base).get(match.id)).clocks == clocks[1:]
    assert (await Matches(base).get(match.id)).absent == "computer"


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


async def test_a_match_of_an_older_version_has_no_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, path, steps = tmp_path / "steps", tmp_path / "old.db", schema.steps()
    folder.mkdir()
    clock = next(number for number, step in enumerate(steps) if step.name == "0005_clock.sql")
    for step in steps[:clock]:
        (folder / step.name).write_text(step.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr("data.store.schema.MIGRATIONS", folder)
    old = await Database.open(path)
    names = "id, game, status, guild, channel, place, host, locale, options, secret, opened_at"
    values = "1, 'sea_change', 'playing', 1, 2, 2, 1, 'en', '{}', '', 0"
    await old.write(lambda c: c.execute(f"INSERT INTO match ({names}) VALUES ({values})").rowcount)
    await old.write(lambda c: c.execute("INSERT INTO vote VALUES (1, 7, 'end')").rowcount)
    await old.close()
    monkeypatch.undo()
    new = await Database.open(path)
    matches = Matches(new)
    assert await matches.votes(1) == {7: "end"}
    match = await matches.get(1)
    assert match is not None
    assert (match.clock, match.clocks) == ("none", ())
    await new.close()
