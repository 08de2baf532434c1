"""A plugin for pytest that tries mutants: each in a fork of a process that has imported and collected everything.

The fork puts the code of the mutant into the functions that there are, and runs the tests that cover its line until one
fails. A fault in what runs at the import needs a fresh process, in which `MUTANT` names the file and its stand-in.
"""

from __future__ import annotations

import gc
import importlib.abc
import importlib.machinery
import math
import os
import shutil
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
KILLED, TIMED_OUT, SURVIVED, NOT_COVERED = "killed", "timed out", "survived", "not covered"
BROKEN = "broken"
"""The harness failed at this mutant."""
ELSEWHERE = 77
"""The exit code of a fork in which the fault changes no function that runs: a fresh process must try it."""
FRESH = 15.0
"""More seconds for a fresh process, which imports everything."""
NEAR = 15
"""Lines before and after a fault that say whether a test is about it."""
KILLERS = 8
"""Tests that last found a fault in a file, and so run first for the next one."""
STATUS = {0: SURVIVED, **dict.fromkeys((1, 2, 4), KILLED), -signal.SIGALRM: TIMED_OUT}
"""By the exit code of a process. pytest ends with 1 if a test fails, and with 2 or 4 if a file cannot be imported."""
PATIENCE = 10.0
"""Seconds that a mutant may take besides four times what its tests took without it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant to try: the file, its text with the fault, whether only functions differ, and tests that run it."""

    name: str
    path: str
    mutated: str
    swapped: bool
    tests: tuple[str, ...]


def in_order(lines: Mapping[int, set[str]], line: int, seconds: Mapping[str, float]) -> tuple[str, ...]:
    """Return the tests that run the line. Fast tests of nearby lines that few tests run come first. One case of
    each test with parameters comes first, and its other cases at the end.
    """
    share: dict[str, float] = defaultdict(float)
    for near in range(line - NEAR, line + NEAR + 1):
        for test in lines.get(near, ()):
            share[test] += 1 / len(lines[near])
    ways = sorted(lines.get(line, set()) - {""}, key=lambda test: ((seconds[test] + 0.02) / share[test], test))
    met: dict[str, str] = {}
    for test in ways:
        met.setdefault(test.partition("[")[0], test)
    first = set(met.values())
    return (*met.values(), *(test for test in ways if test not in first))


def within(tests: Iterable[str], seconds: Mapping[str, float], most: float) -> tuple[str, ...]:
    """Return the first of these tests, at least one, which together take at most `most` seconds."""
    found: list[str] = []
    spent = 0.0
    for test in tests:
        if not found or spent + seconds[test] <= most:
            found.append(test)
            spent += seconds[test]
    return tuple(found)


# --- The code of a mutant takes the place of the code that runs.


def code_pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield each code object of a file beside the one of the mutated file, the outer before the inner."""
    yield old, new
    inner = [[part for part in code.co_consts if isinstance(part, CodeType)] for code in (old, new)]
    for before, after in zip(*inner, strict=False):
        if before.co_qualname == after.co_qualname:
            yield from code_pairs(before, after)


def functions_by_place() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return every function of the program that there is, by file, qualified name and line."""
    found: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(str(ROOT)):
            code = thing.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(thing)
    return found


def swap(path: str, before: str, after: str, functions: Mapping[tuple[str, str, int], list[FunctionType]]) -> int:
    """Put the changed code into the functions of that file. Return how many have changed."""
    changed = 0
    old, new = (compile(text, path, "exec", dont_inherit=True) for text in (before, after))
    for was, becomes in code_pairs(old, new):
        if was != becomes:
            for function in functions.get((path, was.co_qualname, was.co_firstlineno), ()):
                function.__code__ = becomes
                changed += 1
    return changed


class _StandIn(importlib.abc.MetaPathFinder):
    """Imports one module of the program from another file."""

    def __init__(self, path: str, text: str) -> None:
        self._name, self._path, self._text = path.removesuffix(".py").replace("/", "."), path, text

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != self._name.removesuffix(".__init__"):
            return None
        text, whole = self._text, str(ROOT / self._path)

        class Loader(importlib.machinery.SourceFileLoader):
            def exec_module(self, module: ModuleType) -> None:
                exec(compile(text, whole, "exec", dont_inherit=True), module.__dict__)

        return importlib.machinery.ModuleSpec(name, Loader(name, whole), origin=whole)


def stand_in() -> None:
    """In a fresh process: import the mutant that `MUTANT` names in place of its file."""
    path, _, text = os.environ["MUTANT"].partition("=")
    sys.meta_path.insert(0, _StandIn(path, Path(text).read_text(encoding="utf-8")))


if os.environ.get("MUTANT"):
    stand_in()


# --- The trials.


class Trials:
    """Tries mutants in place of the tests that pytest has collected, some at a time. `outcomes` has the results."""

    def __init__(
        self, trials: Iterable[Trial], seconds: Mapping[str, float], most: float, jobs: int, scratch: Path, tell: Any
    ) -> None:
        self._waiting, self._seconds, self._most = list(trials), seconds, most
        self._jobs, self._scratch, self._tell = jobs, scratch, tell
        self._running: dict[int, tuple[Trial, float]] = {}
        self._killers: dict[str, list[str]] = defaultdict(list)
        self.items: dict[str, pytest.Item] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        functions = functions_by_place()
        gc.collect()
        gc.freeze()
        while self._waiting or self._running:
            if not self._waiting or len(self._running) >= self._jobs:
                self._reap()
                continue
            trial = self._waiting.pop(0)
            trial = replace(trial, tests=tuple(test for test in trial.tests if test in self.items))  # none that is gone
            if not trial.tests:
                self._tell(trial, NOT_COVERED, 0.0, "")
                continue
            known = [test for test in self._killers[trial.path] if test in trial.tests]  # they know about this file
            trial = replace(trial, tests=within(dict.fromkeys([*known, *trial.tests]), self._seconds, self._most))
            child = os.fork()
            if child == 0:
                start = 0.0 if trial.swapped else FRESH
                signal.alarm(math.ceil(PATIENCE + start + 4 * sum(self._seconds[test] for test in trial.tests)))
                os._exit(self._child(session, trial, functions))
            self._running[child] = trial, time.monotonic()
        return True

    def _child(self, session: pytest.Session, trial: Trial, functions: Any) -> int:
        """Run the tests of a mutant in this process. Return 0 if all pass, 1 if one fails, and else another number."""
        folder = self._scratch / str(os.getpid())
        (folder / "tests").mkdir(parents=True)
        silent = os.open(folder / "output", os.O_WRONLY | os.O_CREAT)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        path = str(ROOT / trial.path)
        if not trial.swapped:
            (folder / "mutant.py").write_text(trial.mutated, encoding="utf-8")
            os.environ["MUTANT"] = f"{trial.path}={folder / 'mutant.py'}"
            plain = ("-x", "-q", "-p", "tests.mutation.forks", "-p", "no:xdist", "-m", "", "--basetemp")
            os.chdir(ROOT)
            os.execv(sys.executable, [sys.executable, "-m", "pytest", *plain, str(folder / "tests"), *trial.tests])
        try:
            before = Path(path).read_text(encoding="utf-8")
            try:
                changed = swap(path, before, trial.mutated, functions)
            except ValueError:  # it has other free variables, such as the __class__ of super()
                changed = 0
            if not changed:
                return ELSEWHERE
            config: Any = session.config
            config._tmp_path_factory._basetemp = folder / "tests"
            return self._any_fails(session, trial, folder)
        except BaseException as error:
            print(f"broken off: {error!r}", file=sys.__stderr__)
            return 70

    def _any_fails(self, session: pytest.Session, trial: Trial, folder: Path) -> int:
        from _pytest.runner import runtestprotocol

        items = [self.items[test] for test in trial.tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            reports = runtestprotocol(item, log=False, nextitem=following)
            if any(report.failed for report in reports):
                (folder / "killer").write_text(item.nodeid, encoding="utf-8")
                return 1
        return 0

    def _reap(self) -> None:
        """Wait until a mutant is done; the alarm ends one that takes too long."""
        child, code = os.waitpid(-1, 0)
        if child not in self._running:
            return
        trial, begun = self._running.pop(child)
        exit_code = os.waitstatus_to_exitcode(code)
        if exit_code == ELSEWHERE and trial.swapped:
            self._waiting.insert(0, replace(trial, swapped=False))
            return
        status = STATUS.get(exit_code, BROKEN)
        folder = self._scratch / str(child)
        by = (folder / "killer").read_text(encoding="utf-8") if (folder / "killer").exists() else ""
        if by:
            last = [test for test in self._killers[trial.path] if test != by]
            self._killers[trial.path] = [by, *last][:KILLERS]
        self._tell(trial, status, time.monotonic() - begun, by)
        if status != BROKEN:
            shutil.rmtree(folder, ignore_errors=True)


def run(tests: Iterable[str], plugin: Trials) -> int:
    """Collect these tests, and try the plugin's mutants. Return pytest's exit code."""
    # `make mutation` has imported a part of tests.support before pytest could rewrite its assertions.
    late = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
    return int(pytest.main(["-qq", "-s", "-p", "no:xdist", "-m", "", "--durations=0", *late, *tests], [plugin]))
