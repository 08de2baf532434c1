"""Siege of Sunfall: how a computer player judges a position."""

from __future__ import annotations

from rules.core.game import Seat
from rules.siege_of_sunfall.resolution import Position
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import ATTACKERS, Move

_CARDS_HELD_WORTH = (0.0, 0.75, 2.0)
"""To a computer player, in armies: no card, one or two of a kind of which three make a set."""
_CARD_TO_USE_WORTH = 1.0
"""The same of a boost or gold card."""


def _wealth(position: Position, seat: Seat) -> float:
    """Armies and, until the end, what may become armies: the coins of who is in the round, and cards held."""
    armies = float(position.armies[seat])
    if position.outcome is not None:
        return armies
    if held := position.held[seat]:
        kinds = [card.kind for card in held]
        armies += sum([_CARDS_HELD_WORTH[kinds.count(kind)] for kind in ATTACKERS])
        armies += _CARD_TO_USE_WORTH * (position.boosts[seat] + position.gold[seat])
    return armies + (1 + position.coins[seat] if position.alive >> seat & 1 else 0)


def evaluate(state: SiegeState, seat: Seat) -> float:
    """How far the seat is ahead of the others' mean, in armies; a victory counts as much as ten."""
    position = state.position
    seats = position.setup.seats
    wealth = [_wealth(position, Seat(s)) for s in range(seats)]
    won = position.outcome is not None and seat in position.outcome.winners
    return wealth[seat] - (sum(wealth) - wealth[seat]) / (seats - 1) + 10 * won


def depth(state: SiegeState) -> int:
    """Until the pledges for the card faced are open and the King has decided."""
    return state.awaited.bit_count() + 1


def rollout_move(state: SiegeState, seat: Seat, number: int) -> Move:
    """Three times in four the default move, else it or one near it: a few coins more or less."""
    default = state.default_move(seat)
    if number & 3:
        return default
    moves = state.legal_moves(seat)
    at = moves.index(default)
    near = moves[max(0, at - 3) : at + 4]
    return near[(number >> 2) % len(near)]
