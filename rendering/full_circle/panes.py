"""The panes of the window: the four quadrants of the circle, with the glass of the card that lies on each."""

from __future__ import annotations

import math

from PIL import Image

from rendering.core import theme
from rendering.core.sprites import Colour, Pen, Pixels, Point, mix, sprite
from rendering.full_circle.pieces import HOLLOW, LEAD
from rendering.full_circle.signs import INKS, TINTS, draw_colour, wheel

GROOVE: Colour = (56, 56, 84)
"""The lattice in an empty quadrant."""
BORDER = 0.9
"""Where the border of small panes begins, in radii."""
CELLS = 3
"""The small panes at each half of a quadrant."""
LIGHT: Colour = (255, 255, 240)
"""The light along an edge that matches."""


def _edges(place: int) -> tuple[Point, Point]:
    """The directions of a quadrant's counter-clockwise and clockwise edge, from the circle's middle."""
    start = math.radians(180 + 90 * place)
    return (math.cos(start), math.sin(start)), (-math.sin(start), math.cos(start))


def point(place: int, size: float, radius: float, degrees: float) -> Point:
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
    arc = [point(place, size, outer, first + (last - first) * step / 24) for step in range(25)]
    return [point(place, size, inset * math.sqrt(2), 45), *arc]


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
    low, high = (0.0, 45.6) if first else (44.4, 90.0)  # they overlap, so that halves of one colour have no gap
    tint = TINTS[letter]
    pen.box(0, 0, radius, radius, 0, LEAD)
    for cell in range(CELLS):  # the border, in small panes
        part = (high - low) / CELLS
        tone = mix(tint, (0, 0, 0), (0.08, 0.26)[(cell + first) % 2])
        pen.polygon(_sector(place, radius, radius - 7, low + cell * part, low + (cell + 1) * part), tone)
    for cell in range(1, CELLS):
        degrees = low + (high - low) * cell / CELLS
        pen.line([point(place, radius, radius * BORDER, degrees), point(place, radius, radius - 6, degrees)], LEAD, 3)
    pen.polygon(_sector(place, radius, radius * BORDER, low, high), LEAD)
    for reach, light in ((BORDER - 0.012, -0.1), (0.8, 0.0), (0.62, 0.08), (0.36, 0.2)):
        tone = mix(tint, (255, 255, 255), light) if light > 0 else mix(tint, (0, 0, 0), -light)
        pen.polygon(_sector(place, radius, radius * reach, low, high), tone)
    degrees = 23.5 if first else 66.5
    draw_colour(pen, *point(place, radius, radius * 0.735, degrees), radius * 0.27, letter)
    pen.text(*point(place, radius, radius * 0.46, degrees), letter, radius * 0.25, INKS[letter])
    image = pen.solid()
    if first:
        return Pixels(image, Image.new("L", image.size, 255))
    return Pixels(image, _half_shape(place, radius).alpha)


def _sector(place: int, size: float, radius: float, first: float, last: float, inset: float = 6) -> list[Point]:
    """Return the outline of the glass between two angles: from near the middle to that radius, beside the lead."""
    low = math.degrees(math.asin(inset / radius))
    angles = [max(low, min(90 - low, first + (last - first) * step / 16)) for step in range(17)]
    return [point(place, size, inset * math.sqrt(2), 45), *(point(place, size, radius, degrees) for degrees in angles)]


@sprite
def _half_shape(place: int, radius: int) -> Pixels:
    """The half of a quadrant at its clockwise edge."""
    pen = Pen(radius, radius)
    corner = point(place, radius, 0, 0)
    reach = radius * 1.5
    pen.polygon([corner, *(point(place, radius, reach, 45 + 45 * step / 4) for step in range(5))], LEAD)
    return pen.pixels()


@sprite
def _wild_marks(place: int, radius: int) -> Pixels:
    """What a wild has above its panes: the rim of all colours, and the wheel."""
    pen = Pen(radius, radius)
    _rainbow(pen, place, radius)
    wheel(pen, *point(place, radius, radius * 0.57, 45), radius * 0.115)
    return pen.pixels()


@sprite
def _lead(place: int, radius: int) -> Pixels:
    """The line of lead between the two panes of a quadrant."""
    pen = Pen(radius, radius)
    pen.line([point(place, radius, 8, 45), point(place, radius, radius - 6, 45)], LEAD, 6)
    return pen.pixels()


@sprite
def _pane(place: int, radius: int) -> Pixels:
    """The shape of a quadrant, the same for all cards."""
    pen = Pen(radius, radius)
    pen.polygon(_quarter(place, radius, 0, 0, 90), LEAD)
    return pen.pixels()


def _rainbow(pen: Pen, place: int, radius: int) -> None:
    """Draw a wild's rim: all six colours, of which none counts."""

    def band(inner: float, outer: float, low: float, high: float, colour: Colour) -> None:
        angles = [low + (high - low) * step / 12 for step in range(13)]
        far = [point(place, radius, outer, degrees) for degrees in angles]
        near = [point(place, radius, inner, degrees) for degrees in reversed(angles)]
        pen.polygon([*far, *near], colour)

    low, high = 2.6, 87.4
    band(radius * BORDER, radius - 6, low - 0.8, high + 0.8, LEAD)
    for i, letter in enumerate("BPROYG"):
        step = (high - low) / 6
        band(radius * BORDER + 3, radius - 8, low + i * step + 0.3, low + (i + 1) * step - 0.3, TINTS[letter])


@sprite
def empty_quadrant(place: int, radius: int) -> Pixels:
    """An empty place for a card: clear glass in a lattice of lead, behind which is the night."""
    pen = Pen(radius, radius)
    pen.box(0, 0, radius, radius, 0, HOLLOW)
    step = radius / 5.5
    for number in range(-7, 13):
        for lean in (0.62, -0.62):
            foot = number * step + (0 if lean > 0 else radius * 0.62)
            pen.line([(foot, 0), (foot + lean * radius, radius)], GROOVE, 2.5)
    path = _quarter(place, radius, 0, 0, 90)
    pen.line([*path, path[0], path[1]], LEAD, 14)
    return Pixels(pen.solid(), _pane(place, radius).alpha)


@sprite
def outline(place: int, radius: int) -> Pixels:
    """The outline round a quadrant that the chosen card fits."""
    pen = Pen(radius, radius)
    path = _quarter(place, radius, 7, 0, 90)
    pen.line([*path, path[0], path[1]], LEAD, 20)
    pen.line([*path, path[0], path[1]], theme.BRASS, 14)
    return pen.pixels()


@sprite
def ghost(place: int, first: str, second: str, lit: tuple[bool, bool], radius: int) -> Pixels:
    """The chosen card as it would lie there, smaller than the card that it would cover; its matching edges are lit."""
    pen = Pen(radius, radius)
    pen.polygon(_quarter(place, radius, 0, 0, 90), LEAD)
    pen.polygon(_quarter(place, radius, 4, 0, 90), theme.BRASS)
    for letter, low, high in ((first, 0, 45), (second, 45, 90)):
        pen.polygon(_quarter(place, radius, 16, low, high), mix(TINTS[letter], (255, 255, 255), 0.1))
        pen.text(*point(place, radius, radius * 0.66, 26 if not low else 64), letter, radius * 0.33, INKS[letter])
    for matches, edge in zip(lit, (0, 90), strict=True):
        if matches:  # a line beside that edge
            reaches = (radius * 0.12, radius * 0.94)
            beside = (math.degrees(math.asin(9 / reach)) for reach in reaches)
            ends = [point(place, radius, reach, abs(edge - at)) for reach, at in zip(reaches, beside, strict=True)]
            pen.line(ends, LEAD, 18)
            pen.line(ends, LIGHT, 12)
    return pen.pixels()
