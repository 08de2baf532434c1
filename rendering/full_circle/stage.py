"""Full Circle's stage: a dark hall with a round window of stained glass, whose light falls on the wall.

A Colour Trap floods the hall with its colour. It is drawn as a screen print: bands of flat colour with curved edges.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from rendering.core.scenery import FINE
from rendering.core.sprites import Colour, Point, along, mix


class Light(NamedTuple):
    """The colours of the hall: the wall from the window outwards, the joints of its stones, the rays."""

    wall: tuple[Colour, ...]
    joint: Colour
    ray: Colour


def _lit(colour: Colour, dark: Colour) -> Light:
    wall = tuple(mix(dark, colour, part) for part in (0.5, 0.34, 0.2, 0.08))
    return Light(wall, mix(dark, colour, 0.02), mix(dark, colour, 0.62))


NIGHT: Colour = (26, 20, 36)
LIGHTS: dict[str, Light] = {
    "": Light(((74, 60, 92), (58, 47, 74), (45, 36, 58), (34, 27, 46)), (26, 20, 36), (88, 74, 108)),
    "B": _lit((62, 126, 220), NIGHT),
    "R": _lit((220, 62, 80), NIGHT),
    "Y": _lit((226, 200, 70), NIGHT),
    "G": _lit((66, 176, 140), NIGHT),
    "O": _lit((232, 140, 50), NIGHT),
    "P": _lit((124, 66, 206), NIGHT),
}
"""The light of each trap's colour; "" without a trap."""


STONES = 40
"""The stones of each ring of the wall."""
DARK_RINGS = 3
"""The rings from here on are so dark that their joints are lighter than the stones."""


@cache
def hall(trap: str, x: int, y: int) -> Callable[[int, int], Image.Image]:
    """Return the painter of the hall in the light of that trap; the same one for the same arguments. The middle of the
    window is at (x, y), in pixels.
    """

    def paint(width: int, height: int) -> Image.Image:
        light = LIGHTS[trap]
        wide, tall = width * FINE, height * FINE
        image = Image.new("RGB", (wide, tall), light.wall[-1])
        pen = ImageDraw.Draw(image)
        _paint_wall(pen, light, wide, tall, (x * FINE, y * FINE))
        return image.resize((width, height), Image.Resampling.LANCZOS)

    return paint


def dark(width: int, height: int) -> Image.Image:
    """Paint the hall without a trap, the window's light from above."""
    return hall("", width // 2, height // 3)(width, height)


def _paint_wall(pen: ImageDraw.ImageDraw, light: Light, wide: int, tall: int, window: Point) -> None:
    """Rings of light round the window, and the joints of the stones, which lie staggered."""
    x, y = window
    far = math.hypot(max(x, wide - x), max(y, tall - y)) * 1.02
    bands = 8
    for band in range(bands):
        part = 1 - band / (bands - 1)
        radius = 360 * FINE + (far - 360 * FINE) * part
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), along(light.wall, part))
        if band:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), None, light.joint, 2 * FINE)
    step = (far - 360 * FINE) / (bands - 1)
    for ring in range(bands - 1):
        inner = 360 * FINE + step * ring
        for stone in range(STONES):
            angle = math.tau * (stone + (ring % 2) / 2) / STONES + 0.13
            foot = (x + inner * math.cos(angle), y + inner * math.sin(angle))
            end = (x + (inner + step) * math.cos(angle), y + (inner + step) * math.sin(angle))
            wall = along(light.wall, 1 - ring / (bands - 1))
            pen.line([foot, end], light.joint if ring < DARK_RINGS else mix(wall, light.ray, 0.6), 2 * FINE)
