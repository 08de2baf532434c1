"""Photosynthesis: the board, numbers, reasons, moves and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, NewType, Self

from rules.core.events import PublicEvent
from rules.core.game import Json, Seat
from rules.core.hexes import HexBoard
from rules.core.records import json_object

BOARD = HexBoard(3)

Hex = NewType("Hex", str)
"""Row letter and place from the left: "D4" is the middle."""

HEXES: tuple[Hex, ...] = tuple(map(Hex, BOARD.names))
"""All 37 in the order of views: A1, A2, … G4."""

LEAVES: Mapping[Hex, int] = {hex_: 4 - BOARD.distance("D4", hex_) for hex_ in HEXES}
"""How rich the soil is, 1 to 4."""

KINDS = ("seed", "small", "medium", "large")
"""Kinds of pieces; a kind's place here is its height."""

PRICES = ((1, 1, 2, 2), (2, 2, 3, 3), (3, 3, 4), (4, 5))
"""By kind: the prices of a player board's column, bottom to top, so that the first is bought first."""

PIECES = (6, 8, 4, 2)
"""By kind: how many a player has in all."""

IN_HAND = (2, 4, 1, 0)
"""By kind: how many of them are in hand at the start."""

PILES = (
    (14, 14, 13, 13, 13, 12, 12, 12, 12),
    (17, 16, 16, 14, 14, 13, 13),
    (19, 18, 18, 17, 17),
    (22, 21, 20),
)
"""Scoring tokens by soil, 1 leaf first; of each pile the top one first. Two players play without the last pile."""

MOST_LIGHT = 20
COLLECTING = 4
"""What it costs to collect a tree. Planting costs 1, growing the new height."""
LIGHT_A_POINT = 3
"""Light left over that is worth a point."""
ROUNDS_A_REVOLUTION = 6


class Unable(StrEnum):
    """Why an action was refused. A fact `kind` is one of KINDS; `hex` is notation, "D4"."""

    PLACE_FIRST = "place_first"
    """Before the first round there is nothing but placing, no `end` either (P2)."""
    NOT_BORDER = "not_border"
    """The first trees stand on 1-leaf soil. Facts: `hex`, `leaves`."""
    OCCUPIED = "occupied"
    """Something stands on the hex to place or plant on. Facts: `hex`, `kind`."""
    SOLD_OUT = "sold_out"
    """The column is empty. Facts: `kind`."""
    NOT_IN_HAND = "not_in_hand"
    """No such piece in hand: a seed to plant, or the next size to grow to. Facts: `kind`."""
    TOO_DEAR = "too_dear"
    """Facts: `price`, what it costs; `light`, what the player has."""
    NOTHING_THERE = "nothing_there"
    """The hex to plant from, grow or collect is empty. Facts: `hex`."""
    NOT_YOURS = "not_yours"
    """Somebody else's piece. Facts: `hex`, `kind`."""
    NO_TREE = "no_tree"
    """A seed cannot plant. Facts: `hex`."""
    TOO_FAR = "too_far"
    """Facts: `hex` (the origin), `kind`, `target`, `distance` and `reach`, in steps (P6)."""
    ACTIVATED = "activated"
    """The player has acted on the hex this turn (P5). Facts: `hex`."""
    SHADOWED = "shadowed"
    """With `shade`: what stands there, or the seed that would, is shadowed (P11). Facts: `hex`, `kind`."""
    FULL_GROWN = "full_grown"
    """A large tree grows no more. Facts: `hex`."""
    NOT_LARGE = "not_large"
    """Only large trees are collected. Facts: `hex`, `kind`."""


# Moves.


@dataclass(frozen=True, slots=True)
class Place:
    """Before the first round: a small tree from the hand (P2). "place A1"."""

    seat: Seat
    hex: Hex

    def __str__(self) -> str:
        return f"place {self.hex}"


@dataclass(frozen=True, slots=True)
class Buy:
    """A piece from the player board to the hand; `kind` is one of KINDS. "buy seed"."""

    seat: Seat
    kind: str

    def __str__(self) -> str:
        return f"buy {self.kind}"


@dataclass(frozen=True, slots=True)
class Plant:
    """A seed from the hand to the target (P6). "plant C3 D5"."""

    seat: Seat
    origin: Hex
    target: Hex

    def __str__(self) -> str:
        return f"plant {self.origin} {self.target}"


@dataclass(frozen=True, slots=True)
class Grow:
    """The piece there becomes the next size (P7). "grow D5"."""

    seat: Seat
    hex: Hex

    def __str__(self) -> str:
        return f"grow {self.hex}"


@dataclass(frozen=True, slots=True)
class Collect:
    """The large tree there for a token (P8). "collect D5"."""

    seat: Seat
    hex: Hex

    def __str__(self) -> str:
        return f"collect {self.hex}"


@dataclass(frozen=True, slots=True)
class End:
    """The turn is over (P4, P9). "end"."""

    seat: Seat

    def __str__(self) -> str:
        return "end"


Move = Place | Buy | Plant | Grow | Collect | End


# What views and events are made of.


class Piece(NamedTuple):
    """What stands on a hex; `height` 0 is a seed, 1 to 3 a small, medium or large tree."""

    seat: Seat
    height: int

    def to_json(self) -> list[int]:
        return [*self]


class Pieces(NamedTuple):
    """How many of each kind; `pieces[height]` is as good as the name."""

    seed: int
    small: int
    medium: int
    large: int

    def to_json(self) -> list[int]:
        return [*self]


class Token(NamedTuple):
    """A scoring token: the pile it lay on, 1 to 4 leaves, and its worth. Taken from an empty pile: (0, 0)."""

    leaves: int
    points: int

    def to_json(self) -> list[int]:
        return [*self]


class _Collection(NamedTuple):
    """What a `Sunlight` is kept as."""

    round: int
    sun: int
    trees: tuple[int, ...]
    """Masks of the small, medium and large trees that were not shadowed."""
    gained: tuple[int, ...]
    """What the seat's trees gave, the surplus included."""
    lost: tuple[int, ...]
    """How much of that was beyond MOST_LIGHT."""


class Sunlight(_Collection):
    """Light as it was collected at a round's start; `gained` and `lost` have an entry a seat.

    Computer players collect light far more often than anybody asks which trees gave it: `earned` is worked out then.
    """

    __slots__ = ()
    _fields = __match_args__ = ("round", "sun", "earned", "gained", "lost")

    def __new__(
        cls,
        round: int,  # noqa: A002 -- a named tuple is made by the names of its fields
        sun: int,
        earned: Iterable[tuple[Hex, int]],
        gained: tuple[int, ...],
        lost: tuple[int, ...],
    ) -> Self:
        light = dict(earned)
        trees = tuple(sum(BOARD.bit[hex_] for hex_ in light if light[hex_] == height) for height in (1, 2, 3))
        return super().__new__(cls, round, sun, trees, gained, lost)

    @property
    def earned(self) -> tuple[tuple[Hex, int], ...]:
        """Every tree that was not shadowed, in the order of HEXES, with the light it gave: 1 to 3."""
        light = {hex_: height for height, mask in enumerate(self.trees, 1) for hex_ in BOARD.hexes(mask)}
        return tuple((hex_, light[hex_]) for hex_ in HEXES if hex_ in light)

    def __getnewargs__(self) -> tuple[int, int, tuple[tuple[Hex, int], ...], tuple[int, ...], tuple[int, ...]]:
        """What `__new__` takes, so that it pickles and copies."""
        return self.round, self.sun, self.earned, self.gained, self.lost

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"Sunlight({told})"

    def to_json(self) -> Json:
        return json_object(self) | {"earned": dict(self.earned)}


class Turn(NamedTuple):
    """A finished turn: the notation of its moves in order, the `end` included; before round 1 a placement alone."""

    seat: Seat
    moves: tuple[str, ...]


# Events. Everybody sees all of each.


@dataclass(frozen=True, slots=True)
class Placed(PublicEvent):
    seat: Seat
    hex: Hex


@dataclass(frozen=True, slots=True)
class Bought(PublicEvent):
    seat: Seat
    kind: str
    price: int


@dataclass(frozen=True, slots=True)
class Planted(PublicEvent):
    seat: Seat
    origin: Hex
    target: Hex


@dataclass(frozen=True, slots=True)
class Grown(PublicEvent):
    """A piece grew to `height`, which is also what it cost. `returned`: the old one went back to the player board,
    else it left the game (P7)."""

    seat: Seat
    hex: Hex
    height: int
    returned: bool


@dataclass(frozen=True, slots=True)
class Collected(PublicEvent):
    """A large tree was felled for a token. `leaves` of the soil; a token of fewer leaves is one of a poorer pile.

    `returned` as in `Grown`.
    """

    seat: Seat
    hex: Hex
    leaves: int
    token: Token
    returned: bool


@dataclass(frozen=True, slots=True)
class TurnEnded(PublicEvent):
    seat: Seat


@dataclass(frozen=True, slots=True)
class FirstPlayerPassed(PublicEvent):
    """The token went on: `seat` has it now (P10)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SunMoved(PublicEvent):
    """A round other than the first begins."""

    round: int
    sun: int


class LightCollected(NamedTuple):
    """`light` by seat: what each has now (P3)."""

    sunlight: Sunlight
    light: tuple[int, ...]

    def seen_by(self, viewer: Seat | None) -> LightCollected:
        return self


class Final(NamedTuple):
    """What a seat ended with: points of its tokens, of its light, and pieces on the board, which break ties."""

    tokens: int
    light: int
    on_board: int


@dataclass(frozen=True, slots=True)
class MatchWon(PublicEvent):
    """`finals` by seat."""

    seats: tuple[Seat, ...]
    finals: tuple[Final, ...]
