"""The honours of a match that is over, as they are stored with its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cogs.messages.names import labels_at
from data.content.texts import DEFAULT, texts
from data.records.match import Match
from rendering import renderer
from rules.core.game import AnyState, Event


def honours(match: Match, end: AnyState, events: Sequence[Event]) -> Mapping[int, Sequence[str]]:
    """Return the keys of what each seat did best, for the seats that did anything best."""
    labels = labels_at(match, texts(DEFAULT, match.game))
    story = renderer(match.game).story(end.view(None), events, labels)
    found: dict[int, list[str]] = {}
    for honour in () if story is None else story.honours:
        for seat in honour.seats:
            found.setdefault(seat, []).append(honour.key)
    return found
