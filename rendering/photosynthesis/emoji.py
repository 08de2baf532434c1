"""The emoji of Photosynthesis: each variety's pieces, which only its player sees, and the other signs of a turn."""

from __future__ import annotations

from functools import partial

from rendering.core import theme
from rendering.core.emblems import placed
from rendering.core.emoji import STUCK, Emoji, sticker
from rendering.core.sprites import Pen, Pixels, Sprite, curve, mix, sprite
from rendering.photosynthesis.forest import TOKENS
from rendering.photosynthesis.sun import sun_face
from rendering.photosynthesis.trees import BARK, HEIGHTS, TONES, rounded_body, sized_piece
from rules.photosynthesis import KINDS

TALL = (0.79, 0.76, 0.89, 1)
"""Heights of the pieces as parts of the emoji's room: a small tree is not as small as on the board, to be readable."""
SUN = 1
"""The corner of the sun whose light falls to the lower right."""


def _piece(seat: int, height: int) -> Sprite:
    return sticker(sized_piece(seat, height, int(100 * STUCK * TALL[height] / HEIGHTS[height])))


_BLADE = curve((0, 0.9), (0.8, 0.62), (0.74, -0.2), (0, -1))
_LEAF = [*_BLADE, *((-x, y) for x, y in reversed(_BLADE))]
"""A leaf in the square from -1 to 1, its tip above."""


@sprite
def _token() -> Pixels:
    """A token with a leaf: what a tree brings."""
    pen, k = Pen(STUCK, STUCK), STUCK / 100
    pen.disc(50 * k, 50 * k, 50 * k, theme.BRASS)
    pen.disc(50 * k, 50 * k, 44 * k, TOKENS[3])
    pen.polygon(placed(49 * k, 50 * k, 66 * k, _LEAF, 32), theme.CREAM)
    vein = placed(49 * k, 50 * k, 66 * k, curve((0, 1.15), (0, 0.6), (-0.1, 0.2), (0, -0.45)), 32)
    pen.line(vein, theme.CREAM, 9 * k)
    pen.line(vein[len(vein) // 5 :], TOKENS[3], 4 * k)
    return pen.pixels()


@sprite
def _basket() -> Pixels:
    """A basket with leaves: something is bought."""
    pen, k = Pen(STUCK, STUCK), STUCK / 100
    wood = mix(BARK.light, (255, 226, 160), 0.45)
    for x, y, size, degrees in ((23, 40, 46, -42), (77, 40, 46, 42), (50, 38, 46, 0)):
        rounded_body(pen, [placed(x * k, y * k, size * k, _LEAF, degrees)], TONES[2], 5 * k, 2.4 * k)
    handle = curve((15 * k, 54 * k), (15 * k, -8 * k), (85 * k, -8 * k), (85 * k, 54 * k))
    pen.line(handle, BARK.line, 13 * k)
    pen.line(handle, wood, 8 * k)
    body = [(3 * k, 51 * k), (97 * k, 51 * k), (83 * k, 97 * k), (17 * k, 97 * k)]
    tones = BARK._replace(base=mix(wood, BARK.base, 0.2), light=mix(wood, (255, 255, 255), 0.3))
    rounded_body(pen, [body], tones, 6 * k, 2.4 * k)
    for y, left in ((66, 10), (81, 15)):
        pen.line([(left * k, y * k), ((100 - left) * k, y * k)], BARK.dark, 4 * k)
    return pen.pixels()


EMOJI: Emoji = {
    "sign.collect": lambda: sticker(_token()),
    "sign.buy": lambda: sticker(_basket()),
    "sign.end": lambda: sticker(sun_face(STUCK, SUN)),
    **{
        f"sign.{kind}@{seat}": partial(_piece, seat, height)
        for seat in range(len(TONES))
        for height, kind in enumerate(KINDS)
    },
}
