"""Photosynthesis: the board, prices and tokens, reasons for refusing a move, moves and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, NewType, Self

from rules.core.events import PublicEvent
from rules.core.game import Json, Seat
from rules.core.hexes import HexBoard, bits_of
from rules.core.records import json_object

BOARD = HexBoard(3)

Hex = NewType("Hex", str)
"""Row letter and place from the left, such as "D4", the middle."""

HEXES: tuple[Hex, ...] = tuple(map(Hex, BOARD.names))
"""All 37 hexes in the order of views: A1, A2, … G4."""

LEAVES: Mapping[Hex, int] = {hex_: 4 - BOARD.distance("D4", hex_) for hex_ in HEXES}
"""How rich the soil is, 1 to 4."""


def leaves_of(hex_: Hex, seats: int) -> int:
    """Return how rich the soil is among that many players: for 2, the centre counts as soil of 3 leaves."""
    return min(LEAVES[hex_], 3 if seats == 2 else 4)


KINDS = ("seed", "small", "medium", "large")
"""Kinds of pieces; the index of a kind is its height."""

PRICES = ((1, 1, 2, 2), (2, 2, 3, 3), (3, 3, 4), (4, 5))
"""By kind: the prices of a player board's column, bottom to top; the bottom one is bought first."""

PIECES = (6, 8, 4, 2)
"""By kind: the number of a player's pieces in all."""

IN_HAND = (2, 4, 1, 0)
"""By kind: the number of them in hand at the start."""

PILES = (
    (14, 14, 13, 13, 13, 12, 12, 12, 12),
    (17, 16, 16, 14, 14, 13, 13),
    (19, 18, 18, 17, 17),
    (22, 21, 20),
)
"""Scoring tokens by soil, 1 leaf first; of each pile the top one first. Two players play without the last pile."""

MOST_LIGHT = 20
COLLECTING = 4
"""The price of collecting a tree (P8). Planting costs 1 (P6), growing the new height (P7)."""
LIGHT_A_POINT = 3
"""The light left over that is worth one point (P12)."""
ROUNDS_A_REVOLUTION = 6


class Unable(StrEnum):
    """Why an action was refused. A fact `kind` is one of KINDS; `hex` is notation, such as "D4"."""

    PLACE_FIRST = "place_first"
    """Before the first round players only place trees; there is no `end` either (P2)."""
    NOT_BORDER = "not_border"
    """The first trees stand on 1-leaf soil. Facts: `hex`, `leaves`."""
    OCCUPIED = "occupied"
    """A piece stands on the hex to place or plant on. Facts: `hex`, `kind`."""
    SOLD_OUT = "sold_out"
    """The column is empty. Facts: `kind`."""
    NOT_IN_HAND = "not_in_hand"
    """No such piece in hand: a seed to plant, or the next size to grow to. Facts: `kind`."""
    TOO_DEAR = "too_dear"
    """The player has too little light. Facts: `price` and the player's `light`."""
    NOTHING_THERE = "nothing_there"
    """The hex to plant from, grow or collect is empty. Facts: `hex`."""
    NOT_YOURS = "not_yours"
    """It is another player's piece. Facts: `hex`, `kind`."""
    NO_TREE = "no_tree"
    """A seed cannot plant. Facts: `hex`."""
    TOO_FAR = "too_far"
    """The tree does not reach that far (P6). Facts: `hex` (origin), `kind`, `target`, `distance`, `reach`, in steps."""
    ACTIVATED = "activated"
    """The player has acted on the hex this turn (P5). Facts: `hex`."""
    SHADOWED = "shadowed"
    """With `shade`: the piece, or the seed to plant, is shadowed (P11). Facts: `hex`, `kind`."""
    FULL_GROWN = "full_grown"
    """A large tree grows no more. Facts: `hex`."""
    NOT_LARGE = "not_large"
    """Only large trees can be collected (P8). Facts: `hex`, `kind`."""


# Moves.


@dataclass(frozen=True, slots=True)
class Place:
    """Place a small tree from the hand before the first round (P2). "place A1"."""

    seat: Seat
    hex: Hex

    def __str__(self) -> str:
        return f"place {self.hex}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy a piece from the player board into the hand; `kind` is one of KINDS. "buy seed"."""

    seat: Seat
    kind: str

    def __str__(self) -> str:
        return f"buy {self.kind}"


@dataclass(frozen=True, slots=True)
class Plant:
    """Plant a seed from the hand on the target (P6). "plant C3 D5"."""

    seat: Seat
    origin: Hex
    target: Hex

    def __str__(self) -> str:
        return f"plant {self.origin} {self.target}"


@dataclass(frozen=True, slots=True)
class Grow:
    """Make the piece there the next size (P7). "grow D5"."""

    seat: Seat
    hex: Hex

    def __str__(self) -> str:
        return f"grow {self.hex}"


@dataclass(frozen=True, slots=True)
class Collect:
    """Collect the large tree there for a token (P8). "collect D5"."""

    seat: Seat
    hex: Hex

    def __str__(self) -> str:
        return f"collect {self.hex}"


@dataclass(frozen=True, slots=True)
class End:
    """End the turn (P4, P9). "end"."""

    seat: Seat

    def __str__(self) -> str:
        return "end"


Move = Place | Buy | Plant | Grow | Collect | End


# What views and events are made of.


class Piece(NamedTuple):
    """A piece on a hex; `height` 0 is a seed, 1 to 3 a small, medium or large tree."""

    seat: Seat
    height: int

    def to_json(self) -> list[int]:
        """Return [seat, height]."""
        return [*self]


class Pieces(NamedTuple):
    """Numbers of pieces by kind; `pieces[height]` also works."""

    seed: int
    small: int
    medium: int
    large: int

    def to_json(self) -> list[int]:
        """Return the four numbers, seeds first."""
        return [*self]


class Token(NamedTuple):
    """A scoring token: the soil of its pile, 1 to 4 leaves, and its points. (0, 0) if all piles were empty."""

    leaves: int
    points: int

    def to_json(self) -> list[int]:
        """Return [leaves, points]."""
        return [*self]


class _Collection(NamedTuple):
    """The fields in which a `Sunlight` is stored."""

    round: int
    sun: int
    trees: tuple[int, ...]
    """Masks of the small, medium and large trees that were not shadowed."""
    gained: tuple[int, ...]
    """By seat: the light that its trees gave, with the surplus."""
    lost: tuple[int, ...]
    """By seat: the surplus, beyond MOST_LIGHT."""


class Sunlight(_Collection):
    """The light collected at a round's start (P3); `gained` and `lost` have an entry a seat.

    Stored as masks, because computer players collect light far more often than any code reads `earned`.
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
        """Store the trees of `earned`, pairs of hex and light, as masks."""
        light = dict(earned)
        trees = tuple(sum(BOARD.bit[hex_] for hex_ in light if light[hex_] == height) for height in (1, 2, 3))
        return super().__new__(cls, round, sun, trees, gained, lost)

    @property
    def earned(self) -> tuple[tuple[Hex, int], ...]:
        """Every tree that was not shadowed, in the order of HEXES, with the light it gave: 1 to 3."""
        light = {bit: height for height, mask in enumerate(self.trees, 1) for bit in bits_of(mask)}
        return tuple((hex_, light[bit]) for hex_, bit in zip(HEXES, BOARD.bits, strict=True) if bit in light)

    def __getnewargs__(self) -> tuple[int, int, tuple[tuple[Hex, int], ...], tuple[int, ...], tuple[int, ...]]:
        """The arguments of `__new__`, for pickle and copy."""
        return self.round, self.sun, self.earned, self.gained, self.lost

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"Sunlight({told})"

    def to_json(self) -> Json:
        """Return the fields as an object, `earned` as an object of light by hex."""
        return json_object(self) | {"earned": dict(self.earned)}


class Turn(NamedTuple):
    """A finished turn: the notation of its moves in order, with the `end`; before round 1 one placement."""

    seat: Seat
    moves: tuple[str, ...]


# Events. All are open.


@dataclass(frozen=True, slots=True)
class Placed(PublicEvent):
    """A first tree was placed (P2)."""

    seat: Seat
    hex: Hex


@dataclass(frozen=True, slots=True)
class Bought(PublicEvent):
    """A piece was bought for `price` light."""

    seat: Seat
    kind: str
    price: int


@dataclass(frozen=True, slots=True)
class Planted(PublicEvent):
    """A seed was planted for 1 light (P6)."""

    seat: Seat
    origin: Hex
    target: Hex


@dataclass(frozen=True, slots=True)
class Grown(PublicEvent):
    """A piece grew to `height`, which is also its price in light (P7).

    `returned`: the old piece went back to the player board, else it left the game.
    """

    seat: Seat
    hex: Hex
    height: int
    returned: bool


@dataclass(frozen=True, slots=True)
class Collected(PublicEvent):
    """A large tree was collected for a token (P8).

    `leaves` is the soil as it counts; a token of fewer leaves comes from a poorer pile. `returned` as in `Grown`.
    """

    seat: Seat
    hex: Hex
    leaves: int
    token: Token
    returned: bool


@dataclass(frozen=True, slots=True)
class TurnEnded(PublicEvent):
    """The seat ended its turn (P4, P9)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class FirstPlayerPassed(PublicEvent):
    """The first-player token went on: `seat` has it now (P10)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SunMoved(PublicEvent):
    """A round other than the first begins."""

    round: int
    sun: int


class LightCollected(NamedTuple):
    """Light was collected (P3). `light` by seat: what each has now."""

    sunlight: Sunlight
    light: tuple[int, ...]

    def seen_by(self, viewer: Seat | None) -> LightCollected:
        """Return the event itself: it hides nothing."""
        return self


class Final(NamedTuple):
    """A seat's final result (P12): points of its tokens and of its light, and its pieces on the board, for ties."""

    tokens: int
    light: int
    on_board: int


@dataclass(frozen=True, slots=True)
class MatchWon(PublicEvent):
    """The match is over (P12). `seats` are the winners, `finals` is by seat."""

    seats: tuple[Seat, ...]
    finals: tuple[Final, ...]
