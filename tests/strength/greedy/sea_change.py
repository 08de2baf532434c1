"""A greedy rule player of Sea Change: it counts the points on the table, takes good tricks and throws bad cards away.

It judges a trick by the cards that lie, but does not expect a low card to hold. Points that a rival takes count half.
It leads the card that gives least away.
"""

from __future__ import annotations

from rules.core.game import Seat
from rules.core.tricks import Card, Play
from rules.sea_change.state import SeaChangeState
from rules.sea_change.types import Lay, SeaChangeView

HIGH = 10
"""A card from this value on should win the trick even if others play after it."""


def number(card: str) -> int:
    return int(card[1:])


def points(view: SeaChangeView, card: str, trump: str) -> int:
    """Return what the card counts if `trump` stays trump."""
    if number(card) == 0:
        return view.zero_points if card[0] == trump else 0
    return dict(view.points_by_value)[number(card)]


def table_with(view: SeaChangeView, seat: Seat, card: Card) -> tuple[int, int]:
    """Return who would win the trick if this card were the last one, and the points in it."""
    lays = [*view.lays, Lay(seat, card)]
    sea_change = len(lays) > 1 and number(card) == number(lays[-2].card)
    trump = card[0] if sea_change or not view.trump else view.trump
    lead = lays[0].card[0]
    best = max(lays, key=lambda lay: (lay.card[0] == trump, lay.card[0] == lead, number(lay.card)))
    return best.player, sum(points(view, lay.card, trump) for lay in lays)


def greedy(state: SeaChangeState, seat: Seat) -> Play:
    """Take the trick if it is worth points, feed it to a partner, and throw bad cards into a rival's trick."""
    view, moves = state.view(seat), state.legal_moves(seat)
    last = view.seats > 1 and len(view.lays) == view.seats - 1  # in the solo game the AI plays the last card

    def cost(move: Play) -> tuple[int, bool, int]:
        card, trump = move.card, view.trump or ""
        return abs(points(view, card, trump)), card[0] == trump, number(card)

    def liking(move: Play) -> tuple[float, int]:
        card = move.card
        winner, value = table_with(view, seat, card)
        if view.sides[winner] != view.sides[seat]:
            return -value / 2, number(card)
        if winner == seat and not last and number(card) < HIGH and value > 0:
            value = 0  # others will beat it
        return value, -number(card)

    return max(moves, key=liking) if view.lays else min(moves, key=cost)
