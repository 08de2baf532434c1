"""Photosynthesis: the rules of thumb of computer players, in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.game import Seat
from rules.photosynthesis.packed import BIT, SEATS, lit_trees, unpack
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import (
    COLLECTING,
    HEXES,
    KINDS,
    LEAVES,
    LIGHT_A_POINT,
    MOST_LIGHT,
    ROUNDS_A_REVOLUTION,
    Buy,
    Collect,
    Grow,
    Move,
    Plant,
)

_RINGS = tuple(sum(BIT[hex_] for hex_ in HEXES if LEAVES[hex_] == leaves) for leaves in range(1, 5))
"""Masks of the soil of 1, 2, 3 and 4 leaves."""
_STILL_TO_PAY = (16, 14, 11, COLLECTING)
"""By height: about the light that it takes from there to a token, with the pieces that must be bought."""
_TOKEN_CHANCE = (0.3, 0.4, 0.6, 0.85)
"""By height: how likely such a piece is to become a token if there are turns enough."""
_IN_HAND_WORTH = (1.2, 2.3, 3.3, 4.6)
"""By kind: the worth of a piece in hand, in light."""
_WIN_WORTH = 10
"""What a win is worth, in points."""
_LATER_LIGHT = 0.3
"""Light that a tree gives in each round after the next, as a share of its height: it may be shadowed or collected."""


def _turns_left(state: PhotosynthesisState, seat: Seat) -> int:
    """Return the number of turns that the seat has before the match ends, the one under way included."""
    setup, round_, mover = state.setup, state.round, state.mover
    if mover is None:
        return 0
    to_come = (seat - round_.first) % setup.seats >= (mover - round_.first) % setup.seats
    return ROUNDS_A_REVOLUTION * setup.revolutions - round_.number + to_come


def _expected_points(state: PhotosynthesisState, seat: Seat, in_light: tuple[int, int, int]) -> float:
    """Return about the points that the seat will have at the end: from its tokens, its light, its pieces and its trees.

    `in_light` are masks of the trees of each height that will not be shadowed at the next collection of light.
    """
    pieces, light, hand, _ = state.players[seat]
    heights = [mask & pieces for mask in state.heights]
    turns = _turns_left(state, seat)
    rounds = ROUNDS_A_REVOLUTION * state.setup.revolutions - state.round.number
    # Light is worth more while there is time to spend it than at the end.
    a_light = 1 / LIGHT_A_POINT + 0.06 * min(turns, 6)
    points: float = sum([token.points for token in state.round.tokens[seat]])
    if rounds:
        light += sum([height * (mask & pieces).bit_count() for height, mask in enumerate(in_light, 1)])
        light = min(light, MOST_LIGHT)
        total = sum([height * mask.bit_count() for height, mask in enumerate(heights)])
        points += a_light * _LATER_LIGHT * total * (rounds - 1)
    points += a_light * light
    tops = _top_tokens(state)
    for height, mask in enumerate(heights):
        if mask and turns >= 4 - height:
            chance = _TOKEN_CHANCE[height] if turns > 1 else 1
            for ring, top in zip(_RINGS, tops, strict=True):
                if number := (mask & ring).bit_count():
                    points += number * chance * max(0.0, top - a_light * _STILL_TO_PAY[height])
    for kind, number in enumerate(unpack(hand)):
        if number and turns > 4 - kind:
            points += a_light * _IN_HAND_WORTH[kind] * min(number, 2)
    return points


def _top_tokens(state: PhotosynthesisState) -> list[int]:
    """Return, by soil, the points of the token that a tree collected there would bring."""
    tops: list[int] = []
    for pile in state.round.piles:
        tops.append(pile[0] if pile else tops[-1] if tops else 0)
    return tops


def evaluate(state: PhotosynthesisState, seat: Seat) -> float:
    """Return the lead over the best other player, in expected points, and what a win is worth."""
    _, small, medium, large = state.heights
    in_light = lit_trees(small, medium, large, state.round.number % 6)
    worth = [_expected_points(state, other, in_light) for other in SEATS[: state.setup.seats]]
    outcome = state.round.outcome
    won = outcome is not None and seat in outcome.winners
    return worth[seat] - max([*worth[:seat], *worth[seat + 1 :]]) + _WIN_WORTH * won


def goes_on(begin: PhotosynthesisState, now: PhotosynthesisState) -> bool:
    """Return whether fewer than three rounds have ended since."""
    return now.round.number < begin.round.number + _ROUNDS_AHEAD


_ROUNDS_AHEAD = 2
_MOST_CANDIDATES = 16


def candidates(state: PhotosynthesisState, seat: Seat) -> Sequence[Move]:
    """Return the moves that look best at once, by `evaluate` after the move, and `end`."""
    moves = state.legal_moves(seat)
    if len(moves) <= _MOST_CANDIDATES:
        return moves
    best = sorted(moves, key=lambda move: -evaluate(state.apply(move)[0], seat))[:_MOST_CANDIDATES]
    return [*best, *[move for move in moves[-1:] if move not in best]]


def outlook(begin: PhotosynthesisState, now: PhotosynthesisState, seat: Seat) -> Mapping[str, float]:
    """Return the seat's lead over the best other player at the end of the match, as far as it can be foreseen."""
    outcome = now.round.outcome
    won = outcome is not None and seat in outcome.winners
    return {"lead": evaluate(now, seat) - _WIN_WORTH * won}


def rollout_move(state: PhotosynthesisState, seat: Seat, number: int) -> Move:
    """Mostly choose what brings a tree on: collect a good token, grow the biggest, buy what is missing, plant."""
    moves = state.legal_moves(seat)
    if not number & 7 or not state.round.number:
        return moves[(number >> 3) % len(moves)]
    turns, missing = _turns_left(state, seat), _missing_kinds(state, seat)
    best, most = moves[-1], 0.0
    for move in moves:
        good = 0.0
        if isinstance(move, Plant):
            good = LEAVES[move.target] if turns > 5 else 0
        elif isinstance(move, Grow):
            good = 5 + state.height(BIT[move.hex])
        elif isinstance(move, Buy):
            good = 4.5 if move.kind in missing else 0
        elif isinstance(move, Collect):
            good = 9 if turns < 3 or LEAVES[move.hex] > 2 else 0
        if good > most:
            best, most = move, good
    return best


def _missing_kinds(state: PhotosynthesisState, seat: Seat) -> set[str]:
    """Return the kinds that the seat has not in hand but could use: to grow to, or, if there is time, to plant."""
    pieces, _, packed, _ = state.players[seat]
    hand, turns, usable = unpack(packed), _turns_left(state, seat), pieces & state.unused
    missing = {
        KINDS[height + 1]
        for height in range(3)
        if turns > 3 - height and state.heights[height] & usable and not hand[height + 1]
    }
    return missing if hand.seed or turns < 6 else missing | {KINDS[0]}
