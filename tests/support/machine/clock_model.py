"""A second, simple model of the clocks: in each quarter of an hour a player's time runs or it does not.

A turn has so many seconds and the reserve; each decision restores the unused part of the reserve, and adds some.
The reserve is the seat's: who takes it over has what is left; who comes back to it in the same turn goes on with that
turn's time. When nothing is left it is extended once, then the table
votes where it has chosen so, then a computer plays. What is left is known exactly as long as nothing has held the
clocks; from then on only that no player may have lost any of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from zoneinfo import ZoneInfo

from data.records.hours import Hours
from data.records.match import Match

MINUTE, HOUR, DAY = 60, 3600, 86_400
CLOCKS = ("none", "live_2", "hours_12", "day_1")
"""What tables of the machine choose among."""
TERMS = {
    **{f"live_{n}": (n * MINUTE, n * MINUTE, n * 15, n * 30, (n * 15,)) for n in (2, 5, 15)},
    "hours_12": (12 * HOUR, 12 * HOUR, HOUR, 6 * HOUR, (4 * HOUR, HOUR)),
    "day_1": (DAY, DAY, 2 * HOUR, 12 * HOUR, (6 * HOUR, HOUR)),
    "day_2": (2 * DAY, 2 * DAY, 4 * HOUR, DAY, (12 * HOUR, 2 * HOUR)),
    "day_3": (3 * DAY, 2 * DAY, 4 * HOUR, DAY, (DAY, 3 * HOUR)),
    "week": (7 * DAY, 3 * DAY, 6 * HOUR, DAY, (2 * DAY, 12 * HOUR)),
}
"""Seconds of a turn, of the whole reserve, of its growth with each decision, of the extension; what is left
at each nudge. The PRESETS of cogs/match/time_controls.py, written down a second time.
"""
QUARTER = 900
TOLERANCE = 2
"""Seconds by which a check of a clock may be late: instants are whole seconds, with at most two checks in each."""


def is_stopped(hours: Hours, at: int) -> bool:
    """Return whether a person's clock is stopped at that instant."""
    there = datetime.fromtimestamp(at, UTC).astimezone(ZoneInfo(hours.zone))
    if there.weekday() in hours.days_off or any(first <= there.date() <= last for first, last in hours.holidays):
        return True
    if hours.quiet is None:
        return False
    minutes, (start, end) = there.hour * 60 + there.minute, hours.quiet
    return start <= minutes < end if start < end else minutes >= start or minutes < end


def running_seconds(hours: Hours, start: int, end: int) -> int:
    """Return the seconds between two instants in which a person's clock runs."""
    if hours == Hours():
        return max(0, end - start)
    found, at = 0, start
    while at < end:
        until = min(end, at - at % QUARTER + QUARTER)
        found += 0 if is_stopped(hours, at) else until - at
        at = until
    return found


@dataclass
class ClockModel:
    """The clock of one seat. `left` is what is left at least, `slack` what it may be beside that."""

    terms: tuple[int, int, int, int, tuple[int, ...]]
    reserve: float
    turn: str = ""
    left: float = 0
    slack: float = 0
    stage: int = 0
    away: bool = False
    called: int = 0
    """How often its person was called in this turn beside the first time."""
    with_computer: bool = False
    """Whether a computer has the seat for good."""

    def start_turn(self, turn: str) -> None:
        """The seat is asked that from now on; nothing, where the token is empty."""
        if turn == self.turn:
            return
        turn_seconds, full, growth, _, _ = self.terms
        if self.turn and not self.away:
            self.reserve = min(full, max(0, min(self.reserve, self.left)) + growth)
            self.slack = min(self.slack, full)
        self.turn, self.stage, self.called = turn, 0, 0
        self.left = turn_seconds + self.reserve

    def continue_turn(self, turn: str) -> None:
        """The seat is asked that now, in a turn of its own that is under way still: it has no more time for it."""
        if self.turn:
            self.turn, self.called = turn, 0

    def end_turn(self) -> None:
        """A computer has played what its person was asked: of that turn nothing is left to come back to."""
        self.turn, self.stage, self.left, self.slack, self.called = "", 0, 0, min(self.slack, self.terms[1]), 0

    def mark_uncertain(self) -> None:
        """The clocks were stopped for a time that is not known exactly."""
        self.slack = inf

    def mark_unknown(self) -> None:
        """The time of day was in doubt: it cannot be told when this person's quiet hours were."""
        self.left, self.slack = -inf, inf

    def elapse(self, seconds: int) -> None:
        if self.turn and not self.away and not self.with_computer:
            self.left -= seconds

    def check_nudge(self, called: int, stage: int, away: bool) -> None:
        """Its person was called so often: never before a nudge is due, or without that something follows."""
        if not away and called != self.called:
            assert called == self.called + 1, f"{self} has called for more than happened"
            assert stage != self.stage or self.left <= max(self.terms[4]) + 1, f"{self} has nudged before its time"
            self.called = called

    def check_escalation(self, stage: int, away: bool, may_vote: bool) -> None:
        """What has followed from a time that ran out: never before it has, and one thing after the other."""
        if (stage, away) == (self.stage, self.away) or (away and self.away) or self.with_computer:
            return
        assert self.left <= 1, f"{self} has run out before its time"
        if away:
            assert self.stage > 1 or (self.stage == 1 and not may_vote), f"{self} has been given up too soon"
            self.mark_away()
            return
        assert stage == self.stage + 1 and (stage == 1 or may_vote), f"{self} cannot have come to stage {stage}"
        self.stage, self.left, self.reserve = stage, self.terms[3], 0
        self.slack = max(self.slack, TOLERANCE)

    def mark_back(self, alone: bool) -> None:
        """Its person is there: no computer plays for them, and whom the table votes about has an extension again. Who
        is `alone` has a turn's time, for no computer plays on without people.
        """
        if self.away and alone:
            self.left = max(self.left, self.terms[0])
        if self.stage == 2:
            self.stage, self.left, self.slack = 3, self.terms[3], TOLERANCE
        self.away = False

    def transfer(self, computer: bool, knows: bool) -> ClockModel:
        """Return the clock of the seat's next player, with the rest of the reserve, and with the rest of the turn for a
        computer or a player who has sat there before.
        """
        left = max(0, min(self.reserve, self.left)) if self.turn else self.reserve
        if (computer or knows) and self.turn:
            stage = 3 if self.stage == 2 else self.stage
            return ClockModel(self.terms, left, self.turn, self.left, self.slack, stage, with_computer=computer)
        return ClockModel(self.terms, left, slack=min(self.slack, self.terms[1]), with_computer=computer)

    def mark_away(self) -> None:
        """A computer plays for this seat; its person has no reserve when they are back, but once a turn's time."""
        self.left = 0 if self.stage == 3 else self.terms[0]
        self.away, self.stage, self.reserve, self.slack, self.called = True, 3, 0, 0, 0

    def check_stored(self, match: Match, seat: int, now: int, hours: Hours) -> None:
        """Compare what is stored of this clock with this model."""
        stored = next(clock for clock in match.clocks if clock.seat == seat)
        assert (stored.away is not None, stored.stage) == (self.away, self.stage), (stored, self)
        if not self.turn and not self.away:
            assert self.reserve - TOLERANCE <= stored.reserve <= self.reserve + self.slack + TOLERANCE, (stored, self)
        if not match.running or not self.turn or self.away or self.with_computer:
            assert stored.ends is None, (stored, self)
            return
        assert stored.ends is not None and stored.due is not None and stored.due <= stored.ends, (stored, self)
        left = running_seconds(hours, now, stored.ends)
        late = self.slack != inf and self.left + self.slack < -TOLERANCE
        assert not late or is_stopped(hours, now), f"nobody has looked at {self}"
        ahead = max((nudge for nudge in self.terms[4] if nudge < self.left - TOLERANCE), default=0)
        assert running_seconds(hours, now, stored.due) <= max(0, self.left) + self.slack - ahead + TOLERANCE, (
            stored,
            self,
        )
        most = inf if self.slack == inf else max(0, self.left + self.slack)
        assert max(0, self.left) - TOLERANCE <= left <= most + TOLERANCE, (left, stored, self)
        assert not is_stopped(hours, stored.ends) or hours == Hours() or self.slack, (stored, hours)
