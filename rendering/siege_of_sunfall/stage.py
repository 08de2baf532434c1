"""Siege of Sunfall's stage: the city on its wall before the setting sun. The later in the round, the lower the sun.

It stands high at first, and touches the horizon once Siege End can be the next card (K1). It is drawn as a screen
print: bands of flat colour with curved edges, which stay sharp and make small files.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from rendering.core.scenery import FINE, scatter
from rendering.core.sprites import Colour, Point, along, mix
from rules.siege_of_sunfall.types import PILES, SiegeView

WALL = 430
"""The top of the wall, in pixels from the top of the page."""
SUN_AT = 740
"""The sun's place across the page: right of the card that the players face."""


class Light(NamedTuple):
    """The sun's height above the wall, and the colours: the sky's from the sun outwards, the city's, the wall's."""

    sun: int
    sky: tuple[Colour, ...]
    city: tuple[Colour, Colour]
    stone: tuple[Colour, ...]


LIGHTS: dict[str, Light] = {
    "day": Light(
        250,
        ((255, 232, 160), (252, 196, 112), (240, 152, 92), (206, 108, 96)),
        ((170, 92, 88), (124, 66, 76)),
        ((150, 104, 84), (128, 86, 72), (104, 68, 60), (78, 50, 48)),
    ),
    "evening": Light(
        140,
        ((255, 214, 132), (246, 152, 84), (214, 92, 80), (132, 54, 84)),
        ((128, 52, 72), (88, 36, 62)),
        ((122, 74, 68), (102, 60, 60), (80, 46, 52), (56, 34, 42)),
    ),
    "": Light(
        20,
        ((255, 190, 110), (222, 96, 70), (140, 44, 74), (60, 28, 66)),
        ((84, 30, 60), (52, 22, 48)),
        ((90, 52, 58), (74, 42, 52), (56, 32, 44), (36, 22, 34)),
    ),
}
"""The light by how far the round is; "" once the next card can be Siege End, and after the match."""


def light_of(view: SiegeView) -> str:
    """Return the light of a view: a key of LIGHTS."""
    half = PILES[view.seats][0] // 2
    if view.outcome or view.card_number >= half:
        return ""
    return "day" if view.card_number <= half // 2 else "evening"


@cache
def wall(light: str, at: int = WALL, ledge: int = 0) -> Callable[[int, int], Image.Image]:
    """Return the painter of the scene in that light; the same one for the same arguments. `at`: the top of the wall;
    `ledge`: the top of a second, lower wall, if there is one.
    """

    def paint(width: int, height: int) -> Image.Image:
        found = LIGHTS[light]
        wide, tall = width * FINE, height * FINE
        image = Image.new("RGB", (wide, tall), found.sky[-1])
        pen = ImageDraw.Draw(image)
        top = min(at, round(height * 0.69)) * FINE
        _paint_sky(pen, found, top)
        _paint_city(pen, found, wide, top)
        _paint_wall(pen, found, wide, tall, top)
        if ledge:
            _paint_battlements(pen, found, wide, ledge * FINE, 0.3)
        return image.resize((width, height), Image.Resampling.LANCZOS)

    return paint


def dusk(width: int, height: int) -> Image.Image:
    """Paint the scene at the end of a round."""
    return wall("")(width, height)


def _paint_sky(pen: ImageDraw.ImageDraw, light: Light, top: int) -> None:
    """Bands round the sun, and the sun."""
    x, y = SUN_AT * FINE, top - light.sun * FINE
    far, bands = math.hypot(x, top) * 1.05, 10
    for band in range(bands):
        part = 1 - band / (bands - 1)
        radius = 110 * FINE + (far - 110 * FINE) * part**1.3
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), along(light.sky, part))
    radius = 84 * FINE
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), mix(light.sky[0], (255, 255, 240), 0.6))


def _paint_city(pen: ImageDraw.ImageDraw, light: Light, wide: int, top: int) -> None:
    """Two rows of roofs and towers behind the wall, lower before the sun."""
    random = scatter("Sunfall")
    for row, colour in enumerate(light.city):
        x = -20.0 * FINE
        while x < wide:
            broad = random.choice((40, 56, 72)) * FINE
            near = 1 - min(1.0, abs(x + broad / 2 - SUN_AT * FINE) / (330 * FINE))
            high = random.choice((70, 96, 128, 160)) * FINE * (1 - 0.62 * near) * (1 if not row else 0.62)
            roof = top - high
            pen.rectangle((x, roof, x + broad, top), colour)
            if random.random() < 0.55:
                gable: list[Point] = [
                    (x - 4 * FINE, roof), (x + broad / 2, roof - 38 * FINE), (x + broad + 4 * FINE, roof),
                ]  # fmt: skip
                pen.polygon(gable, colour)
            else:
                for at in range(int(x), int(x + broad) - 8, 18 * FINE):
                    pen.rectangle((at, roof - 10 * FINE, at + 10 * FINE, roof), colour)
            if row and random.random() < 0.6:
                lit = mix(light.sky[0], light.sky[1], 0.3)
                pen.rectangle((x + broad * 0.42, roof + 16 * FINE, x + broad * 0.58, roof + 34 * FINE), lit)
            x += broad


def _paint_wall(pen: ImageDraw.ImageDraw, light: Light, wide: int, tall: int, top: int) -> None:
    """The battlements, and the stones below them in bands that darken towards the foot."""
    first = light.stone[0]
    _paint_battlements(pen, light, wide, top, 0)
    rows = max(1, (tall - top) // (58 * FINE) + 1)
    for row in range(rows):
        colour = along(light.stone, row / max(1, rows - 1))
        y = top + row * 58 * FINE
        pen.rectangle((0, y, wide, y + 58 * FINE), colour)
        joint = mix(colour, (0, 0, 0), 0.25)
        pen.rectangle((0, y, wide, y + 3 * FINE), joint)
        for x in range((row % 2) * 70 * FINE, wide, 140 * FINE):
            pen.line([(x, y), (x, y + 58 * FINE)], joint, 3 * FINE)
    pen.rectangle((0, top, wide, top + 5 * FINE), mix(first, light.sky[1], 0.4))


def _paint_battlements(pen: ImageDraw.ImageDraw, light: Light, wide: int, top: int, dark: float) -> None:
    """The merlons on the top of a wall, `dark` of the way to black."""
    stone = mix(light.stone[0], (0, 0, 0), dark)
    for at in range(-20 * FINE, wide, 96 * FINE):
        pen.rectangle((at, top - 30 * FINE, at + 58 * FINE, top), stone)
        pen.rectangle((at, top - 30 * FINE, at + 58 * FINE, top - 24 * FINE), mix(stone, light.sky[1], 0.4))
