"""Replays a match's log: returns all its events, and the position that the log leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.match import LoggedMove, Match
from rules.core.game import AnyGame, AnyState, Event, Seat


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


def replay(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[list[LoggedEvent], AnyState]:
    """Return all events in order, including those of moves taken back, and the position after all other moves."""
    state = game.new(len(match.chairs), match.options, match.seed)
    history = [LoggedEvent(-1, event) for event in state.opening()]
    kept: list[tuple[int, AnyState]] = []  # (length of the log, position to which the match returned then)
    for move in log:
        while kept and kept[-1][0] <= move.number:
            _, state = kept.pop()
        undone = move.undone_at is not None
        if move.undone_at is not None:
            kept.append((move.undone_at, state))
        state, events = state.apply(game.parse(Seat(move.seat), move.text))
        history += [LoggedEvent(move.number, event, undone, move.seat, move.user, move.turn) for event in events]
    return history, kept[0][1] if kept else state
