"""Full Sun: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp, factorial
from typing import NamedTuple

from rules.core.game import Seat
from rules.core.records import margin
from rules.core.tricks import Play, strongest
from rules.full_sun.state import FullSunState
from rules.full_sun.types import CARDS, DECKS, HAND, PIPS, SUITS, Face, faces_of


def evaluate(state: FullSunState, seat: Seat) -> float:
    """Return the lead in points over the best other player, and one more for a win."""
    points, outcome = state.round.points, state.round.outcome
    won = outcome is not None and seat in outcome.winners
    own = points[seat]
    others = sum(points) - own
    return margin(seat, points) + own - others / (len(points) - 1) + 2 * won


# Chances are whole thousandths, and tricks to come are counted in parts, so that every machine judges alike.
_SURE = 1000
_PARTS = 32
_BEATEN = 0.6
"""How often a player with a higher card plays it."""
_FORCED = 0.52
"""How many cards of a suit a trick forces a player to give away, on average, for the suit's share of the deck."""
_NOISE = 4_000_000
_HINDER = 60_000
"""How much it counts that the trick goes to a player whom it helps or hurts."""


class Odds(NamedTuple):
    """What a player can reckon with before a card is seen."""

    tricks: Mapping[int, int]
    """By card: how often it takes a trick about which nothing is known, in _PARTS."""
    takes: Sequence[Mapping[int, int]]
    """By the number of players still to play, and by card: the chance that it takes a trick that it is winning."""
    reaches: Sequence[Sequence[Sequence[int]]]
    """By the tricks left, those that the hand should win, in _PARTS, and those needed: the chance to win as many."""
    keeps: Sequence[Sequence[Sequence[int]]]
    """By suit, the number of its cards in hand and the tricks left: the chance that one is left for the last trick."""


@lru_cache(maxsize=16)
def odds(seats: int, rain: Face, sun: Face) -> Odds:
    """Return the odds with that deck."""
    deck, faces, most = DECKS[seats], faces_of(rain, sun), HAND[seats]
    ranked = sorted(deck, key=faces.__getitem__)
    lower = {card: at / (len(deck) - 1) for at, card in enumerate(ranked)}

    def at_most(mean: float, count: int) -> float:
        """The chance that something happens at most so often if it happens that often on average (Poisson)."""
        return exp(-mean) * sum([mean**times / factorial(times) for times in range(count + 1)])

    def reach(left: int, parts: int, needed: int) -> int:
        wins = parts / _PARTS
        return round(_SURE * at_most(wins, needed) * at_most(left - wins, left - needed))

    def keep(suit: int, held: int, left: int) -> int:
        forced = _FORCED * max(0, left - 1) * sum([card >> 5 == suit for card in deck]) / len(deck)
        return round(_SURE * at_most(forced, held - 1))

    return Odds(
        {card: round(_PARTS * share ** (seats - 1)) for card, share in lower.items()},
        [
            {card: round(_SURE * (1 - _BEATEN * (1 - share)) ** others) for card, share in lower.items()}
            for others in range(seats)
        ],
        [
            [[reach(left, p, need) for need in range(left + 1)] for p in range(_PARTS * left + 1)]
            for left in range(most)
        ],
        [[[keep(suit, held, left) for left in range(most)] for held in range(most * 2)] for suit in range(len(SUITS))],
    )


def rollout_move(state: FullSunState, seat: Seat, number: int) -> Play:
    """Return the card that leaves the best chance to win as many tricks as a tree in the hand has pips (S6).

    The chance is that of the best tree, whether the card takes the trick or not: that the other cards win neither more
    tricks than needed nor fewer, and that one of the tree is left for the last trick. A trick that the card will not
    take had better go to a player whom it hurts, most of all to one who is ahead.
    """
    moves = state.legal_moves(seat)
    if len(moves) == 1:
        return moves[0]
    setup, lays, taken, hand = state.setup, state.lays, state.taken, state.hands[seat]
    faces = faces_of(setup.rain, setup.sun)
    tricks, takes, reaches, keeps = odds(setup.seats, setup.rain, setup.sun)
    won = [trick.winner for trick in taken].count(seat)
    left = HAND[setup.seats] - len(taken) - 1
    best = max([faces[card] for card in lays]) if lays else None
    chances = takes[setup.seats - len(lays) - 1]
    hinder = _HINDER * _wanted(state) if lays else 0
    held = [card >> 5 for card in hand]
    trees = {faces[card].pips: card >> 5 for card in hand}
    expected = sum([tricks[card] for card in hand])
    found, most = moves[0], -1e18
    for at, move in enumerate(moves):
        card = CARDS.number[move.card]
        take = 0 if best is not None and faces[card] < best else chances[card]
        if not left:
            pips = faces[card].pips
            good = _SURE * _SURE * (take * (pips == won + 1) + (_SURE - take) * (pips == won))
        else:
            row = reaches[left][(expected - tricks[card]) * left // (len(hand) - 1)]
            if_won = if_lost = 0
            for pips, suit in trees.items():
                needed, count = pips - won, held.count(suit) - (suit == card >> 5)
                if count and 0 <= needed <= left + 1:
                    keep = keeps[suit][count][left]
                    if needed <= left and row[needed] * keep > if_lost:
                        if_lost = row[needed] * keep
                    if needed and row[needed - 1] * keep > if_won:
                        if_won = row[needed - 1] * keep
            good = take * if_won + (_SURE - take) * if_lost
        if take < _SURE // 2:
            good -= hinder * (_SURE - take)
        good += _NOISE * (number >> at % 28 & 15)
        if good > most:
            found, most = move, good
    return found


def _wanted(state: FullSunState) -> int:
    """Return how welcome the trick is to the player whose card is highest: negative if it hurts them, and the more the
    further they are ahead. What they aim at is judged by the backs of their cards (S1).
    """
    setup, points = state.setup, state.round.points
    faces = faces_of(setup.rain, setup.sun)
    taker = Seat((state.leader + state.round.step * strongest(state.lays, faces)) % setup.seats)
    if not (suits := sorted({card >> 5 for card in state.hands[taker]})):
        return 0
    won = [trick.winner for trick in state.taken].count(taker)
    expected = won + (HAND[setup.seats] - len(state.taken)) / setup.seats
    aim = min([_AIMS[suit] for suit in suits], key=lambda pips: abs(pips - expected))
    wants = 1 if aim > expected + 0.3 else -1 if aim < expected - 0.2 else 0
    return wants * (1 + points[taker] - min(points))


_AIMS = (*PIPS.values(), 5)
"""By suit: the tricks that a player with such a card may aim at."""
