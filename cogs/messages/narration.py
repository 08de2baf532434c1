"""Tells in sentences what happened in a match: only what a viewer saw and may still look back at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from cogs.match.replay import LoggedEvent
from data.records.match import Match, Status
from rendering import renderer
from rendering.core.labels import Labels
from rules.core.game import AnyGame, Seat

LOG_PAGE = 3300
"""Characters on a page of the log at most."""


def backwards(
    game: AnyGame, match: Match, story: Sequence[LoggedEvent], seat: int | None, labels: Labels
) -> Iterator[tuple[LoggedEvent, str]]:
    """Yield the events of a match, the newest first, each with the sentence for that seat (None: an onlooker).

    `story`: the whole history or its end. Events that tell the viewer nothing are left out. Events that were taken back
    are marked; a viewer may always look back at them, because they hid and revealed nothing.
    """
    viewer = None if seat is None else Seat(seat)
    events = [logged.event for logged in story if not logged.undone]
    visible = list(game.visible_history(events) if match.status is Status.PLAYING else events)
    drawn = renderer(match.game)
    for logged in reversed(story):
        event = logged.event if logged.undone else visible.pop()
        seen = None if event is None else event.seen_by(viewer)
        line = "" if seen is None else drawn.narrate(seen, labels)
        if line:
            yield logged, labels.say("log.undone", what=line) if logged.undone else line


def sentences(
    game: AnyGame, match: Match, story: Sequence[LoggedEvent], seat: int | None, labels: Labels, most: int | None = None
) -> list[str]:
    """Return the last `most` sentences of what happened, oldest first."""
    return [line for _, line in islice(backwards(game, match, story, seat, labels), most)][::-1]


def newest(lines: Sequence[str], room: int) -> list[str]:
    """Return the newest of these lines that fit into `room` characters, counting a separator after each; order kept."""
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept[::-1]


def pages(lines: Sequence[str]) -> list[str]:
    """Return pages of whole lines, filled from the end."""
    found: list[list[str]] = [[]]
    size = 0
    for line in reversed(lines):
        if size + len(line) > LOG_PAGE and found[-1]:
            found.append([])
            size = 0
        found[-1].append(line)
        size += len(line) + 1
    return ["\n".join(reversed(page)) for page in reversed(found) if page]
