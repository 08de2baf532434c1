"""Photosynthesis: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.game import Event, Playout, Seat
from rules.photosynthesis.computer import PRIOR
from rules.photosynthesis.packed import lit_trees, unpack
from rules.photosynthesis.planning import expected_points, light_to_come
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import (
    COLLECTING,
    ROUNDS_A_REVOLUTION,
    Bought,
    Collected,
    Grown,
    LightCollected,
    MatchWon,
    Move,
    Planted,
    leaves_of,
)


def outlook(playout: Playout[PhotosynthesisState], move: Move) -> Mapping[str, float]:
    """Return the seat's lead over the best other player at the end of the match, as far as it can be foreseen: for the
    most part after the turn, for the rest after the playout, as the search weighs it.
    """
    after, end = (_lead(state, move.seat) for state in (playout.after, playout.end))
    return {"lead": PRIOR * after + (1 - PRIOR) * end}


def _lead(state: PhotosynthesisState, seat: Seat) -> float:
    points = expected_points(state)
    return points.pop(seat) - max(points)


def _light_of_a_revolution(state: PhotosynthesisState, seat: Seat) -> int:
    """Return the light that the seat's trees give while the sun moves once round the board as it stands."""
    pieces, trees = state.players[seat][0], state.heights[1:]
    lit = [lit_trees(*trees, sun) for sun in range(ROUNDS_A_REVOLUTION)]
    return sum(height * (mask & pieces).bit_count() for masks in lit for height, mask in enumerate(masks, 1))


def _price(event: Event) -> int:
    """Return the light that an action has cost."""
    match event:
        case Bought():
            return event.price
        case Grown():
            return event.height
        case Planted():
            return 1
        case Collected():
            return COLLECTING
        case _:
            return 0


def _large_trees(state: PhotosynthesisState, seat: Seat) -> int:
    return (state.heights[3] & state.players[seat][0]).bit_count()


def _pieces_in_hand(state: PhotosynthesisState, seat: Seat) -> int:
    return sum(unpack(state.players[seat][2]))


LEANINGS: Mapping[str, int] = dict.fromkeys(("soil", "large", "hand", "light", "ahead", "shade", "kept", "end"), 1)
"""Which facts speak for a move, and which against it."""


def reasons(playout: Playout[PhotosynthesisState], move: Move) -> Mapping[str, float]:
    """Return the points that the turn harvests, the soil that it plants, the large trees that then stand and the pieces
    in the hand, if they have become more; the light of the next round and of the next six, what the turn takes from
    that of the others, and what it keeps; or, after the last turn, the points at the end.
    """
    seat, begin = move.seat, playout.begin
    events = (*playout.own, *playout.later)
    found: dict[str, float] = {}
    tokens = [event.token for event in playout.own if isinstance(event, Collected)]
    if tokens:
        found["harvest"] = float(sum(token.points for token in tokens))
    if planted := [event.target for event in playout.own if isinstance(event, Planted)]:
        found["soil"] = float(sum([leaves_of(place, begin.setup.seats) for place in planted]))
    for key, count in (("large", _large_trees), ("hand", _pieces_in_hand)):
        if count(playout.after, seat) > count(begin, seat):
            found[key] = float(count(playout.after, seat))
    light = next((event for event in events if isinstance(event, LightCollected)), None)
    if light is not None:
        found["light"] = float(light.sunlight.gained[seat])
    if begin.round.number + ROUNDS_A_REVOLUTION <= ROUNDS_A_REVOLUTION * begin.setup.revolutions:
        found["ahead"] = float(_light_of_a_revolution(playout.after, seat))
    before = light_to_come(begin)[1]
    if playout.after.round.number == begin.round.number:
        after = light_to_come(playout.after)[1]
    else:
        after = list(light.sunlight.gained) if light is not None else before
    shaded = sum(before) - before[seat] - sum(after) + after[seat]
    if shaded > 0:
        found["shade"] = float(shaded)
    if kept := begin.players[seat][1] - sum(map(_price, playout.own)):
        found["kept"] = float(kept)
    if light is None:
        end = next(event for event in events if isinstance(event, MatchWon))
        found["end"] = float(end.finals[seat].tokens + end.finals[seat].light)
    return found
