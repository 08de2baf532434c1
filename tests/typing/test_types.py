"""mypy finds each mistake of misuse.py, and none in use.py. The types hold the secret: a State cannot be drawn."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXPECTED = re.compile(r"  # error: ([a-z-]+)$")
FOUND = re.compile(r"tests/typing/(\w+\.py):(\d+): error: .*\[([a-z-]+)\]")


@pytest.mark.long
def test_mypy_refuses_every_mistake_and_nothing_else(tmp_path: Path) -> None:
    expected = {
        (path.name, number, code)
        for path in (HERE / "misuse.py", HERE / "use.py")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for code in EXPECTED.findall(line)
    }
    assert {name for name, _, _ in expected} == {"misuse.py"}
    if (known := ROOT / ".mypy_cache").is_dir():  # what mypy knows of the files that these import
        shutil.copytree(known, tmp_path, dirs_exist_ok=True)
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "--no-pretty", "--no-error-summary"]
    run = subprocess.run(
        [*mypy, "tests/typing/misuse.py", "tests/typing/use.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    errors = [line for line in run.stdout.splitlines() if ": error: " in line]
    found = {(match[1], int(match[2]), match[3]) for line in errors if (match := FOUND.match(line))}
    assert found == expected, run.stdout + run.stderr
    assert len(found) == len(errors), run.stdout
