"""The emoji of Full Circle: its colours, both halves of each card of two colours, and the wild."""

from __future__ import annotations

import math
from functools import partial
from itertools import permutations

from rendering.core.emoji import SIZE, Emoji, disc
from rendering.core.sprites import Pen, Pixels, pixels, sprite
from rendering.full_circle.panes import compass, lay, mark, painted
from rendering.full_circle.signs import TINTS
from rules.full_circle.types import PLACES


@sprite
def _face(letters: str) -> Pixels:
    """A colour with its sign; of two, the first is the left half."""
    pen, middle = Pen(SIZE, SIZE), SIZE / 2
    disc(pen, middle, TINTS[letters[0]])
    if len(letters) == 2:
        arc = [math.radians(step * 5 - 90) for step in range(37)]
        right = [(middle + SIZE * 0.45 * math.cos(t), middle + SIZE * 0.45 * math.sin(t)) for t in arc]
        pen.polygon(right, TINTS[letters[1]])
    sheet = pen.pixels()
    whole = sheet.image.copy()
    whole.putalpha(sheet.alpha)
    for letter, x in zip(letters, (0.29, 0.71) if len(letters) == 2 else (0.5,), strict=True):
        lay(whole, mark("", letter, SIZE * (0.44 if len(letters) == 2 else 0.7), lit=True), SIZE * x, middle)
    return pixels(whole)


_FACES = (*TINTS, *("".join(pair) for pair in permutations(TINTS, 2)))
EMOJI: Emoji = {
    **{"+".join(f"sign.{letter}" for letter in letters): partial(_face, letters) for letters in _FACES},
    "sign.W": partial(painted, "rosette", SIZE),
    **{f"arrow.{place}": partial(compass, SIZE, (place,)) for place in PLACES},
}
