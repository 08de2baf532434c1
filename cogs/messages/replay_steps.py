"""What a replay's files tell of its steps: sentences, ends of rounds, which moments matter, and which steps stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cogs.match.playback import Eyes, Step
from cogs.messages.names import labels_at
from data.records.match import Match
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import Event, Seat, View

_MARK = "\ue000{}\ue001"
"""Stands for the name of a seat until markdown is gone. No name has these characters (names.py)."""

Named = Callable[[Step], Labels]
"""Returns the labels for a step, with the names of its time."""
PER_JOB = 10
"""Pictures a job, so that a press waits for half a second at most on a quiet machine."""

Look = tuple[View, Labels]
"""A position as its viewer saw it, and the labels with which it is drawn."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One or more steps that a file shows as one: the position of the last, and what happened in all of them."""

    step: Step
    labels: Labels
    """With the names of its time."""
    events: tuple[Event, ...]
    turn: bool
    """Whether a turn begins here."""
    round: bool
    """Whether a round ends here."""
    moment: bool
    """Whether it is worth a longer look."""


def scenes(slug: str, steps: Sequence[Step], named: Named, every: int = 0) -> list[Scene]:
    """Return all steps (`every` 0), or only those at which a turn ends (1), or every second of these, and so on. The
    first and the last step always stay.
    """
    last = len(steps) - 1
    kept = list(range(last + 1))
    if every:
        ends = [at for at in kept[:-1] if steps[at + 1].new_turn]
        kept = sorted({0, *ends[::every], last})
    found, start = [], 0
    for at in kept:
        joined = steps[start : at + 1]
        start = at + 1
        events = tuple(event for step in joined for event in step.seen)
        view = steps[at].view(Eyes.ONLOOKER)
        moment = at > 0 and renderer(slug).moment(view, events) is not None
        turn, labels = any(step.new_turn for step in joined), named(steps[at])
        found.append(Scene(steps[at], labels, events, turn, rounds_in(slug, view, events, labels) > 0, moment))
    return found


def as_it_was(match: Match, labels: Labels, step: Step) -> Labels:
    """Return the labels with the names of the players who had the seats then, and no avatar of later players."""
    then = labels_at(match, labels.texts, step.move)
    faces = tuple(
        face if name == now else b"" for face, name, now in zip(labels.faces, then.names, labels.names, strict=False)
    )
    return replace(labels, names=then.names, written=then.written, faces=faces)


def rounds_in(slug: str, view: View, events: Sequence[Event], labels: Labels) -> int:
    """Return how many rounds ended with these events. `view`: an onlooker's, after them."""
    story = renderer(slug).story(view, events, labels)
    return 0 if story is None else len(story.places[0].course) - 1


def sentences(slug: str, events: Sequence[Event], viewer: int, labels: Labels) -> list[str]:
    """Return what happened as a seat or an onlooker saw it, in plain text: without markdown, names as they are."""
    marks = tuple(_MARK.format(seat) for seat in range(len(labels.names)))
    marked, found = replace(labels, names=marks, written=()), []
    for event in events:
        seen = event.seen_by(Seat(viewer) if viewer >= 0 else None)
        if line := "" if seen is None else renderer(slug).narrate(seen, marked):
            found.append(line)
    return [_named(line, marks, labels.names) for line in found]


def _named(line: str, marks: Sequence[str], names: Sequence[str]) -> str:
    line = line.replace("**", "")
    for mark, name in zip(marks, names, strict=True):
        line = line.replace(mark, name)
    return line
