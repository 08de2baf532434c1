"""`make test` and `make check` together run every test once, and `.ci/run` runs both."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONG = "pytest." + "mark.long"
"""How a file marks a test that only `make check` runs; written in two parts, or this file would be one of them."""
HARNESSES = sorted(path for path in ROOT.glob("tests/**/test_*.py") if LONG in path.read_text(encoding="utf-8"))

ALWAYS_LONG = {ROOT / "tests/typing/test_types.py", ROOT / "tests/process/test_interrupted.py"}
"""These start mypy, which `make check` runs too, and whole runs of the tests."""


def commands(target: str) -> list[str]:
    """Return what `make` would run for a target."""
    done = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def chosen_by(target: str) -> list[str]:
    """Return the arguments with which that target chooses among the tests."""
    (command,) = (line for line in commands(target) if " -m pytest " in line)
    return command.partition("--dist worksteal")[2].split()


def collected(target: str) -> tuple[set[str], int]:
    """Return the tests of HARNESSES that a target runs, and how many tests there are with those that it leaves out."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "--collect-only", "--quiet", *chosen_by(target)]
    done = subprocess.run([*command, *HARNESSES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    total = re.search(r"^\d+/(\d+) tests collected", done.stdout, re.MULTILINE)
    assert total is not None, "nothing is left out"
    return {line for line in done.stdout.splitlines() if "::" in line}, int(total[1])


def test_a_test_runs_in_one_of_the_two_unless_it_is_marked_otherwise() -> None:
    """The default, which is what `make test` runs, is the opposite of what `make check` chooses."""
    assert chosen_by("test") == []
    assert chosen_by("check") == ["-m", "long"]
    assert "-m 'not long'" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.long
def test_every_harness_has_short_runs_and_long_ones() -> None:
    (short, number), (long, same) = collected("test"), collected("check")
    assert not short & long
    assert len(short | long) == number == same
    for path in HARNESSES:
        name = f"{path.relative_to(ROOT)}::"
        assert path in ALWAYS_LONG or any(test.startswith(name) for test in short), f"{name} nothing in `make test`"
        assert any(test.startswith(name) for test in long), f"{name} nothing in `make check`"


def test_ci_runs_both_and_make_check_more_than_tests() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^make (\w+)", run, re.MULTILINE) == ["test", "check"]
    for command in ("ruff format --check", "ruff check", "mypy"):
        assert any(command in line for line in commands("check")), command
