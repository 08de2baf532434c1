"""The positions of matches in memory, and what has happened in them where that was asked for.

All of it can be found again: a position stands in its match, and the events follow from its log.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from cogs.match.replay import LoggedEvent
from data.records.match import Match
from rules.core.game import AnyGame, AnyState

KEPT = 256
"""Matches whose positions are kept."""


@dataclass(slots=True)
class _Known:
    """A match at a version: its position, and its events so far or None."""

    version: int
    state: AnyState
    story: list[LoggedEvent] | None


class PositionCache:
    """Of the matches that were asked for last."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self._known: OrderedDict[int, _Known] = OrderedDict()

    def state(self, match: Match) -> AnyState:
        """The position of a started match, at the version of `match`."""
        known = self._known.get(match.id)
        if known is not None and known.version == match.version:
            return known.state
        assert match.state is not None
        state = self._games[match.game].from_json(match.state)
        if known is None or known.version < match.version:  # who still shows an older one does not displace the newest
            self.keep(match, state)
        return state

    def story(self, match: Match) -> list[LoggedEvent] | None:
        """The events up to that version of the match, or, where a later one is kept, up to that; None: not at hand."""
        known = self._known.get(match.id)
        return None if known is None else known.story

    def story_to_go_on(self, match: Match) -> list[LoggedEvent] | None:
        """The events up to exactly that version of the match; None: not at hand."""
        return self.story(match) if self._is_at(match) else None

    def keep(self, match: Match, state: AnyState, story: list[LoggedEvent] | None = None) -> None:
        """Keep the position of that version, with the events so far where they are at hand."""
        self._known[match.id] = _Known(match.version, state, story)
        self._known.move_to_end(match.id)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    def keep_story(self, match: Match, story: list[LoggedEvent]) -> None:
        """Keep the events where the position is that of `match`."""
        if self._is_at(match):
            self._known[match.id].story = story

    def stands(self, before: Match, after: Match) -> None:
        """A match has another version, in the same position."""
        if self._is_at(before):
            self._known[before.id].version = after.version

    def forget(self, number: int) -> None:
        self._known.pop(number, None)

    def _is_at(self, match: Match) -> bool:
        known = self._known.get(match.id)
        return known is not None and known.version == match.version
