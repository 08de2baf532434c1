"""The first picture of a process: its game is imported, and nothing is drawn yet.

A player waits for it if a worker has just begun. Each picture has a process of its own, which plays some moves and then
draws the table or the hand of who is to move; only the drawing counts, from the view to the bytes of the PNG, in
processor time. `python -m tests.benchmarks.cold REVISION` measures this program beside an earlier state of itself, with
the same moves.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rules import GAMES
from tests.benchmarks.pairs import HEAD, Row, measure

ROOT = Path(__file__).parents[2]
MOST = 200
"""Milliseconds that it may take."""
PROGRAM = """
import sys
from time import process_time
from data.content.texts import texts
from rendering import renderer
from rendering.core.labels import Labels
from rules import GAMES
slug, own = sys.argv[1], sys.argv[2] == "own"
game, drawn = GAMES[slug], renderer(slug)
seats = min(game.seats, key=lambda seats: abs(seats - 4))
state = game.new(seats, {}, "cold")
for ply in range(24):
    moves = state.legal_moves(min(state.to_move()))
    state, _ = state.apply(moves[7 * ply % len(moves)])
view = state.view(min(state.to_move()) if own else None)
labels = Labels(("Ann", "Ben", "Cleo", "Dan", "Eve")[:seats], texts("en", slug))
begin = process_time()
drawn.draw(view, labels)
print(1000 * (process_time() - begin))
"""
"""It uses only what earlier states of this program have too."""


def first(folder: Path, slug: str, own: bool) -> float:
    """Return how many milliseconds the first picture takes, by the program in that folder."""
    command = [sys.executable, "-c", PROGRAM, slug, "own" if own else "table"]
    return float(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


def rows(other: Path | None = None, called: str = "") -> Iterator[Row]:
    """For every game the first table and the first hand, beside a bound, or beside the program in another folder."""
    for slug in GAMES:
        for own in (False, True):
            yield Row(
                f"{GAMES[slug].title}, first {'hand' if own else 'table'} of a process",
                called or f"{MOST} ms",
                None if other else 1.0,
                "ms",
                partial(first, ROOT, slug, own),
                partial(first, other, slug, own) if other else lambda: float(MOST),
                at_most=True,
                rounds=5,
            )


def main(revision: str) -> None:
    """Print a line for each pair."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed)) as files:
            files.extractall(folder, filter="data")
        print(HEAD)
        for row in rows(Path(folder), revision):
            print(measure(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
