"""Reads the hours that a player types or chooses, and tells in words the hours that they keep."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from cogs.match import quiet_hours
from cogs.match.refusals import BadHours, Reason
from cogs.match.time_controls import DAY, MOST_HELD_UP
from cogs.match.time_zones import info, is_known, meant_by, spoken_zone, zone_named, zones_like
from cogs.match.typed_times import day_of
from cogs.messages.content import Id, Row, Select, SelectOption
from cogs.messages.names import written
from data.content.typed_dates import week_days
from data.content.typed_words import is_nothing
from data.records.hours import Hours
from rendering.core.labels import Labels

NIGHTS = ((21, 7), (22, 6), (22, 7), (22, 8), (23, 7), (23, 8), (0, 7), (0, 8), (1, 9))
"""The quiet hours that the menu offers, by the hours of their beginnings and ends."""
MOST_LIKE = 6
"""Zones that the refusal of a text proposes."""


def in_zone(hours: Hours, text: str) -> Hours:
    """Return the hours in another time zone; "" changes nothing. Raises BadHours."""
    if not text:
        return hours
    zone = zone_named(text)
    if zone is None:
        like = [spoken_zone(zone) for zone in zones_like(text)[:MOST_LIKE]]
        if like and any(map(str.isalnum, text)):
            raise BadHours(Reason.WHICH_ZONE, text=text[:40], zones=", ".join(like))
        raise BadHours(Reason.BAD_ZONE, text=text[:40])
    return Hours(zone, hours.quiet, hours.days_off, hours.holidays)


def zone_note(text: str, labels: Labels) -> str:
    """Return which zone a text such as "EST" or "Germany" was taken for; "" if it names the zone itself."""
    zone = meant_by(text)
    if zone is None:
        return ""
    return labels.say("hours.meant_zone", typed=written(text.strip()), zone=written(spoken_zone(zone)))


def menu(hours: Hours, labels: Labels) -> tuple[Row, ...]:
    """Return the selects of the quiet hours and of the days off, with the player's own chosen."""
    say = labels.say
    nights = [(start * 60, end * 60) for start, end in NIGHTS]
    if hours.quiet is not None and hours.quiet not in nights:
        nights.append(hours.quiet)
    entries = [SelectOption(say("hours.menu.none"), "none", chosen=hours.quiet is None)]
    for start, end in nights:
        from_, to = _clock(start), _clock(end)
        said = say("hours.menu.span", start=from_, end=to)
        entries.append(SelectOption(said, f"{from_}-{to}", chosen=hours.quiet == (start, end)))
    days = [SelectOption(say(f"hours.day.{day}"), str(day), chosen=day in hours.days_off) for day in range(7)]
    most = quiet_hours.MOST_DAYS_OFF
    return (
        Select(Id(0, "hours", rest="quiet"), say("hours.menu.quiet"), tuple(entries)),
        Select(Id(0, "hours", rest="days_off"), say("hours.menu.days_off", most=most), tuple(days), 0, most),
    )


def with_choice(hours: Hours, what: str, values: Sequence[str]) -> Hours | None:
    """Return the hours after a choice in the menu; None if it offers no such choice. Raises BadHours."""
    if what == "quiet" and len(values) == 1:
        start, _, end = values[0].partition("-")
        return with_quiet(hours, start, end or ("none" if start == "none" else ""))
    if what == "days_off" and all(value in [str(day) for day in range(7)] for value in values):
        found = quiet_hours.days_off(frozenset(map(int, values)))
        return Hours(hours.zone, hours.quiet, found, hours.holidays)
    return None


def _clock(minutes: int) -> str:
    """Return a time of the day in minutes as "22:00"."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def with_quiet(hours: Hours, start: str, end: str) -> Hours:
    """Return the hours with other quiet hours, or none; "" for both changes nothing. Raises BadHours."""
    if not start and not end:
        return hours
    if is_nothing(start) or is_nothing(end):
        return Hours(hours.zone, None, hours.days_off, hours.holidays)
    if not start or not end:
        raise BadHours(Reason.QUIET_HALF)
    return Hours(hours.zone, quiet_hours.quiet_hours(start, end), hours.days_off, hours.holidays)


def with_days_off(hours: Hours, text: str, locale: str) -> Hours:
    """Return the hours with other days off. `text` has their names, or at least two first letters of each, in any
    language, the player's own first, as "Sat, Sun", "weekends" or "Mon-Wed"; "" changes nothing. Raises BadHours.
    """
    if not text:
        return hours
    found = frozenset[int]() if is_nothing(text) else week_days(text, locale)
    if found is None:
        raise BadHours(Reason.BAD_DAYS_OFF, text=text[:40])
    return Hours(hours.zone, hours.quiet, quiet_hours.days_off(found), hours.holidays)


def with_holiday(hours: Hours, first: str, last: str, now: int, locale: str) -> Hours:
    """Return the hours with one more holiday, or none after today; "" for both changes nothing. Raises BadHours."""
    if not first and not last:
        return hours
    today = quiet_hours.today(hours, now)
    if is_nothing(first) or is_nothing(last):
        return quiet_hours.without_holiday(hours, today)
    if not first or not last:
        raise BadHours(Reason.HOLIDAY_HALF)
    begins = day_of(first, today, locale)
    if begins > today + timedelta(days=quiet_hours.FARTHEST):  # from a day in the year 9999 no week can be counted
        raise BadHours(Reason.HOLIDAY_FAR)
    begun = begins - quiet_hours.YEAR >= today - timedelta(days=quiet_hours.MOST_HOLIDAYS)
    if begun and day_of(last, today, locale) < begins:  # "24.12." to "2.1.", typed on December 26
        begins = today
    return quiet_hours.with_holiday(hours, begins, day_of(last, begins, locale), today)


def in_words(hours: Hours, now: int, labels: Labels) -> str:
    """Return a player's hours, a line for each kind, with the time where they are."""
    say, today = labels.say, quiet_hours.today(hours, now)
    there = datetime.fromtimestamp(now, info(hours.zone)).strftime("%H:%M")
    lines = [say("hours.zone", zone=written(spoken_zone(hours.zone)), time=there)]
    if not is_known(hours.zone):
        lines.append(say("hours.unknown_zone", zone=written(hours.zone)))
    if hours.quiet is None:
        lines.append(say("hours.no_quiet"))
    else:
        start, end = map(_clock, hours.quiet)
        lines.append(say("hours.quiet", start=start, end=end))
    days = labels.list([say(f"hours.day.{day}") for day in sorted(hours.days_off)])
    lines.append(say("hours.days_off", days=days) if days else say("hours.no_days_off"))
    planned = [holiday for holiday in hours.holidays if holiday[1] >= today]
    for first, last in planned:
        whole = say("hours.holiday", first=labels.date(first), last=labels.date(last))
        lines.append(whole if first < last else say("hours.holiday_day", day=labels.date(first)))
    free = max([today, *(last + quiet_hours.DAY for _, last in planned)])
    left, most, span = quiet_hours.holidays_left(hours, free), quiet_hours.MOST_HOLIDAYS, quiet_hours.YEAR.days
    lines.append(say("hours.holidays_left" if planned else "hours.no_holiday", left=left, most=most, span=span))
    return "\n".join([*lines, say("hours.note", days=MOST_HELD_UP // DAY)])
