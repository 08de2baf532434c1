"""A computer player of any game, at three levels.

A level is a number of playouts and a share of slips: second or third best moves, as a person makes them. Moves are
reproducible: equal arguments give equal moves on every machine, and after a match anyone can compute them again
(docs/verify.py). A computer knows what its seat knows (rules.core.search).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from hashlib import sha256
from typing import Generic, Literal, NamedTuple

from rules.core.game import Game, M, S, Seat, V
from rules.core.search import mixed, pick, random_numbers, search

Level = Literal["beginner", "friend", "strong"]


class Strength(NamedTuple):
    """How a level plays."""

    playouts: int
    """Playouts of a decision."""
    slips: int
    """How many slips it makes for 100 of a game's (`Game.slips`). More than one a decision is one in each."""
    worst_slip: float = 1.0
    """The most that a slip loses, as a part of what the worst move loses: more is no slip but senseless."""
    mixes: bool = False
    """Whether it mixes its moves if others seal theirs at the same time, so that opponents cannot foresee them."""


LEVELS: Mapping[Level, Strength] = {
    "beginner": Strength(24, 167, worst_slip=0.75),
    "friend": Strength(160, 25),
    "strong": Strength(1_600, 0, mixes=True),
}
"""The levels, from the weakest to the strongest."""

DEFAULT_LEVEL: Level = "friend"

VERSION = 8
"""The version of the computers: raise it when equal arguments lead to another move than before."""


class Thought(NamedTuple, Generic[M]):
    """A computer's decision. `made_do`: its thinking failed, and this is the seat's default move instead."""

    move: M
    made_do: bool = False


def decision_seed(secret: str, seat: Seat, turn: str) -> str:
    """Return the seed of a decision: HMAC-SHA-256(match secret, "computer <seat> <turn>") in hexadecimal digits.

    `turn` is the token of the decision, as the log of moves has it. No player can predict the seed before the match
    ends, and every player can compute it afterwards.
    """
    return hmac.new(secret.encode(), f"computer {seat} {turn}".encode(), sha256).hexdigest()


def choose(game: Game[S, M, V], state: S, seat: Seat, seed: str, level: Level = DEFAULT_LEVEL) -> M:
    """Return the move that a computer of this level makes in this seat.

    It depends on `seed` (any text) and on what the seat knows: a redeal for the seat gives the same move. Raises
    ValueError if the seat has no legal move, or for an unknown level.
    """
    if level not in LEVELS:
        raise ValueError(f"no level {level!r}: one of {', '.join(LEVELS)}")
    moves: tuple[M, ...] = state.legal_moves(seat)
    if len(moves) == 1:
        return moves[0]
    playouts, slips, worst_slip, mixes = LEVELS[level]
    numbers = random_numbers(seed)
    found = (mixed if mixes else search)(game, state, seat, seed, playouts)
    move = pick([tried.move for tried in found], [tried.share for tried in found], next(numbers))
    default, most = state.default_move(seat), worst_slip * max([tried.lost for tried in found])
    near = found[1 : 3 if len(found) > 3 else 2]
    slipped = [tried.move for tried in near if tried.move != default and tried.lost <= most]
    if slipped and next(numbers) % 10_000 < slips * game.slips:
        return slipped[next(numbers) % len(slipped)]
    return move
