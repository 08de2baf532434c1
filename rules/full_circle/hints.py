"""Full Circle: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.game import Playout
from rules.full_circle.circle import CARDS, POINTS, WILD
from rules.full_circle.computer import evaluate
from rules.full_circle.state import FullCircleState
from rules.full_circle.types import (
    CardDrawn,
    CardPlayed,
    DoubleMatched,
    FullCircled,
    Give,
    Move,
    Passed,
    Play,
    RoundScored,
    TrapEnded,
    TrapSet,
)


def outlook(playout: Playout[FullCircleState], move: Move) -> Mapping[str, float]:
    """Return how likely the seat wins the match, judged after the round, and whether it wins the round."""
    result = playout.end.round.last
    won = playout.end.round.number > playout.begin.round.number or playout.end.round.outcome is not None
    return {
        "win": evaluate(playout.end, move.seat),
        "round": float(won and result is not None and result.winner == move.seat),
    }


def reasons(playout: Playout[FullCircleState], move: Move) -> Mapping[str, float]:
    """Return what the move is, whether a card fits in the seat's next turn or who ends the round before that, what
    becomes of a wild in the hand, and the points that are left in it if another player wins the round.
    """
    found: dict[str, float] = {}
    for event in playout.own:
        if isinstance(event, DoubleMatched):
            found["double"] = 1.0
        elif isinstance(event, FullCircled):
            found["full"] = 1.0
        elif isinstance(event, TrapSet):
            found["trap"] = 1.0
        elif isinstance(event, TrapEnded) and event.freed:
            found["freed"] = 1.0
    if isinstance(move, Give):
        found["gift"] = float(POINTS[CARDS[move.card]])
    found[_next_turn(playout, move)] = 1.0
    if WILD in playout.begin.hands[move.seat]:
        used = isinstance(move, Play) and move.face.startswith("W")
        found["wild_used" if used else "wild_kept"] = 1.0
    for event in (*playout.own, *playout.later):
        if isinstance(event, RoundScored) and event.result.winner != move.seat:
            found["left"] = float(event.result.points[move.seat])
    return found


def _next_turn(playout: Playout[FullCircleState], move: Move) -> str:
    """Return what comes of the seat's next turn."""
    others = False
    for event in (*playout.own, *playout.later):
        if isinstance(event, RoundScored):
            return "next_out" if event.result.winner == move.seat else "next_over"
        if isinstance(event, CardPlayed | CardDrawn | Passed):
            if others and event.seat == move.seat:
                return "next_fits" if isinstance(event, CardPlayed) else "next_stuck"
            others |= event.seat != move.seat
    return "next_over"
