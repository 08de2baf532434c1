"""Sea Change's pieces: its colours and signs, the night sea, the cards, and the suits by themselves."""

from __future__ import annotations

from PIL import Image, ImageDraw

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.canvas import Page
from rendering.core.cards import blank
from rendering.core.formatting import signed
from rendering.core.labels import with_minus_sign
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, lit_from_above, mix, sprite
from rendering.core.theme import Plate
from rendering.sea_change import emblems
from rules.sea_change import SeaChangeView

SLUG = "sea_change"
SUITS = "BGRPY"

# Colours

SEA: Colour = (23, 52, 78)
SEA_LINE: Colour = (33, 67, 96)
SLOT: Colour = (58, 98, 128)
PLATE = Plate((38, 70, 98), (14, 30, 46), (116, 146, 168), theme.CREAM, (178, 203, 218))
TINTS: dict[str, Colour] = {
    "B": (36, 82, 152), "G": (34, 117, 100), "R": (181, 32, 51), "P": (86, 40, 98), "Y": (171, 94, 8),
}  # fmt: skip
SIGNS = {
    "B": emblems.wave, "G": emblems.seaweed, "R": emblems.flag, "P": emblems.helm, "Y": core.sun,
}  # fmt: skip

# Sizes

LAID = (168, 236)
"""A card before its player's plate."""
HELD = (196, 274)
"""A card in a hand."""
SMALL_CARD = (132, 185)
"""A card of a trick above a hand."""


# Pieces


def sea(width: int, height: int) -> Image.Image:
    """The night sea as on a chart: waves sown in rows, darker towards the bottom. Sparse, so the file stays small."""
    image = Image.new("RGB", (width, height), SEA)
    pen = ImageDraw.Draw(image)
    for row in range(height // 84 + 1):
        for x in range(-120 if row % 2 else -20, width, 200):
            y = row * 84 + 26
            for i in range(3):
                pen.arc((x + i * 26, y - 12, x + i * 26 + 27, y + 14), 180, 360, SEA_LINE, 4)
            pen.arc((x + 39, y + 2, x + 66, y + 28), 180, 360, SEA_LINE, 3)
            pen.arc((x + 13, y + 2, x + 40, y + 28), 180, 360, SEA_LINE, 3)
    return lit_from_above(image, 0.72)


@sprite
def card_face(card: str, points: str, width: int, height: int) -> Pixels:
    """A card: its value, suit sign and letter down the left side, where a fan shows them; its points below them."""
    suit, value = card[0], card[1:]
    tint = TINTS[suit]
    pen = Pen(width, height)
    blank(pen, tint)
    pen.disc(width * 0.6, height * 0.655, width * 0.325, mix(theme.PAPER, tint, 0.13))
    SIGNS[suit](pen, width * 0.6, height * 0.655, width * 0.48, tint, theme.PAPER)
    pen.text(width * 0.3, height * 0.165, value, width * (0.43 if len(value) == 1 else 0.36), tint)
    SIGNS[suit](pen, width * 0.21, height * 0.37, width * 0.2, tint, theme.PAPER)
    pen.text(width * 0.42, height * 0.373, suit, width * 0.23, tint)
    if points:
        good = not points.startswith("−")
        x, y = width * 0.24, height * 0.875
        wide = width * (0.16 if len(points) < 3 else 0.2)
        pen.box(
            x - wide, y - width * 0.14, x + wide, y + width * 0.14, width * 0.1, theme.GOOD if good else theme.ALARM
        )
        pen.text(x, y, points, width * 0.21, theme.CREAM, lettering.TEXT)
    return pen.pixels()


def points_on(view: SeaChangeView, card: str) -> str:
    """Return what the card shows: "+2", "−4", "" for nothing; "5?" for a 0 that may come to count, until the match is
    over.
    """
    value = int(card[1:])
    if value == 0 and view.outcome:
        return signed(view.zero_points) if card[0] == view.trump and view.zero_points else ""
    if value == 0:
        return f"{with_minus_sign(view.zero_points)}?" if view.zero_points else ""
    points = dict(view.points_by_value).get(value, 0)
    return signed(points) if points else ""


def face_of(view: SeaChangeView, card: str, size: tuple[int, int]) -> Sprite:
    """A card of the match, with the points on it."""
    return card_face(card, points_on(view, card), *size)


@sprite
def medallion(suit: str, size: int, state: str) -> Pixels:
    """A suit's sign: "trump" in brass, "lead" on paper, "idle" or "out" (not in play) on the trump track."""
    pen = Pen(size, size)
    c = size / 2
    tint = TINTS[suit]
    if state == "trump":
        pen.polygon(core.star(c, c, 24, size * 0.5, size * 0.455), theme.BRASS)
        pen.disc(c, c, size * 0.43, theme.BRASS_DARK)
        pen.disc(c, c, size * 0.41, theme.PAPER)
        ink, cut = tint, theme.PAPER
    elif state == "lead":
        pen.disc(c, c, size * 0.43, PLATE.rim)
        pen.disc(c, c, size * 0.4, theme.PAPER)
        ink, cut = tint, theme.PAPER
    elif state == "idle":
        pen.disc(c, c, size * 0.42, PLATE.rim)
        pen.disc(c, c, size * 0.395, mix(theme.PAPER, SEA, 0.3))
        ink, cut = mix(tint, SEA, 0.15), mix(theme.PAPER, SEA, 0.3)
    else:
        pen.ring(c, c, size * 0.42, mix(SEA, SEA_LINE, 0.9), size * 0.02)
        ink, cut = mix(SEA, PLATE.rim, 0.22), SEA
    SIGNS[suit](pen, c - size * 0.09, c, size * 0.44, ink, cut)
    pen.text(c + size * 0.235, c + size * 0.03, suit, size * 0.25, ink)
    return pen.pixels()


@sprite
def slot(width: int, height: int) -> Pixels:
    """An empty place for a card."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 16, mix(SEA, (0, 0, 0), 0.18), SLOT, 2.5)
    return pen.pixels()


def place_order(page: Page, x: float, y: float, number: int) -> None:
    """Place the small disc with a card's number in the order of the trick."""
    page.place(core.numbered_disc(48, str(number)), x, y, "mm")
