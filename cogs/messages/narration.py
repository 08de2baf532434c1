"""Tells in sentences what has happened: as far as a viewer saw it and may still look back at it, and never more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from cogs.match.replay import LoggedEvent
from data.records.match import Match, Status
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Seat

LOG_PAGE = 3300
"""Letters on a page of the log."""


def backwards(
    game: AnyGame, match: Match, story: Sequence[LoggedEvent], seat: int | None, labels: Labels
) -> Iterator[tuple[LoggedEvent, str]]:
    """What happened in a match, the newest first, with the sentence that tells it to that seat (None: an onlooker).

    `story` is all of it or the end of it. What tells the viewer nothing is left out. What was taken back is marked: it
    hid nothing and revealed nothing, so it may always be looked back at.
    """
    viewer = None if seat is None else Seat(seat)
    events = [told.event for told in story if not told.undone]
    recalled = list(game.recall(events) if match.status is Status.PLAYING else events)
    drawn = renderer(match.game)
    for told in reversed(story):
        event = told.event if told.undone else recalled.pop()
        seen = None if event is None else event.seen_by(viewer)
        line = "" if seen is None else drawn.tell(seen, labels)
        if line:
            yield told, labels.say("log.undone", what=line) if told.undone else line


def sentences(
    game: AnyGame, match: Match, story: Sequence[LoggedEvent], seat: int | None, labels: Labels, most: int | None = None
) -> list[str]:
    """The last `most` sentences of what happened, oldest first."""
    return [line for _, line in islice(backwards(game, match, story, seat, labels), most)][::-1]


def newest(lines: Sequence[str], room: int) -> list[str]:
    """Of sentences in order the newest that fit into so many letters, a space or a line's end after each."""
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept[::-1]


def pages(lines: Sequence[str]) -> list[str]:
    """Pages of whole lines, filled from the end."""
    found: list[list[str]] = [[]]
    size = 0
    for line in reversed(lines):
        if size + len(line) > LOG_PAGE and found[-1]:
            found.append([])
            size = 0
        found[-1].append(line)
        size += len(line) + 1
    return ["\n".join(reversed(page)) for page in reversed(found) if page]
