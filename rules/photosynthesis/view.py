"""Photosynthesis: what a seat may know."""

from __future__ import annotations

from typing import NamedTuple

from rules.core import text
from rules.core.game import Json, Outcome, Seat
from rules.core.records import json_object
from rules.photosynthesis.types import BOARD, HEXES, KINDS, Hex, Piece, Pieces, Sunlight, Token, Turn


class PhotosynthesisView(NamedTuple):
    """The whole position: nothing is hidden. Tuples "by seat" have an entry a seat, "by hex" 37, in HEXES' order."""

    viewer: Seat | None
    seats: int
    revolutions: int
    """The option: 3 or 4."""
    shade: bool
    """The option: no planting or growing on a shadowed hex (P11)."""
    round: int
    """1 for the first; 0 before it, while players place the first trees."""
    rounds: int
    """18 or 24."""
    sun: int
    """0 to 5, clockwise from W. Light travels from that corner."""
    next_sun: int | None
    """The sun's corner when light is collected next; None in the last round."""
    first: Seat
    """The seat with the first-player token."""
    to_move: Seat | None
    board: tuple[Piece | None, ...]
    """By hex."""
    shadow: tuple[int, ...]
    """By hex: 0 lit; 1 a seed or small tree there is or would be shadowed; 2 a medium one too; 3 every piece."""
    next_shadow: tuple[int, ...]
    """The same for the next collection of light if the board stays as it is; () in the last round."""
    light: tuple[int, ...]
    """By seat: the light to spend."""
    forecast: tuple[int, ...]
    """By seat: what its trees would give at the next collection if the board stays as it is; () in the last round."""
    hands: tuple[Pieces, ...]
    """By seat: the pieces to place, plant and grow to without buying."""
    player_boards: tuple[Pieces, ...]
    """By seat: the pieces for sale."""
    prices: tuple[tuple[int | None, ...], ...]
    """By seat and kind: the price of the next piece; None if the column is empty."""
    discarded: tuple[Pieces, ...]
    """By seat: the pieces that have left the game."""
    piles: tuple[tuple[int, ...], ...]
    """The tokens left by soil, 1 leaf first; of each pile the top one first."""
    tokens: tuple[tuple[Token, ...], ...]
    """By seat: the tokens taken, in order, with worthless ones."""
    turn: tuple[str, ...]
    """The actions of the turn under way, in order."""
    activated: tuple[Hex, ...]
    """The hexes that the seat to move has acted on in this turn (P5), in the order of HEXES."""
    sunlight: Sunlight | None
    """The last collection of light; None before round 1."""
    last_turn: Turn | None
    """The last finished turn, or placement."""
    scores: tuple[int, ...]
    """By seat: the final score if the match ended now (P12)."""
    on_board: tuple[int, ...]
    """By seat: pieces on the board, which break ties (P12)."""
    outcome: Outcome | None

    def at(self, hex_: str) -> Piece | None:
        """Return the piece on the hex, or None. Raises ValueError for an unknown hex."""
        return self.board[BOARD.names.index(hex_)]

    def to_json(self) -> Json:
        """Return the whole view as plain data; `board` and the shadows are objects of the hexes that have an entry."""
        return json_object(self) | {
            "board": {hex_: list(piece) for hex_, piece in zip(HEXES, self.board, strict=True) if piece},
            "shadow": {hex_: n for hex_, n in zip(HEXES, self.shadow, strict=True) if n},
            "next_shadow": {hex_: n for hex_, n in zip(HEXES, self.next_shadow, strict=False) if n},
        }

    def __str__(self) -> str:
        """The board as text: row by row, each piece as its seat and its height, 0 for a seed ("12": seat 1, medium)."""
        rows: dict[str, list[str]] = {}
        for hex_, piece in zip(HEXES, self.board, strict=True):
            rows.setdefault(hex_[0], []).append(f"{piece.seat}{piece.height}" if piece else "..")
        widest = max(map(len, rows.values()))
        sums = [sum(token.points for token in tokens) for tokens in self.tokens]
        prices = [text.listed("-" if price is None else price for price in of) for of in self.prices]
        hands = map(text.listed, self.hands)
        players = zip(range(self.seats), self.light, hands, prices, sums, self.scores, strict=True)
        return text.board(
            f"Photosynthesis: round {self.round} of {self.rounds}, sun in the {_CORNERS[self.sun]}, first {self.first}",
            *(f"{row}{'  ' * (widest - len(cells))}  {'  '.join(cells)}" for row, cells in rows.items()),
            f"Tokens by leaves: {', '.join(f'{leaves}: {text.listed(p)}' for leaves, p in enumerate(self.piles, 1))}",
            text.table(("seat", "light", "hand", "prices", "tokens", "score"), *players),
            f"Hands and prices: {text.listed(KINDS)}",
            text.turn(self.viewer, self.to_move, self.outcome),
            f"In this turn: {', '.join(self.turn)}" if self.turn else "",
        )


_CORNERS = ("west", "north-west", "north-east", "east", "south-east", "south-west")
