"""The four varieties: each has its own crown and seed; a tree has as many tiers as its height."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Point, curve, pixels, sprite

Shape = Sequence[Sequence[Point]]
"""Polygons that together form one shape."""


class Tones(NamedTuple):
    """The colours of a variety, from its outline to its side in the sun."""

    line: Colour
    dark: Colour
    base: Colour
    light: Colour


TONES: tuple[Tones, ...] = (
    Tones((88, 24, 8), (148, 36, 8), (191, 52, 10), (236, 112, 62)),
    Tones((8, 24, 52), (16, 44, 84), (25, 66, 116), (98, 152, 208)),
    Tones((20, 62, 40), (60, 134, 94), (102, 171, 131), (170, 218, 184)),
    Tones((108, 74, 6), (216, 160, 16), (255, 205, 25), (255, 238, 156)),
)
"""The colours of each seat's variety: orange, blue, green, yellow."""
BARK = Tones((54, 32, 20), (88, 56, 36), (122, 82, 52), (160, 116, 76))

HEIGHTS = (43, 61, 83, 104)
"""Heights of a seed, a small, a medium and a large tree, in pixels."""
WIDTHS = (43, 62, 73, 80)
LARGE = 150
"""Above so many hundredths of its size a piece is large."""


def round_shape(x: float, y: float, across: float, down: float) -> list[Point]:
    """An oval's outline."""
    return [(x + across * math.cos(i * math.pi / 18), y + down * math.sin(i * math.pi / 18)) for i in range(36)]


def around(middle: float, radius: float, degrees: float) -> Point:
    """Return the point at that distance and in that direction from the middle of a square sprite."""
    angle = math.radians(degrees)
    return middle + radius * math.cos(angle), middle + radius * math.sin(angle)


def _mask(pen: Pen, shape: Shape) -> Image.Image:
    mask = Image.new("L", pen.sheet.size)
    draw = ImageDraw.Draw(mask)
    for polygon in shape:
        draw.polygon([(x * SCALE, y * SCALE) for x, y in polygon], 255)
    return mask


def rounded_body(pen: Pen, shape: Shape, tones: Tones, depth: float, line: float = 2.4) -> None:
    """A rounded body: its outline, its side in shade, and the light from the upper left."""
    for polygon in shape:
        pen.line([*polygon, polygon[0], polygon[1]], tones.line, 2 * line)
    mask = _mask(pen, shape)
    pen.sheet.paste((*tones.base, 255), (0, 0), mask)
    step = round(depth * SCALE)
    moved = ImageChops.offset(mask, -step, -round(step * 0.8))
    pen.sheet.paste((*tones.dark, 255), (0, 0), ImageChops.subtract(mask, moved))
    near = ImageChops.offset(mask, round(step * 0.55), round(step * 0.55))
    glow = ImageChops.subtract(mask, near)
    edge = ImageChops.offset(mask, round(line * 0.6 * SCALE), round(line * 0.6 * SCALE))
    pen.sheet.paste((*tones.light, 255), (0, 0), ImageChops.multiply(glow, edge))


def _trunk(pen: Pen, x: float, top: float, foot: float, width: float) -> None:
    """A trunk that widens at its foot."""
    half = width / 2
    left = curve((x - half * 0.8, top), (x - half * 0.8, foot - 6), (x - half, foot - 2), (x - half * 1.9, foot))
    right = [(2 * x - px, py) for px, py in reversed(left)]
    pen.line([*left, *right, left[0]], BARK.line, 3.6)
    pen.polygon([*left, *right], BARK.base)


# Tiers: the crown's parts, each with its middle, top, bottom and half width.


def _cloud(x: float, top: float, bottom: float, half: float) -> Shape:
    """A cluster of leaves: an oak's."""
    middle, down = (top + bottom) / 2, (bottom - top) / 2
    return [
        round_shape(x - half * 0.55, middle + down * 0.25, half * 0.47, down * 0.66),
        round_shape(x + half * 0.55, middle + down * 0.25, half * 0.47, down * 0.66),
        round_shape(x, middle - down * 0.22, half * 0.6, down * 0.78),
        round_shape(x, middle + down * 0.42, half * 0.5, down * 0.56),
    ]


def _skirt(x: float, top: float, bottom: float, half: float) -> Shape:
    """A tier of twigs that hang to points: a fir's."""
    down = bottom - top
    left = curve(
        (x, top), (x - half * 0.2, top + down * 0.5), (x - half * 0.62, bottom - down * 0.26),
        (x - half, bottom - down * 0.1), steps=8,
    )  # fmt: skip
    hem = [(x - half * 0.62, bottom - down * 0.12), (x - half * 0.42, bottom), (x - half * 0.14, bottom - down * 0.1)]
    right = [(2 * x - px, py) for px, py in reversed([*left, *hem])]
    return [[*left, *hem, (x, bottom + down * 0.04), *right]]


def _flame(x: float, top: float, bottom: float, half: float) -> Shape:
    """A leaf that stands on its stalk: a poplar's."""
    down = bottom - top
    left = [
        *curve((x, top), (x - half * 0.24, top + down * 0.3), (x - half * 1.16, top + down * 0.46),
               (x - half * 0.92, top + down * 0.74), steps=10),
        *curve((x - half * 0.92, top + down * 0.74), (x - half * 0.78, bottom), (x - half * 0.3, bottom), (x, bottom),
               steps=8),
    ]  # fmt: skip
    return [[*left, *((2 * x - px, py) for px, py in reversed(left))]]


def _parasol(x: float, top: float, bottom: float, half: float) -> Shape:
    """A flat roof of leaves: an acacia's."""
    down = bottom - top
    roof = [
        *curve((x - half, bottom - down * 0.3), (x - half * 0.9, top - down * 0.06), (x - half * 0.3, top), (x, top)),
    ]
    under = curve(
        (x, bottom - down * 0.12), (x - half * 0.5, bottom - down * 0.1), (x - half * 0.9, bottom + down * 0.1),
        (x - half, bottom - down * 0.3),
    )  # fmt: skip
    left = [*under, *roof]
    return [[*left, *((2 * x - px, py) for px, py in reversed(left))]]


_TIERS = (_cloud, _skirt, _flame, _parasol)
_OVERLAP = (0.56, 0.4, 0.62, -0.42)
"""The overlap of two tiers. The acacia's is negative: its tiers leave some of the trunk free between them."""
_HALVES = (0.47, 0.46, 0.39, 0.49)
"""Half the lowest tier's width, as a fraction of the tree's width."""
_NARROWS = (0.78, 0.76, 0.86, 0.72)
_TRUNKS = (0.2, 0.14, 0.14, 0.3)
"""The bare trunk, as a fraction of the small tree's height."""


def _tree(pen: Pen, seat: int, height: int) -> None:
    """Draw trunk and tiers. Each tier lies over the one below; a poplar's lies over the one above, so its tips show."""
    x, foot = pen.width / 2, pen.height - 3.0
    bare = HEIGHTS[1] * _TRUNKS[seat] * (1 + 0.12 * height)
    crown = foot - bare - 4
    _trunk(pen, x, 16.0 if seat == 3 else crown - 8, foot, 5.5 + 1.6 * height)
    half, tones = pen.width * _HALVES[seat] - 2, TONES[seat]
    narrow = _NARROWS[seat]
    parts = [narrow**i for i in range(height)]
    total = sum(parts) - _OVERLAP[seat] * sum(parts[1:])
    bottom, tiers = foot - bare, []
    for part in parts:
        tall = crown * part / total
        tiers.append((bottom - tall, tall, half * part))
        bottom -= tall - crown * part * narrow / total * _OVERLAP[seat]
    for top, tall, wide in reversed(tiers) if seat == 2 else tiers:
        rounded_body(pen, _TIERS[seat](x, top, top + tall, wide), tones, wide * 0.3)


# Seeds: shapes of a square from -1 to 1.

_NUT = [
    *curve((-0.48, -0.2), (-0.52, 0.48), (-0.14, 0.7), (0, 0.86)),
    *curve((0, 0.86), (0.14, 0.7), (0.52, 0.48), (0.48, -0.2)),
]
_CUP = curve((-0.62, -0.14), (-0.62, -0.72), (0.62, -0.72), (0.62, -0.14))
_CONE = round_shape(0, 0, 0.57, 0.82)
_WING = [
    *curve((-0.29, 0.38), (-0.67, -0.38), (-0.1, -1.0), (0.76, -0.81)),
    *curve((0.76, -0.81), (0.67, -0.19), (0.29, 0.1), (0.1, 0.57)),
]
_BEAN = [
    *curve((-0.76, -0.1), (-0.72, -0.9), (0.68, -0.9), (0.78, 0)),
    *curve((0.78, 0), (0.86, 0.78), (0.1, 0.78), (0.1, 0.28)),
    *curve((0.1, 0.28), (0, -0.06), (-0.2, 0.58), (-0.54, 0.44)),
    *curve((-0.54, 0.44), (-0.74, 0.34), (-0.76, 0.1), (-0.76, -0.1)),
]


def _seed(pen: Pen, seat: int) -> None:
    """An acorn, a cone, a winged seed, a bean."""
    half, tones = pen.width / 2 - 1, TONES[seat]

    def at(points: Sequence[Point]) -> list[Point]:
        return [(pen.width / 2 + px * half, pen.height / 2 + py * half) for px, py in points]

    if seat == 0:
        rounded_body(pen, [at(_NUT)], tones, 6, 2)
        pen.line(at([(0, -0.55), (0.1, -0.86)]), BARK.line, 3.6)
        rounded_body(pen, [at(_CUP)], BARK, 5, 2)
    elif seat == 1:
        rounded_body(pen, [at(_CONE)], tones, 6, 2)
        for x, y in ((-0.15, -0.35), (0.15, -0.35), (-0.26, 0), (0.04, 0), (0.34, 0), (-0.15, 0.35), (0.15, 0.35)):
            pen.line(at([(x - 0.13, y), (x, y + 0.14), (x + 0.13, y)]), tones.line, 1.9)
    elif seat == 2:
        rounded_body(pen, [at(_WING)], tones, 5, 2)
        for x in (0.18, 0.46):
            pen.line(at(curve((-0.1, 0.28), (x - 0.28, -0.28), (x, -0.58))), tones.dark, 1.6)
        rounded_body(pen, [at(round_shape(-0.2, 0.53, 0.38, 0.31))], BARK, 4, 2)
    else:
        rounded_body(pen, [at(_BEAN)], tones, 6, 2)


@sprite
def sized_piece(seat: int, height: int, parts: int) -> Pixels:
    """A seed (height 0) or a tree, in `parts` hundredths of its size, up to 400."""
    pen = Pen(WIDTHS[height], HEIGHTS[height])
    if height:
        _tree(pen, seat, height)
    else:
        _seed(pen, seat)
    size = round(WIDTHS[height] * parts / 100), round(HEIGHTS[height] * parts / 100)
    if parts > LARGE:  # the sheet is hardly larger than the piece, so its edges are smoothed first
        pen.sheet = pen.sheet.filter(ImageFilter.GaussianBlur(1.3))
    return pixels(pen.sheet.resize(size, Image.Resampling.BOX))  # no ringing at edges, so files are smaller


COLOURS: tuple[Colour, ...] = tuple(tone for tones in (*TONES, BARK) for tone in tones)
"""The colours that the palette has exactly."""
