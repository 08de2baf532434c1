"""How time is counted: what terms there are, when a clock stands still, when it runs out, when to nudge.

Pure: instants are seconds since 1970 that come in as values, spans are seconds. A person's clock stands still in their
quiet hours, on their days off and in their holidays, all of them in their own time zone; whatever is counted here is
time in which it runs. Days have 23 or 25 hours where the zone says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from data.records.hours import Hours

MINUTE, HOUR, DAY = 60, 3600, 86400
MOST_QUIET = 16 * 60
"""Minutes of quiet a day at most: who is never there plays with nobody."""
MOST_DAYS_OFF = 4
MOST_HOLIDAYS = 30
"""Days of holidays in a calendar year."""
MOST_CHANGES = 5
"""How often somebody may put the end of a turn off by keeping other hours: who did it again and again would never have
to play.
"""
LONGEST_WALK = 3660
"""Days to look ahead at most: a clock may be set back that far by holidays, never for ever."""


class Pace(StrEnum):
    NONE = "none"
    LIVE = "live"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What is agreed: seconds a turn, and a reserve for turns that take longer, full at the start, into which each
    turn made pays `growth`. A turn whose time and reserve are gone is extended once.
    """

    kind: Pace = Pace.NONE
    turn: int = 0
    reserve: int = 0
    growth: int = 0
    extension: int = 0
    nudges: tuple[int, ...] = ()
    """Seconds left at which to nudge."""


def _live(minutes: int) -> TimeControl:
    turn = minutes * MINUTE
    return TimeControl(Pace.LIVE, turn, turn, turn // 4, turn // 2, (turn // 4,))


PRESETS = {
    "none": TimeControl(),
    "live_2": _live(2),
    "live_5": _live(5),
    "live_15": _live(15),
    "hours_12": TimeControl(Pace.DAYS, 12 * HOUR, 12 * HOUR, HOUR, 6 * HOUR, (4 * HOUR, HOUR)),
    "day_1": TimeControl(Pace.DAYS, DAY, DAY, 2 * HOUR, 12 * HOUR, (6 * HOUR, HOUR)),
    "day_2": TimeControl(Pace.DAYS, 2 * DAY, 2 * DAY, 4 * HOUR, DAY, (12 * HOUR, 2 * HOUR)),
    "day_3": TimeControl(Pace.DAYS, 3 * DAY, 2 * DAY, 4 * HOUR, DAY, (DAY, 3 * HOUR)),
    "week": TimeControl(Pace.DAYS, 7 * DAY, 3 * DAY, 6 * HOUR, DAY, (2 * DAY, 12 * HOUR)),
}
"""The terms that a table may choose, by name."""


@cache
def zones() -> tuple[str, ...]:
    """The time zones that there are, by their IANA names."""
    return tuple(sorted(name for name in available_timezones() if not name.startswith(("Etc/", "SystemV/"))))


def zone_named(text: str) -> str | None:
    """The zone of that name, however it is written; None where there is none."""
    wanted = text.strip().replace(" ", "_").lower()
    return next((name for name in zones() if name.lower() == wanted), None)


def used(since: int, until: int, hours: Hours) -> int:
    """How long the clock has run between two instants; 0 where the second is not later."""
    ran = max(0, until - since)
    for start, end in still(hours, since):
        if start >= until:
            break
        ran -= max(0, min(end, until) - max(start, since))
    return ran


def runs_out(left: int, since: int, hours: Hours) -> int:
    """The instant at which nothing is left any more: never one at which the clock stands still."""
    at, left = since, max(0, left)
    for start, end in still(hours, since):
        if start > at:
            if at + left < start:
                break
            left -= start - at
        at = max(at, end)
    return at + left


def moves_from(at: int, hours: Hours) -> int:
    """From when on the clock runs: `at` itself, or the end of the stillness that it falls into."""
    return runs_out(0, at, hours)


def next_nudge(left: int, terms: TimeControl) -> int:
    """Seconds left at which to nudge next; 0 where that is not to be."""
    return max((nudge for nudge in terms.nudges if nudge < left), default=0)


def reserve_after(left: int, reserve: int, terms: TimeControl) -> int:
    """The reserve after a decision with so much left of the turn's time and the reserve together."""
    return min(terms.reserve, max(0, min(reserve, left)) + terms.growth)


def still(hours: Hours, at: int) -> Iterator[tuple[int, int]]:
    """The spans in which the clock stands still, from the one that `at` falls into or the next one on, in order.

    Spans that touch are one. They come without an end where hours or days repeat, up to LONGEST_WALK days.
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
    """The spans of each day from the day before on, in the order in which they begin; some may overlap or touch."""
    last = max((end for _, end in hours.holidays), default=None)
    weekly = hours.quiet is not None or bool(hours.days_off)
    if not weekly and last is None:
        return
    day = datetime.fromtimestamp(at, ZoneInfo(hours.zone)).date() - timedelta(days=1)
    for _ in range(LONGEST_WALK):
        if not weekly and last is not None and day > last:
            return
        if day.weekday() in hours.days_off or any(first <= day <= end for first, end in hours.holidays):
            yield _instant(hours.zone, day, 0), _instant(hours.zone, day + timedelta(days=1), 0)
        if hours.quiet is not None:
            start, end = hours.quiet
            yield (
                _instant(hours.zone, day, start),
                _instant(hours.zone, day + timedelta(days=start > end), end, last=True),
            )
        day += timedelta(days=1)


def _instant(zone: str, day: date, minutes: int, *, last: bool = False) -> int:
    """When it is that time of that day. Of a time that comes twice, the first or the last; of one that is left out,
    when the hands jump over it.
    """
    info = ZoneInfo(zone)
    time = datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=info)
    early, late = int(time.timestamp()), int(time.replace(fold=1).timestamp())
    if early <= late:
        return late if last else early
    # Left out: fold=0 reads it by the offset before, which is later. The hands jump somewhere in between.
    offset = time.utcoffset()
    while early - late > 1:
        middle = (early + late) // 2
        if datetime.fromtimestamp(middle, info).utcoffset() == offset:
            late = middle
        else:
            early = middle
    return early


# What somebody may ask for.


class BadHours(ValueError):
    """Hours that cannot be kept, for the reason whose sentence is `refused.<key>`. Nothing has changed."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts


def quiet_hours(start: str, end: str) -> tuple[int, int]:
    """Quiet hours from two times of the day such as "22", "22:30" or "7.15". Raises BadHours."""
    quiet = _minutes(start), _minutes(end)
    if (quiet[1] - quiet[0]) % (24 * 60) == 0:
        raise BadHours("quiet_whole_day")
    if (quiet[1] - quiet[0]) % (24 * 60) > MOST_QUIET:
        raise BadHours("quiet_too_long", most=MOST_QUIET // 60)
    return quiet


def _minutes(text: str) -> int:
    hour, _, minute = text.strip().replace(".", ":").partition(":")
    minute = minute or "00"
    if hour.isascii() and minute.isascii() and hour.isdigit() and minute.isdigit() and len(minute) == 2:
        found = int(hour[:3]) * 60 + int(minute)
        if len(hour) <= 2 and int(minute) < 60 and found <= 24 * 60:
            return found % (24 * 60)
    raise BadHours("bad_time", text=text[:20])


def days_off(numbers: frozenset[int]) -> frozenset[int]:
    """The days of the week that are asked for. Raises BadHours."""
    if len(numbers) > MOST_DAYS_OFF:
        raise BadHours("too_many_days_off", most=MOST_DAYS_OFF)
    return numbers


def with_holiday(hours: Hours, first: date, last: date, today: date) -> Hours:
    """The hours with those holidays instead of whatever was to come of others. Raises BadHours.

    Each calendar year has MOST_HOLIDAYS days of them, those that are over included.
    """
    if last < first:
        raise BadHours("holiday_backwards")
    if first < today:
        raise BadHours("holiday_past")
    if last > today + timedelta(days=366):
        raise BadHours("holiday_far")
    kept = without_holiday(hours, today).holidays
    begun = kept[-1] if kept and kept[-1][1] == today else None
    planned = (first, last)
    if begun is not None and first <= today + timedelta(days=1):
        kept, planned = kept[:-1], (begun[0], max(last, today))
    holidays = (*kept, planned)
    for year in (first.year, last.year):
        taken = holidays_in(Hours(holidays=holidays), year)
        if taken > MOST_HOLIDAYS:
            before = holidays_in(Hours(holidays=without_holiday(hours, today).holidays), year)
            raise BadHours("holiday_too_long", left=max(0, MOST_HOLIDAYS - before), most=MOST_HOLIDAYS, year=year)
    return Hours(hours.zone, hours.quiet, hours.days_off, holidays)


def without_holiday(hours: Hours, today: date) -> Hours:
    """The hours without whatever is to come of holidays, from tomorrow on: a day that has begun is taken, else nobody's
    allowance would ever be used up.
    """
    kept = tuple((first, min(last, today)) for first, last in hours.holidays if first <= today)
    return Hours(hours.zone, hours.quiet, hours.days_off, kept)


def holidays_in(hours: Hours, year: int) -> int:
    """Days of holidays in that calendar year."""
    start, end = date(year, 1, 1), date(year, 12, 31)
    return sum(max(0, (min(last, end) - max(first, start)).days + 1) for first, last in hours.holidays)


def today(hours: Hours, at: int) -> date:
    """The person's date."""
    return datetime.fromtimestamp(at, ZoneInfo(hours.zone)).date()
