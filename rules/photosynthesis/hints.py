"""Photosynthesis: what a hint says of a move, in figures by which moves compare and in facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.game import Event, Playout, Seat
from rules.photosynthesis.computer import PRIOR
from rules.photosynthesis.packed import BIT, shadow_masks, unpack
from rules.photosynthesis.planning import expected_points, light_to_come
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import (
    KINDS,
    ROUNDS_A_REVOLUTION,
    Bought,
    Collected,
    Grown,
    LightCollected,
    Move,
    Planted,
    leaves_of,
)


def outlook(playout: Playout[PhotosynthesisState], move: Move) -> Mapping[str, float]:
    """Return the seat's lead over the best other player at the end of the match, as far as it can be foreseen: for the
    most part after the turn, for the rest after the playout, as the search weighs it. If the playout reaches the end,
    its own points are told too. While the first trees are placed, a lead means nothing: then it is the light of these
    trees in the first six rounds, as the board stands.
    """
    begin, after, end = playout.begin, playout.after, playout.end
    if not begin.round.number:
        return {"ahead": float(_light_ahead(after, 0, move.seat))}
    (lead, _), (lead_later, points) = (_lead(state, move.seat) for state in (after, end))
    found = {"lead": PRIOR * lead + (1 - PRIOR) * lead_later}
    return found if end.to_move() else {**found, "end": points}


_CATCHING_UP, _ROUNDS_TO_CATCH_UP = 0.4, 5
"""So much of a lead in expected points is lost on average until the end, if at least that many rounds are to come. In
matches of computers it is 0.3 to 0.6.
"""


def _lead(state: PhotosynthesisState, seat: Seat) -> tuple[float, float]:
    """Return the lead over the best other player, and the points of the seat, both at the end of the match."""
    points = expected_points(state)
    own = points.pop(seat)
    to_come = ROUNDS_A_REVOLUTION * state.setup.revolutions - state.round.number if state.to_move() else 0
    return (1 - _CATCHING_UP * min(1, to_come / _ROUNDS_TO_CATCH_UP)) * (own - max(points)), own


def _light_ahead(state: PhotosynthesisState, number: int, seat: Seat) -> int:
    """Return the light that the seat's trees give after the round of that number, while the sun moves once round the
    board as it stands, or until the end.
    """
    last = min(number + ROUNDS_A_REVOLUTION, ROUNDS_A_REVOLUTION * state.setup.revolutions)
    return sum([state.forecast(sun % ROUNDS_A_REVOLUTION)[seat] for sun in range(number, last)])


def _large_trees(state: PhotosynthesisState, seat: Seat) -> int:
    return (state.heights[3] & state.players[seat][0]).bit_count()


def _unused(events: Sequence[Event]) -> list[int]:
    """Return the pieces that a turn buys and does not use, each as the turns from it to its harvest."""
    bought = [KINDS.index(event.kind) for event in events if isinstance(event, Bought)]
    for event in events:
        used = event.height if isinstance(event, Grown) else 0 if isinstance(event, Planted) else None
        if used in bought:
            bought.remove(used)
    return [len(KINDS) + 1 - kind for kind in bought]


def _ready(state: PhotosynthesisState, seat: Seat) -> int:
    """Return how many of the seat's pieces could grow with what is in its hand."""
    pieces, _, hand, _ = state.players[seat]
    held = unpack(hand)
    return sum([min(held[height + 1], (state.heights[height] & pieces).bit_count()) for height in range(3)])


def _sun_on(state: PhotosynthesisState, seeds: int) -> int:
    """Return for how many rounds of a revolution the sun reaches these hexes, all added up, as the board stands."""
    dark = [shadow_masks(*state.heights[1:], sun)[0] for sun in range(ROUNDS_A_REVOLUTION)]
    return sum([(seeds & ~shadow).bit_count() for shadow in dark])


LEANINGS: Mapping[str, float] = {
    "soil": 1.6,
    "large": 2.4,
    "ready": 0.8,
    "light": 0.8,
    **dict.fromkeys(("ahead", "rest"), 0.6),
    "sprout": 0.4,
    "shade": 0.8,
    "late": -1,
    "token": 1,
}
"""Which facts speak for a move, and which against it."""


def reasons(playout: Playout[PhotosynthesisState], move: Move) -> Mapping[str, float]:
    """Return the points that the turn harvests, the richest soil on which it plants or grows, and whether it buys a
    piece too late to harvest it; unless it is the last turn, the large trees that then stand, and how many more pieces
    could grow with what is in the hand, the light that the seat has next round, what its trees give in the next six
    or until the end, the sun on a new seed, on average, and what the turn takes from the light of the others.
    """
    seat, begin = move.seat, playout.begin
    sites = [
        event.target if isinstance(event, Planted) else event.hex
        for event in playout.own
        if isinstance(event, Planted | Grown)
    ]
    found: dict[str, float] = {
        "token": sum([event.token.points for event in playout.own if isinstance(event, Collected)]),
    }
    rounds = ROUNDS_A_REVOLUTION * begin.setup.revolutions
    if sites:
        found["soil"] = max([leaves_of(site, begin.setup.seats) for site in sites])
    if any(begin.round.number + turns > rounds for turns in _unused(playout.own)):
        found["late"] = 1
    light = next((event for event in (*playout.own, *playout.later) if isinstance(event, LightCollected)), None)
    if light is not None:
        found |= _to_come(playout, light, seat)
    return {key: float(number) for key, number in found.items()}


def _to_come(playout: Playout[PhotosynthesisState], light: LightCollected, seat: Seat) -> Mapping[str, float]:
    """Return what the turn means for the rounds to come; `light`: that of the next one."""
    begin, after = playout.begin, playout.after
    before = light_to_come(begin)[1]
    soon = light_to_come(after)[1] if after.round.number == begin.round.number else [*light.sunlight.gained]
    seeds = [BIT[event.target] for event in playout.own if isinstance(event, Planted)]
    found: dict[str, float] = {
        "light": light.light[seat],
        "shade": max(0, sum(before) - before[seat] - sum(soon) + soon[seat]),
        "large": _large_trees(after, seat),
    }
    rounds = ROUNDS_A_REVOLUTION * begin.setup.revolutions
    if begin.round.number + 2 <= rounds:
        found["ready"] = max(0, _ready(after, seat) - _ready(begin, seat))
    ahead = _light_ahead(after, begin.round.number, seat)
    if begin.round.number + ROUNDS_A_REVOLUTION > rounds:
        found["rest"] = ahead
    else:
        found["ahead"] = ahead
        if seeds:
            found["sprout"] = _sun_on(after, sum(seeds)) / len(seeds)
    return found
