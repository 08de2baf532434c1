"""Siege of Sunfall's stage: the city behind its wall before the setting sun, and the field before the wall.

The later in the round, the lower the sun: it stands high at first, and touches the horizon once Siege End can be the
next card (K1). It is drawn as a screen print: bands of flat colour with curved edges, which stay sharp and make small
files.
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
    """The sun's height above the wall, and the colours: the sky's from the sun outwards, the city's, the wall's, the
    field's from the wall on.
    """

    sun: int
    sky: tuple[Colour, ...]
    city: tuple[Colour, Colour]
    stone: tuple[Colour, ...]
    field: tuple[Colour, Colour]


LIGHTS: dict[str, Light] = {
    "day": Light(
        176,
        ((255, 232, 160), (252, 196, 112), (240, 152, 92), (206, 108, 96)),
        ((170, 92, 88), (124, 66, 76)),
        ((172, 122, 94), (146, 100, 80), (118, 78, 66), (88, 56, 52)),
        ((142, 108, 66), (92, 66, 48)),
    ),
    "evening": Light(
        104,
        ((255, 214, 132), (246, 152, 84), (214, 92, 80), (132, 54, 84)),
        ((128, 52, 72), (88, 36, 62)),
        ((146, 90, 76), (118, 70, 66), (90, 52, 56), (62, 36, 44)),
        ((118, 74, 56), (68, 42, 44)),
    ),
    "": Light(
        20,
        ((255, 190, 110), (222, 96, 70), (140, 44, 74), (60, 28, 66)),
        ((84, 30, 60), (52, 22, 48)),
        ((112, 64, 66), (88, 50, 58), (64, 36, 48), (40, 24, 36)),
        ((90, 50, 52), (46, 26, 38)),
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
def wall(light: str, at: int = WALL, ledge: int = 0, field: int = 0) -> Callable[[int, int], Image.Image]:
    """Return the painter of the scene in that light; the same one for the same arguments. `at`: the top of the wall;
    `ledge`: the top of a second, lower wall, if there is one; `field`: the top of the field before it, if it shows.
    """

    def paint(width: int, height: int) -> Image.Image:
        found = LIGHTS[light]
        wide, tall = width * FINE, height * FINE
        image = Image.new("RGB", (wide, tall), found.sky[-1])
        pen = ImageDraw.Draw(image)
        top = min(at, round(height * 0.69)) * FINE
        _paint_sky(pen, found, top)
        _paint_city(pen, found, wide, top)
        _paint_towers(pen, found, wide, top)
        _paint_wall(pen, found, wide, tall, top)
        if ledge:
            _paint_battlements(pen, found, wide, ledge * FINE, 0.3)
        if field:
            _paint_field(pen, found, wide, tall, field * FINE)
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


TOWER = 128
"""The width of the towers at both ends of the wall."""


def _paint_towers(pen: ImageDraw.ImageDraw, light: Light, wide: int, top: int) -> None:
    """A tower at each end of the wall: battlements the city's banner, a roof, and a pennant on a high stage."""
    broad, gold = TOWER * FINE, mix(light.sky[1], (255, 220, 130), 0.7)
    cloth = mix((178, 36, 52), light.city[1], 0.12)
    for side, middle in ((1, broad * 0.44), (-1, wide - broad * 0.44)):
        left, right, roof = middle - broad / 2, middle + broad / 2, top - 132 * FINE
        stone, sunny = mix(light.stone[0], light.city[1], 0.3), mix(light.stone[0], light.sky[1], 0.34)
        shady = mix(light.stone[1], light.city[1], 0.55)
        if top >= HIGH * FINE:
            _paint_pennant(pen, light, middle, roof - 100 * FINE, side)
        gable = [(left + 4 * FINE, roof), (middle, roof - 104 * FINE), (right - 4 * FINE, roof)]
        pen.polygon(gable, mix(light.city[1], (150, 34, 44), 0.45))
        pen.polygon([gable[1], gable[1 + side], (middle, roof)], mix(light.city[1], (206, 70, 52), 0.5))
        pen.rectangle((left, roof, right, top), stone)
        for row in range(5):
            y = roof + (26 + 24 * row) * FINE
            pen.line([(left, y), (right, y)], shady, 2 * FINE)
            for block in range(int(left) + (row % 2) * 20 * FINE, int(right), 40 * FINE):
                pen.line([(block, y), (block, y + 24 * FINE)], shady, 2 * FINE)
        lit = (right - 12 * FINE, right) if side > 0 else (left, left + 12 * FINE)
        pen.rectangle((lit[0], roof, lit[1], top), sunny)
        pen.rectangle((left - 8 * FINE, roof - 4 * FINE, right + 8 * FINE, roof + 14 * FINE), shady)
        for number in range(4):
            x = left - 8 * FINE + number * (broad + 16 * FINE - 26 * FINE) / 3
            pen.rectangle((x, roof - 22 * FINE, x + 26 * FINE, roof - 2 * FINE), stone)
            pen.rectangle((x, roof - 22 * FINE, x + 26 * FINE, roof - 18 * FINE), sunny)
        _paint_banner(pen, middle - side * 6 * FINE, roof + 16 * FINE, cloth, gold)


HIGH = 530
"""From this top of the wall on, there is sky for pennants; nearer to the head they would fly behind words."""


def _paint_banner(pen: ImageDraw.ImageDraw, x: float, y: float, cloth: Colour, gold: Colour) -> None:
    """A long banner with the setting sun."""
    for grow, colour in ((4, mix(cloth, (0, 0, 0), 0.55)), (0, gold), (-4, cloth)):
        half = (26 + grow) * FINE
        shape = [(x - half, y), (x + half, y), (x + half, y + (82 + grow) * FINE), (x, y + (100 + grow) * FINE)]
        pen.polygon([*shape, (x - half, y + (82 + grow) * FINE)], colour)
    middle = y + 44 * FINE
    for step in range(7):
        angle = math.pi * (1 + step / 6)
        tip = (x + 19 * FINE * math.cos(angle), middle + 19 * FINE * math.sin(angle))
        pen.line([(x, middle), tip], gold, 3 * FINE)
    pen.pieslice((x - 12 * FINE, middle - 12 * FINE, x + 12 * FINE, middle + 12 * FINE), 180, 360, gold)
    pen.rectangle((x - 18 * FINE, middle + 3 * FINE, x + 18 * FINE, middle + 6 * FINE), gold)


def _paint_pennant(pen: ImageDraw.ImageDraw, light: Light, x: float, foot: float, side: int) -> None:
    """A pole with a pennant that flies towards the sun."""
    high = 54 * FINE
    pen.line([(x, foot + 12 * FINE), (x, foot - high)], mix(light.city[1], (0, 0, 0), 0.3), 4 * FINE)
    cloth = [(0, 0), (30, 5), (58, 1), (46, 13), (60, 25), (30, 29), (0, 25)]
    pen.polygon([(x + side * px * FINE, foot - high + py * FINE) for px, py in cloth], (178, 44, 48))
    pen.polygon([(x + side * px * FINE, foot - high + (9 + py * 0.28) * FINE) for px, py in cloth], (252, 206, 120))


def _paint_wall(pen: ImageDraw.ImageDraw, light: Light, wide: int, tall: int, top: int) -> None:
    """The battlements, and below them stones of many tones, in rows that darken towards the foot."""
    random = scatter("wall")
    _paint_battlements(pen, light, wide, top, 0)
    high = 58 * FINE
    rows = max(1, (tall - top) // high + 1)
    for row in range(rows):
        colour = along(light.stone, row / max(1, rows - 1))
        y, x = top + row * high, -random.randrange(60) * FINE
        pen.rectangle((0, y, wide, y + high), mix(colour, (0, 0, 0), 0.3))
        while x < wide:
            long = random.choice((92, 116, 140)) * FINE
            face = mix(colour, random.choice((light.sky[1], colour, (0, 0, 0))), 0.09)
            pen.rounded_rectangle((x, y + 3 * FINE, x + long - 3 * FINE, y + high), 5 * FINE, face)
            edge = (x + 4 * FINE, y + 3 * FINE, x + long - 7 * FINE, y + 6 * FINE)
            pen.rectangle(edge, mix(face, light.sky[1], 0.22 * (1 - row / rows)))
            x += long
    pen.rectangle((0, top, wide, top + 7 * FINE), mix(light.stone[0], light.sky[1], 0.5))
    pen.rectangle((0, top + 7 * FINE, wide, top + 12 * FINE), mix(light.stone[1], (0, 0, 0), 0.35))


def _paint_battlements(pen: ImageDraw.ImageDraw, light: Light, wide: int, top: int, dark: float) -> None:
    """The merlons on the top of a wall, `dark` of the way to black: a cap in the sun, a side in the shade, a slit."""
    stone = mix(light.stone[0], (0, 0, 0), dark)
    shade = mix(stone, (0, 0, 0), 0.3)
    for at in range(-20 * FINE, wide, 96 * FINE):
        pen.rectangle((at, top - 30 * FINE, at + 58 * FINE, top), stone)
        toward = at < SUN_AT * FINE
        edge = at if toward else at + 50 * FINE
        pen.rectangle((edge, top - 30 * FINE, edge + 8 * FINE, top), shade)
        pen.rectangle((at + 26 * FINE, top - 20 * FINE, at + 31 * FINE, top - 4 * FINE), shade)
        cap = (at - 3 * FINE, top - 34 * FINE, at + 61 * FINE, top - 27 * FINE)
        pen.rectangle(cap, mix(stone, light.sky[1], 0.5))


def _paint_field(pen: ImageDraw.ImageDraw, light: Light, wide: int, tall: int, top: int) -> None:
    """The trodden field before the wall, with stakes and tufts: the attackers come over it."""
    random = scatter("field")
    for part, down, swell, long in ((0.0, 0, 5, 410), (0.5, 26, 7, 560), (1.0, 58, 6, 700)):
        line = [(x, top + (down + swell * math.sin(x / FINE * math.tau / long + down)) * FINE)
                for x in range(0, wide + 8, 8)]  # fmt: skip
        pen.polygon([*line, (wide, tall), (0, tall)], along(light.field, part))
    for _ in range(26):
        x, y = random.randrange(wide), random.randrange(top + 12 * FINE, tall)
        for lean in (-6, 0, 6):
            pen.line([(x + lean, y), (x + 2 * lean, y - 12 * FINE)], mix(light.field[1], (0, 0, 0), 0.3), 3 * FINE)
