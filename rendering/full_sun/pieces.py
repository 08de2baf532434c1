"""Full Sun's pieces: its colours, the signs of its suits, boards of wood, slips for backs, the cards as posters."""

from __future__ import annotations

from PIL import Image, ImageFilter

from rendering.core import art, lettering, theme
from rendering.core.canvas import Page
from rendering.core.labels import Labels
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, boxes, mix, pixels, sprite, stretched
from rendering.full_sun.glade import painted, tree
from rules.full_sun.types import SUITS, Backs, FullSunView, suit_of

FACE = "NationalPark-ExtraBold.ttf"
"""The face of figures, titles and the large sentence."""
TINTS: dict[str, Colour] = {
    "B": (162, 101, 23), "R": (147, 28, 79), "S": (2, 106, 133), "L": (37, 71, 12), "W": (7, 26, 149),
}  # fmt: skip
GOLD: Colour = (255, 212, 84)
GOLD_INK: Colour = (120, 66, 0)
"""The Sun card, and what is on it."""
RESTING: Colour = (200, 208, 246)
"""The tone of what cannot be used now: it lies in moonlight, not grey."""
CREAM: Colour = (255, 246, 220)
"""What is routed into wood."""
HIGHEST = 18
"""The highest number in the game: the Sun's."""


def tint_of(key: str) -> Colour:
    """Return the colour of the writing on a card, or of a suit. The Sun is no blue weather: it is dark on gold."""
    return GOLD_INK if key == "Sun" else TINTS[key if key in TINTS else suit_of(key)]


def sign_of(card: str) -> str:
    """Return the key of a card's sign: each Weather card has its own, other cards have the sign of their suit."""
    return card if suit_of(card) == "W" else suit_of(card)


def resting(drawn: Sprite) -> Sprite:
    """Return a thing that does not count now."""
    return art.toned(drawn, RESTING)


class Sheet:
    """A sprite to be made of a painted ground, of signs and of words. `x` and `y` are their middles, in pixels."""

    def __init__(self, ground: Image.Image) -> None:
        self.image = ground

    def stamp(self, name: str, x: float, y: float, size: float, colour: Colour, glow: Colour | None = None) -> None:
        """Lay a white painted sign in a colour; `glow`: that of a soft light round it."""
        self._mark(_shape(name, round(size)), x - size / 2, y - size / 2, colour, glow)

    def write(self, x: float, y: float, text: str, size: int, colour: Colour, anchor: str = "m", face: str = FACE,
              glow: Colour | None = None) -> None:  # fmt: skip
        """Write a text; y is the middle of its capitals, and `x` the place that the anchor says."""
        mask = lettering.mask(lettering.fit(text, size, 2000, face), size, face)
        left = x - {"l": 2, "m": mask.width / 2, "r": mask.width - 2}[anchor]
        self._mark(mask, left, y - lettering.baseline(size) + size * lettering.capitals(face) / 2, colour, glow)

    def _mark(self, mask: Image.Image, left: float, top: float, colour: Colour, glow: Colour | None) -> None:
        x, y = round(left), round(top)
        if glow is not None:
            whole = Image.new("L", (mask.width + 2 * SOFT, mask.height + 2 * SOFT))
            whole.paste(mask, (SOFT, SOFT))
            soft = whole.filter(ImageFilter.BoxBlur(3)).point([min(255, value * 5) for value in range(256)])
            self.image.paste((*glow, 255), (x - SOFT, y - SOFT), soft.filter(ImageFilter.BoxBlur(2)))
        self.image.paste((*colour, 255), (x, y), mask)


SOFT = 8
"""Pixels of the light round a mark."""


def _shape(name: str, size: int) -> Image.Image:
    """Return the coverage of a painted sign that is white, in another size."""
    return painted(name).alpha.resize((size, size), Image.Resampling.BILINEAR)


# Wood

EDGE, CORNER = 12, 34
"""Pixels of shadow round a board, and of its sides, with the shadow, that are not stretched."""


def _stretched(name: str, width: int, height: int) -> Image.Image:
    """Return a board of that size, with its shadow round it: its corners as painted, stretched between them."""
    return stretched(painted(name).layer, width + 2 * EDGE, height + 2 * EDGE, CORNER, CORNER, CORNER)


@sprite
def board(name: str, width: int, height: int) -> Pixels:
    """A board of that size, with a shadow of `EDGE` round it: "board_idle", "board_turn", or a sign's wood."""
    return pixels(_stretched(name, width, height))


def place_board(page: Page, name: str, x: float, y: float, width: int, height: int, tone: Colour | None = None) -> None:
    """Place a board; x and y are its upper left corner. `tone`: its shade."""
    drawn = board(name, width, height)
    page.place(art.toned(drawn, tone) if tone else drawn, x - EDGE, y - EDGE)


@sprite
def mark(key: str, size: int, colour: Colour) -> Pixels:
    """The sign of a suit, of a Weather card or of the dealer ("acorn")."""
    alpha = _shape(f"leaf_{key}", size)
    return Pixels(Image.new("RGB", alpha.size, colour), alpha)


@sprite
def card_sign(card: str, number: int, pips: int, width: int, height: int) -> Pixels:
    """A card of the trick as a sign of wood: its number, leaf, letter and pips."""
    suit, ink, small = suit_of(card), (70, 36, 4) if card == "Sun" else CREAM, height < 84
    sheet = Sheet(_stretched(f"sign_{'Sun' if card == 'Sun' else suit}", width, height))
    line, middle = EDGE + height * (0.5 if small or not pips else 0.4), EDGE + width * 0.72
    sheet.write(EDGE + width * 0.27, EDGE + height * 0.53, str(number), round(height * 0.8), ink)
    if suit == "W":
        sheet.stamp(f"leaf_{card}", middle, line, height * 0.62, ink)
    else:
        sheet.stamp(f"leaf_{suit}", middle - height * 0.13, line, height * (0.6 if small else 0.54), ink)
        sheet.write(middle + height * 0.3, line, suit, round(height * (0.4 if small else 0.36)), ink)
    for pip in range(0 if small else pips):
        x = middle + (pip - (pips - 1) / 2) * height * 0.2
        sheet.stamp("pip", x, EDGE + height * 0.79, height * 0.22, (255, 224, 128) if ink == CREAM else ink)
    return pixels(sheet.image)


def sign_for(view: FullSunView, card: str, size: tuple[int, int]) -> Sprite:
    """The same of a card of the match."""
    return card_sign(card, *view.face(card), *size)


# Backs

SLIP, SLIP_GAP = 40, 3
"""The width of a slip for the backs of a suit, and what is free between two."""
FIGURE, HOLLOW = 20, 20
"""Pixels more for each further figure; the least width of the hollow that a suit without cards leaves."""
FAN_SLIP, FAN_TALL = 66, 44
"""The width and the height of a slip for undealt cards, with its leaf beside the number."""
FRAME, LINE = 4, 28
"""The pixels of a slip's frame, and of the line of its number, within it."""


@sprite
def slip(key: str, text: str, width: int, height: int) -> Pixels:
    """A slip of paper with a sign and a figure."""
    tint, figures = tint_of(key), lettering.width(text, theme.SMALL)
    sheet = Sheet(boxes(width, height, [(0, 8, mix(tint, (0, 0, 0), 0.25)), (1, 7, tint), (3.5, 4.5, theme.PAPER)]))
    if height > width:
        size, foot = height - 2 * FRAME - LINE, height - FRAME - LINE / 2
        sheet.stamp(f"leaf_{key}", width / 2, FRAME + size / 2, size, tint)
        sheet.write(width / 2, foot, text, theme.SMALL, theme.INK, face=lettering.TEXT)
    else:
        room = width - figures - 7
        sheet.stamp(f"leaf_{key}", 3 + room / 2, height / 2, min(height - 10, room), tint)
        sheet.write(width - 5, height / 2, text, theme.SMALL, theme.INK, "r", lettering.TEXT)
    return pixels(sheet.image)


def slips_of(backs: Backs, room: int) -> list[tuple[str, int, int]]:
    """Return the suit, the left edge and the width of each slip of a hand seen from behind, in a row `room` wide; of a
    hollow too. Each suit has its place, as long as no number has two figures.
    """
    wide = [SLIP + FIGURE * (len(str(cards)) - 1) for cards in backs]
    if sum(wide) + 4 * SLIP_GAP > room:
        wide = [size if cards else HOLLOW for size, cards in zip(wide, backs, strict=True)]
    gap = min(12, (room - sum(wide)) // 4)
    left = (room - sum(wide) - 4 * gap) // 2
    return [(suit, left + sum(wide[:at]) + gap * at, wide[at]) for at, suit in enumerate(SUITS)]


def place_fan(page: Page, right: float, y: float, fan: Backs) -> float:
    """Place the suits of the undealt cards up to `right`, on the line y. Return where they begin."""
    for suit, cards in reversed(list(zip(SUITS, fan, strict=True))):
        if cards:
            width = FAN_SLIP + FIGURE * (len(str(cards)) - 1)
            page.place(slip(suit, str(cards), width, FAN_TALL), right, y, "rm")
            right -= width + 4
    return right


# Cards

TIGHT = 86
"""A fan that shows less of each card pales what lies under its number, leaf, letter and pips."""


@sprite
def card_face(card: str, named: str, number: int, pips: int, width: int, height: int, shown: int = 0) -> Pixels:
    """A card as a poster: its tree as high as its number; number, leaf, letter and pips down the left side.

    `shown`: how much of it a fan shows; 0: all.
    """
    paper, tint, unit = GOLD if card == "Sun" else theme.PAPER, tint_of(card), width / 168
    shown, scene = shown or width, _poster(sign_of(card), width, height).image.copy()
    if suit_of(card) != "W":
        tall, x = round(height * (0.24 + 0.52 * min(number, HIGHEST) / HIGHEST)), 0.62 * width
        drawn = tree(suit_of(card), tall, 0.45 * unit).layer
        x = (x if shown > TIGHT else shown * 0.56) - drawn.width / 2
        scene.paste(drawn, (round(x), round(height * 0.85) - drawn.height), drawn)
    if shown <= TIGHT:
        pale = (
            Image.linear_gradient("L").resize((shown, height)).point([max(0, 214 - v * 210 // 255) for v in range(256)])
        )
        scene.paste(paper, (0, 0, shown, height), pale)
    edges = ((0.0, mix(tint, theme.INK, 0.6)), (1.5, paper), (7 * unit - 2, tint))
    sheet = Sheet(boxes(width, height, [(edge, 14 * unit - edge * 0.7, colour) for edge, colour in edges]))
    sheet.image.paste(scene, (0, 0), _window(width, height).alpha)
    _index(sheet, card, named, number, pips, unit, shown)
    return pixels(sheet.image)


@sprite
def _poster(key: str, width: int, height: int) -> Pixels:
    whole = painted(f"poster_{key}").image.resize((width, height), Image.Resampling.BILINEAR)
    return Pixels(whole, Image.new("L", whole.size, 255))


@sprite
def _window(width: int, height: int) -> Pixels:
    return pixels(boxes(width, height, [(width / 24, width / 19, theme.PAPER)]))


def _index(sheet: Sheet, card: str, named: str, number: int, pips: int, unit: float, shown: int) -> None:
    """Write what a fan shows of a card."""
    tint, paper, figure = tint_of(card), GOLD if card == "Sun" else theme.PAPER, str(number)
    left, part = (10, 0.86) if shown <= TIGHT else (14 * unit, 1)
    size = round((72 if len(figure) == 1 else 66) * unit)
    if shown <= TIGHT:
        size = lettering.fitting(figure, round(60 * unit), 40, shown - 16, FACE)
    wide, line = lettering.width(figure, size, FACE), 94 * unit
    sheet.write(left + max(wide / 2, 24 * unit), 42 * unit, figure, size, tint, glow=paper)
    if suit_of(card) == "W":
        sheet.stamp(f"leaf_{card}", left + 25 * unit, line + 2 * unit, 48 * unit * part, tint, paper)
        most = max(theme.SMALL, round(34 * unit))
        if left + 58 * unit + lettering.width(named, most, FACE) < shown - 8:
            sheet.write(left + 56 * unit, line + 2 * unit, named, most, tint, "l", glow=paper)
    else:
        sheet.stamp(f"leaf_{card[0]}", left + 19 * unit * part, line, 40 * unit * part, tint, paper)
        sheet.write(left + 42 * unit * part, line, card[0], round(32 * unit * part), tint, "l", glow=paper)
    for pip in range(pips):
        row, place = divmod(pip, 3)
        sheet.stamp("pip", left + (10 + 20 * place) * unit, (131 + 21 * row) * unit, 23 * unit, tint, paper)


def face_of(view: FullSunView, labels: Labels, card: str, size: tuple[int, int], shown: int = 0) -> Sprite:
    """A card of the match, with the number and pips that it has there; on Weather its name."""
    named = labels.say(f"card.{card}") if suit_of(card) == "W" else card
    return card_face(card, named, *view.face(card), *size, shown)


@sprite
def medallion(key: str, size: int) -> Pixels:
    """A suit with its letter, or a Weather card, on paper in a ring."""
    pen, c, tree = Pen(size, size), size / 2, len(key) == 1
    for part, colour in ((0.49, theme.BRASS_DARK), (0.47, theme.BRASS), (0.42, GOLD if key == "Sun" else theme.PAPER)):
        pen.disc(c, c, size * part, colour)
    sheet = Sheet(pen.sheet.reduce(4))
    sheet.stamp(f"leaf_{key}", c, c - size * 0.15 if tree else c, size * (0.38 if tree else 0.58), tint_of(key))
    if tree:
        sheet.write(c, c + size * 0.23, key, round(size * 0.32), tint_of(key))
    return pixels(sheet.image)
