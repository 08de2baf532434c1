"""Photosynthesis: plant, grow and fell trees by the light that other trees leave them. 2 to 4 players.

The board has 37 hexes in rows A to G (rules.core.hexes), D4 in the middle: soil of 4 leaves there, then rings of 3, 2
and 1 leaves. The sun stands at one of six corners, 0 to 5, clockwise: W, NW, NE, E, SE, SW; its light travels the other
way. A player has 6 seeds, 8 small, 4 medium and 2 large trees. Those in hand may be put on the board; the rest is
bought first, from the player's own board, the cheapest of each column first.

Setup. In seat order each places a small tree on the border, then a second; that is a whole turn (P2).

A round. First the sun moves a corner on, save in round 1, and every tree that is not shadowed gives its owner as much
light as it is high, 1 to 3. More than 20 light is lost (P3). A tree of height h shades h hexes behind it; a piece is
shadowed where a tree at least as high as itself does so, whatever stands between and whoever owns it. Then each takes a
turn, beginning with the first player, whose token goes one seat on after the round (P10).

A turn is any number of actions, then `end` (P4):

- buy a piece for its column's price;
- plant for 1 light: a seed from the hand, at most as many steps from an own tree as that is high, however the way bends
  and whatever stands on it (P6);
- grow for 1, 2 or 3 light: a piece becomes the next size, which must be in hand. The old one goes back to the player
  board, or out of the game if its column is full (P7);
- collect for 4 light: an own large tree goes back likewise, and its player takes the top token of the soil's pile, or
  of the next poorer one that has any. With none left it is worth nothing. With two players the middle counts as
  3-leaf soil (P8).

No hex is acted on twice in a turn: both of planting, that of growing and collecting (P5). Until `end` all of it may be
taken back, as nothing in it is hidden or left to chance.

The match lasts 18 rounds, with `revolutions` 4 it is 24. The sum of the tokens and 1 for every 3 light wins; of equals
who has more pieces, seeds too, on the board; still equal is a shared win (P12). With `shade` nothing is planted or
grown where it is, at that moment, shadowed (P11).

There is no chance and nothing is hidden: everybody sees all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple, NewType, TypeVar

from rules.core.events import Open
from rules.core.game import Event, Game, IllegalMove, Json, Option, Outcome, Refusal, Seat, chosen_options
from rules.core.hexes import HexBoard

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


class Pieces(NamedTuple):
    """How many of each kind; `pieces[height]` is as good as the name."""

    seed: int
    small: int
    medium: int
    large: int


class Token(NamedTuple):
    """A scoring token: the pile it lay on, 1 to 4 leaves, and its worth. Taken from an empty pile: (0, 0)."""

    leaves: int
    points: int


class Sunlight(NamedTuple):
    """Light as it was collected at a round's start; `gained` and `lost` have an entry a seat."""

    round: int
    sun: int
    earned: tuple[tuple[Hex, int], ...]
    """Every tree that was not shadowed, in the order of HEXES, with the light it gave: 1 to 3."""
    gained: tuple[int, ...]
    """What the seat's trees gave, the surplus included."""
    lost: tuple[int, ...]
    """How much of that was beyond MOST_LIGHT."""


class Turn(NamedTuple):
    """A finished turn: the notation of its moves in order, the `end` included; before round 1 a placement alone."""

    seat: Seat
    moves: tuple[str, ...]


class PhotosynthesisView(NamedTuple):
    """All there is, for nothing is hidden. Tuples "by seat" have an entry a seat, "by hex" 37 in the order of HEXES."""

    viewer: Seat | None
    seats: int
    revolutions: int
    """The option: 3 or 4."""
    shade: bool
    """The option: nothing is planted or grown where it is shadowed (P11)."""
    round: int
    """1 for the first, 0 before it, while the first trees are placed."""
    rounds: int
    """18 or 24."""
    sun: int
    """0 to 5, clockwise from W. Light travels from there."""
    next_sun: int | None
    """Where it stands when light is collected next; None in the last round."""
    first: Seat
    """Who holds the first-player token."""
    to_move: Seat | None
    board: tuple[Piece | None, ...]
    """By hex."""
    shadow: tuple[int, ...]
    """By hex: 0 lit; 1 a seed or small tree there is or would be shadowed; 2 a medium one too; 3 whatever it is."""
    next_shadow: tuple[int, ...]
    """The same for the next collection of light if the board stays as it is; () in the last round."""
    light: tuple[int, ...]
    """By seat: what there is to spend."""
    forecast: tuple[int, ...]
    """By seat: what its trees would give at the next collection if the board stays as it is; () in the last round."""
    hands: tuple[Pieces, ...]
    """By seat: what may be placed, planted and grown without buying."""
    player_boards: tuple[Pieces, ...]
    """By seat: what is for sale."""
    prices: tuple[tuple[int | None, ...], ...]
    """By seat and kind: the price of the next piece; None where the column is empty."""
    discarded: tuple[Pieces, ...]
    """By seat: what has left the game."""
    piles: tuple[tuple[int, ...], ...]
    """The tokens left by soil, 1 leaf first; of each pile the top one first."""
    tokens: tuple[tuple[Token, ...], ...]
    """By seat: those taken, in order, worthless ones included."""
    turn: tuple[str, ...]
    """The actions of the turn under way, in order."""
    activated: tuple[Hex, ...]
    """Where the seat to move has acted in this turn (P5), in the order of HEXES."""
    sunlight: Sunlight | None
    """The last collection of light; None before round 1."""
    last_turn: Turn | None
    """The last finished turn, or placement."""
    scores: tuple[int, ...]
    """By seat: what the match would end with if it ended now (P12)."""
    on_board: tuple[int, ...]
    """By seat: pieces on the board, which break ties (P12)."""
    outcome: Outcome | None

    def at(self, hex_: str) -> Piece | None:
        """What stands there. ValueError for what is no hex."""
        return self.board[BOARD.names.index(hex_)]

    def to_json(self) -> Json:
        """All of it as plain data; what is by hex is an object of the hexes where there is something."""
        return {name: _plain(value) for name, value in self._asdict().items()} | {
            "board": {hex_: list(piece) for hex_, piece in zip(HEXES, self.board, strict=True) if piece},
            **{name: {hex_: n for hex_, n in zip(HEXES, getattr(self, name), strict=False) if n} for name in _BY_HEX},
        }


_BY_HEX = ("shadow", "next_shadow")


def _plain(value: Any) -> Any:
    """The value with facts as objects and tuples as lists."""
    if isinstance(value, Outcome):
        return value.to_json()
    if isinstance(value, Sunlight):
        return {**value._asdict(), "earned": dict(value.earned), "gained": [*value.gained], "lost": [*value.lost]}
    if isinstance(value, Turn):
        return {"seat": value.seat, "moves": list(value.moves)}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


# Events. Everybody sees all of each.


@dataclass(frozen=True, slots=True)
class Placed(Open):
    seat: Seat
    hex: Hex


@dataclass(frozen=True, slots=True)
class Bought(Open):
    seat: Seat
    kind: str
    price: int


@dataclass(frozen=True, slots=True)
class Planted(Open):
    seat: Seat
    origin: Hex
    target: Hex


@dataclass(frozen=True, slots=True)
class Grown(Open):
    """A piece grew to `height`, which is also what it cost. `returned`: the old one went back to the player board,
    else it left the game (P7)."""

    seat: Seat
    hex: Hex
    height: int
    returned: bool


@dataclass(frozen=True, slots=True)
class Collected(Open):
    """A large tree was felled for a token. `leaves` of the soil; a token of fewer leaves is one of a poorer pile.

    `returned` as in `Grown`.
    """

    seat: Seat
    hex: Hex
    leaves: int
    token: Token
    returned: bool


@dataclass(frozen=True, slots=True)
class TurnEnded(Open):
    seat: Seat


@dataclass(frozen=True, slots=True)
class FirstPlayerPassed(Open):
    """The token went on: `seat` has it now (P10)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SunMoved(Open):
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
class MatchWon(Open):
    """`finals` by seat."""

    seats: tuple[Seat, ...]
    finals: tuple[Final, ...]


# Inside a State a set of hexes is a mask of BOARD, a move's hex a mask of one bit, and the numbers of a player's pieces
# by kind are four bits each of one integer, seeds lowest. What a move may create is made once, here or on first use.

_UNITS = (1, 1 << 4, 1 << 8, 1 << 12)
"""One piece of each kind."""
_DEAREST = max(map(max, PRICES))
_FIRST = [0, *(1 << number for number in range(BOARD.all.bit_length()))]
"""By the bit length of a mask: the bit of its first hex."""
_BIT: Mapping[str, int] = BOARD.bit
_HEX = {bit: Hex(name) for bit, name in BOARD.name.items()}
_BORDER = sum(_BIT[hex_] for hex_, leaves in LEAVES.items() if leaves == 1)
_SEATS = tuple(map(Seat, range(4)))
_ONLY: Mapping[Seat | None, frozenset[Seat]] = {None: frozenset(), **{seat: frozenset([seat]) for seat in _SEATS}}

T = TypeVar("T")
_make = tuple.__new__
"""`_make(State, fields)` is `State(*fields)` in half the time; the fields must be complete and in order."""


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with another one in that place."""
    changed = [*items]
    changed[at] = item
    return tuple(changed)


def _packed(pieces: Sequence[int]) -> int:
    return sum(number * unit for number, unit in zip(pieces, _UNITS, strict=True))


def _pieces(packed: int) -> Pieces:
    return Pieces(packed & 15, packed >> 4 & 15, packed >> 8 & 15, packed >> 12)


_NEXT_PRICE = tuple((0, *reversed(column)) for column in PRICES)
"""By kind and how many are on the player board: what the next piece costs; 0 where the column is empty."""


def _price(kind: int, player_board: int) -> int:
    return _NEXT_PRICE[kind][player_board >> 4 * kind & 15]


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


class Setup(NamedTuple):
    """What holds for the whole match."""

    seats: int
    revolutions: int
    shade: bool
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # never the seed: a repr may reach a log


class Round(NamedTuple):
    """What holds from one round's beginning to the next, and what collecting trees changes."""

    number: int
    first: Seat
    piles: tuple[tuple[int, ...], ...]
    tokens: tuple[tuple[Token, ...], ...]
    sunlight: Sunlight | None
    outcome: Outcome | None


Player = tuple[int, int, int, int]
"""A seat's pieces on the board (a mask), its light, its hand and its player board. Plain, as every move makes one."""


class PhotosynthesisState(NamedTuple):
    """A position. `to_json` shows its shape; a view has all of it."""

    setup: Setup
    round: Round
    ply: int
    mover: Seat | None
    players: tuple[Player, ...]
    heights: tuple[int, ...]
    """Masks of seeds, small, medium and large trees, whosever they are."""
    empty: int
    """Mask of the hexes where nothing stands."""
    unused: int
    """Mask of the hexes that the mover has not acted on in this turn (P5)."""
    done: tuple[Move, ...]
    """The mover's actions in this turn."""
    last: tuple[Move, ...]
    """The moves of the last finished turn, or the last placement."""

    def to_move(self) -> frozenset[Seat]:
        return _ONLY[self.mover]

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Collect, grow, plant (next door first), buy, end; each in the order of HEXES, planting by origins."""
        setup, round_, _, mover, players, heights, empty, unused, _, _ = self
        if seat != mover:
            return ()
        pieces, light, hand, player_board = players[seat]
        if not light:  # as before round 1
            return _END_ONLY[seat] if round_.number else self._places(seat)
        seeds, small, medium, large = heights
        usable = pieces & unused
        growing = seeds & usable if hand & 0xF0 else 0
        if hand & 0xF00 and light > 1:
            growing |= small & usable
        if hand > 0xFFF and light > 2:
            growing |= medium & usable
        shaded = 0
        if setup.shade:
            shaded, over_medium, _ = shades(small, medium, large, self.sun)
            growing ^= growing & (shaded & (seeds | small) | over_medium & medium)
        moves: list[Move] = []
        if light >= COLLECTING and (collecting := large & usable):
            moves += [_COLLECTS[seat][bit] for bit in _bits(collecting)]
        grows = _GROWS[seat]
        while growing:
            number = growing.bit_length()
            growing ^= _FIRST[number]
            moves.append(grows[number])
        if hand & 15:
            empty &= unused
            if shaded:
                empty ^= empty & shaded
            origins, near, far = usable ^ usable & seeds, _NEAR[seat], _FAR[seat]
            tall = origins ^ origins & small
            while origins:
                number = origins.bit_length()
                origins ^= _FIRST[number]
                mask, moves_to = near[number]
                moves += moves_to[empty & mask]
            while tall:
                number = tall.bit_length()
                bit = _FIRST[number]
                tall ^= bit
                for mask, moves_to in far[number][: 2 if bit & medium else 5]:
                    moves += moves_to[empty & mask]
        low_columns, high_columns = _BUYS[seat][light if light < _DEAREST else _DEAREST]
        moves += low_columns[player_board & 0xFF]
        moves += high_columns[player_board >> 8]
        return tuple(moves)

    def _places(self, seat: Seat) -> tuple[Move, ...]:
        return tuple([_PLACES[seat][bit] for bit in _bits(_BORDER & self.empty)])

    def apply(self, move: Move) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """The position after the move, and what happened. Raises IllegalMove."""
        if move.seat != self.mover:
            raise IllegalMove(Refusal.GAME_OVER if self.round.outcome else Refusal.OUT_OF_TURN)
        kind = type(move)
        if not self.round.number and kind is not Place:
            raise IllegalMove(Unable.PLACE_FIRST)
        return _ACTIONS[kind](self, move)

    @property
    def sun(self) -> int:
        """Where the sun stands: 0 before the first round."""
        return max(self.round.number - 1, 0) % 6

    def _height(self, bit: int) -> int:
        """Of the piece on a hex that is not empty."""
        _, small, medium, large = self.heights
        return 1 if bit & small else 2 if bit & medium else 3 if bit & large else 0

    def _shades(self, sun: int) -> tuple[int, int, int]:
        _, small, medium, large = self.heights
        return shades(small, medium, large, sun)

    def _shadowed(self, bit: int, height: int) -> bool:
        """Whether a piece of this height is, or on an empty hex would be, shadowed now (P11)."""
        return bool(self._shades(self.sun)[max(height - 1, 0)] & bit)

    def _unusable(self, hex_: Hex) -> IllegalMove:
        """Why the mover may not act on a hex: it has, or its own piece is not there."""
        bit = _BIT[hex_]
        if not self.unused & bit:
            return IllegalMove(Unable.ACTIVATED, hex=hex_)
        if self.empty & bit:
            return IllegalMove(Unable.NOTHING_THERE, hex=hex_)
        return IllegalMove(Unable.NOT_YOURS, hex=hex_, kind=KINDS[self._height(bit)])

    def _acted(
        self, move: Move, player: Player, heights: tuple[int, ...], empty: int, bits: int
    ) -> PhotosynthesisState:
        """The position after an action of the mover on these hexes."""
        setup, round_, ply, mover, players, _, _, unused, done, last = self
        now = [*players]
        now[move.seat] = player
        fields = (setup, round_, ply + 1, mover, tuple(now), heights, empty, unused ^ bits, (*done, move), last)
        return _make(PhotosynthesisState, fields)

    def _place(self, move: Place) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Place a first tree; the last one begins round 1 (P2)."""
        seat, bit, (seeds, small, medium, large) = move.seat, _BIT[move.hex], self.heights
        if self.round.number:
            raise IllegalMove(Refusal.NOT_NOW)
        if not bit & _BORDER:
            raise IllegalMove(Unable.NOT_BORDER, hex=move.hex, leaves=LEAVES[move.hex])
        if not self.empty & bit:
            raise IllegalMove(Unable.OCCUPIED, hex=move.hex, kind=KINDS[1])
        pieces, light, hand, player_board = self.players[seat]
        setup, round_, ply, _, players, _, empty, unused, _, _ = self
        players = _put(players, seat, (pieces | bit, light, hand - _UNITS[1], player_board))
        following = _SEATS[(seat + 1) % setup.seats]
        heights = (seeds, small | bit, medium, large)
        fields = (setup, round_, ply + 1, following, players, heights, empty ^ bit, unused, (), (move,))
        after = _make(PhotosynthesisState, fields)
        events: list[Event] = [Placed(seat, move.hex)]
        if heights[1].bit_count() == 2 * setup.seats:
            after = after._begin_round(1, round_.first, events)
        return after, tuple(events)

    def _buy(self, move: Buy) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Move a piece from the player board to the hand."""
        seat, kind = move.seat, KINDS.index(move.kind)
        pieces, light, hand, player_board = self.players[seat]
        price = _NEXT_PRICE[kind][player_board >> 4 * kind & 15]
        if not price:
            raise IllegalMove(Unable.SOLD_OUT, kind=move.kind)
        if light < price:
            raise _too_dear(price, light)
        player = (pieces, light - price, hand + _UNITS[kind], player_board - _UNITS[kind])
        return self._acted(move, player, self.heights, self.empty, 0), _BOUGHT[seat][kind][price]

    def _plant(self, move: Plant) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Plant a seed (P6)."""
        seat, bit, target = move.seat, _BIT[move.origin], _BIT[move.target]
        pieces, light, hand, player_board = self.players[seat]
        seeds, small, medium, large = self.heights
        if not bit & pieces & self.unused:
            raise self._unusable(move.origin)
        if bit & seeds:
            raise IllegalMove(Unable.NO_TREE, hex=move.origin)
        if not target & self.empty:
            raise IllegalMove(Unable.OCCUPIED, hex=move.target, kind=KINDS[self._height(target)])
        if not target & self.unused:
            raise IllegalMove(Unable.ACTIVATED, hex=move.target)
        reach = 1 if bit & small else 2 if bit & medium else 3
        if not target & _REACH[bit][reach]:
            distance = BOARD.distance(move.origin, move.target)
            facts = {"hex": move.origin, "kind": KINDS[reach], "target": move.target}
            raise IllegalMove(Unable.TOO_FAR, **facts, distance=distance, reach=reach)
        if self.setup.shade and self._shadowed(target, 0):
            raise IllegalMove(Unable.SHADOWED, hex=move.target, kind=KINDS[0])
        if not hand & 15:
            raise IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[0])
        if not light:
            raise _too_dear(1, light)
        player = pieces | target, light - 1, hand - 1, player_board
        heights = (seeds | target, small, medium, large)
        after = self._acted(move, player, heights, self.empty ^ target, bit | target)
        return after, _PLANTED[seat][move.origin][move.target]

    def _grow(self, move: Grow) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Make a piece the next size (P7)."""
        seat, bit = move.seat, _BIT[move.hex]
        pieces, light, hand, player_board = self.players[seat]
        if not bit & pieces & self.unused:
            raise self._unusable(move.hex)
        height = self._height(bit)
        if height == 3:
            raise IllegalMove(Unable.FULL_GROWN, hex=move.hex)
        if self.setup.shade and self._shadowed(bit, height):
            raise IllegalMove(Unable.SHADOWED, hex=move.hex, kind=KINDS[height])
        grown = height + 1
        if not hand >> 4 * grown & 15:
            raise IllegalMove(Unable.NOT_IN_HAND, kind=KINDS[grown])
        if light < grown:
            raise _too_dear(grown, light)
        returned = _returned(height, player_board)
        player_board += returned and _UNITS[height]
        heights = [*self.heights]
        heights[height] ^= bit
        heights[grown] ^= bit
        player = pieces, light - grown, hand - _UNITS[grown], player_board
        after = self._acted(move, player, tuple(heights), self.empty, bit)
        return after, _GROWN[seat][move.hex][grown][returned]

    def _collect(self, move: Collect) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """Fell a large tree for a token (P8)."""
        seat, bit = move.seat, _BIT[move.hex]
        pieces, light, hand, player_board = self.players[seat]
        if not bit & pieces & self.unused:
            raise self._unusable(move.hex)
        seeds, small, medium, large = self.heights
        if not bit & large:
            raise IllegalMove(Unable.NOT_LARGE, hex=move.hex, kind=KINDS[self._height(bit)])
        if light < COLLECTING:
            raise _too_dear(COLLECTING, light)
        leaves = min(LEAVES[move.hex], 3 if self.setup.seats == 2 else 4)
        number, first, piles, tokens, sunlight, outcome = self.round
        token = next((Token(soil, piles[soil - 1][0]) for soil in range(leaves, 0, -1) if piles[soil - 1]), Token(0, 0))
        if token.leaves:
            piles = _put(piles, token.leaves - 1, piles[token.leaves - 1][1:])
        round_ = Round(number, first, piles, _put(tokens, seat, (*tokens[seat], token)), sunlight, outcome)
        returned = _returned(3, player_board)
        player = pieces ^ bit, light - COLLECTING, hand, player_board + returned * _UNITS[3]
        after = self._acted(move, player, (seeds, small, medium, large ^ bit), self.empty ^ bit, bit)
        return after._replace(round=round_), (Collected(seat, move.hex, leaves, token, returned),)

    def _end(self, move: End) -> tuple[PhotosynthesisState, tuple[Event, ...]]:
        """End the turn, after the last player's the round (P10), after the last round the match (P3)."""
        setup, round_, ply, _, players, heights, empty, _, done, _ = self
        following = _SEATS[(move.seat + 1) % setup.seats]
        fields = (setup, round_, ply + 1, following, players, heights, empty, BOARD.all, (), (*done, move))
        after = _make(PhotosynthesisState, fields)
        if following != round_.first:
            return after, _ENDED[move.seat]
        events: list[Event] = [*_ENDED[move.seat]]
        if round_.number == ROUNDS_A_REVOLUTION * setup.revolutions:
            return after._win(events), tuple(events)
        first = _SEATS[(round_.first + 1) % setup.seats]
        events += _sun_moved(round_.number + 1, first)
        return after._begin_round(round_.number + 1, first, events), tuple(events)

    def _begin_round(self, number: int, first: Seat, events: list[Event]) -> PhotosynthesisState:
        """Collect light: every tree that is not shadowed pays (P3)."""
        setup, round_, ply, _, players, heights, empty, _, _, last = self
        _, small, medium, large = heights
        small, medium, large = lit(small, medium, large, (number - 1) % 6)
        now, lights, gained, lost = [], [], [], []
        for pieces, light, hand, player_board in players:
            more = (small & pieces).bit_count()
            if medium:
                more += 2 * (medium & pieces).bit_count()
            if large:
                more += 3 * (large & pieces).bit_count()
            surplus = light + more - MOST_LIGHT
            light = MOST_LIGHT if surplus > 0 else light + more
            now.append((pieces, light, hand, player_board))
            lights.append(light)
            gained.append(more)
            lost.append(surplus if surplus > 0 else 0)
        earned, left = [], small | medium | large
        while left:
            bit = _FIRST[left.bit_length()]
            left ^= bit
            earned.append((_HEX[bit], 1 if bit & small else 2 if bit & medium else 3))
        sunlight = _make(Sunlight, (number, (number - 1) % 6, tuple(earned), tuple(gained), tuple(lost)))
        events.append(_make(LightCollected, (sunlight, tuple(lights))))
        _, _, piles, tokens, _, outcome = round_
        round_ = _make(Round, (number, first, piles, tokens, sunlight, outcome))
        return _make(PhotosynthesisState, (setup, round_, ply, first, tuple(now), heights, empty, BOARD.all, (), last))

    def _forecast(self, sun: int) -> tuple[int, ...]:
        """By seat: what its trees would give with the sun there."""
        _, small, medium, large = self.heights
        in_light = lit(small, medium, large, sun)
        return tuple(
            sum(height * (mask & pieces).bit_count() for height, mask in enumerate(in_light, 1))
            for pieces, _, _, _ in self.players
        )

    def _finals(self) -> tuple[Final, ...]:
        """By seat: what the match would end with if it ended now (P12)."""
        return tuple(
            Final(sum(token.points for token in tokens), light // LIGHT_A_POINT, pieces.bit_count())
            for tokens, (pieces, light, _, _) in zip(self.round.tokens, self.players, strict=True)
        )

    def _win(self, events: list[Event]) -> PhotosynthesisState:
        """End the match (P12)."""
        finals = self._finals()
        scores = tuple(final.tokens + final.light for final in finals)
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        reason = "points"
        if len(winners) > 1:
            most = max(finals[seat].on_board for seat in winners)
            winners = [seat for seat in winners if finals[seat].on_board == most]
            reason = "pieces" if len(winners) == 1 else "shared"
        seats = tuple(map(Seat, winners))
        events.append(MatchWon(seats, finals))
        return self._replace(round=self.round._replace(outcome=Outcome(frozenset(seats), scores, reason)), mover=None)

    def opening(self) -> tuple[Event, ...]:
        """Nothing: the first thing that happens is a move."""
        return ()

    def view(self, seat: Seat | None) -> PhotosynthesisView:
        """Everything there is; it is the same for everybody but for whose view it is."""
        setup, round_ = self.setup, self.round
        _, lights, hands, player_boards = zip(*self.players, strict=True)
        rounds = ROUNDS_A_REVOLUTION * setup.revolutions
        next_sun = round_.number % 6 if round_.number < rounds else None
        finals = self._finals()
        return PhotosynthesisView(
            viewer=seat,
            seats=setup.seats,
            revolutions=setup.revolutions,
            shade=setup.shade,
            round=round_.number,
            rounds=rounds,
            sun=self.sun,
            next_sun=next_sun,
            first=round_.first,
            to_move=self.mover,
            board=self._board(),
            shadow=_depths(self._shades(self.sun)),
            next_shadow=() if next_sun is None else _depths(self._shades(next_sun)),
            light=lights,
            forecast=() if next_sun is None else self._forecast(next_sun),
            hands=tuple(map(_pieces, hands)),
            player_boards=tuple(map(_pieces, player_boards)),
            prices=tuple(tuple(_price(kind, packed) or None for kind in range(4)) for packed in player_boards),
            discarded=tuple(map(self._discarded, self.players)),
            piles=round_.piles,
            tokens=round_.tokens,
            turn=tuple(map(str, self.done)),
            activated=tuple(_HEX[bit] for bit in _bits(BOARD.all ^ self.unused)),
            sunlight=round_.sunlight,
            last_turn=Turn(self.last[0].seat, tuple(map(str, self.last))) if self.last else None,
            scores=tuple(final.tokens + final.light for final in finals),
            on_board=tuple(final.on_board for final in finals),
            outcome=round_.outcome,
        )

    def _board(self) -> tuple[Piece | None, ...]:
        """By hex: what stands there."""
        owners = zip(_SEATS, self.players, strict=False)
        pieces = {bit: Piece(seat, self._height(bit)) for seat, (mask, _, _, _) in owners for bit in _bits(mask)}
        return tuple(map(pieces.get, BOARD.bits))

    def _discarded(self, player: Player) -> Pieces:
        """What of a player's pieces is neither in hand nor on a board."""
        mine, _, hand, player_board = player
        on_board = [(mine & mask).bit_count() for mask in self.heights]
        places = zip(PIECES, _pieces(hand), _pieces(player_board), on_board, strict=True)
        left = (total - in_hand - to_buy - placed for total, in_hand, to_buy, placed in places)
        return Pieces(*left)

    def turn(self, seat: Seat) -> str:
        """The round, and how many actions the seat has made in its turn; before round 1 which placement it is."""
        if not self.round.number:
            return f"0.{self.ply // self.setup.seats}"
        return f"{self.round.number}.{len(self.done) if seat == self.mover else 0}"

    def outcome(self) -> Outcome | None:
        return self.round.outcome

    def default_move(self, seat: Seat) -> Move:
        """To end the turn. Before round 1 the free hex where a tree will be lit most often in a revolution."""
        if self.round.number:
            return _ENDS[seat]
        _, small, medium, large = self.heights

        def suns(move: Move) -> int:
            assert isinstance(move, Place)
            bit = _BIT[move.hex]
            return sum(bool(lit(small | bit, medium, large, sun)[0] & bit) for sun in range(6))

        return max(self.legal_moves(seat), key=suns)

    def may_take_back(self, seat: Seat) -> bool:
        """Any action of the turn under way (P4); never a placement (P2) or an ended turn."""
        return seat == self.mover and bool(self.done)

    def redeal_unseen(self, seat: Seat | None, seed: str) -> PhotosynthesisState:
        """The state itself: nothing is hidden, and nothing to come is left to chance."""
        return self

    def to_json(self) -> Json:
        """The position.

        {"seats": 2, "options": {"revolutions": 3, "shade": false}, "seed": "…", "ply": 6,
         "round": 1,                                                 0 before the first
         "first": 0, "mover": 0 or null at the end,
         "board": {"A1": [0, 1], …},                                 seat and height of each piece
         "light": [2, 2],                                            by seat
         "hands": [[2, 2, 1, 0], …], "player_boards": [[4, 4, 3, 2], …],    by seat and kind
         "piles": [[14, …], [17, …], [19, …], []],                   tokens by soil, 1 leaf first, top first
         "tokens": [[[3, 19], …], …],                                by seat: leaves and points of those taken
         "turn": ["grow A1", …],                                     the mover's actions in this turn
         "last_turn": null or {"seat": 1, "moves": ["grow B1", "end"]},
         "sunlight": null or {"round": 1, "sun": 0, "earned": {"A1": 1, …}, "gained": [2, 2], "lost": [0, 0]},
         "outcome": null or Outcome.to_json()}
        """
        setup, round_ = self.setup, self.round
        _, lights, hands, player_boards = zip(*self.players, strict=True)
        return {
            "seats": setup.seats,
            "options": {"revolutions": setup.revolutions, "shade": setup.shade},
            "seed": setup.seed,
            "ply": self.ply,
            "round": round_.number,
            "first": round_.first,
            "mover": self.mover,
            "board": {hex_: list(piece) for hex_, piece in zip(HEXES, self._board(), strict=True) if piece},
            "light": list(lights),
            "hands": [list(_pieces(packed)) for packed in hands],
            "player_boards": [list(_pieces(packed)) for packed in player_boards],
            "piles": _plain(round_.piles),
            "tokens": _plain(round_.tokens),
            "turn": [str(move) for move in self.done],
            "last_turn": {"seat": self.last[0].seat, "moves": [str(move) for move in self.last]} if self.last else None,
            "sunlight": _plain(round_.sunlight),
            "outcome": _plain(round_.outcome),
        }


def _bits(mask: int) -> list[int]:
    """The hexes of a mask, in the order of HEXES."""
    bits = []
    while mask:
        bit = 1 << mask.bit_length() - 1
        bits.append(bit)
        mask ^= bit
    return bits


def _too_dear(price: int, light: int) -> IllegalMove:
    return IllegalMove(Unable.TOO_DEAR, price=price, light=light)


def _returned(kind: int, player_board: int) -> bool:
    """Whether the player board has a space for the piece (P7)."""
    return player_board >> 4 * kind & 15 < len(PRICES[kind])


def _depths(shadows: tuple[int, int, int]) -> tuple[int, ...]:
    """By hex: over how many of the three heights the shadow lies."""
    return tuple([sum([bool(bit & shadow) for shadow in shadows]) for bit in BOARD.bits])


class _Targets(dict[int, tuple[Move, ...]]):
    """The moves that plant from one hex, by the mask of the targets: made when first asked for."""

    def __init__(self, plants: Mapping[int, Move]) -> None:
        super().__init__()
        self._plants = plants

    def __missing__(self, targets: int) -> tuple[Move, ...]:
        self[targets] = moves = tuple([self._plants[bit] for bit in _bits(targets)])
        return moves


def _plants(seat: Seat, origin: Hex) -> list[tuple[int, _Targets]]:
    """The hexes within three steps in masks of at most six, with the moves there: one at 1, two at 2, three at 3.

    Such a mask has few subsets, so the moves to each of them are soon at hand.
    """
    rings = [[hex_ for hex_ in HEXES if BOARD.distance(origin, hex_) == distance] for distance in (1, 2, 3)]
    parts = []
    for distance, ring in enumerate(rings, 1):
        for part in range(distance):
            plants = {_BIT[hex_]: Plant(seat, origin, hex_) for hex_ in ring[6 * part : 6 * part + 6]}
            parts.append((sum(plants), _Targets(plants)))
    return parts


def _buys(seat: Seat, light: int) -> tuple[Mapping[int, tuple[Move, ...]], Mapping[int, tuple[Move, ...]]]:
    """What may be bought with that much light, by the seeds and small trees on the player board.

    The second of the two is by the other trees, and has `end` after them.
    """

    def of(packed: int, kinds: Sequence[int]) -> tuple[Move, ...]:
        return tuple([Buy(seat, KINDS[kind]) for kind in kinds if 0 < _price(kind, packed) <= light])

    low = [seeds + small * _UNITS[1] for seeds in range(5) for small in range(5)]
    high = [medium + large * _UNITS[1] for medium in range(4) for large in range(3)]
    return (
        {packed: of(packed, (0, 1)) for packed in low},
        {packed: (*of(packed << 8, (2, 3)), _ENDS[seat]) for packed in high},
    )


_BY_BIT = tuple(zip(BOARD.bits, HEXES, strict=True))
_PLACES = tuple({bit: Place(seat, hex_) for bit, hex_ in _BY_BIT} for seat in _SEATS)
_GROWS = tuple({bit.bit_length(): Grow(seat, hex_) for bit, hex_ in _BY_BIT} for seat in _SEATS)
_COLLECTS = tuple({bit: Collect(seat, hex_) for bit, hex_ in _BY_BIT} for seat in _SEATS)
_ENDS = tuple(map(End, _SEATS))
_BUYS = tuple(tuple(_buys(seat, light) for light in range(_DEAREST + 1)) for seat in _SEATS)
"""By seat and light, of which more than _DEAREST makes no difference."""
_END_ONLY = tuple((end,) for end in _ENDS)
_ENDED = tuple((TurnEnded(seat),) for seat in _SEATS)
_REACH = {bit: tuple(BOARD.within(hex_, height) for height in range(4)) for bit, hex_ in _BY_BIT}
"""By hex and height of the tree on it: where a seed may go."""
_PLANTS = tuple({bit.bit_length(): _plants(seat, hex_) for bit, hex_ in _BY_BIT} for seat in _SEATS)
_NEAR = tuple({number: parts[0] for number, parts in of.items()} for of in _PLANTS)
_FAR = tuple({number: parts[1:] for number, parts in of.items()} for of in _PLANTS)
"""By seat and the number of the origin's bit: the targets at distance 1; those beyond, two masks from a medium tree."""

_BOUGHT = tuple(
    tuple({price: (Bought(seat, kind, price),) for price in column} for kind, column in zip(KINDS, PRICES, strict=True))
    for seat in _SEATS
)
_PLANTED = tuple(
    {
        origin: {target: (Planted(seat, origin, target),) for target in HEXES if BOARD.distance(origin, target) < 4}
        for origin in HEXES
    }
    for seat in _SEATS
)
_GROWN = tuple(
    {
        hex_: [((Grown(seat, hex_, height, False),), (Grown(seat, hex_, height, True),)) for height in range(4)]
        for hex_ in HEXES
    }
    for seat in _SEATS
)
_ACTIONS: Mapping[type[Move], Callable[[PhotosynthesisState, Any], tuple[PhotosynthesisState, tuple[Event, ...]]]] = {
    Place: PhotosynthesisState._place,
    Buy: PhotosynthesisState._buy,
    Plant: PhotosynthesisState._plant,
    Grow: PhotosynthesisState._grow,
    Collect: PhotosynthesisState._collect,
    End: PhotosynthesisState._end,
}


@cache
def _sun_moved(number: int, first: Seat) -> tuple[Event, ...]:
    """What precedes the light of a round but the first."""
    return FirstPlayerPassed(first), SunMoved(number, (number - 1) % 6)


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """What a lobby may choose (P11)."""
    return Option("revolutions", (3, 4), 3), Option("shade", (False, True), False)


def _new(seats: int, options: Mapping[str, Any], seed: str) -> PhotosynthesisState:
    """The position before the first placement."""
    setup = Setup(seats, **chosen_options(GAME, seats, options), seed=seed)
    piles = (*PILES[:3], ()) if seats == 2 else PILES
    round_ = Round(0, _SEATS[0], piles, ((),) * seats, None, None)
    player = 0, 0, _packed(IN_HAND), _packed([len(column) for column in PRICES])
    return PhotosynthesisState(
        setup, round_, 0, _SEATS[0], (player,) * seats, (0, 0, 0, 0), BOARD.all, BOARD.all, (), ()
    )


def _sunlight_from_json(data: Json) -> Sunlight:
    gained, lost = tuple(data["gained"]), tuple(data["lost"])
    return Sunlight(data["round"], data["sun"], tuple(data["earned"].items()), gained, lost)


def _from_json(data: Json) -> PhotosynthesisState:
    """The position that `to_json` gave."""
    board, mover, last, light = data["board"], data["mover"], data["last_turn"], data["sunlight"]
    outcome = data["outcome"]
    setup = Setup(data["seats"], data["options"]["revolutions"], data["options"]["shade"], data["seed"])
    round_ = Round(
        data["round"],
        Seat(data["first"]),
        tuple(map(tuple, data["piles"])),
        tuple(tuple(Token(*token) for token in tokens) for tokens in data["tokens"]),
        _sunlight_from_json(light) if light else None,
        Outcome.from_json(outcome) if outcome else None,
    )
    players = tuple(
        (sum(_BIT[hex_] for hex_, (owner, _) in board.items() if owner == seat), light, _packed(hand), _packed(to_buy))
        for seat, (light, hand, to_buy) in enumerate(
            zip(data["light"], data["hands"], data["player_boards"], strict=True)
        )
    )
    heights = [sum(_BIT[hex_] for hex_, (_, height) in board.items() if height == kind) for kind in range(4)]
    done = tuple(_parse(mover, text) for text in data["turn"])
    unused = BOARD.all
    for move in done:
        for hex_ in _hexes_of(move):
            unused ^= _BIT[hex_]
    return PhotosynthesisState(
        setup,
        round_,
        data["ply"],
        mover,
        players,
        tuple(heights),
        BOARD.all ^ sum(heights),
        unused,
        done,
        tuple(_parse(last["seat"], text) for text in last["moves"]) if last else (),
    )


def _hexes_of(move: Move) -> tuple[Hex, ...]:
    """The hexes that an action activates (P5)."""
    if isinstance(move, Plant):
        return move.origin, move.target
    return (move.hex,) if isinstance(move, Grow | Collect) else ()


_TYPED = {hex_.lower(): hex_ for hex_ in HEXES}


def _parse(seat: Seat, text: str) -> Move:
    """The move that a text names, in any case: "plant C3 D5". Raises IllegalMove(UNPARSABLE)."""
    match text.lower().split():
        case ["end"]:
            return End(seat)
        case ["buy", kind] if kind in KINDS:
            return Buy(seat, kind)
        case ["place", hex_] if hex_ in _TYPED:
            return Place(seat, _TYPED[hex_])
        case ["grow", hex_] if hex_ in _TYPED:
            return Grow(seat, _TYPED[hex_])
        case ["collect", hex_] if hex_ in _TYPED:
            return Collect(seat, _TYPED[hex_])
        case ["plant", origin, target] if origin in _TYPED and target in _TYPED:
            return Plant(seat, _TYPED[origin], _TYPED[target])
    raise IllegalMove(Refusal.UNPARSABLE, text=text)


# What computer players go by: rules of thumb, in points.

_RINGS = tuple(sum(_BIT[hex_] for hex_ in HEXES if LEAVES[hex_] == leaves) for leaves in range(1, 5))
"""Masks of the soil of 1, 2, 3 and 4 leaves."""
_STILL_TO_PAY = (16, 14, 11, COLLECTING)
"""By height: about the light from there to a token, what must be bought included."""
_CERTAIN = (0.3, 0.4, 0.6, 0.85)
"""By height: how surely it comes to a token while there are turns enough."""
_IN_HAND_WORTH = (1.2, 2.3, 3.3, 4.6)
"""By kind: a piece in hand, in light."""
_LATER_LIGHT = 0.3
"""Light that a tree will give in a round after the next, as a share of its height: it may be shadowed or collected."""


def _turns_left(state: PhotosynthesisState, seat: Seat) -> int:
    """The turns that the seat has before the match ends, the one under way included."""
    setup, round_, mover = state.setup, state.round, state.mover
    if mover is None:
        return 0
    to_come = (seat - round_.first) % setup.seats >= (mover - round_.first) % setup.seats
    return ROUNDS_A_REVOLUTION * setup.revolutions - round_.number + to_come


def _worth(state: PhotosynthesisState, seat: Seat, in_light: tuple[int, int, int]) -> float:
    """About the points that the seat will have: by what it has taken, its light, its pieces and its trees.

    `in_light` are the trees that the next sun will not find shadowed.
    """
    pieces, light, hand, _ = state.players[seat]
    heights = [mask & pieces for mask in state.heights]
    turns = _turns_left(state, seat)
    rounds = ROUNDS_A_REVOLUTION * state.setup.revolutions - state.round.number
    # Light is worth more than at the end while there is time to spend it.
    a_light = 1 / LIGHT_A_POINT + 0.06 * min(turns, 6)
    points: float = sum([token.points for token in state.round.tokens[seat]])
    if rounds:
        light += sum([height * (mask & pieces).bit_count() for height, mask in enumerate(in_light, 1)])
        light = min(light, MOST_LIGHT)
        total = sum([height * mask.bit_count() for height, mask in enumerate(heights)])
        points += a_light * _LATER_LIGHT * total * (rounds - 1)
    points += a_light * light
    for height, mask in enumerate(heights):
        if mask and turns >= 4 - height:
            certain = _CERTAIN[height] if turns > 1 else 1
            for ring, top in zip(_RINGS, _tops(state), strict=True):
                if number := (mask & ring).bit_count():
                    points += number * certain * max(0.0, top - a_light * _STILL_TO_PAY[height])
    for kind, worth in enumerate(_IN_HAND_WORTH):
        if turns > 4 - kind and (number := hand >> 4 * kind & 15):
            points += a_light * worth * min(number, 2)
    return points


def _tops(state: PhotosynthesisState) -> list[int]:
    """By soil: the worth of the token that would be taken there."""
    tops: list[int] = []
    for pile in state.round.piles:
        tops.append(pile[0] if pile else tops[-1] if tops else 0)
    return tops


def _prospect(state: PhotosynthesisState, seat: Seat) -> float:
    """The lead over the best other player, in points to be hoped for; a win counts ten more."""
    _, small, medium, large = state.heights
    in_light = lit(small, medium, large, state.round.number % 6)
    worth = [_worth(state, other, in_light) for other in _SEATS[: state.setup.seats]]
    outcome = state.round.outcome
    won = outcome is not None and seat in outcome.winners
    return worth[seat] - max([*worth[:seat], *worth[seat + 1 :]]) + 10 * won


def _horizon(state: PhotosynthesisState) -> int:
    """A few turns."""
    return 20 if state.mover is not None else 0


def _guess(state: PhotosynthesisState, seat: Seat, number: int) -> Move:
    """Mostly what takes a tree on: collect what pays, grow the biggest, buy what is missing, plant on rich soil."""
    moves = state.legal_moves(seat)
    if not number & 7 or not state.round.number:
        return moves[(number >> 3) % len(moves)]
    turns, missing = _turns_left(state, seat), _missing(state, seat)
    best, most = moves[-1], 0.0
    for move in moves:
        good = 0.0
        if isinstance(move, Plant):
            good = LEAVES[move.target] if turns > 5 else 0
        elif isinstance(move, Grow):
            good = 5 + state._height(_BIT[move.hex])
        elif isinstance(move, Buy):
            good = 4.5 if move.kind in missing else 0
        elif isinstance(move, Collect):
            good = 9 if turns < 3 or LEAVES[move.hex] > 2 else 0
        if good > most:
            best, most = move, good
    return best


def _missing(state: PhotosynthesisState, seat: Seat) -> set[str]:
    """Kinds of which the seat has none in hand but could use one: a piece can grow to it, or there is time to plant."""
    pieces, _, hand, _ = state.players[seat]
    turns, usable = _turns_left(state, seat), pieces & state.unused
    missing = {
        KINDS[height + 1]
        for height in range(3)
        if turns > 3 - height and state.heights[height] & usable and not hand >> 4 * (height + 1) & 15
    }
    return missing if hand & 15 or turns < 6 else missing | {KINDS[0]}


GAME = Game(
    slug="photosynthesis",
    title="Photosynthesis",
    seats=(2, 3, 4),
    new=_new,
    from_json=_from_json,
    parse=_parse,
    options=_options,
    prospect=_prospect,
    horizon=_horizon,
    guess=_guess,
)
