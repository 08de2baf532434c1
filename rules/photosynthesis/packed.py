"""Photosynthesis: the integers that a position is packed into, and moves and events that are made once.

A set of hexes is a mask of BOARD; a move's hex is a mask of one bit. The numbers of a player's pieces by kind are four
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
"""The highest price: with more light a player can buy the same."""
FIRST = [0, *(1 << number for number in range(BOARD.all.bit_length()))]
"""By the bit length of a mask: the bit of its first hex."""
ALL = BOARD.all
BIT: Mapping[str, int] = BOARD.bit
NAME = {bit: Hex(name) for bit, name in BOARD.name.items()}
"""By bit: the hex; the reverse of BIT."""
BORDER = sum(BIT[hex_] for hex_, leaves in LEAVES.items() if leaves == 1)
SEATS = records.SEATS[:4]
"""The seats that this game may have."""
NONE_LOST = tuple((0,) * seats for seats in range(len(SEATS) + 1))
"""By number of players: zeros by seat, for a collection in which no light was lost."""


def pack(pieces: Sequence[int]) -> int:
    """Return the numbers of pieces by kind as one integer."""
    return sum(number * unit for number, unit in zip(pieces, UNITS, strict=True))


@cache
def unpack(packed: int) -> Pieces:
    """Return the numbers by kind. Hands and player boards have few different values, so each is made once."""
    return Pieces(packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12)


NEXT_PRICE = tuple((0, *reversed(column)) for column in PRICES)
"""By kind and number left on the player board: the price of the next piece; 0 if the column is empty."""


def price_of(kind: int, player_board: int) -> int:
    """Return the price of the next piece of the kind on a packed player board; 0 if the column is empty."""
    return NEXT_PRICE[kind][player_board >> 4 * kind & 15]


def shadow_masks(small: int, medium: int, large: int, sun: int) -> tuple[int, int, int]:
    """Return the masks of the hexes on which a seed or small tree, a medium and a large tree are shadowed.

    `small`, `medium` and `large` are masks of the trees. The result may contain bits that are no hexes.
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
    """Return the masks of the small, medium and large trees that are not shadowed."""
    over_small, over_medium, over_large = shadow_masks(small, medium, large, sun)
    # Masks have more than one digit of Python's integers: `a ^ a & b` is faster than `a & ~b`.
    return small ^ small & over_small, medium ^ medium & over_medium, large ^ large & over_large


def shadow_depths(shadows: tuple[int, int, int]) -> tuple[int, ...]:
    """Return, by hex, how many of the three shadows of `shadow_masks` lie on it."""
    return tuple([sum([bool(bit & shadow) for shadow in shadows]) for bit in BOARD.bits])


class _MovesByMask(dict[int, tuple[Move, ...]]):
    """By mask of hexes: the moves to them, in order. Each value is made when it is first looked up."""

    def __init__(self, moves: Mapping[int, Move]) -> None:
        super().__init__()
        self._moves = moves

    def __missing__(self, mask: int) -> tuple[Move, ...]:
        self[mask] = moves = tuple([move for bit, move in self._moves.items() if bit & mask])
        return moves


_Groups = tuple[tuple[int, _MovesByMask], ...]
"""Masks of hexes, about equal in size, each with the moves to them."""


def _in_groups(moves: Sequence[tuple[Hex, Move]]) -> _Groups:
    """Split the moves into parts of at most seven hexes: their masks have few subsets, so most lookups find a value."""
    number = -(-len(moves) // 7)
    cuts = [len(moves) * part // number for part in range(number + 1)]
    parts = [{BIT[hex_]: move for hex_, move in moves[begin:end]} for begin, end in pairwise(cuts)]
    return tuple((sum(part), _MovesByMask(part)) for part in parts)


_STEPS = {one: {other: BOARD.distance(one, other) for other in HEXES} for one in HEXES}
"""The steps from each hex to each."""


def _plants(seat: Seat, origin: Hex) -> tuple[_Groups, _Groups, _Groups]:
    """Return the moves that plant one step away, two steps, and two or three."""
    near, two, three = (
        [(hex_, Plant(seat, origin, hex_)) for hex_, steps in _STEPS[origin].items() if steps == distance]
        for distance in (1, 2, 3)
    )
    return _in_groups(near), _in_groups(two), _in_groups(two + three)


class _Buys(dict[int, tuple[Move, ...]]):
    """By player board: what this much light buys, then `end`. Each value is made when it is first looked up."""

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
    """Return the values by the bit lengths of their hexes' masks. Entries without a hex have a meaningless value."""
    filling = next(iter(by_bit.values()))
    return tuple(by_bit.get(bit, filling) for bit in FIRST)


_BY_BIT = tuple(zip(BOARD.bits, HEXES, strict=True))
PLACES = tuple(_in_groups([(hex_, Place(seat, hex_)) for bit, hex_ in _BY_BIT if bit & BORDER]) for seat in SEATS)
GROWS = tuple(_by_bit_length({bit: Grow(seat, hex_) for bit, hex_ in _BY_BIT}) for seat in SEATS)
COLLECTS = tuple(_MovesByMask({bit: Collect(seat, hex_) for bit, hex_ in _BY_BIT}) for seat in SEATS)
"""By seat and the mask of the large trees, of which a player has at most two."""
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
"""By seat and the number of the origin's bit: targets one step away, and those beyond for medium and large trees."""


def _purchases(kind: int, seat: Seat) -> Mapping[int, tuple[int, tuple[Event, ...]]]:
    """Return, by the column's bits on the player board: the price (0 if it is empty) and the event of buying."""
    prices = (0, *reversed(PRICES[kind]))
    return {number * UNITS[kind]: (price, (Bought(seat, KINDS[kind], price),)) for number, price in enumerate(prices)}


PURCHASES = {
    name: (UNITS[kind], 15 * UNITS[kind], tuple(_purchases(kind, seat) for seat in SEATS))
    for kind, name in enumerate(KINDS)
}
"""By kind: one piece of it, the mask of its column, and by seat what a player can buy there."""
GROWTH = tuple(
    (UNITS[height], 15 * UNITS[height], len(PRICES[height]) * UNITS[height], UNITS[height + 1], 15 * UNITS[height + 1])
    for height in range(3)
)
"""By height: one piece of it, the mask of its column, the same when full; one piece of the next and its column."""
_OUT_OF_REACH: tuple[int, int, int, tuple[Event, ...]] = (4, 0, 0, ())


def _planted(seat: Seat, origin: Hex, target: Hex) -> tuple[int, int, int, tuple[Event, ...]]:
    """Return the distance, the bits of both hexes, and the events; `_OUT_OF_REACH` if no tree can reach that far."""
    distance = _STEPS[origin][target]
    return (distance, BIT[origin], BIT[target], (Planted(seat, origin, target),)) if distance < 4 else _OUT_OF_REACH


PLANTED = tuple({one: {other: _planted(seat, one, other) for other in HEXES} for one in HEXES} for seat in SEATS)
GROWN = tuple(
    {hex_: [tuple((Grown(seat, hex_, new, back),) for back in (False, True)) for new in (1, 2, 3)] for hex_ in HEXES}
    for seat in SEATS
)
"""By seat, hex, old height and whether the old piece went back: the events."""


@cache
def sun_moved(number: int, first: Seat) -> tuple[Event, ...]:
    """Return the events before the light of every round but the first (P3, P10)."""
    return FirstPlayerPassed(first), SunMoved(number, (number - 1) % 6)
