"""The signs of the six colours, for players who cannot tell colours apart, and the signs of marker and wild."""

from __future__ import annotations

import math

from rendering.core import theme
from rendering.core.emblems import Emblem, placed, star, sun
from rendering.core.sprites import Colour, Pen, curve


def drop(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Blue: a drop of water."""
    outline = [
        *curve((0, -1), (-0.16, -0.5), (-0.72, -0.06), (-0.72, 0.34)),
        *curve((-0.72, 0.34), (-0.7, 1.18), (0.7, 1.18), (0.72, 0.34)),
        *curve((0.72, 0.34), (0.72, -0.06), (0.16, -0.5), (0, -1)),
    ]
    pen.polygon(placed(x, y, size, outline), colour)
    pen.line(placed(x, y, size, curve((-0.42, 0.36), (-0.4, 0.62), (-0.22, 0.7), (-0.1, 0.72))), cut, size * 0.07)


def heart(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Red: a heart."""
    half = [*curve((0, -0.46), (-0.28, -1.06), (-1.0, -0.92), (-0.96, -0.26)),
            *curve((-0.96, -0.26), (-0.9, 0.3), (-0.3, 0.6), (0, 0.94))]  # fmt: skip
    pen.polygon(placed(x, y, size, [*half, *((-px, py) for px, py in reversed(half))]), colour)


def leaf(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Green: a leaf."""
    blade = [
        *curve((-0.62, 0.62), (-1.0, -0.34), (-0.1, -0.92), (0.9, -0.9)),
        *curve((0.9, -0.9), (0.94, 0.12), (0.34, 0.98), (-0.62, 0.62)),
    ]
    pen.polygon(placed(x, y, size, blade), colour)
    pen.line(placed(x, y, size, [(-0.94, 0.94), (-0.6, 0.6)]), colour, size * 0.1)
    pen.line(placed(x, y, size, curve((-0.6, 0.6), (-0.2, 0.16), (0.5, -0.52))), cut, size * 0.06)
    for a, b in (((-0.12, 0.1), (-0.2, -0.36)), ((-0.12, 0.1), (0.32, 0.22)), ((0.2, -0.22), (0.56, -0.14))):
        pen.line(placed(x, y, size, [a, b]), cut, size * 0.045)


def slice_of_orange(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Orange: half a slice of one."""
    y -= size * 0.24
    arc = [(math.cos(math.pi * i / 32), math.sin(math.pi * i / 32)) for i in range(33)]
    pen.polygon(placed(x, y, size, [(px, py) for px, py in arc]), colour)
    pen.polygon(placed(x, y + size * 0.035, size * 0.84, [(px, py) for px, py in arc]), cut)
    pen.polygon(placed(x, y + size * 0.055, size * 0.72, [(px, py) for px, py in arc]), colour)
    for spoke in (45, 90, 135):
        c, s = math.cos(math.radians(spoke)), math.sin(math.radians(spoke))
        pen.line(placed(x, y + size * 0.03, size * 0.74, [(0, 0), (c, s)]), cut, size * 0.055)


def moon(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Purple: a crescent moon with a star."""
    outer = [(0.92 * math.cos(t), 0.92 * math.sin(t)) for t in (math.radians(a) for a in range(42, 319, 4))]
    inner = [(0.34 + 0.72 * math.cos(t), 0.72 * math.sin(t)) for t in (math.radians(a) for a in range(300, 59, -4))]
    pen.polygon(placed(x - size * 0.03, y, size, [*outer, *inner]), colour)
    pen.polygon(star(x + size * 0.25, y - size * 0.02, 5, size * 0.19, size * 0.08), colour)


SIGNS: dict[str, Emblem] = {
    "B": drop, "R": heart, "Y": sun, "G": leaf, "O": slice_of_orange, "P": moon,
}  # fmt: skip

TINTS: dict[str, Colour] = {
    "B": (49, 95, 164), "R": (204, 67, 81), "Y": (255, 240, 100), "G": (74, 154, 138), "O": (222, 145, 56),
    "P": (64, 26, 120),
}  # fmt: skip
INKS: dict[str, Colour] = {letter: theme.INK if letter in "YOG" else (255, 250, 238) for letter in TINTS}
"""The colour of writing on each colour."""


def draw_colour(pen: Pen, x: float, y: float, size: float, letter: str) -> None:
    """Draw the sign of a colour on that colour; (x, y) is its middle."""
    SIGNS[letter](pen, x, y, size, INKS[letter], TINTS[letter])


def wheel(pen: Pen, x: float, y: float, radius: float) -> None:
    """A wild: all six colours round."""
    pen.disc(x, y, radius, theme.INK)
    pen.disc(x, y, radius * 0.94, theme.PAPER)
    for i, letter in enumerate("BPROYG"):
        arc = [math.radians(i * 60 - 90 + step * 5) for step in range(13)]
        rim = [(x + radius * 0.84 * math.cos(t), y + radius * 0.84 * math.sin(t)) for t in arc]
        pen.polygon([(x, y), *rim], TINTS[letter])
    pen.disc(x, y, radius * 0.34, theme.PAPER)


def quarters(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """The back of a card: a disc in four quarters."""
    pen.disc(x, y, size * 0.5, colour)
    pen.line([(x - size * 0.5, y), (x + size * 0.5, y)], cut, size * 0.11)
    pen.line([(x, y - size * 0.5), (x, y + size * 0.5)], cut, size * 0.11)


def flame(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Wins in a row: a flame with a second tongue, its heart in the other colour wide enough for a figure."""
    outline = [
        *curve((0.06, -1), (-0.02, -0.46), (-0.84, -0.3), (-0.84, 0.34)),
        *curve((-0.84, 0.34), (-0.84, 0.78), (-0.46, 1), (0, 1)),
        *curve((0, 1), (0.46, 1), (0.84, 0.78), (0.84, 0.34)),
        *curve((0.84, 0.34), (0.84, 0.02), (0.68, -0.16), (0.66, -0.54)),
        *curve((0.66, -0.54), (0.5, -0.42), (0.42, -0.3), (0.4, -0.14)),
        *curve((0.4, -0.14), (0.42, -0.5), (0.34, -0.8), (0.06, -1)),
    ]
    pen.polygon(placed(x, y, size, outline), colour)
    heart_of_it = [
        *curve((0, -0.5), (-0.1, -0.2), (-0.62, -0.06), (-0.62, 0.36)),
        *curve((-0.62, 0.36), (-0.62, 0.7), (-0.34, 0.86), (0, 0.86)),
        *curve((0, 0.86), (0.34, 0.86), (0.62, 0.7), (0.62, 0.36)),
        *curve((0.62, 0.36), (0.62, 0.06), (0.1, -0.1), (0, -0.5)),
    ]
    pen.polygon(placed(x, y, size, heart_of_it), cut)


def lock(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """The marker's padlock: this quadrant cannot be covered."""
    pen.ring(x, y - size * 0.14, size * 0.27, colour, size * 0.11)
    pen.box(x - size * 0.37, y - size * 0.12, x + size * 0.37, y + size * 0.46, size * 0.08, colour)
    pen.disc(x, y + size * 0.12, size * 0.085, cut)
    pen.box(x - size * 0.04, y + size * 0.12, x + size * 0.04, y + size * 0.32, size * 0.03, cut)
