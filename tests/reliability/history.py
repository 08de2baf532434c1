"""The history of a run: what people pressed and what they were told, line by line. It outlives the killed process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field
from typing import NamedTuple

from data.records.people import PingPreference

UNDO = "undo"
"""The text of a press that takes the last move back."""
VIOLATION = b'["violation"'
"""The beginning of the line of a violation."""
LOST_PING, DOUBLED_PING = "a ping is lost", "pinged twice"
THE_END_TURN = "the end"
"""Stands in place of a turn in the ping that tells a player that the match has ended."""


@dataclass(frozen=True, slots=True)
class Press:
    """A press: the match, the user, the turn token and the move of the button."""

    match: int
    user: int
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The bot has said that the press is recorded; `version` is that of the match."""

    press: Press
    version: int


class Ping(NamedTuple):
    """A ping that a person must get once in each way: for a turn, or as the last one to decide in it."""

    match: int
    user: int
    turn: str
    last: bool
    by: PingPreference
    """Direct message or mention."""


@dataclass
class History:
    """Presses, and the answers in their order. `violations`: faults that the killed process itself found."""

    pressed: set[Press] = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    last: Press | None = None
    violations: list[str] = field(default_factory=list)

    @property
    def unanswered(self) -> Press | None:
        """Return the last press if no answer has said that it is recorded, else None."""
        return None if self.answers and self.answers[-1].press == self.last else self.last

    def copy(self) -> History:
        return History(set(self.pressed), list(self.answers), self.last, list(self.violations))

    def read(self, lines: Iterable[str]) -> None:
        """Add lines of a file. A last line that is cut off does not count."""
        for line in lines:
            if not line.endswith("\n"):
                continue
            kind, *facts = json.loads(line)
            if kind == "press":
                self.last = Press(*facts)
                self.pressed.add(self.last)
            elif kind == "answer":
                *press, version = facts
                self.answers.append(Answer(Press(*press), version))
            elif kind == "violation":
                self.violations.append(facts[0])


def press_line(press: Press) -> str:
    return _line("press", *astuple(press))


def answer_line(answer: Answer) -> str:
    return _line("answer", *astuple(answer.press), answer.version)


def violation_line(text: str) -> str:
    return _line("violation", text)


def _line(*facts: object) -> str:
    return json.dumps(facts, separators=(",", ":")) + "\n"
