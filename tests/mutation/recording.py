"""A plugin for pytest that records which test runs which line of the program, and how long each test takes.

Each worker of pytest-xdist writes files of its own, which `Recorded` reads together.
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parent.parent.parent
OUTPUT = ROOT / "tests" / "output" / "mutation"
PROGRAM = ("cogs", "data", "rules")


class Recording:
    """Records one process of a test run."""

    def __init__(self) -> None:
        OUTPUT.mkdir(parents=True, exist_ok=True)
        self._part = f"{time.time_ns()}-{os.environ['PYTEST_XDIST_WORKER']}"
        self._seconds: dict[str, float] = defaultdict(float)
        self._failed: set[str] = set()
        self._coverage = coverage.Coverage(
            data_file=OUTPUT / f"{self._part}.coverage",
            config_file=False,
            include=[str(ROOT / room / "*") for room in PROGRAM],
        )
        self._coverage.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        passed = {test: seconds for test, seconds in self._seconds.items() if test not in self._failed}
        (OUTPUT / f"{self._part}.seconds.json").write_text(json.dumps(passed), encoding="utf-8")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Record what a worker of pytest-xdist runs, from the first import of the program on."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        early_config.pluginmanager.register(Recording())


class Recorded:
    """What was recorded: the tests that passed, with the lines that each of them runs."""

    def __init__(self, folder: Path = OUTPUT) -> None:
        self.seconds: dict[str, float] = {}
        for path in sorted(folder.glob("*.seconds.json")):
            self.seconds.update(json.loads(path.read_text(encoding="utf-8")))
        self._data = [coverage.CoverageData(str(path)) for path in sorted(folder.glob("*.coverage"))]
        for data in self._data:
            data.read()

    def tests(self, path: str) -> dict[int, set[str]]:
        """Return the tests that run each line of a file of the program; "" stands for its import."""
        found: dict[int, set[str]] = defaultdict(set)
        for data in self._data:
            for line, contexts in data.contexts_by_lineno(str(ROOT / path)).items():
                found[line].update(test for test in contexts if not test or test in self.seconds)
        return found
