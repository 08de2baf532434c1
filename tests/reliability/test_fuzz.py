"""Short runs of the fuzzing; docs/lab/reliability-runs.md has the longest runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability import fuzz
from tests.reliability.report import CLEAN, Report
from tests.reliability.seeded_input_bugs import InputBug
from tests.support.crashes import crashed

FEW, INTERACTIONS = 400, 2_500
"""The interactions of every test run, and those of a long run and of a search for a bug."""
SEEDS = (1, 2, 3)


def run(folder: Path, bug: InputBug = InputBug.NONE, seed: int = SEEDS[0], count: int = INTERACTIONS) -> Report:
    report = Report("fuzz", seed, clean=CLEAN["fuzz"])
    fuzz.run(report, folder, count, bug)
    print(report)
    return report


@pytest.mark.parametrize(
    ("seed", "count"),
    [(SEEDS[0], FEW), *(pytest.param(seed, INTERACTIONS, marks=pytest.mark.long) for seed in SEEDS)],
)
def test_whatever_is_sent_is_answered_and_breaks_nothing(tmp_path: Path, seed: int, count: int) -> None:
    report = run(tmp_path, seed=seed, count=count)
    assert not report.found
    assert report.counts["interactions"] == count
    assert report.counts["deliveries"] > count * 1.2
    assert report.counts["moves"] > 0


@pytest.mark.parametrize(
    ("bug", "word"),
    [
        (InputBug.OPEN, "public|before None|shown to everyone"),
        *(
            pytest.param(*found, marks=pytest.mark.long)
            for found in (
                (InputBug.CRASH, "at fault"),
                (InputBug.STRANGER, "of seat 0 before|who does not sit there"),
                (InputBug.SILENT, "unanswered"),
                (InputBug.TWICE, "sit there|at fault"),
                (InputBug.CHAIN, "chain"),
                (InputBug.STATE, "another position"),
            )
        ),
    ],
)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: InputBug, word: str) -> None:
    report = run(tmp_path, bug)
    assert any(part in text for text in report.found for part in word.split("|")), report.found
    assert not any(map(crashed, report.found)), report.found
