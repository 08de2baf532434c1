"""Full Sun's pieces: its colours, the cards, their backs, and the suits by themselves."""

from __future__ import annotations

from rendering.core import chrome, lettering, theme
from rendering.core import emblems as core
from rendering.core.canvas import Page
from rendering.core.cards import framed
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, resting, sprite
from rendering.full_sun import emblems
from rendering.full_sun.art import art
from rendering.full_sun.stage import scene
from rules.full_sun import SUITS, Backs, FullSunView, suit_of

SLUG = "full_sun"

# Colours

TINTS: dict[str, Colour] = {
    "B": (162, 101, 23), "R": (147, 28, 79), "S": (2, 106, 133), "L": (37, 71, 12), "W": (7, 26, 149),
}  # fmt: skip
GOLD: Colour = (255, 212, 84)
GOLD_INK: Colour = (120, 66, 0)
"""The Sun card, and what is on it."""
LEAVES = {
    "B": emblems.beech, "R": emblems.redbud, "S": emblems.sycamore, "L": emblems.locust, "W": emblems.weather,
    "Rain": emblems.rain, "Sun": core.sun,
}  # fmt: skip

# Sizes

BACK, BACK_WIDTH = 46, 68
"""The height of a slip for the backs of a suit, and its width."""
SMALL_BACK, SMALL_WIDTH = 42, 54
"""The same where there is little room."""
BACK_GAP, VOID_GAP = 3, 5
"""The pixels between two slips, and between two suits of which there is none."""
FIGURE = 21
"""The width of a figure of a count."""
VOID: Colour = (150, 146, 128)
"""The sign of a suit of which a player has none."""


# Pieces


@sprite
def card_face(card: str, named: str, number: int, pips: int, width: int, height: int) -> Pixels:
    """A card: its number, sign, letter and dots down the left side, where a fan shows them; Weather by its name."""
    suit, key = suit_of(card), sign_of(card)
    tint = tint_of(card)
    pen = Pen(width, height)
    paper = GOLD if key == "Sun" else theme.PAPER
    left, top, right, bottom = width * 0.055, height * 0.27, width * 0.945, height * 0.955
    drawn = art(key, number, round(right - left), round(bottom - top), width * 0.05)
    framed(pen, tint, paper, drawn, (left, top, right, bottom))
    figure = str(number)
    pen.text(width * 0.25, height * 0.14, figure, width * (0.42 if len(figure) == 1 else 0.36), tint)
    deep = 0.226 if pips else 0.125
    pen.box(left - 2, top - 4, width * 0.45, top + height * deep, width * 0.05, paper)
    pen.box(left - 2, top - 4, width * 0.45, top + height * 0.05, 0, paper)
    LEAVES[key](pen, width * (0.15 if suit != "W" else 0.235), top + height * 0.05, width * 0.18, tint, paper)
    if suit != "W":
        pen.text(width * 0.35, top + height * 0.052, suit, width * 0.2, tint)
    for pip in range(pips):
        row, place = divmod(pip, 3)
        pen.disc(width * (0.125 + 0.115 * place), top + height * (0.143 + 0.06 * row), width * 0.044, tint)
    if suit == "W" and width * 0.22 >= theme.SMALL:
        pen.text(width * 0.69, height * 0.14, named, width * 0.22, tint, lettering.TEXT)
    else:
        LEAVES[key](pen, width * 0.73, height * 0.138, width * 0.3, tint, paper)
    return pen.pixels()


@sprite
def plinth(card: str, number: int, pips: int, width: int, height: int) -> Pixels:
    """A card laid flat, on which its tree stands: its number, sign, letter and dots, without the scene."""
    suit, key, tint = suit_of(card), sign_of(card), tint_of(card)
    pen = Pen(width, height)
    paper = GOLD if key == "Sun" else theme.PAPER
    pen.box(0, 0, width, height, 18, mix(tint, theme.INK, 0.55))
    pen.box(2, 2, width - 2, height - 9, 16, tint)
    pen.box(5, 5, width - 5, height - 12, 13, paper)
    line = height * 0.37
    pen.text(width * 0.28, line, str(number), height * 0.62, tint)
    LEAVES[key](pen, width * (0.72 if suit == "W" else 0.63), line, height * 0.5, tint, paper)
    if suit != "W":
        pen.text(width * 0.86, line, suit, height * 0.32, tint)
    for pip in range(pips):
        pen.disc(width * 0.5 + (pip - (pips - 1) / 2) * height * 0.17, height * 0.79, height * 0.062, tint)
    return pen.pixels()


def plinth_of(view: FullSunView, card: str, size: tuple[int, int]) -> Sprite:
    """The same of a card of the match."""
    return plinth(card, *view.face(card), *size)


def face_of(view: FullSunView, labels: Labels, card: str, size: tuple[int, int]) -> Sprite:
    """A card of the match, with the number and pips that it has there."""
    return card_face(card, name_of(labels, card), *view.face(card), *size)


def name_of(labels: Labels, card: str) -> str:
    """Return a card's text on its face: Weather has its name, other cards their notation."""
    return labels.say(f"card.{card}") if suit_of(card) == "W" else card


def sign_of(card: str) -> str:
    """Return the key of a card's sign: each Weather card has its own, other cards have the sign of their suit."""
    return card if suit_of(card) == "W" else suit_of(card)


def tint_of(card: str) -> Colour:
    """Return the colour of a card's sign and writing. The Sun is no blue weather: it is dark on gold."""
    return GOLD_INK if card == "Sun" else TINTS[suit_of(card)]


def faded(card: Sprite) -> Sprite:
    """A card that does not count now."""
    return resting(card)


@sprite
def back(suit: str, width: int, height: int, sign: int) -> Pixels:
    """The backs of a suit, as a slip of paper: its leaf at the left, with room for their number."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, height * 0.2, TINTS[suit])
    pen.box(3, 3, width - 3, height - 3, height * 0.14, theme.PAPER)
    LEAVES[suit](pen, 3 + sign / 2, height / 2, sign, TINTS[suit], theme.PAPER)
    return pen.pixels()


@sprite
def no_back(suit: str, size: int) -> Pixels:
    """A suit of which there is none: its sign in an outline."""
    pen = Pen(size, size)
    pen.box(0, 0, size, size, size * 0.2, None, VOID, 2.5)
    LEAVES[suit](pen, size / 2, size / 2, size * 0.7, VOID, chrome.NIGHT)
    return pen.pixels()


def place_backs(page: Page, x: int, y: int, backs: Backs, *, small: bool = False) -> None:
    """Place the suits of cards seen from behind with the number of each, on the line y; then those of which there is
    none, with one 0 for all.
    """
    height = SMALL_BACK if small else BACK
    for suit, cards in zip(SUITS, backs, strict=True):
        if cards:
            wide = _slip_width(cards, small=small)
            figures = FIGURE * len(str(cards))
            page.place(back(suit, wide, height, min(height - 6, wide - figures - 7)), x, y, "lm")
            page.text(x + wide - 5, y, str(cards), theme.SMALL, theme.INK, wide, "rm")
            x += wide + BACK_GAP
    if 0 in backs:
        size = _void_size(small=small)
        for suit, cards in zip(SUITS, backs, strict=True):
            if not cards:
                page.place(no_back(suit, size), x, y, "lm")
                x += size + VOID_GAP
        page.text(x + 1 - VOID_GAP, y, "0", theme.SMALL, theme.CREAM, size)


def _slip_width(cards: int, *, small: bool) -> int:
    return (SMALL_WIDTH if small else BACK_WIDTH) + FIGURE * (len(str(cards)) - 1)


def _void_size(*, small: bool) -> int:
    return 31 if small else 44


def backs_width(backs: Backs, *, small: bool = False) -> int:
    """Return how wide the same is."""
    slips = sum(_slip_width(cards, small=small) + BACK_GAP for cards in backs if cards)
    voids = backs.count(0)
    return (
        slips - BACK_GAP if not voids else slips + voids * (_void_size(small=small) + VOID_GAP) - VOID_GAP + 2 + FIGURE
    )


LETTERED = 90
"""A smaller medallion has no letter: nobody could read it."""


@sprite
def medallion(key: str, size: int) -> Pixels:
    """A suit, or a Weather card, on paper in a ring."""
    pen = Pen(size, size)
    c = size / 2
    suit = key if len(key) == 1 else "W"
    pen.disc(c, c, size * 0.49, theme.BRASS_DARK)
    pen.disc(c, c, size * 0.47, theme.BRASS)
    pen.disc(c, c, size * 0.42, GOLD if key == "Sun" else theme.PAPER)
    if len(key) > 1 or suit == "W" or size < LETTERED:
        LEAVES[key](pen, c, c, size * 0.58, tint_of(key) if len(key) > 1 else TINTS[key], theme.PAPER)
    else:
        LEAVES[key](pen, c, c - size * 0.15, size * 0.38, TINTS[suit], theme.PAPER)
        pen.text(c, c + size * 0.23, suit, size * 0.32, TINTS[suit])
    return pen.pixels()


@sprite
def turning(size: int, clockwise: bool) -> Pixels:
    """An arrow round a circle: the direction of play."""
    pen = Pen(size, size)
    c, r = size / 2, size * 0.34
    ends = range(-60, 201, 10)
    arc = [core.polar(c, c, r, angle if clockwise else 180 - angle) for angle in ends]
    pen.line(arc, theme.INK, size * 0.17)
    pen.line(arc, theme.BRASS_LIGHT, size * 0.1)
    (x, y), (x2, y2) = arc[-1], arc[-2]
    long = size * 0.24
    across, down = (x - x2), (y - y2)
    norm = (across**2 + down**2) ** 0.5
    across, down = across / norm * long, down / norm * long
    head = [(x + across, y + down), (x - down * 0.9, y + across * 0.9), (x + down * 0.9, y - across * 0.9)]
    pen.polygon(head, theme.BRASS_LIGHT)
    return pen.pixels()


def weather_of(view: FullSunView) -> str:
    """Return the light of the trick: "Sun" or "Rain" if that card lies in it, the later one; else ""."""
    lays = view.lays or (view.last_trick.lays if view.last_trick else ())
    return next((str(lay.card) for lay in reversed(lays) if suit_of(lay.card) == "W"), "")


def page_of(view: FullSunView, height: int, ground: float) -> Page:
    """Return a page with the wood in the light of the trick. `ground`: where trees stand, as a part of its height."""
    weather = weather_of(view)
    return Page(f"{SLUG}_{weather}" if weather else SLUG, height, scene(weather, ground))
