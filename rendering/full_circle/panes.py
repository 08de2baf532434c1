"""Panes of painted glass: the quarters of the window, and the same quarters as cards, with their point below."""

from __future__ import annotations

import math
from collections.abc import Collection

from PIL import Image

from rendering.core.art import art, resized, toned
from rendering.core.sprites import Pixels, Point, Sprite, pixels, sprite
from rendering.full_circle.signs import BRIGHT, UNLIT
from rendering.full_circle.stage import SLUG
from rules.full_circle.types import PLACES

TABLE_RADIUS, HAND_RADIUS = 250, 188
"""The radius of the window on the table and in a hand. What it is made of has a file for each: to make a sprite smaller
takes longer than to read it.
"""
FRAME = 200
"""The radius of a card in the file of its frame."""
LEAST_WITH_SIGNS = 100
"""The least radius of a card with signs, in pixels; on smaller ones letters take their place."""
SMALL_LETTER, LEAST_LETTER = 35, 32
"""The size of such a letter with its contour, and of one beside a sign, in pixels: a capital has three quarters."""


def painted(name: str, width: int = 0) -> Sprite:
    """Return one of the game's painted sprites, in its own size or `width` pixels wide."""
    return art(f"{SLUG}/{name}", width)


def of_window(name: str, radius: int, part: float = 1) -> Sprite:
    """Return a painted part of the window that is `part` radii wide."""
    return painted(f"small_{name}" if radius <= HAND_RADIUS else name, round(part * radius))


def point(place: int, radius: float, degrees: float, size: float) -> Point:
    """Return a point of a quarter on its sprite of that size: by distance from the window's middle, and by angle from
    its counter-clockwise edge.
    """
    turn = math.radians(degrees + 90 * place)
    return (
        (size if place in (0, 3) else 0) - radius * math.cos(turn),
        (size if place in (0, 1) else 0) - radius * math.sin(turn),
    )


def mark(kind: str, letter: str, size: float, *, lit: bool) -> Image.Image:
    """Return a colour's sign ("") or letter ("letter_") that high: dark on bright glass, else pale."""
    tone = "dark" if lit and letter in BRIGHT else "pale"
    whole = painted(f"{kind}{tone}_{letter}").layer
    return resized(whole, max(1, round(whole.width * size / whole.height)), max(1, round(size)))


def lay(sheet: Image.Image, image: Image.Image, x: float, y: float) -> None:
    """Lay an image on a sheet with its middle at (x, y)."""
    sheet.alpha_composite(image, (max(0, round(x - image.width / 2)), max(0, round(y - image.height / 2))))


def half(letter: str, first: bool, radius: int, *, lit: bool) -> Image.Image:
    """Return half of the upper left quarter; its lower right corner is the window's middle."""
    found = of_window(f"{'first' if first else 'second'}_{letter}", radius)
    return (found if lit else toned(found, UNLIT)).layer


def turned(image: Image.Image, quarter: int) -> Image.Image:
    """Return what was painted for the upper left quarter as it is at another one."""
    ways = (None, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
    way = ways[quarter]
    return image if way is None else image.transpose(way)


@sprite
def quadrant(number: int, face: str, edges: tuple[str, str], lit: tuple[bool, bool], radius: int) -> Pixels:
    """The glass of a card in the window; a wild has jewels. `lit`: light is behind it."""
    sheet = Image.new("RGBA", (radius, radius))
    for letter, shines, first in zip(edges, lit, (True, False), strict=True):
        sheet.alpha_composite(turned(half(letter, first, radius, lit=shines), number))
    if face[0] == "W":
        sheet.alpha_composite(turned(of_window("jewels", radius).layer, number))
    sheet.alpha_composite(turned(of_window("lattice", radius).layer, number))
    return pixels(sheet)


@sprite
def writing(number: int, edges: tuple[str, str], lit: tuple[bool, bool], radius: int) -> Pixels:
    """The sign and the letter at each edge of such a card: they lie above the light along edges."""
    sheet = Image.new("RGBA", (radius, radius))
    for letter, shines, degrees in zip(edges, lit, (22.5, 67.5), strict=True):
        lay(sheet, mark("", letter, radius * 0.29, lit=shines), *point(number, radius * 0.655, degrees, radius))
        lay(sheet, mark("letter_", letter, radius * 0.245, lit=shines), *point(number, radius * 0.375, degrees, radius))
    return pixels(sheet)


@sprite
def empty_quadrant(number: int, wanted: tuple[str, str], radius: int) -> Pixels:
    """An empty quarter: clear glass before the night, and at its edges the signs of its neighbours' colours."""
    sheet = turned(of_window("empty", radius).layer, number).copy()
    for letter, degrees in zip(wanted, (17, 73), strict=True):
        if letter:
            ghost = toned(painted(f"pale_{letter}"), (196, 206, 240)).layer
            size = round(radius * 0.24)
            lay(sheet, resized(ghost, size, size), *point(number, radius * 0.66, degrees, radius))
    sheet.alpha_composite(turned(of_window("lattice", radius).layer, number))
    return pixels(sheet)


def pane(card: str, radius: int, lit: bool = True, brass: bool = False) -> Image.Image:
    """Return the glass of a card in its frame of lead or brass: a quarter of the window with its point below, its
    counter-clockwise colour on the left.
    """
    sheet = Image.new("RGBA", painted("frame", round(radius * 291 / FRAME)).size)
    x, foot = sheet.width / 2, foot_of(sheet.height, radius)
    for letter, first in ((card[0], False), (card[-1], True)):
        glass = half(letter, first, radius, lit=lit)
        glass = turned(glass, 1) if first else glass
        sheet.alpha_composite(glass, (round(x if first else x - radius), round(foot - radius)))
    sheet.alpha_composite(painted("frame_brass" if brass else "frame", sheet.width).layer)
    return sheet


def foot_of(height: int, radius: int) -> float:
    """Return how far below the upper edge of a pane of that height its point lies."""
    return height - 6 * radius / FRAME


@sprite
def fan(cards: tuple[str, ...], radius: int, turn: float) -> Pixels:
    """Panes with their points in the middle of the sprite, so many degrees from one to the next."""
    size = 2 * radius + 12
    sheet = Image.new("RGBA", (size, size))
    for number, card in enumerate(cards):
        drawn, whole = pane(card, radius), Image.new("RGBa", (size, size))
        whole.paste(
            drawn.convert("RGBa"), ((size - drawn.width) // 2, size // 2 - round(foot_of(drawn.height, radius)))
        )
        degrees = turn * ((len(cards) - 1) / 2 - number)
        sheet.alpha_composite(whole.rotate(degrees, Image.Resampling.BICUBIC).convert("RGBA"))
    return pixels(sheet)


@sprite
def card_face(card: str, radius: int, lit: bool = True, fits: bool = False) -> Pixels:
    """A card of a hand, in brass if it fits. All that tells cards apart is in its upper part: other cards may cover the
    rest.
    """
    sheet = pane(card, radius, lit, fits)
    x, foot = sheet.width / 2, foot_of(sheet.height, radius)

    def write(kind: str, letter: str, degrees: float, size: float, out: float = 0.775) -> None:
        image = (
            painted("rosette", round(size)).layer if (kind, letter) == ("", "W") else mark(kind, letter, size, lit=lit)
        )
        turn = math.radians(degrees)
        lay(sheet, image, x + radius * out * math.sin(turn), foot - radius * out * math.cos(turn))

    if radius < LEAST_WITH_SIGNS:
        for letter, degrees in zip(dict.fromkeys(card), (-24, 24) if len(set(card)) > 1 else (0,), strict=True):
            write("letter_", letter, degrees, SMALL_LETTER, 1 - 24 / radius)
    elif len(card) == 1:
        write("", card, -17, radius * 0.32)
        write("letter_", card, 17, max(LEAST_LETTER, radius * 0.29))
    else:
        for letter, side in zip(card, (-1, 1), strict=True):
            write("", letter, 31.5 * side, radius * 0.27)
            write("letter_", letter, 11.5 * side, max(LEAST_LETTER, radius * 0.25))
    return pixels(sheet)


@sprite
def turned_sprite(sprite: Sprite, quarter: int) -> Pixels:
    """What was painted for the upper left quarter, or for the upper seam, as it is at another one."""
    return pixels(turned(sprite.layer, quarter))


@sprite
def compass(size: int, fits: Collection[str], doubles: Collection[str] = ()) -> Pixels:
    """A small window: its quarters are bright if the card fits there, ringed if it would be a Double Match."""
    sheet, half = painted("compass", 2 * (size // 2)).layer, size // 2
    for number, place in enumerate(PLACES):
        kind = "double" if place in doubles else "lit" if place in fits else "dim"
        glass = turned(painted(f"quarter_{kind}", half).layer, number)
        sheet.alpha_composite(glass, (half * (number in (1, 2)), half * (number in (2, 3))))
    return pixels(sheet)
