"""A turn to look at beside the rules of a game: a position in the middle of a match that no players have played."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from rules.core.game import AnyGame, AnyState, Seat

PLAYERS = 4
SHARE_PLAYED = 0.4
"""How much of the match has been played, at least."""
LEAST_CHOICES = 3
"""The seat to move has at least this many legal moves, if a later position offers them."""


class Example(NamedTuple):
    """A position, how many play, and the seat that is to move."""

    state: AnyState
    seats: int
    seat: Seat


def example(game: AnyGame, deck: Mapping[str, Any]) -> Example:
    """A position with this deck table; always the same one."""
    seats = min(game.seats, key=lambda seats: abs(seats - PLAYERS))
    state, positions = game.new(seats, {"deck": deck}, "an example"), []
    while awaited := state.to_move():
        seat = min(awaited)
        positions.append(Example(state, seats, seat))
        luck = sha256(f"an example {len(positions)}".encode()).digest()
        state, _ = state.apply(game.rollout_move(state, seat, int.from_bytes(luck[:4], "big")))
    later = positions[int(SHARE_PLAYED * len(positions)) :]
    choices = [len(found.state.legal_moves(found.seat)) for found in later]
    return later[next((at for at, count in enumerate(choices) if count >= LEAST_CHOICES), choices.index(max(choices)))]
