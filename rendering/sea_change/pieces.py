"""Sea Change's pieces: its colours and signs, the cards, and the boards that float where cards are to lie."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFilter

from rendering.core import lettering, theme
from rendering.core.art import art, resized, stage, toned
from rendering.core.formatting import signed
from rendering.core.sprites import Colour, Pixels, Point, Sprite, mix, pixels, sprite
from rendering.sea_change.stage import SLUG
from rules.sea_change.types import SeaChangeView

SUITS = "BGRPY"
FACE = "Sansita-ExtraBold.ttf"
"""Writes the large sentence of a page and the values of cards."""

# Colours

TINTS: dict[str, Colour] = {
    "B": (36, 82, 152), "G": (34, 117, 100), "R": (181, 32, 51), "P": (86, 40, 98), "Y": (171, 94, 8),
}  # fmt: skip
PALE: dict[str, Colour] = {
    "B": (226, 242, 248), "G": (230, 246, 224), "R": (255, 238, 216), "P": (244, 230, 246), "Y": (255, 248, 224),
}  # fmt: skip
"""What lies behind the value on a suit's cards."""
# Sizes

HELD = (196, 274)
"""A card in a hand."""
LARGE = (270, 378)
"""A card in a hand in large print; cards are painted in this size."""
HIGHEST = 15
"""The highest value in the game."""
CLIMB = {"B": 112, "G": 210, "R": 120, "P": 96, "Y": 130}
"""How many pixels lower the figure of the lowest card stands than that of the highest."""
VALUE = (0.285, 0.16)
"""The middle of the value on a card, as parts of its width and its height."""
SLATE: Colour = (40, 60, 94)
"""The plate below a pearl that does not count now, which says when it does."""
DULL: Colour = (112, 122, 150)
"""The tone of such a pearl."""
ZERO = "?"
"""Ends the points of a 0 that may come to count."""


@sprite
def card_face(card: str, points: str, width: int, height: int, word: str = "", dull: bool = False) -> Pixels:
    """A card: its value, its suit's sign and letter down the left side, where a fan shows them, the suit's figure, the
    higher the card the higher; and what it is worth, in a chest, on a wreck or, of a 0, with a pearl over `word`;
    it is `dull` if it would not count now.
    """
    suit, value = card[0], card[1:]
    tint, pale = TINTS[suit], PALE[suit]
    drawn = _scene(suit, int(value)).pixels
    image, shape = drawn.image.resize((width, height)), drawn.alpha.resize((width, height))
    size = round(width * (0.46 if len(value) == 1 else 0.345))
    left = width * VALUE[0] - lettering.width(value, size, FACE) / 2
    _write(image, value, (left, height * VALUE[1]), size, FACE, tint, pale)
    sign = toned(art(f"{SLUG}/sign_{suit}", round(width * 0.23)), tint)
    image.paste(sign.image, (round(width * 0.065), round(height * 0.285)), sign.alpha)
    _write(image, suit, (width * 0.35, height * 0.285 + width * 0.125), round(width * 0.19), lettering.TEXT, tint, pale)
    if points:
        what = "pearl" if points.endswith(ZERO) else "wreck" if points.startswith("−") else "chest"
        wide = max(round(width * 0.45), 70)
        thing = toned(art(f"{SLUG}/{what}", wide), DULL) if dull else art(f"{SLUG}/{what}", wide)
        line = height * 0.862
        left, top = round(width * 0.045), round(line - 22 if word else height * 0.9) - thing.size[1]
        image.paste(thing.image, (left, top), thing.alpha)
        figure, room = points.rstrip(ZERO), wide - 14
        size = lettering.fitting(figure, max(theme.SMALL, round(width * 0.24)), theme.SMALL, room)
        middle = top + thing.size[1] * (0.76 if what == "pearl" else 0.71)
        _write(
            image,
            figure,
            (left + wide / 2 - lettering.width(figure, size) / 2, middle),
            size,
            lettering.TEXT,
            theme.CREAM,
        )
        if word:
            foot = left, round(line) - 20, left + lettering.width(word, theme.SMALL) + 12, round(line) + 19
            plate, ink = (SLATE, PALE["B"]) if dull else (theme.BRASS_LIGHT, theme.INK)
            ImageDraw.Draw(image).rounded_rectangle(foot, 7, plate, theme.INK, 2)
            _write(image, word, (left + 6, line), theme.SMALL, lettering.TEXT, ink)
    return Pixels(image, shape)


def _write(
    image: Image.Image, text: str, at: Point, size: int, face: str, ink: Colour, halo: Colour | None = None
) -> None:  # fmt: skip
    """Write on a card; `at`: the left end, and the middle of its capitals. `halo`: a soft light round the letters."""
    mask = lettering.mask(text, size, face)
    left = round(at[0]) - 2
    top = round(at[1] - lettering.baseline(size) + size * lettering.capitals(face) / 2)
    if halo:
        soft = Image.new("L", (mask.width + 20, mask.height + 20))
        soft.paste(mask, (10, 10))
        soft = soft.filter(ImageFilter.BoxBlur(2)).point([min(255, level * 5) for level in range(256)])
        image.paste(halo, (left - 10, top - 10), soft.filter(ImageFilter.BoxBlur(3)))
    image.paste(ink, (left, top), mask)


@sprite
def _scene(suit: str, value: int) -> Pixels:
    """The scene on a card, as large as it is painted, with the card's edge, pale within dark."""
    image = stage(f"{SLUG}/far_{suit}")(*LARGE)
    low = round(CLIMB[suit] * (1 - value / HIGHEST))
    for name, top in (("figure", low), ("near", 0))[value == 0 and suit == "G" :]:
        layer = art(f"{SLUG}/{name}_{suit}")
        image.paste(layer.image, (0, top), layer.alpha)
    edge = art(f"{SLUG}/edge")
    image.paste(edge.image, (0, 0), edge.alpha)
    return Pixels(image, art(f"{SLUG}/shape").alpha)


def points_on(view: SeaChangeView, card: str) -> str:
    """Return what the card shows: "+2", "−4", "" for nothing; "+5?" for a 0 that may come to count, until the match is
    over.
    """
    value = int(card[1:])
    if value == 0 and view.outcome:
        return signed(view.zero_points) if card[0] == view.trump and view.zero_points else ""
    if value == 0:
        return signed(view.zero_points) + ZERO if view.zero_points else ""
    points = dict(view.points_by_value).get(value, 0)
    return signed(points) if points else ""


def face_of(view: SeaChangeView, card: str, size: tuple[int, int], word: str, room: int = 0) -> Sprite:
    """A card of the match, with the points on it. `word`: what must be trump for a 0 to count, if there is room for it
    in those pixels at the left of the card that are seen.
    """
    points = points_on(view, card)
    shown = word if points.endswith(ZERO) and lettering.width(word, theme.SMALL) + 12 <= (room or size[0]) else ""
    return card_face(card, points, *size, shown, points.endswith(ZERO) and card[0] != view.trump)


@sprite
def board(width: int, height: int) -> Pixels:
    """The board that floats where the next card is to lie."""
    return pixels(resized(art(f"{SLUG}/raft").layer, width, height))


@sprite
def pillar(name: str, width: int, height: int) -> Pixels:
    """A boat with a sail as high as a figure, in a suit's colour and with its sign."""
    hull, sail = art(f"{SLUG}/hull").layer, art(f"{SLUG}/sail")
    whole = Image.new("RGBA", (hull.width, height))
    sail = toned(sail, mix(TINTS[name], (255, 255, 255), 0.1)) if name in TINTS else sail
    whole.alpha_composite(sail.layer.crop((0, 0, hull.width, height - 72)))
    if name in TINTS and height > 190:
        sign = art(f"{SLUG}/sign_{name}", 76)
        whole.paste((255, 255, 255), ((hull.width - 76) // 2, 30), sign.alpha)
    whole.alpha_composite(hull, (0, height - hull.height))
    return pixels(whole)
