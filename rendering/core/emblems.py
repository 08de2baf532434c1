"""Small signs drawn as vector shapes, which cards and plates show beside their colours.

A game's own signs are in the game's package. Each function takes a pen, the middle of the sign, its size (the side of
the square that it fills) and its colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rendering.core.sprites import Colour, Pen, Pixels, Point, mix, sprite

Emblem = Callable[[Pen, float, float, float, Colour, Colour], None]
"""(pen, x, y, size, colour, colour of cuts and details)"""


def placed(x: float, y: float, size: float, points: Sequence[Point], angle: float = 0) -> list[Point]:
    """Return points of the square from -1 to 1, turned by `angle` degrees and moved to the sign's place."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [(x + (px * c - py * s) * size / 2, y + (px * s + py * c) * size / 2) for px, py in points]


def polar(x: float, y: float, radius: float, degrees: float) -> Point:
    """Return the point at distance `radius` from the middle, `degrees` clockwise from the right."""
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


def star(x: float, y: float, points: int, outer: float, inner: float) -> list[Point]:
    """Return a star's corners, the first one above."""
    return [polar(x, y, inner if i % 2 else outer, i * 180 / points - 90) for i in range(2 * points)]


def sun(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A sun with long and short rays."""
    for ray in range(16):
        angle = ray * 22.5
        reach = size * (0.5 if ray % 2 == 0 else 0.41)
        points = [
            polar(x, y, size * 0.27, angle - 9),
            polar(x, y, reach, angle),
            polar(x, y, size * 0.27, angle + 9),
        ]
        pen.polygon(points, colour)
    pen.disc(x, y, size * 0.29, cut)
    pen.disc(x, y, size * 0.25, colour)


def captured(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A pile of captured cards."""
    corners = [(-0.56, -0.78), (0.56, -0.78), (0.56, 0.78), (-0.56, 0.78)]
    for angle, shade in ((-20, 0.5), (-5, 0.28), (10, 0.0)):
        pen.polygon(placed(x, y, size * 1.1, corners, angle), cut)
        pen.polygon(placed(x, y, size * 0.98, corners, angle), mix(colour, cut, shade))


@sprite
def sign(emblem: Emblem, size: int, colour: Colour, cut: Colour) -> Pixels:
    """An emblem by itself."""
    pen = Pen(size, size)
    emblem(pen, size / 2, size / 2, size * 0.92, colour, cut)
    return pen.pixels()
