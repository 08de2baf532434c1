"""The steps of a choice: the hexes and pieces that may be chosen next, and those already chosen.

A choice's path is () · ("collect",) · ("grow",) · ("buy",) · ("plant",) · ("plant", origin) · ("plant", origin, row).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rendering.core.prompts import MOST_CHOICES
from rendering.photosynthesis.scene import SOILS
from rules.photosynthesis import GAME
from rules.photosynthesis.types import COLLECTING, KINDS, Buy, Collect, Grow, Move, Place, Plant, Token
from rules.photosynthesis.view import PhotosynthesisView

COLLECT, GROW, PLANT, BUY, PLACE = "collect", "grow", "plant", "buy", "place"
_KINDS: dict[type, str] = {Collect: COLLECT, Grow: GROW, Plant: PLANT, Buy: BUY, Place: PLACE}
ACTIONS = (COLLECT, GROW, PLANT, BUY)
"""The kinds of action in a turn, in the order in which players see them."""


class Step(NamedTuple):
    """A step of a choice."""

    kind: str
    """The kind of action, one of the five; "" if the player is still choosing it."""
    moves: tuple[Move, ...]
    """The legal moves that are still possible in this choice."""
    origin: str
    """Planting: the chosen tree; "" if the player is still choosing it."""
    rows: tuple[str, ...]
    """Planting: the rows to choose from first; () if all targets are offered at once."""

    @property
    def lit(self) -> frozenset[str] | None:
        """The hexes that may be chosen, none of them if a piece is to be bought; None without a choice."""
        return self.hexes if self.kind and self.moves else None

    @property
    def hexes(self) -> frozenset[str]:
        """The hexes that the moves begin with."""
        planted = {str(move.target if self.origin else move.origin) for move in self.moves if isinstance(move, Plant)}
        return frozenset(planted | {str(move.hex) for move in self.moves if isinstance(move, Collect | Grow | Place)})


def kind_of(move: Move) -> str:
    """Return the kind of action of a move; "" for the end of a turn."""
    return _KINDS.get(type(move), "")


def current_step(moves: Sequence[Move], path: Sequence[str]) -> Step:
    """Return the step that the path leads to. If there is only one tree to plant from, it is already chosen."""
    if moves and isinstance(moves[0], Place):
        return Step(PLACE, tuple(moves), "", ())
    kind = path[0] if path and path[0] in ACTIONS else ""
    meant = tuple(move for move in moves if not kind or kind_of(move) == kind)
    plants = [move for move in meant if isinstance(move, Plant)]
    if kind != PLANT or not plants:
        return Step(kind, meant, "", ())
    origins = {move.origin for move in plants}
    origin = path[1] if len(path) > 1 else plants[0].origin if len(origins) == 1 else ""
    if not origin:
        return Step(kind, meant, "", ())
    plants = sorted((move for move in plants if move.origin == origin), key=lambda move: move.target)
    if len(path) > 2:
        plants = [move for move in plants if move.target[0] == path[2]]
    rows = tuple(dict.fromkeys(move.target[0] for move in plants)) if len(plants) > MOST_CHOICES else ()
    return Step(kind, tuple(plants), origin, rows)


def cost(view: PhotosynthesisView, move: Move) -> int:
    """Return the light that the move costs. `view` is the view of the player who may make it."""
    match move:
        case Plant():
            return 1
        case Grow():
            piece = view.at(move.hex)
            return piece.height + 1 if piece else 0
        case Collect():
            return COLLECTING
        case Buy():
            price = view.prices[move.seat][KINDS.index(move.kind)]
            assert price is not None  # what may be bought has a price
            return price
        case _:
            return 0


def token_at(view: PhotosynthesisView, hex_: str) -> Token:
    """Return the token for collecting there: the soil's, or the next poorer pile's (P8); (0, 0) if there is none."""
    piles = zip(range(1, 5), view.piles, strict=True)
    left = [Token(leaves, pile[0]) for leaves, pile in piles if pile and leaves <= SOILS[hex_]]
    return left[-1] if left else Token(0, 0)


def legal(view: PhotosynthesisView) -> tuple[Move, ...]:
    """Return the viewer's legal moves. Photosynthesis hides nothing, so a view is a position that the rules accept."""
    if view.viewer is None or view.viewer != view.to_move:
        return ()
    options = {"revolutions": view.revolutions, "shade": view.shade}
    rest = {"options": options, "seed": "", "ply": 0, "mover": view.to_move}
    moves: tuple[Move, ...] = GAME.from_json(view.to_json() | rest).legal_moves(view.viewer)
    return moves
