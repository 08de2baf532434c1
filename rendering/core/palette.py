"""The colours of a game's pictures: one fixed palette, trained once over its pictures and shipped as a file.

`rendering/palettes/<slug>.bin` holds red, green and blue of each colour. `python -m tests.goldens --palettes` trains
the palettes anew over the pictures of the golden tests; then the golden pictures must be drawn anew too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain, islice
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).resolve().parents[1] / "palettes"
FLAT = 60
"""So many colours keep their exact value: those that a game names, and the commonest. The rest are shades of edges."""


@cache
def palette(slug: str) -> Image.Image:
    """An image in mode P with the game's palette, for `Image.quantize`."""
    image = Image.new("P", (1, 1))
    image.putpalette((FOLDER / f"{slug}.bin").read_bytes())
    return image


def train(images: Iterable[Image.Image], keep: Iterable[tuple[int, int, int]], size: int) -> bytes:
    """The palette of `size` colours that suits the pictures best and has those to keep.

    A colour counts by the root of its area: edges need shades too.
    """
    areas: Counter[tuple[int, int, int]] = Counter()
    for image in images:
        for area, colour in image.getcolors(image.width * image.height) or []:
            assert isinstance(colour, tuple)
            areas[colour[0], colour[1], colour[2]] += area
    kept = dict.fromkeys(keep)
    common = (colour for colour, _ in areas.most_common())
    flat = list(islice(dict.fromkeys(chain(kept, common)), max(FLAT, len(kept))))
    shades = [colour for colour, area in areas.items() if area > 1 for _ in range(min(30, round(area**0.5)))]
    strip = Image.new("RGB", (len(shades), 1))
    strip.putdata(shades)
    trained = strip.quantize(size - len(flat), method=Image.Quantize.MEDIANCUT, kmeans=3).getpalette() or []
    return bytes([*(part for colour in flat for part in colour), *trained[: 3 * (size - len(flat))]])
