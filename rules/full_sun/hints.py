"""Full Sun: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.game import Playout
from rules.core.records import margin
from rules.core.tricks import Play, TrickTaken
from rules.full_sun.state import FullSunState
from rules.full_sun.types import SUITS


def outlook(playout: Playout[FullSunState], move: Play) -> Mapping[str, float]:
    """Return whether the seat scores in this round, and its lead after it over the best other player."""
    result = playout.end.round.last
    assert result is not None
    return {"scores": float(move.seat in result.scored), "lead": float(margin(move.seat, playout.end.round.points))}


LEANINGS: Mapping[str, float] = {
    **dict.fromkeys([f"end_{suit}" for suit in SUITS], 0),
    "others": -2,
    "lost": -1.5,
    "lost_not": 1.5,
}
"""Which facts speak for a move, and which against it. With which tree the seat scores is what it aims at."""


def reasons(playout: Playout[FullSunState], move: Play) -> Mapping[str, float]:
    """Return who takes the trick, the tree with which the seat scores, if it does, how many others score, and whether
    one of them wins the match.
    """
    taken = next(event for event in (*playout.own, *playout.later) if isinstance(event, TrickTaken))
    result = playout.end.round.last
    assert result is not None
    found = {f"trick_{'won' if taken.winner == move.seat else 'lost'}": 1.0}
    found["others"] = float(len([seat for seat in result.scored if seat != move.seat]))
    outcome = playout.end.round.outcome
    found["lost" if outcome is not None and move.seat not in outcome.winners else "lost_not"] = 1.0
    if move.seat in result.scored:
        found[f"end_{result.species[move.seat]}"] = 1.0
    return found


def certain(playout: Playout[FullSunState], move: Play) -> frozenset[str]:
    """If the card is the last one of the trick, who takes it is certain."""
    done = any(isinstance(event, TrickTaken) for event in playout.own)
    return frozenset(("trick_won", "trick_lost") if done else ())
