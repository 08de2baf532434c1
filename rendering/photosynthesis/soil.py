"""The hexes of Photosynthesis: what grows on each soil, the shade of trees on it, and the shade that comes next."""

from __future__ import annotations

import math
from functools import cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from rendering.core import lettering, theme
from rendering.core.scenery import scatter
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Point, curve, mix, sprite
from rendering.photosynthesis.scene import LEAF, PEAT, SUN, Scene
from rules.photosynthesis import LEAVES, Hex

SOILS: tuple[Colour, ...] = ((226, 203, 152), (198, 188, 118), (156, 170, 94), (118, 150, 80))
"""The colour of earth by its leaves: sand, moss, ferns, flowers."""
SHADE: Colour = (142, 140, 206)
"""The cool light that is left in the shade of a tree, as it multiplies what lies there."""
DUSK: Colour = (30, 42, 50)
DIM = 0.3
"""How far a hex that cannot be chosen sinks into the dusk."""
GLEAM: Colour = (255, 244, 200)
AHEAD: Colour = (66, 44, 122)
"""The outline of the shade that comes next."""
CAP: Colour = (192, 60, 44)


def shaded(colour: Colour) -> Colour:
    """Return a colour in the shade."""
    return colour[0] * SHADE[0] // 255, colour[1] * SHADE[1] // 255, colour[2] * SHADE[2] // 255


COLOURS: tuple[Colour, ...] = (
    *SOILS,
    *map(shaded, SOILS),
    *(mix(soil, DUSK, DIM) for soil in SOILS),
    *(mix(shaded(soil), DUSK, DIM) for soil in SOILS),
    *(mix(soil, PEAT, 0.5) for soil in SOILS),
    AHEAD,
)
"""The colours that the palette has exactly."""


# Leaves


def leaf_outline(x: float, y: float, size: float, degrees: float) -> list[Point]:
    """Return a leaf's outline, its tip in that direction from the middle."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    half = [*curve((-0.5, 0), (-0.3, -0.46), (0.24, -0.34), (0.5, 0), steps=8)]
    outline = [*half, *((px, -py) for px, py in reversed(half))]
    return [(x + size * (px * c - py * s), y + size * (px * s + py * c)) for px, py in outline]


def _leaf(pen: Pen, x: float, y: float, size: float, degrees: float) -> None:
    """A leaf with its vein and a pale rim."""
    pen.polygon(leaf_outline(x, y, size * 1.16, degrees), mix(GLEAM, SOILS[1], 0.4))
    pen.polygon(leaf_outline(x, y, size, degrees), LEAF)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    vein = [(x - size * 0.5 * c, y - size * 0.5 * s), (x + size * 0.2 * c, y + size * 0.2 * s)]
    pen.line(vein, mix(LEAF, theme.CREAM, 0.55), size * 0.08)


@sprite
def soil_mark(leaves: int, size: int) -> Pixels:
    """The soil's leaves, in the middle of an empty hex."""
    pen = Pen(round(size * 2.8), round(size * 2))
    spread = ((-60,), (-120, -40), (-150, -90, -30), (-165, -115, -65, -15))[leaves - 1]
    reach = size * 0.62 if leaves > 1 else 0
    for degrees in spread:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        _leaf(pen, size * 1.4 + reach * c, size * 1.26 + reach * s, size, degrees)
    return pen.pixels()


# What grows


def _stone(pen: Pen, x: float, y: float, k: float, tone: Colour) -> None:
    pen.oval(x - 7 * k, y - 3 * k, x + 7 * k, y + 5 * k, mix(tone, PEAT, 0.45))
    pen.oval(x - 7 * k, y - 4.5 * k, x + 7 * k, y + 3 * k, mix(tone, PEAT, 0.2))
    pen.oval(x - 5 * k, y - 4 * k, x + 1 * k, y - 0.5 * k, mix(tone, GLEAM, 0.5))


def _cushion(pen: Pen, x: float, y: float, k: float, tone: Colour) -> None:
    green = mix(tone, (84, 122, 52), 0.75)
    for dx, dy, r in ((-7, 2, 6.5), (7, 2, 6), (0, -1, 8)):
        pen.oval(
            x + (dx - r) * k, y + (dy - r * 0.7) * k, x + (dx + r) * k, y + (dy + r * 0.8) * k, mix(green, LEAF, 0.3)
        )
    for dx, dy, r in ((-7, 1, 5), (7, 1, 4.5), (0, -2, 6.4)):
        pen.oval(x + (dx - r) * k, y + (dy - r * 0.7) * k, x + (dx + r) * k, y + (dy + r * 0.6) * k, green)
    for dx, dy in ((-8, -1), (-1, -5), (5, -1)):
        pen.disc(x + dx * k, y + dy * k, 1.5 * k, mix(green, GLEAM, 0.55))


def _fern(pen: Pen, x: float, y: float, k: float, tone: Colour) -> None:
    dark, light = mix(tone, LEAF, 0.72), mix(tone, (92, 140, 62), 0.7)
    for lean, tall in ((-13, 12), (13, 12), (-5, 18), (6, 17)):
        stem = curve((x, y), (x + lean * 0.3 * k, y - tall * 0.8 * k), (x + lean * k, y - tall * k), steps=5)
        pen.line(stem, dark, 2.2 * k)
        for at, (px, py) in enumerate(stem[1:], 1):
            reach = (6.4 - at) * k
            for side in (-1, 1):
                pen.line([(px, py), (px + side * reach * 0.8, py + reach * 0.25)], dark if side > 0 else light, 2 * k)


def _daisy(pen: Pen, x: float, y: float, k: float, tone: Colour) -> None:
    pen.line([(x, y + 9 * k), (x, y)], mix(tone, LEAF, 0.7), 1.8 * k)
    for turn in range(6):
        angle = math.radians(60 * turn)
        pen.disc(x + 4 * k * math.cos(angle), y + 3.2 * k * math.sin(angle), 2.5 * k, theme.PAPER)
    pen.disc(x, y, 2.3 * k, SUN)


def _mushroom(pen: Pen, x: float, y: float, k: float, tone: Colour) -> None:
    pen.box(x - 2.6 * k, y - 1 * k, x + 2.6 * k, y + 9 * k, 2 * k, theme.CREAM)
    cap = [
        (x + 8.5 * k * math.cos(a), y + 7.5 * k * math.sin(a)) for a in (math.radians(180 + 15 * i) for i in range(13))
    ]
    pen.polygon(cap, CAP)
    for dx, dy in ((-4, -2.4), (1, -5), (5, -2)):
        pen.disc(x + dx * k, y + dy * k, 1.3 * k, theme.PAPER)


def _tuft(pen: Pen, x: float, y: float, k: float, tone: Colour) -> None:
    for lean in (-5, 0, 5):
        pen.line([(x, y + 3 * k), (x + lean * k, y - (7 - abs(lean) * 0.5) * k)], mix(tone, LEAF, 0.5), 1.9 * k)


_SPOTS = ((-46, -18), (-24, -38), (24, -38), (46, -18), (-52, 12), (52, 12), (-34, 30), (34, 30), (0, -50), (0, 46))
"""Round the middle, where pieces and marks stand, on the table's board."""
_PLANTS = {
    1: (None, _stone, None, None, None, _stone, None, None, None, None),
    2: (_cushion, None, None, _cushion, _tuft, None, _cushion, None, None, _tuft),
    3: (_fern, None, _fern, None, _fern, _fern, None, _fern, None, None),
    4: (_daisy, _mushroom, _daisy, _fern, _daisy, _mushroom, _fern, _daisy, _daisy, _daisy),
}


def _growth(width: int, leaves: int) -> Pen:
    """What grows on a hex of that soil."""
    size = _size(width)
    pen, soil, k = Pen(*size), SOILS[leaves - 1], width / 134
    random = scatter(leaves)
    for (x, y), plant in sorted(zip(_SPOTS, _PLANTS[leaves], strict=True), key=lambda one: one[0][1]):
        if plant:
            right, down = x + random.uniform(-4, 4), y + random.uniform(-3, 3)
            plant(pen, size[0] / 2 + right * k, size[1] / 2 + down * k, k, soil)
    return pen


def _size(width: int) -> tuple[int, int]:
    return Scene(width, 0, 0).size


def _outline(width: int, inset: float) -> list[Point]:
    """A hex's outline on its sprite."""
    size = _size(width)
    return [(size[0] / 2 + x, size[1] / 2 + y) for x, y in Scene(width, 0, 0).corners(inset)]


@cache
def _mask(width: int, inset: float) -> Image.Image:
    size = _size(width)
    mask = Image.new("L", (size[0] * SCALE, size[1] * SCALE))
    ImageDraw.Draw(mask).polygon([(x * SCALE, y * SCALE) for x, y in _outline(width, inset)], 255)
    return mask


@sprite
def earth(width: int, leaves: int, sun: int) -> Pixels:
    """A hex's ground in the light: its edges towards the sun gleam, those away from it are dark."""
    pen, soil = Pen(*_size(width)), SOILS[leaves - 1]
    pen.polygon(_outline(width, 0), mix(soil, PEAT, 0.5))
    edges = _outline(width, 1.6)
    pen.polygon(edges, soil)
    grown = _growth(width, leaves).sheet
    pen.sheet.paste(grown, (0, 0), ImageChops.multiply(grown.getchannel("A"), _mask(width, 3)))
    dx, dy = math.cos(math.radians(60 * sun)), math.sin(math.radians(60 * sun))
    for at in range(6):
        angle = math.radians(60 * at - 60)  # of the edge's normal
        facing = -(dx * math.cos(angle) + dy * math.sin(angle))
        if abs(facing) > 0.3:
            tone = mix(soil, GLEAM if facing > 0 else PEAT, 0.75 if facing > 0 else 0.24)
            inner = _outline(width, 3.4)
            pen.line([inner[at], inner[(at + 1) % 6]], tone, 3)
    return pen.pixels()


# Shade

_MARGIN = 16
"""What is drawn round a hex, so that soft edges go on in the next one."""


Shadows = tuple[tuple[int, int], ...]
"""On a hex: the height of each tree whose shadow lies there, and the steps from it."""


@cache
def _shade_shape(width: int, height: int, steps: int, sun: int) -> Image.Image:
    """The shade of a tree on the hex so many steps behind it (0: its own), with a margin."""
    k, flat = width / 120, Scene(width, 0, 0).away(0, 1)[1] / width
    dx, dy = math.cos(math.radians(60 * sun)), math.sin(math.radians(60 * sun))
    wide, length = (16 + 7 * height) * k, width * height
    profile = [
        (3.0 * k, 8.0 * k),
        (26.0 * k, 8.0 * k),
        (54.0 * k, wide * 0.8),
        (80.0 * k, wide),
        (length - 14 * k, wide),
    ]
    profile += [(length - 14 * k + 50 * k * math.sin(a), wide * math.cos(a)) for a in (0.3, 0.6, 0.9, 1.2, 1.4, 1.57)]
    size = tuple(side + 2 * _MARGIN for side in _size(width))
    x, y = size[0] / 2 - dx * width * steps, size[1] / 2 + 15 * k - dy * width * steps * flat
    sides = [
        [(x + dx * along - dy * wide * side, y + (dy * along + dx * wide * side) * flat) for along, wide in profile]
        for side in (1, -1)
    ]
    mask = Image.new("L", (size[0] * 2, size[1] * 2))
    ImageDraw.Draw(mask).polygon([(px * 2, py * 2) for px, py in (*sides[0], *reversed(sides[1]))], 255)
    return mask.reduce(2)


@sprite
def shade(width: int, shadows: Shadows, sun: int) -> Pixels:
    """The shade on a hex of trees of some height, some steps away."""
    return _within(width, _together(width, shadows, sun))


@sprite
def ahead(width: int, shadows: Shadows, sun: int) -> Pixels:
    """The outline of the shade under the next sun, in dashes."""
    mask = _together(width, shadows, sun)
    rim = ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(5)))
    return _within(width, ImageChops.multiply(rim, _dashes(width, sun)))


def _together(width: int, shadows: Shadows, sun: int) -> Image.Image:
    found: Image.Image | None = None
    for height, steps in shadows:
        one = _shade_shape(width, height, steps, sun)
        found = one if found is None else ImageChops.lighter(found, one)
    assert found is not None
    return found


def _within(width: int, mask: Image.Image) -> Pixels:
    """Return what of a mask with a margin lies on the hex."""
    size = _size(width)
    alpha = mask.crop((_MARGIN, _MARGIN, _MARGIN + size[0], _MARGIN + size[1]))
    alpha = ImageChops.multiply(alpha, _mask(width, 1).reduce(SCALE))
    return Pixels(alpha, alpha)


@cache
def _dashes(width: int, sun: int) -> Image.Image:
    """Bars across the direction of the light, which go on from hex to hex."""
    size = tuple(side + 2 * _MARGIN for side in _size(width))
    dx, dy = Scene(width, 0, 0).direction(sun)
    long = math.hypot(dx, dy)
    ux, uy, step = dx / long, dy / long, long / 5
    image = Image.new("L", (size[0] * 2, size[1] * 2))
    pen = ImageDraw.Draw(image)
    for at in range(-8, 9):
        x, y = size[0] + 2 * ux * step * at, size[1] + 2 * uy * step * at
        pen.line([(x - 400 * uy, y + 400 * ux), (x + 400 * uy, y - 400 * ux)], 255, round(1.2 * step))
    return image.reduce(2)


# A hex


@sprite
def ring(width: int, colour: Colour, chosen: bool) -> Pixels:
    """A ring round a hex that may be chosen; a double ring round the chosen one."""
    pen = Pen(*_size(width))
    for tone, thick in ((mix(theme.BRASS_DARK, PEAT, 0.5), 11.0), (colour, 7.0)):
        path = _outline(width, 5)
        pen.line([*path, path[0], path[1]], tone, thick)
    if chosen:
        path = _outline(width, 15)
        pen.line([*path, path[0], path[1]], colour, 4)
    return pen.pixels()


@sprite
def cell(
    width: int, hex_: Hex, sun: int, shadows: Shadows, coming: tuple[int, Shadows], occupied: bool, look: str
) -> Pixels:
    """A hex without the piece on it: its ground with the shade there, and its leaves.

    `shadows` are (height of the tree, steps from it), `coming` the next sun and its shadows. `look` is "" or, while the
    viewer chooses, "dim", "lit" or "chosen".
    """
    leaves, size = LEAVES[hex_], _size(width)
    bare = earth(width, leaves, sun)
    image, alpha = bare.image.copy(), bare.alpha
    if shadows:
        dark = ImageChops.multiply(image, Image.new("RGB", size, SHADE))
        image.paste(dark, (0, 0), shade(width, shadows, sun).alpha)
    if coming[1]:
        image.paste(AHEAD, (0, 0, *size), ahead(width, coming[1], coming[0]).alpha)
    if look == "dim":
        image = Image.blend(image, Image.new("RGB", size, DUSK), DIM)
    high = 0.32 if look in ("lit", "chosen") else 0.46  # below it is the name
    parts = [] if occupied else [(soil_mark(leaves, round(width * 0.2)), (size[0] // 2, round(size[1] * high)))]
    if look in ("lit", "chosen"):
        colour = SUN if look == "lit" else theme.CREAM
        parts.append((ring(width, colour, look == "chosen"), (size[0] // 2, size[1] // 2)))
    for part, (x, y) in parts:
        corner = x - part.size[0] // 2, y - part.size[1] // 2
        image.paste(part.image, corner, part.alpha)
    return Pixels(image, alpha)


@sprite
def coordinate(text: str, dim: bool) -> Pixels:
    """A hex's name or a part of it, readable on any ground."""
    pen = Pen(lettering.width(text, theme.SMALL) + 14, 36)
    dark = mix(PEAT, (0, 0, 0), 0.3)
    for dx in (-2.5, 0, 2.5):
        for dy in (-2.5, 0, 2.5):
            pen.text(pen.width / 2 + dx, 18 + dy, text, theme.SMALL, dark, lettering.TEXT)
    tone = mix(theme.CREAM, PEAT, 0.3) if dim else theme.CREAM
    pen.text(pen.width / 2, 18, text, theme.SMALL, tone, lettering.TEXT)
    return pen.pixels()


@sprite
def last_mark(width: int, mirrored: bool = False) -> Pixels:
    """The brass corners of the last move, bent to a hex: the upper left and the lower right one or, `mirrored`, the
    other two.
    """
    grow = 8
    size = _size(width)
    pen = Pen(size[0] + 2 * grow, size[1] + 2 * grow)
    points = [(x + grow, y + grow) for x, y in _outline(width, -3)]
    for corner in (1, 4) if mirrored else (5, 2):
        (x, y), ends = points[corner], (points[corner - 1], points[(corner + 1) % 6])
        reach = [(x + (end[0] - x) * 0.8, y + (end[1] - y) * 0.8) for end in ends]
        path = [reach[0], (x, y), reach[1]]
        pen.line(path, theme.INK, 19)
        pen.line(path, theme.BRASS_LIGHT, 12)
    return pen.pixels()
