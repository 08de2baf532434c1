"""The window: four quarters of glass in lead and stone, its light on the floor, and what is said of each quarter."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache

from rendering.core.art import toned
from rendering.core.canvas import Page
from rendering.core.sprites import Sprite, Tint, mix
from rendering.full_circle.panes import (
    empty_quadrant,
    of_window,
    painted,
    quadrant,
    turned_sprite,
    writing,
)
from rendering.full_circle.signs import GLOWS, TINTS
from rules.full_circle.types import PLACES, Phase, Play, Quadrant
from rules.full_circle.view import FullCircleView

STONE, STONE_LIT, GLOW, SEAM, KNOT = 2.308, 2.564, 1.472, 0.443, 0.729
"""The widths of the stone round the window, of the shining stone, of the light on a quarter of the wall, of the light
along an edge and of the knot of lead, in radii.
"""
GHOST = 0.78
"""The radius of the chosen card in a quarter that it fits, in radii."""


def place_circle(
    page: Page, view: FullCircleView, x: int, y: int, radius: int, aimed: Sequence[Play] = (), *, chosen: bool = False
) -> None:
    """Place the window with its middle at (x, y). `aimed`: the plays of the chosen card, whose quarters are lit, and
    show it; or, before one is `chosen`, all plays, whose quarters shine at their rim.
    """
    shown = {letter for card in view.circle if card for letter in (card.first, card.second)}
    full = view.phase is Phase.FULL or len(shown) == len(TINTS)
    trap = view.trap.colour if view.trap else ""
    open_at = {play.place for play in aimed}
    faces = {place: {play.face for play in aimed if play.place == place} for place in open_at if chosen}
    if not trap:
        _place_glow(page, view, x, y, radius)
    lights = [_lights(card, trap, resting=chosen and place not in faces)
              for place, card in zip(PLACES, view.circle, strict=True)]  # fmt: skip
    for number in range(len(PLACES)):
        page.place(_pane(view.circle, number, lights[number], radius), *corner_at(number, x, y, radius))
        if number == 1:
            page.name("edge", 2)
    place_rim(page, x, y, radius, trap, full=full)
    edges = [(card.first, card.second) if card else None for card in view.circle]
    shining = [edge if any(lit) else None for edge, lit in zip(edges, lights, strict=True)]
    place_lead(page, shining, x, y, radius, trap, full=full)
    for number, found in enumerate(edges):
        if found and len(faces.get(PLACES[number], ())) != 1:  # else a card would cut the signs
            page.place(writing(number, found, lights[number], radius), *corner_at(number, x, y, radius))
    for number, place in enumerate(PLACES):
        if place in open_at:
            light = turned_sprite(painted("choice" if chosen else "open", radius), number)
            page.place(light, *corner_at(number, x, y, radius))
        if len(faces.get(place, ())) == 1:
            _place_ghost(page, view, number, next(iter(faces[place])), x, y, radius)
    if view.marker:
        number, out = PLACES.index(view.marker), radius * 0.93 * math.sqrt(0.5)
        at = x - out if number in (0, 3) else x + out, y - out if number in (0, 1) else y + out
        page.place(turned_sprite(painted("chain", radius), number), *corner_at(number, x, y, radius))
        page.place(painted("lock", round(radius * 0.26)), *at, "mm")
        page.name("lock")


def _lights(card: Quadrant | None, trap: str, *, resting: bool) -> tuple[bool, bool]:
    """Return whether there is light behind each half of a card; in a trap only behind its colour."""
    if card is None or resting:
        return False, False
    return trap in ("", card.first), trap in ("", card.second)


def place_rim(page: Page, x: int, y: int, radius: int, trap: str, *, full: bool) -> None:
    """Place the stone round the window: it shines if all six colours are in the window."""
    rim = of_window("rim_lit", radius, STONE_LIT) if full else of_window("rim", radius, STONE)
    page.place(toned(rim, mix(GLOWS[trap], (255, 255, 255), 0.3)) if trap else rim, x, y, "mm")


def _pane(circle: Sequence[Quadrant | None], number: int, lit: tuple[bool, bool], radius: int) -> Sprite:
    card = circle[number]
    if card is None:
        before, after = circle[number - 1], circle[(number + 1) % 4]
        return empty_quadrant(number, (before.second if before else "", after.first if after else ""), radius)
    return quadrant(number, card.face, (card.first, card.second), lit, radius)


def place_lead(
    page: Page, edges: Sequence[tuple[str, str] | None], x: int, y: int, radius: int, trap: str = "", *, full: bool
) -> None:
    """Place the knot of lead in the middle, and light along the edges that match. `edges`: the colours of each quarter,
    counter-clockwise edge first.
    """
    for number in range(len(PLACES)):
        card, after = edges[number], edges[(number + 1) % 4]
        if card and after and card[1] == after[0] and trap in ("", card[1]):
            _place_seam(page, number, card[1], x, y, radius)
    page.place(painted("boss_lit" if full else "boss", round(KNOT * radius)), x, y, "mm")


def corner_at(number: int, x: int, y: int, radius: int) -> tuple[int, int]:
    """Return the upper left corner of a quarter of that radius."""
    return (x - radius if number in (0, 3) else x), (y - radius if number in (0, 1) else y)


def _place_ghost(page: Page, view: FullCircleView, number: int, face: str, x: int, y: int, radius: int) -> None:
    """Show the chosen card in a quarter that it fits, its matching edges lit. A wild has no colours yet."""
    size = round(radius * GHOST)
    edges = (face[2], face[2]) if face[0] == "W" else (face[0], face[-1])
    page.place(quadrant(number, face, edges, (True, True), size), *corner_at(number, x, y, size))
    page.place(writing(number, edges, (True, True), size), *corner_at(number, x, y, size))
    page.place(turned_sprite(painted("choice", size), number), *corner_at(number, x, y, size))
    before, after = view.circle[number - 1], view.circle[(number + 1) % 4]
    if before is not None and before.second == edges[0]:
        _place_seam(page, (number + 3) % 4, edges[0], x, y, size)
    if after is not None and after.first == edges[1]:
        _place_seam(page, number, edges[1], x, y, size)


def _place_seam(page: Page, turn: int, letter: str, x: int, y: int, radius: int) -> None:
    """Place the light of a colour along an edge: the upper one, or the one so many quarters clockwise."""
    across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[turn]
    seam = turned_sprite(painted(f"seam_{letter}", round(SEAM * radius)), turn)
    page.place(seam, x + across * radius * 0.54, y + down * radius * 0.54, "mm")


def place_light(page: Page, view: FullCircleView, x: int, y: int) -> None:
    """Place the light of all panes on the floor, its middle at (x, y). While a trap is set, only its colour shines."""
    for octant, letter in _shining(view):
        mask = painted(f"pool_{octant}")
        _shine(page, mask, letter, x - mask.size[0] // 2, y - mask.size[1] // 2)


def _place_glow(page: Page, view: FullCircleView, x: int, y: int, radius: int) -> None:
    """Place the light of the panes on the wall beside the window."""
    for octant, letter in _shining(view):
        mask = turned_sprite(of_window("glow_second" if octant % 2 else "glow_first", radius, GLOW), octant // 2)
        _shine(page, mask, letter, *corner_at(octant // 2, x, y, mask.size[0]))


def _shining(view: FullCircleView) -> Iterator[tuple[int, str]]:
    """Yield each half of a quarter with light behind it, counted clockwise from the left, and its colour."""
    for number, card in enumerate(view.circle):
        for part, letter in enumerate((card.first, card.second) if card else ()):
            if view.trap is None or view.trap.colour == letter:
                yield 2 * number + part, letter


def _shine(page: Page, mask: Sprite, letter: str, x: int, y: int) -> None:
    left, top, tint = _beam(mask, letter)
    page.place(tint, x + left, y + top)


@cache
def _beam(mask: Sprite, letter: str) -> tuple[int, int, Tint]:
    """Return a colour through a mask without its empty edges, and where that lies in it."""
    box = mask.alpha.getbbox()
    assert box is not None
    return box[0], box[1], Tint(GLOWS[letter], (box[2] - box[0], box[3] - box[1]), lambda: mask.alpha.crop(box))
