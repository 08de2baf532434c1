"""Short runs of the non-interference harness; docs/lab/reliability-runs.md has the longest runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules import GAMES
from rules.core.game import Seat, chosen_options
from tests.month.process import fast_settings
from tests.reliability import leaks
from tests.reliability.leaks import BATCH, DRAWN
from tests.reliability.pairs import Pair, Step
from tests.reliability.report import CLEAN, Report
from tests.reliability.scripts import RETRIED
from tests.reliability.seeded_leaks import Leak

SEED = 1
FEW = range(3, 13)
"""The pairs of every test run, two of them with pictures."""
PAIRS = 240
"""The pairs of a long run."""
PART = 120
"""Pairs of one test: several processes share the long run."""
FIRST = {
    Leak.PIXEL: 1,  # a pair with pictures; all others show in texts and requests
    Leak.PEEK: 24,
    Leak.METRIC: 25,
    **dict.fromkeys((Leak.COUNTER, Leak.LAST, Leak.REPLAY), 29),
    Leak.EXPORT: 30,
    Leak.LIVE: 31,
    **dict.fromkeys((Leak.REFUSAL, Leak.COMPLETION), 38),
    Leak.HASTE: 41,
    Leak.PRIVATE: 61,
    **dict.fromkeys((Leak.SUBSTITUTE, Leak.LESSON), 64),
    Leak.ALONE: 98,
    Leak.DIGEST: 369,  # few pairs send a digest of hidden things
}
"""The first pair in which a seeded leak shows, if not in the second one of the second batch: the search begins there.
A leak that shows in other pairs after a change of the rules is found in one of the next PART.
"""


def run(folder: Path, first: int, leak: Leak = Leak.NONE, pairs: int = PART) -> Report:
    report = Report("leaks", SEED, clean=CLEAN["leaks"])
    leaks.run(report, folder, pairs, leak, first=first)
    print(report)
    return report


@pytest.mark.parametrize(
    ("first", "pairs"),
    [(FEW.start, len(FEW)), *(pytest.param(first, PART, marks=pytest.mark.long) for first in range(0, PAIRS, PART))],
)
def test_a_viewer_cannot_tell_apart_what_is_hidden_from_them(tmp_path: Path, first: int, pairs: int) -> None:
    report = run(tmp_path, first, pairs=pairs)
    assert not report.found
    assert report.counts["pairs"] == pairs
    assert report.counts["under faults"] in (pairs // 3, pairs // 3 + 1)
    drawn = sum(pair % DRAWN < len(GAMES) for pair in range(first, first + pairs))
    assert report.counts["with pictures drawn"] == drawn
    assert report.counts["steps that differ"] > pairs // 5
    assert report.counts["with a computer"] > pairs // 5
    assert report.counts["with a move named ahead"] > pairs // 5


def test_no_pair_shows_a_picture_of_a_pair_that_was_drawn_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else one run could show an older drawn picture and the other a pixel."""
    usual, kept, last = leaks.TwinBots.differences, [], len(GAMES) - 1

    def differences(twins: leaks.TwinBots, pair: Pair) -> list[str]:
        kept.append([len(bot.running.app.messages.drawing.pictures) for bot in twins.bots])
        return usual(twins, pair)

    monkeypatch.setattr(leaks.TwinBots, "differences", differences)
    report = Report("leaks", SEED)
    with fast_settings("pictures"):
        twins = leaks.TwinBots(report, tmp_path)
        assert not any(twins.differs(trial) for trial in (last, last + 1, last + 2))
        twins.close()
    assert kept[0] == kept[1] == [0, 0]
    assert all(kept[2]), "the cache keeps the pictures of the pair before, which are pixels too"


LEAKS = [leak for leak in Leak if leak is not Leak.NONE]
IN_EVERY_RUN = LEAKS[::8]


@pytest.mark.parametrize(
    "leak", [*IN_EVERY_RUN, *(pytest.param(leak, marks=pytest.mark.long) for leak in LEAKS if leak not in IN_EVERY_RUN)]
)
def test_a_seeded_leak_is_found(tmp_path: Path, leak: Leak) -> None:
    report = run(tmp_path, FIRST.get(leak, BATCH + 1), leak)
    assert report.found
    assert "at fault" not in report.found[0]


def test_time_is_not_given_back_for_what_is_sealed_again(tmp_path: Path) -> None:
    """While messages fail a player seals again: their hand is shown later, and no clock changes."""
    steps = [
        Step("down", 0, True, True),
        Step("move", USERS[0], "pledge 2", None),
        Step("wait", 0, 100, 100),
        Step("down", 0, False, False),
        Step("wait", 0, RETRIED, RETRIED),
    ]
    assert not differences(tmp_path, None, "hours_12", steps)


def test_a_hand_after_a_crash_tells_nothing_of_what_was_sealed_again(tmp_path: Path) -> None:
    """The bot edits again what it sent without knowing so. That depends on no other player's hand."""
    steps = [
        Step("restart", 0, True, True),
        Step("move", USERS[0], "pledge 2", None),
        Step("move", USERS[1], "pledge 1", "pledge 1"),
    ]
    assert not differences(tmp_path, Seat(2), "none", steps)


USERS = (10_010, 10_011, 10_012)


def differences(folder: Path, viewer: Seat | None, clock: str, steps: list[Step]) -> list[str]:
    """Compare two runs of these steps, after seat 0 has pledged 1, for the third player or for an onlooker."""
    game = GAMES["siege_of_sunfall"]
    first = game.new(3, {}, "a secret")
    press = f"1/1/move/{first.turn(Seat(0))}/pledge 1"
    ends = []
    for run in range(2):
        state, _ = first.apply(game.parse(Seat(0), "pledge 1"))
        for step in steps:
            if step.kind == "move" and step.of(run) is not None:
                state, _ = state.apply(game.parse(Seat(USERS.index(step.user)), step.of(run)))
        ends.append(state)
    pair = Pair(
        slug=game.slug,
        options=chosen_options(game, 3, {}),
        secret="a secret",
        viewer=viewer,
        viewer_user=USERS[2],
        seats=USERS,
        starts=(first, first),
        events=first.opening(),
        settings={user: {"ping": "dm", "digest_hours": 0, "wants_text": False} for user in USERS},
        closed=frozenset(),
        offered=False,
        left=False,
        clock=clock,
        faulty=True,
        same_counts=False,
        steps=[Step("press", USERS[0], press, press), *steps],
        ends=(ends[0], ends[1]),
    )
    with fast_settings("sealed again"):
        twins = leaks.TwinBots(Report("leaks", SEED), folder)
        try:
            return twins.differences(pair)
        finally:
            twins.close()
