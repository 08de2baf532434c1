"""A small month in every test run. `python -m tests.month` runs a long one."""

from __future__ import annotations

import logging
import sys
from typing import Any

import pytest

from cogs.match.automatic_moves import AutomaticMoves
from data.records.hours import Hours, PeopleHours
from data.records.match import Match
from tests.month.__main__ import main
from tests.month.month import Month, Plan
from tests.month.process import Process
from tests.month.soak import Soak
from tests.support.machine.seeded_bugs import SEEDED_BUGS, SeededBug


@pytest.mark.parametrize("days", [14, pytest.param(30, marks=pytest.mark.long)])
def test_a_month_in_which_everything_happens_on_time(request: pytest.FixtureRequest, days: int) -> None:
    """Each match ends or rests for a stated reason; no deadline is early or late; each turn pings once."""
    month = _month(f"{request.config.getoption('--seed')} month", matches=4, days=days)
    assert not month.faults, "\n".join(month.faults)
    assert month.figures["restarts"] and month.figures["outages"], "a month without events"
    assert month.oracle.figures["turns rung"]  # in so few matches no time need run out: the seeded bugs below need that


@pytest.mark.long
def test_a_bot_that_is_restarted_every_hour_holds_no_more_than_before(monkeypatch: pytest.MonkeyPatch) -> None:
    soak = Soak(Plan(matches=6, days=2, seed="hours", beat=300.0))
    soak.run()
    assert not soak.faults, "\n".join(soak.faults)
    assert len(soak.readings) >= 47 and soak.readings[-1]["tasks"] and soak.readings[-1]["rows: match"] >= 6
    assert not soak.grown(), soak.table()
    begin, kept = Process.__init__, list[Process]()

    def leaking(process: Process, *how: Any) -> None:
        kept.append(process)
        begin(process, *how)

    monkeypatch.setattr(Process, "__init__", leaking)
    soak = Soak(Plan(matches=1, days=1, seed="hours", beat=300.0))
    soak.run()
    assert any(line.startswith("objects") for line in soak.grown()), "a seeded leak: no process goes from memory"


# The month finds seeded bugs: otherwise the success of the run above would prove nothing.


def _stuck(patch: pytest.MonkeyPatch) -> None:
    def none(moves: AutomaticMoves, match: Match) -> None:
        return None

    patch.setattr(AutomaticMoves, "next_seat", none)


SEEDED: dict[str, tuple[SeededBug, str]] = {
    "a deadline rings early": (SEEDED_BUGS["a deadline rings early"], "s early"),
    "pings ignore quiet hours": (SEEDED_BUGS["pings ignore quiet hours"], "in quiet hours"),
    "a player is pinged twice for one turn": (SEEDED_BUGS["a player is pinged twice for one turn"], "once more"),
    "computers do not move": (_stuck, "a computer does not move"),
}


MONTHS = 8
"""The most months until a seeded bug must be found."""


@pytest.mark.long
@pytest.mark.parametrize("bug", SEEDED)
def test_a_seeded_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the first months finds it; in some months, what the bug needs does not happen."""
    seed_bug, said = SEEDED[bug]
    seed_bug(monkeypatch)
    months = (_month(f"{bug} {number}", matches=4, days=4, run_out=0) for number in range(MONTHS))
    assert any(said in fault for month in months for fault in month.faults)


@pytest.mark.long
def test_the_command_reports_logged_faults(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It does so by itself, without pytest's log handlers."""

    async def broken(hours: PeopleHours, user: int, new: Hours) -> None:
        raise RuntimeError("planted")

    root = logging.getLogger()
    monkeypatch.setattr(PeopleHours, "put", broken)
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", logging.WARNING)
    monkeypatch.setattr(sys, "argv", ["month", "--matches", "1", "--days", "1", "--beat", "300", "--seed", "planted"])
    assert main() == 1
    said = capsys.readouterr()
    assert "logged: fault" in said.out, said.out
    assert not said.err


def _month(seed: str, *, matches: int, days: int, run_out: int = 14) -> Month:
    month = Month(Plan(matches, days, seed, beat=300.0, run_out=run_out))
    print(f"seed {seed}")
    month.run()
    print(month.table())
    return month
