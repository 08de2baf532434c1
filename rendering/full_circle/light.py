"""The light of the window: each half of a quadrant throws its colour on the stones beside it and on the floor.

A light is one flat colour through a mask, which all colours of one place share; so a page lays it quickly.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

from PIL import Image, ImageDraw

from rendering.core.canvas import Page
from rendering.core.sprites import Colour, Point, Tint
from rendering.full_circle.stage import SURROUND, WEDGES, at, wedge
from rules.full_circle import FullCircleView

GLOWS: dict[str, Colour] = {
    "B": (70, 140, 255), "R": (255, 78, 92), "Y": (255, 222, 84), "G": (64, 214, 172), "O": (255, 164, 58),
    "P": (146, 84, 255),
}  # fmt: skip
"""The colour of the light through each glass: brighter than the glass, for it falls on dark stone."""
ON_WEDGES, ON_WALL, ON_FLOOR = 196, (92, 48), (164, 92)
"""How strong the light is, of 255: on the ring, on the wall from the ring outwards, on the floor from its middle."""
REACHES = (1.29, 1.34)
"""How far each band of light on the wall reaches, in radii."""
SPREAD = 1.6
"""The degrees between the light of a pane and the next one's, halved."""
FINE = 3
"""Masks are drawn this much larger, then reduced."""
ACROSS, DEPTH = 0.84, 0.15
"""Half the width and half the height of the light's ellipse on the floor, in radii."""


def place_light(page: Page, view: FullCircleView, x: int, y: int, radius: int, floor: int) -> None:
    """Place the light of all panes of the window of that middle and radius, on the wall, and on the floor with its
    middle at the line `floor`. While a trap is set, only its colour shines.
    """
    on_page = floor - radius * DEPTH < page.height
    for number, card in enumerate(view.circle):
        if card is None:
            continue
        for half, letter in enumerate((card.first, card.second)):
            if view.trap is None or view.trap.colour == letter:
                octant = 2 * number + half
                left, top, tint = on_wall(octant, letter, radius)
                page.place(tint, x + left, y + top)
                if on_page:
                    left, top, tint = on_floor(octant, letter, radius)
                    page.place(tint, x + left, floor + top)


@lru_cache(maxsize=512)
def on_wall(octant: int, letter: str, radius: int) -> tuple[int, int, Tint]:
    """Return the light of an octant on the wall: its box's left and top from the window's middle, and the tint."""
    left, top, mask = _wall_mask(octant, radius)
    return left, top, Tint(GLOWS[letter], mask.size, lambda: _wall_mask(octant, radius)[2])


@lru_cache(maxsize=512)
def on_floor(octant: int, letter: str, radius: int) -> tuple[int, int, Tint]:
    """Return the light of an octant on the floor: its box's left and top from the light's middle, and the tint."""
    left, top, mask = _floor_mask(octant, radius)
    return left, top, Tint(GLOWS[letter], mask.size, lambda: _floor_mask(octant, radius)[2])


@cache
def _wall_mask(octant: int, radius: int) -> tuple[int, int, Image.Image]:
    """Return a mask, and where its upper left corner lies from the window's middle."""
    quarter, half = divmod(octant, 2)
    far = math.ceil(radius * REACHES[-1])
    if quarter:  # the same, turned
        mask = _quarter_mask(half, radius)
        for _ in range(quarter):
            mask = mask.transpose(Image.Transpose.ROTATE_270)
        if quarter > 1:  # the wall ends at the floor
            mask = mask.crop((0, 0, far, round(radius * (SURROUND + 0.03))))
        return _trimmed(mask, 0 if quarter in (1, 2) else far, 0 if quarter in (2, 3) else far)
    return _trimmed(_quarter_mask(half, radius), far, far)


@cache
def _quarter_mask(half: int, radius: int) -> Image.Image:
    """Return the light on the wall of half of the upper left quadrant, whose lower right corner is the middle."""
    far = math.ceil(radius * REACHES[-1])
    glass, end = radius * FINE, far * FINE
    mask = Image.new("L", (end, end))
    pen, low = ImageDraw.Draw(mask), half * 45
    for reach, strength in reversed(list(zip(REACHES, ON_WALL, strict=True))):
        edge = [at(end, end, glass * reach, low + SPREAD + (45 - 2 * SPREAD) * n / 12) for n in range(13)]
        pen.polygon([(end, end), *edge], strength)
    inner = glass * (SURROUND + 0.03)
    pen.ellipse((end - inner, end - inner, end + inner, end + inner), 0)
    for number in range(WEDGES // 8):
        stone = list(wedge(end, end, glass, half * WEDGES // 8 + number))
        pen.polygon(stone, ON_WEDGES - 14 * (number % 2))
    return mask.reduce(FINE)


@cache
def _floor_mask(octant: int, radius: int) -> tuple[int, int, Image.Image]:
    """Return a mask, and where its upper left corner lies from the middle of the light on the floor.

    The light comes down through the window, so what is above in the window falls nearest to the viewer.
    """
    wide, deep = math.ceil(radius * ACROSS), math.ceil(radius * DEPTH)
    mask = Image.new("L", (2 * wide * FINE, 2 * deep * FINE))
    pen = ImageDraw.Draw(mask)

    def on(part: float, degrees: float) -> Point:
        across, down = at(0, 0, part, degrees)
        return (wide + across * wide) * FINE, (deep - down * deep) * FINE

    for part, strength in ((0.98, ON_FLOOR[1]), (0.72, ON_FLOOR[0])):
        edge = [on(part, octant * 45 + 1.5 + 42 * step / 12) for step in range(13)]
        pen.polygon([on(0.05, octant * 45 + 22.5), *edge], strength)
    return _trimmed(mask.reduce(FINE), wide, deep)


def _trimmed(mask: Image.Image, across: int, down: int) -> tuple[int, int, Image.Image]:
    """Return the mask without its empty edges. (across, down): where the middle is in it."""
    box = mask.getbbox()
    assert box is not None
    return box[0] - across, box[1] - down, mask.crop(box)
