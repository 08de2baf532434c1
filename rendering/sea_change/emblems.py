"""The signs of Sea Change: its suits, the dealer's anchor, the teams' pennants, the ring of a Sea Change."""

from __future__ import annotations

from rendering.core import theme
from rendering.core.art import art, cut, toned
from rendering.core.emblems import Emblem
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, mix, sprite


def painted(name: str) -> Emblem:
    """Return a painted sign as an emblem."""

    def draw(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
        mark = toned(art(f"sea_change/sign_{name}", round(size * SCALE)), colour)
        at = round(x * SCALE - mark.size[0] / 2), round(y * SCALE - mark.size[1] / 2)
        pen.sheet.paste(mark.image, at, mark.alpha)

    return draw


SIGNS: dict[str, Emblem] = {suit: painted(suit) for suit in "BGRPY"}
"""The sign of each suit."""
anchor = painted("anchor")
"""The dealer's."""


@sprite
def pennant(width: int, height: int, side: int) -> Pixels:
    """A team's pennant, under which all its boats sail."""
    cloth = cut(art("sea_change/pennant"), width, height)
    return toned(cloth, mix(theme.SIDE_COLOURS[side], theme.PAPER, 0.25)).pixels


@sprite
def ring(size: int, grow: float = 1) -> Pixels:
    """The ring round a figure that changed the trump, and round the figure before it, `grow` times as thick."""
    pen = Pen(size, size)
    pen.ring(size / 2, size / 2, size / 2, theme.INK, 8 * grow)
    pen.ring(size / 2, size / 2, size / 2 - 1.5 * grow, theme.BRASS, 5 * grow)
    return pen.pixels()
