"""Photosynthesis: the fields of a position, a seat's view of it, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.core.game import Json, Outcome, Seat
from rules.core.hexes import bits_of
from rules.core.records import json_value
from rules.photosynthesis.packed import (
    NAME,
    SEATS,
    lit_trees,
    price_of,
    shadow_depths,
    shadow_masks,
    unpack,
)
from rules.photosynthesis.types import (
    BOARD,
    HEXES,
    LIGHT_A_POINT,
    PIECES,
    ROUNDS_A_REVOLUTION,
    Final,
    Move,
    Piece,
    Pieces,
    Sunlight,
    Token,
    Turn,
)
from rules.photosynthesis.view import PhotosynthesisView


@dataclass(frozen=True, slots=True, repr=False)
class Setup:
    """What stays fixed for the whole match."""

    seats: int
    revolutions: int
    shade: bool
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # without the seed: a repr may reach a log


class Round(NamedTuple):
    """What stays fixed from one round's start to the next, but for piles and tokens, which collecting changes."""

    number: int
    first: Seat
    piles: tuple[tuple[int, ...], ...]
    tokens: tuple[tuple[Token, ...], ...]
    sunlight: Sunlight | None
    outcome: Outcome | None


Player = tuple[int, int, int, int]
"""A seat's pieces on the board (a mask), light, hand and player board. A plain tuple, as every move makes one."""


Heights = tuple[int, int, int, int]
"""Masks of all players' seeds, small, medium and large trees."""

Moves = tuple[Move, ...]

Fields = tuple[Setup, Round, int, Seat | None, tuple[Player, ...], Heights, int, int, Moves, Moves]
"""The contents of a position, in the order of the properties of `Position`."""


def _field(place: int) -> Any:
    """Return the property of the field in that place."""
    return property(lambda position: position[0][place])


class Position(tuple[Fields]):
    """A position and all that follows from it. `to_json` shows its shape.

    It is the tuple of a tuple: a move takes the inner, plain one apart and puts one together, which takes half the time
    of a named tuple. The properties name its fields.
    """

    __slots__ = ()

    setup: Setup = _field(0)
    """What stays fixed for the match."""
    round: Round = _field(1)
    """The round, its first player, the piles and the tokens taken."""
    ply: int = _field(2)
    """The number of moves made so far."""
    mover: Seat | None = _field(3)
    """The seat whose turn it is; None when the match is over."""
    players: tuple[Player, ...] = _field(4)
    """By seat: pieces, light, hand and player board, packed."""
    heights: Heights = _field(5)
    """Masks of all players' pieces, by height."""
    empty: int = _field(6)
    """The mask of the empty hexes."""
    unused: int = _field(7)
    """The mask of the hexes that the mover has not acted on in this turn (P5)."""
    done: Moves = _field(8)
    """The mover's actions in this turn."""
    last: Moves = _field(9)
    """The moves of the last finished turn, or the last placement."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self[0]}"

    @property
    def sun(self) -> int:
        """The sun's corner; 0 before the first round."""
        return max(self.round.number - 1, 0) % 6

    def height(self, bit: int) -> int:
        """Return the height of the piece on a hex that is not empty."""
        _, small, medium, large = self.heights
        return 1 if bit & small else 2 if bit & medium else 3 if bit & large else 0

    def shadow_masks(self, sun: int) -> tuple[int, int, int]:
        """Return the shadows of all trees with the sun there: see `packed.shadow_masks`."""
        _, small, medium, large = self.heights
        return shadow_masks(small, medium, large, sun)

    def shadowed(self, bit: int, height: int) -> bool:
        """Return whether a piece of this height is, or on an empty hex would be, shadowed now (P11)."""
        return bool(self.shadow_masks(self.sun)[max(height - 1, 0)] & bit)

    def forecast(self, sun: int) -> tuple[int, ...]:
        """Return, by seat, the light that its trees would give with the sun there."""
        _, small, medium, large = self.heights
        in_light = lit_trees(small, medium, large, sun)
        return tuple(
            sum(height * (mask & pieces).bit_count() for height, mask in enumerate(in_light, 1))
            for pieces, _, _, _ in self.players
        )

    def finals(self) -> tuple[Final, ...]:
        """Return, by seat, the final result if the match ended now (P12)."""
        return tuple(
            Final(sum(token.points for token in tokens), light // LIGHT_A_POINT, pieces.bit_count())
            for tokens, (pieces, light, _, _) in zip(self.round.tokens, self.players, strict=True)
        )

    def view(self, seat: Seat | None) -> PhotosynthesisView:
        """Return the whole position; all views are the same but for `viewer`."""
        setup, round_ = self.setup, self.round
        _, lights, hands, player_boards = zip(*self.players, strict=True)
        rounds = ROUNDS_A_REVOLUTION * setup.revolutions
        next_sun = round_.number % 6 if round_.number < rounds else None
        finals = self.finals()
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
            shadow=shadow_depths(self.shadow_masks(self.sun)),
            next_shadow=() if next_sun is None else shadow_depths(self.shadow_masks(next_sun)),
            light=lights,
            forecast=() if next_sun is None else self.forecast(next_sun),
            hands=tuple(map(unpack, hands)),
            player_boards=tuple(map(unpack, player_boards)),
            prices=tuple(tuple(price_of(kind, packed) or None for kind in range(4)) for packed in player_boards),
            discarded=tuple(map(self._discarded, self.players)),
            piles=round_.piles,
            tokens=round_.tokens,
            turn=tuple(map(str, self.done)),
            activated=tuple(NAME[bit] for bit in bits_of(BOARD.all ^ self.unused)),
            sunlight=round_.sunlight,
            last_turn=Turn(self.last[0].seat, tuple(map(str, self.last))) if self.last else None,
            scores=tuple(final.tokens + final.light for final in finals),
            on_board=tuple(final.on_board for final in finals),
            outcome=round_.outcome,
        )

    def _board(self) -> tuple[Piece | None, ...]:
        """Return the piece on each hex, or None."""
        owners = zip(SEATS, self.players, strict=False)
        pieces = {bit: Piece(seat, self.height(bit)) for seat, (mask, _, _, _) in owners for bit in bits_of(mask)}
        return tuple(map(pieces.get, BOARD.bits))

    def _discarded(self, player: Player) -> Pieces:
        """Return the player's pieces that are neither in hand nor on a board."""
        mine, _, hand, player_board = player
        on_board = [(mine & mask).bit_count() for mask in self.heights]
        places = zip(PIECES, unpack(hand), unpack(player_board), on_board, strict=True)
        left = (total - in_hand - to_buy - placed for total, in_hand, to_buy, placed in places)
        return Pieces(*left)

    def turn(self, seat: Seat) -> str:
        """Return the round and the number of actions in the seat's turn; before round 1 the number of the placement."""
        if not self.round.number:
            return f"0.{self.ply // self.setup.seats}"
        return f"{self.round.number}.{len(self.done) if seat == self.mover else 0}"

    def outcome(self) -> Outcome | None:
        """Return the outcome after the last round (P12)."""
        return self.round.outcome

    def to_json(self) -> Json:
        """Return the position.

        {"seats": 2, "options": {"revolutions": 3, "shade": false}, "seed": "…", "ply": 6,
         "round": 1,                                                 0 before the first
         "first": 0, "mover": 0 or null at the end,
         "board": {"A1": [0, 1], …},                                 seat and height of each piece
         "light": [2, 2],                                            by seat
         "hands": [[2, 2, 1, 0], …], "player_boards": [[4, 4, 3, 2], …],    by seat and kind
         "piles": [[14, …], [17, …], [19, …], []],                   tokens by soil, 1 leaf first, top first
         "tokens": [[[3, 19], …], …],                                by seat: leaves and points of the tokens taken
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
            "hands": [list(unpack(packed)) for packed in hands],
            "player_boards": [list(unpack(packed)) for packed in player_boards],
            "piles": json_value(round_.piles),
            "tokens": json_value(round_.tokens),
            "turn": [str(move) for move in self.done],
            "last_turn": {"seat": self.last[0].seat, "moves": [str(move) for move in self.last]} if self.last else None,
            "sunlight": json_value(round_.sunlight),
            "outcome": json_value(round_.outcome),
        }
