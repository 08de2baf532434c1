"""A second, simple model of the clocks: in each quarter of an hour a player's time runs or it does not.

- A turn has a number of seconds and the reserve. Each decision restores the unused part of the reserve and adds some.
- The reserve belongs to the seat: a new player has what is left of it. A player who comes back in the same turn goes on
  with the time of that turn.
- A turn counts by the hours that its player has when it begins. With a limit in minutes each turn counts by those that
  the player had when the match began; a player, or a limit, that comes later has none.
- Outside the holidays these hours stop the clock of one turn for three days at most, or for as long as the time limit.
- If no time is left, the turn is extended once; then the table votes, if it has chosen so; then a computer plays.
- The model knows exactly what is left until the bot stops the clocks for a time of its own. From then on it knows only
  a lower bound: no player may have lost time.
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
"""The clocks that a table of the machine may choose."""
TERMS = {
    **{f"live_{n}": (n * MINUTE, n * MINUTE, n * 15, n * 30, (n * 15,)) for n in (2, 5, 15)},
    "hours_12": (12 * HOUR, 12 * HOUR, HOUR, 6 * HOUR, (4 * HOUR, HOUR)),
    "day_1": (DAY, DAY, 2 * HOUR, 12 * HOUR, (6 * HOUR, HOUR)),
    "day_2": (2 * DAY, 2 * DAY, 4 * HOUR, DAY, (12 * HOUR, 2 * HOUR)),
    "day_3": (3 * DAY, 2 * DAY, 4 * HOUR, DAY, (DAY, 3 * HOUR)),
    "week": (7 * DAY, 3 * DAY, 6 * HOUR, DAY, (2 * DAY, 12 * HOUR)),
}
"""Seconds of: a turn, the full reserve, its growth with each decision, the extension, and what is left at each nudge.
A second copy of the PRESETS of cogs/match/time_controls.py.
"""
LIVE = ("live_2", "live_5", "live_15")
"""Clocks of matches that last an evening: their pings do not wait for a digest, and new hours do not stop them."""
LEAST_BOUND = 3 * DAY
"""Seconds for which quiet hours and days off may stop the clock of one turn at least."""
QUARTER = 900
TOLERANCE = 2
"""Seconds by which a check of a clock may be late: the bot counts whole seconds, and makes at most two checks in each.
"""


def is_stopped(hours: Hours, at: int, spare: float = inf) -> bool:
    """Return whether a person's clock is stopped at that instant. `spare`: the seconds for which quiet hours and days
    off may still stop it.
    """
    return is_holiday(hours, at) or (spare > 0 and is_quiet(hours, at))


def is_holiday(hours: Hours, at: int) -> bool:
    """Return whether the person has holidays at that instant."""
    day = datetime.fromtimestamp(at, UTC).astimezone(ZoneInfo(hours.zone)).date()
    return any(first <= day <= last for first, last in hours.holidays)


def is_quiet(hours: Hours, at: int) -> bool:
    """Return whether the person has quiet hours or a day off at that instant."""
    there = datetime.fromtimestamp(at, UTC).astimezone(ZoneInfo(hours.zone))
    if there.weekday() in hours.days_off:
        return True
    if hours.quiet is None:
        return False
    minutes, (start, end) = there.hour * 60 + there.minute, hours.quiet
    return start <= minutes < end if start < end else minutes >= start or minutes < end


def running_seconds(hours: Hours, start: int, end: int, spare: float) -> tuple[int, float]:
    """Return the seconds between two instants in which a person's clock runs, and what is then left of `spare`, the
    seconds for which quiet hours and days off may stop it.
    """
    if hours == Hours():
        return max(0, end - start), spare
    found, at = 0, start
    while at < end:
        until = min(end, at - at % QUARTER + QUARTER)
        if not is_holiday(hours, at):
            stopped = min(until - at, int(spare)) if is_quiet(hours, at) else 0
            found, spare = found + until - at - stopped, spare - stopped
        at = until
    return found, spare


@dataclass
class ClockModel:
    """The clock of one seat. At least `left` seconds are left, and at most `slack` more."""

    terms: tuple[int, int, int, int, tuple[int, ...]]
    reserve: float
    turn: str = ""
    left: float = 0
    slack: float = 0
    stage: int = 0
    away: bool = False
    called: int = 0
    """How often its player was pinged in this turn after the first ping."""
    with_computer: bool = False
    """Whether a computer has taken the seat over, as its player left."""
    hours: Hours = Hours()  # noqa: RUF009  -- frozen
    """The hours by which the turn counts."""
    spare: float = 0
    """For how many seconds they may still stop it, outside the holidays."""

    def start_turn(self, turn: str, hours: Hours | None) -> None:
        """The seat must decide this turn from now on, or nothing if the token is empty. `hours`: those of the player
        now; None: the turn counts by the same as the last.
        """
        if turn == self.turn:
            return
        self.hours = self.hours if hours is None else hours
        turn_seconds, full, growth, _, _ = self.terms
        if self.turn and not self.away:
            self.reserve = min(full, max(0, min(self.reserve, self.left)) + growth)
            self.slack = min(self.slack, full)
        self.turn, self.called = turn, 0
        if turn:
            self.stage, self.left = 0, turn_seconds + self.reserve
            self.spare = max(LEAST_BOUND, turn_seconds + full)
        else:  # the player may take the end of the turn back
            self.stage, self.left = 3 if self.stage == 2 else self.stage, max(0, self.left)

    def continue_turn(self, turn: str) -> None:
        """The seat's own turn goes on under another token: it gets no more time."""
        if self.turn:
            self.turn, self.called = turn, 0

    def resume_turn(self, turn: str) -> None:
        """The seat has taken the end of its turn back: it goes on with the time that was left, without the growth."""
        self.turn, self.called, self.reserve = turn, 0, max(0, self.reserve - self.terms[2])

    def end_turn(self) -> None:
        """A computer has decided for the player: a player who comes back finds no time of that turn."""
        self.turn, self.stage, self.left, self.slack, self.called = "", 0, 0, min(self.slack, self.terms[1]), 0

    def mark_uncertain(self) -> None:
        """The bot stopped the clocks for a time that the model does not know: what is left has no upper bound."""
        self.slack = inf

    def mark_unknown(self) -> None:
        """The time of day was uncertain, so it is unknown when this person's quiet hours were: no bound holds."""
        self.left, self.slack = -inf, inf

    def elapse(self, start: int, end: int) -> None:
        """Time has passed, in which the match was running."""
        if self.turn and not self.away and not self.with_computer:
            seconds, self.spare = running_seconds(self.hours, start, end, self.spare)
            self.left -= seconds

    def check_nudge(self, called: int, stage: int, away: bool) -> None:
        """The bot has pinged this player again: check that a nudge was due, or that the stage changed."""
        if not away and called != self.called:
            assert called == self.called + 1, f"{self} has pinged more often than there was a reason"
            assert stage != self.stage or self.left <= max(self.terms[4]) + 1, f"{self} has nudged too early"
            self.called = called

    def check_escalation(self, stage: int, away: bool, may_vote: bool) -> None:
        """The bot has changed the stage or made the player absent: time must have run out, and no stage be skipped."""
        if (stage, away) == (self.stage, self.away) or (away and self.away) or self.with_computer:
            return
        assert self.left <= 1, f"{self} has run out too early"
        if away:
            assert self.stage > 1 or (self.stage == 1 and not may_vote), f"{self} was made absent too early"
            self.mark_away()
            return
        assert stage == self.stage + 1 and (stage == 1 or may_vote), f"{self} cannot have come to stage {stage}"
        self.stage, self.left, self.reserve = stage, self.terms[3], 0
        self.slack = max(self.slack, TOLERANCE)

    def mark_back(self, alone: bool) -> None:
        """The player is present: no computer plays for them. If the table votes about them, they get an extension
        again. If all others are unresponsive (`alone`), an absent player gets a turn's time, as computers do not play
        on alone.
        """
        if self.away and alone:
            self.left = max(self.left, self.terms[0])
        if self.stage == 2:
            self.stage, self.left, self.slack = 3, self.terms[3], TOLERANCE
        self.away = False

    def transfer(self, computer: bool, knows: bool) -> ClockModel:
        """Return the clock of the seat's next player, with the rest of the reserve. A computer, and a player who has
        sat there before, also get the rest of the turn.
        """
        left = max(0, min(self.reserve, self.left)) if self.turn else self.reserve
        if (computer or knows) and self.turn:
            stage = 3 if self.stage == 2 else self.stage
            kept = (self.terms, left, self.turn, self.left, self.slack, stage)
            return ClockModel(*kept, with_computer=computer, hours=self.hours, spare=self.spare)
        hours = self.hours if computer or knows else Hours()
        return ClockModel(self.terms, left, slack=min(self.slack, self.terms[1]), with_computer=computer, hours=hours)

    def mark_away(self) -> None:
        """The player is absent and a computer plays. Back again they have a turn's time, no reserve: once a turn."""
        self.left = 0 if self.stage == 3 else self.terms[0]
        self.away, self.stage, self.reserve, self.slack, self.called = True, 3, 0, 0, 0

    def check_stored(self, match: Match, seat: int, now: int) -> None:
        """Compare the stored clock with this model."""
        hours = self.hours
        stored = next(clock for clock in match.clocks if clock.seat == seat)
        assert (stored.away is not None, stored.stage) == (self.away, self.stage), (stored, self)
        if not self.turn and not self.away:
            assert self.reserve - TOLERANCE <= stored.reserve <= self.reserve + self.slack + TOLERANCE, (stored, self)
        if not match.running or not self.turn or self.away or self.with_computer:
            assert stored.ends is None, (stored, self)
            return
        assert stored.ends is not None and stored.due is not None and stored.due <= stored.ends, (stored, self)
        left, spare = running_seconds(hours, now, stored.ends, self.spare)
        late = self.slack != inf and self.left + self.slack < -TOLERANCE
        assert not late or is_stopped(hours, now, self.spare), f"the bot has not checked {self}"
        ahead = max((nudge for nudge in self.terms[4] if nudge < self.left - TOLERANCE), default=0)
        to_due, _ = running_seconds(hours, now, stored.due, self.spare)
        assert to_due <= max(0, self.left) + self.slack - ahead + TOLERANCE, (stored, self)
        most = inf if self.slack == inf else max(0, self.left + self.slack)
        assert max(0, self.left) - TOLERANCE <= left <= most + TOLERANCE, (left, stored, self)
        stopped = is_stopped(hours, stored.ends, spare - TOLERANCE)
        assert not stopped or hours == Hours() or self.slack, (stored, hours)
