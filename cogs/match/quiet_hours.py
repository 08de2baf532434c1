"""What a player may set: their time zone, quiet hours, days off and holidays, with the bounds of each."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from cogs.match.refusals import BadHours as BadHours
from cogs.match.refusals import Reason
from cogs.match.time_zones import info
from cogs.match.time_zones import zone_named as zone_named
from cogs.match.time_zones import zones as zones
from cogs.match.typed_times import minutes_of as minutes_of
from data.records.hours import Hours

MOST_QUIET = 16 * 60
"""Minutes of quiet hours a day at most: the others need some time in which they can play with this player."""
MOST_DAYS_OFF = 4
"""Days off a week at most."""
FARTHEST = 366
"""Days until the last day of a holiday at most."""
MOST_HOLIDAYS = 30
"""Days of holidays at most, in any YEAR days."""
DAY, YEAR = timedelta(days=1), timedelta(days=366)


def quiet_hours(start: str, end: str) -> tuple[int, int]:
    """Return the quiet hours between two times of day such as "22", "7.15" or "10 pm", in minutes. Raises BadHours."""
    quiet = minutes_of(start), minutes_of(end)
    if (quiet[1] - quiet[0]) % (24 * 60) == 0:
        raise BadHours(Reason.QUIET_WHOLE_DAY)
    if (quiet[1] - quiet[0]) % (24 * 60) > MOST_QUIET:
        raise BadHours(Reason.QUIET_TOO_LONG, most=MOST_QUIET // 60)
    return quiet


def days_off(numbers: frozenset[int]) -> frozenset[int]:
    """Return these days of the week (0 is Monday). Raises BadHours if there are too many."""
    if len(numbers) > MOST_DAYS_OFF:
        raise BadHours(Reason.TOO_MANY_DAYS_OFF, most=MOST_DAYS_OFF)
    return numbers


def with_holiday(hours: Hours, first: date, last: date, today: date) -> Hours:
    """Return the hours with these holidays in place of all later ones. Raises BadHours.

    Any YEAR days have at most MOST_HOLIDAYS days of holidays; past holidays count too.
    """
    if last < first:
        raise BadHours(Reason.HOLIDAY_BACKWARDS)
    if first < today:
        raise BadHours(Reason.HOLIDAY_PAST)
    if last > today + timedelta(days=FARTHEST):
        raise BadHours(Reason.HOLIDAY_FAR)
    kept = without_holiday(hours, today).holidays
    begun = kept[-1] if kept and kept[-1][1] == today else None
    planned = (first, last)
    if begun is not None and first <= today + timedelta(days=1):
        kept, planned = kept[:-1], (begun[0], max(last, today))
    if _most_in_a_year((*kept, planned)) > MOST_HOLIDAYS:
        left = holidays_left(without_holiday(hours, today), first)
        raise BadHours(Reason.HOLIDAY_TOO_LONG, left=left, most=MOST_HOLIDAYS, first=first, span=YEAR.days)
    return Hours(hours.zone, hours.quiet, hours.days_off, (*kept, planned))


def without_holiday(hours: Hours, today: date) -> Hours:
    """Return the hours without holidays from tomorrow on. A day that has begun counts: else a player could end each
    holiday early and use up no days.
    """
    kept = tuple((first, min(last, today)) for first, last in hours.holidays if first <= today)
    return Hours(hours.zone, hours.quiet, hours.days_off, kept)


def holidays_left(hours: Hours, day: date) -> int:
    """Return how many days of holidays may follow one another from that day on, beside those of these hours."""
    fits = (
        days
        for days in range(MOST_HOLIDAYS, 0, -1)
        if _most_in_a_year((*hours.holidays, (day, day + timedelta(days=days - 1)))) <= MOST_HOLIDAYS
    )
    return next(fits, 0)


def _most_in_a_year(holidays: tuple[tuple[date, date], ...]) -> int:
    """Return the most days of these holidays in any YEAR days that reach the last one. Those begin with one of them."""
    return max(
        sum(max(0, (min(last + DAY, start + YEAR) - max(first, start)).days) for first, last in holidays)
        for start, _ in holidays
        if start + YEAR > holidays[-1][0]
    )


def today(hours: Hours, at: int) -> date:
    """Return the date where the player is."""
    return datetime.fromtimestamp(at, info(hours.zone)).date()
