"""A picture that moves, at the few moments that earn it: an animated WebP, for a table and for a match's end.

Its first frame is what it ends with: a viewer that plays no animations, and each thumbnail, shows the result.
"""

from __future__ import annotations

import math
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFilter

from rendering.core.sprites import Point

WIDTH, STEPS = 600, 5
"""Pixels across, and frames between the two pictures. With those before and after them there are eight."""
FIRST, BEFORE, STEP, LAST = 10, 500, 60, 2_500
"""Milliseconds of the first frame, of the picture before, of each step, and of the last frame."""
SOFT = 10
"""Pixels over which the edge fades."""


def animate(before: Image.Image, after: Image.Image, centre: Point) -> bytes:
    """Return an animated WebP, played once: from `centre`, the picture after spreads over the picture before.

    Both are RGB and of one size; `centre` is in their pixels.
    """
    scale = after.width // WIDTH
    old, new = before.reduce(scale), after.reduce(scale)
    spread = (_spread(*new.size, centre[0] / scale, centre[1] / scale, step) for step in range(1, STEPS + 1))
    frames = [new, old, *(Image.composite(new, old, mask) for mask in spread), new]
    times = [FIRST, BEFORE, *[STEP] * STEPS, LAST]
    file, more = BytesIO(), frames[1:]
    # Without key frames: it is played from its beginning, and the encoder would encode most frames twice.
    every = {"kmin": 0, "kmax": 0, "quality": 80, "method": 0}
    frames[0].save(file, "WEBP", save_all=True, append_images=more, duration=times, loop=1, **every)
    return file.getvalue()


@lru_cache(maxsize=2 * STEPS)  # about 300 kB each; most tables of a game have the same
def _spread(width: int, height: int, x: float, y: float, step: int) -> Image.Image:
    """Return the mask of what the picture after covers at that step."""
    far = max(math.hypot(x - across, y - down) for across in (0, width) for down in (0, height)) + SOFT
    radius = far * (1 - (1 - step / (STEPS + 1)) ** 3)
    mask = Image.new("L", (width, height))
    ImageDraw.Draw(mask).ellipse((x - radius, y - radius, x + radius, y + radius), 255)
    return mask.filter(ImageFilter.BoxBlur(SOFT))
