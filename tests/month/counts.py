"""How long the clock of each seat has run, as far as that can be known: what the oracle judges by."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from zoneinfo import ZoneInfo

from data.records.hours import Hours

DAY = 86400
SLOT = 900


@lru_cache
def _running(hours: Hours, start: int, days: int) -> tuple[list[bool], list[int]]:
    """Return whether a person's clock may run in each quarter of an hour, and the seconds in which it may before it."""
    zone, free, before = ZoneInfo(hours.zone), list[bool](), [0]
    for slot in range(days * DAY // SLOT):
        there = datetime.fromtimestamp(start + slot * SLOT, UTC).astimezone(zone)
        minute, runs = there.hour * 60 + there.minute, there.weekday() not in hours.days_off
        if hours.quiet is not None:
            first, last = hours.quiet
            runs = runs and not (first <= minute < last if first < last else minute >= first or minute < last)
        free.append(runs and not any(first <= there.date() <= last for first, last in hours.holidays))
        before.append(before[-1] + SLOT * free[-1])
    return free, before


class RunningHours:
    """The times at which a person's clock may run, by quarters of an hour in their own time zone. From `until` on only
    their holidays stop it.
    """

    def __init__(self, hours: Hours, start: int, days: int, until: int | None = None) -> None:
        self._start, self._until = start - start % SLOT, inf if until is None else until
        self.always = hours.quiet is None and not hours.days_off and not hours.holidays
        self._all = _running(hours, self._start, days)
        self._holidays = _running(Hours(hours.zone, holidays=hours.holidays), self._start, days)

    def at(self, instant: float) -> bool:
        free, _ = self._all if instant < self._until else self._holidays
        return self.always or free[int(instant - self._start) // SLOT]

    def between(self, since: float, until: float) -> float:
        """Return the seconds between these instants in which the clock may run."""
        if self.always or until <= since:
            return max(0.0, until - since)
        change = min(max(since, self._until), until)
        return self._ran(self._all, since, change) + self._ran(self._holidays, change, until)

    def held_up(self, since: float, until: float) -> float:
        """Return the seconds for which quiet hours and days off stop the clock between these instants."""
        until = min(until, self._until, self._start + (len(self._all[0]) - 1) * SLOT)
        return 0.0 if until <= since else self._ran(self._holidays, since, until) - self._ran(self._all, since, until)

    def _ran(self, running: tuple[list[bool], list[int]], since: float, until: float) -> float:
        free, before = running
        upto = [
            before[slot] + (instant - self._start) % SLOT * free[slot]
            for instant in (since, until)
            for slot in [int(instant - self._start) // SLOT]
        ]
        return upto[1] - upto[0]


@dataclass(slots=True)
class SeatTimer:
    """What one seat must decide, and how long its clock has run."""

    match: int
    seat: int
    user: int
    runs: bool = False
    token: str = ""
    ping: tuple[object, ...] | None = None
    """What the player must be pinged for once: a turn, a nudge, an absence."""
    since: float = 0.0
    """The time at which `ping` became due."""
    counted: float = 0.0
    most: float = 0.0
    least: float = 0.0
    reached: float = 0.0
    """Seconds since then in which a ping could come."""
    low: float = 0.0
    high: float = 0.0
    """The least and the most seconds that the turn may have."""
    reserve: tuple[float, float] = (0.0, 0.0)
    hours: Hours | None = None
    until: int | None = None
    """Until when quiet hours and days off hold the turn up."""
    running: RunningHours | None = None
    """When the clock of this turn runs: new hours of its player begin with the next turn."""
    stage: int = 0
    returned: bool = False
    """Whether the player is back at a turn whose time had run out, or that they had left to a computer."""
    called: int = 0
    undone: int = 0
    """How many moves of the match had been taken back."""
    away: int | None = None
    fully_pinged: bool = False
    """Whether all pings for `ping` have come, or the player has looked at their hand."""
    partly_pinged: bool = False
    """Whether at least one of these pings has come, or the player has looked at their hand."""
    late: bool = False
    waits_since: float = 0.0
    """Since when a table without a time limit waits for this turn."""
    reminded: int = 0
    """How often the player was reminded of it."""
    due: float | None = None
    """When the bot wants to remind them next."""
    returns: int = 0
    """How often the player came back, or a nudged turn began again: each time a first ping is due again."""
    before: list[tuple[float, tuple[object, ...]]] = field(default_factory=list)
    """The last values of `ping`, with their end: such a ping may still be on its way."""
    vote: int = 0
    """When the newest open vote was begun that the player has not begun."""
    asked: float = 0.0
    """Until when such a vote waits for the player."""


class Counts:
    """Counts the time of each seat while the bot is up, down, or may be either. `faults` has the faults, one a line."""

    def __init__(self, now: Callable[[], float], start: int, days: int) -> None:
        self._now, self._start, self._days = now, start, days
        self._hours: dict[int, Hours] = {}
        self._running_hours: dict[int, RunningHours] = {}
        self._timers: dict[tuple[int, int], SeatTimer] = {}
        self.faults: list[str] = []
        self._notes: dict[int, deque[str]] = {}
        self.started = self._working_from = 0.0
        self._interrupted = False
        """Whether the bot was cut off before its start was surely done: then its grace begins when it is up again."""
        self._perhaps = self._sure = False
        self._sure_from = 0.0
        self._reach_from = 0.0

    def fault(self, number: int, what: str) -> None:
        stamp = datetime.fromtimestamp(self._now(), UTC).isoformat(" ", "seconds")
        self.faults.append(f"{stamp} match {number}: {what}\n    " + "\n    ".join(self._notes[number]))

    def note(self, number: int, what: str) -> None:
        """Note an event of a match; a fault is printed with the last ones."""
        self._notes.setdefault(number, deque(maxlen=20)).append(f"{self._now() - self._start:.1f} {what}")

    def _note_all(self, what: str) -> None:
        """Count up to now, and note an event of all matches."""
        self._count_all()
        for number in self._notes:
            self.note(number, what)

    def running_hours(self, user: int) -> RunningHours:
        if user not in self._running_hours:
            self._running_hours[user] = RunningHours(Hours(), self._start, self._days)
        return self._running_hours[user]

    # Whether the bot is up.

    def bot_is_up(self, *, started: bool = False, after: float = 10.0) -> None:
        """The bot works from now on; `after` seconds later at the latest."""
        self._note_all("a start" if started else "the bot is there")
        now = self._now()
        self.started = now if started else self.started
        self._working_from = now + after if started or self._interrupted else self._working_from
        self._perhaps = self._sure = True
        self._sure_from = now + after
        self._reach_from = max(self._reach_from, now + after)

    def bot_is_down(self, slack: float = 0.0, *, perhaps: bool = False) -> None:
        """The bot is down, or may be (`perhaps`). Up to `slack` seconds before now may not count either."""
        self._note_all("the bot may be gone" if perhaps else "the bot is gone")
        self._perhaps, self._sure = perhaps, False
        self._interrupted = self._now() < self._working_from
        for timer in self._timers.values():
            timer.least = max(0.0, timer.least - slack)

    def discord_is_unreachable(self, seconds: float) -> None:
        """Discord refuses requests for that time. The bot tries again at most five minutes later. The clocks of matches
        that it cannot show stand still meanwhile.
        """
        self._note_all(f"Discord takes nothing for {seconds:.0f} s")
        self._reach_from = max(self._reach_from, self._now() + seconds + 620)

    def hours(self, user: int, hours: Hours) -> None:
        """A person has other quiet hours from now on."""
        self._count_all()
        self._hours[user] = hours
        self._running_hours[user] = RunningHours(hours, self._start, self._days)

    # Counting.

    def _count_all(self) -> None:
        for timer in self._timers.values():
            self._count(timer)

    def _count(self, timer: SeatTimer) -> None:
        now, since = self._now(), timer.counted
        timer.counted = now
        if not timer.runs or timer.ping is None or now <= since:
            return
        hours_run = timer.running or self.running_hours(timer.user)
        if self._perhaps:
            timer.most += hours_run.between(since, now)
        if self._sure:
            sure = max(since, self._sure_from, self._reach_from)
            timer.least += hours_run.between(sure, now)
            timer.reached += self.running_hours(timer.user).between(sure, now)
