"""Photosynthesis: why a move is illegal. Needed only after the quick check of the move has failed."""

from __future__ import annotations

from rules.core.game import IllegalMove, Refusal
from rules.photosynthesis.packed import BIT, price_of, unpack
from rules.photosynthesis.position import Position
from rules.photosynthesis.types import (
    BOARD,
    COLLECTING,
    KINDS,
    LEAVES,
    Buy,
    Collect,
    End,
    Move,
    Place,
    Plant,
    Unable,
)


def of(at: Position, move: Move) -> IllegalMove:
    """Return the exception for the first reason that holds, in the order in which a player would look for them."""
    if move.seat != at.mover:
        return IllegalMove(Refusal.GAME_OVER if at.round.outcome else Refusal.OUT_OF_TURN)
    if isinstance(move, Place):  # not border soil, or not empty, or placing is over (P2)
        if at.round.number:
            return IllegalMove(Refusal.NOT_NOW)
        if LEAVES[move.hex] > 1:
            return IllegalMove(Unable.NOT_BORDER, hex=move.hex, leaves=LEAVES[move.hex])
        return IllegalMove(Unable.OCCUPIED, hex=move.hex, kind=KINDS[1])
    if not at.round.number or isinstance(move, End):
        return IllegalMove(Unable.PLACE_FIRST)
    pieces, light, hand, player_board = at.players[move.seat]
    if isinstance(move, Buy):
        price = price_of(KINDS.index(move.kind), player_board)
        return _too_dear(price, light) if price else IllegalMove(Unable.SOLD_OUT, kind=move.kind)
    hex_ = move.origin if isinstance(move, Plant) else move.hex
    bit = BIT[hex_]
    if not bit & at.unused:
        return IllegalMove(Unable.ACTIVATED, hex=hex_)
    if bit & at.empty:
        return IllegalMove(Unable.NOTHING_THERE, hex=hex_)
    height = at.height(bit)
    if not bit & pieces:
        return IllegalMove(Unable.NOT_YOURS, hex=hex_, kind=KINDS[height])
    if isinstance(move, Plant):
        return _of_planting(at, move, height)
    if isinstance(move, Collect):  # P8
        return (
            _too_dear(COLLECTING, light) if height == 3 else IllegalMove(Unable.NOT_LARGE, hex=hex_, kind=KINDS[height])
        )
    if height == 3:
        return IllegalMove(Unable.FULL_GROWN, hex=hex_)
    if at.setup.shade and at.shadowed(bit, height):
        return IllegalMove(Unable.SHADOWED, hex=hex_, kind=KINDS[height])
    if not unpack(hand)[height + 1]:
        return IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[height + 1])
    return _too_dear(height + 1, light)


def _of_planting(at: Position, move: Plant, reach: int) -> IllegalMove:
    """Return why a tree of that height does not plant its seed there (P5, P6, P11)."""
    target, (_, light, hand, _) = BIT[move.target], at.players[move.seat]
    if not reach:
        return IllegalMove(Unable.NO_TREE, hex=move.origin)
    if not target & at.empty:
        return IllegalMove(Unable.OCCUPIED, hex=move.target, kind=KINDS[at.height(target)])
    if not target & at.unused:
        return IllegalMove(Unable.ACTIVATED, hex=move.target)
    distance = BOARD.distance(move.origin, move.target)
    if distance > reach:
        facts = {"hex": move.origin, "kind": KINDS[reach], "target": move.target}
        return IllegalMove(Unable.TOO_FAR, **facts, distance=distance, reach=reach)
    if at.setup.shade and at.shadowed(target, 0):
        return IllegalMove(Unable.SHADOWED, hex=move.target, kind=KINDS[0])
    if not unpack(hand).seed:
        return IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[0])
    return _too_dear(1, light)


def _too_dear(price: int, light: int) -> IllegalMove:
    return IllegalMove(Unable.TOO_DEAR, price=price, light=light)
