"""A seat's own picture of Sea Change: its hand, and above it the fleet with the trick."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import cards
from rendering.core.art import art, toned
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, Page
from rendering.core.cards import place_beside, raised, tall_height
from rendering.core.labels import Labels
from rendering.sea_change.fleet import ABREAST, Cell, Fleet, rail_of, row_of
from rendering.sea_change.narration import playable, suit_with_sign
from rendering.sea_change.picture import paint_table, place_moon, place_words, sea_of
from rendering.sea_change.pieces import HELD, LARGE, SUITS, ZERO, face_of, points_on
from rendering.sea_change.stage import LIGHTS, SLUG
from rules.sea_change.types import SeaChangeView

LINE = 206
"""The horizon of a hand."""
TOP, RISE, FOOT = 602, 24, 288
"""The upper edge of the hand, how much higher a card lies that may be played, and how much of the page is below."""


def hand_cells(view: SeaChangeView, labels: Labels) -> list[Cell]:
    """Return where each player's things are above a hand."""
    many = len(view.sides) > ABREAST
    return row_of(view, labels, 152 if many else 156, 286 if many else 292, 422 if many else 464, 136 if many else 160)


def paint_hand(view: SeaChangeView, labels: Labels, focus: Sequence[str]) -> Page:
    """Paint the hand as a fan, the playable cards raised; above it the fleet and the trick."""
    size, height = HELD, TOP + FOOT
    if labels.large:
        size, height = LARGE, tall_height(len(view.hand), LARGE, TOP)
    cells = hand_cells(view, labels)
    page = sea_of(view, height, LINE, cells, MOST_FILE_BYTES if labels.large else MOST_HAND_BYTES)
    trump = view.trump or ""
    place_moon(page, trump, LINE, rail_of(cells), plain=labels.plain)
    if trump:
        page.name("trump", 2, suit=suit_with_sign(labels, trump))
    Fleet(page, view, labels, cells).paint(gains=False)
    place_words(page, view, labels)
    lit, light = playable(view), LIGHTS[trump]
    up = raised(view.hand, lit)
    places = held_places(view, large=labels.large)
    if not (labels.plain or labels.large):
        coil, cask = (toned(art(f"{SLUG}/{name}"), light.wood) for name in ("coil", "cask"))
        place_beside(page, places[0][0], coil, cask)
    word = labels.say("picture.trump")
    for number, (card, (x, y)) in enumerate(zip(view.hand, places, strict=True)):
        after = places[number + 1][0] - x if number + 1 < len(places) and not labels.large else size[0]
        face = face_of(view, card, size, word, min(after, size[0]))
        face = face if card in lit else toned(face, light.rest)
        cards.place_held(page, card, face, x, y, focus, RISE * (card not in up))
        page.name("value", part=(0, 0, 0.5, 0.5))
        if points := points_on(view, card).rstrip(ZERO):
            page.name("points", part=(0, 0.65, 0.5, 1), points=points)
    return page


def held_places(view: SeaChangeView, *, large: bool = False) -> list[tuple[int, int]]:
    """Return the upper left corner of each card of the hand, in its order."""
    up, size = raised(view.hand, playable(view)), LARGE if large else HELD
    return cards.held_places(view.hand, up, size, TOP, RISE, large=large, gap=12, groups=len(SUITS))


def paint(view: SeaChangeView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's hand while it has one."""
    return paint_hand(view, labels, focus) if view.hand else paint_table(view, labels)
