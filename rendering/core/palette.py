"""The colours of a game's pictures: one fixed palette, trained once on its pictures and shipped as a file.

`rendering/palettes/<slug>.bin` has red, green and blue of each colour. `python -m tests.goldens --palettes` trains the
palettes again on the pictures of the golden tests; after that the golden pictures must be drawn again too.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "palettes"


@cache
def palette(slug: str) -> Image.Image:
    """Return an image in mode P with the game's palette, for `Image.quantize`."""
    image = Image.new("P", (1, 1))
    image.putpalette((FOLDER / f"{slug}.bin").read_bytes())
    return image
