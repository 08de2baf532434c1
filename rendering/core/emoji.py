"""Emoji: a game's signs as small pictures, which Discord shows on buttons and in selects in place of its own emoji.

A game that has some says so by `Renderer.EMOJI`. Each key names the texts of the game's file in data/locales with
which a label begins, joined by "+": "sign.R", or "sign.R+sign.B" for a label that begins with both signs. The words
after them stay in the label: they still say what the picture shows.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

from rendering.core import theme
from rendering.core.emblems import Emblem
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, sprite

SIZE = 128
"""Pixels of a side; Discord shows an emoji at 18 to 48."""
RIM = 0.07
"""The width of the light rim, which keeps dark colours apart from Discord's dark background."""

Emoji = Mapping[str, Callable[[], Sprite]]
"""What draws each emoji, `SIZE` pixels wide and high, by its key."""


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


def file(drawn: Sprite) -> bytes:
    """Return the picture as a PNG with transparent corners."""
    held = io.BytesIO()
    drawn.layer.save(held, "PNG", optimize=True)
    return held.getvalue()
