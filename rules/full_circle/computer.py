"""Full Circle: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.game import Seat
from rules.full_circle import circle
from rules.full_circle.circle import CARDS, FACES, PLACE_NUMBERS, POINTS, WILD
from rules.full_circle.state import FullCircleState
from rules.full_circle.types import Give, Move, Phase, Play

_WIN_WORTH = 60
"""What a win is worth, in points: more than most rounds bring."""


def evaluate(state: FullCircleState, seat: Seat) -> float:
    """Return how far the seat's total, with the cards in its hand, is below the others' average; more for a win."""
    totals = [
        total + sum([POINTS[card] for card in hand])
        for total, hand in zip(state.round.totals, state.hands, strict=True)
    ]
    won = state.round.outcome is not None and seat in state.round.outcome.winners
    return (sum(totals) - totals[seat]) / (len(totals) - 1) - totals[seat] + _WIN_WORTH * won


def goes_on(begin: FullCircleState, now: FullCircleState) -> bool:
    """Return whether the round has not ended: it is counted then."""
    return begin.round.number == now.round.number


def outlook(begin: FullCircleState, now: FullCircleState, seat: Seat) -> Mapping[str, float]:
    """Return whether the seat wins the round, and the points of the cards that it is left with."""
    result = now.round.last
    if (goes_on(begin, now) and now.round.outcome is None) or result is None:
        return {}
    return {"round": float(result.winner == seat), "points": float(result.points[seat])}


def rollout_move(state: FullCircleState, seat: Seat, number: int) -> Move:
    """Return a play: one that brings another turn or a trap if there is one, else a costly card; wilds last."""
    hand = state.hands[seat] if state.drawn is None else (state.drawn,)
    fits = state.fits(seat)
    plays = circle.plays(seat, [card for card in hand if card != WILD], fits)
    if not plays:
        moves = state.legal_moves(seat)
        wild = [move for move in moves if isinstance(move, Play)]
        if state.phase in _EXTRA_TURNS:
            return _extra(state, seat, moves, number)
        plays = tuple(wild)
        if not plays:
            return moves[number % len(moves)]
    if len(plays) == 1:
        return plays[0]
    tops, trap, barred = state.tops, state.trap, state.barred[seat] > 0
    found, most = plays[0], -99.0
    for at, play in enumerate(plays):
        face, place = FACES[play.face], PLACE_NUMBERS[play.place]
        effects = circle.effects_of(tops, place, face, seat, trap, barred)
        good = POINTS[face] * 0.25 if face < WILD else -1.0
        if effects is not circle.NO_EFFECTS:
            good += 3.0 * effects.double + 4.0 * effects.full + 4.0 * (effects.trap is not None) - 2.0 * effects.frees
        good += _NOISE[number >> at % 28 & 15]
        if good > most:
            found, most = play, good
    return found


_EXTRA_TURNS = (Phase.DOUBLE, Phase.FULL)
_NOISE = tuple([step / 6 for step in range(16)])


def _extra(state: FullCircleState, seat: Seat, moves: tuple[Move, ...], number: int) -> Move:
    """Return the move of an extra turn in which no colour card fits: give the costliest card away, or stop (F6, F7)."""
    gifts = [move for move in moves if isinstance(move, Give)]
    if gifts:
        most = max([POINTS[CARDS[move.card]] for move in gifts])
        gifts = [move for move in gifts if POINTS[CARDS[move.card]] == most]
        return gifts[number % len(gifts)]
    return moves[-1]
