"""Full Sun's trees, and the scenes on its cards. A tree is as high as its card's number, on a card and on the stage."""

from __future__ import annotations

from PIL import Image

from rendering.core.cards import window
from rendering.core.emblems import polar
from rendering.core.sprites import Colour, Pen, Pixels, mix, sprite

HIGHEST = 18
"""The highest number in the game: the Sun's."""

Tones = tuple[Colour, Colour, Colour, Colour]
"""A tree's trunk, and its leaves in the shade, between, and in the light."""

TREES: dict[str, Tones] = {
    "B": ((112, 86, 70), (146, 84, 16), (196, 126, 34), (236, 176, 74)),
    "R": ((74, 46, 50), (138, 28, 76), (190, 62, 116), (234, 130, 168)),
    "S": ((226, 220, 204), (4, 84, 106), (20, 124, 140), (92, 178, 178)),
    "L": ((58, 48, 34), (30, 60, 14), (62, 100, 34), (122, 156, 68)),
}


def draw_tree(pen: Pen, suit: str, x: float, foot: float, height: float, size: float) -> None:
    """Draw a tree of that height; `size` is the width of its crown."""
    trunk, dark, middle, light = TREES[suit]
    top = foot - height
    thick = size * (0.13 if suit != "L" else 0.09)
    whole = size * {"B": 0.95, "R": 0.72, "S": 0.85, "L": 1.5}[suit]
    crown = min(height * 0.86, whole)
    flat = (crown / whole) ** 0.6  # a young tree is a bush
    if suit == "R":
        for lean in (-0.16, 0.14):
            pen.line(
                [(x, foot), (x + lean * size * 0.5, foot - height * 0.35), (x + lean * size, top + crown * 0.5)],
                trunk,
                thick * 0.7,
            )
    else:
        pen.polygon(
            [
                (x - thick * 0.75, foot),
                (x + thick * 0.75, foot),
                (x + thick * 0.36, top + crown * 0.4),
                (x - thick * 0.36, top + crown * 0.4),
            ],
            trunk,
        )
    if suit == "S":
        for step in range(5):
            y = foot - height * (0.08 + 0.11 * step)
            if y > top + crown * 0.8:
                pen.oval(
                    x - thick * (0.5 if step % 2 else 0.1),
                    y - thick * 0.5,
                    x + thick * (0.1 if step % 2 else 0.5),
                    y + thick * 0.2,
                    mix(trunk, (120, 120, 100), 0.5),
                )
    leaves = {"B": _ROUND, "R": _SPREAD, "S": _BROAD, "L": _TIERS}[suit]
    for tone, (dx, dy) in ((dark, (0.0, 0.0)), (middle, (-0.045, -0.035)), (light, (-0.1, -0.08))):
        shrink = {dark: 1.0, middle: 0.82, light: 0.5}[tone]
        for px, py, r in leaves:
            wide, tall = size * r * shrink * 0.5, size * r * shrink * flat * (0.5 if suit != "L" else 0.3)
            cx, cy = x + size * (px + dx), top + crown * py + size * dy * flat
            pen.oval(cx - wide, cy - tall, cx + wide, cy + tall, tone)


_ROUND = (
    (0.0, 0.22, 0.5),
    (-0.24, 0.42, 0.48),
    (0.24, 0.42, 0.48),
    (-0.12, 0.66, 0.5),
    (0.15, 0.68, 0.48),
    (0.0, 0.46, 0.6),
)
_SPREAD = ((-0.3, 0.48, 0.42), (0.3, 0.46, 0.42), (-0.1, 0.26, 0.4), (0.14, 0.24, 0.38), (0.0, 0.56, 0.42))
_BROAD = (
    (-0.28, 0.5, 0.5),
    (0.28, 0.5, 0.5),
    (0.0, 0.24, 0.56),
    (-0.14, 0.7, 0.44),
    (0.18, 0.7, 0.44),
    (0.0, 0.5, 0.62),
)
_TIERS = (
    (0.0, 0.1, 0.34),
    (-0.13, 0.25, 0.42),
    (0.13, 0.36, 0.42),
    (-0.15, 0.5, 0.46),
    (0.15, 0.62, 0.46),
    (0.0, 0.74, 0.52),
)
"""The clumps of a crown: x and width in parts of its width, y in parts of its height."""


HEADROOM = 24
"""Pixels above a tree's height for the clumps on its top."""


@sprite
def standing(suit: str, height: int, size: int) -> Pixels:
    """A tree by itself, as it stands on the stage."""
    pen = Pen(size + 20, height + 16 + HEADROOM)
    draw_tree(pen, suit, (size + 20) / 2, height + 8 + HEADROOM, height, size)
    return pen.pixels()


def art(sign: str, number: int, width: int, height: int, radius: float) -> Image.Image:
    """Return a card's scene in a window with round corners, four times as large, in mode RGBA. `sign`: a tree's letter,
    "Rain" or "Sun".
    """
    pen = Pen(width, height)
    {"Rain": _rain, "Sun": _sun}.get(sign, _wood)(pen, width, height)
    if sign in TREES:
        draw_tree(pen, sign, width * 0.56, height * 0.92, height * (0.22 + 0.62 * number / HIGHEST), width * 0.5)
        pen.oval(width * -0.2, height * 0.9, width * 1.2, height * 1.2, (74, 84, 40))
    return window(pen, radius)


def _wood(pen: Pen, width: float, height: float) -> None:
    """Morning light between far trees."""
    pen.box(0, 0, width + 1, height + 1, 0, (240, 222, 170))
    for radius, colour in ((0.95, (246, 232, 188)), (0.6, (252, 244, 212))):
        pen.disc(width * 0.56, 0, width * radius, colour)
    for x, tall in ((0.08, 0.62), (0.22, 0.48), (0.36, 0.55), (0.72, 0.5), (0.86, 0.66), (0.97, 0.5)):
        pen.polygon(
            [(width * (x - 0.09), height), (width * x, height * (1 - tall)), (width * (x + 0.09), height)],
            (206, 206, 152),
        )
    pen.oval(width * -0.4, height * 0.72, width * 1.0, height * 1.3, (158, 166, 98))
    pen.oval(width * 0.2, height * 0.78, width * 1.5, height * 1.3, (122, 138, 72))


def _rain(pen: Pen, width: float, height: float) -> None:
    pen.box(0, 0, width + 1, height + 1, 0, (150, 172, 204))
    pen.oval(width * -0.4, height * 0.76, width * 1.4, height * 1.3, (66, 84, 112))
    for number in range(26):
        x, y = (number * 0.618 % 1.15) * width, (0.34 + number * 0.381 % 0.6) * height
        pen.line([(x, y), (x - width * 0.035, y + height * 0.1)], (222, 234, 248), width * 0.016)
    for x, y, r in ((0.2, 0.24, 0.17), (0.42, 0.14, 0.22), (0.66, 0.18, 0.2), (0.84, 0.26, 0.15)):
        pen.disc(width * x, height * y, width * r, (52, 70, 120))
    pen.box(width * 0.06, height * 0.2, width * 0.98, height * 0.38, width * 0.09, (52, 70, 120))
    for x, y, r in ((0.22, 0.22, 0.11), (0.44, 0.12, 0.15), (0.68, 0.17, 0.13)):
        pen.disc(width * x - width * 0.03, height * y, width * r, (82, 104, 156))


def _sun(pen: Pen, width: float, height: float) -> None:
    pen.box(0, 0, width + 1, height + 1, 0, (255, 222, 120))
    x, y, r = width * 0.55, height * 0.5, width * 0.2
    for radius, colour in ((0.62, (255, 232, 150)), (0.44, (255, 242, 190))):
        pen.disc(x, y, width * radius, colour)
    for ray in range(20):
        angle = ray * 18
        reach = r * (2.3 if ray % 2 else 1.75)
        pen.polygon(
            [polar(x, y, r * 1.15, angle - 5.4), polar(x, y, reach, angle), polar(x, y, r * 1.15, angle + 5.4)],
            (236, 148, 20),
        )
    pen.disc(x, y, r * 1.06, (206, 118, 0))
    pen.disc(x, y, r, (255, 246, 200))
    pen.disc(x + r * 0.07, y + r * 0.07, r * 0.82, (255, 212, 84))
    pen.oval(width * -0.3, height * 0.88, width * 1.3, height * 1.3, (196, 150, 40))


@sprite
def high_sun(size: int) -> Pixels:
    """The Sun card's sun, as it stands over the wood."""
    pen = Pen(size, size)
    c, r = size / 2, size * 0.27
    for ray in range(24):
        angle = ray * 15
        corners = [polar(c, c, r * 1.12, angle - 5), polar(c, c, size * (0.5 if ray % 2 else 0.42), angle),
                   polar(c, c, r * 1.12, angle + 5)]  # fmt: skip
        pen.polygon(corners, (206, 118, 0))
    pen.disc(c, c, r * 1.08, (150, 82, 0))
    pen.disc(c, c, r, (255, 250, 220))
    pen.disc(c + r * 0.06, c + r * 0.06, r * 0.84, (255, 212, 84))
    return pen.pixels()


@sprite
def low_cloud(size: int) -> Pixels:
    """The Rain card's cloud, low over the ground, with its rain."""
    pen = Pen(size, size)
    for number in range(11):
        x, y = size * (0.16 + 0.07 * number), size * (0.56 + 0.05 * (number * 3 % 4))
        pen.line([(x, y), (x - size * 0.05, y + size * 0.22)], (222, 234, 248), size * 0.025)
    for dx, tone in ((0.0, (32, 44, 84)), (-0.012, (66, 88, 144))):
        for x, y, r in ((0.24, 0.38, 0.17), (0.45, 0.26, 0.22), (0.68, 0.32, 0.19), (0.82, 0.42, 0.13)):
            pen.disc(size * (x + dx), size * (y + dx), size * (r + 1.4 * dx), tone)
        pen.box(size * (0.12 + dx), size * 0.36, size * (0.92 + dx), size * (0.54 + 2 * dx), size * 0.09, tone)
    return pen.pixels()
