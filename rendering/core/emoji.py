"""Emoji: a game's signs as small pictures, which Discord shows on buttons and in selects in place of its own emoji.

A game that has some says so by `Renderer.EMOJI`. Each key names the texts of the game's file in data/locales with
which a label begins, joined by "+": "sign.R", or "sign.R+sign.B" for a label that begins with both signs. If players
have pieces of their own, a key ends with the seat whose player sees the picture: "sign.seed@2". The words after the
signs stay in the label: they still say what the picture shows.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping

from PIL import Image, ImageChops

from rendering.core import theme
from rendering.core.emblems import Emblem
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, pixels, sprite

SIZE = 128
"""Pixels of a side; Discord shows an emoji at 18 to 48."""
RIM = 0.07
"""The width of the light rim, which keeps dark colours apart from Discord's dark background."""

Emoji = Mapping[str, Callable[[], Sprite]]
"""What draws each emoji, `SIZE` pixels wide and high, by its key."""

FINE = 2
"""A sticker's picture is drawn this much larger, then reduced with its rim."""
PAPER_RIM, INK_RIM = 7, 9
"""The outer edges of a sticker's light rim and of the dark line round it, in pixels of the emoji from its picture."""
STUCK = FINE * (SIZE - 2 * INK_RIM - 1)
"""Pixels that a sticker's picture has at most, in width and in height."""


def parts_of(key: str) -> tuple[tuple[str, ...], int | None]:
    """Return the texts that a key names, and the seat for which it is; None: for all.

    >>> parts_of("sign.R+sign.B"), parts_of("sign.seed@2")
    ((('sign.R', 'sign.B'), None), (('sign.seed',), 2))
    """
    names, _, seat = key.partition("@")
    return tuple(names.split("+")), int(seat) if seat else None


@sprite
def on_disc(emblem: Emblem, tint: Colour) -> Pixels:
    """A sign in paper colour on a disc of its colour."""
    pen, middle = Pen(SIZE, SIZE), SIZE / 2
    disc(pen, middle, tint)
    emblem(pen, middle, middle, SIZE * 0.66, theme.PAPER, tint)
    return pen.pixels()


def disc(pen: Pen, middle: float, tint: Colour) -> None:
    """Draw the disc of an emoji, with a thin dark line round its light rim: it shows on light and on dark."""
    pen.disc(middle, middle, middle, theme.INK)
    pen.disc(middle, middle, middle * 0.97, theme.PAPER)
    pen.disc(middle, middle, middle * (0.97 - RIM), tint)


@sprite
def sticker(drawn: Sprite) -> Pixels:
    """A thing of at most `STUCK` pixels in the middle, half as large, with the rim of a disc along its outline."""
    sheet = Image.new("RGBA", (FINE * SIZE, FINE * SIZE))
    sheet.paste(drawn.image, ((sheet.width - drawn.size[0]) // 2, (sheet.height - drawn.size[1]) // 2), drawn.alpha)
    whole, shape = Image.new("RGBA", sheet.size), sheet.getchannel("A")
    for rim, colour in ((INK_RIM, theme.INK), (PAPER_RIM, theme.PAPER)):
        whole.paste((*colour, 255), (0, 0), _wider(shape, FINE * rim))
    whole.alpha_composite(sheet)
    return pixels(whole.resize((SIZE, SIZE), Image.Resampling.BOX))


def _wider(shape: Image.Image, rim: int) -> Image.Image:
    """Return a mask that is wider by so many pixels on all sides. Its picture must be as far from the edges."""
    wide = shape
    for step in range(36):
        dx, dy = rim * math.cos(math.radians(10 * step)), rim * math.sin(math.radians(10 * step))
        wide = ImageChops.lighter(wide, ImageChops.offset(shape, round(dx), round(dy)))
    return wide


def file(drawn: Sprite) -> bytes:
    """Return the picture as a PNG with transparent corners."""
    held = io.BytesIO()
    drawn.layer.save(held, "PNG", optimize=True)
    return held.getvalue()
