"""Photosynthesis: what a seat may know."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.facts import as_object
from rules.core.game import Json, Outcome, Seat
from rules.photosynthesis.facts import BOARD, HEXES, Hex, Piece, Pieces, Sunlight, Token, Turn


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
        return as_object(self) | {
            "board": {hex_: list(piece) for hex_, piece in zip(HEXES, self.board, strict=True) if piece},
            "shadow": {hex_: n for hex_, n in zip(HEXES, self.shadow, strict=True) if n},
            "next_shadow": {hex_: n for hex_, n in zip(HEXES, self.next_shadow, strict=False) if n},
        }
