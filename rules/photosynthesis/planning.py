"""Photosynthesis: how computer players judge a position, and the whole turns that they consider.

A turn is a set of actions, most of which are worth little alone: a large tree is bought to grow one. So a beam search
finds the turns: after each action it keeps the best few positions, and tries all next actions from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from rules.core.game import Seat
from rules.photosynthesis.packed import BIT, NAME, SEATS, shadow_masks, unpack
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import (
    BOARD,
    COLLECTING,
    HEXES,
    KINDS,
    LEAVES,
    LIGHT_A_POINT,
    MOST_LIGHT,
    ROUNDS_A_REVOLUTION,
    Buy,
    End,
    Move,
    Plant,
)

RINGS = tuple(sum(BIT[hex_] for hex_ in HEXES if LEAVES[hex_] == leaves) for leaves in (4, 3, 2, 1))
"""Masks of the soil of 4, 3, 2 and 1 leaves."""
REACH = tuple({bit: BOARD.within(name, distance) for bit, name in BOARD.name.items()} for distance in range(4))
"""By distance and bit: the hexes within that distance."""
_COUNTED = (0.0, 1.0, 0.93, 0.86, 0.8, 0.73, 0.66)
"""By rounds ahead: how much of the light that the present board would give counts."""
_LATER = 0.39
"""The same for each revolution after that."""
_SEED_LIGHT = 0.29
"""How much the light that a seed would get as a small tree counts."""
_PRICES = (1.5, 3.1, 4.35, 4.5)
"""By kind: about what a piece that is not in hand costs."""
_SURE = (0.75, 0.8, 0.83, 0.96)
"""By height: how likely a tree becomes a token with just turns enough for that; _SPARE more a further turn."""
_SPARE = 0.04
_LEFT_OVER = 0.75
"""How much light that no tree on the board needs counts."""
_UNKNOWN_TOKEN = 8
"""The points of a token if the pile runs out before."""


def light_to_come(state: PhotosynthesisState) -> tuple[list[float], list[int]]:
    """Return, by seat, an estimate of the light that the board will give to the end, and of the next round's."""
    setup, round_, _, _, players, (seeds, small, medium, large), _, _, _, _ = state[0]
    number = round_.number
    rounds = ROUNDS_A_REVOLUTION * setup.revolutions - number
    total, soon = [0.0] * setup.seats, [0] * setup.seats
    for ahead in range(1, min(ROUNDS_A_REVOLUTION, rounds) + 1):
        over_small, over_medium, over_large = shadow_masks(small, medium, large, (number + ahead - 1) % 6)
        lit_seeds = seeds ^ seeds & over_small
        lit_small = small ^ small & over_small
        lit_medium = medium ^ medium & over_medium
        lit_large = large ^ large & over_large
        counted = _COUNTED[ahead] + _LATER * ((rounds - ahead) // ROUNDS_A_REVOLUTION)
        for seat, (pieces, _, _, _) in enumerate(players):
            light = (lit_small & pieces).bit_count()
            if lit_medium:
                light += 2 * (lit_medium & pieces).bit_count()
            if lit_large:
                light += 3 * (lit_large & pieces).bit_count()
            total[seat] += counted * light
            if ahead == 1:
                soon[seat] = light
            elif lit_seeds:
                total[seat] += _SEED_LIGHT * counted * (lit_seeds & pieces).bit_count()
    return total, soon


def expected_points(state: PhotosynthesisState, ended: bool = False) -> list[float]:
    """Return, by seat, an estimate of the points at the match's end; `ended`: as if the mover had just ended its turn.
    It is the tokens, and what the light to come can still make of the trees. That light is spent on the tallest trees
    first, and among these on the richest soil. The rest grows new trees if there is time; otherwise it counts as at the
    end.
    """
    setup, round_, _, mover, players, heights, _, _, _, _ = state[0]
    if mover is None:
        return [final.tokens + final.light for final in state.finals()]
    seats, first, piles = setup.seats, round_.first, round_.piles
    total, soon = light_to_come(state)
    rounds = ROUNDS_A_REVOLUTION * setup.revolutions - round_.number
    place = (mover - first) % seats + ended
    by_ring = []
    for soil in (3, 2, 1, 0) if seats > 2 else (2, 2, 1, 0):
        while soil and not piles[soil]:
            soil -= 1
        by_ring.append((soil, piles[soil]))
    points = []
    for seat, (pieces, light, hand, _) in zip(SEATS, players, strict=False):
        turns = rounds + ((seat - first) % seats >= place)
        worth = float(sum([token.points for token in round_.tokens[seat]]))
        budget = min(light + soon[seat], MOST_LIGHT) - soon[seat] + total[seat]
        a_light = 1 / LIGHT_A_POINT + 0.05 * min(2.6, max(0, turns - 3))
        in_hand = [*unpack(hand)]
        taken = [0, 0, 0, 0]
        for height in (3, 2, 1, 0):
            spare = turns - 4 + height
            mine = heights[height] & pieces
            if spare < 0 or not mine:
                continue
            sure = min(1.0, _SURE[height] + _SPARE * spare) if turns > 1 else 1.0
            for ring, (soil, pile) in zip(RINGS, by_ring, strict=True):
                for _ in range((mine & ring).bit_count()):
                    cost = float(COLLECTING)
                    for kind in range(height + 1, 4):
                        cost += kind
                        if in_hand[kind]:
                            in_hand[kind] -= 1
                        else:
                            cost += _PRICES[kind]
                    at = taken[soil]
                    taken[soil] += 1
                    token = pile[at] if at < len(pile) else _UNKNOWN_TOKEN if pile else 0
                    if budget >= cost:
                        budget -= cost
                        worth += max(token * sure, cost * a_light)
                    elif budget > 0:
                        worth += 0.8 * token * sure * budget / cost
                        budget = 0.0
        points.append(worth + _LEFT_OVER * a_light * max(0.0, budget))
    return points


def lead(state: PhotosynthesisState, seat: Seat, ended: bool = False) -> float:
    """Return the lead in expected points: half over the best other player, half over the mean of all others."""
    points = expected_points(state, ended)
    own = points.pop(seat)
    return own - max(points) / 2 - sum(points) / len(points) / 2


_WIDTH = 8
"""How many positions the beam keeps."""
_MOST_ACTIONS = 9
"""Upper bound of the actions of a turn that are planned."""
_MOST_TARGETS = 6
_TURNS_TO_RIPEN = 5
"""Turns from planting to collecting."""


class PlannedTurn(NamedTuple):
    """A turn that a seat may take."""

    worth: float
    before_end: PhotosynthesisState
    """The position before its `end`."""
    actions: tuple[Move, ...]
    """Its moves but the `end`."""


def turns_of(state: PhotosynthesisState, seat: Seat) -> Mapping[Move, PlannedTurn]:
    """Return the turns that the seat may take, the best for each first action; placements before round 1."""
    return _turns_of(state.redeal_unseen(None, ""), seat)  # all redeals of a position have the same turns


@lru_cache(maxsize=64)
def _turns_of(state: PhotosynthesisState, seat: Seat) -> Mapping[Move, PlannedTurn]:
    moves = state.legal_moves(seat)
    if not state.round.number:
        places = [(move, state.apply(move)[0]) for move in moves]
        return {move: PlannedTurn(lead(after, seat), after, (move,)) for move, after in places}
    nothing = PlannedTurn(lead(state, seat, ended=True), state, ())
    found = {moves[-1]: nothing}
    seen = set()
    kept = [nothing]
    for _ in range(_MOST_ACTIONS):
        following: list[PlannedTurn] = []
        for _, position, made in kept:
            for move in _useful_actions(position, seat):
                after, _ = position.apply(move)
                actions = after.players, after.heights, after.unused
                if actions in seen:
                    continue
                seen.add(actions)
                turn = PlannedTurn(lead(after, seat, ended=True), after, (*made, move))
                following.append(turn)
                first = turn.actions[0]
                if first not in found or turn.worth > found[first].worth:
                    found[first] = turn
        following.sort(key=lambda turn: -turn.worth)
        kept = following[:_WIDTH]
    return found


def _useful_actions(state: PhotosynthesisState, seat: Seat) -> list[Move]:
    """Return the actions that may do good: to buy what can be used, and to plant what can ripen, on the best hexes and
    from one tree each.
    """
    setup, round_, _, _, players, heights, _, _, _, _ = state[0]
    pieces, _, packed, _ = players[seat]
    hand = unpack(packed)
    turns = ROUNDS_A_REVOLUTION * setup.revolutions - round_.number + 1
    moves: list[Move] = []
    plants: dict[str, Plant] = {}
    for move in state.legal_moves(seat):
        if isinstance(move, Plant):
            before = plants.get(move.target)
            if before is None or _loss_of(state, move) < _loss_of(state, before):
                plants[move.target] = move
        elif isinstance(move, Buy):
            kind = KINDS.index(move.kind)
            usable = (heights[kind - 1] & pieces).bit_count() if kind else 1
            if hand[kind] < usable and turns >= _TURNS_TO_RIPEN - kind:
                moves.append(move)
        elif not isinstance(move, End):
            moves.append(move)
    if turns >= _TURNS_TO_RIPEN:
        moves += sorted(plants.values(), key=lambda move: -_site_worth(BIT[move.target], pieces))[:_MOST_TARGETS]
    return moves


def _loss_of(state: PhotosynthesisState, move: Plant) -> int:
    """Return how much is lost because the tree that sows cannot grow in this turn."""
    return (0, 1, 2, 0)[state.height(BIT[move.origin])]


def _site_worth(bit: int, pieces: int) -> float:
    """Return how good the hex is for a seed: rich soil, and away from own pieces, which shade each other."""
    near, about = (REACH[distance][bit] & pieces for distance in (1, 2))
    return LEAVES[NAME[bit]] - 1.5 * near.bit_count() - 0.14 * about.bit_count()
