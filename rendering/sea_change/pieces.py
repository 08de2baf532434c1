"""Sea Change's pieces: its colours and signs, the cards, and the suits by themselves."""

from __future__ import annotations

from rendering.core import emblems as core
from rendering.core import lettering, theme
from rendering.core.cards import framed
from rendering.core.formatting import signed
from rendering.core.labels import with_minus_sign
from rendering.core.sprites import Colour, Pen, Pixels, Sprite, mix, sprite
from rendering.sea_change import emblems
from rendering.sea_change.art import art
from rules.sea_change import SeaChangeView

SLUG = "sea_change"
SUITS = "BGRPY"

# Colours

SEA: Colour = (23, 52, 78)
SEA_LINE: Colour = (33, 67, 96)
RIM: Colour = (116, 146, 168)
"""The rim of a medallion."""
TINTS: dict[str, Colour] = {
    "B": (36, 82, 152), "G": (34, 117, 100), "R": (181, 32, 51), "P": (86, 40, 98), "Y": (171, 94, 8),
}  # fmt: skip
SIGNS = {
    "B": emblems.wave, "G": emblems.seaweed, "R": emblems.flag, "P": emblems.helm, "Y": core.sun,
}  # fmt: skip

# Sizes

HELD = (196, 274)
"""A card in a hand."""
LARGE = (270, 378)
"""A card in a hand in large print."""
SMALL_CARD = (140, 200)
"""A card of a trick above a hand."""
PAST_CARD = (112, 160)
"""The same of the trick before, until a player leads."""


# Pieces


@sprite
def card_face(card: str, points: str, width: int, height: int) -> Pixels:
    """A card: its value, suit sign and letter down the left side, where a fan shows them, its scene, and its points."""
    suit, value = card[0], card[1:]
    tint = TINTS[suit]
    pen = Pen(width, height)
    left, top, right, bottom = width * 0.055, height * 0.29, width * 0.945, height * 0.955
    scene = art(suit, int(value), round(right - left), round(bottom - top), width * 0.05)
    framed(pen, tint, theme.PAPER, scene, (left, top, right, bottom))
    pen.text(width * 0.26, height * 0.15, value, width * (0.43 if len(value) == 1 else 0.36), tint)
    SIGNS[suit](pen, width * 0.74, height * 0.148, width * 0.3, tint, theme.PAPER)
    tab = (left - 2, top - 2, width * 0.49, top + height * 0.137)  # hides the window's corner
    pen.box(*tab, width * 0.05, theme.PAPER)
    pen.box(left - 2, top - 4, width * 0.49, top + height * 0.05, 0, theme.PAPER)
    SIGNS[suit](pen, width * 0.145, top + height * 0.052, width * 0.165, tint, theme.PAPER)
    pen.text(width * 0.39, top + height * 0.054, suit, width * 0.2, tint)
    if points:
        good = not points.startswith("−")
        x, y = width * 0.25, height * 0.865
        wide = width * (0.19 if len(points) < 3 else 0.23)
        pen.box(x - wide, y - width * 0.15, x + wide, y + width * 0.15, width * 0.08, theme.PAPER)
        inner = (x - wide + 3, y - width * 0.15 + 3, x + wide - 3, y + width * 0.15 - 3)
        pen.box(*inner, width * 0.07, theme.GOOD if good else theme.ALARM)
        pen.text(x, y, points, width * 0.27, theme.CREAM, lettering.TEXT)
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
    """A suit's sign: "trump" in brass, "lead" on paper, "idle" or "out" (not in play) on the trump track.

    The letter stands below the sign: beside it the two would read as a word.
    """
    pen = Pen(size, size)
    c = size / 2
    tint = TINTS[suit]
    if state == "trump":
        pen.polygon(core.star(c, c, 24, size * 0.5, size * 0.455), theme.BRASS)
        pen.disc(c, c, size * 0.43, theme.BRASS_DARK)
        pen.disc(c, c, size * 0.41, theme.PAPER)
        ink, cut = tint, theme.PAPER
    elif state == "lead":
        pen.disc(c, c, size * 0.43, RIM)
        pen.disc(c, c, size * 0.4, theme.PAPER)
        ink, cut = tint, theme.PAPER
    elif state == "idle":
        pen.disc(c, c, size * 0.42, RIM)
        pen.disc(c, c, size * 0.395, mix(theme.PAPER, SEA, 0.3))
        ink, cut = mix(tint, SEA, 0.15), mix(theme.PAPER, SEA, 0.3)
    else:
        pen.ring(c, c, size * 0.42, mix(SEA, SEA_LINE, 0.9), size * 0.02)
        ink, cut = mix(SEA, RIM, 0.22), SEA
    if state in ("trump", "lead"):
        SIGNS[suit](pen, c, c - size * 0.15, size * 0.36, ink, cut)
        pen.text(c, c + size * 0.23, suit, size * 0.32, ink)
    else:
        SIGNS[suit](pen, c, c, size * 0.54, ink, cut)
    return pen.pixels()
