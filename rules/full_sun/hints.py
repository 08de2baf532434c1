"""Full Sun: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from math import prod

from rules.core.game import Playout, Seat
from rules.core.tricks import Play, TrickTaken, holds
from rules.full_sun.state import FullSunState
from rules.full_sun.types import CARDS, SUITS, faces_of

_SCORES = 0.46, 0.54
"""How often a player scores in a round: one with the most points, and one behind, who gets extra cards for it."""


def outlook(playout: Playout[FullSunState], move: Play) -> Mapping[str, float]:
    """Return how likely the seat wins the match after this round, and whether it scores in it."""
    target, last, ended = playout.end.setup.target, playout.end.round.last, playout.end.round.outcome
    needed = [target - points for points in playout.end.round.points]
    own = needed.pop(move.seat)
    assert last is not None
    won = float(move.seat in ended.winners) / len(ended.winners) if ended else equity(own, tuple(sorted(needed)))
    return {"win": won, "scores": float(move.seat in last.scored)}


@cache
def equity(own: int, others: tuple[int, ...]) -> float:
    """Return the chance to win a match (the match equity) for a player who needs so many points, beside others who need
    so many each, in ascending order, before a round. Of several at the target the tie-break chooses one (S7).
    """
    needed = own, *others
    if min(needed) <= 0:
        return (own <= 0) / sum(need <= 0 for need in needed)
    scores = [_SCORES[need > min(needed)] for need in needed]
    won = 0.0
    for scored in product((0, 1), repeat=len(needed)):
        if any(scored):  # a round in which none scores leaves all as it was
            after, *rest = (need - point for need, point in zip(needed, scored, strict=True))
            chance = prod(score if point else 1 - score for score, point in zip(scores, scored, strict=True))
            won += chance * equity(after, tuple(sorted(rest)))
    return won / (1 - prod(1 - score for score in scores))


LEANINGS: Mapping[str, float] = {
    **dict.fromkeys([f"end_{species}" for species in (*SUITS[:4], "rain", "sun")], 0),
    "others": -2,
    "lost": -1.5,
    "lost_not": 1.5,
}
"""Which facts speak for a move, and which against it. With which tree the seat scores is what it aims at."""


def reasons(playout: Playout[FullSunState], move: Play) -> Mapping[str, float]:
    """Return who takes the trick, the tree with which the seat scores, if it does, how many others score, and whether
    one of them wins the match in this round, if any of them may. If another takes the trick and the seat scores, but
    needs more tricks for that, the number is below 0: this is no reason.
    """
    taken = next(event for event in (*playout.own, *playout.later) if isinstance(event, TrickTaken))
    result = playout.end.round.last
    assert result is not None
    won, scores = taken.winner == move.seat, move.seat in result.scored
    needed = result.tricks[move.seat] - [trick.winner for trick in playout.begin.taken].count(move.seat)
    found = {f"trick_{'won' if won else 'lost'}": float(scores) if won or not needed else -float(scores)}
    found["others"] = float(len([seat for seat in result.scored if seat != move.seat]))
    outcome, points = playout.end.round.outcome, playout.begin.round.points
    if max(others for seat, others in enumerate(points) if seat != move.seat) + 1 >= playout.begin.setup.target:
        found["lost" if outcome is not None and move.seat not in outcome.winners else "lost_not"] = 1.0
    if scores:
        rain = result.pips[move.seat] == playout.begin.setup.rain.pips
        species = result.species[move.seat]
        found[f"end_{species}" if species in SUITS[:4] else "end_rain" if rain else "end_sun"] = 1.0
    return found


def certain(playout: Playout[FullSunState], move: Play) -> frozenset[str]:
    """Who takes the trick is certain after its last card. A card that is beaten loses it; one that no player still to
    come can beat, as far as the seat sees, wins it.
    """
    begin, card = playout.begin, CARDS.number[move.card]
    faces = faces_of(begin.setup.rain, begin.setup.sun)
    if len(begin.lays) + 1 == begin.setup.seats:
        return frozenset(("trick_won", "trick_lost"))
    if any(faces[lay] >= faces[card] for lay in begin.lays):
        return frozenset(("trick_lost",))
    suits = {held >> 5 for seat in _to_come(begin, move.seat) for held in begin.hands[seat]}
    unseen = [held for seat, hand in enumerate(begin.hands) if seat != move.seat for held in hand] + [*begin.fan]
    beaten = any(faces[held] > faces[card] for held in unseen if held >> 5 in suits)
    return frozenset() if beaten else frozenset(("trick_won",))


def likeness(state: FullSunState, move: Play) -> tuple[int, int, int]:
    """Return the card's suit and pips, and how many cards below it may meet it in this trick, or in a later one if they
    are of its suit: it is the same for touching cards of a hand. If all players to come hold the suit, they follow it.
    """
    card, faces = CARDS.number[move.card], faces_of(state.setup.rain, state.setup.sun)
    follow = all(holds(state.hands[seat], card >> 5) for seat in _to_come(state, move.seat))
    unseen = [held for seat, hand in enumerate(state.hands) if seat != move.seat for held in hand] + [*state.fan]
    others = [*state.lays, *[other for other in unseen if other >> 5 == card >> 5 or not follow]]
    return card >> 5, faces[card].pips, sum(faces[other] < faces[card] for other in others)


def _to_come(begin: FullSunState, seat: Seat) -> list[Seat]:
    """Return the seats that play to this trick after that one."""
    seats, step = begin.setup.seats, begin.round.step
    return [Seat((seat + step * at) % seats) for at in range(1, seats - len(begin.lays))]
