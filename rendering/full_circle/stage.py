"""Full Circle's stage: the inner wall of a chapel at night, in which a round window of stained glass is set.

The window is lit from behind. Its light falls on the wall round it and on the floor at its foot; a Colour Trap floods
the chapel with its colour. It is drawn as a screen print: each stone has one flat colour. (The light of each pane is in
light.py.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from PIL import Image, ImageDraw

from rendering.core.scenery import FINE, scatter
from rendering.core.sprites import Colour, Pen, Pixels, Point, along, mix, sprite
from rendering.full_circle.signs import TINTS


class Light(NamedTuple):
    """The colours of the chapel: its stones from the window outwards, their joints, and the stones in the light."""

    wall: tuple[Colour, ...]
    joint: Colour
    ray: Colour


def _lit(colour: Colour, dark: Colour) -> Light:
    wall = tuple(mix(dark, colour, part) for part in (0.6, 0.46, 0.34, 0.24, 0.16))
    return Light(wall, mix(dark, (0, 0, 0), 0.35), mix(dark, colour, 0.72))


NIGHT: Colour = (21, 20, 34)
LIGHTS: dict[str, Light] = {
    "": Light(
        ((90, 87, 114), (68, 66, 93), (49, 48, 72), (34, 33, 52), (23, 22, 36)), (13, 12, 22), (132, 126, 148),
    ),
    "B": _lit((62, 126, 220), NIGHT),
    "R": _lit((220, 62, 80), NIGHT),
    "Y": _lit((226, 200, 70), NIGHT),
    "G": _lit((66, 176, 140), NIGHT),
    "O": _lit((232, 140, 50), NIGHT),
    "P": _lit((124, 66, 206), NIGHT),
}  # fmt: skip
"""The light of each trap's colour; "" without a trap."""

RIM = 1.08
"""How far the window's frame reaches, in radii."""
SURROUND = 1.225
"""How far the ring of wedge stones round the frame reaches, in radii."""
WEDGES = 32
"""The wedge stones of that ring: four beside each octant."""
COURSE, STONE_WIDTH = 66, 152
"""The height of a course of the wall, and the mean width of its stones."""


@cache
def chapel(trap: str, x: int, y: int, radius: int, floor: int) -> Callable[[int, int], Image.Image]:
    """Return the painter of the chapel in the light of that trap; the same one for the same arguments. The window's
    middle is at (x, y), its glass has that radius, and the floor begins at the line `floor`, in pixels.
    """

    def paint(width: int, height: int) -> Image.Image:
        light = LIGHTS[trap]
        image = Image.new("RGB", (width * FINE, height * FINE), light.joint)
        pen = ImageDraw.Draw(image)
        size, middle, glass, foot = image.size, (x * FINE, y * FINE), radius * FINE, floor * FINE
        _paint_wall(pen, light, size, middle, glass, min(foot, image.height))
        if floor < height:
            _paint_floor(pen, light, size, middle, foot)
        _paint_shafts(image, light, middle, glass, foot)
        _paint_surround(ImageDraw.Draw(image), light, middle, glass)
        return image.resize((width, height), Image.Resampling.BOX)

    return paint


def dark(width: int, height: int) -> Image.Image:
    """Paint the chapel for a result: the window, all its glass in place, glows behind the winner."""
    tall = height > width * 0.9
    x, y, radius = width // 2, 352 if tall else round(height * 0.47), 250 if tall else round(height * 0.45)
    image = chapel("", x, y, radius, 686 if tall else height - 24)(width, height)
    wide = image.resize((width * FINE, height * FINE), Image.Resampling.NEAREST)
    _paint_rose(wide, (x * FINE, y * FINE), radius * FINE, 0 if tall else 0.34)
    return wide.resize((width, height), Image.Resampling.BOX)


def _paint_wall(
    pen: ImageDraw.ImageDraw, light: Light, size: tuple[int, int], middle: Point, glass: float, foot: float
) -> None:
    """Courses of stones. Each stone has one tone: the nearer to the window, the lighter."""
    wide, tall = size
    random = scatter("chapel")
    far, near = max(wide, tall) * 0.56, glass * SURROUND
    high, joint = COURSE * FINE, 3
    for course in range(math.ceil(foot / high)):
        low = foot - course * high
        left = -random.uniform(0.1, 0.9) * STONE_WIDTH * FINE
        while left < wide:
            right = left + STONE_WIDTH * FINE * random.uniform(0.72, 1.28)
            away = math.hypot((left + right) / 2 - middle[0], low - high / 2 - middle[1]) - near
            part = min(max(away / far, 0.0), 1.0) ** 0.6 + random.choice((-0.07, 0, 0, 0.07))
            step = round(min(max(part, 0.0), 1.0) * 8) / 8
            tone = along(light.wall, step)
            pen.rectangle((left + joint, low - high + joint, right, low), tone)
            pen.rectangle((left + joint, low - high + joint, right, low - high + joint + 3), mix(tone, light.ray, 0.22))
            left = right


def _paint_floor(pen: ImageDraw.ImageDraw, light: Light, size: tuple[int, int], middle: Point, foot: float) -> None:
    """A plinth, and flags of stone that widen towards the viewer."""
    wide, tall = size
    pen.rectangle((0, foot, wide, tall), light.joint)
    rows, deep = 3, tall - foot - 16 * FINE
    lines = [foot + 16 * FINE + deep * (row / rows) ** 1.25 for row in range(rows + 1)]
    for row, (top, low) in enumerate(pairwise(lines)):
        for flag in range(-9, 10):
            shift = 0.5 * (row % 2)
            edges = [
                (middle[0] + (flag + side + shift) * 150 * FINE * (0.72 + 0.5 * (at - foot) / max(deep, 1)), at)
                for at, side in ((top, 0), (top, 1), (low, 1), (low, 0))
            ]
            away = abs(flag + 0.5 + shift) / 7
            tone = along(light.wall, round(min(1.0, 0.3 + away) * 8) / 8)
            inset = [
                (edges[0][0] + 2, top + 3), (edges[1][0] - 2, top + 3), (edges[2][0] - 2, low), (edges[3][0] + 2, low),
            ]  # fmt: skip
            pen.polygon(inset, tone)
    for top, low, part in ((-20, -16, 0.6), (-16, 4, 0.25), (4, 12, 0.0)):
        tone = mix(light.wall[2], light.ray, part)
        pen.rectangle((0, foot + top * FINE, wide, foot + low * FINE - 1), tone)


SHAFTS = ((6, 14, 38), (20, 33, 52), (41, 49, 38), (131, 139, 38), (147, 160, 52), (166, 174, 38))
"""The shafts of light in the air: from which to which angle below the right, and how strong, of 255."""


def _paint_shafts(image: Image.Image, light: Light, middle: Point, glass: float, foot: float) -> None:
    """Light that comes through the window and down to the floor, in straight bands."""
    shafts = Image.new("L", image.size)
    pen, far = ImageDraw.Draw(shafts), 2 * max(image.size)
    for first, last, strength in SHAFTS:
        ends = [at(*middle, far, 180 + degrees) for degrees in (first, last)]
        begin = [at(*middle, glass, 180 + degrees) for degrees in (first - 3, last + 3)]
        pen.polygon([begin[0], *ends, begin[1]], strength)
    pen.rectangle((0, min(foot - 20 * FINE, image.height), image.width, image.height), 0)
    image.paste(light.ray, (0, 0, *image.size), shafts)


def _paint_surround(pen: ImageDraw.ImageDraw, light: Light, middle: Point, glass: float) -> None:
    """The ring of wedge stones round the window, unlit, between two mouldings."""
    x, y = middle
    for reach, tone in (
        (SURROUND + 0.035, light.joint), (SURROUND + 0.025, mix(light.wall[1], light.ray, 0.35)),
        (SURROUND, light.joint),
    ):  # fmt: skip
        pen.ellipse((x - glass * reach, y - glass * reach, x + glass * reach, y + glass * reach), tone)
    for number in range(WEDGES):
        tone = along(light.wall, (0.28, 0.36, 0.32, 0.4)[number * 7 % 4])
        pen.polygon(list(wedge(x, y, glass, number)), tone)
        outer = [at(x, y, glass * (SURROUND - 0.008), degrees) for degrees in _across(number)]
        pen.line(outer, mix(tone, light.ray, 0.4), 3)


def _across(number: int) -> Iterator[float]:
    """Yield the angles of a wedge stone, in degrees clockwise from the left."""
    wide, joint = 360 / WEDGES, 0.55
    return (number * wide + joint + (wide - 2 * joint) * step / 4 for step in range(5))


def wedge(x: float, y: float, radius: float, number: int) -> Iterator[Point]:
    """Yield the corners of a wedge stone of the ring; stone 0 begins at the left, and the others follow clockwise."""
    yield from (at(x, y, radius * (SURROUND - 0.006), degrees) for degrees in _across(number))
    yield from (at(x, y, radius * RIM, degrees) for degrees in reversed(list(_across(number))))


def at(x: float, y: float, radius: float, degrees: float) -> Point:
    """Return the point at distance `radius` from (x, y), `degrees` clockwise from the left."""
    return x - radius * math.cos(math.radians(degrees)), y - radius * math.sin(math.radians(degrees))


ROSE = "RBGPROGB"
"""The colours of the glass behind a result, clockwise from the left."""


def _paint_rose(image: Image.Image, middle: Point, glass: float, dim: float) -> None:
    """Petals of dim glass between lead: what is told in front of them is what counts. The stones round it are lit.
    `dim`: how much darker it is, from 0 to 1.
    """
    pen = ImageDraw.Draw(image)
    x, y = middle
    lead: Colour = (15, 12, 22)

    def shade(colour: Colour, part: float) -> Colour:
        return mix(colour, NIGHT, part + (1 - part) * dim)

    def disc(where: Point, radius: float, colour: Colour) -> None:
        pen.ellipse((where[0] - radius, where[1] - radius, where[0] + radius, where[1] + radius), colour)

    for number in range(WEDGES):
        tint = TINTS[ROSE[number * len(ROSE) // WEDGES]]
        pen.polygon(list(wedge(x, y, glass, number)), shade(mix(tint, LIGHTS[""].ray, 0.2), 0.4))
    disc(middle, glass * RIM, shade(LIGHTS[""].ray, 0.3))
    disc(middle, glass * 1.03, lead)
    for petal in range(16):
        tint, where = TINTS["RYBGOP"[petal * 5 % 6]], at(x, y, glass * 0.87, petal * 22.5 + 11.25)
        disc(where, glass * 0.125, shade(tint, 0.5))
        disc(where, glass * 0.075, shade(tint, 0.25))
    for petal, letter in enumerate(ROSE):
        low, high = petal * 45 + 1.8, petal * 45 + 43.2
        for reach, part in ((0.72, 0.5), (0.56, 0.38), (0.38, 0.24)):
            arc = [at(x, y, glass * reach, low + (high - low) * step / 12) for step in range(13)]
            pen.polygon([at(x, y, glass * 0.06, petal * 45 + 22.5), *arc], shade(TINTS[letter], part))


@sprite
def plinth(width: int, height: int, metal: Colour) -> Pixels:
    """A step of the podium: a plinth of dressed stone with a cap and a pointed niche, trimmed in that metal."""
    pen = Pen(width, height)
    stone, deep = LIGHTS[""].wall[0], LIGHTS[""].joint
    pen.box(10, 10, width - 10, height + 20, 4, deep)
    pen.box(13, 10, width - 13, height + 20, 3, mix(stone, deep, 0.35))
    pen.box(13, 10, 24, height + 20, 0, mix(stone, metal, 0.3))
    pen.box(width - 24, 10, width - 13, height + 20, 0, mix(stone, deep, 0.62))
    pen.box(34, 48, width - 34, height + 20, 14, deep)
    pen.box(37, 51, width - 37, height + 20, 12, mix(stone, deep, 0.6))
    pen.box(0, 0, width, 32, 6, deep)
    pen.box(3, 3, width - 3, 29, 4, stone)
    pen.box(3, 3, width - 3, 15, 4, metal)
    pen.box(8, 5, width - 8, 9, 2, mix(metal, (255, 255, 255), 0.5))
    pen.box(13, 32, width - 13, 40, 0, mix(deep, stone, 0.2))
    return pen.pixels()
