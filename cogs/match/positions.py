"""The position of a match: its log, replayed with all its events; its state; the turn tokens of its seats; and a cache.

Everything in the cache can be found again: the state is stored with its match, and the events follow from its log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cogs.match.clocks import away
from cogs.match.time_controls import PRESETS
from data.lru import Lru
from data.records.match import LoggedMove, Match
from data.records.reminders import WAITS, Reminder
from rules.core.game import AnyGame, AnyState, Event, Json, Seat

KEPT = 256
"""The most positions in the cache, one a match."""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event, and the move that caused it.

    `move` is that move's number and `seat` its seat, both -1 for the opening. `user` made the move; None is a computer.
    `undone`: the move was taken back. `turn`: the token of the decision.
    """

    move: int
    event: Event
    undone: bool = False
    seat: int = -1
    user: int | None = None
    turn: str = ""


LoggedStep = tuple[LoggedMove, AnyState, AnyState, tuple[Event, ...]]
"""A move of a log, the positions before and after it, and what happened."""


def steps(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> Iterator[LoggedStep]:
    """Yield the moves of the log one by one, including those that were taken back."""
    state = game.new(len(match.chairs), match.options, match.seed)
    kept: list[tuple[int, AnyState]] = []  # (length of the log, position to which the match returned then)
    for move in log:
        while kept and kept[-1][0] <= move.number:
            _, state = kept.pop()
        if move.undone_at is not None:
            kept.append((move.undone_at, state))
        before = state
        state, events = before.apply(game.parse(Seat(move.seat), move.text))
        yield move, before, state, events


def replay(game: AnyGame, match: Match, log: Sequence[LoggedMove]) -> tuple[list[LoggedEvent], AnyState]:
    """Return all events in order, including those of moves taken back, and the position after all other moves."""
    end = game.new(len(match.chairs), match.options, match.seed)
    history = [LoggedEvent(-1, event) for event in end.opening()]
    returned: AnyState | None = None
    for move, before, after, events in steps(game, match, log):
        undone = move.undone_at is not None
        history += [LoggedEvent(move.number, event, undone, move.seat, move.user, move.turn) for event in events]
        end = after
        if undone and move.undone_at == len(log) and returned is None:  # nothing was played after it was taken back
            returned = before
    return history, end if returned is None else returned


def log_at(moves: int, log: Sequence[LoggedMove]) -> list[LoggedMove]:
    """Return the log as it was when it had that many moves: those that were taken back later still count."""
    return [
        replace(move, undone_at=None) if move.undone_at is not None and move.undone_at > moves else move
        for move in log[:moves]
    ]


def is_stored(game: AnyGame, position: AnyState, stored: Json | None) -> bool:
    """Return whether the position is the stored one, which may lack fields if an older version stored it."""
    if stored is None:
        return False
    now = position.to_json()
    return {key: value for key, value in now.items() if key in stored or key not in game.added} == stored


@dataclass(frozen=True, slots=True)
class Position:
    """A started match and its state, at one version, with the events so far if the cache has them."""

    match: Match
    state: AnyState
    events: list[LoggedEvent] | None = None


@dataclass(slots=True)
class _Known:
    """A cached position: its version, its state, and its events so far or None. `before`: the state before the last
    move and the number of moves in the log then, or None.
    """

    version: int
    state: AnyState
    events: list[LoggedEvent] | None
    before: tuple[int, AnyState] | None = None


class PositionCache:
    """The positions of the matches that were used last."""

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self._known = Lru[int, _Known](KEPT)

    def at(self, match: Match) -> Position:
        """Return the position of a started match at its version; its events only if they end at that version."""
        known = self._known.get(match.id)
        if known is not None and known.version == match.version:
            return Position(match, known.state, known.events)
        assert match.state is not None
        state = self._games[match.game].from_json(match.state)
        if known is None or known.version < match.version:  # an older version never replaces a newer one
            self.keep(match, state)
        return Position(match, state)

    def events(self, match: Match) -> list[LoggedEvent] | None:
        """Return the cached events, up to a version that may be later than `match`'s; None if there are none."""
        known = self._known.get(match.id)
        return None if known is None else known.events

    def before(self, number: int, moves: int) -> AnyState | None:
        """Return the state of a match when its log had that many moves, if that was before its last move; else None.
        None also if the cache lacks it.
        """
        known = self._known.get(number)
        return known.before[1] if known is not None and known.before is not None and known.before[0] == moves else None

    def keep(
        self,
        match: Match,
        state: AnyState,
        events: list[LoggedEvent] | None = None,
        before: tuple[int, AnyState] | None = None,
    ) -> None:
        """Cache the position of that version. `events` so far, and `before` as in `_Known`, if the caller has them."""
        self._known[match.id] = _Known(match.version, state, events, before)

    def keep_events(self, match: Match, events: list[LoggedEvent]) -> None:
        """Cache the events, if the cached position is that of `match`."""
        known = self._known.get(match.id)
        if known is not None and known.version == match.version:
            known.events = events

    def same_position(self, before: Match, after: Match) -> None:
        """Note that a new version of the match has the same position."""
        known = self._known.get(before.id)
        if known is not None and known.version == before.version:
            known.version = after.version

    def forget(self, number: int) -> None:
        """Drop the cached position of that match."""
        self._known.pop(number)


def token(match: Match, state: AnyState, seat: Seat) -> str:
    """Return the turn token: the name of a seat's decision, on its buttons and in the log.

    It is the rules' own token. Once a move was taken back or a backup restored, a dash and the match's branch follow:
    from then on the rules' tokens come a second time, and without the branch an old button would act on the new
    position. Both parts are public (`State.may_take_back`).
    """
    turn = state.turn(seat)
    return f"{turn}-{match.branch}" if match.branch else turn


def with_reminders(match: Match, state: AnyState | None, now: int) -> Match:
    """Return the match with the reminders of that position; there are none at a table with a time limit, in a private
    match, or in one that is not being played (`state` None).

    A seat with the same turn token goes on waiting; `same_wait` gives it another one. While the match rests, no
    reminder is due.
    """
    found = []
    reminds = state is not None and not match.private and (match.clock == "none" or match.clock not in PRESETS)
    for chair in match.people if reminds else ():
        if state is None or Seat(chair.number) not in state.to_move():
            continue
        turn = token(match, state, Seat(chair.number))
        waits = next((old for old in match.reminders if old.seat == chair.number and old.turn == turn), None)
        waits = waits or Reminder(chair.number, turn, now)
        if not match.running:
            waits = replace(waits, due=None)
        elif waits.due is None and waits.sent < len(WAITS):  # quiet hours put it off when it is due
            waits = replace(waits, due=max(waits.since + WAITS[waits.sent], now))
        found.append(waits)
    return match if tuple(found) == match.reminders else replace(match, reminders=tuple(found))


def same_wait(match: Match, seat: int, turn: str, since: int) -> Match:
    """Return the match that goes on waiting for that seat under another turn token, whatever the player has done and
    taken back. A wait that had ended goes on since then. What they were reminded of stays; they know of the new token.
    """
    waits = next((old for old in match.reminders if old.seat == seat), Reminder(seat, turn, since))
    others = [old for old in match.reminders if old.seat != seat]
    waits = replace(waits, turn=turn, pings=0, nudger=None)
    return replace(match, reminders=(*others, waits))


def phase(turn: str) -> str:
    """Return the phase of a decision, from its token: the same if the seat decides again or takes back in it."""
    return turn.partition("-")[0].partition(".")[0]


def turned(match: Match, before: AnyState, after: AnyState, now: int) -> Match:
    """Return the match at its new position; its turn begins now if that position asks a seat for a new decision."""
    since = match.turn_since if _asked(after) == _asked(before) else now
    return replace(match, state=after.to_json(), turn_since=since, alone=left_alone(match, before, after))


def _asked(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """Return the seats to move with their turns. When this changes, a new turn has begun. Sealing again begins none."""
    return frozenset((seat, state.turn(seat)) for seat in state.to_move())


def left_alone(match: Match, before: AnyState, after: AnyState) -> str:
    """Return the turn of the one player still to move after others have decided at the same time; "" if there is none.

    It follows from public facts, the seats to move; sealing again does not change them.
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
    """Return the match once it runs again: the time since `since` counts for no player."""
    reminders = tuple(replace(reminder, since=reminder.since + now - since) for reminder in match.reminders)
    turn_since = None if match.turn_since is None else match.turn_since + now - since
    return replace(match, turn_since=turn_since, reminders=reminders)
