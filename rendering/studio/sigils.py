"""The sigil of each seat, which its disc bears: white shapes, so that they can be tinted. In grey they differ too."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PIL import Image

from rendering.core.sprites import Point, curve
from rendering.studio.brush import WHITE, Sheet, cut, ink, polygon

SIZE = 128
C, HALF = SIZE / 2, 58


def _at(points: list[Point]) -> list[Point]:
    """Return points of the square from -1 to 1 on the sheet."""
    return [(C + x * HALF, C + y * HALF) for x, y in points]


def _polar(radius: float, degrees: float, down: float = 0) -> Point:
    return radius * math.cos(math.radians(degrees)), down + radius * math.sin(math.radians(degrees))


class _Shape:
    """Shapes in white, and cuts through them."""

    def __init__(self) -> None:
        self.sheet = Sheet(SIZE, SIZE)

    def fill(self, points: list[Point]) -> None:
        self.sheet.path(polygon(_at(points)), ink(WHITE))

    def cut(self, points: list[Point], stroke: float = 0) -> None:
        self.sheet.path(polygon(_at(points), closed=not stroke), cut(stroke * HALF))

    def line(self, points: list[Point], stroke: float) -> None:
        self.sheet.path(polygon(_at(points), closed=False), ink(WHITE, stroke=stroke * HALF))

    def disc(self, x: float, y: float, radius: float, stroke: float = 0) -> None:
        self.sheet.disc(C + x * HALF, C + y * HALF, radius * HALF, ink(WHITE, stroke=stroke * HALF))


def _gem(on: _Shape) -> None:
    on.fill([(-0.5, -0.62), (0.5, -0.62), (0.92, -0.12), (0, 0.88), (-0.92, -0.12)])
    for facet in ([(-0.92, -0.12), (0.92, -0.12)], [(-0.36, -0.12), (0, 0.88)], [(0.36, -0.12), (0, 0.88)]):
        on.cut(facet, 0.12)


def _leaf(on: _Shape) -> None:
    left = curve((0, 0.75), (-0.7, 0.6), (-0.95, -0.35), (0, -0.95))
    on.fill([*curve((0, -0.95), (0.95, -0.35), (0.7, 0.6), (0, 0.75)), *left])
    on.cut([(0, -0.4), (0, 0.98)], 0.12)


def _tower(on: _Shape) -> None:
    half = [
        (0.62, 0.92),
        (0.5, -0.3),
        (0.74, -0.3),
        (0.74, -0.92),
        (0.4, -0.92),
        (0.4, -0.62),
        (0.16, -0.62),
        (0.16, -0.92),
    ]
    on.fill([*half, *((-x, y) for x, y in reversed(half))])
    on.cut([(-0.2, 0.92), (-0.2, 0.34), (0, 0.12), (0.2, 0.34), (0.2, 0.92)])


def _key(on: _Shape) -> None:
    on.disc(0, -0.52, 0.34, 0.2)
    on.line([(0, -0.08), (0, 0.84)], 0.22)
    for low in (0.48, 0.82):
        on.line([(0, low), (0.48, low)], 0.2)


def _bell(on: _Shape) -> None:
    side = curve((0, -0.86), (0.7, -0.8), (0.4, 0.2), (0.86, 0.56))
    on.fill([*side, *((-x, y) for x, y in reversed(side))])
    on.disc(0, 0.72, 0.26)
    on.disc(0, -0.86, 0.16)


def _shell(on: _Shape) -> None:
    on.fill([(0, 0.88), *(_polar(1.44 if step % 2 else 1.32, 200 + step * 14, 0.6) for step in range(11))])
    for angle in (228, 256, 284, 312):
        on.cut([(0, 0.72), _polar(1.2, angle, 0.6)], 0.1)
    on.fill([(-0.4, 0.56), (0.4, 0.56), (0.4, 0.92), (-0.4, 0.92)])


def _star(on: _Shape) -> None:
    on.fill([_polar(0.42 if step % 2 else 1, step * 36 - 90, 0.06) for step in range(10)])


def _moon(on: _Shape) -> None:
    outer = [_polar(0.9, angle) for angle in range(42, 319, 6)]
    inner = [(0.36 + x * 0.8, y * 0.8) for x, y in (_polar(0.9, angle) for angle in range(298, 61, -6))]
    on.fill([(x - 0.12, y) for x, y in [*outer, *inner]])


def _drawn(sigil: Callable[[_Shape], None]) -> Image.Image:
    shape = _Shape()
    sigil(shape)
    return shape.sheet.image()


SIGILS: dict[str, Callable[[], Image.Image]] = {
    f"sigil_{number}": partial(_drawn, sigil)
    for number, sigil in enumerate((_gem, _leaf, _tower, _key, _bell, _shell, _star, _moon))
}
