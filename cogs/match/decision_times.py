"""How long the players of a match took for their decisions.

The log says with each move how long the turn had lasted. But within a turn a player may make several moves, and if
several players decide at the same time, a new turn begins for the table whenever one of them has decided.
"""

from __future__ import annotations

from collections.abc import Iterable

from cogs.match.replay import Step
from rules.core.game import AnyState, Seat

MOST_SECONDS = 30 * 86_400
"""What counts at most of one decision."""


def decision_times(seats: int, steps: Iterable[Step]) -> list[list[int]]:
    """Return for each seat the seconds of its player's decisions. `steps`: a match without the moves taken back.

    A decision lasts from when the seat was asked, or from its last move in the same turn. Sealing again is no decision
    of its own.
    """
    found: list[list[int]] = [[] for _ in range(seats)]
    waited = dict[Seat, int]()
    lasted = 0  # what the turn had lasted at the last move, if it goes on
    for move, before, after, _ in steps:
        seat, now = Seat(move.seat), lasted if move.took is None else move.took
        asked, still = _asked(before), _asked(after)
        waited = {other: waited.get(other, 0) + max(0, now - lasted) for other in asked}
        if seat in asked and move.took is not None:
            found[seat].append(min(waited[seat], MOST_SECONDS))
        waited = {other: waited[other] for other in waited if other != seat and asked[other] == still.get(other)}
        goes_on = asked == still or (seat in still and after.may_take_back(seat))
        lasted = now if goes_on else 0
    return found


def _asked(state: AnyState) -> dict[Seat, str]:
    """Return the turn of each seat to move."""
    return {seat: state.turn(seat) for seat in state.to_move()}
