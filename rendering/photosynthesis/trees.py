"""The painted trees and seeds, the shade that they cast, and the signs of light, points and prices."""

from __future__ import annotations

import math
from functools import cache, reduce

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from rendering.core import lettering, theme
from rendering.core.art import aglow, art, mirrored, toned
from rendering.core.canvas import Page
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.photosynthesis.scene import FLAT, TABLE, Scene
from rendering.photosynthesis.stage import SLUG, painted
from rules.photosynthesis.types import LEAVES, Hex

TINTS: tuple[Colour, ...] = ((191, 52, 10), (25, 66, 116), (102, 171, 131), (255, 205, 25))
"""The colour of each seat's variety: orange, blue, green, yellow."""
WIDTHS, HEIGHTS = (64, 114, 128, 142), (62, 105, 139, 175)
"""Width and height of a seed, a small, a medium and a large tree on the table's board."""
FOOT, BELOW = 16, 17
"""How far the foot of a piece is below the middle of its hex, and how far its sprite goes below its foot, there."""
SHADE: Colour = (34, 33, 134)
SHADED: Colour = (204, 208, 242)
"""The cool light of a tree that stands in the shade."""
EVENING: Colour = (12, 18, 66)
AFTERGLOW: Colour = (140, 152, 214)
"""The shade of what cannot be chosen, and the light of a piece in it."""
PALE: Colour = (255, 246, 218)
SAND: Colour = (190, 212, 118)
"""The green of the tokens of the poorest soil."""
COLOURS: tuple[Colour, ...] = (*TINTS, SHADE, EVENING, PALE, SAND)
"""The colours that the palette has exactly."""


def sized_piece(seat: int, height: int, parts: float, sun: int = 0, kind: int = 0) -> Sprite:
    """A seed (height 0) or a tree of either kind, in `parts` hundredths of its size, lit from the side of the sun."""
    name = f"{SLUG}/tree_{seat}{height}{'b' * (kind % 2 and height > 1)}" if height else f"{SLUG}/seed_{seat}"
    found = art(name, round(WIDTHS[height] * parts / 100))
    return mirrored(found) if sun in (2, 3, 4) else found


def thing(name: str, width: int = 0) -> Sprite:
    """A painted thing of the game."""
    return art(f"{SLUG}/{name}", width)


def place_number(
    page: Page, what: Sprite, x: float, y: float, text: str, size: int, fill: Colour = theme.INK, down: float = 0
) -> None:
    """Place a thing with its middle at (x, y), and on it a number, `down` pixels below that."""
    page.place(what, x, y, "mm")
    page.text(x, y + down, text, size, fill, 120, "mm")


def place_coin(
    page: Page, x: float, y: float, text: str, width: int = 52, size: int = theme.SMALL, tone: Colour | None = None
) -> None:
    """Place a coin of light with its middle at (x, y) and a number on it. `tone`: the shade in which it lies."""
    coin = thing("coin", width)
    place_number(page, toned(coin, tone) if tone else coin, x, y, text, size)


# Shade

Shadows = tuple[tuple[int, int, int], ...]
"""On a hex: seat and height of each tree whose shadow lies there, and the steps from it."""
_MARGIN = 12
"""What is drawn round a hex, so that soft edges go on in the next one."""


def _outline(width: int, inset: float) -> list[tuple[float, float]]:
    scene = Scene(width, 0, 0)
    return [(scene.size[0] / 2 + x, scene.size[1] / 2 + y) for x, y in scene.corners(inset)]


@cache
def _mask(width: int, inset: float) -> Image.Image:
    size = Scene(width, 0, 0).size
    mask = Image.new("L", (size[0] * SCALE, size[1] * SCALE))
    ImageDraw.Draw(mask).polygon([(x * SCALE, y * SCALE) for x, y in _outline(width, inset)], 255)
    return mask.reduce(SCALE)


@cache
def _cast(width: int, seat: int, height: int, steps: int, sun: int) -> Image.Image:
    """The shadow of a tree on the hex so many steps behind it (0: its own), with a margin: the tree, laid on the ground
    so that its top reaches as many hexes as it is high.
    """
    scene, k = Scene(width, 0, 0), width / TABLE.hex
    shape = sized_piece(seat, height, 100 * k).alpha
    foot = shape.height - BELOW * k
    shape = shape.copy()
    shape.paste(0, (0, round(foot + 3 * k), shape.width, shape.height))
    dx, dy = scene.direction(sun)
    sx, sy = dx * (height + 0.3) / foot, dy * (height + 0.3) / foot
    px, py = -math.sin(math.radians(60 * sun)) * 1.1, math.cos(math.radians(60 * sun)) * FLAT * 1.1
    size = (scene.size[0] + 2 * _MARGIN, scene.size[1] + 2 * _MARGIN)
    x, y = size[0] / 2 - dx * steps, size[1] / 2 + FOOT * k - dy * steps
    part = px * sy - sx * py
    a, b, d, e = sy / part, -sx / part, py / part, -px / part
    matrix = a, b, shape.width / 2 - a * x - b * y, d, e, foot - d * x - e * y
    laid = shape.transform(size, Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)
    return laid.filter(ImageFilter.GaussianBlur(1.6 + 0.5 * steps))


@sprite
def shade(width: int, shadows: Shadows, sun: int) -> Pixels:
    """The shade on a hex of trees of some height, some steps away."""
    (wide, tall), cast = Scene(width, 0, 0).size, (_cast(width, *shadow, sun) for shadow in shadows)
    inner = reduce(ImageChops.lighter, cast).crop((_MARGIN, _MARGIN, _MARGIN + wide, _MARGIN + tall))
    faint = inner.point([value * 156 // 255 for value in range(256)])
    return Pixels(Image.new("RGB", inner.size, SHADE), ImageChops.multiply(faint, _mask(width, 0.5)))


# Hexes


@sprite
def light(width: int, chosen: bool) -> Pixels:
    """The light on a hex that may be chosen, or is: it lies in the sun, and its edge glows inwards."""
    whole = _mask(width, 1)
    inner = _mask(width, 15 if chosen else 9).filter(ImageFilter.GaussianBlur(4))
    glow = ImageChops.subtract(whole, inner)
    line = ImageChops.subtract(whole, _mask(width, 9 if chosen else 7))
    flood = whole.point([value * 84 // 255 for value in range(256)])
    colour = theme.BRASS_LIGHT if not chosen else PALE
    return Pixels(Image.new("RGB", whole.size, colour), ImageChops.lighter(ImageChops.lighter(glow, line), flood))


@sprite
def ring(width: int) -> Pixels:
    """The edge of a hex on which the viewer may act, in brass."""
    edge = ImageChops.subtract(_mask(width, 2), _mask(width, 9))
    return Pixels(Image.new("RGB", edge.size, theme.BRASS_LIGHT), edge)


@sprite
def cell(scene: Scene, hex_: Hex, sun: int) -> Pixels:
    """A hex of the stage alone, for pictures without a stage."""
    (x, y), (wide, tall) = scene.centre(hex_), scene.size
    left, top = round(x - wide / 2), round(y - tall / 2)
    return Pixels(painted(scene, sun).crop((left, top, left + wide, top + tall)), _mask(scene.hex, 1))


def soil(width: int, hex_: Hex, *, dim: bool) -> Sprite:
    """The leaves of an empty hex's soil."""
    found = thing(f"soil_{LEAVES[hex_]}", round(84 * width / TABLE.hex))
    return toned(found, AFTERGLOW) if dim else found


def rim(piece: Sprite) -> Sprite:
    """Return the pale rim round a piece that the picture is about, to be laid below it."""
    return aglow(piece, 2, PALE, 4)


@sprite
def coordinate(text: str) -> Pixels:
    """A hex's name or a part of it, readable on any ground."""
    pen = Pen(lettering.width(text, theme.SMALL) + 14, 36)
    dark = mix(EVENING, (0, 0, 0), 0.4)
    for step in range(12):
        dx, dy = 2.8 * math.cos(step * math.pi / 6), 2.8 * math.sin(step * math.pi / 6)
        pen.text(pen.width / 2 + dx, 18 + dy, text, theme.SMALL, dark, lettering.TEXT)
    pen.text(pen.width / 2, 18, text, theme.SMALL, theme.CREAM, lettering.TEXT)
    return pen.pixels()
