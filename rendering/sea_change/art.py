"""The scenes on Sea Change's cards, one a suit. Each varies with the card's value, so that high cards look high.

A wave rises, kelp and pennants grow in number, the wheel has that many bright spokes, the sun climbs.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image

from rendering.core.cards import window
from rendering.core.emblems import polar
from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Pen, Point, curve, mix

HIGHEST = 15
"""The highest value in the game."""

Scene = Callable[[Pen, float, float, int], None]
"""(pen, width, height, value)"""


def art(suit: str, value: int, width: int, height: int, radius: float) -> Image.Image:
    """Return the scene in a window with round corners, four times as large, in mode RGBA."""
    pen = Pen(width, height)
    _SCENES[suit](pen, width, height, value)
    return window(pen, radius)


def _bands(pen: Pen, width: float, tops: tuple[tuple[float, Colour], ...], height: float) -> None:
    for part, colour in tops:
        pen.box(0, height * part, width + 1, height + 1, 0, colour)


def _waves(pen: Pen, width: float, height: float, top: float, size: float, colour: Colour, line: Colour) -> None:
    """Water from `top` of the height down, with a line of foam on its edge."""
    edge: list[Point] = [
        (x, height * top + math.sin(x / width * math.pi * 5 + top * 9) * height * size)
        for x in range(-2, int(width) + 6, 3)
    ]
    pen.polygon([*edge, (width + 4, height + 2), (-2, height + 2)], colour)
    pen.line(edge, line, max(1.5, width * 0.014))


def _wave(pen: Pen, width: float, height: float, value: int) -> None:
    part = 0.3 + 0.7 * value / HIGHEST
    _bands(pen, width, ((0, (188, 220, 236)), (0.3, (152, 202, 228)), (0.55, (112, 176, 214))), height)
    pen.disc(width * 0.78, height * 0.2, width * 0.1, (255, 250, 232))
    _waves(pen, width, height, 0.66, 0.02, (66, 136, 190), (170, 214, 234))

    def at(points: list[Point], lower: float = 0) -> list[Point]:
        return [(width * x, height * (1 - (1 - y) * part + lower)) for x, y in points]

    body = [
        *curve((-0.04, 1.02), (0.0, 0.3), (0.34, 0.0), (0.74, 0.2)),
        *curve((0.74, 0.2), (0.98, 0.33), (0.95, 0.58), (0.76, 0.58)),
        *curve((0.76, 0.58), (0.83, 0.42), (0.62, 0.33), (0.5, 0.45)),
        *curve((0.5, 0.45), (0.34, 0.64), (0.56, 0.94), (1.04, 0.86)),
        (1.04, 1.04), (-0.04, 1.04),
    ]  # fmt: skip
    pen.polygon(at(body), (22, 84, 156))
    for off, colour in ((0.05, (38, 110, 178)), (0.11, (62, 140, 200)), (0.17, (112, 178, 220))):
        stripe = curve(
            (0.03 + off * 0.6, 1.0), (0.08 + off * 0.5, 0.42 + off * 0.4), (0.36, 0.14 + off), (0.58, 0.24 + off * 0.6)
        )
        pen.line(at(stripe), colour, width * 0.026)
    foam = at(curve((0.28, 0.12), (0.52, 0.03), (0.98, 0.24), (0.78, 0.6), steps=22))
    for number, (x, y) in enumerate(foam):
        pen.disc(x, y, width * (0.024 + 0.022 * abs(math.sin(number * 2.1))), (252, 250, 240))
    for number, (x, y) in enumerate(at(curve((0.76, 0.58), (0.83, 0.44), (0.64, 0.35), (0.52, 0.45), steps=8))):
        pen.disc(x, y, width * (0.014 + 0.006 * (number % 2)), (252, 250, 240))
    _waves(pen, width, height, 0.9, 0.016, (10, 56, 116), (150, 206, 228))


def _kelp(pen: Pen, width: float, height: float, value: int) -> None:
    _bands(
        pen,
        width,
        ((0, (196, 232, 208)), (0.22, (150, 210, 190)), (0.5, (104, 180, 166)), (0.76, (62, 142, 136))),
        height,
    )
    for x in (0.12, 0.44, 0.8):
        pen.polygon(
            [(width * x, 0), (width * (x + 0.1), 0), (width * (x - 0.08), height), (width * (x - 0.3), height)],
            (176, 224, 200),
        )
    random = scatter(f"kelp {value}")
    places = [(number + 0.5) / max(value, 1) for number in range(value)]
    random.shuffle(places)
    for number, place in enumerate(places):
        dark = (12, 84, 70) if number % 2 else (24, 112, 84)
        tall = random.uniform(0.42, 0.92) if value > 1 else 0.7
        thick = width * (0.03 if value > 8 else 0.04)
        stem = []
        for step in range(21):
            t = step / 20
            sway = 0.045 * math.sin(t * 6 + number * 1.7)
            stem.append((width * (0.06 + 0.88 * place + sway), height * (1.0 - tall * t)))
        pen.line(stem, dark, thick)
        for step in range(3, 20, 3):
            x, y = stem[step]
            side = 1 if (step // 3 + number) % 2 else -1
            long = width * (0.1 if value > 8 else 0.13)
            leaf = [
                *curve((0, 0.3), (0.5, 0.4), (1.0, -0.1), (1.1, -0.9)),
                *curve((1.1, -0.9), (0.5, -0.6), (0.1, -0.3), (0, 0.3)),
            ]
            pen.polygon(
                [(x + side * px * long, y + py * long * 0.55) for px, py in leaf], mix(dark, (120, 190, 120), 0.3)
            )
    _waves(pen, width, height, 0.93, 0.012, (222, 206, 150), (240, 228, 182))
    if not value:
        fan = [
            polar(width * 0.5, height * 0.9, width * (0.17 if step % 2 else 0.15), 200 + step * 14)
            for step in range(11)
        ]
        pen.polygon([(width * 0.5, height * 0.93), *fan], (250, 236, 214))
        for angle in (228, 256, 284, 312):
            pen.line(
                [(width * 0.5, height * 0.91), polar(width * 0.5, height * 0.9, width * 0.13, angle)],
                (206, 168, 140),
                2,
            )


def _pennants(pen: Pen, width: float, height: float, value: int) -> None:
    _bands(
        pen,
        width,
        ((0, (252, 226, 200)), (0.28, (248, 200, 168)), (0.55, (236, 160, 132)), (0.76, (206, 112, 100))),
        height,
    )
    _waves(pen, width, height, 0.82, 0.018, (118, 34, 52), (232, 150, 130))
    top = (width * 0.5, height * 0.1)
    pen.line([(width * 0.5, height * 0.98), (width * 0.5, height * 0.05)], (74, 32, 34), width * 0.045)
    pen.disc(width * 0.5, height * 0.05, width * 0.035, (74, 32, 34))
    pen.line([(width * 0.26, height * 0.3), (width * 0.74, height * 0.3)], (74, 32, 34), width * 0.03)
    hull = [*curve((0.1, 0.8), (0.2, 0.98), (0.8, 0.98), (0.92, 0.78)), (0.1, 0.8)]
    pen.polygon([(width * x, height * y) for x, y in hull], (74, 32, 34))
    right = (value + 1) // 2
    for side, count in ((1, right), (-1, value - right)):
        rope = curve(
            top,
            (width * (0.5 + side * 0.3), height * 0.2),
            (width * (0.5 + side * 0.46), height * 0.5),
            (width * (0.5 + side * 0.43), height * 0.74),
            steps=32,
        )
        pen.line(rope, (96, 44, 42), width * 0.012)
        for number in range(count):
            at = 2 + round((number + 0.5) * 29 / max(right, 1))
            (x, y), (x2, y2) = rope[max(at - 2, 0)], rope[min(at + 2, 32)]
            long = width * 0.17
            colour = ((178, 28, 48), (255, 244, 226), (226, 88, 50))[number % 3]
            pen.polygon(
                [(x, y), (x2, y2), ((x + x2) / 2 - side * long * 0.86, (y + y2) / 2 + long * 0.42)], (96, 24, 36)
            )
            pen.polygon(
                [
                    (x - side, y + 2),
                    (x2 - side, y2 - 1),
                    ((x + x2) / 2 - side * long * 0.74, (y + y2) / 2 + long * 0.36),
                ],
                colour,
            )
    _waves(pen, width, height, 0.92, 0.016, (86, 18, 40), (206, 100, 100))


def _wheel(pen: Pen, width: float, height: float, value: int) -> None:
    _bands(
        pen,
        width,
        ((0, (232, 212, 236)), (0.3, (208, 176, 216)), (0.58, (176, 132, 192)), (0.8, (134, 88, 156))),
        height,
    )
    x, y, size = width * 0.5, height * 0.5, min(width, height) * 0.47
    spokes = 16
    for number in range(spokes):
        angle = -90 + number * 360 / spokes
        lit = number < value
        pen.line([polar(x, y, size * 0.2, angle), polar(x, y, size * 0.98, angle)], (52, 22, 66), width * 0.05)
        if lit:
            pen.line([polar(x, y, size * 0.2, angle), polar(x, y, size * 0.97, angle)], (255, 214, 120), width * 0.03)
        else:
            pen.line([polar(x, y, size * 0.2, angle), polar(x, y, size * 0.96, angle)], (112, 62, 128), width * 0.022)
    pen.ring(x, y, size * 0.8, (52, 22, 66), size * 0.2)
    pen.ring(x, y, size * 0.775, (104, 52, 116), size * 0.15)
    pen.ring(x, y, size * 0.72, (150, 98, 160), size * 0.03)
    pen.disc(x, y, size * 0.28, (52, 22, 66))
    pen.disc(x, y, size * 0.23, (104, 52, 116))
    pen.disc(x, y, size * 0.11, (255, 214, 120))


def _sun(pen: Pen, width: float, height: float, value: int) -> None:
    part = value / HIGHEST
    x, y, r = width * 0.5, height * (0.86 - 0.54 * part), width * 0.19
    pen.box(0, 0, width + 1, height + 1, 0, (246, 166, 70))
    for radius, colour in (
        (1.05, (250, 186, 88)),
        (0.8, (253, 204, 112)),
        (0.56, (255, 222, 144)),
        (0.38, (255, 236, 178)),
    ):
        pen.disc(x, y, width * radius, colour)
    for ray in range(24):
        angle, long = ray * 15, r * (2.1 if ray % 2 else 1.66)
        pen.polygon(
            [polar(x, y, r * 1.14, angle - 4.6), polar(x, y, long, angle), polar(x, y, r * 1.14, angle + 4.6)],
            (232, 138, 26),
        )
    pen.disc(x, y, r * 1.06, (206, 104, 8))
    pen.disc(x, y, r, (255, 242, 196))
    pen.disc(x + r * 0.06, y + r * 0.06, r * 0.82, (255, 212, 104))
    for top, colour, line in (
        (0.78, (232, 134, 38), (255, 210, 140)),
        (0.86, (196, 92, 22), (248, 180, 100)),
        (0.94, (146, 60, 16), (226, 140, 70)),
    ):
        _waves(pen, width, height, top, 0.016, colour, line)


_SCENES: dict[str, Scene] = {"B": _wave, "G": _kelp, "R": _pennants, "P": _wheel, "Y": _sun}
