"""Full Sun's stage: a wood in the morning, as on a poster of a national park. Rain darkens it, the Sun floods it.

It is drawn as a screen print: bands of flat colour with curved edges, which stay sharp and make small files.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

from PIL import Image, ImageDraw

from rendering.core.scenery import FINE, scatter
from rendering.core.sprites import Colour, Pen, Pixels, Point, along, curve, mix, sprite

GROUND = 0.655
"""Where the trees of a trick stand, as a part of a table's height."""


class Light(NamedTuple):
    """The colours of a scene: the sky from the light outwards, the planes of trees from far to near, the ground."""

    sky: tuple[Colour, ...]
    planes: tuple[Colour, ...]
    ground: tuple[Colour, ...]


LIGHTS: dict[str, Light] = {
    "": Light(
        ((252, 240, 196), (244, 216, 150), (226, 184, 116), (190, 152, 100)),
        ((176, 168, 110), (128, 132, 78), (66, 72, 44)),
        ((122, 126, 62), (86, 92, 44), (54, 58, 30), (32, 34, 20)),
    ),
    "Rain": Light(
        ((196, 208, 220), (162, 178, 196), (128, 146, 170), (98, 114, 142)),
        ((112, 132, 148), (82, 102, 116), (46, 62, 74)),
        ((84, 106, 104), (62, 82, 82), (42, 56, 60), (24, 32, 38)),
    ),
    "Sun": Light(
        ((255, 250, 214), (255, 232, 140), (252, 204, 84), (240, 172, 60)),
        ((222, 176, 76), (178, 132, 52), (104, 74, 30)),
        ((176, 142, 48), (134, 102, 38), (84, 62, 26), (46, 34, 18)),
    ),
}
"""The light of the trick: with the Sun in it, or with Rain; "" without either."""


@cache
def scene(weather: str, ground: float = GROUND) -> Callable[[int, int], Image.Image]:
    """Return the painter of the scene in that light; the same one for the same light. `ground`: where trees stand."""

    def paint(width: int, height: int) -> Image.Image:
        light = LIGHTS[weather]
        random = scatter("wood")
        wide, tall = width * FINE, height * FINE
        image = Image.new("RGB", (wide, tall), light.sky[-1])
        pen = ImageDraw.Draw(image)
        line = tall * ground
        _paint_sky(pen, light, wide, line)
        _paint_firs(pen, light.planes[0], random, wide, line - tall * 0.05, 0.34 * line)
        _paint_firs(pen, light.planes[1], random, wide, line, 0.22 * line)
        _paint_trunks(pen, light, random, wide, line)
        _paint_ground(pen, light, wide, tall, line)
        _paint_grass(pen, light, random, (wide, tall), line)
        return image.resize((width, height), Image.Resampling.LANCZOS)

    return paint


COVER_GROUND = 0.86
"""Where the trees of the cover stand, as a part of its height."""


def from_rain_to_sun(width: int, height: int) -> Image.Image:
    """Paint the wood with rain at its left and the sun at its right, and a slanting edge between."""
    dark, bright = (scene(weather, COVER_GROUND)(width, height) for weather in ("Rain", "Sun"))
    wide, tall = width * FINE, height * FINE
    rain = dark.resize((wide, tall), Image.Resampling.NEAREST)
    pen, random = ImageDraw.Draw(rain), scatter("rain")
    tone = LIGHTS["Rain"].sky[0]
    for _ in range(70):
        x, y, long = random.uniform(0, 0.5) * wide, random.uniform(0.3, 0.95) * tall, random.uniform(0.04, 0.09) * tall
        pen.line([(x, y), (x - long * 0.4, y + long)], tone, 2 * FINE)
    dark = rain.resize((width, height), Image.Resampling.BOX)
    edge = Image.new("L", (wide, tall))
    ImageDraw.Draw(edge).polygon([(wide * 0.55, 0), (wide, 0), (wide, tall), (wide * 0.36, tall)], 255)
    return Image.composite(bright, dark, edge.resize((width, height), Image.Resampling.BOX))


def full_sun(width: int, height: int) -> Image.Image:
    """Paint the wood in full sun, in which results stand."""
    return scene("Sun", 0.53)(width, height)


@sprite
def stump(width: int, height: int, metal: Colour) -> Pixels:
    """A step of the podium: a stump with its rings, and a band of gold, silver or bronze."""
    pen = Pen(width, height)
    bark, dark, middle = (84, 58, 40), (46, 32, 24), width / 2
    root = [
        (12, 26), (10, height - 40), (0, height + 4), (width, height + 4), (width - 10, height - 40), (width - 12, 26),
    ]  # fmt: skip
    pen.polygon([(x, y) for x, y in root], dark)
    pen.polygon([(x + (3 if x < middle else -3), y) for x, y in root], bark)
    for number in range(15):
        x = 26 + number * (width - 52) / 14
        sway = 4 * math.sin(number * 2.3)
        tone = mix(bark, dark, 0.34 + 0.3 * (number % 3) / 2)
        pen.line([(x, 38), (x + sway, height * 0.6), (x - sway, height + 6)], tone, 2.5 + number % 2 * 2)
    pen.line(curve((12, 34), (middle * 0.5, 52), (middle * 1.5, 52), (width - 12, 34)), mix(metal, dark, 0.5), 12)
    pen.line(curve((13, 33), (middle * 0.5, 51), (middle * 1.5, 51), (width - 13, 33)), metal, 8)
    pen.oval(6, 0, width - 6, 40, dark)
    pen.oval(9, 2, width - 9, 37, (206, 160, 100))
    for ring in range(1, 6):
        part = ring / 6
        inner = (9 + (middle - 9) * part, 2 + 17.5 * part, width - 9 - (middle - 9) * part, 37 - 17.5 * part)
        pen.oval(*inner, (168, 120, 70) if ring % 2 else (226, 186, 128))
    return pen.pixels()


def _paint_sky(pen: ImageDraw.ImageDraw, light: Light, wide: int, line: float) -> None:
    """Bands round the light above, and its shafts."""
    x, bands = wide / 2, 9
    far = math.hypot(wide / 2, line) * 1.05
    for band in range(bands):
        part = band / (bands - 1)
        radius = far * (1 - part) ** 1.1 + 60 * FINE
        box = (x - radius, -radius - 20, x + radius, radius - 20)
        pen.ellipse(box, along(light.sky, 1 - part))
    for left, right, strength in ((-0.62, -0.5, 0.35), (-0.3, -0.16, 0.3), (0.1, 0.26, 0.3), (0.46, 0.56, 0.35)):
        shaft: list[Point] = [
            (x + left * 0.12 * wide, 0), (x + right * 0.12 * wide, 0),
            (x + right * wide, line), (x + left * wide, line),
        ]  # fmt: skip
        pen.polygon(shaft, mix(light.sky[1], light.sky[0], strength))


def _paint_firs(pen: ImageDraw.ImageDraw, colour: Colour, random: Random, wide: int, foot: float, high: float) -> None:
    """A plane of fir trees, lower in the middle, where the trick is."""
    x = -20.0
    while x < wide + 40:
        aside = abs(x / wide - 0.5) * 2
        tall = high * (0.34 + 0.66 * aside**1.6) * random.uniform(0.72, 1.1)
        half = tall * 0.2 + 10
        for tier in range(3):
            top = foot - tall * (1 - tier * 0.26)
            low = foot - tall * (0.52 - tier * 0.26)
            reach = half * (0.55 + 0.24 * tier)
            pen.polygon([(x, top), (x + reach, low), (x - reach, low)], colour)
        x += half * random.uniform(0.9, 1.5)
    pen.rectangle((0, foot - high * 0.16, wide, foot + 40 * FINE), colour)


def _paint_trunks(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, line: float) -> None:
    """The nearest trunks, at both sides."""
    for place, thick in ((0.012, 0.034), (0.075, 0.018), (0.985, 0.036), (0.93, 0.02)):
        x, half, foot = wide * place, wide * thick / 2, line * 1.06
        trunk: list[Point] = [(x - half * 1.3, foot), (x - half * 0.8, 0), (x + half * 0.8, 0), (x + half * 1.3, foot)]
        pen.polygon(trunk, light.planes[2])
        inner = 1 if place < 0.5 else -1
        rim: list[Point] = [(x + inner * half * 0.8, line), (x + inner * half * 0.5, 0)]
        pen.line(rim, mix(light.planes[2], light.sky[1], 0.35), 3 * FINE)
        for _ in range(3):
            y = line * random.uniform(0.12, 0.7)
            tip = x + inner * wide * random.uniform(0.03, 0.07)
            pen.line([(x, y), (tip, y - line * 0.05)], light.planes[2], 5 * FINE)


def _paint_ground(pen: ImageDraw.ImageDraw, light: Light, wide: int, tall: int, line: float) -> None:
    """Curved ground in bands that darken towards the front."""
    bands = 7
    for band in range(bands):
        part = band / (bands - 1)
        top = line - 16 * FINE + (tall - line) * part**1.2
        colour = along(light.ground, part)
        sag = 26 * FINE * (1 if band % 2 else -0.6)
        edge: list[Point] = [
            (x, top + sag * math.sin(math.pi * x / wide + band) * 0.6) for x in range(0, wide + 16, 16)
        ]
        pen.polygon([*edge, (wide + 16, tall), (0, tall)], colour)
        pen.line(edge, mix(colour, light.sky[1], 0.28 * (1 - part) + 0.04), 3 * FINE)


TUFTS = 110
"""The tufts of grass on the ground."""


def _paint_grass(pen: ImageDraw.ImageDraw, light: Light, random: Random, size: tuple[int, int], line: float) -> None:
    """Tufts of grass, larger towards the front."""
    wide, tall = size
    for _ in range(TUFTS):
        near = random.random()
        x, y = random.uniform(0, wide), line + 12 * FINE + (tall - line) * near
        blade = (9 + 13 * near) * FINE
        tone = mix(along(light.ground, near), light.sky[1], 0.16)
        for lean in (-0.5, 0, 0.5):
            pen.line([(x, y), (x + lean * blade, y - blade * (1 - abs(lean) / 3))], tone, 2 * FINE)
