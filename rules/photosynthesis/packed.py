"""Photosynthesis: what a position is packed into, and the moves and events that are made once.

A set of hexes is a mask of BOARD, a move's hex a mask of one bit, and the numbers of a player's pieces by kind are four
bits each of one integer, seeds lowest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from rules.core import facts
from rules.core.game import Event, Seat
from rules.photosynthesis.facts import (
    BOARD,
    HEXES,
    KINDS,
    LEAVES,
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

UNITS = (1, 1 << 4, 1 << 8, 1 << 12)
"""One piece of each kind."""
DEAREST = max(map(max, PRICES))
"""The highest price."""
FIRST = [0, *(1 << number for number in range(BOARD.all.bit_length()))]
"""By the bit length of a mask: the bit of its first hex."""
BIT: Mapping[str, int] = BOARD.bit
NAME = {bit: Hex(name) for bit, name in BOARD.name.items()}
"""Hexes by bit, as BIT is bits by hex."""
BORDER = sum(BIT[hex_] for hex_, leaves in LEAVES.items() if leaves == 1)
SEATS = facts.SEATS[:4]
"""As many as can play."""


def pack(pieces: Sequence[int]) -> int:
    return sum(number * unit for number, unit in zip(pieces, UNITS, strict=True))


def unpack(packed: int) -> Pieces:
    return Pieces(packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12)


NEXT_PRICE = tuple((0, *reversed(column)) for column in PRICES)
"""By kind and how many are on the player board: what the next piece costs; 0 where the column is empty."""


def price_of(kind: int, player_board: int) -> int:
    return NEXT_PRICE[kind][player_board >> 4 * kind & 15]


def shades(small: int, medium: int, large: int, sun: int) -> tuple[int, int, int]:
    """Masks of the hexes where a seed or small tree, a medium and a large tree is shadowed, by the masks of trees."""
    left, right = BOARD.shifts[sun]
    everywhere = BOARD.all
    tall = medium | large
    # A shadow goes on by a step wherever a tree of that step's reach joins it.
    third = large << left >> right & everywhere
    over_medium = (tall | third) << left >> right & everywhere
    return (
        (small | tall | over_medium) << left >> right & everywhere,
        (tall | over_medium) << left >> right & everywhere,
        (large | (large | third) << left >> right & everywhere) << left >> right & everywhere,
    )


def lit(small: int, medium: int, large: int, sun: int) -> tuple[int, int, int]:
    """Of the masks of small, medium and large trees those that are not shadowed."""
    over_small, over_medium, over_large = shades(small, medium, large, sun)
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


def depths(shadows: tuple[int, int, int]) -> tuple[int, ...]:
    """By hex: over how many of the three heights the shadow lies."""
    return tuple([sum([bool(bit & shadow) for shadow in shadows]) for bit in BOARD.bits])


class _Targets(dict[int, tuple[Move, ...]]):
    """The moves that plant from one hex, by the mask of the targets: made when first asked for."""

    def __init__(self, plants: Mapping[int, Move]) -> None:
        super().__init__()
        self._plants = plants

    def __missing__(self, targets: int) -> tuple[Move, ...]:
        self[targets] = moves = tuple([self._plants[bit] for bit in bits_of(targets)])
        return moves


def _plants(seat: Seat, origin: Hex) -> list[tuple[int, _Targets]]:
    """The hexes within three steps in masks of at most six, with the moves there: one at 1, two at 2, three at 3.

    Such a mask has few subsets, so the moves to each of them are soon at hand.
    """
    rings = [[hex_ for hex_ in HEXES if BOARD.distance(origin, hex_) == distance] for distance in (1, 2, 3)]
    parts = []
    for distance, ring in enumerate(rings, 1):
        for part in range(distance):
            plants = {BIT[hex_]: Plant(seat, origin, hex_) for hex_ in ring[6 * part : 6 * part + 6]}
            parts.append((sum(plants), _Targets(plants)))
    return parts


def _buys(seat: Seat, light: int) -> tuple[Mapping[int, tuple[Move, ...]], Mapping[int, tuple[Move, ...]]]:
    """What may be bought with that much light, by the seeds and small trees on the player board.

    The second of the two is by the other trees, and has `end` after them.
    """

    def of(packed: int, kinds: Sequence[int]) -> tuple[Move, ...]:
        return tuple([Buy(seat, KINDS[kind]) for kind in kinds if 0 < price_of(kind, packed) <= light])

    low = [seeds + small * UNITS[1] for seeds in range(5) for small in range(5)]
    high = [medium + large * UNITS[1] for medium in range(4) for large in range(3)]
    return (
        {packed: of(packed, (0, 1)) for packed in low},
        {packed: (*of(packed << 8, (2, 3)), ENDS[seat]) for packed in high},
    )


_BY_BIT = tuple(zip(BOARD.bits, HEXES, strict=True))
PLACES = tuple({bit: Place(seat, hex_) for bit, hex_ in _BY_BIT} for seat in SEATS)
GROWS = tuple({bit.bit_length(): Grow(seat, hex_) for bit, hex_ in _BY_BIT} for seat in SEATS)
COLLECTS = tuple({bit: Collect(seat, hex_) for bit, hex_ in _BY_BIT} for seat in SEATS)
ENDS = tuple(map(End, SEATS))
BUYS = tuple(tuple(_buys(seat, light) for light in range(DEAREST + 1)) for seat in SEATS)
"""By seat and light, of which more than DEAREST makes no difference."""
END_ONLY = tuple((end,) for end in ENDS)
ENDED = tuple((TurnEnded(seat),) for seat in SEATS)
REACH = {bit: tuple(BOARD.within(hex_, height) for height in range(4)) for bit, hex_ in _BY_BIT}
"""By hex and height of the tree on it: where a seed may go."""
_PLANTS = tuple({bit.bit_length(): _plants(seat, hex_) for bit, hex_ in _BY_BIT} for seat in SEATS)
NEAR = tuple({number: parts[0] for number, parts in of.items()} for of in _PLANTS)
FAR = tuple({number: parts[1:] for number, parts in of.items()} for of in _PLANTS)
"""By seat and the number of the origin's bit: the targets at distance 1; those beyond, two masks from a medium tree."""

BOUGHT = tuple(
    tuple({price: (Bought(seat, kind, price),) for price in column} for kind, column in zip(KINDS, PRICES, strict=True))
    for seat in SEATS
)
PLANTED = tuple(
    {
        origin: {target: (Planted(seat, origin, target),) for target in HEXES if BOARD.distance(origin, target) < 4}
        for origin in HEXES
    }
    for seat in SEATS
)
GROWN = tuple(
    {
        hex_: [((Grown(seat, hex_, height, False),), (Grown(seat, hex_, height, True),)) for height in range(4)]
        for hex_ in HEXES
    }
    for seat in SEATS
)


@cache
def sun_moved(number: int, first: Seat) -> tuple[Event, ...]:
    """What precedes the light of a round but the first."""
    return FirstPlayerPassed(first), SunMoved(number, (number - 1) % 6)
