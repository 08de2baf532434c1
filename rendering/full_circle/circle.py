"""The circle: a round window of four panes in a frame of stone, the marks round it, and the chosen card's ghosts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rendering.core import emblems, theme
from rendering.core.canvas import Page
from rendering.core.sprites import Colour, Pen, Pixels, Point, Sprite, mix, sprite
from rendering.full_circle.panes import LEAD, LIGHT, empty_quadrant, ghost, outline, point, quadrant
from rendering.full_circle.pieces import STONE, marker
from rendering.full_circle.signs import TINTS
from rules.full_circle import PLACES, FullCircleView, Quadrant
from rules.full_circle.types import Play

BOARD: Colour = (46, 38, 56)
TABLE_RADIUS = 286
HAND_RADIUS = 228
RIM = 1.09
"""How far the window's frame reaches, in radii."""
GHOST = 0.64
"""The radius of a ghost, in radii of the window."""


def place_circle(page: Page, view: FullCircleView, x: int, y: int, radius: int, aimed: Sequence[Play] = ()) -> None:
    """Place the window with its middle at (x, y). `aimed`: the plays of the chosen card; each quadrant that it fits is
    outlined, and shows it as a ghost.
    """
    rim = round(radius * RIM)
    page.shade(x - rim, y - rim, 2 * rim, 2 * rim, rim, 14, 190)
    page.place(frame(rim, radius, view.trap.colour if view.trap else ""), x, y, "mm")
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
            px, py = point(number, radius, radius * 1.0, 45)
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
            page.place(ghost(number, first, second, lit, size), *_corner_at(number, x, y, size))


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
    return [point(place, rim, rim * (1 + 1 / RIM) / 2, low + 20 * step / 12) for step in range(13)]


@sprite
def _arc(place: int, rim: int, first: bool) -> Pixels:
    """One of the two arcs. It is a small sprite, so that little is composed when the mark moves on."""
    left, top, right, bottom = _arc_box(place, rim, first)
    pen = Pen(right - left, bottom - top)
    arc = [(x - left, y - top) for x, y in _arc_points(place, rim, first)]
    pen.line(arc, theme.INK, rim * 0.062)
    pen.line(arc, theme.BRASS_LIGHT, rim * 0.042)
    return pen.pixels()


@sprite
def frame(rim: int, radius: int, trap: str) -> Pixels:
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


def _count(page: Page, x: float, y: float, emblem: Sprite, number: int, colour: Colour, anchor: str) -> None:
    """Place a sign and a number that begin ("l") or end ("r") at x."""
    if anchor == "l":
        page.place(emblem, x, y, "lm")
        page.text(x + emblem.size[0] + 6, y, str(number), theme.SMALL, colour, 80)
    else:
        width = page.text(x, y, str(number), theme.SMALL, colour, 80, "rm")
        page.place(emblem, x - width - 6, y, "rm")
