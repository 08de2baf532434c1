"""Siege of Sunfall's pieces: its colours and signs, and the cards."""

from __future__ import annotations

from rendering.core import lettering, theme
from rendering.core.cards import framed
from rendering.core.emblems import Emblem
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.siege_of_sunfall import emblems
from rendering.siege_of_sunfall.art import art
from rules.siege_of_sunfall.types import ARMIES_PAY, ATTACKERS, BOOST_ADDS, GOLD_PAYS, Card, Kind

SLUG = "siege_of_sunfall"

# Colours

BACK: Colour = (120, 44, 40)
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

FACES: dict[Kind, Colour] = {kind: mix(TINTS[kind], (0, 0, 0), 0.1) for kind in ATTACKERS}
"""The faces of the signs of sets."""

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

FACED = (200, 280)
"""The size of the card that the players face."""


# Pieces


@sprite
def card_face(kind: Kind, strength: int, title: str, width: int, height: int) -> Pixels:
    """A card: its strength on a shield or its effect, its scene and sign, and its name if there is room."""
    pen = Pen(width, height)
    tint = TINTS[kind]
    left, top, right, bottom = width * 0.06, height * 0.05, width * 0.94, height * (0.8 if title else 0.955)
    scene = art(kind, strength, round(right - left), round(bottom - top), width * 0.05, tint)
    framed(pen, tint, theme.PAPER, scene, (left, top, right, bottom))
    y = height * (0.3 if strength else 0.46)
    size = width * (0.44 if strength else 0.62)
    pen.disc(width * (0.66 if strength else 0.5), y, size * 0.62, theme.PAPER)
    SIGNS[kind](pen, width * (0.66 if strength else 0.5), y, size, tint, theme.PAPER)
    bonus = {Kind.BOOST: f"+{BOOST_ADDS}", Kind.GOLD: f"+{GOLD_PAYS}", Kind.ARMIES: f"+{ARMIES_PAY}"}.get(kind, "")
    if strength:
        x, y, s = width * 0.24, height * 0.175, width * 0.2
        for grow, colour in ((1.12, theme.PAPER), (1.0, tint)):
            r = s * grow
            shield = [(x - r, y - r), (x + r, y - r), (x + r, y + r * 0.35), (x, y + r * 1.35), (x - r, y + r * 0.35)]
            pen.polygon(shield, colour)
        size = max(width * (0.28 if strength < 10 else 0.23), theme.SMALL)
        pen.text(x, y - s * 0.02, str(strength), size, theme.PAPER)
    elif bonus:
        pen.disc(width * 0.25, height * 0.17, max(width * 0.19, 28), tint)
        pen.text(width * 0.25, height * 0.17, bonus, max(width * 0.22, theme.SMALL), theme.PAPER)
    if title:
        pen.text(width / 2, height * 0.89, title, width * 0.16, theme.INK, lettering.TEXT)
    return pen.pixels()


@sprite
def mini_card(kind: Kind, height: int) -> Pixels:
    """A boost or gold card of a player."""
    width = round(height * 0.77)
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 7, theme.INK)
    pen.box(1.5, 1.5, width - 1.5, height - 2, 6, TINTS[kind])
    SIGNS[kind](pen, width / 2, height / 2, width * 0.78, theme.PAPER, TINTS[kind])
    return pen.pixels()


@sprite
def fan(kind: Kind, have: int, height: int) -> Pixels:
    """A player's cards of a kind, laid over each other; each shows its colour, the uppermost its sign."""
    unit = height / 44
    width, step = 36 * unit, 13 * unit
    pen = Pen(round(width + step * (have - 1)), height)
    face = FACES.get(kind, TINTS[kind])
    for number in range(have):
        left = step * number
        pen.box(left, 0, left + width, height, 8 * unit, theme.INK)
        pen.box(left + 1.2 * unit, unit, left + width - unit, height - unit, 7.4 * unit, theme.PAPER)
        pen.box(left + 3.4 * unit, 3.4 * unit, left + width - 3.2 * unit, height - 3.4 * unit, 5.4 * unit, face)
    SIGNS[kind](pen, step * (have - 1) + width / 2, height / 2, 27 * unit, theme.PAPER, face)
    return pen.pixels()


def faced_card(labels: Labels, card: Card, size: tuple[int, int] = FACED) -> Sprite:
    """The card that the players face, with its name."""
    return card_face(card.kind, card.strength, title_of(labels, card.kind), *size)


def title_of(labels: Labels, kind: Kind) -> str:
    """Return the name of cards of that kind."""
    return labels.say(f"card.{kind.value}")
