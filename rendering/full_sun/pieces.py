"""Full Sun's pieces: its colours, the forest, the cards and the things under them."""

from __future__ import annotations

from PIL import Image

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.cards import blank, rotated
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, resting, sprite
from rendering.core.theme import Plate
from rendering.full_sun import emblems
from rules.full_sun import FullSunView, suit_of

SLUG = "full_sun"

# Colours

EVENING: Colour = (112, 88, 40)
FOREST: Colour = (50, 52, 30)
LIGHT: Colour = (150, 124, 60)
SKY = tuple(mix(EVENING, FOREST, min(1, stripe / 13)) for stripe in range(16))
"""The light from the top to the ground."""
SLOT: Colour = (112, 108, 64)
HOLLOW = mix(FOREST, (0, 0, 0), 0.22)
"""The ground of an empty place for a card."""
PATH: Colour = (98, 88, 48)
PLATE = Plate((92, 62, 40), (46, 30, 18), (190, 152, 104), theme.CREAM, (232, 206, 164))
MEDAL: Colour = (70, 84, 34)
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

LAID = (142, 200)
"""A card in a trick."""
BACK = (66, 88)
"""A card's back."""


# Pieces


def forest(width: int, height: int) -> Image.Image:
    """Evening light that fades towards the ground, and leaves that fall through it. Sparse, so the file stays small."""
    sky = Image.new("RGB", (1, len(SKY)))
    sky.putdata(SKY)
    image = sky.resize((width, height), Image.Resampling.NEAREST)
    for number in range(height // 90):
        suit = "BRSL"[number * 3 % 4]
        leaf = rotated(_fallen(suit), number * 67 % 360)
        x, y = 40 + number * 463 % (width - 80), 50 + number * 90
        faint = leaf.alpha.point([value // 6 for value in range(256)])
        image.paste(LIGHT, (x - leaf.size[0] // 2, y - leaf.size[1] // 2), faint)
    return image


@sprite
def _fallen(suit: str) -> Pixels:
    """A leaf without veins, twice as large as on the ground."""
    pen = Pen(132, 132)
    LEAVES[suit](pen, 66, 66, 124, LIGHT, LIGHT)
    return pen.pixels()


@sprite
def card_face(card: str, named: str, number: int, pips: int, width: int, height: int) -> Pixels:
    """A card: its number, sign, letter and pips down the left side, where a fan shows them; Weather by its name."""
    suit, key = suit_of(card), sign_of(card)
    tint = tint_of(card)
    pen = Pen(width, height)
    blank(pen, tint)
    if key == "Sun":
        inset = width * 0.06
        pen.box(inset, inset, width - inset, height - inset, width * 0.05, GOLD)
    LEAVES[key](pen, width * 0.58, height * 0.735, width * 0.56, tint, theme.PAPER)
    figure = str(number)
    pen.text(width * 0.31, height * 0.165, figure, width * (0.44 if len(figure) == 1 else 0.38), tint)
    LEAVES[key](pen, width * 0.2, height * 0.36, width * 0.21, tint, theme.PAPER)
    if suit == "W":
        pen.text(width * 0.35, height * 0.363, named, width * 0.18, tint, lettering.TEXT, "lm")
    else:
        pen.text(width * 0.42, height * 0.363, suit, width * 0.24, tint)
    for pip in range(pips):
        row, place = divmod(pip, 5)
        pen.disc(width * (0.135 + 0.105 * place), height * 0.478 + width * 0.1 * row, width * 0.042, tint)
    return pen.pixels()


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
def card_back(suit: str, cards: int, lit: bool) -> Pixels:
    """A card's back with the number of cards; an empty place if there are none."""
    width, height = BACK
    pen = Pen(width, height)
    ink, dark = theme.PAPER, mix(TINTS[suit], (0, 0, 0), 0.1)
    if cards:
        pen.box(0, 0, width, height, 9, theme.PAPER)
        pen.box(3, 3, width - 3, height - 3, 6, dark)
    else:
        ink = mix(PLATE.face, PLATE.rim, 0.4) if lit else mix(FOREST, SLOT, 0.8)
        pen.box(1, 1, width - 1, height - 1, 9, None, ink, 2)
    LEAVES[suit](pen, width / 2, height * 0.32, 42, ink, dark if cards else PLATE.face)
    pen.text(width * 0.25, height * 0.765, suit, 28, ink, lettering.TEXT)
    if cards:
        pen.disc(width * 0.68, height * 0.76, 18, theme.PAPER)
        pen.text(width * 0.68, height * 0.762, str(cards), 33 if cards < 10 else 26, theme.INK)
    return pen.pixels()


@sprite
def medallion(key: str, size: int) -> Pixels:
    """A suit, or a Weather card, on paper in a ring."""
    pen = Pen(size, size)
    c = size / 2
    suit = key if len(key) == 1 else "W"
    pen.disc(c, c, size * 0.49, theme.BRASS_DARK)
    pen.disc(c, c, size * 0.47, theme.BRASS)
    pen.disc(c, c, size * 0.42, GOLD if key == "Sun" else theme.PAPER)
    if len(key) > 1:
        LEAVES[key](pen, c, c, size * 0.56, tint_of(key), theme.PAPER)
    else:
        LEAVES[key](pen, c - size * 0.1, c, size * 0.48, TINTS[suit], theme.PAPER)
        pen.text(c + size * 0.24, c + size * 0.03, suit, size * (0.2 if suit == "W" else 0.27), TINTS[suit])
    return pen.pixels()


@sprite
def small_leaf(suit: str) -> Pixels:
    """A suit's leaf, for the empty place of a card."""
    pen = Pen(36, 36)
    LEAVES[suit](pen, 18, 18, 34, mix(TINTS[suit], theme.PAPER, 0.62), HOLLOW)
    return pen.pixels()


@sprite
def slot(width: int, height: int) -> Pixels:
    """An empty place for a card."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 14, HOLLOW, SLOT, 2.5)
    return pen.pixels()


@sprite
def arrow(size: int, angle: int) -> Pixels:
    """An arrow in the direction of play."""
    pen = Pen(size, size)
    emblems.chevron(pen, size / 2, size / 2, size * 0.72, theme.BRASS, angle)
    return pen.pixels()


@sprite
def path(width: int, height: int) -> Pixels:
    """The ring on which cards are laid."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 84, None, PATH, 30)
    return pen.pixels()


def laid_left(cards: int, place: int) -> int:
    """Return the left edge of a place in a row of that many cards."""
    step = min(270, (WIDTH - 2 * theme.MARGIN) // cards)
    return (WIDTH - step * cards) // 2 + step * place + (step - LAID[0]) // 2


def place_of(page: Page, cards: int, place: int, y: int) -> int:
    """Return the left edge of a place in a row in play order, and place the arrow to it from the place before."""
    step = min(270, (WIDTH - 2 * theme.MARGIN) // cards)
    x = laid_left(cards, place)
    if place:
        page.place(arrow(52, 0), x - (step - LAID[0]) / 2, y + LAID[1] / 2, "mm")
    return x
