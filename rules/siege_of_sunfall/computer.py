"""Siege of Sunfall: how a computer player judges a position."""

from __future__ import annotations

from rules.core.game import Seat
from rules.siege_of_sunfall.resolution import Position
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import ATTACKERS, Move

_CARDS_HELD_WORTH = (0.0, 0.75, 2.0)
"""The worth to a computer player, in armies, of no card, one or two of a kind of which three make a set."""
_CARD_TO_USE_WORTH = 1.0
"""The same for a boost or gold card."""


def _wealth(position: Position, seat: Seat) -> float:
    """Return the seat's armies and, until the end, the worth of its cards and, if it is in the round, of its coins."""
    armies = float(position.armies[seat])
    if position.outcome is not None:
        return armies
    if held := position.held[seat]:
        kinds = [card.kind for card in held]
        armies += sum([_CARDS_HELD_WORTH[kinds.count(kind)] for kind in ATTACKERS])
        armies += _CARD_TO_USE_WORTH * (position.boosts[seat] + position.gold[seat])
    return armies + (1 + position.coins[seat] if position.alive >> seat & 1 else 0)


def evaluate(state: SiegeState, seat: Seat) -> float:
    """Return how far the seat is ahead of the others' average, in armies; a win counts ten more."""
    position = state.position
    seats = position.setup.seats
    wealth = [_wealth(position, Seat(s)) for s in range(seats)]
    won = position.outcome is not None and seat in position.outcome.winners
    return wealth[seat] - (sum(wealth) - wealth[seat]) / (seats - 1) + 10 * won


def depth(state: SiegeState) -> int:
    """Return the plies until the pledges for the card faced are open and the King has decided."""
    return state.awaited.bit_count() + 1


def rollout_move(state: SiegeState, seat: Seat, number: int) -> Move:
    """Return the default move three times in four, else a move near it: a few coins more or less."""
    default = state.default_move(seat)
    if number & 3:
        return default
    moves = state.legal_moves(seat)
    at = moves.index(default)
    near = moves[max(0, at - 3) : at + 4]
    return near[(number >> 2) % len(near)]
