"""An example turn to show beside a game's rules: a position in the middle of a made-up match."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from rules.core.game import AnyGame, AnyState, Event, Seat

PLAYERS = 4
"""The preferred number of players; the game's nearest seat count is taken."""
SHARE_PLAYED = 0.4
"""The example lies after this share of the match's positions."""
LEAST_CHOICES = 3
"""The seat to move has at least this many legal moves if a later position offers them, else the most that one does."""

NEAR = 6
"""The example is one of the first of these positions if it can be: of so many parts the first."""


class Example(NamedTuple):
    """A position, the number of seats, the seat to move, and what the last move made happen."""

    state: AnyState
    seats: int
    seat: Seat
    events: tuple[Event, ...] = ()


def course(game: AnyGame, deck: Mapping[str, Any]) -> list[Example]:
    """Return the positions from the middle of a made-up match to its end; they are always the same."""
    seats = min(game.seats, key=lambda seats: abs(seats - PLAYERS))
    state, positions = game.new(seats, {"deck": deck}, "an example"), []
    events: tuple[Event, ...] = ()
    while awaited := state.to_move():
        seat = min(awaited)
        positions.append(Example(state, seats, seat, events))
        luck = sha256(f"an example {len(positions)}".encode()).digest()
        state, events = state.apply(game.rollout_move(state, seat, int.from_bytes(luck[:4], "big")))
    return positions[int(SHARE_PLAYED * len(positions)) :]


def example(game: AnyGame, deck: Mapping[str, Any]) -> Example:
    """Return the example position with this deck table; it is always the same one."""
    later = course(game, deck)
    choices = [len(found.state.legal_moves(found.seat)) for found in later]
    near = range(-(-len(later) // NEAR))
    enough = [at for at in near if choices[at] >= LEAST_CHOICES]
    if enough:  # with few choices little lies on the table, so that what is explained is easy to see
        fewest = min(choices[at] for at in enough)
        quiet = [at for at in enough if choices[at] == fewest]
        return later[quiet[len(quiet) // 2]]
    return later[next((at for at, count in enumerate(choices) if count >= LEAST_CHOICES), choices.index(max(choices)))]
