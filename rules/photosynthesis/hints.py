"""Photosynthesis: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.game import Playout, Seat
from rules.photosynthesis.computer import PRIOR
from rules.photosynthesis.planning import expected_points, light_to_come
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import LEAVES, Collected, LightCollected, MatchWon, Move, Planted


def outlook(playout: Playout[PhotosynthesisState], move: Move) -> Mapping[str, float]:
    """Return the seat's lead over the best other player at the end of the match, as far as it can be foreseen: for the
    most part after the turn, for the rest after the playout, as the search weighs it.
    """
    after, end = (_lead(state, move.seat) for state in (playout.after, playout.end))
    return {"lead": PRIOR * after + (1 - PRIOR) * end}


def _lead(state: PhotosynthesisState, seat: Seat) -> float:
    points = expected_points(state)
    return points.pop(seat) - max(points)


def reasons(playout: Playout[PhotosynthesisState], move: Move) -> Mapping[str, float]:
    """Return the points that the turn harvests, the soil that it plants and the large trees that then stand; the light
    of the next round, and what the turn takes from that of the others; or the points at the end, if it comes so soon.
    """
    seat, begin = move.seat, playout.begin
    events = (*playout.own, *playout.later)
    found: dict[str, float] = {}
    tokens = [event.token for event in playout.own if isinstance(event, Collected)]
    if tokens:
        found["harvest"] = float(sum(token.points for token in tokens))
    if seeds := [LEAVES[event.target] for event in playout.own if isinstance(event, Planted)]:
        found["soil"] = float(sum(seeds))
    if large := (playout.after.heights[3] & playout.after.players[seat][0]).bit_count():
        found["large"] = float(large)
    light = next((event for event in events if isinstance(event, LightCollected)), None)
    if light is not None:
        found["light"] = float(light.sunlight.gained[seat])
    before = light_to_come(begin)[1]
    if playout.after.round.number == begin.round.number:
        after = light_to_come(playout.after)[1]
    else:
        after = list(light.sunlight.gained) if light is not None else before
    shaded = sum(before) - before[seat] - sum(after) + after[seat]
    if shaded > 0:
        found["shade"] = float(shaded)
    if (end := next((event for event in events if isinstance(event, MatchWon)), None)) is not None:
        found["end"] = float(end.finals[seat].tokens + end.finals[seat].light)
    return found
