"""Photosynthesis: what the search of computer players asks of the game, in points.

The search tries whole turns: `carry_out` finishes the turn that a candidate begins, in the way that planning.py found
best. What a turn is worth at once counts for more than the playouts after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.game import Seat
from rules.core.hexes import bits_of
from rules.photosynthesis.packed import ENDS, GROWS, NAME, NEXT_PRICE, shadow_masks
from rules.photosynthesis.planning import REACH, RINGS, lead, turns_of
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import COLLECTING, KINDS, ROUNDS_A_REVOLUTION, Buy, Collect, Move, Plant

PRIOR = 3 / 4
"""The weight of what a turn is worth at once; its playouts have the rest."""
_WIN_WORTH = 10
"""What a win is worth, in points."""
_ROUNDS_AHEAD = 3
_MOST_CANDIDATES = 8


def evaluate(state: PhotosynthesisState, seat: Seat) -> float:
    """Return the lead in expected points and the worth of a win, with the weight of a playout."""
    outcome = state.round.outcome
    won = outcome is not None and seat in outcome.winners
    return (1 - PRIOR) * (lead(state, seat) + _WIN_WORTH * won)


def prior(state: PhotosynthesisState, move: Move) -> float:
    """Return what the turn that begins with the move is worth at once, with its weight."""
    turn = turns_of(state, move.seat).get(move)
    return PRIOR * (turn.worth if turn else lead(state.apply(move)[0], move.seat, ended=True))


def goes_on(begin: PhotosynthesisState, now: PhotosynthesisState) -> bool:
    """Return whether fewer than three rounds have begun since the playout did."""
    return now.round.number < begin.round.number + _ROUNDS_AHEAD


def candidates(state: PhotosynthesisState, seat: Seat) -> Sequence[Move]:
    """Return the first actions of the turns that are worth most at once."""
    turns = turns_of(state, seat)
    return sorted(turns, key=lambda move: -turns[move].worth)[:_MOST_CANDIDATES]


def carry_out(state: PhotosynthesisState, move: Move) -> PhotosynthesisState:
    """Return the position after the best turn that begins with the move."""
    if not state.round.number:
        return state.apply(move)[0]
    turn = turns_of(state, move.seat).get(move)
    position = turn.before_end if turn else state.apply(move)[0]
    return position.apply(ENDS[move.seat])[0]


def turn_of(state: PhotosynthesisState, move: Move) -> Sequence[Move]:
    """Return the moves that `carry_out` makes."""
    turn = turns_of(state, move.seat).get(move)
    actions = turn.actions if turn else (move,)
    return (*actions, ENDS[move.seat]) if state.round.number else actions


def rollout_move(state: PhotosynthesisState, seat: Seat, number: int) -> Move:
    """Collect in time, grow the tallest on the richest soil, buy what that needs, plant in the open; at times end."""
    setup, round_, _, _, players, (seeds, small, medium, large), empty, unused, _, _ = state[0]
    if not round_.number:
        places = state.legal_moves(seat)
        return places[number % len(places)]
    pieces, light, hand, player_board = players[seat]
    if not light or not number & 15:
        return ENDS[seat]
    turns = ROUNDS_A_REVOLUTION * setup.revolutions - round_.number + 1
    usable = pieces & unused
    over_small = over_medium = 0
    if setup.shade:
        over_small, over_medium, _ = shadow_masks(small, medium, large, state.sun)
    if light >= COLLECTING and (ready := large & usable):
        waiting = medium & pieces and not hand >> 12 and not player_board >> 12
        if turns <= 2 or light > 15 or (waiting and turns < 8 and light > 10):
            return Collect(seat, NAME[_richest(ready)])
    # Early on medium trees are the cheapest light; later tall trees become tokens.
    for height in (2, 1, 0) if turns < 14 else (1, 0, 2):
        trees, over = ((seeds, over_small), (small, over_small), (medium, over_medium))[height]
        trees &= usable ^ usable & over
        if trees and light > height and turns > 3 - height:
            if hand >> 4 * height + 4 & 15:
                return GROWS[seat][_richest(trees).bit_length()]
            price = NEXT_PRICE[height + 1][player_board >> 4 * height + 4 & 15]
            if price and light > height + price:
                return Buy(seat, KINDS[height + 1])
    if turns > 5 and ((seeds | small) & pieces).bit_count() < 3:
        if not hand & 15:
            price = NEXT_PRICE[0][player_board & 15]
            if (seeds & pieces).bit_count() < 2 and price and light > price:
                return Buy(seat, KINDS[0])
        else:
            reaches = {tree: REACH[state.height(tree)][tree] for tree in bits_of(usable ^ usable & seeds)}
            free, near, reach = empty & unused, 0, 0
            free ^= free & over_small
            for piece in bits_of(pieces):
                near |= REACH[1][piece]
            for hexes in reaches.values():
                reach |= hexes
            if targets := free & reach:
                target = _richest(targets ^ targets & near or targets)
                origin = next(tree for tree, hexes in reaches.items() if hexes & target)
                return Plant(seat, NAME[origin], NAME[target])
    return ENDS[seat]


def _richest(mask: int) -> int:
    """Return the bit of a hex of the mask on the richest soil."""
    there = next(ring & mask for ring in RINGS if ring & mask)
    return 1 << there.bit_length() - 1
