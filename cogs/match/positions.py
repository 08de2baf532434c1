"""The position of a match: its state, the turns that it asks for, and the positions kept in memory.

Everything kept here can be found again: the state is stored with its match, and the events follow from its log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cogs.match.clocks import away
from cogs.match.replay import LoggedEvent
from data.lru import Lru
from data.records.match import Match
from rules.core.game import AnyGame, AnyState, Seat

KEPT = 256
"""Matches whose positions are kept."""


@dataclass(frozen=True, slots=True)
class Position:
    """A started match and its state, at one version, with the events so far if they are at hand."""

    match: Match
    state: AnyState
    events: list[LoggedEvent] | None = None

    def turn(self, seat: Seat) -> str:
        """The token of a seat's decision: see `token`."""
        return token(self.match, self.state, seat)

    def turned(self, match: Match, after: AnyState, now: int) -> Match:
        """`match` with the state that a move, or its taking back, has led to: see `turned`."""
        return turned(match, self.state, after, now)


@dataclass(slots=True)
class _Known:
    """A match at a version: its state, and its events so far or None."""

    version: int
    state: AnyState
    events: list[LoggedEvent] | None


class PositionCache:
    """The positions of the matches that were used last."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self._known = Lru[int, _Known](KEPT)

    def at(self, match: Match) -> Position:
        """The position of a started match, at the version of `match`; its events only if they end at that version."""
        known = self._known.get(match.id)
        if known is not None and known.version == match.version:
            return Position(match, known.state, known.events)
        assert match.state is not None
        state = self._games[match.game].from_json(match.state)
        if known is None or known.version < match.version:  # an older version never displaces a newer one
            self.keep(match, state)
        return Position(match, state)

    def events(self, match: Match) -> list[LoggedEvent] | None:
        """The events up to the newest version that is kept, which may be a later one than `match`'s; None: not kept."""
        known = self._known.get(match.id)
        return None if known is None else known.events

    def keep(self, match: Match, state: AnyState, events: list[LoggedEvent] | None = None) -> None:
        """Keep the position of that version, with the events so far if they are at hand."""
        self._known[match.id] = _Known(match.version, state, events)

    def keep_events(self, match: Match, events: list[LoggedEvent]) -> None:
        """Keep the events, if the position kept is that of `match`."""
        known = self._known.get(match.id)
        if known is not None and known.version == match.version:
            known.events = events

    def same_position(self, before: Match, after: Match) -> None:
        """Note that a match has a new version in the same position."""
        known = self._known.get(before.id)
        if known is not None and known.version == before.version:
            known.version = after.version

    def forget(self, number: int) -> None:
        """Drop what is kept of that match."""
        self._known.pop(number)


def token(match: Match, state: AnyState, seat: Seat) -> str:
    """The turn token: the name of a seat's decision, on its buttons and in the log.

    It is the rules' own, followed by a dash and the match's branch: taking a move back, or restoring a backup, brings
    the rules' tokens back, and a button of a position that is gone must not act on another. Both parts are public
    (`State.may_take_back`).
    """
    turn = state.turn(seat)
    return f"{turn}-{match.branch}" if match.branch else turn


def phase(turn: str) -> str:
    """The phase that a decision belongs to, taken from its token: the same however often the seat decides again or
    takes back in it.
    """
    return turn.partition("-")[0].partition(".")[0]


def turned(match: Match, before: AnyState, after: AnyState, now: int) -> Match:
    """The match at its new position; its turn begins now if that position asks a seat for a new decision."""
    since = match.turn_since if _asked(after) == _asked(before) else now
    return replace(match, state=after.to_json(), turn_since=since, alone=left_alone(match, before, after))


def _asked(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """The seats to move, each with its turn: when this changes, a new turn has begun. Sealing again changes nothing."""
    return frozenset((seat, state.turn(seat)) for seat in state.to_move())


def left_alone(match: Match, before: AnyState, after: AnyState) -> str:
    """The turn of the one player still to move after others have decided at the same time; "" if there is none.

    It follows from what everybody sees: the seats to move. Sealing again changes neither.
    """
    there = {Seat(chair.number) for chair in match.people}
    if match.clocks:  # without a clock no player is away
        there -= {Seat(chair.number) for chair in away(match)}
    was, now = before.to_move() & there, after.to_move() & there
    if len(now) != 1 or not now <= was:
        return ""
    (seat,) = now
    turn = after.turn(seat)
    if turn != before.turn(seat):
        return ""
    return turn if len(was) > 1 else match.alone


def going_on(match: Match, since: int, now: int) -> Match:
    """The match once it runs again: the time since `since` counts for no player."""
    return replace(match, turn_since=None if match.turn_since is None else match.turn_since + now - since)
