"""Cards and plates: the pieces that the pictures of all games use."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PIL import Image, ImageChops, ImageDraw

from rendering.core import theme
from rendering.core.canvas import WIDTH, Page
from rendering.core.emblems import Emblem
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Sprite, mix, pixels, sprite, with_shadow
from rendering.core.theme import Plate


def blank(pen: Pen, tone: Colour) -> None:
    """Draw a card's paper: a rim, a tinted frame, and the field inside it."""
    width, height = pen.width, pen.height
    r = width * 0.085
    pen.box(0, 0, width, height, r, mix(theme.INK, tone, 0.25))
    pen.box(width * 0.012, width * 0.012, width * 0.988, height - width * 0.02, r * 0.95, theme.PAPER)
    inset, line = width * 0.042, mix(theme.PAPER, tone, 0.55)
    pen.box(inset, inset, width - inset, height - inset, r * 0.72, None, line, max(1.2, width * 0.013))


def window(pen: Pen, radius: float) -> Image.Image:
    """Return what the pen has drawn, with round corners: the scene on a card, four times as large, in mode RGBA."""
    mask = Image.new("L", pen.sheet.size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius * SCALE, 255)
    pen.sheet.putalpha(mask)
    return pen.sheet


def framed(pen: Pen, tone: Colour, paper: Colour, scene: Image.Image, box: tuple[float, float, float, float]) -> None:
    """Draw a card's paper and, in a frame, its scene (`window`). `box`: left, top, right and bottom of the scene."""
    left, top, right, bottom = box
    radius = pen.width * 0.085
    pen.box(0, 0, pen.width, pen.height, radius, mix(tone, theme.INK, 0.55))
    pen.box(2, 2, pen.width - 2, pen.height - 4, radius * 0.92, paper)
    pen.box(left - 2, top - 2, right + 2, bottom + 2, pen.width * 0.06, tone)
    pen.paste(left, top, scene)


@sprite
def back(width: int, height: int, emblem: Emblem, tone: Colour) -> Pixels:
    """A card's back: a lattice in the game's colour and its sign in the middle."""
    pen = Pen(width, height)
    blank(pen, tone)
    inset = width * 0.075
    dark, light = mix(tone, (0, 0, 0), 0.15), mix(tone, theme.PAPER, 0.22)
    field = Pen(width, height)
    field.box(inset, inset, width - inset, height - inset, width * 0.05, dark)
    lattice = Pen(width, height)
    step = width * 0.16
    for i in range(-12, 24):
        lattice.line([(i * step, 0), (i * step + height, height)], light, width * 0.014)
        lattice.line([(i * step, 0), (i * step - height, height)], light, width * 0.014)
    lattice.sheet.putalpha(ImageChops.multiply(lattice.sheet.getchannel("A"), field.sheet.getchannel("A")))
    field.paste(0, 0, lattice.sheet)
    pen.paste(0, 0, field.sheet)
    c = (width / 2, height / 2)
    pen.disc(*c, width * 0.26, theme.PAPER)
    pen.disc(*c, width * 0.24, dark)
    emblem(pen, *c, width * 0.34, theme.PAPER, dark)
    return pen.pixels()


@sprite
def plate(width: int, height: int, colours: Plate, lit: bool = False) -> Pixels:
    """A player's plate: a slab with a rim, its lower edge in shade; `lit` if it is that player's turn."""
    pen = Pen(width, height)
    rim = theme.BRASS_LIGHT if lit else colours.rim
    thick = 5 if lit else 2.5
    pen.box(0, 0, width, height, theme.CORNER, colours.edge)
    pen.box(0, 0, width, height - 5, theme.CORNER, colours.face)
    pen.box(0, 0, width, height - 5, theme.CORNER, None, rim, thick)
    return pen.pixels()


def place_card(page: Page, card: Sprite, x: float, y: float, glow: Colour | None = None) -> None:
    """Place a card with its shadow, or with a glow round it; x and y are its upper left corner."""
    grow, radius, blur, strength, drop = (5, 20, 7, 255, 0) if glow else (0, 14, 8, 120, 5)
    wider = grow + 2 * blur
    shown = with_shadow(card, grow, radius, blur, strength, glow or (0, 0, 0), drop)
    page.place(shown, round(x) - wider, round(y) - wider + drop)


def two_rows(players: int) -> tuple[list[int], list[int]]:
    """Return the players of the upper row and of the lower row, each from the left: clockwise from the upper left."""
    top = list(range((players + 1) // 2))
    return top, list(range(players - 1, len(top) - 1, -1))


def fan_step(held: int, width: int, room: int) -> int:
    """Return the pixels from one card of a hand to the next, in a fan at most `room` wide.

    Hands of about the same size have the same step, so after a move most cards keep their distance to their neighbours.
    """
    places = next((places for places in (5, 7, 10, 12) if held <= places), held)
    return min(width + 12, (room - width) // (places - 1))


class TrickRow:
    """The places of a trick, in the order of play. If there is little room, each card hides the end of the one before;
    what is to be read on it lies at its left.
    """

    def __init__(self, places: int, size: tuple[int, int], room: int = WIDTH - 2 * theme.MARGIN, gap: int = 16) -> None:
        self.width, self.height = size
        self.step = min(self.width + gap, (room - self.width) // max(1, places - 1))
        self.gap = gap
        left = (WIDTH - self.width - self.step * (places - 1)) // 2
        self.lefts = [left + self.step * place for place in range(places)]

    def middle(self, place: int, laid: int) -> float:
        """Return the middle of what is seen of a place while `laid` cards lie there."""
        if place >= laid and laid:
            return self.lefts[place] + self.width - self.slot / 2
        hidden = place < laid - 1
        return self.lefts[place] + (min(self.width, self.step) if hidden else self.width) / 2

    @property
    def slot(self) -> int:
        """The width of an empty place."""
        return min(self.width, self.step - 10)


def raised(hand: Sequence[str], playable: Collection[str]) -> Collection[str]:
    """Return the cards of a hand to raise: those that may be played, if others may not."""
    return playable if len(playable) < len(hand) else ()


IN_A_ROW = 4
"""Large cards that lie in one row."""
ROWS_APART = 40


def tall_rows(held: int, size: tuple[int, int], top: int) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of a hand in large print: four in a row, or two rows that overlap."""
    width, height = size
    most = held if held <= IN_A_ROW else -(-held // 2)
    step = min(width + 14, (WIDTH - 2 * theme.MARGIN - width) // max(most - 1, 1))
    places = []
    for row in range(-(-held // most)):
        count = min(most, held - row * most)
        left = (WIDTH - width - step * (count - 1)) // 2
        places += [(left + step * at, top + row * (height + ROWS_APART)) for at in range(count)]
    return places


def tall_height(held: int, size: tuple[int, int], top: int) -> int:
    """Return the height of a page that ends with `tall_rows`."""
    return tall_rows(held, size, top)[-1][1] + size[1] + 14


@sprite
def rotated(card: Sprite, degrees: float) -> Pixels:
    """Return a card turned about its middle, at half the size of `card`: draw that twice as large."""
    rgba = card.image.convert("RGBA")
    rgba.putalpha(card.alpha)
    return pixels(rgba.rotate(degrees, Image.Resampling.BICUBIC, expand=True).reduce(2))
