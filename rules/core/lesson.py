"""A first lesson of a game: a fixed deal, the moves that it advises to its learner, and what it explains on the way.

A game's lesson is `LESSON` in `rules/<game>/lesson.py`, found by discovery (`rules.LESSONS`); a game without one has no
lesson. Its words are in data/locales, in the table `lesson` of the game's texts: `intro` and `end`, `step.<key>` for
each step, and `why.<key>` for each reason why another move is better.

How far a lesson is follows from the moves made so far, so nothing else of it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from rules.core.game import Event, Game, M, S, Seat, V

OTHER = "other"
"""In place of a reason against a move: it is as good as the advised one, so the learner may make it."""
_LUCK = 1
"""With which the rules of thumb advise (`Game.rollout_move`)."""


def _no_reason(view: Any, move: Any) -> str:
    return OTHER


@dataclass(frozen=True, slots=True)
class Step(Generic[V, M]):
    """Something that a lesson explains once, at a decision of its learner."""

    key: str
    when: Callable[[V, Sequence[Event]], bool]
    """Whether it comes up, given what the learner sees now and what they saw happen since their last decision."""
    why: Callable[[V, M], str] = _no_reason
    """The key of the reason why the advised move is better than this one. The texts may name both: {move}, {better}."""
    asks: bool = False
    """Whether the learner should find the move: the lesson names it only after they have tried another."""


@dataclass(frozen=True, slots=True)
class Lesson(Generic[V, M]):
    """A lesson. Its learner plays against computers until `over`, or until the match ends."""

    seats: int
    seat: Seat
    """The learner's seat."""
    seed: str
    """64 hexadecimal digits, from which the deal follows."""
    line: Sequence[str]
    """All moves in order if the learner does as advised, each as its seat and its text: "1 play B9". As long as all
    moves made are those of the line, computers play the line; afterwards they think for themselves. The learner may
    change the order of their own moves if these are as good.
    """
    steps: Sequence[Step[V, M]]
    """The steps, in the order in which they are tried. At most one comes up at a decision, and each at most once."""
    over: Callable[[V], bool]
    """Whether the learner has seen all that the lesson shows."""
    options: Mapping[str, Any] = field(default_factory=dict)

    def of_seat(self, seat: Seat) -> list[str]:
        """Return the moves of that seat in the line."""
        moves = (entry.split(" ", 1) for entry in self.line)
        return [text for mover, text in moves if mover == str(seat)]


AnyLesson = Lesson[Any, Any]


@dataclass(frozen=True, slots=True)
class Progress(Generic[M]):
    """How far a lesson is."""

    step: Step[Any, M] | None
    """What the lesson explains at the learner's present decision; None: nothing new, or another seat is to move."""
    advised: M | None
    """The move that the lesson advises now: that of the line, or off the line one by the game's rules of thumb. None
    once the learner has made a move that is worse.
    """
    decisions: int
    """How many decisions the learner has made."""
    lines: Mapping[int, Sequence[str]]
    """By seat: the moves of the line that are left; none off the line."""

    def scripted(self, state: Any, seat: Seat) -> M | None:
        """Return the line's next move for that seat in the present position; None off the line."""
        line = self.lines.get(seat)
        return next((move for move in state.legal_moves(seat) if line and str(move) == line[0]), None)

    def reason(self, view: Any, move: M) -> str:
        """Return the key of the reason why the advised move is better than this one, or OTHER."""
        return OTHER if self.step is None or not self.lines else self.step.why(view, move)


def progress(lesson: AnyLesson, game: Game[S, M, V], begun: S, made: Sequence[tuple[int, str]]) -> Progress[M]:
    """Return how far the lesson is after these moves from its first position, each a seat and a text."""
    state, decisions, advises = begun, 0, True
    happened: list[Event] = _seen(lesson.seat, begun.opening())
    open_steps = list(lesson.steps)
    lines = {seat: lesson.of_seat(Seat(seat)) for seat in range(lesson.seats)}
    for mover, text in made:
        move = game.parse(Seat(mover), text)
        if mover == lesson.seat and lesson.seat not in state.to_move():
            advises = False  # it changes what it has sealed
        elif mover == lesson.seat:
            at = _now(lesson, game, state, open_steps, happened, decisions, lines, advises)
            advises &= move == at.advised or at.reason(state.view(lesson.seat), move) == OTHER
            happened, decisions = [], decisions + 1
            if text in (left := lines.get(mover, [])):
                # The move in whose place it is made comes later.
                left[left.index(text)], left[0] = left[0], text
        if lines and lines[mover][:1] == [text]:
            del lines[mover][0]
        else:
            lines = {}
        state, events = state.apply(move)
        happened += _seen(lesson.seat, events)
    if lesson.seat not in state.to_move():
        return Progress(None, None, decisions, lines if advises else {})
    at = _now(lesson, game, state, open_steps, happened, decisions, lines, advises)
    return at if advises else replace(at, advised=None, lines={})


def _now(
    lesson: AnyLesson,
    game: Game[S, M, V],
    state: S,
    steps: list[Step[Any, Any]],
    happened: Sequence[Event],
    decisions: int,
    lines: Mapping[int, Sequence[str]],
    advises: bool,
) -> Progress[M]:
    """Return how far the lesson is at a decision of its learner. `advises`: whether it still advises them."""
    view, legal = state.view(lesson.seat), state.legal_moves(lesson.seat)
    up = [step for step in steps if step.when(view, happened)]
    line = lines.get(lesson.seat)
    advised = next((move for move in legal if line and str(move) == line[0]), None)
    step = up[0] if up else None
    if advised is None and advises:
        advised, lines = game.rollout_move(state.redeal_unseen(lesson.seat, ""), lesson.seat, _LUCK), {}
        # What a step explains may speak against the rules of thumb: then it has the last word, or if it speaks against
        # every move, none.
        agreed = ((step, move) for step in up for move in (advised, *legal) if step.why(view, move) == OTHER)
        step, advised = next(agreed, (None, advised))
    if step is not None:
        steps.remove(step)
    return Progress(step, advised, decisions, lines)


def _seen(seat: Seat, events: Iterable[Event]) -> list[Event]:
    seen = (event.seen_by(seat) for event in events)
    return [event for event in seen if event is not None]
