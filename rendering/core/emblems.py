"""Small signs drawn as vector shapes: what cards and plates show instead of colours alone.

Each takes a pen, the middle of the sign, its size (the side of the square that it fills) and its colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rendering.core import theme
from rendering.core.sprites import Colour, Pen, Pixels, Point, curve, mix, sprite

Emblem = Callable[[Pen, float, float, float, Colour, Colour], None]
"""(pen, x, y, size, colour, colour of cuts and details)"""


def _at(x: float, y: float, size: float, points: Sequence[Point], angle: float = 0) -> list[Point]:
    """Points of the square from -1 to 1, turned by degrees and moved to the sign's place."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [(x + (px * c - py * s) * size / 2, y + (px * s + py * c) * size / 2) for px, py in points]


def _around(x: float, y: float, radius: float, degrees: float) -> Point:
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


def star(x: float, y: float, points: int, outer: float, inner: float, turn: float = -90) -> list[Point]:
    """A star's corners."""
    return [_around(x, y, inner if i % 2 else outer, turn + i * 180 / points) for i in range(2 * points)]


# Sea Change


def wave(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A breaking wave over a second one."""
    crest = [
        *curve((-1, 0.5), (-0.75, -0.55), (-0.1, -1.15), (0.55, -0.72)),
        *curve((0.55, -0.72), (1.0, -0.42), (0.86, 0.12), (0.5, 0.1)),
        *curve((0.5, 0.1), (0.62, -0.25), (0.3, -0.5), (0.02, -0.3)),
        *curve((0.02, -0.3), (-0.35, 0.0), (0.1, 0.55), (1, 0.42)),
        (1, 0.62),
        *curve((1, 0.62), (0.3, 0.72), (-0.5, 0.72), (-1, 0.5)),
    ]
    pen.polygon(_at(x, y, size, crest), colour)
    swell = [(-1 + i / 16, 0.78 + 0.09 * math.sin(i * math.pi / 5.4)) for i in range(33)]
    pen.line(_at(x, y, size * 0.96, swell), colour, size * 0.11)


def seaweed(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Three stems of kelp with leaves to both sides."""
    for foot, head, lean, leaves in ((-0.2, -0.5, -0.42, 2), (0.0, -0.94, 0.0, 4), (0.2, -0.36, 0.46, 2)):
        stem = []
        for i in range(25):
            t = i / 24
            stem.append((foot + lean * t + 0.09 * math.sin(t * 2 * math.pi), 0.95 + (head - 0.95) * t))
        pen.line(_at(x, y, size, stem), colour, size * 0.075)
        for leaf in range(leaves):
            px, py = stem[8 + leaf * 16 // leaves]
            for side in (-1, 1):
                blade = [*curve((0, 0.1), (0.16, 0.1), (0.36, -0.1), (0.4, -0.34)),
                         *curve((0.4, -0.34), (0.2, -0.3), (0.02, -0.2), (0, 0.1))]  # fmt: skip
                reach = 1.0 if leaves == 4 else 0.72
                pen.polygon(_at(x, y, size, [(px + bx * side * reach, py + by * reach) for bx, by in blade]), colour)


def flag(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A swallow-tailed flag that flies from its pole."""
    pen.line(_at(x, y, size, [(-0.68, -0.9), (-0.68, 0.92)]), colour, size * 0.1)
    pen.disc(*_at(x, y, size, [(-0.68, -0.92)])[0], size * 0.085, colour)
    top = curve((-0.6, -0.78), (-0.15, -1.02), (0.3, -0.5), (0.96, -0.76))
    bottom = curve((0.96, 0.22), (0.3, 0.48), (-0.15, -0.04), (-0.6, 0.22))
    pen.polygon(_at(x, y, size, [*top, (0.55, -0.27), *bottom]), colour)
    stripe = curve((-0.6, -0.28), (-0.15, -0.52), (0.2, -0.05), (0.52, -0.18))
    pen.line(_at(x, y, size, stripe), cut, size * 0.07)


def helm(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A ship's wheel."""
    for spoke in range(8):
        angle = spoke * 45 + 22.5
        pen.line([_around(x, y, size * 0.1, angle), _around(x, y, size * 0.44, angle)], colour, size * 0.065)
        pen.line([_around(x, y, size * 0.41, angle), _around(x, y, size * 0.46, angle)], colour, size * 0.1)
    pen.ring(x, y, size * 0.35, colour, size * 0.1)
    pen.disc(x, y, size * 0.14, colour)
    pen.disc(x, y, size * 0.055, cut)


def sun(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A sun with long and short rays."""
    for ray in range(16):
        angle = ray * 22.5
        reach = size * (0.5 if ray % 2 == 0 else 0.41)
        points = [
            _around(x, y, size * 0.27, angle - 9),
            _around(x, y, reach, angle),
            _around(x, y, size * 0.27, angle + 9),
        ]
        pen.polygon(points, colour)
    pen.disc(x, y, size * 0.29, cut)
    pen.disc(x, y, size * 0.25, colour)


def anchor(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """An anchor: the dealer."""
    pen.ring(*_at(x, y, size, [(0, -0.72)])[0], size * 0.13, colour, size * 0.07)
    pen.line(_at(x, y, size, [(0, -0.5), (0, 0.85)]), colour, size * 0.11)
    pen.line(_at(x, y, size, [(-0.42, -0.28), (0.42, -0.28)]), colour, size * 0.1)
    pen.line(_at(x, y, size, curve((-0.78, 0.2), (-0.62, 0.95), (0.62, 0.95), (0.78, 0.2))), colour, size * 0.11)
    for side in (-1, 1):
        fluke = [(0.95 * side, 0.42), (0.78 * side, 0.0), (0.5 * side, 0.34)]
        pen.polygon(_at(x, y, size, fluke), colour)


def captured(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A pile of captured cards."""
    corners = [(-0.56, -0.78), (0.56, -0.78), (0.56, 0.78), (-0.56, 0.78)]
    for angle, shade in ((-20, 0.5), (-5, 0.28), (10, 0.0)):
        pen.polygon(_at(x, y, size * 1.1, corners, angle), cut)
        pen.polygon(_at(x, y, size * 0.98, corners, angle), mix(colour, cut, shade))


def hand(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A fan of held cards."""
    foot = y + size * 0.5
    for angle in (-36, -12, 12, 36):
        pen.polygon(_at(x, foot, size, [(-0.4, -1.72), (0.4, -1.72), (0.4, -0.2), (-0.4, -0.2)], angle), cut)
        pen.polygon(_at(x, foot, size, [(-0.33, -1.65), (0.33, -1.65), (0.33, -0.3), (-0.33, -0.3)], angle), colour)


def points(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A star: points."""
    pen.polygon(star(x, y, 5, size * 0.5, size * 0.22), colour)


# Siege of Sunfall


def swords(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Two crossed swords."""
    for side in (1, -1):
        blade = [(-0.1, 0.48), (-0.1, -0.86), (0.0, -1.08), (0.1, -0.86), (0.1, 0.48)]
        pen.polygon(_at(x, y, size * 1.06, [(px * 1.5, py * 1.03) for px, py in blade], 42 * side), cut)
        pen.polygon(_at(x, y, size * 1.06, blade, 42 * side), colour)
        pen.line(_at(x, y, size * 1.06, [(0, -0.8), (0, 0.4)], 42 * side), mix(colour, cut, 0.45), size * 0.025)
        pen.line(_at(x, y, size * 1.06, [(-0.34, 0.5), (0.34, 0.5)], 42 * side), colour, size * 0.1)
        pen.line(_at(x, y, size * 1.06, [(0, 0.5), (0, 0.86)], 42 * side), colour, size * 0.09)
        pen.disc(*_at(x, y, size * 1.06, [(0, 0.96)], 42 * side)[0], size * 0.075, colour)


def helmet(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A knight's helmet with a plume."""
    plume = [
        *curve((0.0, -0.66), (-0.5, -1.2), (-1.0, -0.7), (-0.96, 0.3)),
        *curve((-0.96, 0.3), (-0.72, -0.2), (-0.5, -0.3), (-0.3, -0.3)),
    ]
    pen.polygon(_at(x, y, size, plume), colour)
    dome = [
        *curve((-0.6, 0.95), (-0.72, 0.2), (-0.78, -0.72), (0.1, -0.74)),
        *curve((0.1, -0.74), (0.9, -0.7), (0.86, 0.1), (0.72, 0.62)),
        *curve((0.72, 0.62), (0.62, 0.9), (0.4, 0.95), (0.2, 0.95)),
    ]
    pen.polygon(_at(x, y, size * 1.06, dome), cut)
    pen.polygon(_at(x, y, size * 0.96, dome), colour)
    pen.polygon(_at(x, y, size * 0.96, [(-0.1, -0.1), (0.86, -0.24), (0.86, -0.02), (-0.1, 0.1)]), cut)
    pen.line(_at(x, y, size * 0.96, [(0.3, 0.12), (0.24, 0.9)]), cut, size * 0.05)
    for row in range(3):
        pen.disc(*_at(x, y, size, [(0.5, 0.26 + 0.2 * row)])[0], size * 0.035, cut)


def bow(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A drawn bow with its arrow."""
    stave = curve((-0.34, -0.98), (1.18, -0.62), (1.18, 0.62), (-0.34, 0.98))
    pen.line(_at(x, y, size, stave, -40), colour, size * 0.115)
    pen.line(_at(x, y, size, [(-0.34, -0.98), (-0.6, 0), (-0.34, 0.98)], -40), colour, size * 0.035)
    pen.line(_at(x, y, size, [(-0.72, 0), (0.98, 0)], -40), cut, size * 0.13)
    pen.line(_at(x, y, size, [(-0.72, 0), (0.98, 0)], -40), colour, size * 0.06)
    pen.polygon(_at(x, y, size, [(1.2, 0), (0.84, -0.2), (0.84, 0.2)], -40), colour)
    for side in (-1, 1):
        feather = [(-0.6, 0), (-0.84, 0.2 * side), (-1.0, 0.2 * side), (-0.8, 0)]
        pen.polygon(_at(x, y, size, feather, -40), colour)


def crown(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A crown."""
    body = [
        (-0.76, 0.46), (-0.96, -0.42), (-0.48, 0.02), (0, -0.72), (0.48, 0.02), (0.96, -0.42), (0.76, 0.46),
    ]  # fmt: skip
    pen.polygon(_at(x, y, size, body), colour)
    pen.polygon(_at(x, y, size, [(-0.76, 0.56), (0.76, 0.56), (0.74, 0.76), (-0.74, 0.76)]), colour)
    for px, py in ((-0.96, -0.46), (0, -0.78), (0.96, -0.46)):
        pen.disc(*_at(x, y, size, [(px, py)])[0], size * 0.075, colour)
    for px in (-0.36, 0, 0.36):
        pen.disc(*_at(x, y, size, [(px, 0.28)])[0], size * 0.055, cut)


def banner(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """An army's standard."""
    pen.line(_at(x, y, size, [(0, -0.96), (0, 0.98)]), mix(colour, cut, 0.35), size * 0.08)
    pen.line(_at(x, y, size, [(-0.66, -0.8), (0.66, -0.8)]), mix(colour, cut, 0.35), size * 0.08)
    pen.polygon(_at(x, y, size, [(-0.6, -0.76), (0.6, -0.76), (0.6, 0.62), (0, 0.3), (-0.6, 0.62)]), colour)
    sun(pen, *_at(x, y, size, [(0, -0.26)])[0], size * 0.46, cut, colour)


def fist(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A closed hand, seen from above: a pledge in it."""
    palm = [
        *curve((-0.62, -0.3), (-0.7, 0.5), (-0.4, 0.62), (-0.34, 0.98)),
        *curve((0.4, 0.98), (0.42, 0.6), (0.74, 0.5), (0.7, -0.3)),
    ]
    pen.polygon(_at(x, y, size, palm), colour)
    for i in range(4):
        left = -0.66 + i * 0.345
        corners = _at(x, y, size, [(left, -0.72 + 0.06 * (i in (0, 3))), (left + 0.3, 0.12)])
        pen.box(*corners[0], *corners[1], size * 0.075, colour)
    pen.line(_at(x, y, size, [(-0.56, 0.22), (0.34, 0.22)]), cut, size * 0.045)
    thumb = curve((0.68, 0.3), (0.4, 0.18), (-0.1, 0.42), (-0.24, 0.36))
    pen.line(_at(x, y, size, thumb), cut, size * 0.24)
    pen.line(_at(x, y, size, thumb), colour, size * 0.15)
    for i in range(3):
        at = -0.66 + 0.322 + i * 0.345
        pen.line(_at(x, y, size, [(at, -0.6), (at, 0.12)]), cut, size * 0.04)


def gate(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A city gate between two towers."""
    for side in (-1, 1):
        for step in (-0.24, 0.0, 0.24):
            px = 0.66 * side + step
            pen.polygon(
                _at(x, y, size, [(px - 0.08, -0.8), (px + 0.08, -0.8), (px + 0.08, -0.4), (px - 0.08, -0.4)]), colour
            )
        tower = [(0.66 * side - 0.32, -0.62), (0.66 * side + 0.32, -0.62), (0.66 * side + 0.28, 0.9)]
        pen.polygon(_at(x, y, size, [*tower, (0.66 * side - 0.28, 0.9)]), colour)
        pen.line(_at(x, y, size, [(0.66 * side, -0.3), (0.66 * side, -0.08)]), cut, size * 0.06)
    pen.polygon(_at(x, y, size, [(-0.5, -0.26), (0.5, -0.26), (0.5, 0.9), (-0.5, 0.9)]), colour)
    arch = [(-0.32, 0.9), *curve((-0.32, 0.3), (-0.3, -0.14), (0.3, -0.14), (0.32, 0.3)), (0.32, 0.9)]
    pen.polygon(_at(x, y, size, arch), cut)
    for px in (-0.14, 0.05):
        pen.line(_at(x, y, size, [(px + 0.045, 0.02), (px + 0.045, 0.88)]), colour, size * 0.035)
    for py in (0.3, 0.6):
        pen.line(_at(x, y, size, [(-0.3, py), (0.3, py)]), colour, size * 0.035)


def broken(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A snapped sword: out of the round."""
    pen.polygon(_at(x, y, size, [(-0.1, 0.42), (-0.1, -0.2), (0.02, -0.06), (0.1, -0.32), (0.1, 0.42)], 30), colour)
    pen.polygon(
        _at(x, y, size, [(-0.02, -0.42), (0.1, -0.6), (0.18, -0.5), (0.18, -0.9), (0.08, -1.05), (-0.02, -0.9)], 48),
        colour,
    )
    pen.line(_at(x, y, size, [(-0.34, 0.44), (0.34, 0.44)], 30), colour, size * 0.1)
    pen.line(_at(x, y, size, [(0, 0.44), (0, 0.86)], 30), colour, size * 0.1)
    pen.disc(*_at(x, y, size, [(0, 0.94)], 30)[0], size * 0.08, colour)


# Tokens: emblems that are a thing of their own.


@sprite
def coin(size: int) -> Pixels:
    """A gold coin with a sun on it."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c + size * 0.02, size * 0.48, theme.BRASS_DARK)
    pen.disc(c, c - size * 0.02, size * 0.46, theme.BRASS)
    pen.disc(c, c - size * 0.03, size * 0.42, theme.BRASS_LIGHT)
    pen.disc(c, c - size * 0.02, size * 0.37, (232, 190, 100))
    sun(pen, c, c - size * 0.02, size * 0.56, theme.BRASS_DARK, (232, 190, 100))
    return pen.pixels()


@sprite
def medal(
    size: int, text: str, rim: Colour = theme.BRASS, face: Colour = (44, 66, 92), ink: Colour = theme.CREAM
) -> Pixels:
    """A round medal with a number on it."""
    pen = Pen(size, size)
    c = size / 2
    pen.polygon(star(c, c, 20, size * 0.5, size * 0.455), mix(rim, (0, 0, 0), 0.35))
    pen.polygon(star(c, c - size * 0.012, 20, size * 0.485, size * 0.445), rim)
    pen.disc(c, c, size * 0.385, mix(face, (0, 0, 0), 0.3))
    pen.disc(c, c + size * 0.012, size * 0.37, face)
    pen.text(c, c, text, size * (0.5 if len(text) < 3 else 0.36), ink)
    return pen.pixels()


@sprite
def numbered(size: int, text: str) -> Pixels:
    """A plain disc with a number on it: an order, not a score."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 2, theme.BRASS)
    pen.text(c, c, text, size * 0.62, theme.INK)
    return pen.pixels()


@sprite
def wax(size: int, colour: Colour = (166, 38, 36)) -> Pixels:
    """A wax seal with a closed hand pressed into it."""
    pen = Pen(size, size)
    c = size / 2
    edge = [
        _around(c, c, size * (0.46 + 0.022 * math.sin(i * 1.9) + 0.016 * math.sin(i * 0.83)), i * 10) for i in range(36)
    ]
    pen.polygon([(px, py + size * 0.025) for px, py in edge], mix(colour, (0, 0, 0), 0.4))
    pen.polygon(edge, colour)
    pen.disc(c, c, size * 0.35, mix(colour, (0, 0, 0), 0.25))
    pen.disc(c, c + size * 0.015, size * 0.335, mix(colour, (0, 0, 0), 0.1))
    fist(pen, c, c, size * 0.44, mix(colour, (255, 255, 255), 0.45), mix(colour, (0, 0, 0), 0.3))
    return pen.pixels()


@sprite
def side_badge(size: int, side: int) -> Pixels:
    """A team's sign: a letter on a shape of its own."""
    pen = Pen(size, size)
    c, r = size / 2, size * 0.46
    colour = theme.SIDE_COLOURS[side]
    shapes = (
        [_around(c, c, r, i * 10) for i in range(36)],
        [
            (c - r * 0.88, c - r * 0.88),
            (c + r * 0.88, c - r * 0.88),
            (c + r * 0.88, c + r * 0.88),
            (c - r * 0.88, c + r * 0.88),
        ],
        [(c, c - r * 1.08), (c + r * 1.08, c), (c, c + r * 1.08), (c - r * 1.08, c)],
        [_around(c, c, r * 1.04, 60 * i) for i in range(6)],
    )
    pen.polygon([(c + (x - c) * 1.0, c + (y - c) * 1.0) for x, y in shapes[side]], theme.INK)
    pen.polygon([(c + (x - c) * 0.86, c + (y - c) * 0.86) for x, y in shapes[side]], colour)
    pen.text(c, c, "ABCD"[side], size * 0.5, theme.INK)
    return pen.pixels()


@sprite
def sign(emblem: Emblem, size: int, colour: Colour, cut: Colour) -> Pixels:
    """An emblem by itself."""
    pen = Pen(size, size)
    emblem(pen, size / 2, size / 2, size * 0.92, colour, cut)
    return pen.pixels()
