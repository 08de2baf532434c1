"""Siege of Sunfall: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rules.core.game import Seat
from rules.core.leads import chances
from rules.siege_of_sunfall.deck import CARDS
from rules.siege_of_sunfall.resolution import PLEDGING, SEATS_OF, USING_GOLD, Position
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, PILES, Award, Kind, Move, Pledge, UseGold

# What a player has, in armies.
_CARDS_HELD_WORTH = (0.0, 0.75, 2.0)
"""By number of cards of a kind of which three make a set."""
_SETS_LEFT = (0.0, 0.6, 0.8, 1.0)
"""By rounds to come, the last entry for more: the part of that worth that is left."""
_BOOST_WORTH, _GOLD_WORTH, _CROWN_WORTH = 1.0, 2.6, 0.2

_LEAD = 4.0
"""With one round to come: a player that many armies behind another has 1/e of the other's chance to win."""


def _wealth(position: Position, seat: Seat, to_come: int) -> float:
    """Return the seat's armies, its coins if it is in the round, and the worth of its cards."""
    wealth = float(position.armies[seat] + (1 + position.coins[seat] if position.alive >> seat & 1 else 0))
    if held := position.held[seat]:
        kinds = [card.kind for card in held]
        sets = sum([_CARDS_HELD_WORTH[kinds.count(kind)] for kind in ATTACKERS])
        wealth += sets * _SETS_LEFT[min(to_come, len(_SETS_LEFT) - 1)]
        wealth += _BOOST_WORTH * position.boosts[seat] + _GOLD_WORTH * position.gold[seat]
    return wealth + _CROWN_WORTH * (position.king == seat)


def evaluate(state: SiegeState, seat: Seat) -> float:
    """Return how likely the seat wins: a lead in armies, coins and cards counts for more, the fewer rounds are left."""
    position = state.position
    if position.outcome is not None:
        return float(seat in position.outcome.winners)
    seats = position.setup.seats
    to_come = CARDS // PILES[seats][0] - position.round.number + 1
    wealth = [_wealth(position, Seat(other), to_come) for other in range(seats)]
    return chances(wealth, _LEAD * sqrt(to_come))[seat]


def goes_on(begin: SiegeState, now: SiegeState) -> bool:
    """Return whether the round has not ended: coins kept become armies then."""
    return begin.position.round.number == now.position.round.number


def rollout_move(state: SiegeState, seat: Seat, number: int) -> Move:
    """Return a move that a sensible player might make.

    Against an attacker: about the share of its strength, a little more with a card of its kind, nothing if all players
    together cannot repel it. For another card: less than it is worth. Gold cards are used at once, and the King takes
    what he can or gives it to the poorest.
    """
    position = state.position
    if position.phase is not PLEDGING:
        return UseGold(seat, position.gold[seat]) if position.phase is USING_GOLD else _award(position, seat)
    card = position.card
    assert card is not None
    coins, boosts = position.coins[seat], position.boosts[seat]
    draw = number & 15
    if not card.strength:
        return Pledge(seat, min(_TWICE_PLEDGED[card.kind][draw] + (number >> 8 & 1) >> 1, coins))
    alive = SEATS_OF[position.alive]
    strength = card.strength
    together = sum([position.coins[other] + BOOST_ADDS * position.boosts[other] for other in alive])
    if together < strength:
        # The players who pledge least are out, so a coin may still save the seat (K7).
        return Pledge(seat, min(draw & 1, coins))
    if len(alive) == 1:
        pledge = strength
    else:
        wish, kind = strength / len(alive) + _SPREAD[draw], card.kind
        for own in position.held[seat]:
            if own.kind is kind:
                wish += _OF_A_KIND
                break
        pledge = max(0, int(wish + (number >> 8 & 255) / 256))
    if pledge > coins and boosts:
        return Pledge(seat, coins, min(boosts, -(-(pledge - coins) // BOOST_ADDS)))
    if boosts and number & 48 == 48 and pledge >= BOOST_ADDS:
        return Pledge(seat, min(coins, pledge - BOOST_ADDS), 1)
    return Pledge(seat, min(coins, pledge))


_SPREAD = (-1.3, -0.65, -0.65, -0.65, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.65, 0.65, 0.65, 0.65, 1.3, 1.9)
"""By draw: coins more than the share of the strength."""
_OF_A_KIND = 0.5
"""The same for a card of the kind in front of the player."""
_TWICE_PLEDGED = {
    Kind.BOOST: (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2),
    Kind.GOLD: (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3),
    Kind.ARMIES: (0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3),
    Kind.CROWN: (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2),
}
"""By kind and draw: twice the coins that a player might pledge for a card that does not attack."""


def _award(position: Position, king: Seat) -> Award:
    """Return the King's choice: himself if he may take it and it is no crown, otherwise the player who has least."""
    card, choices = position.card, position.award_to
    if king in choices and card is not None and card.kind is not Kind.CROWN:
        return Award(king, king)
    return Award(king, min(choices, key=lambda to: position.armies[to] + position.coins[to]))


_MOST_PLEDGED = 5
"""The most that a search tries to pledge for a card that does not attack."""


def candidates(state: SiegeState, seat: Seat) -> Sequence[Move]:
    """Return the legal moves, except pledges above what any other player has, or above what a card can be worth."""
    moves = state.legal_moves(seat)
    position = state.position
    if position.phase is not PLEDGING or position.card is None:
        return moves
    alive, strength = SEATS_OF[position.alive], position.card.strength
    rivals = [other for other in alive if other != seat]
    most = max([position.coins[other] + BOOST_ADDS * position.boosts[other] for other in rivals], default=strength) + 1
    worth = min(max(strength, 6), -(-2 * strength // len(alive)) + 3) if strength else _MOST_PLEDGED
    most = min(most, worth)
    return [
        move for move in moves if isinstance(move, Pledge) and move.coins + BOOST_ADDS * move.boosts <= most
    ] or moves
