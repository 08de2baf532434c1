"""Draws the golden pictures again; with `--palettes` trains the palettes over them first.

`python -m tests.goldens [--palettes] [--publish] [slug …]`: of these games, or of all; then the pictures of the README
(readme.py). A game that has one, docs/<slug>.png, is published; `--publish` draws it for the first time.
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from rendering import renderer
from rendering.core import canvas, palette
from rendering.core.result import STORY_COLOURS
from rules import GAMES
from tests.goldens import compare, readme
from tests.goldens.case import Case
from tests.goldens.views import CASES, SHADES

FOLDER = Path(__file__).parent
FEWEST_SHADES = 10
"""Of a palette's colours at least so many are shades, beside those that a game names, which keep their exact value."""
STORY_COLOURS_AT_LEAST = 144
"""The least of what tells of matches, which has large faces and no limit as low as a hand's."""
MOST_COLOURS = 256
"""The limit of a PNG's palette."""


def main(arguments: list[str]) -> None:
    """Asks for nothing and overwrites: `git diff` shows which pictures changed. Slugs limit it to these games."""
    chosen = [slug for slug in arguments if slug in GAMES] or list(GAMES)
    for slug in chosen:
        if "--palettes" in arguments:
            train(slug)
        for case in CASES:
            if case.slug == slug:
                store(case)
        if "--publish" in arguments:
            readme.write(readme.DOCS / f"{slug}.png", readme.game_picture(slug))
    for path, draw in readme.PICTURES.items():
        readme.write(path, draw())


def store(case: Case) -> None:
    """Store the golden if its pixels changed."""
    drawn, known = Image.open(BytesIO(case.page().png())), compare.digests(case.slug)
    found = compare.digest(drawn)
    if known.get(case.file) == found and (FOLDER / case.file).exists():
        return
    compare.for_eyes(drawn, FOLDER / case.file)
    compare.keep(case.slug, {**known, case.file: found})
    print(f"{case.file}: {(FOLDER / case.file).stat().st_size:,} bytes")


def train(slug: str) -> None:
    """Write the game's palettes. Pages cannot be begun without one, so the first time over its own colours alone.

    Raises ValueError for a PALETTE_SIZE without room for shades, or above a PNG's limit.
    """
    game = renderer(slug)
    kept = tuple(dict.fromkeys((*game.COLOURS, *STORY_COLOURS)))
    fewest = len(kept) + FEWEST_SHADES
    if not fewest <= game.PALETTE_SIZE <= MOST_COLOURS:
        raise ValueError(
            f"rendering/{slug}: PALETTE_SIZE is {game.PALETTE_SIZE}, but it must be from {fewest} to {MOST_COLOURS}: "
            f"{len(kept)} colours keep their exact value, and the edges need shades besides"
        )
    from rendering.studio import pack  # numpy comes with `make art` alone

    names = [slug, *(f"{slug}_{light}" for light in game.LIGHTS)]
    for name in names:
        path = palette.FOLDER / f"{name}.bin"
        if not path.exists():
            path.write_bytes(bytes(part for colour in game.COLOURS for part in colour))
    pages = [case.page() for case in (*CASES, *SHADES) if case.slug == slug]
    for name in names:
        images = (page.painted() for page in [page for page in pages if page.slug == name] or pages)
        size = max(game.PALETTE_SIZE, STORY_COLOURS_AT_LEAST * (name == game.palette))
        (palette.FOLDER / f"{name}.bin").write_bytes(pack.palette(images, kept, size))
    palette.palette.cache_clear()
    canvas.ground.cache_clear()


if __name__ == "__main__":
    main(sys.argv[1:])
