"""Full Circle's pieces: cards of a hand, the marker, the pile, the compass, and the flame of wins in a row."""

from __future__ import annotations

from PIL import Image

from rendering.core import lettering, theme
from rendering.core.canvas import Page
from rendering.core.chrome import NIGHT
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.full_circle.signs import INKS, TINTS, draw_colour, flame, lock, wheel

BACK: Colour = (92, 58, 112)
HOLLOW: Colour = (30, 30, 50)
"""An empty place."""
LEAD: Colour = (20, 16, 26)
"""The lines between panes, and round the glass of cards."""
STONE: Colour = (150, 142, 158)
"""The frame of the window, and the rim of the empty place of the pile."""
REST: Colour = (214, 204, 190)
"""The paper of a card that does not fit."""
DIM: Colour = (128, 120, 144)
"""The dot of a quadrant that a card does not fit."""

DARK_INK = 120
"""Colours that are lighter than this grey are written on in dark ink."""
FLAME = 62
"""The size of the flame on a disc or in a line of text."""
LEAST_WITH_SIGNS = 80
"""The least height of a card with signs, in pixels; on smaller ones letters take their place."""
SMALL_LETTER = 40


def paler(colour: Colour) -> Colour:
    """Return the colour of a card that does not fit now: 35 hundredths of the way to its grey, and as legible."""
    grey = round(0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2])
    light = 0.06 if grey > DARK_INK else 0
    return mix(mix(colour, (grey, grey, grey), 0.35), (255, 255, 255), light)


@sprite
def marker(size: int) -> Pixels:
    """The marker: a brass stud with a padlock."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 3, theme.BRASS_LIGHT)
    pen.disc(c, c, c - 8, theme.BRASS)
    lock(pen, c, c - size * 0.03, size * 0.56, theme.INK, theme.BRASS)
    return pen.pixels()


@sprite
def card_face(card: str, width: int, height: int, asleep: bool = False) -> Pixels:
    """A card of a hand: its counter-clockwise colour on the left, the clockwise one on the right. `asleep`: it does not
    fit now, so its colours are paler, and its writing is as legible. The width is even.
    """
    shape = _blank(width, height).alpha
    if len(card) == 2:
        image = Image.new("RGB", (width, height))
        for at, letter in enumerate(card):
            image.paste(_half_card(letter, at, width, height, asleep).image, (at * width // 2, 0))
        return Pixels(image, shape)
    pen = Pen(width, height)
    _setting(pen, width, 0, asleep)
    if card == "W":
        _glass(pen, width, (0, width), theme.PAPER if not asleep else REST)
        wheel(pen, width / 2, height * 0.38, min(width * 0.34, height * 0.27))
        pen.text(width / 2, height * 0.8, "W", min(width * 0.32, height * 0.33), theme.INK)
        return Pixels(pen.solid(), shape)
    _glass(pen, width, (0, width), paler(TINTS[card]) if asleep else TINTS[card])
    _write_colour(pen, card, width / 2, width * 0.8)
    return Pixels(pen.solid(), shape)


@sprite
def _half_card(letter: str, side: int, width: int, height: int, asleep: bool) -> Pixels:
    """The left or the right half of a card of two colours (`side` 0 or 1): the same for all cards with it."""
    pen = Pen(width // 2, height)
    left = -side * width / 2
    _setting(pen, width, left, asleep)
    tint, edge = paler(TINTS[letter]) if asleep else TINTS[letter], max(1.0, width * 0.012)
    _glass(pen, width, (0, width / 2 - edge) if not side else (edge, width / 2), tint)
    _write_colour(pen, letter, left + width * (0.715 if side else 0.285), width * 0.4)
    return Pixels(pen.solid(), Image.new("L", (width // 2, height), 255))


def _setting(pen: Pen, width: int, left: float, asleep: bool) -> None:
    """Draw the metal in which a card's glass is set, and the lead inside it; its left edge at `left`."""
    height, radius, thick = pen.height, width * 0.085, _metal(width)
    face = REST if asleep else theme.PAPER
    pen.box(left, 0, left + width, height, radius, theme.INK)
    pen.box(left + 1.5, 1.5, left + width - 1.5, height - 1.5, radius, mix(face, theme.INK, 0.42))
    pen.box(left + 1.5, 1.5, left + width - 1.5, height - 2 - thick * 0.45, radius, face)
    pen.box(left + thick, thick, left + width - thick, height - thick, radius * 0.6, LEAD)


def _metal(width: int) -> float:
    """Return how wide the metal round a card's glass is."""
    return max(3.0, width * 0.042)


def _glass(pen: Pen, width: int, ends: tuple[float, float], tint: Colour) -> None:
    """Draw a pane of a card: enamel with a bright upper edge, a dark lower one, and a gleam in its upper part. `ends`:
    its left and right end on the pen's sheet; an end at the sheet's edge begins inside the card's metal.
    """
    inset, height = _metal(width) + max(1.2, width * 0.012), pen.height
    whole = pen.width == width
    left = inset if ends[0] == 0 else ends[0]
    right = ends[1] - inset if whole or ends[0] else ends[1]
    bevel, radius = max(1.5, width * 0.02), width * 0.04
    dark, light = mix(tint, (0, 0, 0), 0.3), mix(tint, (255, 255, 255), 0.42)
    pen.box(left, inset, right, height - inset, radius, light)
    pen.box(left + bevel, inset + bevel, right, height - inset, radius, dark)
    pen.box(left + bevel, inset + bevel, right - bevel, height - inset - bevel, radius * 0.8, tint)
    if height >= LEAST_WITH_SIGNS:
        x, y, far = left + bevel * 2, inset + bevel * 2, right - bevel * 2
        wide, gleam = min(far - x, height - inset - bevel * 3 - y), mix(tint, (255, 255, 255), 0.1)
        pen.polygon([(x, y), (x + wide * 0.62, y), (x, y + wide * 0.62)], gleam)
        pen.polygon([(x + wide * 0.76, y), (x + wide * 0.92, y), (x, y + wide * 0.92), (x, y + wide * 0.76)], gleam)


def _write_colour(pen: Pen, letter: str, x: float, room: float) -> None:
    """Draw a colour's sign, if there is room, and its letter, their middle at x, within `room` pixels."""
    height = pen.height
    if height < LEAST_WITH_SIGNS:
        pen.text(x, height * 0.6, letter, SMALL_LETTER, INKS[letter], lettering.TEXT)
        return
    draw_colour(pen, x, height * 0.35, min(room * 0.8, height * 0.44), letter)
    pen.text(x, height * 0.74, letter, min(room * 0.95, height * 0.36), INKS[letter])


@sprite
def _blank(width: int, height: int) -> Pixels:
    """The shape of a card, the same for all cards of that size."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, width * 0.085, theme.INK)
    return pen.pixels()


@sprite
def chosen_frame(width: int, height: int) -> Pixels:
    """The outline round a card that is chosen, with a tick."""
    pen = Pen(width + 20, height + 20)
    radius = width * 0.085 + 9
    pen.box(0, 0, width + 20, height + 20, radius, None, theme.INK, 10)
    pen.box(1.5, 1.5, width + 18.5, height + 18.5, radius - 1.5, None, theme.BRASS_LIGHT, 7.5)
    x = y = 24
    pen.disc(x, y, 24, theme.INK)
    pen.disc(x, y, 22, theme.BRASS_LIGHT)
    pen.line([(x - 11, y), (x - 3, y + 9), (x + 12, y - 10)], theme.INK, 6)
    return pen.pixels()


def chip(face: str, width: int, height: int) -> Sprite:
    """Return a played card in a line of text: the card or, of a wild, its wheel and the colour that it became."""
    return _wild_chip(face[2:], width, height) if face[0] == "W" else card_face(face, width, height)


@sprite
def _wild_chip(letter: str, width: int, height: int) -> Pixels:
    """A wild in a line of text, wider than that by the pane of its colour if it has one already."""
    pen = Pen(width + (height if letter else 0), height)
    pen.box(0, 0, pen.width, height, 8, theme.INK)
    pen.box(1.5, 1.5, pen.width - 1.5, height - 1.5, 7, theme.PAPER)
    wheel(pen, width / 2, height / 2, height * 0.45)
    if letter:
        pen.box(width - 2, 4, pen.width - 4, height - 4, 5, TINTS[letter])
        pen.text(width + height / 2 - 3, height / 2, letter, SMALL_LETTER, INKS[letter], lettering.TEXT)
    return pen.pixels()


@sprite
def compass(size: int, fits: str, doubles: str) -> Pixels:
    """Four dots as the quadrants lie: bright if the card fits there, ringed if it would be a Double Match. `fits`,
    `doubles`: four characters in the order of PLACES, "1" for yes.
    """
    pen = Pen(size, size)
    pen.disc(size / 2, size / 2, size / 2, theme.BRASS_LIGHT)
    pen.disc(size / 2, size / 2, size / 2 - 3, NIGHT)
    for number, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        cx, cy, r = size / 2 + x * size * 0.19, size / 2 + y * size * 0.19, size * 0.16
        if doubles[number] == "1":
            pen.disc(cx, cy, r * 1.25, theme.BRASS_LIGHT)
            pen.disc(cx, cy, r * 0.94, NIGHT)
            pen.disc(cx, cy, r * 0.6, theme.BRASS_LIGHT)
        else:
            pen.disc(cx, cy, r if fits[number] == "1" else r * 0.5, theme.BRASS_LIGHT if fits[number] == "1" else DIM)
    return pen.pixels()


def place_pile(page: Page, x: int, y: int, width: int, cards: int) -> None:
    """Place the pile, and on its uppermost card how many there are; x and y are its upper left corner."""
    height = round(width * 1.3)
    page.place(_pile(width, height, min(3, cards)), x, y)
    page.text(x + width / 2, y + height / 2, str(cards), theme.SMALL, theme.INK, width, "mm")


@sprite
def _pile(width: int, height: int, cards: int) -> Pixels:
    """The backs of that many cards."""
    pen = Pen(width + 8, height + 8)
    for step in range(cards, 0, -1):
        x, y = 4.0 * (step - 1), 4.0 * (step - 1)
        pen.box(x, y, x + width, y + height, width * 0.1, theme.INK)
        pen.box(x + 1.5, y + 1.5, x + width - 1.5, y + height - 2, width * 0.09, theme.PAPER)
        pen.box(x + 5, y + 5, x + width - 5, y + height - 5, width * 0.06, BACK)
    if not cards:
        pen.box(0, 0, width, height, width * 0.1, HOLLOW, STONE, 3)
    pen.disc(width / 2, height / 2, width * 0.42, theme.PAPER)
    return pen.pixels()


@sprite
def streak_flame(wins: int, size: int) -> Pixels:
    """A flame with the number of wins in a row."""
    pen = Pen(size, size)
    c = size / 2
    flame(pen, c, c, size, theme.INK, theme.INK)
    flame(pen, c, c, size * 0.93, TINTS["O"], TINTS["Y"])
    pen.text(c, c + size * 0.19, str(wins), size * (0.66 if wins < 10 else 0.5), theme.INK, lettering.TEXT)
    return pen.pixels()
