"""The colours of a game's pictures: one fixed palette, trained once over its pictures and shipped as a file.

`rendering/palettes/<slug>.bin` holds red, green and blue of each colour. `python -m tests.goldens --palettes` trains
the palettes anew over the pictures of the golden tests; then the golden pictures must be drawn anew too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "palettes"
COLOURS = 192


@lru_cache(maxsize=None)
def palette(slug: str) -> Image.Image:
    """An image in mode P with the game's palette, for `Image.quantize`."""
    image = Image.new("P", (1, 1))
    image.putpalette((FOLDER / f"{slug}.bin").read_bytes())
    return image


def train(images: Iterable[Image.Image], colours: int = COLOURS) -> bytes:
    """The palette that suits the pictures best. All but the smallest flat areas count alike: edges need shades too."""
    tiles = []
    for image in images:
        counted = image.getcolors(image.width * image.height) or []
        flat = [(min(count, 900), colour) for count, colour in counted if count > 1 and isinstance(colour, tuple)]
        for count, colour in flat:
            tiles.append((max(1, round(count**0.5)), colour))
    total = sum(count for count, _ in tiles)
    side = int(total**0.5) + 1
    strip = Image.new("RGB", (side, side))
    strip.putdata([colour for count, colour in tiles for _ in range(count)])
    trained = strip.quantize(colours, method=Image.Quantize.MEDIANCUT, kmeans=3)
    return bytes((trained.getpalette() or [])[: 3 * colours])
