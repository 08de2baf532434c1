"""The signs of Siege of Sunfall: attackers, crown and army, the fist of a pledge, coins and seals."""

from __future__ import annotations

from rendering.core.emblems import placed, sun
from rendering.core.sprites import Colour, Pen, curve, mix

WAX: Colour = (166, 38, 36)


def swords(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Two crossed swords."""
    for side in (1, -1):
        blade = [(-0.1, 0.48), (-0.1, -0.86), (0.0, -1.08), (0.1, -0.86), (0.1, 0.48)]
        pen.polygon(placed(x, y, size * 1.06, [(px * 1.5, py * 1.03) for px, py in blade], 42 * side), cut)
        pen.polygon(placed(x, y, size * 1.06, blade, 42 * side), colour)
        pen.line(placed(x, y, size * 1.06, [(0, -0.8), (0, 0.4)], 42 * side), mix(colour, cut, 0.45), size * 0.025)
        pen.line(placed(x, y, size * 1.06, [(-0.34, 0.5), (0.34, 0.5)], 42 * side), colour, size * 0.1)
        pen.line(placed(x, y, size * 1.06, [(0, 0.5), (0, 0.86)], 42 * side), colour, size * 0.09)
        pen.disc(*placed(x, y, size * 1.06, [(0, 0.96)], 42 * side)[0], size * 0.075, colour)


def helmet(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A knight's helmet with a plume."""
    plume = [
        *curve((0.0, -0.66), (-0.5, -1.2), (-1.0, -0.7), (-0.96, 0.3)),
        *curve((-0.96, 0.3), (-0.72, -0.2), (-0.5, -0.3), (-0.3, -0.3)),
    ]
    pen.polygon(placed(x, y, size, plume), colour)
    dome = [
        *curve((-0.6, 0.95), (-0.72, 0.2), (-0.78, -0.72), (0.1, -0.74)),
        *curve((0.1, -0.74), (0.9, -0.7), (0.86, 0.1), (0.72, 0.62)),
        *curve((0.72, 0.62), (0.62, 0.9), (0.4, 0.95), (0.2, 0.95)),
    ]
    pen.polygon(placed(x, y, size * 1.06, dome), cut)
    pen.polygon(placed(x, y, size * 0.96, dome), colour)
    pen.polygon(placed(x, y, size * 0.96, [(-0.1, -0.1), (0.86, -0.24), (0.86, -0.02), (-0.1, 0.1)]), cut)
    pen.line(placed(x, y, size * 0.96, [(0.3, 0.12), (0.24, 0.9)]), cut, size * 0.05)
    for row in range(3):
        pen.disc(*placed(x, y, size, [(0.5, 0.26 + 0.2 * row)])[0], size * 0.035, cut)


def bow(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A drawn bow with its arrow."""
    stave = curve((-0.34, -0.98), (1.18, -0.62), (1.18, 0.62), (-0.34, 0.98))
    pen.line(placed(x, y, size, stave, -40), colour, size * 0.115)
    pen.line(placed(x, y, size, [(-0.34, -0.98), (-0.6, 0), (-0.34, 0.98)], -40), colour, size * 0.035)
    pen.line(placed(x, y, size, [(-0.72, 0), (0.98, 0)], -40), cut, size * 0.13)
    pen.line(placed(x, y, size, [(-0.72, 0), (0.98, 0)], -40), colour, size * 0.06)
    pen.polygon(placed(x, y, size, [(1.2, 0), (0.84, -0.2), (0.84, 0.2)], -40), colour)
    for side in (-1, 1):
        feather = [(-0.6, 0), (-0.84, 0.2 * side), (-1.0, 0.2 * side), (-0.8, 0)]
        pen.polygon(placed(x, y, size, feather, -40), colour)


def crown(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A crown."""
    body = [
        (-0.76, 0.46), (-0.96, -0.42), (-0.48, 0.02), (0, -0.72), (0.48, 0.02), (0.96, -0.42), (0.76, 0.46),
    ]  # fmt: skip
    pen.polygon(placed(x, y, size, body), colour)
    pen.polygon(placed(x, y, size, [(-0.76, 0.56), (0.76, 0.56), (0.74, 0.76), (-0.74, 0.76)]), colour)
    for px, py in ((-0.96, -0.46), (0, -0.78), (0.96, -0.46)):
        pen.disc(*placed(x, y, size, [(px, py)])[0], size * 0.075, colour)
    for px in (-0.36, 0, 0.36):
        pen.disc(*placed(x, y, size, [(px, 0.28)])[0], size * 0.055, cut)


def banner(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """An army's standard."""
    pen.line(placed(x, y, size, [(0, -0.96), (0, 0.98)]), mix(colour, cut, 0.35), size * 0.08)
    pen.line(placed(x, y, size, [(-0.66, -0.8), (0.66, -0.8)]), mix(colour, cut, 0.35), size * 0.08)
    pen.polygon(placed(x, y, size, [(-0.6, -0.76), (0.6, -0.76), (0.6, 0.62), (0, 0.3), (-0.6, 0.62)]), colour)
    sun(pen, *placed(x, y, size, [(0, -0.26)])[0], size * 0.46, cut, colour)


def fist(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A closed hand, seen from above: a pledge in it."""
    palm = [
        *curve((-0.62, -0.3), (-0.7, 0.5), (-0.4, 0.62), (-0.34, 0.98)),
        *curve((0.4, 0.98), (0.42, 0.6), (0.74, 0.5), (0.7, -0.3)),
    ]
    pen.polygon(placed(x, y, size, palm), colour)
    for i in range(4):
        left = -0.66 + i * 0.345
        corners = placed(x, y, size, [(left, -0.72 + 0.06 * (i in (0, 3))), (left + 0.3, 0.12)])
        pen.box(*corners[0], *corners[1], size * 0.075, colour)
    pen.line(placed(x, y, size, [(-0.56, 0.22), (0.34, 0.22)]), cut, size * 0.045)
    thumb = curve((0.68, 0.3), (0.4, 0.18), (-0.1, 0.42), (-0.24, 0.36))
    pen.line(placed(x, y, size, thumb), cut, size * 0.24)
    pen.line(placed(x, y, size, thumb), colour, size * 0.15)
    for i in range(3):
        gap = -0.66 + 0.322 + i * 0.345
        pen.line(placed(x, y, size, [(gap, -0.6), (gap, 0.12)]), cut, size * 0.04)


def gate(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A city gate between two towers."""
    for side in (-1, 1):
        for step in (-0.24, 0.0, 0.24):
            px = 0.66 * side + step
            pen.polygon(
                placed(x, y, size, [(px - 0.08, -0.8), (px + 0.08, -0.8), (px + 0.08, -0.4), (px - 0.08, -0.4)]), colour
            )
        tower = [(0.66 * side - 0.32, -0.62), (0.66 * side + 0.32, -0.62), (0.66 * side + 0.28, 0.9)]
        pen.polygon(placed(x, y, size, [*tower, (0.66 * side - 0.28, 0.9)]), colour)
        pen.line(placed(x, y, size, [(0.66 * side, -0.3), (0.66 * side, -0.08)]), cut, size * 0.06)
    pen.polygon(placed(x, y, size, [(-0.5, -0.26), (0.5, -0.26), (0.5, 0.9), (-0.5, 0.9)]), colour)
    arch = [(-0.32, 0.9), *curve((-0.32, 0.3), (-0.3, -0.14), (0.3, -0.14), (0.32, 0.3)), (0.32, 0.9)]
    pen.polygon(placed(x, y, size, arch), cut)
    for px in (-0.14, 0.05):
        pen.line(placed(x, y, size, [(px + 0.045, 0.02), (px + 0.045, 0.88)]), colour, size * 0.035)
    for py in (0.3, 0.6):
        pen.line(placed(x, y, size, [(-0.3, py), (0.3, py)]), colour, size * 0.035)
