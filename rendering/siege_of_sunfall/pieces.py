"""Siege of Sunfall's pieces: its colours and signs, the planks under the city, and the cards."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageDraw

from rendering.core import lettering, theme
from rendering.core.cards import blank
from rendering.core.emblems import Emblem
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, lit_from_above, mix, sprite
from rendering.core.theme import Plate
from rendering.siege_of_sunfall import emblems
from rules.siege_of_sunfall.types import ARMIES_PAY, BOOST_ADDS, GOLD_PAYS, Card, Kind

SLUG = "siege_of_sunfall"

# Colours

WALNUT: Colour = (88, 56, 36)
DUSK: Colour = (58, 36, 74)
GLOW: Colour = (238, 142, 66)
STONE: Colour = (44, 28, 34)
BACK: Colour = (120, 44, 40)
BOARD = Plate((246, 234, 206), (150, 118, 74), (170, 136, 88), theme.INK, theme.INK_SOFT)
OUT = Plate((170, 148, 120), (98, 74, 50), (120, 94, 64), (78, 62, 50), (98, 80, 64))
TINTS: dict[Kind, Colour] = {
    Kind.SWORDS: (17, 53, 172),
    Kind.HELMET: (162, 89, 58),
    Kind.BOW: (16, 64, 9),
    Kind.BOOST: (153, 38, 46),
    Kind.GOLD: (153, 114, 6),
    Kind.ARMIES: (146, 70, 135),
    Kind.CROWN: (61, 25, 87),
    Kind.END: (206, 92, 30),
}

# Signs


def _boost(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """A hand that adds to a pledge."""
    emblems.fist(pen, x - size * 0.1, y + size * 0.04, size * 0.82, colour, cut)
    for box in ((0.22, -0.46, 0.34, -0.1), (0.1, -0.34, 0.46, -0.22)):
        left, top, right, bottom = (v * size for v in box)
        pen.box(x + left, y + top, x + right, y + bottom, 1, colour)


def _gold(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    """Two stacks of coins."""
    for column, (px, high) in enumerate(((-0.24, 4), (0.24, 3))):
        for i in range(high):
            top = y + size * (0.26 - 0.17 * i)
            left, right = x + size * (px - 0.24), x + size * (px + 0.24)
            pen.box(left, top, right, top + size * 0.2, size * 0.09, cut)
            pen.box(left, top, right, top + size * 0.155, size * 0.075, mix(colour, cut, 0.12 * column))


SIGNS: dict[Kind, Emblem] = {
    Kind.SWORDS: emblems.swords,
    Kind.HELMET: emblems.helmet,
    Kind.BOW: emblems.bow,
    Kind.BOOST: _boost,
    Kind.GOLD: _gold,
    Kind.ARMIES: emblems.banner,
    Kind.CROWN: emblems.crown,
    Kind.END: emblems.gate,
}

# Sizes

BAND = 132
"""Height of the city at the top."""
FACED = (232, 325)
"""The size of the card that the players face."""
MINI = (44, 60)
"""The size of a card on a player's board."""


# Pieces


def table_top(width: int, height: int) -> Image.Image:
    """Planks of walnut, and the city against the evening sky above them."""
    image = Image.new("RGB", (width, height), WALNUT)
    pen = ImageDraw.Draw(image)
    random = Random(51)  # noqa: S311 - the same grain every time
    for top in range(BAND, height, 118):
        tone = mix(WALNUT, (0, 0, 0), random.choice((0.0, 0.05, 0.1)))
        pen.rectangle((0, top, width, top + 118), tone)
        for _ in range(6):
            y, wave = top + random.randrange(8, 112), random.random() * 6
            line = [(x, y + 3 * math.sin(x / 170 + wave)) for x in range(0, width + 40, 40)]
            pen.line(line, mix(tone, (0, 0, 0), random.choice((0.08, 0.12))), random.choice((2, 3)))
        pen.line((0, top, width, top), mix(WALNUT, (0, 0, 0), 0.5), 4)
        pen.line((0, top + 3, width, top + 3), mix(WALNUT, (255, 220, 170), 0.14), 2)
    image = lit_from_above(image, 0.78)
    image.paste(_city(width).image, (0, 0))
    return image


@sprite
def _city(width: int) -> Pixels:
    """The walls and towers of Sunfall, the sun going down behind them."""
    pen = Pen(width, BAND)
    for i in range(BAND // 4):
        t = (i / (BAND // 4)) ** 1.3
        sky = mix(DUSK, (178, 70, 72), min(1.0, t * 1.6)) if t < 0.6 else mix((178, 70, 72), GLOW, (t - 0.6) / 0.4)
        pen.box(0, i * 4, width, i * 4 + 5, 0, sky)
    sun = width * 0.5
    pen.disc(sun, BAND - 22, 66, mix(GLOW, (255, 214, 120), 0.45))
    pen.disc(sun, BAND - 22, 56, (255, 220, 138))
    random = Random(7)  # noqa: S311 - the same city every time
    x = 0.0
    while x < width:
        wide = random.choice((34, 46, 60))
        near = 1 - min(1.0, abs(x + wide / 2 - sun) / 260)
        high = random.choice((30, 38, 46)) * (1 - 0.45 * near)
        roof = random.random() < 0.35
        pen.box(x, BAND - high, x + wide + 1, BAND, 0, STONE)
        if roof:
            pen.polygon([(x - 3, BAND - high), (x + wide / 2, BAND - high - 26), (x + wide + 3, BAND - high)], STONE)
        else:
            for at in range(int(x), int(x + wide), 14):
                pen.box(at, BAND - high - 7, at + 8, BAND - high + 1, 0, STONE)
        if random.random() < 0.5:
            pen.box(x + wide / 2 - 3, BAND - high + 9, x + wide / 2 + 3, BAND - high + 19, 3, mix(GLOW, STONE, 0.15))
        x += wide
    pen.box(0, BAND - 6, width, BAND, 0, mix(STONE, (0, 0, 0), 0.5))
    return pen.pixels()


@sprite
def card_face(kind: Kind, strength: int, title: str, width: int, height: int) -> Pixels:
    """A card: its sign, its strength on a shield or its effect, and its name if there is room."""
    pen = Pen(width, height)
    tint = TINTS[kind]
    blank(pen, tint)
    middle = height * (0.52 if title else 0.55)
    pen.disc(width * 0.5, middle, width * 0.37, mix(theme.PAPER, tint, 0.14))
    SIGNS[kind](pen, width * 0.5, middle, width * 0.56, tint, mix(theme.PAPER, tint, 0.14))
    bonus = {Kind.BOOST: f"+{BOOST_ADDS}", Kind.GOLD: f"+{GOLD_PAYS}", Kind.ARMIES: f"+{ARMIES_PAY}"}.get(kind, "")
    if strength:
        x, y, s = width * 0.23, height * 0.175, width * 0.19
        shield = [(x - s, y - s), (x + s, y - s), (x + s, y + s * 0.35), (x, y + s * 1.35), (x - s, y + s * 0.35)]
        pen.polygon(shield, tint)
        pen.text(x, y - s * 0.02, str(strength), width * (0.26 if strength < 10 else 0.22), theme.PAPER)
    elif bonus:
        pen.text(width * 0.26, height * 0.15, bonus, width * 0.27, tint)
    if title:
        pen.text(width / 2, height * 0.89, title, width * 0.15, theme.INK, lettering.TEXT)
    return pen.pixels()


@sprite
def mini_card(kind: Kind) -> Pixels:
    """A boost or gold card on a player's board."""
    width, height = MINI
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 7, theme.INK)
    pen.box(1.5, 1.5, width - 1.5, height - 2, 6, TINTS[kind])
    SIGNS[kind](pen, width / 2, height * 0.66, width * 0.62, theme.PAPER, TINTS[kind])
    bonus = BOOST_ADDS if kind is Kind.BOOST else GOLD_PAYS
    pen.text(width / 2, height * 0.2, f"+{bonus}", 21, theme.PAPER, lettering.TEXT)
    return pen.pixels()


@sprite
def progress(kind: Kind, have: int, face: Colour) -> Pixels:
    """The progress of a set of three: the kind's sign and three pips, of which one is filled for each card."""
    pen = Pen(60, 54)
    ink = TINTS[kind] if have else mix(face, theme.INK, 0.28)
    SIGNS[kind](pen, 22, 27, 42, ink, face)
    for i in range(3):
        y = 43 - i * 16
        pen.disc(52, y, 6.5, ink)
        if i >= have:
            pen.disc(52, y, 4.2, face)
    return pen.pixels()


def faced_card(labels: Labels, card: Card) -> Sprite:
    """The card that the players face, with its name."""
    return card_face(card.kind, card.strength, title_of(labels, card.kind), *FACED)


def title_of(labels: Labels, kind: Kind) -> str:
    """Return the name of cards of that kind."""
    return labels.say(f"card.{kind.value}")
