"""What the state machine finds: each of these bugs, planted in the bot, within so many runs. Else it would say nothing.

A few that are found at once are planted in every test run, the others in the long one, or with `--plants`.
"""

from __future__ import annotations

from pathlib import Path
from traceback import format_exception_only

import pytest

from tests.support.crashes import crashed
from tests.support.machine.run import run_machine
from tests.support.machine.seeded_bugs import SEEDED_BUGS

RUNS, STEPS = 60, 30
AT_ONCE = (
    "a nudge comes early",
    "a deadline rings early",
    "nobody is nudged",
    "who was removed may come back",
    "nobody is mentioned",
    "who was called is forgotten",
)
"""Found in less than a second."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    now = SEEDED_BUGS if metafunc.config.getoption("--plants") else AT_ONCE
    metafunc.parametrize("what", [pytest.param(w, marks=() if w in now else pytest.mark.long) for w in SEEDED_BUGS])


def test_a_planted_bug_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Sound before: else whatever else is broken would count as found.
    run_machine(tmp_path, monkeypatch, "sound", range(1), 2, shrink=False)
    SEEDED_BUGS[what](monkeypatch)
    with pytest.raises(Exception) as found:
        run_machine(tmp_path, monkeypatch, "plants", range(RUNS), STEPS, shrink=False)
    assert not crashed("".join(format_exception_only(found.value))), found.value
