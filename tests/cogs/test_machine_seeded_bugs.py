"""The state machine finds each seeded bug within RUNS runs. Otherwise its success would prove nothing.

Every test run seeds a few bugs that are found at once. The long runs seed a third of the others, but for two that take
minutes, and the option `--plants` all.
"""

from __future__ import annotations

from pathlib import Path
from traceback import format_exception_only

import pytest

from tests.support.crashes import crashed
from tests.support.machine.run import run_machine
from tests.support.machine.seeded_bugs import SEEDED_BUGS

RUNS, STEPS = 160, 50
AT_ONCE = (
    "a nudge comes early",
    "a deadline rings early",
    "no player is nudged",
    "no player is mentioned",
    "a player is pinged twice for one turn",
)
"""Found in less than a second."""
SELDOM = ("time is extended again and again", "the others vote out of a rated match whom they like")
"""Found after minutes."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--plants"):
        metafunc.parametrize("what", SEEDED_BUGS)
        return
    others = [what for what in SEEDED_BUGS if what not in AT_ONCE][::3]
    others = [what for what in others if what not in SELDOM]
    metafunc.parametrize("what", [*AT_ONCE, *(pytest.param(what, marks=pytest.mark.long) for what in others)])


def test_a_seeded_bug_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The bot passes without the bug: else another failure would count as a find.
    run_machine(tmp_path, monkeypatch, "sound", range(1), 2, shrink=False)
    SEEDED_BUGS[what](monkeypatch)
    with pytest.raises(Exception) as found:
        run_machine(tmp_path, monkeypatch, "plants", range(RUNS), STEPS, shrink=False)
    assert not crashed("".join(format_exception_only(found.value))), found.value
