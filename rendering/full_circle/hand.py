"""A seat's own picture of Full Circle: the window between the glaziers, and on the bench below it the hand.

The cards that fit are lit, raised and framed in brass, each with a compass of where it fits, and the window's rim is
bright there; while others play the hand lies in the shade. When the player has chosen a card, the quarters that it fits
show it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from rendering.core.art import aglow, toned
from rendering.core.canvas import MOST_FILE_BYTES, MOST_HAND_BYTES, WIDTH, Page
from rendering.core.labels import Labels
from rendering.core.sprites import Sprite
from rendering.full_circle.panes import HAND_RADIUS, LEAST_WITH_SIGNS, card_face, compass, painted
from rendering.full_circle.people import SMALL, WAITING, Place
from rendering.full_circle.picture import page_of, paint_table, place_scene
from rules.full_circle.types import Phase
from rules.full_circle.view import FullCircleView

HEIGHT = 764
TALLEST = 1160
"""The height that a picture with larger cards may have."""
CIRCLE_AT = (600, 338)
"""The middle of the window."""
HAND = Place((101, 300, 900, 1099), 356, 198, SMALL)
"""The glaziers of a hand."""
HAND_TOP = 520
CRATE = (78, 752, 124)
"""The foot and the width of the crate, on the bench."""
BESIDE = 112
"""The left edge of the hand."""
RISE = 0.14
"""By how much a card that fits is raised, in radii."""
FREE, CLOSE = 1.48, 1.2
"""The pixels from one card of a row to the next, in radii: cards lie beside each other; or, if these would be too
small, over each other, and what tells one apart stays seen.
"""
APART, MOST_ROWS = (0.8, 0.56), 6
"""Those from one row to the next; the second if cards are small else."""
MOST, MOST_LARGE, ENOUGH = 226, 280, 112
"""The largest radius of a card, the same in large print, and the radius below which rows lie closer."""


class Room(NamedTuple):
    """The part of the page for the hand, and the most that the radius of its cards may be."""

    left: int
    top: int
    width: int
    height: int
    most: int


def room_of(labels: Labels) -> Room:
    """Return the room for the hand; it is higher in large print."""
    top, most = (TALLEST, MOST_LARGE) if labels.large else (HEIGHT, MOST)
    return Room(BESIDE, HAND_TOP, WIDTH - 16 - BESIDE, top - HAND_TOP - 8, most)


def held_places(held: int, room: Room) -> tuple[int, list[tuple[int, int]]]:
    """Return the radius of that many cards, and the point below of each that does not fit, the upper row first: as
    large as can be, in as few rows as make them so; if that is small, in rows so close that they hide compasses.
    """
    for apart in APART:
        ways = product((FREE, CLOSE), range(1, MOST_ROWS + 1))
        radius, less = max((_radius(held, room, rows, across, apart), -rows) for across, rows in ways)
        if radius >= ENOUGH:
            break
    rows = -less
    in_row = -(-held // rows)
    half = 0.5 if rows > 1 else 0  # the tips of a row lie between the cards of the next
    step = min(radius * FREE, (room.width - radius * math.sqrt(2) - 10) / max(1, in_row - 1 + half))
    first = room.top + (room.height + radius * (1 + RISE - apart * (rows - 1))) / 2
    places = []
    for number in range(held):
        row, column = divmod(number, in_row)
        inset = row % 2 * half + max(0, in_row - held + row * in_row) // 2
        left = room.left + (room.width - step * (in_row - 1 + half)) / 2 + inset * step
        places.append((round(left + step * column), round(first + row * apart * radius)))
    return radius, places


def _radius(held: int, room: Room, rows: int, across: float, apart: float) -> int:
    """Return the largest radius of that many cards so far from each other in so many rows so far apart."""
    wide = across * (-(-held // rows) - 1 + (0.5 if rows > 1 else 0)) + math.sqrt(2)
    return min(room.most, int(room.height / (1 + RISE + apart * (rows - 1))), int((room.width - 12) / wide))


def cards_of(view: FullCircleView) -> tuple[str, ...]:
    """Return the cards of the viewer's picture: the hand, after the card just drawn."""
    own = view.drawn is not None and view.to_move == view.viewer
    return (view.drawn, *view.hand) if own and view.drawn else tuple(view.hand)


def paint_hand(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the window and the players, and the hand with the cards that fit raised."""
    cards = cards_of(view)
    radius, places = held_places(len(cards), room_of(labels)) if cards else (0, [])
    most = MOST_FILE_BYTES if labels.large else MOST_HAND_BYTES
    page = page_of(
        view, "bench", max(HEIGHT, max((y for _, y in places), default=0) + 14) if labels.large else HEIGHT, most
    )
    chosen = (view.drawn,) if view.drawn and view.to_move == view.viewer and not focus else tuple(focus)
    face = ":".join(filter(None, chosen))
    plays = view.plays()
    aimed = [play for play in plays if face and (play.face == face or play.face.startswith(f"{face}:"))]
    place_scene(page, view, labels, CIRCLE_AT, HAND_RADIUS, HAND, CRATE, aimed or plays, chosen=bool(aimed))
    asked = view.to_move == view.viewer and view.phase in (Phase.TURN, Phase.DRAWN)
    gift = chosen[1] if len(chosen) > 1 and chosen[0] == "give" else ""
    marked = gift or (chosen[:1] or ("",))[0]
    for number, (card, (x, y)) in enumerate(zip(cards, places, strict=True)):
        own = [play for play in plays if play.face.partition(":")[0] == card]
        if view.drawn and view.to_move == view.viewer and number:
            own = []  # another card like the one that was drawn
        is_chosen = card == marked and bool(own or gift)
        marked = "" if is_chosen else marked
        y -= round(radius * RISE) if own else 0
        drawn: Sprite = card_face(card, radius, bool(own) or not (plays or asked), bool(own))
        if view.to_move not in (view.viewer, None):
            drawn = toned(drawn, WAITING)
        if is_chosen:
            page.place(aglow(drawn, 7, (255, 214, 130), 1.5), x, y + 14, "mb")
        page.place(drawn, x, y, "mb")
        top = y - drawn.size[1]
        if is_chosen:
            page.place(painted("tick", 46), x, y - round(radius * 0.08), "mm")
        if own:
            fits = frozenset(play.place for play in own)
            doubles = frozenset(play.place for play in own if view.effects_of(play).double)
            small = radius < LEAST_WITH_SIGNS  # there it lies beside the letters
            left, middle = (x - radius * 0.58, top + radius * 0.3) if small else (x, y - radius * 0.35)
            size = 44 if small else round(radius * 0.48)
            page.place(compass(size, fits, doubles), left, middle, "mm")
            page.name("fits", 2)
    return page


def paint(view: FullCircleView, labels: Labels, focus: Sequence[str] = ()) -> Page:
    """Paint the table, or the viewer's own picture."""
    return paint_table(view, labels) if view.viewer is None else paint_hand(view, labels, focus)
