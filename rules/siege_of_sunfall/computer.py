"""Siege of Sunfall: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.game import Seat
from rules.siege_of_sunfall.resolution import PLEDGING, SEATS_OF, Position
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, Kind, Move, Pledge

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


def goes_on(begin: SiegeState, now: SiegeState) -> bool:
    """Return whether the round has not ended: coins kept become armies then."""
    return begin.position.round.number == now.position.round.number


def outlook(begin: SiegeState, now: SiegeState, seat: Seat) -> Mapping[str, float]:
    """Return whether the seat is in the round to its end, and the armies that it gains from now on until then."""
    result = now.position.round.last
    if (goes_on(begin, now) and now.position.outcome is None) or result is None:
        return {}
    gained = result.armies[seat] - begin.position.armies[seat]
    return {"survives": float(seat in result.survivors), "armies": float(gained)}


def rollout_move(state: SiegeState, seat: Seat, number: int) -> Move:
    """Return a move that a sensible player might make.

    Against an attacker: about the share of its strength, more with a third of a kind to gain, nothing if all together
    cannot repel it. For another card: about what it is worth, less what coins are needed for.
    """
    position = state.position
    if position.phase is not PLEDGING:
        return state.default_move(seat)
    card = position.card
    assert card is not None
    coins, boosts = position.coins[seat], position.boosts[seat]
    draw = number & 15
    if not card.strength:
        worth = _WORTH_COINS[card.kind][draw]
        return Pledge(seat, min(worth, coins))
    alive = SEATS_OF[position.alive]
    together = sum([position.coins[other] + BOOST_ADDS * position.boosts[other] for other in alive])
    if together < card.strength:
        # Those who pledge least are out, so a coin may save the seat even so (K7).
        return Pledge(seat, min(draw & 1, coins))
    share = -(-card.strength // len(alive))
    held = [own.kind for own in position.held[seat]].count(card.kind)
    pledge = share + _SPREAD[draw] + (2 if held == 2 else 0)
    if pledge > coins and boosts:
        return Pledge(seat, coins, min(boosts, -(-(pledge - coins) // BOOST_ADDS)))
    if boosts and number & 48 == 48:
        return Pledge(seat, max(0, min(coins, pledge - BOOST_ADDS)), 1)
    return Pledge(seat, max(0, min(coins, pledge)))


_SPREAD = (-1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3)
"""By draw: coins more than the share of the strength."""
_WORTH_COINS = {
    Kind.BOOST: (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2),
    Kind.GOLD: (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3),
    Kind.ARMIES: (0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3),
    Kind.CROWN: (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2),
}
"""By kind and draw: the coins that a player might pledge for a card that does not attack."""


def candidates(state: SiegeState, seat: Seat) -> Sequence[Move]:
    """Return the legal moves without pledges that are more than the strength and more than any other player has."""
    moves = state.legal_moves(seat)
    position = state.position
    if position.phase is not PLEDGING or position.card is None:
        return moves
    rivals = [other for other in SEATS_OF[position.alive] if other != seat]
    most = max([position.coins[other] + BOOST_ADDS * position.boosts[other] for other in rivals], default=0) + 1
    most = min(most, max(position.card.strength, 6))
    return [
        move for move in moves if isinstance(move, Pledge) and move.coins + BOOST_ADDS * move.boosts <= most
    ] or moves
