"""The signs of Sea Change: its suits, the dealer's anchor, the teams' badges."""

from __future__ import annotations

import math

from rendering.core import theme
from rendering.core.emblems import placed, polar
from rendering.core.sprites import Colour, Pen, Pixels, curve, sprite


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
    pen.polygon(placed(x, y, size, crest), colour)
    swell = [(-1 + i / 16, 0.78 + 0.09 * math.sin(i * math.pi / 5.4)) for i in range(33)]
    pen.line(placed(x, y, size * 0.96, swell), colour, size * 0.11)


def seaweed(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Three stems of kelp with leaves to both sides."""
    for foot, head, lean, leaves in ((-0.2, -0.5, -0.42, 2), (0.0, -0.94, 0.0, 4), (0.2, -0.36, 0.46, 2)):
        stem = []
        for i in range(25):
            t = i / 24
            stem.append((foot + lean * t + 0.09 * math.sin(t * 2 * math.pi), 0.95 + (head - 0.95) * t))
        pen.line(placed(x, y, size, stem), colour, size * 0.075)
        for leaf in range(leaves):
            px, py = stem[8 + leaf * 16 // leaves]
            for side in (-1, 1):
                blade = [*curve((0, 0.1), (0.16, 0.1), (0.36, -0.1), (0.4, -0.34)),
                         *curve((0.4, -0.34), (0.2, -0.3), (0.02, -0.2), (0, 0.1))]  # fmt: skip
                reach = 1.0 if leaves == 4 else 0.72
                pen.polygon(placed(x, y, size, [(px + bx * side * reach, py + by * reach) for bx, by in blade]), colour)


def flag(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A swallow-tailed flag that flies from its pole."""
    pen.line(placed(x, y, size, [(-0.68, -0.9), (-0.68, 0.92)]), colour, size * 0.1)
    pen.disc(*placed(x, y, size, [(-0.68, -0.92)])[0], size * 0.085, colour)
    top = curve((-0.6, -0.78), (-0.15, -1.02), (0.3, -0.5), (0.96, -0.76))
    bottom = curve((0.96, 0.22), (0.3, 0.48), (-0.15, -0.04), (-0.6, 0.22))
    pen.polygon(placed(x, y, size, [*top, (0.55, -0.27), *bottom]), colour)
    stripe = curve((-0.6, -0.28), (-0.15, -0.52), (0.2, -0.05), (0.52, -0.18))
    pen.line(placed(x, y, size, stripe), cut, size * 0.07)


def helm(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A ship's wheel."""
    for spoke in range(8):
        angle = spoke * 45 + 22.5
        pen.line([polar(x, y, size * 0.1, angle), polar(x, y, size * 0.44, angle)], colour, size * 0.065)
        pen.line([polar(x, y, size * 0.41, angle), polar(x, y, size * 0.46, angle)], colour, size * 0.1)
    pen.ring(x, y, size * 0.35, colour, size * 0.1)
    pen.disc(x, y, size * 0.14, colour)
    pen.disc(x, y, size * 0.055, cut)


def anchor(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """An anchor: the dealer."""
    pen.ring(*placed(x, y, size, [(0, -0.72)])[0], size * 0.13, colour, size * 0.07)
    pen.line(placed(x, y, size, [(0, -0.5), (0, 0.85)]), colour, size * 0.11)
    pen.line(placed(x, y, size, [(-0.42, -0.28), (0.42, -0.28)]), colour, size * 0.1)
    pen.line(placed(x, y, size, curve((-0.78, 0.2), (-0.62, 0.95), (0.62, 0.95), (0.78, 0.2))), colour, size * 0.11)
    for side in (-1, 1):
        fluke = [(0.95 * side, 0.42), (0.78 * side, 0.0), (0.5 * side, 0.34)]
        pen.polygon(placed(x, y, size, fluke), colour)


@sprite
def side_badge(size: int, side: int) -> Pixels:
    """A team's sign: its letter on its own shape."""
    pen = Pen(size, size)
    c, r = size / 2, size * 0.46
    colour = theme.SIDE_COLOURS[side]
    shapes = (
        [polar(c, c, r, i * 10) for i in range(36)],
        [
            (c - r * 0.88, c - r * 0.88),
            (c + r * 0.88, c - r * 0.88),
            (c + r * 0.88, c + r * 0.88),
            (c - r * 0.88, c + r * 0.88),
        ],
        [(c, c - r * 1.08), (c + r * 1.08, c), (c, c + r * 1.08), (c - r * 1.08, c)],
        [polar(c, c, r * 1.04, 60 * i) for i in range(6)],
    )
    pen.polygon([(c + (x - c) * 1.0, c + (y - c) * 1.0) for x, y in shapes[side]], theme.INK)
    pen.polygon([(c + (x - c) * 0.86, c + (y - c) * 0.86) for x, y in shapes[side]], colour)
    pen.text(c, c, "ABCD"[side], size * 0.5, theme.INK)
    return pen.pixels()


@sprite
def ring(size: int, grow: float = 1) -> Pixels:
    """The ring round a figure that changed the trump, and round the figure before it, `grow` times as thick."""
    pen = Pen(size, size)
    pen.ring(size / 2, size / 2, size / 2, theme.INK, 8 * grow)
    pen.ring(size / 2, size / 2, size / 2 - 1.5 * grow, theme.BRASS, 5 * grow)
    return pen.pixels()
