"""Full Circle's pieces: its colours, the cards as they lie in the circle and in a hand, and the circle itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PIL import Image

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import Page
from rendering.core.chrome import NIGHT
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Point, Sprite, mix, sprite
from rendering.core.theme import Plate
from rendering.full_circle.signs import INKS, SIGNS, TINTS, flame, lock, wheel
from rules.full_circle import PLACES, FullCircleView, Quadrant
from rules.full_circle.types import Play

# Colours

BOARD: Colour = (46, 38, 56)
RING: Colour = (58, 49, 70)
HOLLOW: Colour = (34, 28, 42)
LEAD: Colour = (20, 16, 26)
"""The lines between panes."""
LIGHT: Colour = (255, 255, 240)
"""The light along an edge that matches."""
STONE: Colour = (150, 136, 150)
"""The frame of the window."""
BACK: Colour = (92, 58, 112)
RIBBON: Colour = (44, 66, 92)
PLATE = Plate((66, 56, 80), (28, 22, 36), (128, 112, 146), theme.CREAM, (204, 192, 216))
ASIDE = Plate((52, 44, 62), (28, 22, 36), (84, 74, 96), (158, 146, 170), (136, 124, 148))

REST: Colour = (214, 204, 190)
"""The paper of a card that does not fit."""
DIM: Colour = (128, 120, 144)
"""The dot of a quadrant that a card does not fit."""

TABLE_RADIUS = 286
HAND_RADIUS = 228
DARK_INK = 120
"""Colours that are lighter than this grey are written on in dark ink."""
RIM = 1.09
"""How far the window's frame reaches, in radii."""
GHOST = 0.64
"""The radius of a ghost, in radii of the window."""
FLAME = 62
LEAST_WITH_SIGNS = 80
"""The least height of a card with signs, in pixels; on smaller ones letters take their place."""
SMALL_LETTER = 40


def paler(colour: Colour) -> Colour:
    """Return the colour of a card that does not fit now: 35 hundredths of the way to its grey, and as legible."""
    grey = round(0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2])
    light = 0.06 if grey > DARK_INK else 0
    return mix(mix(colour, (grey, grey, grey), 0.35), (255, 255, 255), light)


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
    image = _half_pane(place, first, True, radius).image.copy()
    other = _half_pane(place, second, False, radius)
    image.paste(other.image, (0, 0), other.alpha)
    if face[0] == "W":
        above = _wild_marks(place, radius)
        image.paste(above.image, (0, 0), above.alpha)
    elif first != second:
        lead = _lead(place, radius)
        image.paste(lead.image, (0, 0), lead.alpha)
    return Pixels(image, _pane(place, radius).alpha)


@sprite
def _half_pane(place: int, letter: str, first: bool, radius: int) -> Pixels:
    """The glass at one edge of a quadrant: the same for all cards with that colour there."""
    pen = Pen(radius, radius)
    low, high = (0, 45) if first else (45, 90)
    tint, middle = TINTS[letter], (low + high) / 2
    pen.box(0, 0, radius, radius, 0, LEAD)
    pen.polygon(_quarter(place, radius, 7, low, high), mix(tint, (0, 0, 0), 0.16))
    for reach, light in ((0.86, 0.0), (0.62, 0.1), (0.36, 0.2)):
        pane = [_point(place, radius, 10, middle)]
        pane += [
            _point(place, radius, radius * reach, low + 1.2 + (high - low - 2.4) * step / 16) for step in range(17)
        ]
        pen.polygon(pane, mix(tint, (255, 255, 255), light))
    degrees = 23.5 if first else 66.5
    _colour_sign(pen, *_point(place, radius, radius * 0.745, degrees), radius * 0.27, letter)
    pen.text(*_point(place, radius, radius * 0.47, degrees), letter, radius * 0.25, INKS[letter])
    image = _solid(pen)
    if first:
        return Pixels(image, Image.new("L", image.size, 255))
    return Pixels(image, _half_shape(place, radius).alpha)


@sprite
def _half_shape(place: int, radius: int) -> Pixels:
    """The half of a quadrant at its clockwise edge."""
    pen = Pen(radius, radius)
    corner = _point(place, radius, 0, 0)
    reach = radius * 1.5
    pen.polygon([corner, *(_point(place, radius, reach, 45 + 45 * step / 4) for step in range(5))], LEAD)
    return pen.pixels()


@sprite
def _wild_marks(place: int, radius: int) -> Pixels:
    """What a wild has above its panes: the rim of all colours, and the wheel."""
    pen = Pen(radius, radius)
    _rainbow(pen, place, radius)
    wheel(pen, *_point(place, radius, radius * 0.57, 45), radius * 0.115)
    return pen.pixels()


@sprite
def _lead(place: int, radius: int) -> Pixels:
    """The line of lead between the two panes of a quadrant."""
    pen = Pen(radius, radius)
    pen.line([_point(place, radius, 8, 45), _point(place, radius, radius - 6, 45)], LEAD, 6)
    return pen.pixels()


@sprite
def _pane(place: int, radius: int) -> Pixels:
    """The shape of a quadrant, the same for all cards."""
    pen = Pen(radius, radius)
    pen.polygon(_quarter(place, radius, 0, 0, 90), LEAD)
    return pen.pixels()


def _solid(pen: Pen) -> Image.Image:
    """Return what the pen has drawn over its whole sheet, in its final size: faster than with a coverage."""
    return pen.sheet.convert("RGB").reduce(SCALE)


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
    pen.line([*path, path[0], path[1]], LEAD, 20)
    pen.line([*path, path[0], path[1]], theme.BRASS, 14)
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
def card_face(card: str, width: int, height: int, asleep: bool = False) -> Pixels:
    """A card of a hand: its counter-clockwise colour on the left, the clockwise one on the right. `asleep`: it does not
    fit now, so its colours are paler, and its writing is as legible. The width is even.
    """
    shape = _blank(width, height).alpha
    if len(card) == 2:
        image = Image.new("RGB", (width, height))
        for at, letter in enumerate(card):
            image.paste(_half_card(letter, at, width, height, asleep).image, (at * width // 2, 0))
        return Pixels(image, shape)
    pen = Pen(width, height)
    _paper(pen, width, 0, asleep)
    if card == "W":
        wheel(pen, width / 2, height * 0.4, min(width * 0.36, height * 0.28))
        pen.text(width / 2, height * 0.82, "W", min(width * 0.34, height * 0.36), theme.INK)
        return Pixels(_solid(pen), shape)
    inset = width * 0.055
    tint = paler(TINTS[card]) if asleep else TINTS[card]
    pen.box(inset, inset, width - inset, height - inset, width * 0.05, tint)
    _write_colour(pen, card, width / 2, width * 0.8)
    return Pixels(_solid(pen), shape)


@sprite
def _half_card(letter: str, side: int, width: int, height: int, asleep: bool) -> Pixels:
    """The left or the right half of a card of two colours (`side` 0 or 1): the same for all cards with it."""
    pen = Pen(width // 2, height)
    left, inset = -side * width / 2, width * 0.055
    _paper(pen, width, left, asleep)
    tint = paler(TINTS[letter]) if asleep else TINTS[letter]
    pen.box(left + inset, inset, left + width - inset, height - inset, width * 0.05, tint)
    thick = max(2.0, width * 0.022)
    pen.box(left + (width - thick) / 2, inset, left + (width + thick) / 2, height - inset, 0, theme.PAPER)
    _write_colour(pen, letter, left + width * (0.715 if side else 0.285), width * 0.4)
    return Pixels(_solid(pen), Image.new("L", (width // 2, height), 255))


def _paper(pen: Pen, width: int, left: float, asleep: bool) -> None:
    """Draw a card's rim and paper, its left edge at `left`."""
    pen.box(0, 0, pen.width, pen.height, 0, theme.INK)
    face = REST if asleep else theme.PAPER
    pen.box(left + 1.5, 1.5, left + width - 1.5, pen.height - 2.5, width * 0.085, face)


def _write_colour(pen: Pen, letter: str, x: float, room: float) -> None:
    """Draw a colour's sign, if there is room, and its letter, their middle at x, within `room` pixels."""
    height = pen.height
    if height < LEAST_WITH_SIGNS:
        pen.text(x, height * 0.6, letter, SMALL_LETTER, INKS[letter], lettering.TEXT)
        return
    _colour_sign(pen, x, height * 0.35, min(room * 0.8, height * 0.44), letter)
    pen.text(x, height * 0.74, letter, min(room * 0.95, height * 0.36), INKS[letter])


@sprite
def _blank(width: int, height: int) -> Pixels:
    """The shape of a card, the same for all cards of that size."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, width * 0.085, theme.INK)
    return pen.pixels()


@sprite
def chosen_frame(width: int, height: int) -> Pixels:
    """The outline round a card that is chosen, with a tick."""
    pen = Pen(width + 20, height + 20)
    radius = width * 0.085 + 9
    pen.box(0, 0, width + 20, height + 20, radius, None, theme.INK, 10)
    pen.box(1.5, 1.5, width + 18.5, height + 18.5, radius - 1.5, None, theme.BRASS_LIGHT, 7.5)
    x = y = 24
    pen.disc(x, y, 24, theme.INK)
    pen.disc(x, y, 22, theme.BRASS_LIGHT)
    pen.line([(x - 11, y), (x - 3, y + 9), (x + 12, y - 10)], theme.INK, 6)
    return pen.pixels()


@sprite
def compass(size: int, fits: str, doubles: str) -> Pixels:
    """Four dots as the quadrants lie: bright where the card fits, ringed where it would be a Double Match. `fits`,
    `doubles`: four characters in the order of PLACES, "1" for yes.
    """
    pen = Pen(size, size)
    pen.disc(size / 2, size / 2, size / 2, theme.BRASS_LIGHT)
    pen.disc(size / 2, size / 2, size / 2 - 3, NIGHT)
    for number, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        cx, cy, r = size / 2 + x * size * 0.195, size / 2 + y * size * 0.195, size * 0.125
        if doubles[number] == "1":
            pen.disc(cx, cy, r * 1.5, theme.BRASS_LIGHT)
            pen.disc(cx, cy, r * 1.12, NIGHT)
            pen.disc(cx, cy, r * 0.72, theme.BRASS_LIGHT)
        else:
            pen.disc(cx, cy, r if fits[number] == "1" else r * 0.5, theme.BRASS_LIGHT if fits[number] == "1" else DIM)
    return pen.pixels()


def place_pile(page: Page, x: int, y: int, width: int, cards: int) -> None:
    """Place the pile, and on its uppermost card how many there are; x and y are its upper left corner."""
    height = round(width * 1.3)
    page.place(_pile(width, height, min(3, cards)), x, y)
    page.text(x + width / 2, y + height / 2, str(cards), theme.SMALL, theme.INK, width, "mm")


@sprite
def _pile(width: int, height: int, cards: int) -> Pixels:
    """The backs of that many cards."""
    pen = Pen(width + 8, height + 8)
    for step in range(cards, 0, -1):
        x, y = 4.0 * (step - 1), 4.0 * (step - 1)
        pen.box(x, y, x + width, y + height, width * 0.1, theme.INK)
        pen.box(x + 1.5, y + 1.5, x + width - 1.5, y + height - 2, width * 0.09, theme.PAPER)
        pen.box(x + 5, y + 5, x + width - 5, y + height - 5, width * 0.06, BACK)
    if not cards:
        pen.box(0, 0, width, height, width * 0.1, HOLLOW, STONE, 3)
    pen.disc(width / 2, height / 2, width * 0.42, theme.PAPER)
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


def circle(page: Page, view: FullCircleView, x: int, y: int, radius: int, aimed: Sequence[Play] = ()) -> None:
    """Place the window with its middle at (x, y). `aimed`: the plays of the chosen card; each quadrant that it fits is
    outlined, and shows it as a ghost.
    """
    rim = round(radius * RIM)
    page.shade(x - rim, y - rim, 2 * rim, 2 * rim, rim, 14, 190)
    page.place(_frame(rim, radius, view.trap.colour if view.trap else ""), x, y, "mm")
    for number, card in enumerate(view.circle):
        left, top = _corner_at(number, x, y, radius)
        page.place(_quadrant(number, card, radius), left, top)
    for number, (card, after) in enumerate(zip(view.circle, (*view.circle[1:], view.circle[0]), strict=True)):
        if card is not None and after is not None and card.second == after.first:
            across = number in (1, 3)
            seam = _seam(round(radius * 0.86), across)
            middle = radius * 0.5
            at = {0: (0, -middle), 1: (middle, 0), 2: (0, middle), 3: (-middle, 0)}[number]
            page.place(seam, x + at[0], y + at[1], "mm")
    _place_ghosts(page, view, x, y, radius, aimed)
    for number, (place, card) in enumerate(zip(PLACES, view.circle, strict=True)):
        _notes(page, place, card, x, y, radius)
        if isinstance(view.last, Play) and place == view.last.place:
            _place_arcs(page, number, x, y, rim)
        if place == view.marker:
            px, py = _point(number, radius, radius * 1.0, 45)
            left, top = _corner_at(number, x, y, radius)
            page.place(marker(round(radius * 0.26)), left + px, top + py, "mm")


def _corner_at(number: int, x: int, y: int, radius: int) -> tuple[int, int]:
    """Return the upper left corner of a quadrant of that radius."""
    return (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)


def _place_ghosts(page: Page, view: FullCircleView, x: int, y: int, radius: int, aimed: Sequence[Play]) -> None:
    """Show the chosen card in each quadrant that it fits, its matching edges lit. A wild has no colours yet."""
    faces: dict[str, set[str]] = {}
    for play in aimed:
        faces.setdefault(play.place, set()).add(play.face)
    size = round(radius * GHOST)
    for number, place in enumerate(PLACES):
        if place not in faces:
            continue
        page.place(outline(number, radius), *_corner_at(number, x, y, radius))
        if len(faces[place]) == 1:
            (face,) = faces[place]
            first, second = (face[2], face[2]) if face[0] == "W" else (face[0], face[-1])
            before, after = view.circle[number - 1], view.circle[(number + 1) % 4]
            lit = (before is not None and before.second == first, after is not None and after.first == second)
            page.place(_ghost(number, first, second, lit, size), *_corner_at(number, x, y, size))


@sprite
def _ghost(place: int, first: str, second: str, lit: tuple[bool, bool], radius: int) -> Pixels:
    """The chosen card as it would lie there, smaller than the card that it would cover; its matching edges are lit."""
    pen = Pen(radius, radius)
    pen.polygon(_quarter(place, radius, 0, 0, 90), LEAD)
    pen.polygon(_quarter(place, radius, 4, 0, 90), theme.BRASS)
    for letter, low, high in ((first, 0, 45), (second, 45, 90)):
        pen.polygon(_quarter(place, radius, 16, low, high), mix(TINTS[letter], (255, 255, 255), 0.1))
        pen.text(*_point(place, radius, radius * 0.66, 26 if not low else 64), letter, radius * 0.33, INKS[letter])
    for matches, edge in zip(lit, (0, 90), strict=True):
        if matches:  # a line beside that edge
            reaches = (radius * 0.12, radius * 0.94)
            beside = (math.degrees(math.asin(9 / reach)) for reach in reaches)
            ends = [_point(place, radius, reach, abs(edge - at)) for reach, at in zip(reaches, beside, strict=True)]
            pen.line(ends, LEAD, 18)
            pen.line(ends, LIGHT, 12)
    return pen.pixels()


def _place_arcs(page: Page, place: int, x: int, y: int, rim: int) -> None:
    """Place the mark of the last move on the frame beside that quadrant: two arcs of brass."""
    left, top = _corner_at(place, x, y, rim)
    for first in (True, False):
        box = _arc_box(place, rim, first)
        page.place(_arc(place, rim, first), left + box[0], top + box[1])


def _arc_box(place: int, rim: int, first: bool) -> tuple[int, int, int, int]:
    """Return the box of one arc within a quadrant of that radius: left, top, right, bottom."""
    points = _arc_points(place, rim, first)
    edge = rim * 0.04
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (
        math.floor(min(xs) - edge), math.floor(min(ys) - edge), math.ceil(max(xs) + edge), math.ceil(max(ys) + edge),
    )  # fmt: skip


def _arc_points(place: int, rim: int, first: bool) -> list[Point]:
    low = 8 if first else 62
    return [_point(place, rim, rim * (1 + 1 / RIM) / 2, low + 20 * step / 12) for step in range(13)]


@sprite
def _arc(place: int, rim: int, first: bool) -> Pixels:
    """One of the two arcs. It is a small sprite, so that little is composed when the mark moves on."""
    left, top, right, bottom = _arc_box(place, rim, first)
    pen = Pen(right - left, bottom - top)
    arc = [(x - left, y - top) for x, y in _arc_points(place, rim, first)]
    pen.line(arc, theme.INK, rim * 0.062)
    pen.line(arc, theme.BRASS_LIGHT, rim * 0.042)
    return pen.pixels()


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
    for inset, colour in ((0, LEAD), (3, theme.BRASS_LIGHT), (8, LIGHT)):
        pen.box(inset, inset, wide - inset, tall - inset, 11 - inset, colour)
    return pen.pixels()


def _quadrant(number: int, card: Quadrant | None, radius: int) -> Sprite:
    if card is None:
        return empty_quadrant(number, radius)
    return quadrant(number, card.face, card.first, card.second, radius)


def _notes(page: Page, place: str, card: Quadrant | None, x: int, y: int, radius: int) -> None:
    """Write, in the corner beside a quadrant, its letters and how many cards it covers."""
    across, side = ("l", -1) if place[1] == "L" else ("r", 1)
    edge = x + side * (radius * RIM + 10)
    above = place[0] == "T"
    outer = y + (-14 - radius if above else radius + 14)
    page.text(edge, outer, place, theme.SMALL, theme.CREAM, 80, across + "m")
    if card is not None and card.covered:
        covered = emblems.sign(emblems.captured, 38, theme.PAPER_EDGE, BOARD)
        _count(page, edge, outer + (42 if above else -42), covered, card.covered, theme.CREAM, across)
