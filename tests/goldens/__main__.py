"""Draws the golden pictures anew, and those of the README; with `--palettes` trains the palettes over them first."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from cogs._example import example
from rendering import renderer
from rendering.core import palette
from rules import GAMES
from tests.goldens.case import Case, labels
from tests.goldens.views import CASES, SHADES

FOLDER = Path(__file__).parent
DOCS = FOLDER.parents[1] / "docs"


def by_slug(case: Case) -> str:
    return case.slug


def main() -> None:
    """Asks for nothing and overwrites: `git diff` shows which pictures changed."""
    if "--palettes" in sys.argv:
        for slug, cases in groupby(sorted((*CASES, *SHADES), key=by_slug), key=by_slug):
            game = renderer(slug)
            trained = palette.train((case.page().image for case in cases), game.COLOURS, game.PALETTE_SIZE)
            (palette.FOLDER / f"{slug}.bin").write_bytes(trained)
            palette.palette.cache_clear()
    for case in CASES:
        png = case.page().png()
        (FOLDER / case.file).write_bytes(png)
        print(f"{case.file}: {len(png):,} bytes")
    for slug, game in GAMES.items():
        found = example(game, game.deck)
        png = renderer(slug).draw(found.state.view(None), labels(slug, found.seats))
        (DOCS / f"{slug}.png").write_bytes(png)
        print(f"docs/{slug}.png: {len(png):,} bytes")


if __name__ == "__main__":
    main()
