"""What a first lesson advises: to its learner, and to the computers that play along (rules/core/lesson.py).

How far a lesson is follows from its log, without the moves that were taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from data.records.match import LoggedMove, Match
from rules import LESSONS
from rules.core.game import AnyGame, AnyState, Move, Seat
from rules.core.lesson import OTHER, Progress, goes_on, progress

LESSON = "lesson"
"""Stands in the log for the level of a computer whose move the lesson has laid down."""


class Discouraged(Exception):
    """The lesson advises a better move, or does not go on after this one. Nothing has changed; the learner may make
    theirs all the same.

    `why` is the key of the reason (`lesson.why.<key>` in the game's texts); OTHER: the move is as good.
    """

    def __init__(self, why: str, move: Move, better: Move) -> None:
        super().__init__(why)
        self.why, self.move, self.better = why, move, better


def progress_of(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> Progress[Any] | None:
    """Return how far the lesson is; None if this program has no lesson of its game any more."""
    lesson = LESSONS.get(match.game)
    if lesson is None:
        return None
    return progress(lesson, game, *_course(game, match, log))


def _course(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[AnyState, list[tuple[int, str]]]:
    """Return the lesson's first position and the moves made since."""
    made = [(move.seat, move.text) for move in log if move.undone_at is None]
    return game.new(len(match.chairs), match.options, match.seed), made


def check_advised(game: AnyGame, match: Match, log: Sequence[LoggedMove], state: AnyState, move: Move) -> None:
    """Raise Discouraged if the lesson advises its learner a better move here, or if it does not go on to its end after
    a move that is as good.
    """
    found = progress_of(game, match, log)
    if found is None or found.advised is None or found.advised == move:
        return
    why = found.reason(state.view(move.seat), move)
    if why != OTHER or not goes_on(LESSONS[match.game], game, *_course(game, match, log), move):
        raise Discouraged(why, move, found.advised)


def scripted_move(game: AnyGame, match: Match, log: Sequence[LoggedMove], state: AnyState, seat: Seat) -> Move | None:
    """Return the move that the lesson lays down for a computer's seat; None if it thinks for itself."""
    found = progress_of(game, match, log)
    return None if found is None else found.scripted(state, seat)


def is_done(match: Match, state: AnyState) -> bool:
    """Return whether the lesson has shown all in that position."""
    lesson = LESSONS.get(match.game)
    return lesson is not None and lesson.over(state.view(lesson.seat))
