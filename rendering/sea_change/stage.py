"""Sea Change's stage: a sea with its horizon, whose sky and water turn with the trump.

It is drawn as a screen print: bands of flat colour with curved edges, which stay sharp and make small files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import NamedTuple

from PIL import Image, ImageDraw

from rendering.core.emblems import polar
from rendering.core.scenery import FINE, scatter
from rendering.core.sprites import Colour, Pen, Pixels, Point, along, curve, mix, sprite

HORIZON = 0.28
"""Where sky and water meet, as a part of the height."""


class Light(NamedTuple):
    """The colours of a trump's scene: the sky from above to the horizon, the water from there to the front."""

    sky: tuple[Colour, ...]
    sea: tuple[Colour, ...]
    glow: Colour
    """The disc on the horizon, and its path on the water."""


LIGHTS: dict[str, Light] = {
    "": Light(
        ((16, 26, 48), (24, 40, 66), (36, 58, 88), (56, 82, 112)), ((44, 74, 102), (26, 50, 78), (12, 24, 42)),
        (198, 214, 224),
    ),
    "B": Light(
        ((30, 92, 164), (72, 142, 204), (136, 192, 226), (206, 232, 240)),
        ((74, 150, 196), (30, 92, 152), (10, 44, 92)),
        (255, 252, 232),
    ),
    "G": Light(
        ((12, 62, 70), (30, 104, 100), (92, 158, 132), (190, 216, 164)), ((70, 150, 128), (22, 98, 92), (6, 46, 52)),
        (244, 248, 196),
    ),
    "R": Light(
        ((38, 14, 32), (92, 22, 40), (160, 44, 46), (232, 118, 82)), ((150, 56, 54), (78, 26, 44), (28, 12, 30)),
        (255, 196, 128),
    ),
    "P": Light(
        ((24, 14, 54), (60, 30, 92), (118, 62, 136), (206, 134, 176)), ((112, 70, 142), (56, 32, 96), (20, 12, 48)),
        (250, 214, 226),
    ),
    "Y": Light(
        ((66, 44, 92), (160, 76, 92), (238, 146, 84), (255, 210, 124)), ((206, 126, 86), (64, 74, 112), (14, 30, 60)),
        (255, 244, 204),
    ),
}  # fmt: skip
"""The light of each trump; "" before there is one."""


@cache
def scene(trump: str, horizon: float = HORIZON) -> Callable[[int, int], Image.Image]:
    """Return the painter of the scene in that trump's light; the same one for the same trump and horizon."""

    def paint(width: int, height: int) -> Image.Image:
        light = LIGHTS[trump]
        random = scatter(f"sea {trump}")
        wide, tall = width * FINE, height * FINE
        line = round(tall * horizon)
        image = Image.new("RGB", (wide, tall), light.sky[0])
        pen = ImageDraw.Draw(image)
        _paint_sky(pen, light, wide, line)
        _DETAILS[trump](pen, light, random, wide, line)
        _paint_sea(pen, light, random, wide, tall, line)
        return image.resize((width, height), Image.Resampling.LANCZOS)

    return paint


# The cover: a great wave before the sunrise

CREST: tuple[tuple[Point, ...], ...] = (
    ((-0.03, 0.5), (0.08, 0.22), (0.3, 0.2), (0.44, 0.44)),
    ((0.44, 0.44), (0.5, 0.56), (0.47, 0.7), (0.43, 0.69)),
)
"""The back of the great wave from the left edge to its tip, in parts of the picture."""
FACE: tuple[tuple[Point, ...], ...] = (
    ((0.43, 0.69), (0.44, 0.6), (0.38, 0.55), (0.33, 0.6)),
    ((0.33, 0.6), (0.25, 0.7), (0.32, 0.9), (0.56, 0.93)),
    ((0.56, 0.93), (0.76, 0.95), (0.9, 0.84), (1.04, 0.86)),
)
"""Its hollow side from the tip to the right edge."""
SURF: tuple[Colour, ...] = ((10, 44, 92), (18, 74, 132), (34, 108, 164), (74, 150, 196), (136, 192, 226))
FOAM: Colour = (255, 250, 232)


def great_wave(width: int, height: int) -> Image.Image:
    """Paint the golden sea with a ship, and before it a great wave that breaks over it."""
    image = scene("Y", 0.6)(width, height).resize((width * FINE, height * FINE), Image.Resampling.NEAREST)
    pen = ImageDraw.Draw(image)
    random = scatter("wave")
    ship = _sailing(width)
    image.paste(ship, (round(image.width * 0.865), round(image.height * 0.385)), ship)

    def at(points: Sequence[Point], right: float = 0, down: float = 0) -> list[Point]:
        return [(image.width * (x + right), image.height * (y + down)) for x, y in points]

    crest, face = ([point for part in line for point in curve(*part, steps=28)] for line in (CREST, FACE))
    pen.polygon([*at(crest), *at(face), *at([(1.04, 1.04), (-0.04, 1.04)])], SURF[0])
    for step in range(1, 11):  # ribs of water, from the foot up into the curl
        part = step / 11
        rib = curve(
            (0.62 - 0.66 * part, 1.04), (0.2 - 0.2 * part, 0.84 - 0.1 * part), (0.2 - 0.12 * part, 0.42 - 0.05 * part),
            (0.405 - 0.1 * part, 0.5 - 0.13 * part), steps=30,
        )  # fmt: skip
        tone = SURF[1 + step % 4]
        _stroke(pen, at(rib), tone, (5 + 9 * math.sin(math.pi * part)) * FINE)
    for number, (x, y) in enumerate([*crest[6:], *face[:26]]):
        px, py = at([(x, y)])[0]
        radius = (9 + 9 * abs(math.sin(number * 1.9)) + (7 if 16 < number < 50 else 0)) * FINE
        pen.ellipse((px - radius, py - radius, px + radius, py + radius), FOAM)
    for _ in range(90):  # spray
        x, y = random.gauss(0.45, 0.05), random.gauss(0.64, 0.1)
        px, py = at([(x, y)])[0]
        radius = random.uniform(1.5, 5) * FINE
        pen.ellipse((px - radius, py - radius, px + radius, py + radius), FOAM)
    for number in range(4):  # the swell in front
        top = 0.9 + 0.035 * number
        edge = [(x / 60, top + 0.018 * math.sin(x / 60 * 9 + number * 2.1)) for x in range(-2, 64)]
        pen.polygon([*at(edge), *at([(1.04, 1.04), (-0.04, 1.04)])], mix(SURF[1], SURF[0], number / 4))
        _stroke(pen, at(edge), mix(SURF[3], SURF[0], number / 5), 3 * FINE)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _stroke(pen: ImageDraw.ImageDraw, points: list[Point], colour: Colour, wide: float) -> None:
    """Draw a line that is thin at both ends."""
    for number, (x, y) in enumerate(points):
        radius = wide / 2 * math.sin(math.pi * (number + 0.5) / len(points)) ** 0.5
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), colour)
    for number, (a, b) in enumerate(pairwise(points)):
        thick = wide * math.sin(math.pi * (number + 1) / len(points)) ** 0.5
        pen.line([a, b], colour, max(1, round(thick)))


def _sailing(width: int) -> Image.Image:
    """The ship on the wave, heeled by the wind, in mode RGBA."""
    found = far_ship("Y").pixels
    ship = found.image.convert("RGBA")
    ship.putalpha(found.alpha)
    return ship.resize((width * FINE // 6, width * FINE // 7), Image.Resampling.LANCZOS).rotate(
        -9, Image.Resampling.BICUBIC, expand=True
    )


def sunrise(width: int, height: int) -> Image.Image:
    """Paint the golden sea, on which results stand: the winner before the sun."""
    return scene("Y", 0.36)(width, height)


@sprite
def jetty(width: int, height: int, metal: Colour) -> Pixels:
    """A step of the podium: a jetty of planks in the water, with a band of gold, silver or bronze."""
    pen = Pen(width, height)
    boards, dark = 9, (44, 26, 26)
    wide = (width - 24) / boards
    for board in range(boards):
        left = 12 + board * wide
        tone = mix((92, 56, 42), (60, 36, 34), (board * 5 % 7) / 6)
        pen.box(left, 8, left + wide, height + 20, 2, dark)
        pen.box(left + 1.5, 8, left + wide - 1.5, height + 20, 2, tone)
    pen.box(0, 0, width, 30, 7, dark)
    pen.box(2, 2, width - 2, 27, 6, (168, 112, 68))
    pen.box(6, 4, width - 6, 10, 3, (224, 170, 112))
    pen.box(12, 31, width - 12, 42, 0, mix(metal, (0, 0, 0), 0.45))
    pen.box(12, 32, width - 12, 39, 0, metal)
    for side in (18, width - 18):
        pen.disc(side, 15, 5, dark)
    foam: list[Point] = [(x, height - 5 + 3 * math.sin(x / 13)) for x in range(0, width + 4, 4)]
    pen.line(foam, (255, 244, 204), 4)
    return pen.pixels()


def _paint_sky(pen: ImageDraw.ImageDraw, light: Light, wide: int, line: int) -> None:
    """Bands round the place on the horizon where the light comes from."""
    x, far = wide / 2, math.hypot(wide / 2, line) * 1.02
    bands = 11
    for band in range(bands):
        part = band / (bands - 1)
        radius = far * (1 - part) ** 1.25 + 150 * FINE
        pen.ellipse((x - radius, line - radius, x + radius, line + radius), along(light.sky, part))


def _paint_sea(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, tall: int, line: int) -> None:
    """Swells that grow towards the front, with the path of the light on them."""
    bands = 12
    for band in range(bands):
        part = band / (bands - 1)
        y = line + (tall - line) * (band / bands) ** 1.55
        swell, long = (2 + 13 * part) * FINE, (70 + 300 * part) * FINE
        shift = random.random() * long
        if not band:
            edge: list[Point] = [(0, y), (wide, y)]
        else:
            edge = [
                (x, y + swell * (math.sin((x + shift) * math.tau / long) + 0.4 * math.sin((x - shift) * 5.1 / long)))
                for x in range(-8, wide + 9, 8)
            ]
        colour = along(light.sea, part)
        pen.polygon([*edge, (wide, tall), (0, tall)], colour)
        if band:
            pen.line(edge, mix(colour, light.glow, 0.34 * (1 - part) + 0.06), round((2 + 2 * part) * FINE))
    for number in range(150):
        part = (number / 150) ** 1.35
        y = line + (6 + 0.62 * (tall - line) * part)
        spread = (44 + 190 * part) * FINE
        x = wide / 2 + random.gauss(0, 0.5) * spread
        long = (10 + 46 * part) * FINE * random.uniform(0.5, 1.2)
        thick = max(2, round((2 + 3.4 * part) * FINE))
        water = along(light.sea, ((y - line) / (tall - line)) ** (1 / 1.55))
        pen.line([(x - long, y), (x + long, y)], mix(water, light.glow, 0.75 - 0.55 * part), thick)


# What each light has besides: flat shapes in the sky


def _stars(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, line: int) -> None:
    for _ in range(70):
        x, y, r = random.uniform(0, wide), random.uniform(0, line * 0.8), random.uniform(0.8, 2.2) * FINE
        pen.ellipse((x - r, y - r, x + r, y + r), mix(light.sky[1], light.glow, random.uniform(0.35, 0.9)))


def _clouds(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, line: int) -> None:
    """Low white banks at both sides of the light."""
    for middle, high, size in ((0.13, 0.86, 1.0), (0.29, 0.94, 0.62), (0.88, 0.84, 1.1), (0.74, 0.95, 0.55)):
        x, y = wide * middle, line * high
        for number in range(7):
            r = line * size * random.uniform(0.1, 0.19)
            cx = x + (number - 3) * line * size * 0.13
            pen.ellipse((cx - r, y - r, cx + r, y + r), mix(light.sky[-1], (255, 255, 255), 0.6))
    pen.rectangle((0, line * 0.985, wide, line), light.sky[-1])


def _storm(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, line: int) -> None:
    """Dark fronts above, and far rain."""
    for level, colour in ((0.34, mix(light.sky[0], light.sky[1], 0.6)), (0.2, light.sky[0])):
        edge: list[Point] = [(0, 0)]
        for at in range(0, wide + 1, 8):
            lumps = abs(math.sin(at * 0.0043 + level * 40)) + 0.5 * abs(math.sin(at * 0.011 + level * 90))
            edge.append((at, line * (level + 0.16 * lumps)))
        pen.polygon([*edge, (wide, 0)], colour)
    for number in range(26):
        x = random.uniform(0.02, 0.26) * wide if number % 2 else random.uniform(0.74, 0.98) * wide
        y = line * random.uniform(0.45, 0.75)
        pen.line([(x, y), (x - line * 0.07, y + line * 0.2)], mix(light.sky[1], light.sky[3], 0.3), 3 * FINE)


def _hills(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, line: int) -> None:
    """Islands with palms round a lagoon."""
    for left, right, high, shade in ((-0.05, 0.3, 0.34, 0.35), (0.72, 1.06, 0.4, 0.35), (-0.02, 0.16, 0.2, 0.6)):
        edge = [
            (wide * (left + (right - left) * step / 40), line * (1 - high * math.sin(math.pi * step / 40) ** 1.4))
            for step in range(41)
        ]
        pen.polygon(edge, mix(light.sky[2], light.sea[1], shade))
    for foot, tall, lean in ((0.09, 0.4, 1), (0.125, 0.3, -1), (0.91, 0.36, -1)):
        x, y = wide * foot, line * 0.99
        top = (x + lean * line * 0.07, y - line * tall)
        dark = mix(light.sea[1], light.sea[2], 0.5)
        pen.line([(x, y), ((x + top[0]) / 2 + lean * line * 0.015, (y + top[1]) / 2), top], dark, 5 * FINE)
        for angle in (200, 235, 275, 315, 345):
            tip = polar(*top, line * 0.13, angle)
            side = polar(*top, line * 0.08, angle + 22)
            pen.polygon([top, side, tip], dark)


def _gulls(pen: ImageDraw.ImageDraw, light: Light, random: Random, wide: int, line: int) -> None:
    """Long clouds, and gulls."""
    for x, y, half in ((0.2, 0.5, 0.16), (0.78, 0.42, 0.2), (0.3, 0.72, 0.12), (0.86, 0.68, 0.14)):
        thick = line * 0.028
        colour = mix(light.sky[1], light.sky[2], 0.5)
        box = (wide * (x - half), line * y, wide * (x + half), line * y + 2 * thick)
        pen.rounded_rectangle(box, thick, colour)
    for x, y, size in ((0.33, 0.5, 15), (0.37, 0.42, 11), (0.66, 0.56, 13)):
        at, high, s = wide * x, line * y, size * FINE
        for side in (-1, 1):
            box = (min(at, at + side * 2 * s), high - s, max(at, at + side * 2 * s), high + s)
            pen.arc(box, 200, 340, light.sky[0], 3 * FINE)


_DETAILS: dict[str, Callable[[ImageDraw.ImageDraw, Light, Random, int, int], None]] = {
    "": _stars, "B": _clouds, "G": _hills, "R": _storm, "P": _stars, "Y": _gulls,
}  # fmt: skip


@sprite
def far_ship(trump: str) -> Pixels:
    """The ship on the horizon, dark against the sky."""
    light = LIGHTS[trump]
    dark = mix(light.sky[0], light.sea[-1], 0.5)
    sail = mix(dark, light.sky[-1], 0.3)
    pen = Pen(120, 96)
    pen.polygon([(12, 76), (110, 76), (98, 94), (26, 94)], dark)
    pen.line([(58, 76), (58, 6)], dark, 4)
    pen.polygon([(62, 8), (100, 66), (62, 66)], sail)
    pen.polygon([(54, 16), (26, 66), (54, 66)], mix(sail, dark, 0.35))
    return pen.pixels()
