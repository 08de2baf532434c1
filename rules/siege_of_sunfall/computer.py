"""Siege of Sunfall: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from rules.core.game import Seat
from rules.core.leads import chances
from rules.siege_of_sunfall.deck import rounds_of
from rules.siege_of_sunfall.resolution import PLEDGING, SEATS_OF, USING_GOLD, Position
from rules.siege_of_sunfall.state import SiegeState
from rules.siege_of_sunfall.types import ATTACKERS, BOOST_ADDS, Award, Kind, Move, Pledge, UseGold

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
    to_come = rounds_of(seats) - position.round.number + 1
    wealth = [_wealth(position, Seat(other), to_come) for other in range(seats)]
    return chances(wealth, _LEAD * sqrt(to_come))[seat]


_ARMY_WORTH, _SURVIVAL_WORTH = 0.05, 0.15
"""Beside the chance to win, which is 1 for all players together: what an army of one's own and the end of the round are
worth. Without them it costs nothing if all die together, and at a table of such computers all would.
"""


def besides(state: SiegeState, seat: Seat) -> float:
    """Return what a position at the end of a round is worth to the seat beside the chance to win."""
    last = state.position.round.last
    survived = last is not None and seat in last.survivors
    return _ARMY_WORTH * state.position.armies[seat] + _SURVIVAL_WORTH * survived


def goes_on(begin: SiegeState, now: SiegeState) -> bool:
    """Return whether the round has not ended: coins kept become armies then."""
    return begin.position.round.number == now.position.round.number


def rollout_move(state: SiegeState, seat: Seat, number: int) -> Move:
    """Return a move that a sensible player might make.

    Against an attacker all players together pledge its strength, the richest a coin more if it does not divide; a card
    that is wanted deserves a coin or two on top; nothing if all together cannot repel it. For another card: less than
    it is worth. Gold cards are used at once, and the King takes what he can or gives it to the poorest.
    """
    position = state.position
    if position.phase is not PLEDGING:
        return UseGold(seat, position.gold[seat]) if position.phase is USING_GOLD else _award(position, seat)
    card = position.card
    assert card is not None
    coins, boosts = position.coins[seat], position.boosts[seat]
    draw = number & 15
    if not card.strength:
        return Pledge(seat, min(_BIDS[card.kind][draw], coins))
    alive = SEATS_OF[position.alive]
    strength = card.strength
    means = [position.coins[other] + BOOST_ADDS * position.boosts[other] for other in alive]
    if sum(means) < strength:
        # The players who pledge least are out, so a coin may still save the seat (K7).
        return Pledge(seat, min(draw & 1, coins))
    if len(alive) == 1:
        pledge = strength
    else:
        # The players share so as if they had agreed: by what all see, and of equals first the next from the King on.
        seats, king, own = position.setup.seats, position.king, coins + BOOST_ADDS * boosts
        place = (seat - king) % seats
        first = [
            mean > own or (mean == own and (other - king) % seats < place)
            for other, mean in zip(alive, means, strict=True)
        ]
        of_a_kind = [card.kind for card in position.held[seat]].count(card.kind)
        pledge = (strength + len(alive) - 1 - sum(first)) // len(alive) + _MORE[of_a_kind][draw]
    if pledge > coins and boosts:
        return Pledge(seat, coins, min(boosts, -(-(pledge - coins) // BOOST_ADDS)))
    if boosts and number & 48 == 48 and pledge >= BOOST_ADDS:
        return Pledge(seat, min(coins, pledge - BOOST_ADDS), 1)
    return Pledge(seat, min(coins, pledge))


_MORE = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1),
    (0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2),
)
"""By cards of the kind in front of the player, and draw: coins more than the share of the strength."""
_BIDS = {
    Kind.BOOST: (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2),
    Kind.GOLD: (0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3),
    Kind.ARMIES: (0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4),
    Kind.CROWN: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1),
}
"""By kind and draw: the coins that a player might pledge for a card that does not attack. All pay, so a fixed bid would
be beaten by one coin more.
"""


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
