"""Replays a match's log: returns all its events, and the position that the log leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from data.records.match import LoggedMove, Match
from rules.core.game import AnyGame, AnyState, Event, Json, Seat


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event, and the move that caused it.

    `move` is that move's number and `seat` its seat, both -1 for the opening. `user` made the move; None is a computer.
    `undone`: the move was taken back. `turn`: the token of the decision.
    """

    move: int
    event: Event
    undone: bool = False
    seat: int = -1
    user: int | None = None
    turn: str = ""


Step = tuple[LoggedMove, AnyState, AnyState, tuple[Event, ...]]
"""A move of a log, the positions before and after it, and what happened."""


def steps(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> Iterator[Step]:
    """Yield the moves of the log one by one, including those that were taken back."""
    state = game.new(len(match.chairs), match.options, match.seed)
    kept: list[tuple[int, AnyState]] = []  # (length of the log, position to which the match returned then)
    for move in log:
        while kept and kept[-1][0] <= move.number:
            _, state = kept.pop()
        if move.undone_at is not None:
            kept.append((move.undone_at, state))
        before = state
        state, events = before.apply(game.parse(Seat(move.seat), move.text))
        yield move, before, state, events


def replay(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[list[LoggedEvent], AnyState]:
    """Return all events in order, including those of moves taken back, and the position after all other moves."""
    end = game.new(len(match.chairs), match.options, match.seed)
    history = [LoggedEvent(-1, event) for event in end.opening()]
    returned: AnyState | None = None
    for move, before, after, events in steps(game, match, log):
        undone = move.undone_at is not None
        history += [LoggedEvent(move.number, event, undone, move.seat, move.user, move.turn) for event in events]
        end = after
        if undone and move.undone_at == len(log) and returned is None:  # nothing was played after it was taken back
            returned = before
    return history, end if returned is None else returned


def is_stored(game: AnyGame, position: AnyState, stored: Json | None) -> bool:
    """Return whether the position is the stored one. A position that an older version stored may lack the fields that
    were added since.
    """
    if stored is None:
        return False
    now = position.to_json()
    return {key: value for key, value in now.items() if key in stored or key not in game.added} == stored
