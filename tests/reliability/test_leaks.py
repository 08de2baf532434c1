"""Non-interference, as long as every run of the tests can bear; docs/reliability.md has the long runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import GAMES
from rules.core.game import AnyState, Seat, chosen_options
from tests.month.process import quick
from tests.reliability import leaks
from tests.reliability.leaks import BATCH, DRAWN
from tests.reliability.leaky import Leak
from tests.reliability.pairs import RETRIED, Pair, Step
from tests.reliability.report import CLEAN, Report

SEED = 1
PAIRS = 1_000
PART = 200
"""Pairs of a part: several processes share them."""


def run(folder: Path, first: int, leak: Leak = Leak.NONE) -> Report:
    report = Report("leaks", SEED, clean=CLEAN["leaks"])
    leaks.run(report, folder, PART, leak, first=first)
    print(report)
    return report


@pytest.mark.parametrize("first", range(0, PAIRS, PART))
def test_a_viewer_cannot_tell_apart_what_is_hidden_from_them(tmp_path: Path, first: int) -> None:
    report = run(tmp_path, first)
    assert not report.found
    assert report.counts["pairs"] == PART
    assert report.counts["under faults"] in (PART // 3, PART // 3 + 1)
    assert report.counts["with pictures drawn"] == sum(pair % DRAWN < len(GAMES) for pair in range(first, first + PART))
    assert report.counts["steps that differ"] > PART // 5


@pytest.mark.parametrize("leak", [leak for leak in Leak if leak is not Leak.NONE])
def test_a_planted_leak_is_found(tmp_path: Path, leak: Leak) -> None:
    drawn = leak is Leak.PIXEL  # of all others words and requests tell as much as a drawn picture
    report = run(tmp_path, 0 if drawn else BATCH, leak)
    assert report.found
    assert "at fault" not in report.found[0]


def test_time_is_not_given_back_for_what_is_sealed_anew(tmp_path: Path) -> None:
    """While messages fail somebody seals anew: their hand is shown later, and nobody's time changes."""
    first, sealed = _sealed_anew()
    users = tuple(10_010 + seat for seat in range(3))
    press = f"1/1/move/{first.turn(Seat(0))}/pledge 1"
    pair = Pair(
        slug="siege_of_sunfall",
        options=chosen_options(GAMES["siege_of_sunfall"], 3, {}),
        secret="a secret",
        viewer=None,
        eyes=users[2],
        seats=users,
        starts=(first, first),
        story=first.opening(),
        settings={user: {"ping": "dm", "digest_hours": 0, "wants_text": False} for user in users},
        closed=frozenset(),
        offered=False,
        left=False,
        clock="hours_12",
        faulty=True,
        even=False,
        steps=[
            Step("press", users[0], press, press),
            Step("down", 0, True, True),
            Step("move", users[0], "pledge 2", None),
            Step("wait", 0, 100, 100),
            Step("down", 0, False, False),
            Step("wait", 0, RETRIED, RETRIED),
        ],
        ends=(sealed[0], sealed[1]),
    )
    with quick("sealed anew"):
        twins = leaks.Twins(Report("leaks", SEED), tmp_path)
        try:
            assert not twins.differences(pair)
        finally:
            twins.close()


def _sealed_anew() -> tuple[AnyState, tuple[AnyState, AnyState]]:
    """A first position, and those in which seat 0 has sealed again, and once."""
    game = GAMES["siege_of_sunfall"]
    first = game.new(3, {}, "a secret")
    once, _ = first.apply(game.parse(Seat(0), "pledge 1"))
    return first, (once.apply(game.parse(Seat(0), "pledge 2"))[0], once)
