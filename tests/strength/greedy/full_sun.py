"""A greedy rule player of Full Sun: it picks a tree to end with, then wins tricks until it has as many as the pips.

It takes each high card of its hand for a trick to come, and picks the tree again at every turn.
"""

from __future__ import annotations

from rules.core.game import Seat
from rules.core.tricks import Play
from rules.full_sun.state import FullSunState
from rules.full_sun.types import FullSunView


def is_high(view: FullSunView, card: str) -> bool:
    """Return whether the card should win a trick: it is in the top quarter of the numbers."""
    return view.face(card).number > view.highest * 3 / 4


def last_card(view: FullSunView, seat: Seat) -> str:
    """Return the card to keep for the last trick: its pips are nearest to the tricks that the hand should win."""

    def miss(card: str) -> tuple[int, int]:
        others = sum(is_high(view, other) for other in view.hand if other != card)
        to_come = min(others + is_high(view, card), view.tricks - view.trick_number + 1)
        face = view.face(card)
        return abs(view.tricks_won[seat] + to_come - face.pips), face.number

    return min(view.hand, key=miss)


def greedy(state: FullSunState, seat: Seat) -> Play:
    """Win while tricks are missing, else play the highest card that loses; keep the last card if possible."""
    view, moves = state.view(seat), state.legal_moves(seat)
    keep = last_card(view, seat)
    missing = view.face(keep).pips - view.tricks_won[seat]
    if view.trick_number < view.tricks:
        moves = tuple(move for move in moves if move.card != keep) or moves
    last = len(view.lays) == view.seats - 1
    on_table = max((view.face(lay.card) for lay in view.lays), default=None)
    winning = [move for move in moves if on_table is None or view.face(move.card) > on_table]
    losing = [move for move in moves if move not in winning]

    def face(move: Play) -> tuple[int, int]:
        return view.face(move.card)

    if view.trick_number == view.tricks:
        # The trick itself counts: a card is right if its pips are the tricks won once it is played.
        right = [move for move in moves if view.face(move.card).pips == view.tricks_won[seat] + (move in winning)]
        return max(right or moves, key=face)
    if missing > 0:
        if last and winning:
            return min(winning, key=face)
        return max(winning, key=face) if any(is_high(view, move.card) for move in winning) else min(moves, key=face)
    if losing:
        return max(losing, key=face)
    return max(winning, key=face) if last else min(winning, key=face)
