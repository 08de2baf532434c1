"""Full Sun: how computer players judge a position, and the rules of thumb by which they play on."""

from __future__ import annotations

from rules.core.game import Seat
from rules.core.records import margin
from rules.core.tricks import Play
from rules.full_sun.state import FullSunState
from rules.full_sun.types import CARDS, HAND, faces_of


def evaluate(state: FullSunState, seat: Seat) -> float:
    """Return the lead in points over the best other player, and one more for a win."""
    points, outcome = state.round.points, state.round.outcome
    won = outcome is not None and seat in outcome.winners
    own = points[seat]
    others = sum(points) - own
    return margin(seat, points) + own - others / (len(points) - 1) + 2 * won


def goes_on(begin: FullSunState, now: FullSunState) -> bool:
    """Return whether the round has not ended: points are scored then."""
    return begin.round.number == now.round.number


def rollout_move(state: FullSunState, seat: Seat, number: int) -> Play:
    """Return a card that suits the number of tricks wanted; one time in eight any legal card.

    A player who wants a trick plays the highest card, or as last player the lowest that takes it. A player who wants
    none plays the highest card that loses and so keeps the low ones. Suits to end with stay in the hand (S6).
    """
    moves = state.legal_moves(seat)
    if len(moves) == 1 or not number & 7:
        return moves[(number >> 3) % len(moves)]
    setup, lays, taken = state.setup, state.lays, state.taken
    faces = faces_of(setup.rain, setup.sun)
    won = [trick.winner for trick in taken].count(seat)
    left = HAND[setup.seats] - len(taken)
    hand = state.hands[seat]
    best = max([faces[card] for card in lays]) if lays else None
    last = len(lays) == setup.seats - 1
    if left == 1:
        # The card itself says how many tricks are wanted.
        for move in moves:
            card = CARDS.number[move.card]
            takes = best is None or faces[card] > best
            if faces[card].pips == won + takes:
                return move
        return moves[(number >> 3) % len(moves)]
    # The goal: the pips of a suit in hand nearest to what would come by itself.
    expected = won + left / setup.seats
    goal = min([faces[card].pips for card in hand], key=lambda pips: (abs(pips - expected), pips))
    wants = won < goal
    found, most = moves[0], -999.0
    for at, move in enumerate(moves):
        card = CARDS.number[move.card]
        face = faces[card]
        takes = best is None or face > best
        good = 3.0 * (_NOISE[number >> 5 + at & 15])
        if wants:
            good += 20 + (-face.number if last else face.number) if takes and best is not None else 0
            good += face.number if best is None else 0 if takes else -face.number
        else:
            good += face.number if not takes else -20 - face.number
        if face.pips == goal:
            good -= 4
        if good > most:
            found, most = move, good
    return found


_NOISE = tuple([step / 15 for step in range(16)])
