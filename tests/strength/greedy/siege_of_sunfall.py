"""A greedy rule player of Siege of Sunfall: it pledges its fair share, and bids what a card is worth to it.

Its share of an attack is its share of the coins, so a rich player pledges more.
"""

from __future__ import annotations

from rules.core.game import Seat
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import (
    ATTACKERS,
    BOOST_ADDS,
    SET_COINS,
    SET_SIZE,
    Award,
    Kind,
    Move,
    Pledge,
    SiegeView,
    UseGold,
)

BIDS = {Kind.ARMIES: 3, Kind.GOLD: 2, Kind.BOOST: 1, Kind.CROWN: 1}
"""The coins that a card without a strength is worth: armies as many as they pay, gold less, for it pays later."""


def wanted(view: SiegeView, seat: Seat) -> int:
    """Return the pledge that the card faced deserves, boosts counted."""
    card = view.card
    assert card is not None
    if card.kind not in ATTACKERS:
        return BIDS[card.kind]
    if getattr(view.held[seat], card.kind.value) == SET_SIZE - 1:
        return SET_COINS  # the set pays them back, and an army
    in_all = sum(coins for coins, alive in zip(view.coins, view.alive, strict=True) if alive)
    return max(1, round(card.strength * view.coins[seat] / max(1, in_all)))


def pledge(view: SiegeView, seat: Seat) -> Pledge:
    """Pledge what is wanted, with boosts instead of coins against an attack."""
    coins, want = view.coins[seat], wanted(view, seat)
    assert view.card is not None
    boosts = min(view.held[seat].boost, want // BOOST_ADDS) if view.card.strength else 0
    return Pledge(seat, min(coins, want - BOOST_ADDS * boosts), boosts)


def greedy(state: SiegeState, seat: Seat) -> Move:
    """Pledge; use all gold cards; award to oneself, or else to the player with the fewest armies."""
    view, moves = state.view(seat), state.legal_moves(seat)
    if isinstance(moves[0], Pledge):
        return pledge(view, seat)
    if isinstance(moves[0], UseGold):
        return UseGold(seat, view.held[seat].gold)
    return Award(seat, min(view.award_to, key=lambda to: (to != seat, view.armies[to])))
