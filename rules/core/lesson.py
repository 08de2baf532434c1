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

from rules.core.game import AnyState, Event, Game, M, S, Seat, V

OTHER = "other"
"""In place of a reason against a move: it is as good as the advised one."""


@dataclass(frozen=True, slots=True)
class Step(Generic[V, M]):
    """Something that a lesson explains once, at a decision of its learner."""

    key: str
    when: Callable[[V, Sequence[Event]], bool]
    """Whether it comes up, given what the learner sees now and what they saw happen since their last decision."""
    why: Callable[[V, M], str] = lambda *_: OTHER
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
    change the order of their own moves if these are as good and the lesson goes on to its end all the same.
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
    """The line's next move for the learner; None off the line, or if another seat is to move."""
    decisions: int
    """How many decisions the learner has made."""
    lines: Mapping[int, Sequence[str]]
    """By seat: the moves of the line that are left; none off the line."""
    left: bool = False
    """Whether this is the learner's first decision off the line."""
    missed: bool = False
    """Whether the line is left, and the lesson had not explained all before this decision."""

    def scripted(self, state: Any, seat: Seat) -> M | None:
        """Return the line's next move for that seat in the present position; None off the line."""
        move: M | None = _next(self.lines, state, seat)
        return move

    def reason(self, view: Any, move: M) -> str:
        """Return the key of the reason why the advised move is better than this one, or OTHER."""
        return OTHER if self.step is None or not self.lines else self.step.why(view, move)


def progress(lesson: AnyLesson, game: Game[S, M, V], begun: S, made: Sequence[tuple[int, str]]) -> Progress[M]:
    """Return how far the lesson is after these moves from its first position, each a seat and a text."""
    return _after(lesson, game, begun, made).now()


def goes_on(lesson: AnyLesson, game: Game[S, M, V], begun: S, made: Sequence[tuple[int, str]], move: M) -> bool:
    """Return whether the lesson goes on to its end, with all that it explains, if its learner makes that move now."""
    return _after(lesson, game, begun, made).goes_on(move)


def _after(lesson: AnyLesson, game: Game[S, M, V], begun: S, made: Sequence[tuple[int, str]]) -> _Course:
    lines = {seat: tuple(lesson.of_seat(Seat(seat))) for seat in range(lesson.seats)}
    course = _Course(lesson, begun, lines, tuple(lesson.steps), _seen(lesson.seat, begun.opening()))
    for mover, text in made:
        course.make(game.parse(Seat(mover), text))
    return course


@dataclass(slots=True)
class _Course:
    """A lesson on its way. No value of a field changes in itself, so a copy goes another way."""

    lesson: AnyLesson
    state: AnyState
    lines: Mapping[int, tuple[str, ...]]
    open_steps: tuple[Step[Any, Any], ...]
    happened: tuple[Event, ...]
    """What the learner saw happen since their last decision."""
    decisions: int = 0
    left_at: int | None = None
    """How many decisions the learner had made when the line was left."""

    def now(self) -> Progress[Any]:
        """Return how far the lesson is."""
        seat, missed = self.lesson.seat, not self.lines and bool(self.open_steps)
        if seat not in self.state.to_move():
            return Progress(None, None, self.decisions, self.lines, missed=missed)
        view = self.state.view(seat)
        step = next((step for step in self.open_steps if step.when(view, self.happened)), None)
        advised, left = _next(self.lines, self.state, seat), self.left_at == self.decisions
        return Progress(step, advised, self.decisions, self.lines, left, missed)

    def make(self, move: Any) -> None:
        """Make a move. One by which the lesson does not go on to its end leaves the line."""
        if move.seat != self.lesson.seat:
            stays = self.lines.get(move.seat, ())[:1] == (str(move),)
        elif move.seat not in self.state.to_move():
            stays = False  # it changes what it has sealed
        else:
            at = self.now()
            stays = at.advised is not None and (
                move == at.advised or (at.reason(self.state.view(move.seat), move) == OTHER and self.goes_on(move))
            )
        self._make(move, stays)

    def goes_on(self, move: Any) -> bool:
        """Return whether the lesson goes on to its end, with all that it explains, if its learner makes that move."""
        if str(move) not in self.lines.get(move.seat, ()):
            return False
        course = replace(self)
        while move is not None:
            course._make(move, True)
            if not course.state.to_move() or self.lesson.over(course.state.view(self.lesson.seat)):
                return not course.open_steps
            seat = min(course.state.to_move())
            move = _next(course.lines, course.state, seat)
        return False

    def _make(self, move: Any, stays: bool) -> None:
        """Make a move. `stays`: it is of the line; a move of the same seat in whose place it is made comes later."""
        seat = self.lesson.seat
        if move.seat == seat and seat in self.state.to_move():
            explained = self.now().step
            self.open_steps = tuple(step for step in self.open_steps if step is not explained)
            self.happened, self.decisions = (), self.decisions + 1
        if stays:
            first, *later = self.lines[move.seat]
            if first != str(move):
                later[later.index(str(move))] = first
            self.lines = {**self.lines, move.seat: tuple(later)}
        elif self.lines:
            self.lines, self.left_at = {}, self.decisions
        self.state, events = self.state.apply(move)
        self.happened = (*self.happened, *_seen(seat, events))


def _next(lines: Mapping[int, Sequence[str]], state: AnyState, seat: Seat) -> Any:
    """Return that seat's next move of the lines if it is legal, else None."""
    line = lines.get(seat)
    return next((move for move in state.legal_moves(seat) if line and str(move) == line[0]), None)


def _seen(seat: Seat, events: Iterable[Event]) -> tuple[Event, ...]:
    seen = (event.seen_by(seat) for event in events)
    return tuple(event for event in seen if event is not None)
