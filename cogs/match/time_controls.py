"""Time controls, and how a clock counts: when it stands still, when it runs out, when a nudge pings again.

All is pure: instants are seconds since 1970, spans are seconds, and no function asks for the time. A player's clock
stands still in their quiet hours, on their days off and in their holidays, each in their own time zone; only time in
which it runs counts. A day has 23 or 25 hours if the zone says so. Quiet hours and days off hold up one turn for a
bounded time (`bounded`); the holidays are few in any year (quiet_hours.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from math import inf

from cogs.match import time_zones
from data.records.hours import Hours

MINUTE, HOUR, DAY = 60, 3600, 86400
LONGEST_WALK = 366
"""Days to look ahead at most, so that no hours stop a clock for ever."""
MOST_HELD_UP = 3 * DAY
"""Seconds for which quiet hours and days off hold up one turn at most; or the time limit, if that is longer."""


class ClockKind(StrEnum):
    """Whether a time control counts no time, minutes in which all players are there, or days."""

    NONE = "none"
    LIVE = "live"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The seconds of a turn, and a reserve for longer turns, which is full at the start and grows by `growth` with each
    turn made. A turn whose time and reserve are used up gets `extension` once.
    """

    kind: ClockKind = ClockKind.NONE
    turn: int = 0
    reserve: int = 0
    growth: int = 0
    extension: int = 0
    nudges: tuple[int, ...] = ()
    """Seconds left at which the player is nudged."""


def _live(minutes: int) -> TimeControl:
    turn = minutes * MINUTE
    return TimeControl(ClockKind.LIVE, turn, turn, turn // 4, turn // 2, (turn // 4,))


PRESETS = {
    "none": TimeControl(),
    "live_2": _live(2),
    "live_5": _live(5),
    "live_15": _live(15),
    "hours_12": TimeControl(ClockKind.DAYS, 12 * HOUR, 12 * HOUR, HOUR, 6 * HOUR, (4 * HOUR, HOUR)),
    "day_1": TimeControl(ClockKind.DAYS, DAY, DAY, 2 * HOUR, 12 * HOUR, (6 * HOUR, HOUR)),
    "day_2": TimeControl(ClockKind.DAYS, 2 * DAY, 2 * DAY, 4 * HOUR, DAY, (12 * HOUR, 2 * HOUR)),
    "day_3": TimeControl(ClockKind.DAYS, 3 * DAY, 2 * DAY, 4 * HOUR, DAY, (DAY, 3 * HOUR)),
    "week": TimeControl(ClockKind.DAYS, 7 * DAY, 3 * DAY, 6 * HOUR, DAY, (2 * DAY, 12 * HOUR)),
}
"""The time controls that a table may choose, by name."""


def leaves_less(terms: str, than: str) -> bool:
    """Return whether the first time control leaves less time for a turn; one that this program lacks is none."""
    first, second = (PRESETS.get(name, PRESETS["none"]) for name in (terms, than))
    return first.kind is not ClockKind.NONE and (second.kind is ClockKind.NONE or first.turn < second.turn)


def held_up(control: TimeControl) -> int:
    """Return for how many seconds quiet hours and days off may hold up one turn."""
    return max(MOST_HELD_UP, control.turn + control.reserve)


def bounded(hours: Hours, since: int, most: int) -> Hours:
    """Return the hours whose quiet hours and days off stop a clock for `most` seconds from `since` on and no longer.
    What falls into the holidays does not count.
    """
    hours = replace(hours, until=None)
    if hours.quiet is None and not hours.days_off:
        return hours
    for start, end in still(hours, since):
        start = max(start, since)
        stopped = used(start, end, _holidays_alone(hours))
        if stopped >= most:
            return replace(hours, until=runs_out(most, start, _holidays_alone(hours)))
        most -= stopped
    return hours


def put_off(hours: Hours, since: int, now: int) -> Hours:
    """Return the hours of a turn that did not count between two instants: they may hold it up no less for that."""
    if hours.until is None or now <= since:
        return hours
    left = used(since, hours.until, _holidays_alone(hours)) - used(since, hours.until, hours)
    return bounded(hours, now, left)


def _holidays_alone(hours: Hours) -> Hours:
    return Hours(hours.zone, holidays=hours.holidays)


def used(since: int, until: int, hours: Hours) -> int:
    """Return the seconds for which the clock ran between two instants; 0 if the second is not later."""
    ran = max(0, until - since)
    for start, end in still(hours, since):
        if start >= until:
            break
        ran -= max(0, min(end, until) - max(start, since))
    return ran


def runs_out(left: int, since: int, hours: Hours) -> int:
    """Return the instant at which the time left is used up. The clock runs at that instant."""
    at, left = since, max(0, left)
    for start, end in still(hours, since):
        if start > at:
            if at + left < start:
                break
            left -= start - at
        at = max(at, end)
    return at + left


def moves_from(at: int, hours: Hours) -> int:
    """Return when the clock runs: `at`, or the end of the span around it in which the clock stands still."""
    return runs_out(0, at, hours)


def next_nudge(left: int, control: TimeControl) -> int:
    """Return the seconds left at which the next nudge is due; 0 if no nudge follows."""
    return max((nudge for nudge in control.nudges if nudge < left), default=0)


def reserve_after(left: int, reserve: int, control: TimeControl) -> int:
    """Return the reserve after a turn was made. `left`: what was left of the turn's time and the reserve together."""
    return min(control.reserve, max(0, min(reserve, left)) + control.growth)


def still(hours: Hours, at: int) -> Iterator[tuple[int, int]]:
    """Yield the spans in which the clock stands still, in order, from the one around or after `at`.

    Spans that touch are one. If hours or days repeat, the spans end only after LONGEST_WALK days.
    """
    whole: tuple[int, int] | None = None
    for start, end in _spans(hours, at):
        if end <= at or end <= start:
            continue
        if whole is not None and start <= whole[1]:
            whole = whole[0], max(whole[1], end)
            continue
        if whole is not None:
            yield whole
        whole = start, end
    if whole is not None:
        yield whole


def _spans(hours: Hours, at: int) -> Iterator[tuple[int, int]]:
    """Yield each day's spans from the day before `at`, ordered by their start; some may overlap or touch."""
    zone, until = time_zones.info(hours.zone), inf if hours.until is None else hours.until
    last = max((end for _, end in hours.holidays), default=date.min)
    if hours.quiet is not None or hours.days_off:
        last = date.max if hours.until is None else max(last, datetime.fromtimestamp(hours.until, zone).date())
    day = datetime.fromtimestamp(at, zone).date() - timedelta(days=1)
    for _ in range(LONGEST_WALK):
        if day > last:
            return
        holiday = any(first <= day <= end for first, end in hours.holidays)
        if holiday or day.weekday() in hours.days_off:
            midnight = instant(hours.zone, day + timedelta(days=1), 0)
            yield instant(hours.zone, day, 0), midnight if holiday else int(min(midnight, until))
        if hours.quiet is not None:
            start, end = hours.quiet
            morning = instant(hours.zone, day + timedelta(days=start > end), end, last=True)
            yield instant(hours.zone, day, start), int(min(morning, until))
        day += timedelta(days=1)


def instant(zone: str, day: date, minutes: int, *, last: bool = False) -> int:
    """Return the instant of that time of that day. If the time comes twice: the first, or with `last` the last one. If
    it is left out: the instant at which the clocks jump over it.
    """
    info = time_zones.info(zone)
    time = datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=info)
    early, late = int(time.timestamp()), int(time.replace(fold=1).timestamp())
    if early <= late:
        return late if last else early
    # Left out: fold=0 reads it by the offset before the jump and so gives the later instant. The jump is in between.
    offset = time.utcoffset()
    while early - late > 1:
        middle = (early + late) // 2
        if datetime.fromtimestamp(middle, info).utcoffset() == offset:
            late = middle
        else:
            early = middle
    return early
