"""A trick laid out: its cards in the order played, the discs below them, and the marks on them."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.core import chrome
from rendering.core.canvas import Page
from rendering.core.cards import TrickRow, place_card
from rendering.core.discs import disc
from rendering.core.labels import Labels
from rendering.sea_change import emblems
from rendering.sea_change.narration import ahead_in, change_in
from rendering.sea_change.pieces import PAST_CARD, SMALL_CARD, card_face, face_of, points_on
from rules.sea_change import Lay, SeaChangeView, Trick

LAID = {2: (280, 400), 3: (252, 360), 4: (224, 320), 5: (216, 308)}
"""The size of a card on the stage, by the number of cards in a trick; of more than five, each is of size `MANY`."""
MANY = (196, 280)


POINTS_END = 0.44
"""The right end of the points on a card, as a part of its width."""
RING, RING_LINE = 0.43, 0.14
"""The size of the ring of a Sea Change, as a part of a card's width, and its middle, as a part of the height: it leaves
the sign and the letter of the suit free.
"""
TEAM = 36
"""The size of a team's badge on a disc below a card."""


def shown_trick(view: SeaChangeView) -> tuple[tuple[Lay, ...], Trick | None]:
    """Return the cards to lay out: the current trick, or the last one until a player leads."""
    if view.lays or view.last_trick is None:
        return view.lays, None
    return view.last_trick.lays, view.last_trick


def play_order(view: SeaChangeView) -> list[int]:
    """Return the players of the trick laid out, in the order of play. Alone, one plays between two of the Tide's."""
    lays, _ = shown_trick(view)
    first = lays[0].player if lays else view.leader
    return [(first + place) % len(view.sides) for place in range(3 if view.seats == 1 else len(view.sides))]


def in_teams(view: SeaChangeView) -> bool:
    """Say whether several players are on one side."""
    return len(set(view.sides)) < len(view.sides)


def worth(view: SeaChangeView, lays: Sequence[Lay]) -> int:
    """Return the points of the trick's cards, without those of a 0."""
    points = dict(view.points_by_value)
    return sum(points.get(int(lay.card[1:]), 0) for lay in lays)


def large_row(places: int) -> TrickRow:
    """Return the places of a trick on the stage."""
    return TrickRow(places, LAID.get(places, MANY), gap=16 if places > 3 else 40)


def place_row(
    page: Page, view: SeaChangeView, labels: Labels, row: TrickRow, order: Sequence[int], lays: Sequence[Lay],
    over: Trick | None, top: int, *, crowned: bool = True,
) -> None:  # fmt: skip
    """Place the cards of a trick, the rings of a Sea Change, the free places, the discs with their teams' badges, and
    the crown unless the match has one (`crowned`). A disc leaves the points free that are written on its card.
    """
    size, large = (row.width, row.height), row.width > SMALL_CARD[0]
    for place in range(len(lays), len(order)):
        left = row.lefts[place] + row.width - row.slot
        chrome.place_slot(page, left, top, row.slot, row.height, turn=place == len(lays) and not view.outcome)
    for at, lay in enumerate(lays):
        face = face_of(view, lay.card, size) if row.width > PAST_CARD[0] else card_face(lay.card, "", *size)
        place_card(page, face, row.lefts[at], top)
    if change := change_in(lays):
        _ring_change(page, row.lefts, change, top, size)
    disc_size, low, crown = (72, 14, 92) if large else (60, 6, 44)
    half, shows_points = disc_size // 2, row.width > PAST_CARD[0]
    for place, player in enumerate(order):
        x, y = round(row.middle(place, len(lays))), top + row.height + low
        if shows_points and place < len(lays) and points_on(view, lays[place].card):
            x = max(x, row.lefts[place] + round(row.width * POINTS_END) + half - 2)
        page.shade(x - half, y - half, disc_size, disc_size, half, 5, 140, drop=3)
        page.place(disc(labels, player, disc_size), x, y, "mm")
        if in_teams(view):
            page.place(emblems.side_badge(TEAM, view.sides[player]), x + half - 2, y + half - 10, "mm")
    if lays and crowned:
        ahead = ahead_in(lays, over.trump if over else view.trump)
        page.place(chrome.crown(crown), row.middle(ahead, len(lays)), top + 10, "mb")
    if lays and not over:  # above all else: the corners reach over the neighbours
        chrome.place_last(page, row.lefts[len(lays) - 1], top, *size, 0.36 if large else 0.25)


def _ring_change(page: Page, lefts: Sequence[int], change: int, top: int, size: tuple[int, int]) -> None:
    """Ring the equal values of a Sea Change: of its card and of the one before it."""
    for left in lefts[change - 1 : change + 1]:
        page.place(emblems.ring(round(size[0] * RING)), left + size[0] * 0.26, top + size[1] * RING_LINE, "mm")
