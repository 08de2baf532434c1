"""Full Circle's pieces: its colours, the cards as they lie in the circle and in a hand, and the circle itself."""

from __future__ import annotations

import math

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import Page
from rendering.core.cards import blank
from rendering.core.chrome import NIGHT
from rendering.core.sprites import Colour, Pen, Pixels, Point, Sprite, mix, resting, sprite
from rendering.core.theme import Plate
from rendering.full_circle.signs import INKS, SIGNS, TINTS, flame, lock, wheel
from rules.full_circle import PLACES, FullCircleView, Quadrant

# Colours

BOARD: Colour = (46, 38, 56)
RING: Colour = (58, 49, 70)
HOLLOW: Colour = (34, 28, 42)
LEAD: Colour = (20, 16, 26)
"""The lines between panes."""
STONE: Colour = (150, 136, 150)
"""The frame of the window."""
BACK: Colour = (92, 58, 112)
RIBBON: Colour = (44, 66, 92)
PLATE = Plate((66, 56, 80), (28, 22, 36), (128, 112, 146), theme.CREAM, (204, 192, 216))
ASIDE = Plate((52, 44, 62), (28, 22, 36), (84, 74, 96), (158, 146, 170), (136, 124, 148))

TABLE_RADIUS = 272
HAND_RADIUS = 176
MEDAL = 92
FLAME = 62


# Pieces


def _edges(place: int) -> tuple[Point, Point]:
    """The directions of a quadrant's counter-clockwise and clockwise edge, from the circle's middle."""
    start = math.radians(180 + 90 * place)
    return (math.cos(start), math.sin(start)), (-math.sin(start), math.cos(start))


def _point(place: int, size: float, radius: float, degrees: float) -> Point:
    """A point of the quadrant on its sprite, by distance from the middle and angle from the counter-clockwise edge."""
    (ax, ay), (bx, by) = _edges(place)
    u, v = radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))
    corner = _corner(place, size)
    return corner[0] + u * ax + v * bx, corner[1] + u * ay + v * by


def _corner(place: int, size: float) -> Point:
    """Return the circle's middle on a quadrant's sprite."""
    return (size if place in (0, 3) else 0, size if place in (0, 1) else 0)


def _quarter(place: int, size: float, inset: float, first: float, last: float) -> list[Point]:
    """Return the outline of the quarter disc between two angles, `inset` pixels inside its edges."""
    outer = size - inset
    low, high = math.degrees(math.asin(inset / outer)), 90 - math.degrees(math.asin(inset / outer))
    first, last = max(first, low), min(last, high)
    arc = [_point(place, size, outer, first + (last - first) * step / 24) for step in range(25)]
    return [_point(place, size, inset * math.sqrt(2), 45), *arc]


def _colour_sign(pen: Pen, x: float, y: float, size: float, letter: str) -> None:
    SIGNS[letter](pen, x, y, size, INKS[letter], TINTS[letter])


@sprite
def quadrant(place: int, face: str, first: str, second: str, radius: int) -> Pixels:
    """A card in the circle: a pane of glass for each edge with its colour, sign and letter; a wild has a wheel."""
    pen = Pen(radius, radius)
    wild = face[0] == "W"
    pen.polygon(_quarter(place, radius, 0, 0, 90), LEAD)
    for letter, low, high in ((first, 0, 45), (second, 45, 90)):
        tint = TINTS[letter]
        pen.polygon(_quarter(place, radius, 7, low, high), mix(tint, (0, 0, 0), 0.16))
        for reach, light in ((0.86, 0.0), (0.62, 0.1), (0.36, 0.2)):
            pane = [_point(place, radius, 10, (low + high) / 2)]
            pane += [
                _point(place, radius, radius * reach, low + 1.2 + (high - low - 2.4) * step / 16) for step in range(17)
            ]
            pen.polygon(pane, mix(tint, (255, 255, 255), light))
    if wild:
        _rainbow(pen, place, radius)
    elif first != second:
        pen.line([_point(place, radius, 8, 45), _point(place, radius, radius - 6, 45)], LEAD, 6)
    for letter, degrees in ((first, 23.5), (second, 66.5)):
        _colour_sign(pen, *_point(place, radius, radius * 0.745, degrees), radius * 0.27, letter)
        pen.text(*_point(place, radius, radius * 0.47, degrees), letter, radius * 0.25, INKS[letter])
    if wild:
        wheel(pen, *_point(place, radius, radius * 0.57, 45), radius * 0.115)
    return pen.pixels()


def _rainbow(pen: Pen, place: int, radius: int) -> None:
    """Draw a wild's rim: all six colours, of which none counts."""

    def band(inner: float, outer: float, low: float, high: float, colour: Colour) -> None:
        angles = [low + (high - low) * step / 12 for step in range(13)]
        far = [_point(place, radius, outer, degrees) for degrees in angles]
        near = [_point(place, radius, inner, degrees) for degrees in reversed(angles)]
        pen.polygon([*far, *near], colour)

    low, high = 2.6, 87.4
    band(radius * 0.9, radius - 8, low - 0.4, high + 0.4, LEAD)
    for i, letter in enumerate("BPROYG"):
        step = (high - low) / 6
        band(radius * 0.918, radius - 10, low + i * step, low + (i + 1) * step, TINTS[letter])


@sprite
def empty_quadrant(place: int, radius: int) -> Pixels:
    """An empty place for a card."""
    pen = Pen(radius, radius)
    pen.polygon(_quarter(place, radius, 0, 0, 90), LEAD)
    pen.polygon(_quarter(place, radius, 7, 0, 90), HOLLOW)
    for reach in (0.34, 0.62, 0.9):
        arc = [_point(place, radius, radius * reach, 3 + 84 * step / 24) for step in range(25)]
        pen.line(arc, mix(HOLLOW, ASIDE.rim, 0.35), 2.5)
    return pen.pixels()


@sprite
def outline(place: int, radius: int) -> Pixels:
    """The outline round a quadrant that the chosen card fits."""
    pen = Pen(radius, radius)
    path = _quarter(place, radius, 7, 0, 90)
    pen.line([*path, path[0], path[1]], theme.BRASS_DARK, 14)
    pen.line([*path, path[0], path[1]], theme.BRASS_LIGHT, 10)
    return pen.pixels()


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
def card_face(card: str, width: int, height: int) -> Pixels:
    """A card of a hand: its counter-clockwise colour on the left, the clockwise one on the right."""
    pen = Pen(width, height)
    tone = TINTS[card[0]] if card != "W" else BACK
    blank(pen, tone)
    inset = width * 0.07
    if card == "W":
        wheel(pen, width / 2, height * 0.4, width * 0.36)
        pen.text(width / 2, height * 0.82, "W", width * 0.34, theme.INK)
        return pen.pixels()
    field = Pen(width, height)
    field.box(inset, inset, width - inset, height - inset, width * 0.05, TINTS[card[0]])
    if len(card) == 2:
        right = Pen(width, height)
        right.box(inset, inset, width - inset, height - inset, width * 0.05, TINTS[card[1]])
        right.sheet.paste((0, 0, 0, 0), (0, 0, round(width * 2), height * 4))
        field.paste(0, 0, right.sheet)
        field.line([(width / 2, inset + 2), (width / 2, height - inset - 2)], theme.PAPER, max(2.0, width * 0.022))
    pen.paste(0, 0, field.sheet)
    if len(card) == 1:
        _colour_sign(pen, width / 2, height * 0.38, width * 0.52, card)
        pen.text(width / 2, height * 0.79, card, width * 0.4, INKS[card])
    else:
        for letter, x in ((card[0], width * 0.285), (card[1], width * 0.715)):
            _colour_sign(pen, x, height * 0.33, width * 0.32, letter)
            pen.text(x, height * 0.7, letter, width * 0.37, INKS[letter])
    return pen.pixels()


@sprite
def compass(size: int, fits: str, doubles: str) -> Pixels:
    """Four dots as the quadrants lie: bright where the card fits, ringed where it would be a Double Match. `fits`,
    `doubles`: four characters in the order of PLACES, "1" for yes.
    """
    pen = Pen(size, size)
    pen.disc(size / 2, size / 2, size / 2, theme.INK)
    pen.disc(size / 2, size / 2, size / 2 - 3, NIGHT)
    for number, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        cx, cy, r = size / 2 + x * size * 0.19, size / 2 + y * size * 0.19, size * 0.125
        if doubles[number] == "1":
            pen.disc(cx, cy, r * 1.5, theme.BRASS)
            pen.disc(cx, cy, r * 1.15, NIGHT)
        pen.disc(cx, cy, r if fits[number] == "1" else r * 0.5, theme.BRASS_LIGHT if fits[number] == "1" else ASIDE.rim)
    return pen.pixels()


@sprite
def back(width: int, height: int) -> Pixels:
    """A card's back: a disc in four quarters."""
    pen = Pen(width, height)
    blank(pen, BACK)
    inset, x, y, size = width * 0.08, width / 2, height / 2, width * 0.3
    pen.box(inset, inset, width - inset, height - inset, width * 0.06, BACK)
    pen.disc(x, y, size, theme.PAPER)
    pen.line([(x - size, y), (x + size, y)], BACK, width * 0.07)
    pen.line([(x, y - size), (x, y + size)], BACK, width * 0.07)
    return pen.pixels()


@sprite
def colour_medallion(letter: str, size: int) -> Pixels:
    """A trap's colour, its jaws round it."""
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c - 3, TINTS[letter])
    _colour_sign(pen, c, c - size * 0.1, size * 0.46, letter)
    pen.text(c, c + size * 0.28, letter, size * 0.3, INKS[letter])
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


def _count(page: Page, x: float, y: float, emblem: Sprite, number: int, colour: Colour, anchor: str) -> None:
    """Place a sign and a number that begin ("l") or end ("r") at x."""
    if anchor == "l":
        page.place(emblem, x, y, "lm")
        page.text(x + emblem.size[0] + 6, y, str(number), theme.SMALL, colour, 80)
    else:
        width = page.text(x, y, str(number), theme.SMALL, colour, 80, "rm")
        page.place(emblem, x - width - 6, y, "rm")


# The circle


def circle(page: Page, view: FullCircleView, x: int, y: int, radius: int, lit: frozenset[str] | None) -> None:
    """Place the window with its middle at (x, y). `lit`: the places that the chosen card fits, None without one."""
    rim = round(radius * 1.09)
    page.shade(x - rim, y - rim, 2 * rim, 2 * rim, rim, 14, 190)
    page.place(_frame(rim, radius, view.trap.colour if view.trap else ""), x, y, "mm")
    for number, (place, card) in enumerate(zip(PLACES, view.circle, strict=True)):
        left, top = (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)
        piece = _quadrant(number, card, radius)
        page.place(resting(piece) if lit is not None and place not in lit else piece, left, top)
        if lit is not None and place in lit:
            page.place(outline(number, radius), left, top)
    for number, (card, after) in enumerate(zip(view.circle, (*view.circle[1:], view.circle[0]), strict=True)):
        if card is not None and after is not None and card.second == after.first:
            across = number in (1, 3)
            seam = _seam(round(radius * 0.86), across)
            middle = radius * 0.5
            at = {0: (0, -middle), 1: (middle, 0), 2: (0, middle), 3: (-middle, 0)}[number]
            page.place(seam, x + at[0], y + at[1], "mm")
    for number, (place, card) in enumerate(zip(PLACES, view.circle, strict=True)):
        _notes(page, place, card, x, y, radius)
        if place == view.marker:
            px, py = _point(number, radius, radius * 1.0, 45)
            left, top = (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)
            page.place(marker(round(radius * 0.3)), left + px, top + py, "mm")


def window(rim: int, radius: int) -> Sprite:
    """Return the stone frame of a window without panes."""
    return _frame(rim, radius, "")


@sprite
def _frame(rim: int, radius: int, trap: str) -> Pixels:
    """The stone round the window; a chain lies round it while a trap is set."""
    pen = Pen(2 * rim, 2 * rim)
    pen.disc(rim, rim, rim, mix(STONE, (0, 0, 0), 0.55))
    pen.disc(rim, rim, rim - 3, STONE if not trap else mix(STONE, TINTS[trap], 0.55))
    pen.disc(rim, rim, radius + 5, LEAD)
    for number in range(48):
        x, y = emblems.polar(rim, rim, (rim + radius + 2) / 2, number * 7.5)
        size = (rim - radius) * 0.3
        if trap:
            pen.ring(x, y, size * 1.25, LEAD, size * 0.5)
        else:
            pen.disc(x, y, size * 0.6, mix(STONE, (0, 0, 0), 0.32))
    return pen.pixels()


@sprite
def _seam(long: int, across: bool) -> Pixels:
    """The light along an edge at which two panes have the same colour."""
    wide, tall = (long, 22) if across else (22, long)
    pen = Pen(wide, tall)
    for inset, colour in ((0, LEAD), (3, theme.BRASS_LIGHT), (8, (255, 255, 240))):
        pen.box(inset, inset, wide - inset, tall - inset, 11 - inset, colour)
    return pen.pixels()


def _quadrant(number: int, card: Quadrant | None, radius: int) -> Sprite:
    if card is None:
        return empty_quadrant(number, radius)
    return quadrant(number, card.face, card.first, card.second, radius)


def _notes(page: Page, place: str, card: Quadrant | None, x: int, y: int, radius: int) -> None:
    """Write, in the corner beside a quadrant, its letters and how many cards it covers."""
    across, side = ("l", -1) if place[1] == "L" else ("r", 1)
    edge = x + side * (radius + 50)  # clear of the window's rim, also with a count of two figures
    above = place[0] == "T"
    outer = y + (-8 - radius if above else radius + 8)
    page.text(edge, outer, place, theme.SMALL, theme.CREAM, 80, across + "m")
    if card is not None and card.covered:
        pile = emblems.sign(emblems.captured, 38, theme.PAPER_EDGE, BOARD)
        _count(page, edge, outer + (41 if above else -41), pile, card.covered, theme.CREAM, across)
