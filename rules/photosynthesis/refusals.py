"""Photosynthesis: why an action is illegal. Needed only after the quick check of the action has failed.

Each function returns the exception for the first reason that holds, in the order in which a player would look.
"""

from __future__ import annotations

from rules.core.game import IllegalMove, Refusal
from rules.photosynthesis.packed import BIT
from rules.photosynthesis.position import Position
from rules.photosynthesis.types import BOARD, COLLECTING, KINDS, LEAVES, Buy, Collect, Grow, Hex, Place, Plant, Unable


def out_of_turn(at: Position) -> IllegalMove:
    """Return why the seat, which is not the mover, may not act. Every action checks this first."""
    return IllegalMove(Refusal.GAME_OVER if at.round.outcome else Refusal.OUT_OF_TURN)


def of_placing(at: Position, move: Place) -> IllegalMove:
    """Return why the tree cannot be placed there: not border soil, or not empty, or placing is over (P2)."""
    if at.round.number:
        return IllegalMove(Refusal.NOT_NOW)
    if LEAVES[move.hex] > 1:
        return IllegalMove(Unable.NOT_BORDER, hex=move.hex, leaves=LEAVES[move.hex])
    return IllegalMove(Unable.OCCUPIED, hex=move.hex, kind=KINDS[1])


def of_buying(at: Position, move: Buy) -> IllegalMove:
    """Return why the piece cannot be bought: an empty column or too little light."""
    if not at.round.number:
        return IllegalMove(Unable.PLACE_FIRST)
    price = at.price(move.seat, KINDS.index(move.kind))
    return _too_dear(price, at.light(move.seat)) if price else IllegalMove(Unable.SOLD_OUT, kind=move.kind)


def of_planting(at: Position, move: Plant) -> IllegalMove:
    """Return why the seed cannot be planted (P5, P6, P11)."""
    if not at.round.number:
        return IllegalMove(Unable.PLACE_FIRST)
    bit, target = BIT[move.origin], BIT[move.target]
    if not bit & at.pieces(move.seat) & at.unused:
        return _unusable(at, move.origin)
    reach = at.height(bit)
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
    if not at.in_hand(move.seat).seed:
        return IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[0])
    return _too_dear(1, at.light(move.seat))


def of_growing(at: Position, move: Grow) -> IllegalMove:
    """Return why the piece cannot grow (P5, P7, P11)."""
    if not at.round.number:
        return IllegalMove(Unable.PLACE_FIRST)
    bit = BIT[move.hex]
    if not bit & at.pieces(move.seat) & at.unused:
        return _unusable(at, move.hex)
    height = at.height(bit)
    if height == 3:
        return IllegalMove(Unable.FULL_GROWN, hex=move.hex)
    if at.setup.shade and at.shadowed(bit, height):
        return IllegalMove(Unable.SHADOWED, hex=move.hex, kind=KINDS[height])
    grown = height + 1
    if not at.in_hand(move.seat)[grown]:
        return IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[grown])
    return _too_dear(grown, at.light(move.seat))


def of_collecting(at: Position, move: Collect) -> IllegalMove:
    """Return why the tree cannot be collected (P5, P8)."""
    if not at.round.number:
        return IllegalMove(Unable.PLACE_FIRST)
    bit = BIT[move.hex]
    if not bit & at.pieces(move.seat) & at.unused:
        return _unusable(at, move.hex)
    height = at.height(bit)
    if height < 3:
        return IllegalMove(Unable.NOT_LARGE, hex=move.hex, kind=KINDS[height])
    return _too_dear(COLLECTING, at.light(move.seat))


def _unusable(at: Position, hex_: Hex) -> IllegalMove:
    """Return why the mover may not act on a hex: it already has, or none of its pieces is there."""
    bit = BIT[hex_]
    if not at.unused & bit:
        return IllegalMove(Unable.ACTIVATED, hex=hex_)
    if at.empty & bit:
        return IllegalMove(Unable.NOTHING_THERE, hex=hex_)
    return IllegalMove(Unable.NOT_YOURS, hex=hex_, kind=KINDS[at.height(bit)])


def _too_dear(price: int, light: int) -> IllegalMove:
    return IllegalMove(Unable.TOO_DEAR, price=price, light=light)
