"""The emoji of Full Circle: its colours, both halves of each card of two colours, and the wild."""

from __future__ import annotations

import math
from functools import partial
from itertools import permutations

from rendering.core.emoji import SIZE, Emoji, disc
from rendering.core.sprites import Pen, Pixels, sprite
from rendering.full_circle.signs import TINTS, draw_colour, wheel


@sprite
def _face(letters: str) -> Pixels:
    """A colour with its sign; of two, the first is the left half."""
    pen, middle = Pen(SIZE, SIZE), SIZE / 2
    disc(pen, middle, TINTS[letters[0]])
    if len(letters) == 1:
        draw_colour(pen, middle, middle, SIZE * 0.6, letters)
        return pen.pixels()
    arc = [math.radians(step * 5 - 90) for step in range(37)]
    right = [(middle + SIZE * 0.45 * math.cos(t), middle + SIZE * 0.45 * math.sin(t)) for t in arc]
    pen.polygon(right, TINTS[letters[1]])
    for letter, x in zip(letters, (0.29, 0.71), strict=True):
        draw_colour(pen, SIZE * x, middle, SIZE * 0.36, letter)
    return pen.pixels()


@sprite
def _wild() -> Pixels:
    pen = Pen(SIZE, SIZE)
    wheel(pen, SIZE / 2, SIZE / 2, SIZE / 2)
    return pen.pixels()


_FACES = (*TINTS, *("".join(pair) for pair in permutations(TINTS, 2)))
EMOJI: Emoji = {
    **{"+".join(f"sign.{letter}" for letter in letters): partial(_face, letters) for letters in _FACES},
    "sign.W": _wild,
}
