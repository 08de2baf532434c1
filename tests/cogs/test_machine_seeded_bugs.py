"""The state machine finds each seeded bug within RUNS runs. Otherwise its success would prove nothing.

Every test run seeds a few bugs that are found at once, the long runs some others, and the option `--plants` all.
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
    "a player is pinged twice for one turn",
)
"""Found in less than a second."""
LONG = (
    *("a deadline rings early", "no player is nudged", "no player is mentioned", "half of the votes are enough"),
    *("an absent player keeps a vote", "a removed player may come back", "a reminder comes early"),
    *("a clock runs on a day off", "a player who is back stays absent", "a button from before an undo still acts"),
    *("a match is followed by two rematches", "pings ignore quiet hours", "digests ignore quiet hours"),
)
"""Of each part of the model, bugs that are found within seconds."""
FIRST = {
    "a reminder comes early": 2,
    "pings ignore quiet hours": 5,
    "digests ignore quiet hours": 5,
    "a button from before an undo still acts": 6,
    "a removed player may come back": 7,
    "a match is followed by two rematches": 15,
    "an absent player keeps a vote": 25,
    "a clock runs on a day off": 168,
}
"""The first run that finds a bug, if that is not run 0: the search begins there."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.getoption("--plants"):
        metafunc.parametrize("what", SEEDED_BUGS)
        return
    metafunc.parametrize("what", [*AT_ONCE, *(pytest.param(what, marks=pytest.mark.long) for what in LONG)])


def test_a_seeded_bug_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The bot passes without the bug: else another failure would count as a find.
    run_machine(tmp_path, monkeypatch, "sound", range(1), 2, shrink=False)
    SEEDED_BUGS[what](monkeypatch)
    first = FIRST.get(what, 0)
    with pytest.raises(Exception) as found:
        run_machine(tmp_path, monkeypatch, "plants", range(first, first + RUNS), STEPS, shrink=False)
    assert not crashed("".join(format_exception_only(found.value))), found.value
