"""A new game is files only: `make game` adds it to a copy of this project, and its tests pass; no other file changes.

Two games are added: one for exactly 2 players, which is open and goes in turns, and one for 3 to 5, which deals hidden
hands and lets all choose at once.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from rules import GAMES
from tests.skeleton.__main__ import FILES, ROOT, main

GAMES_ADDED = {"tiny_nim": "nim", "tiny_cards": "high_card"}
"""By slug: the templates that the game is made of."""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".env", ".*_cache", ".hypothesis", "output", "*.db")
FOLDERS = ("contract", "playthroughs", "rendering", "rules", "cogs", "reliability")
"""Those of the tests that each game has: the contract, pictures and words, the rules, and the bot."""
OF_ALL_GAMES = ("cogs/test_help.py", "test_layers.py", "test_readme.py")
"""Tests that go through all games at once, and so through those added: lists of games, imports, deals by the book."""
PAINTED = ("data/art/", "rendering/sprites/", "rendering/studio/")
MOST_SECONDS = 600
FEWEST = 100
"""Tests of a game, at least."""
BAD_NAMES = ("core", "common", "commands", "Nim", "tic-tac-toe", "_nim", "nim2", "class", "")


def run(folder: Path, *arguments: str) -> str:
    """Run Python in that folder; return what it says. It must end with 0."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
    )
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    return done.stdout


def hashes(folder: Path) -> dict[str, str]:
    """Each file's hash, by its path; not of what Python compiles."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of this project with the two games, in which no other file has changed."""
    folder = tmp_path / "project"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    before = hashes(folder)
    for slug in GAMES_ADDED:
        assert "docs/adding-a-game.md" in run(folder, "-m", "tests.skeleton", slug, "--like", GAMES_ADDED[slug])
    after = hashes(folder)
    assert {path: after[path] for path in before} == before
    added = set(after) - set(before)
    assert all(any(slug in path for slug in GAMES_ADDED) for path in added)
    assert {place.format(slug=slug) for slug in GAMES_ADDED for place in FILES.values()} < added
    assert not any(path.startswith(PAINTED) for path in added), "a new game draws without painted art of its own"
    return folder


def run_tests(folder: Path, *paths: str, which: str = "not long") -> int:
    """Run the tests of the two games that these files and folders of tests/ have; return how many passed. A path may be
    an option.
    """
    options = ("-q", "-p", "no:xdist", "-m", which, "-k", " or ".join(GAMES_ADDED))
    said = run(folder, "-m", "pytest", *options, *(path if path.startswith("-") else f"tests/{path}" for path in paths))
    found = re.search(r"^(\d+) passed", said, re.MULTILINE)
    assert found, said
    return int(found[1])


@pytest.mark.long
def test_the_games_pass_their_tests_and_all_games_together_theirs(project: Path) -> None:
    """All in one copy, which takes as long to make as some of the tests."""
    assert run_tests(project, "--glance", *FOLDERS) > len(GAMES_ADDED) * FEWEST
    run_tests(project, "cogs/test_matches.py", which="long")
    engine = ("-k", "not postgresql")  # what an engine keeps of a game is text
    run(project, "-m", "pytest", "-q", "-p", "no:xdist", *engine, *(f"tests/{path}" for path in OF_ALL_GAMES))
    if (known := ROOT / ".mypy_cache").is_dir():  # what mypy knows of the other files
        shutil.copytree(known, project / known.name)
    run(project, "-m", "mypy", "rules", "rendering")
    run(project, "-m", "ruff", "check", "--no-cache", ".")
    run(project, "-m", "ruff", "format", "--no-cache", "--check", ".")


@pytest.mark.parametrize("slug", [*GAMES, *BAD_NAMES])
def test_a_name_that_is_taken_or_is_none_is_refused(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = hashes(ROOT / "rules")
    assert main([slug]) == 2
    assert "make game: " in capsys.readouterr().err
    assert hashes(ROOT / "rules") == before
