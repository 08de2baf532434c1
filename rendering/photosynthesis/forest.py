"""The board of Photosynthesis: hexes of earth, the shadows that trees cast, the tokens."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random

from PIL import Image, ImageChops, ImageDraw

from rendering.core import chrome, lettering, theme
from rendering.core.canvas import Page
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Point, along, curve, mix, sprite
from rendering.photosynthesis import trees
from rendering.photosynthesis.trees import piece
from rules.core.hexes import STEPS
from rules.photosynthesis import BOARD, HEXES, LEAVES, Hex, PhotosynthesisView

# Colours

WOOD: Colour = (44, 84, 62)
"""The ground under the board: the forest floor at dusk."""
MOSS: Colour = (106, 134, 70)
PEAT: Colour = (58, 42, 32)
SOILS: tuple[Colour, ...] = ((226, 204, 152), (206, 190, 126), (182, 178, 106), (158, 166, 92))
"""The colour of earth by its leaves: richer soil is greener, and grows more (`_growth`)."""
NIGHT: Colour = (60, 56, 122)
DEPTH = 0.42
"""How much a shadow cools the earth."""
GLEAM: Colour = (255, 240, 190)
"""The colour with which sunbeams lighten the earth."""
SUN: Colour = (255, 206, 84)
SUN_EDGE: Colour = (226, 128, 32)
LEAF: Colour = (24, 54, 24)
TOKENS: tuple[Colour, ...] = ((150, 176, 84), (108, 148, 66), (68, 118, 58), (34, 84, 52))

MEADOW: tuple[Colour, ...] = ((148, 162, 92), (112, 140, 84), (78, 114, 76), (54, 92, 68), (40, 76, 60))
"""The meadow round the board, from the sun's corner on."""

DIM = 0.5
"""How much a hex that cannot be chosen is darkened."""
_GROUNDS = tuple(tone for soil in SOILS for tone in (soil, mix(soil, NIGHT, DEPTH), mix(soil, GLEAM, 0.3)))
COLOURS: tuple[Colour, ...] = (
    *(WOOD, MOSS, PEAT, SUN, SUN_EDGE, LEAF, *MEADOW),
    *TOKENS,
    *_GROUNDS,
    *(mix(tone, PEAT, DIM) for tone in (*_GROUNDS, *trees.COLOURS)),
)
"""The colours that the palette has exactly."""

# Sizes

HEX = (120, 140)
"""A hex's sprite; centres are 120 apart in a row, and rows 104."""
PITCH = 104
MIDDLE = (600, 482)
"""The middle of hex D4 on the page."""
FOOT = 113
"""The foot of trees, from the upper edge of a hex's sprite."""
NAME_AT = (38, 118)
"""The middle of a hex's name, on its sprite."""


def centre(hex_: str) -> Point:
    """Return a hex's middle on the page."""
    q, r = BOARD.axial[hex_]
    return MIDDLE[0] + HEX[0] * (q + r / 2), MIDDLE[1] + PITCH * r


def light_direction(sun: int) -> Point:
    """Return the direction in which the light travels: E, SE, SW, W, NW, NE."""
    return math.cos(math.radians(60 * sun)), math.sin(math.radians(60 * sun))


def _corners(inset: float) -> list[Point]:
    """A hex's outline on its sprite."""
    radius = HEX[0] / math.sqrt(3) - inset * 2 / math.sqrt(3)
    middle = (HEX[0] / 2, HEX[1] / 2)
    return [
        (middle[0] + radius * math.sin(math.radians(60 * i)), middle[1] - radius * math.cos(math.radians(60 * i)))
        for i in range(6)
    ]


SUN_AT = 474
"""The sun's distance from the middle of the board."""


def woods(width: int, height: int) -> Image.Image:
    """The meadow in the light of a sun above."""
    image = Image.new("RGB", (width * 2, height * 2), MEADOW[-1])
    _paint_meadow(ImageDraw.Draw(image), width * 2, height * 2, (width, 0))
    return image.reduce(2)


def _paint_meadow(pen: ImageDraw.ImageDraw, wide: int, tall: int, light: Point) -> None:
    """Bands of grass round the light, with tufts."""
    x, y = light
    far = math.hypot(max(x, wide - x), max(y, tall - y)) * 1.02
    bands = 9
    for band in range(bands):
        part = 1 - band / (bands - 1)
        radius = 260 + (far - 260) * part
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), along(MEADOW, part))
    random = Random(37)  # noqa: S311 - the same grass every time
    for _ in range(90):
        at_x, at_y = random.randrange(wide), random.randrange(tall)
        tone = mix(along(MEADOW, math.hypot(at_x - x, at_y - y) / far), (0, 0, 0), 0.16)
        for lean in (-14, 0, 14):
            pen.line([(at_x, at_y), (at_x + lean, at_y - 26 + abs(lean) // 3)], tone, 5)


@cache
def floor(sun: int) -> Callable[[int, int], Image.Image]:
    """Return the painter of the meadow in the light from that corner, with the board without its hexes."""

    def paint(width: int, height: int) -> Image.Image:
        dx, dy = light_direction(sun)
        image = Image.new("RGB", (width * 2, height * 2), MEADOW[-1])
        pen = ImageDraw.Draw(image)
        _paint_meadow(pen, width * 2, height * 2, (2 * (MIDDLE[0] - SUN_AT * dx), 2 * (MIDDLE[1] - SUN_AT * dy)))
        for inset, drop, colour in (
            (-15, 26, mix(PEAT, (0, 0, 0), 0.45)),
            (-15, 18, PEAT),
            (-15, 0, MOSS),
            (-8, 0, PEAT),
        ):
            for hex_ in HEXES:
                left, top = _corner(hex_)
                pen.polygon([(2 * (left + px), 2 * (top + drop + py)) for px, py in _corners(inset)], colour)
        return image.reduce(2)

    return paint


def _leaf_outline(x: float, y: float, size: float, degrees: float) -> list[Point]:
    """Return a leaf's outline, its tip in that direction from the middle."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    half = [*curve((-0.5, 0), (-0.3, -0.46), (0.24, -0.34), (0.5, 0), steps=8)]
    outline = [*half, *((px, -py) for px, py in reversed(half))]
    return [(x + size * (px * c - py * s), y + size * (px * s + py * c)) for px, py in outline]


def leaf(pen: Pen, x: float, y: float, size: float, degrees: float) -> None:
    """A leaf with its vein."""
    pen.polygon(_leaf_outline(x, y, size, degrees), LEAF)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    vein = [(x - size * 0.5 * c, y - size * 0.5 * s), (x + size * 0.2 * c, y + size * 0.2 * s)]
    pen.line(vein, mix(LEAF, theme.CREAM, 0.55), size * 0.08)


# Hexes


def _earth(leaves: int, sun: int) -> Pen:
    """A hex's ground with a sunbeam across it."""
    pen = Pen(*HEX)
    soil = SOILS[leaves - 1]
    dx, dy = light_direction(sun)
    pen.polygon(_corners(0), mix(soil, PEAT, 0.62))
    pen.polygon(_corners(2), soil)
    beam = Pen(*HEX)
    x, y = HEX[0] / 2 - 4 * dy, HEX[1] / 2 + 4 * dx
    beam.line([(x - 100 * dx, y - 100 * dy), (x + 100 * dx, y + 100 * dy)], mix(soil, GLEAM, 0.3), 24)
    pen.sheet.paste(beam.sheet, (0, 0), ImageChops.multiply(beam.sheet.getchannel("A"), _hex_mask(2)))
    _growth(pen, leaves)
    return pen


def _growth(pen: Pen, leaves: int) -> None:
    """Draw what grows on the soil: pebbles, moss, ferns, or flowers, at the hex's edge, away from pieces and names."""
    soil = SOILS[leaves - 1]
    spots = ((33, 31), (60, 19), (87, 31), (102, 58), (18, 58), (100, 87), (21, 91))
    for x, y in spots[:5] if leaves == 1 else spots:
        if leaves == 1:
            pen.oval(x - 4, y - 2.5, x + 4, y + 2.5, mix(soil, PEAT, 0.2))
        elif leaves == 2:
            for dx, dy in ((-4, 1), (0, -2), (4, 1)):
                pen.disc(x + dx, y + dy, 3.4, mix(soil, MOSS, 0.55))
        else:
            tone = mix(soil, LEAF, 0.6)
            for lean in (-6, 0, 6):
                pen.line([(x, y + 5), (x + lean, y - 6 + abs(lean) * 0.4)], tone, 2.4)
            if leaves == 4:
                pen.disc(x, y - 6, 3.6, theme.CREAM)
                pen.disc(x, y - 6, 1.6, SUN)


@cache
def _hex_mask(inset: float) -> Image.Image:
    mask = Image.new("L", (HEX[0] * SCALE, HEX[1] * SCALE))
    ImageDraw.Draw(mask).polygon([(x * SCALE, y * SCALE) for x, y in _corners(inset)], 255)
    return mask


@sprite
def earth(leaves: int, sun: int) -> Pixels:
    """A hex's ground in the light."""
    return _earth(leaves, sun).pixels()


@sprite
def _shadow_part(height: int, steps: int, sun: int) -> Pixels:
    """The part of a tree's shadow that covers the hex `steps` behind the tree (0: the tree's own hex)."""
    dx, dy = light_direction(sun)
    wide, length = 16 + 7 * height, HEX[0] * height
    profile = [(6.0, 9.0), (30.0, 9.0), (58.0, wide * 0.8), (84.0, wide), (length - 14.0, wide)]
    profile += [(length - 14 + 50 * math.sin(a), wide * math.cos(a)) for a in (0.3, 0.6, 0.9, 1.2, 1.4, 1.57)]
    x, y = HEX[0] / 2 - dx * HEX[0] * steps, HEX[1] / 2 + 13 - dy * HEX[0] * steps
    sides = [
        [(x + dx * along - dy * w * side, y + dy * along + dx * w * side) for along, w in profile] for side in (1, -1)
    ]
    mask = Image.new("L", (HEX[0] * SCALE, HEX[1] * SCALE))
    outline = [*sides[0], *reversed(sides[1])]
    ImageDraw.Draw(mask).polygon([(px * SCALE, py * SCALE) for px, py in outline], 255)
    alpha = ImageChops.multiply(mask, _hex_mask(2)).reduce(SCALE)
    return Pixels(alpha, alpha)


@sprite
def soil_mark(leaves: int) -> Pixels:
    """The soil's leaves, in the middle of an empty hex."""
    pen = Pen(84, 60)
    spread = ((-60,), (-120, -40), (-150, -90, -30), (-165, -115, -65, -15))[leaves - 1]
    reach = 20 if leaves > 1 else 0
    for degrees in spread:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        leaf(pen, 42 + reach * c, 38 + reach * s, 32, degrees)
    return pen.pixels()


@sprite
def small_soil_mark(leaves: int) -> Pixels:
    """The soil's leaves in a column, beside the piece on the hex."""
    pen = Pen(24, 20 * leaves)
    for i in range(leaves):
        pen.polygon(_leaf_outline(12, 10 + 20 * i, 20, -52), LEAF)
    return pen.pixels()


@sprite
def coordinate(hex_: str, dim: bool) -> Pixels:
    """A hex's name, readable on any ground."""
    pen = Pen(60, 38)
    dark = mix(PEAT, (0, 0, 0), 0.3)
    for dx in (-2.5, 0, 2.5):
        for dy in (-2.5, 0, 2.5):
            pen.text(30 + dx, 19 + dy, hex_, theme.SMALL, dark, lettering.TEXT)
    pen.text(30, 19, hex_, theme.SMALL, mix(theme.CREAM, PEAT, 0.3) if dim else theme.CREAM, lettering.TEXT)
    return pen.pixels()


@sprite
def ring(colour: Colour, chosen: bool) -> Pixels:
    """A ring round a hex that may be chosen; a double ring round the chosen one."""
    pen = Pen(*HEX)
    for inset, tone, width in ((4.5, mix(theme.BRASS_DARK, PEAT, 0.5), 10.0), (4.5, colour, 6.5)):
        path = _corners(inset)
        pen.line([*path, path[0], path[1]], tone, width)
    if chosen:
        path = _corners(13)
        pen.line([*path, path[0], path[1]], colour, 4)
    return pen.pixels()


@sprite
def last_mark() -> Pixels:
    """The brass corners of the last move, bent to a hex."""
    grow = 8
    pen = Pen(HEX[0] + 2 * grow, HEX[1] + 2 * grow)
    points = [(x + grow, y + grow) for x, y in _corners(-3)]
    for corner in (5, 2):  # upper left, lower right
        (x, y), ends = points[corner], (points[corner - 1], points[(corner + 1) % 6])
        reach = [(x + (end[0] - x) * 0.6, y + (end[1] - y) * 0.6) for end in ends]
        path = [reach[0], (x, y), reach[1]]
        pen.line(path, theme.INK, 16)
        pen.line(path, theme.BRASS, 10)
    return pen.pixels()


_ROWS = [[hex_ for hex_ in HEXES if hex_[0] == row] for row in sorted({hex_[0] for hex_ in HEXES})]
_ENDS = frozenset(hex_ for row in _ROWS for hex_ in (row[0], row[-1]))
"""The hexes whose names are always written: from them the others can be counted."""


@sprite
def cell(hex_: Hex, sun: int, shadows: tuple[tuple[int, int], ...], occupied: bool, look: str) -> Pixels:
    """A hex without the piece on it: its ground with the shadows there, and its leaves.

    `shadows` are (height of the tree, steps from it). `look` is "" or, while the viewer chooses, "dim", "lit" or
    "chosen".
    """
    leaves = LEAVES[hex_]
    bare = earth(leaves, sun)
    image, alpha = bare.image.copy(), bare.alpha.copy()
    for height, steps in shadows:
        image.paste(mix(SOILS[leaves - 1], NIGHT, DEPTH), (0, 0, *HEX), _shadow_part(height, steps, sun).alpha)
    if look == "dim":
        image = Image.blend(image, Image.new("RGB", HEX, PEAT), DIM)
    mark, at = (small_soil_mark(leaves), (15, 72)) if occupied else (soil_mark(leaves), (60, 66))
    parts = [(mark, at)]
    if look in ("lit", "chosen"):
        parts.append((ring(SUN if look == "lit" else theme.CREAM, look == "chosen"), (HEX[0] // 2, HEX[1] // 2)))
    for part, (x, y) in parts:
        corner = x - part.size[0] // 2, y - part.size[1] // 2
        image.paste(part.image, corner, part.alpha)
        alpha.paste(part.alpha, corner, part.alpha)
    return Pixels(image, alpha)


@sprite
def coin(size: int, text: str) -> Pixels:
    """A small sun with a number: light. It has rays if there is room or no number."""
    pen = Pen(size, size)
    c = size / 2
    if size >= 70 or not text:
        for i in range(12):
            angle = math.radians(30 * i)
            points = [
                (c + r * math.cos(angle + t), c + r * math.sin(angle + t))
                for r, t in ((size * 0.36, -0.24), (size * 0.5, 0.0), (size * 0.36, 0.24))
            ]
            pen.polygon(points, SUN_EDGE)
    pen.disc(c, c, size * 0.42, mix(SUN_EDGE, PEAT, 0.45))
    pen.disc(c, c, size * 0.38, SUN)
    if text:
        pen.text(c, c, text, max(theme.SMALL, size * (0.6 if len(text) < 2 else 0.46)), theme.INK, lettering.TEXT)
    return pen.pixels()


@sprite
def points_disc(size: int, text: str) -> Pixels:
    """Points, on a disc in the tokens' green."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.BRASS)
    pen.disc(c, c, c - 3.5, TOKENS[3])
    wide = len(text) > 2
    face = lettering.TEXT if wide else lettering.DISPLAY
    pen.text(c, c, text, max(theme.SMALL, size * (0.46 if wide else 0.54)), theme.CREAM, face)
    return pen.pixels()


@sprite
def points_plate(text: str) -> Pixels:
    """A player's points with their noun, on a plate in the tokens' green."""
    pen = Pen(lettering.width(text, theme.SMALL) + 34, 48)
    pen.box(0, 0, pen.width, 48, 24, theme.BRASS)
    pen.box(3, 3, pen.width - 3, 45, 21, TOKENS[3])
    pen.text(pen.width / 2, 24, text, theme.SMALL, theme.CREAM, lettering.TEXT)
    return pen.pixels()


@sprite
def activated_mark(size: int) -> Pixels:
    """A tick: acted on in this turn."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, size * 0.46, theme.INK)
    pen.disc(c, c, size * 0.39, theme.GOOD)
    tick = [(size * 0.28, c), (size * 0.44, size * 0.66), (size * 0.74, size * 0.34)]
    pen.line(tick, theme.CREAM, size * 0.12)
    return pen.pixels()


# The whole board


def shadows_on_hexes(view: PhotosynthesisView) -> list[tuple[tuple[int, int], ...]]:
    """Return the shadows on each hex as (height of the tree, steps from it); the hex's own tree is at 0 steps."""
    found: list[list[tuple[int, int]]] = [[] for _ in HEXES]
    places = {BOARD.axial[hex_]: place for place, hex_ in enumerate(HEXES)}
    dq, dr = STEPS[view.sun]
    for hex_, there in zip(HEXES, view.board, strict=True):
        if there is None or there.height == 0:
            continue
        q, r = BOARD.axial[hex_]
        for steps in range(there.height + 1):
            place = places.get((q + dq * steps, r + dr * steps))
            if place is not None:
                found[place].append((there.height, steps))
    return [tuple(sorted(one)) for one in found]


@sprite
def _dimmed(seat: int, height: int) -> Pixels:
    bright = piece(seat, height)
    return Pixels(Image.blend(bright.image, Image.new("RGB", bright.size, PEAT), DIM), bright.alpha)


def board(
    page: Page,
    view: PhotosynthesisView,
    lit_: dict[str, str] | None = None,
    chosen: frozenset[str] = frozenset(),
    moved: frozenset[str] = frozenset(),
) -> None:
    """Place the 37 hexes with their pieces, and the names of those at the ends of rows and of those that matter.

    `lit_` are the hexes that may be chosen, with the cost of the choice ("" if the cost does not matter); None if the
    viewer is not choosing. `chosen` are the hexes that the viewer has already chosen. `moved` are those that the last
    move changed; while the viewer is choosing, only what may be chosen is marked.
    """

    def look(hex_: str) -> str:
        if lit_ is None:
            return "chosen" if hex_ in chosen else ""
        return "chosen" if hex_ in chosen else "lit" if hex_ in lit_ else "dim"

    hexes = tuple(zip(HEXES, view.board, shadows_on_hexes(view), strict=True))
    for hex_, there, shade in hexes:
        page.place(cell(hex_, view.sun, shade, there is not None, look(hex_)), *_corner(hex_))
    for hex_, there, _ in hexes:
        left, top = _corner(hex_)
        if there is not None:
            drawn = (_dimmed if look(hex_) == "dim" else piece)(there.seat, there.height)
            page.place(drawn, left + HEX[0] / 2, top + FOOT - (0 if there.height else 16), "mb")
        if hex_ in view.activated:
            page.place(activated_mark(34), left + 100, top + 47, "mm")
    for changed in moved if lit_ is None else ():
        page.place(last_mark(), *centre(changed), "mm")
    _coins(page, view, lit_)
    for name in HEXES:  # above all else, so that nothing hides a name
        if name in _ENDS or name in moved or look(name) in ("lit", "chosen"):
            left, top = _corner(name)
            page.place(coordinate(name, look(name) == "dim"), left + NAME_AT[0], top + NAME_AT[1], "mm")


def _corner(hex_: str) -> Point:
    """Return the upper left corner of a hex's sprite."""
    x, y = centre(hex_)
    return x - HEX[0] / 2, y - HEX[1] / 2


def _coins(page: Page, view: PhotosynthesisView, lit_: dict[str, str] | None) -> None:
    """Place the cost of choosing each hex; if the viewer is not choosing, what each tree has earned this round."""
    earned = dict(view.sunlight.earned) if view.sunlight else {}
    for hex_, there in zip(HEXES, view.board, strict=True):
        left, top = _corner(hex_)
        if lit_ is not None:
            if lit_.get(hex_):
                shown = points_disc if lit_[hex_].startswith("+") else coin
                page.place(shown(64, lit_[hex_].strip("+")), left + 93, top + 91, "mm")
        elif there is not None and there.height and hex_ in earned:
            page.place(coin(60, str(earned[hex_])), left + 93, top + 98, "mm")


@sprite
def token(leaves: int, points: int) -> Pixels:
    """A scoring token: its leaves above its worth; 0 points: the pile is empty."""
    pen = Pen(100, 104)
    colour = TOKENS[leaves - 1]
    if points:
        pen.disc(50, 54, 48, mix(colour, (0, 0, 0), 0.5))
        pen.disc(50, 48, 48, mix(colour, theme.CREAM, 0.5))
        pen.disc(50, 48, 45, colour)
        pen.text(50, 61, str(points), 46, theme.CREAM if leaves > 1 else theme.INK)
    else:
        pen.disc(50, 50, 47, mix(WOOD, (0, 0, 0), 0.3))
    fill = mix(colour, theme.CREAM, 0.8) if points else mix(WOOD, theme.CREAM, 0.4)
    for i in range(leaves):
        degrees = -90 + 32 * (i - (leaves - 1) / 2)
        angle = math.radians(degrees)
        outline = _leaf_outline(50 + 31 * math.cos(angle), 51 + 31 * math.sin(angle), 20, degrees)
        pen.polygon(outline, fill)
    return pen.pixels()


PILES_AT = ((84, 836), (206, 836), (994, 836), (1116, 836))
"""The middle of each pile of tokens."""


def piles(page: Page, view: PhotosynthesisView) -> None:
    """Place the four piles of tokens in the lower corners: the top token, and the number of tokens."""
    for leaves, pile in enumerate(view.piles, 1):
        x, y = PILES_AT[leaves - 1]
        page.place(token(leaves, pile[0] if pile else 0), x, y, "mm")
        page.shade(x - 42, y + 54, 84, 48, 24, 2, 178, chrome.NIGHT, 0)
        page.text(x, y + 78, f"×{len(pile)}", theme.SMALL, theme.CREAM, 100, "mm")
