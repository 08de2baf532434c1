"""Photosynthesis: what a position is packed into, and the moves and events that are made once.

A set of hexes is a mask of BOARD, a move's hex a mask of one bit, and the numbers of a player's pieces by kind are four
bits each of one integer, seeds lowest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TypeVar

from rules.core import records
from rules.core.game import Event, Seat
from rules.photosynthesis.types import (
    BOARD,
    HEXES,
    KINDS,
    LEAVES,
    MOST_LIGHT,
    PRICES,
    Bought,
    Buy,
    Collect,
    End,
    FirstPlayerPassed,
    Grow,
    Grown,
    Hex,
    Move,
    Pieces,
    Place,
    Plant,
    Planted,
    SunMoved,
    TurnEnded,
)

T = TypeVar("T")

UNITS = (1, 1 << 4, 1 << 8, 1 << 12)
"""One piece of each kind."""
_DEAREST = max(map(max, PRICES))
"""The highest price: more light than that makes no difference to what may be bought."""
FIRST = [0, *(1 << number for number in range(BOARD.all.bit_length()))]
"""By the bit length of a mask: the bit of its first hex."""
ALL = BOARD.all
BIT: Mapping[str, int] = BOARD.bit
NAME = {bit: Hex(name) for bit, name in BOARD.name.items()}
"""Hexes by bit, as BIT is bits by hex."""
BORDER = sum(BIT[hex_] for hex_, leaves in LEAVES.items() if leaves == 1)
SEATS = records.SEATS[:4]
"""As many as can play."""
NONE_LOST = tuple((0,) * seats for seats in range(len(SEATS) + 1))
"""By number of players: that no light was lost, by seat."""


def pack(pieces: Sequence[int]) -> int:
    return sum(number * unit for number, unit in zip(pieces, UNITS, strict=True))


@cache
def unpack(packed: int) -> Pieces:
    """The numbers by kind. There are few hands and player boards, so each is made once."""
    return Pieces(packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12)


NEXT_PRICE = tuple((0, *reversed(column)) for column in PRICES)
"""By kind and how many are on the player board: what the next piece costs; 0 where the column is empty."""


def price_of(kind: int, player_board: int) -> int:
    return NEXT_PRICE[kind][player_board >> 4 * kind & 15]


def shadow_masks(small: int, medium: int, large: int, sun: int) -> tuple[int, int, int]:
    """Masks of where a seed or small tree, a medium and a large tree is shadowed, by the masks of trees.

    There may be bits in them that are no hexes.
    """
    one = BOARD.shifts[sun]
    two = one + one
    if one > 0:
        over_large = large >> one | large >> two | large >> one + two if large else 0
        over_medium = over_large | medium >> one | medium >> two if medium else over_large
        return over_medium | small >> one, over_medium, over_large
    over_large = large << -one | large << -two | large << -one - two if large else 0
    over_medium = over_large | medium << -one | medium << -two if medium else over_large
    return over_medium | small << -one, over_medium, over_large


def lit_trees(small: int, medium: int, large: int, sun: int) -> tuple[int, int, int]:
    """Of the masks of small, medium and large trees those that are not shadowed."""
    over_small, over_medium, over_large = shadow_masks(small, medium, large, sun)
    # Masks have more than one digit of Python's integers: `a ^ a & b` is faster than `a & ~b`.
    return small ^ small & over_small, medium ^ medium & over_medium, large ^ large & over_large


def bits_of(mask: int) -> list[int]:
    """The hexes of a mask, in the order of HEXES."""
    bits = []
    while mask:
        bit = 1 << mask.bit_length() - 1
        bits.append(bit)
        mask ^= bit
    return bits


def has_space(kind: int, player_board: int) -> bool:
    """Whether the player board has a space for the piece (P7)."""
    return player_board >> 4 * kind & 15 < len(PRICES[kind])


def shadow_depths(shadows: tuple[int, int, int]) -> tuple[int, ...]:
    """By hex: over how many of the three heights the shadow lies."""
    return tuple([sum([bool(bit & shadow) for shadow in shadows]) for bit in BOARD.bits])


class _MovesByMask(dict[int, tuple[Move, ...]]):
    """Of the moves to some hexes, in order, those to a mask of them: made when first asked for."""

    def __init__(self, moves: Mapping[int, Move]) -> None:
        super().__init__()
        self._moves = moves

    def __missing__(self, mask: int) -> tuple[Move, ...]:
        self[mask] = moves = tuple([move for bit, move in self._moves.items() if bit & mask])
        return moves


_Groups = tuple[tuple[int, _MovesByMask], ...]
"""Hexes in masks of about as many each, with the moves there."""


def _in_groups(moves: Sequence[tuple[Hex, Move]]) -> _Groups:
    """Of at most seven hexes each. Such a mask has few subsets, so the moves to each of them are soon at hand."""
    number = -(-len(moves) // 7)
    cuts = [len(moves) * part // number for part in range(number + 1)]
    parts = [{BIT[hex_]: move for hex_, move in moves[begin:end]} for begin, end in pairwise(cuts)]
    return tuple((sum(part), _MovesByMask(part)) for part in parts)


def _plants(seat: Seat, origin: Hex) -> tuple[_Groups, _Groups, _Groups]:
    """What is planted one step away, two, and two or three."""
    near, two, three = (
        [(hex_, Plant(seat, origin, hex_)) for hex_ in HEXES if BOARD.distance(origin, hex_) == distance]
        for distance in (1, 2, 3)
    )
    return _in_groups(near), _in_groups(two), _in_groups(two + three)


class _Buys(dict[int, tuple[Move, ...]]):
    """What may be bought with that much light, and `end` after it, by the player board: made when first asked for."""

    def __init__(self, seat: Seat, light: int) -> None:
        super().__init__()
        self._seat, self._light = seat, light

    def __missing__(self, player_board: int) -> tuple[Move, ...]:
        prices = [price_of(kind, player_board) for kind in range(4)]
        buys: list[Move] = [
            Buy(self._seat, kind) for kind, price in zip(KINDS, prices, strict=True) if 0 < price <= self._light
        ]
        self[player_board] = moves = (*buys, ENDS[self._seat])
        return moves


def _by_bit_length(by_bit: Mapping[int, T]) -> tuple[T, ...]:
    """The values of some hexes by the bit lengths of their masks; a value of no meaning where there is no hex."""
    filling = next(iter(by_bit.values()))
    return tuple(by_bit.get(bit, filling) for bit in FIRST)


_BY_BIT = tuple(zip(BOARD.bits, HEXES, strict=True))
PLACES = tuple(_in_groups([(hex_, Place(seat, hex_)) for bit, hex_ in _BY_BIT if bit & BORDER]) for seat in SEATS)
GROWS = tuple(_by_bit_length({bit: Grow(seat, hex_) for bit, hex_ in _BY_BIT}) for seat in SEATS)
COLLECTS = tuple(_MovesByMask({bit: Collect(seat, hex_) for bit, hex_ in _BY_BIT}) for seat in SEATS)
"""By the mask of the trees, of which there are at most two."""
ENDS = tuple(map(End, SEATS))
_BUYS = tuple(tuple(_Buys(seat, light) for light in range(_DEAREST + 1)) for seat in SEATS)
BUYS = tuple(tuple(of[min(light, _DEAREST)] for light in range(MOST_LIGHT + 1)) for of in _BUYS)
"""By seat, light and player board."""
END_ONLY = tuple((end,) for end in ENDS)
ENDED = tuple((TurnEnded(seat),) for seat in SEATS)
_PLANTS = tuple(_by_bit_length({bit: _plants(seat, hex_) for bit, hex_ in _BY_BIT}) for seat in SEATS)
PLANTS_NEAR = tuple(tuple(near[0] for near, _, _ in of) for of in _PLANTS)
PLANTS_FROM_MEDIUM = tuple(tuple(beyond for _, beyond, _ in of) for of in _PLANTS)
PLANTS_FROM_LARGE = tuple(tuple(beyond for _, _, beyond in of) for of in _PLANTS)
"""By seat and the number of the origin's bit: the targets next door, and those beyond for a medium and a large tree."""


def _purchases(kind: int, seat: Seat) -> Mapping[int, tuple[int, tuple[Event, ...]]]:
    """By how many pieces are in the column, in place: the price, 0 where it is empty, and what is bought for it."""
    prices = (0, *reversed(PRICES[kind]))
    return {number * UNITS[kind]: (price, (Bought(seat, KINDS[kind], price),)) for number, price in enumerate(prices)}


PURCHASES = {
    name: (UNITS[kind], 15 * UNITS[kind], tuple(_purchases(kind, seat) for seat in SEATS))
    for kind, name in enumerate(KINDS)
}
"""By kind: one piece of it, the mask of its column, and by seat what may be had there."""
GROWTH = tuple(
    (UNITS[height], 15 * UNITS[height], len(PRICES[height]) * UNITS[height], UNITS[height + 1], 15 * UNITS[height + 1])
    for height in range(3)
)
"""By height: one piece of it, the mask of its column, the same when full; one piece of the next, and its column."""
_OUT_OF_REACH: tuple[int, int, int, tuple[Event, ...]] = (4, 0, 0, ())


def _planted(seat: Seat, origin: Hex, target: Hex) -> tuple[int, int, int, tuple[Event, ...]]:
    """The distance, the bits of both hexes, and what happened; `_OUT_OF_REACH` if no tree can reach that far."""
    distance = BOARD.distance(origin, target)
    return (distance, BIT[origin], BIT[target], (Planted(seat, origin, target),)) if distance < 4 else _OUT_OF_REACH


PLANTED = tuple({one: {other: _planted(seat, one, other) for other in HEXES} for one in HEXES} for seat in SEATS)
GROWN = tuple(
    {hex_: [tuple((Grown(seat, hex_, new, back),) for back in (False, True)) for new in (1, 2, 3)] for hex_ in HEXES}
    for seat in SEATS
)
"""By seat, hex, old height and whether the old piece went back."""


@cache
def sun_moved(number: int, first: Seat) -> tuple[Event, ...]:
    """What precedes the light of a round but the first."""
    return FirstPlayerPassed(first), SunMoved(number, (number - 1) % 6)
