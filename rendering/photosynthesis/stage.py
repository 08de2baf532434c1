"""The clearing round the board of Photosynthesis: a meadow in the light of the hour, the slab, the sun's track.

The light comes from the sun's corner, warm at dawn in the west, white at noon, red in the south-east, and blue in the
last corner before the night.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

from PIL import Image, ImageDraw

from rendering.core.scenery import scatter
from rendering.core.sprites import Colour, Point, along, curve, mix
from rendering.photosynthesis.scene import MOSS, PEAT, RAIL_AT, SUN, Scene, first_in_light
from rules.photosynthesis import HEXES

WOOD: Colour = (44, 84, 62)
MEADOW: tuple[Colour, ...] = ((150, 166, 92), (112, 142, 84), (78, 116, 76), (54, 94, 68), (40, 76, 60))
"""The grass from the light on."""
_HOURS: tuple[tuple[Colour, float], ...] = (
    ((255, 186, 130), 0.3), ((255, 226, 140), 0.26), ((255, 250, 204), 0.3), ((255, 216, 120), 0.28),
    ((255, 160, 96), 0.3), ((150, 150, 214), 0.32),
)  # fmt: skip
"""The colour of the light in each corner, and how much of it the grass takes on."""


def meadow(sun: int) -> tuple[Colour, ...]:
    """Return the colours of the grass from the sun's corner on."""
    light, part = _HOURS[sun]
    return tuple(mix(tone, light, part * (1 - 0.24 * at)) for at, tone in enumerate(MEADOW))


SKY, RAY = (250, 206, 128), (255, 228, 164)
COLOURS: tuple[Colour, ...] = (WOOD, SKY, RAY, *MEADOW, *(meadow(sun)[0] for sun in range(6)))
"""The colours that the palette has exactly."""
THICK = 20
"""The thickness of the slab, in pixels of the table's board."""


def woods(width: int, height: int) -> Image.Image:
    """The meadow in the light of a sun above."""
    image = Image.new("RGB", (width * 2, height * 2), MEADOW[-1])
    _paint_meadow(ImageDraw.Draw(image), (width * 2, height * 2), (width, 0), MEADOW)
    return image.reduce(2)


def _paint_meadow(pen: ImageDraw.ImageDraw, size: tuple[int, int], light: Point, tones: Sequence[Colour]) -> None:
    """Bands of grass round the light, with tufts and flowers, and bushes at the edge of the clearing."""
    (wide, tall), (x, y) = size, light
    far = math.hypot(max(x, wide - x), max(y, tall - y)) * 1.02
    bands = 6
    for band in range(bands):
        part = 1 - band / (bands - 1)
        radius = 220 + (far - 220) * part
        pen.ellipse((x - radius, y - radius * 0.9, x + radius, y + radius * 0.9), along(tones, part))
    random = scatter(37)

    def tone_at(at_x: float, at_y: float) -> Colour:
        return along(tones, math.hypot(at_x - x, at_y - y) / far)

    for _ in range(24):
        at_x, at_y = random.randrange(wide), random.randrange(tall)
        here, grown = tone_at(at_x, at_y), random.uniform(0.7, 1.3)
        for lean in (-14, 0, 14):
            tip = (at_x + lean * grown, at_y - (30 - abs(lean) * 0.7) * grown)
            pen.line([(at_x + lean * 0.2, at_y), tip], mix(here, PEAT if lean < 0 else (255, 255, 210), 0.22), 5)
    for _ in range(8):
        at_x, at_y = random.randrange(wide), random.randrange(tall)
        petal = random.choice(((250, 240, 214), (250, 240, 214), (244, 196, 90), (206, 150, 190)))
        petal = mix(petal, tone_at(at_x, at_y), 0.2)
        for dx, dy in ((-5, 0), (5, 0), (0, -5), (0, 4)):
            pen.ellipse((at_x + dx - 4, at_y + dy - 4, at_x + dx + 4, at_y + dy + 4), petal)
    edge = [(at, side * tall) for side in (0, 1) for at in range(0, wide + 1, 110)]
    edge += [(side * wide, at) for side in (0, 1) for at in range(110, tall, 110)]
    for left, top in sorted(edge, key=lambda one: one[1]):
        radius = random.uniform(60, 96)
        for lift, part, dark in ((0.0, 1.0, 0.5), (0.24, 0.7, 0.34)):
            middle, crown, r = left - lift * radius * 0.9, top - lift * radius, radius * part
            pen.ellipse(
                (middle - r, crown - r * 0.86, middle + r, crown + r * 0.86), mix(tones[-2], (18, 48, 44), dark)
            )


@cache
def floor(scene: Scene, sun: int) -> Callable[[int, int], Image.Image]:
    """Return the painter of the clearing in the light from that corner, with the board's slab without its hexes."""

    def paint(width: int, height: int) -> Image.Image:
        tones = meadow(sun)
        image = Image.new("RGB", (width * 2, height * 2), tones[-1])
        x, y = scene.sun_at(sun)
        _paint_meadow(ImageDraw.Draw(image), (width * 2, height * 2), (2 * x, 2 * y), tones)
        _paint_beams(image, scene, sun)
        pen = ImageDraw.Draw(image)
        _paint_rail(pen, scene, tones)
        _paint_slab(pen, scene)
        return image.reduce(2)

    return paint


def _paint_beams(image: Image.Image, scene: Scene, sun: int) -> None:
    """Beams of light along the seven lines on which it reaches the board, and a glow round the sun."""
    mask = Image.new("L", image.size)
    pen = ImageDraw.Draw(mask)
    x, y = scene.sun_at(sun)
    for radius, strength in ((1.9, 14), (1.62, 26), (1.36, 40), (1.1, 56), (0.86, 76), (0.64, 100)):
        across, down = scene.away(radius, radius)
        pen.ellipse((2 * (x - across), 2 * (y - down), 2 * (x + across), 2 * (y + down)), strength)
    dx, dy = scene.direction(sun)
    nx, ny = scene.away(-math.sin(math.radians(60 * sun)), math.cos(math.radians(60 * sun)))
    for hex_ in first_in_light(sun):
        hx, hy = scene.centre(hex_)
        ends = [(-6.0, 0.24), (-6.0, -0.24), (0.0, -0.24), (0.0, 0.24)]
        pen.polygon([(2 * (hx + a * dx + b * nx), 2 * (hy + a * dy + b * ny)) for a, b in ends], 30)
    light = mix(_HOURS[sun][0], (255, 244, 170), 0.6)
    image.paste(light, (0, 0, *image.size), mask)


def rail(scene: Scene) -> list[Point]:
    """Return the corners of the sun's track, the sun's first."""
    return [scene.sun_at(sun, RAIL_AT) for sun in range(6)]


def _paint_rail(pen: ImageDraw.ImageDraw, scene: Scene, tones: Sequence[Colour]) -> None:
    """A path trodden round the board, along which the sun goes."""
    path = [(2 * x, 2 * y) for x, y in (*rail(scene), *rail(scene)[:2])]
    for tone, thick in ((mix(tones[3], PEAT, 0.6), 26), (mix(tones[1], (240, 222, 170), 0.5), 17)):
        pen.line(path, tone, round(thick * scene.hex / 134), joint="curve")


def _paint_slab(pen: ImageDraw.ImageDraw, scene: Scene) -> None:
    """The slab of earth: its shadow on the grass, its side with stones and roots, its rim of moss."""
    thick, random = scene.scaled(THICK), scatter(5)
    for inset, drop, colour in (
        (-13, thick + 12, mix(PEAT, (10, 30, 34), 0.7)),
        (-13, thick, mix(PEAT, (0, 0, 0), 0.3)),
        (-13, thick - 5, mix(PEAT, (150, 104, 66), 0.35)),
        (-13, thick - 13, PEAT),
    ):
        _paint_hexes(pen, scene, inset, drop, colour)
    for hex_ in HEXES:
        x, y = scene.centre(hex_)
        for _ in range(4):
            sx, sy = x + random.uniform(-50, 50) * scene.hex / 134, y + scene.pitch * 0.5 + random.uniform(6, 15)
            tone = random.choice(((132, 104, 78), (96, 70, 50), (160, 132, 98)))
            pen.ellipse((2 * sx - 8, 2 * sy - 5, 2 * sx + 8, 2 * sy + 5), tone)
    _paint_hexes(pen, scene, -13, 0, mix(MOSS, PEAT, 0.25))
    _paint_hexes(pen, scene, -11, -1, MOSS)
    _paint_hexes(pen, scene, -4, 0, PEAT)


def _paint_hexes(pen: ImageDraw.ImageDraw, scene: Scene, inset: float, drop: float, colour: Colour) -> None:
    for hex_ in HEXES:
        x, y = scene.centre(hex_)
        pen.polygon([(2 * (x + px), 2 * (y + drop + py)) for px, py in scene.corners(inset)], colour)


# The cover


def hill(width: int, height: int) -> Image.Image:
    """Hills in the evening sun."""
    x, y = 1990, 540
    image = Image.new("RGB", (width * 2, height * 2), SKY)
    pen = ImageDraw.Draw(image)
    for i in range(24):
        angle = math.radians(15 * i + 6)
        points = [(x + 2400 * math.cos(angle + t), y + 2400 * math.sin(angle + t)) for t in (-0.065, 0.065)]
        pen.polygon([(x, y), *points], RAY)
    for radius, tone in ((168, (255, 232, 172)), (128, SUN)):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), tone)
    random = scatter(11)
    for top, lift, tone in ((680, 90, (146, 158, 92)), (830, -70, (104, 136, 74)), (960, 60, WOOD)):
        line = curve(
            (0, top), (width * 0.7, top - lift * 3), (width * 1.3, top + lift * 2), (width * 2, top - lift / 2)
        )
        pen.polygon([*line, (width * 2, height * 2), (0, height * 2)], tone)
        for left, down in ((random.uniform(0, width * 2), random.uniform(14, 150)) for _ in range(240)):
            foot = line[min(len(line) - 1, round(left / (width * 2) * (len(line) - 1)))][1] + down
            for lean in (-12, 0, 12):
                blade = mix(tone, (255, 240, 170) if lean > 0 else PEAT, 0.26)
                pen.line([(left + lean * 0.2, foot), (left + lean, foot - 26 + abs(lean) * 0.6)], blade, 5)
    return image.reduce(2)
