"""What has happened in a match, found again from its log: the story and the position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.records.match import LoggedMove, Match
from rules.core.game import AnyGame, AnyState, Event, Seat


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event, and the number of the move that caused it (-1: the opening). `undone`: that move was taken back.

    `seat` made that move (-1: the opening), `user` for it; None is a computer.
    """

    move: int
    event: Event
    undone: bool = False
    seat: int = -1
    user: int | None = None


def replay(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[list[LoggedEvent], AnyState]:
    """All that has happened, and the position that what still stands leads to."""
    state = game.new(len(match.chairs), match.options, match.seed)
    story = [LoggedEvent(-1, event) for event in state.opening()]
    kept: list[tuple[int, AnyState]] = []  # positions to come back to: at which length of the log, and which
    for move in log:
        while kept and kept[-1][0] <= move.number:
            _, state = kept.pop()
        undone = move.undone_at is not None
        if move.undone_at is not None:
            kept.append((move.undone_at, state))
        state, events = state.apply(game.parse(Seat(move.seat), move.text))
        story += [LoggedEvent(move.number, event, undone, move.seat, move.user) for event in events]
    return story, kept[0][1] if kept else state
