"""A greedy rule player of Photosynthesis: it grows what it can, buys what it can grow next, and plants on rich soil.

It acts only if the piece can still become a large tree and be collected, and collects in the last revolution.
"""

from __future__ import annotations

from rules.core.game import Seat
from rules.photosynthesis.state import PhotosynthesisState
from rules.photosynthesis.types import (
    BOARD,
    HEXES,
    KINDS,
    LEAVES,
    ROUNDS_A_REVOLUTION,
    Buy,
    Collect,
    Grow,
    Hex,
    Move,
    Place,
    Plant,
)
from rules.photosynthesis.view import PhotosynthesisView

LARGE = 3
"""The height of a large tree."""


def room(view: PhotosynthesisView, hex_: Hex) -> int:
    """Return the steps from the empty hex to the nearest piece: pieces close by take each other's light."""
    taken = [other for other, piece in zip(HEXES, view.board, strict=True) if piece]
    return min((BOARD.distance(hex_, other) for other in taken), default=0)


def worth(view: PhotosynthesisView, seat: Seat, move: Move) -> tuple[float, ...] | None:
    """Return how good the move is, its kind first; None for one that is not worth its light."""
    left = view.rounds - view.round
    if isinstance(move, Place):
        return (room(view, move.hex),)
    if isinstance(move, Collect):
        return (5, LEAVES[move.hex]) if left < ROUNDS_A_REVOLUTION else None
    if isinstance(move, Grow):
        piece = view.at(move.hex)
        assert piece is not None
        return (4, piece.height, LEAVES[move.hex]) if left >= LARGE - piece.height else None
    if isinstance(move, Buy):
        height = KINDS.index(move.kind)
        if height == 0:
            useful = view.hands[seat].seed == 0 and left > LARGE
        else:
            smaller = sum(piece == (seat, height - 1) for piece in view.board)
            useful = view.hands[seat][height] < smaller and left >= LARGE - height
        return (3, height) if useful else None
    if isinstance(move, Plant):
        return (2, LEAVES[move.target], room(view, move.target)) if left > LARGE else None
    return (0,)  # end the turn


def greedy(state: PhotosynthesisState, seat: Seat) -> Move:
    """Collect, grow, buy, plant, in this order; end the turn when nothing more is worth it."""
    view, moves = state.view(seat), state.legal_moves(seat)
    liked = [(value, move) for move in moves if (value := worth(view, seat, move)) is not None]
    return max(liked, key=lambda pair: pair[0])[1]
