"""Draws the golden pictures again; with `--palettes` trains the palettes over them first.

`python -m tests.goldens [--palettes] [--publish] [slug …]`: of these games, or of all; then the pictures of the README
(readme.py). A game that has one, docs/<slug>.png, is published; `--publish` draws it for the first time.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from itertools import chain, islice
from pathlib import Path

from PIL import Image

from rendering import renderer
from rendering.core import canvas, palette
from rendering.core.result import STORY_COLOURS
from rendering.core.sprites import Colour
from rules import GAMES
from tests.goldens import compare, readme
from tests.goldens.case import Case
from tests.goldens.views import CASES, SHADES

FOLDER = Path(__file__).parent
FLAT = 60
"""How many colours keep their exact value: those that a game names, also if they are more, then the commonest. The
rest of the palette are shades of edges."""
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
    fewest = exact(game.COLOURS) + 1
    if not fewest <= game.PALETTE_SIZE <= MOST_COLOURS:
        raise ValueError(
            f"rendering/{slug}: PALETTE_SIZE is {game.PALETTE_SIZE}, but it must be from {fewest} to {MOST_COLOURS}: "
            f"{fewest - 1} colours keep their exact value, and the edges need shades besides"
        )
    names = [slug, *(f"{slug}_{light}" for light in game.LIGHTS)]
    for name in names:
        path = palette.FOLDER / f"{name}.bin"
        if not path.exists():
            path.write_bytes(bytes(part for colour in game.COLOURS for part in colour))
    pages = [case.page() for case in (*CASES, *SHADES) if case.slug == slug]
    for name in names:
        images = (page.painted() for page in pages if page.slug == name)
        kept = (*game.COLOURS, *STORY_COLOURS)
        (palette.FOLDER / f"{name}.bin").write_bytes(suited(images, kept, game.PALETTE_SIZE))
    palette.palette.cache_clear()
    canvas.ground.cache_clear()


def exact(keep: Iterable[Colour]) -> int:
    """How many colours keep their exact value in the palette of a game that names these."""
    return max(FLAT, len(set(keep)))


def suited(images: Iterable[Image.Image], keep: Iterable[Colour], size: int) -> bytes:
    """The palette of `size` colours that suits the pictures best and has those to keep.

    A colour counts by the root of its area: edges need shades too.
    """
    areas: Counter[Colour] = Counter()
    for image in images:
        for area, colour in image.getcolors(image.width * image.height) or []:
            assert isinstance(colour, tuple)
            areas[colour[0], colour[1], colour[2]] += area
    kept = dict.fromkeys(keep)
    common = (colour for colour, _ in areas.most_common())
    flat = list(islice(dict.fromkeys(chain(kept, common)), exact(kept)))
    shades = [colour for colour, area in areas.items() if area > 1 for _ in range(min(30, round(area**0.5)))]
    strip = Image.new("RGB", (len(shades), 1))
    strip.putdata(shades)
    trained = strip.quantize(size - len(flat), method=Image.Quantize.MEDIANCUT, kmeans=3).getpalette() or []
    return bytes([*(part for colour in flat for part in colour), *trained[: 3 * (size - len(flat))]])


if __name__ == "__main__":
    main(sys.argv[1:])
