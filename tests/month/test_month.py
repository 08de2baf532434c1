"""A small month for every change; `python -m tests.month` runs the whole one, and says what this cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import cogs._timekeeper
from cogs._direct import DirectHands
from cogs._host import Host
from cogs._pings import Pings
from data.match import Chair, Match, Post
from data.people import Person
from tests.month.month import Month, Plan


def test_a_month_in_which_everything_happens_on_time(request: pytest.FixtureRequest) -> None:
    """Every match ends or stands still for a stated reason; no deadline is early or late, each turn rings once."""
    month = _month(f"{request.config.getoption('--seed')} month", matches=4, days=30)
    assert not month.faults, "\n".join(month.faults)
    assert month.figures["restarts"] and month.figures["outages"], "a month without events"
    assert month.oracle.figures["deadlines rung"] and month.oracle.figures["turns rung"]


# What is planted is found: else the run above would say nothing.


def _early(patch: pytest.MonkeyPatch) -> None:
    left = cogs._timekeeper._left
    patch.setattr(cogs._timekeeper, "_left", lambda clock, now, hours: left(clock, now, hours) - 40)


def _in_quiet_hours(patch: pytest.MonkeyPatch) -> None:
    async def never(pings: Pings, number: int, user: int) -> bool:
        return False

    patch.setattr(Pings, "is_quiet", never)


def _twice(patch: pytest.MonkeyPatch) -> None:
    show = DirectHands._bring_up_to_date

    async def forgetful(hands: DirectHands, match: Match, person: Person, chair: Chair, post: Post) -> None:
        await show(hands, match, person, chair, replace(post, pinged=""))

    patch.setattr(DirectHands, "_bring_up_to_date", forgetful)


def _stuck(patch: pytest.MonkeyPatch) -> None:
    async def none(host: Host, match: Match) -> None:
        return None

    patch.setattr(Host, "automatic", none)


PLANTED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "time is counted too fast": (_early, "s early"),
    "nobody heeds quiet hours": (_in_quiet_hours, "in quiet hours"),
    "who was rung is forgotten": (_twice, "once more"),
    "computers do not move": (_stuck, "a computer does not move"),
}


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, said = PLANTED[bug]
    plant(monkeypatch)
    month = _month(bug, matches=4, days=4, run_out=0)
    assert any(said in fault for fault in month.faults), month.table()


def _month(seed: str, *, matches: int, days: int, run_out: int = 14) -> Month:
    month = Month(Plan(matches, days, seed, beat=300.0, run_out=run_out))
    print(f"seed {seed}")
    month.run()
    print(month.table())
    return month
