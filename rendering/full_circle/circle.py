"""The circle: a round window of four panes in a frame of stone, plates at its corners, and the chosen card's ghosts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rendering.core import emblems, lettering, theme
from rendering.core.canvas import Page
from rendering.core.sprites import Colour, Pen, Pixels, Point, Sprite, mix, sprite
from rendering.full_circle.light import GLOWS
from rendering.full_circle.panes import LIGHT, empty_quadrant, ghost, outline, point, quadrant
from rendering.full_circle.pieces import LEAD, STONE, marker
from rendering.full_circle.signs import TINTS
from rendering.full_circle.stage import RIM
from rules.full_circle import PLACES, FullCircleView, Phase, Quadrant
from rules.full_circle.types import Play

TABLE_RADIUS = 290
HAND_RADIUS = 226
SLATE: Colour = (34, 32, 48)
"""The plates at the corners of the window."""
PLATE = (96, 84)
"""The size of such a plate with a count; without one it is lower."""
LOW_PLATE = 48
PLATES_AT = 1.155
"""Where the outer corners of the plates lie, across and down from the window's middle, in radii."""
GHOST = 0.64
"""The radius of a ghost, in radii of the window."""


def place_circle(page: Page, view: FullCircleView, x: int, y: int, radius: int, aimed: Sequence[Play] = ()) -> None:
    """Place the window with its middle at (x, y). `aimed`: the plays of the chosen card; each quadrant that it fits is
    outlined, and shows it as a ghost.
    """
    rim = round(radius * RIM)
    shown = {letter for card in view.circle if card for letter in (card.first, card.second)}
    full = view.phase is Phase.FULL or len(shown) == len(TINTS)
    page.place(frame(rim, radius, view.trap.colour if view.trap else "", full), x, y, "mm")
    for number, card in enumerate(view.circle):
        left, top = _corner_at(number, x, y, radius)
        page.place(_quadrant(number, card, radius), left, top)
    edges = [(card.first, card.second) if card else None for card in view.circle]
    place_seams(page, edges, x, y, radius, full=full)
    _place_ghosts(page, view, x, y, radius, aimed)
    for number, (place, card) in enumerate(zip(PLACES, view.circle, strict=True)):
        _notes(page, place, card, x, y, radius)
        if isinstance(view.last, Play) and place == view.last.place:
            _place_arcs(page, number, x, y, rim)
        if place == view.marker:
            px, py = point(number, radius, radius * 1.0, 45)
            left, top = _corner_at(number, x, y, radius)
            page.place(marker(round(radius * 0.26)), left + px, top + py, "mm")


def place_seams(
    page: Page, edges: Sequence[tuple[str, str] | None], x: int, y: int, radius: int, *, full: bool
) -> None:
    """Place the light along the edges of the window that match, and the stone in its middle. `edges`: the colours of
    each quadrant, counter-clockwise edge first. `full`: all colours are in the window.
    """
    middle = radius * 0.52
    for number, (across, down) in enumerate(((0, -middle), (middle, 0), (0, middle), (-middle, 0))):
        card, after = edges[number], edges[(number + 1) % 4]
        if card and after and card[1] == after[0]:
            page.place(_seam(round(radius * 0.84), bool(across), card[1]), x + across, y + down, "mm")
    page.place(_boss(round(radius * 0.17), full), x, y, "mm")


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
def frame(rim: int, radius: int, trap: str, full: bool = False) -> Pixels:
    """The moulded stone round the window. A chain lies round it while a trap is set. It shines while all six colours
    are in the window: that is what a Full Circle makes."""
    pen = Pen(2 * rim, 2 * rim)
    stone = STONE if not trap else mix(STONE, TINTS[trap], 0.5)
    if full:
        stone = mix(theme.BRASS_LIGHT, LIGHT, 0.3)
    dark, wide = mix(stone, (0, 0, 0), 0.55), rim - radius
    pen.disc(rim, rim, rim, mix(stone, (0, 0, 0), 0.72))
    for reach, tone in ((0.9, stone), (0.74, mix(stone, (255, 255, 255), 0.28)), (0.64, dark), (0.54, stone)):
        pen.disc(rim, rim, radius + wide * reach, tone)
    pen.disc(rim, rim, radius + 3, LEAD)
    for number in range(48):
        x, y = emblems.polar(rim, rim, radius + wide * (0.34 if not trap else 0.5), number * 7.5)
        if trap:
            pen.ring(x, y, wide * 0.4, LEAD, wide * 0.17)
        else:
            pen.disc(x, y, wide * 0.14, dark)
    return pen.pixels()


@sprite
def _seam(long: int, across: bool, letter: str) -> Pixels:
    """The light along an edge at which two panes have the same colour: a blade of it, with its glow."""
    thick = 40
    wide, tall = (long, thick) if across else (thick, long)
    pen = Pen(wide, tall)

    def blade(half: float, inset: float, colour: Colour) -> None:
        edge = [(step / 24, half * math.sin(math.pi * step / 24) ** 0.4) for step in range(25)]
        outline = [*edge, *((part, -away) for part, away in reversed(edge))]
        along = [(inset + (long - 2 * inset) * part, thick / 2 + away) for part, away in outline]
        pen.polygon(along if across else [(down, at) for at, down in along], colour)

    blade(19, 0, mix(GLOWS[letter], LEAD, 0.2))
    blade(14.5, 5, mix(GLOWS[letter], LIGHT, 0.4))
    blade(9, 10, theme.BRASS_LIGHT)
    blade(5.5, 16, LIGHT)
    return pen.pixels()


@sprite
def _boss(size: int, full: bool) -> Pixels:
    """The stone in the middle of the window that holds the panes."""
    pen = Pen(size, size)
    c = size / 2
    for part, tone in (
        (1.0, LEAD), (0.86, theme.BRASS_LIGHT if full else STONE), (0.62, mix(STONE, (0, 0, 0), 0.6)),
        (0.46, LIGHT if full else mix(STONE, (0, 0, 0), 0.2)),
    ):  # fmt: skip
        pen.disc(c, c, c * part, tone)
    return pen.pixels()


def _quadrant(number: int, card: Quadrant | None, radius: int) -> Sprite:
    if card is None:
        return empty_quadrant(number, radius)
    return quadrant(number, card.face, card.first, card.second, radius)


def _notes(page: Page, place: str, card: Quadrant | None, x: int, y: int, radius: int) -> None:
    """Place, at the corner beside a quadrant, a plate with its letters and how many cards it covers."""
    right, low = place[1] == "R", place[0] == "B"
    wide, tall = PLATE if card is not None and card.covered else (PLATE[0], LOW_PLATE)
    reach = radius * PLATES_AT
    left = round(x + reach - wide if right else x - reach)
    top = round(y + reach - tall if low else y - reach)
    page.place(_plate(wide, tall), left, top)
    middle = left + wide / 2
    page.text(middle, top + 24, place, theme.SMALL, theme.CREAM, 80, "mm")
    if card is not None and card.covered:
        covered = emblems.sign(emblems.captured, 34, theme.PAPER_EDGE, SLATE)
        _count(page, middle, top + 60, covered, card.covered, theme.CREAM, "r" if right else "l")


def _count(page: Page, x: float, y: float, emblem: Sprite, number: int, colour: Colour, anchor: str) -> None:
    """Place a sign and a number, their middle at x. `anchor`: the end of the number that keeps its place."""
    half = (emblem.size[0] + 4 + lettering.width(str(number), theme.SMALL)) / 2
    page.place(emblem, x - half, y, "lm")
    at = x + half if anchor == "r" else x - half + emblem.size[0] + 4
    page.text(at, y, str(number), theme.SMALL, colour, 80, f"{anchor}m")


@sprite
def _plate(width: int, height: int) -> Pixels:
    """A plate of slate in a rim of stone, with a nail in each corner."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 9, mix(STONE, (0, 0, 0), 0.75))
    pen.box(1.5, 1.5, width - 1.5, height - 3, 8, STONE)
    pen.box(1.5, 1.5, width - 1.5, height - 5, 8, mix(STONE, (255, 255, 255), 0.35))
    pen.box(4, 4, width - 4, height - 5, 6, mix(STONE, (0, 0, 0), 0.3))
    pen.box(6, 6, width - 6, height - 7, 5, SLATE)
    return pen.pixels()
