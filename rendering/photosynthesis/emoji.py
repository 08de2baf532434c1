"""The emoji of Photosynthesis: each variety's pieces, which only its player sees, and the other signs of a turn."""

from __future__ import annotations

from functools import partial

from rendering.core.emoji import STUCK, Emoji, sticker
from rendering.core.sprites import Sprite
from rendering.photosynthesis.trees import HEIGHTS, sized_piece, thing
from rules.photosynthesis.types import KINDS

TALL = (0.79, 0.76, 0.89, 1)
"""Heights of the pieces as parts of the emoji's room: a small tree is not as small as on the board, to be readable."""


def _piece(seat: int, height: int) -> Sprite:
    return sticker(sized_piece(seat, height, 99 * STUCK * TALL[height] / HEIGHTS[height]))


def _thing(name: str) -> Sprite:
    return sticker(thing(name, STUCK))


EMOJI: Emoji = {
    "sign.collect": partial(_thing, "token_4"),
    "sign.buy": partial(_thing, "basket"),
    "sign.end": partial(_thing, "sun"),
    **{f"sign.{kind}@{seat}": partial(_piece, seat, height) for seat in range(4) for height, kind in enumerate(KINDS)},
}
