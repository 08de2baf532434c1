"""A first lesson of a game: a fixed deal, the moves that it advises to its learner, and what it explains on the way.

A game's lesson is `LESSON` in `rules/<game>/lesson.py`, found by discovery (`rules.LESSONS`); a game without one has no
lesson. Its words are in data/locales, in the table `lesson` of the game's texts: `intro` and `end`, `step.<key>` for
each step, and `why.<key>` for each reason why another move is better.

How far a lesson is follows from the moves made so far, so nothing else of it is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from rules.core.game import Event, Game, M, S, Seat, V

OTHER = "other"
"""The reason against a move that is as good as the advised one: the lesson goes on with the advised one."""


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
    moves made are those of the line, computers play the line; afterwards they think for themselves.
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
    """The move that the lesson advises now; None once the learner has left the line."""
    decisions: int
    """How many decisions the learner has made."""


def scripted(lesson: AnyLesson, game: Game[S, M, V], state: S, seat: Seat, made: Sequence[tuple[int, str]]) -> M | None:
    """Return the line's next move for that seat after the moves made, each a seat and a text; None off the line."""
    for other in map(Seat, range(lesson.seats)):
        own = [text for mover, text in made if mover == other]
        if own != lesson.of_seat(other)[: len(own)]:
            return None
    count, line = sum(mover == seat for mover, _ in made), lesson.of_seat(seat)
    text = line[count] if count < len(line) else None
    return next((move for move in state.legal_moves(seat) if str(move) == text), None)


def progress(lesson: AnyLesson, game: Game[S, M, V], begun: S, made: Sequence[tuple[int, str]]) -> Progress[M]:
    """Return how far the lesson is after these moves from its first position, each a seat and a text."""
    state, decisions, step = begun, 0, None
    happened: list[Event] = _seen(lesson.seat, begun.opening())
    open_steps = list(lesson.steps)
    for mover, text in made:
        if mover == lesson.seat and lesson.seat in state.to_move():
            _come_up(lesson, open_steps, state, happened)
            happened, decisions = [], decisions + 1
        state, events = state.apply(game.parse(Seat(mover), text))
        happened += _seen(lesson.seat, events)
    if lesson.seat not in state.to_move():
        return Progress(None, None, decisions)
    step = _come_up(lesson, open_steps, state, happened)
    return Progress(step, scripted(lesson, game, state, lesson.seat, made), decisions)


def _come_up(lesson: AnyLesson, steps: list[Step[Any, Any]], state: Any, happened: Sequence[Event]) -> Any:
    """Take the first step out of the list that comes up there, and return it; None if none does."""
    view = state.view(lesson.seat)
    found = next((step for step in steps if step.when(view, happened)), None)
    if found is not None:
        steps.remove(found)
    return found


def _seen(seat: Seat, events: Iterable[Event]) -> list[Event]:
    seen = (event.seen_by(seat) for event in events)
    return [event for event in seen if event is not None]
