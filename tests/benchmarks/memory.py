"""The memory that pictures take: a process of its own draws random positions of all five games, until it levels off.

`python -m tests.benchmarks.memory` prints the resident memory after each round, and how much of it the store and the
kept pages have, in MB. Matches of all games and sizes alternate, so that what was drawn is not needed again for a long
time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from rendering import renderer
from rendering.core import canvas, pixel_cache
from rules import GAMES
from rules.core.game import Seat
from tests.benchmarks.pairs import Row
from tests.goldens.case import labels

MB = 2**20
MOST = 300
"""MB that such a process may take."""
ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""As in docs/sundial.service."""
ROUNDS, MATCHES = 4, 6
"""In a round each game has so many matches, of which a few positions are drawn."""


def resident() -> int:
    """The process's resident memory in MB; Linux alone tells it so."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def draw_some(slug: str, random: Random, match: str) -> None:
    """Three positions of a random match as everybody sees them."""
    game, drawn = GAMES[slug], renderer(slug)
    seats = random.choice(game.seats)
    state = game.new(seats, {}, match)
    shown = {random.randrange(60) for _ in range(3)}
    for ply in range(max(shown) + 1):
        asked = sorted(state.to_move())
        if not asked:
            break
        if ply in shown:
            for viewer in (None, *map(Seat, range(seats))):
                drawn.draw(state.view(viewer), labels(slug, seats))
        state, _ = state.apply(random.choice(state.legal_moves(random.choice(asked))))


def rounds() -> Iterator[str]:
    """Drawn in a thread, as the bot does. One line a round."""
    random = Random(1)
    with ThreadPoolExecutor(1) as drawing:
        for number in range(ROUNDS):
            for match in range(MATCHES):
                for slug in GAMES:
                    drawing.submit(draw_some, slug, random, f"{number} {match}").result()
            yield f"{resident()} {pixel_cache.cache.size // MB} {canvas.kept_pages.size // MB}"


def rows() -> Iterator[Row]:
    yield Row(
        "resident memory, all five games drawn at random",
        f"{MOST} MB",
        1.0,
        "MB",
        measured,
        lambda: float(MOST),
        at_most=True,
        rounds=1,
    )


def measured() -> float:
    """The most that a fresh process had, in MB."""
    run = subprocess.run(
        [sys.executable, "-m", __name__], env=os.environ | ALLOCATOR, capture_output=True, text=True, check=True
    )
    return float(max(int(line.split()[0]) for line in run.stdout.splitlines()[1:]))


if __name__ == "__main__":
    print("resident, store, pages")
    for line in rounds():
        print(line, flush=True)
