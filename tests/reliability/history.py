"""What people pressed and what they were told, line by line: all that is left of a life that was cut off."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field

UNDO = "undo"
"""The text of a press that takes the last move back."""
COMPLAINT = b'["complaint"'
"""What the line of a complaint begins with."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button as it was pressed: whose, with which token, for what."""

    match: int
    user: int
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """That press is recorded, said at that version of the match."""

    press: Press
    version: int


@dataclass
class Diary:
    """Presses in their order, and answers to them. `complaints`: what a life itself found to be wrong."""

    pressed: set[Press] = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    last: Press | None = None
    complaints: list[str] = field(default_factory=list)

    @property
    def unanswered(self) -> Press | None:
        """What was pressed last, while nobody has been told that it is recorded."""
        return None if self.answers and self.answers[-1].press == self.last else self.last

    def copy(self) -> Diary:
        """The same, to go on with by itself."""
        return Diary(set(self.pressed), list(self.answers), self.last, list(self.complaints))

    def read(self, lines: Iterable[str]) -> None:
        """Go on with what has been written. A last line that is cut off was never said."""
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
            elif kind == "complaint":
                self.complaints.append(facts[0])


def pressing(press: Press) -> str:
    """The line for a press that is about to be made."""
    return _line("press", *astuple(press))


def answering(answer: Answer) -> str:
    """The line for what a person is told."""
    return _line("answer", *astuple(answer.press), answer.version)


def complaining(text: str) -> str:
    """The line for something that must not be."""
    return _line("complaint", text)


def _line(*facts: object) -> str:
    return json.dumps(facts, separators=(",", ":")) + "\n"
