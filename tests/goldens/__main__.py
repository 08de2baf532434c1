"""Draws the golden pictures anew; with `--palettes` trains the palettes over them first."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from rendering.core import palette
from tests.goldens.views import CASES

FOLDER = Path(__file__).parent


def main() -> None:
    """Asks for nothing and overwrites: `git diff` shows which pictures changed."""
    if "--palettes" in sys.argv:
        for slug, cases in groupby(CASES, key=lambda case: case.slug):
            colours = palette.train(case.page().image for case in cases)
            (palette.FOLDER / f"{slug}.bin").write_bytes(colours)
    for case in CASES:
        png = case.page().png()
        (FOLDER / case.file).write_bytes(png)
        print(f"{case.file}: {len(png):,} bytes")


if __name__ == "__main__":
    main()
