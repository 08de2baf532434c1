"""The outlines of the six colours' signs, for players who cannot tell colours apart."""

from __future__ import annotations

import math

from rendering.core.emblems import placed, star
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
