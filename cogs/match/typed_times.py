"""Times as people type them, in any of the bot's languages: "8:30 pm", "halb neun", "Fri 20:00", "in 2 h"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import cache

from cogs.match import time_zones
from cogs.match.refusals import BadHours, Reason
from cogs.match.time_controls import instant
from data.content.typed_dates import dates, weekday_in
from data.content.typed_words import PARTS, WEEK, counted, cut, either, quoted, signed, valued, without, words

DAY = 24 * 60
_AM_PM = re.compile(r"(?<=\d)(?: ?([ap])\.? ?m\b\.?|([ap])$)")
_STAMP = re.compile(r"<t:(\d{9,10})(?::[a-z])?>", re.ASCII)
"""How Discord writes an instant."""
_SECONDS = re.compile(r"(?<=\d:\d\d):\d\d(?:\.\d+)?(?!\d)", re.ASCII)
_ZONE_WORDS = 4
"""Words of a zone behind a time at most, as "New York time"."""
_EARLY = 6 * 60
"""The minutes of a day before which "tonight" and "Friday evening" are the night to the next one."""


def minutes_of(text: str) -> int:
    """Return a time of day such as "22", "8:30 pm", "20h30", "half past 8" or "noon" in minutes. Raises BadHours."""
    found = _minutes(signed(text))
    if found is None:
        raise BadHours(Reason.BAD_TIME, text=quoted(text))
    return found


def day_of(text: str, today: date, locale: str) -> date:
    """Return a date such as "2026-12-24", "24.12." or "Friday": without a year, the next one. Raises BadHours."""
    days = {day for day, rest in dates(signed(text), today, locale) if not without(rest, words("filler"))}
    if len(days) != 1:
        raise BadHours(Reason.BAD_DATE, text=quoted(text))
    return days.pop()


def start_of(text: str, zone: str, now: int, locale: str) -> int:
    """Return the instant that a text means where the player is: a time of day, the next one; a date with it; or a span
    of minutes and hours from now; or an instant as Discord writes it.

    A zone may follow, as in "8 pm EST" or "20:00 Europe/Berlin". A time that the clocks leave out is the instant at
    which they jump over it; of one that comes twice the first counts that is still to come. Raises BadHours: the text
    means now, lacks the time of day, or is no time or no one date.
    """
    plain = _SECONDS.sub("", signed(text))
    stamp = _STAMP.fullmatch(plain)
    if stamp is not None:
        return int(stamp[1])
    first, _, last = plain.rpartition(" ")
    other = time_zones.by_letters(last) if first else None
    try:
        return _start_there(first if other else plain, other or zone, now, locale, text)
    except BadHours:
        for time, name in _before_zone(plain):
            named = time_zones.zone_named(name)
            if named is not None:
                with suppress(BadHours):
                    return _start_there(time, named, now, locale, text)
        raise


def _before_zone(plain: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to divide a plain text into a time and the name of a zone."""
    told = re.sub(r"(?<=t\d\d:\d\d)([+-]\d\d:\d\d)$", r" utc\1", re.sub(r"(?<=\d)z$", " utc", plain)).split()
    small = (*words("filler"), *words("in"))
    for end in range(len(told), 1, -1):
        for at in range(max(1, end - _ZONE_WORDS), end):
            if told[at][0].isalpha() or told[at][0] == "+":  # 8 - 10 is no time in a zone in the west
                time, name = " ".join((*told[:at], *told[end:])), " ".join(told[at:end])
                yield time, name
                if (bare := without(name, small)) != name:  # "8 pm in London"
                    yield time, bare


def _start_there(plain: str, zone: str, now: int, locale: str, text: str) -> int:
    """Return the instant that a plain text means in that zone. `text`: as it was typed. Raises BadHours."""
    today = datetime.fromtimestamp(now, time_zones.info(zone)).date()
    if plain and not without(plain, words("now")):
        raise BadHours(Reason.START_NOW)
    span = _span(plain)
    if span == 0:
        raise BadHours(Reason.START_NOW)
    if span is not None:
        return now + span * 60
    minutes = _minutes(plain)
    if minutes is not None:
        ahead = (at for day in range(3) for at in _instants(zone, today + timedelta(days=day), minutes) if at > now)
        return next(ahead)
    found, lacking = set(), not _timeless(plain)
    for day, rest in dates(plain, today, locale):
        minutes = _minutes(rest)
        lacking |= not _timeless(rest)
        if minutes is not None:
            # A day of the week whose time is over today means the day in a week.
            both = _instants(zone, day + timedelta(days=PARTS["evening"] in rest and minutes < _EARLY), minutes)
            if both[-1] <= now and day == today and weekday_in(plain, locale) is not None:
                both = _instants(zone, day + timedelta(days=WEEK), minutes)
            elif both[-1] <= now and day == today and minutes < _EARLY and PARTS["night"] in plain:
                both = _instants(zone, day + timedelta(days=1), minutes)
            found.add(next((at for at in both if at > now), both[0]))
    if len(found) == 1:
        return found.pop()
    reason = Reason.NO_TIME_OF_DAY if lacking and not found and plain else Reason.BAD_START_TIME
    raise BadHours(reason, text=quoted(text))


def _instants(zone: str, day: date, minutes: int) -> tuple[int, int]:
    """Return the first and the last instant of that time of that day."""
    return instant(zone, day, minutes), instant(zone, day, minutes, last=True)


def _timeless(text: str) -> str:
    """Return what a plain text says beside a part of the day, as "this evening"."""
    return without("".join(ch for ch in text if ch not in PARTS.values()), words("filler"))


def _span(text: str) -> int | None:
    """Return the minutes from now that a plain text means, as "in 2 hours" or "+1 h 30 min"; None: it means none."""
    found = re.fullmatch(rf"(?:(?:{either('in')}) |\+ ?)(.+)|(.+) (?:{either('in')})", text)
    alone = text if found is None else found[1] or found[2]
    for word, minutes in valued("spans").items():
        if alone == word:
            return int(minutes)
    spoken = counted(alone)
    more = rf"(?: (?:{either('and')}))? ?\d{{1,2}} ?(?:{either('minute')})"
    if found is None and re.fullmatch(rf"(?a:\d{{1,4}} ?(?:{either('lasting')})(?:{more})?)", spoken) is None:
        return None
    told = _told(spoken)
    if told is not None and told[1] > 0:
        return told[0] * 60 + told[1]
    hours = rf"(\d{{1,3}})(?:[. ](5))? ?(?:{either('hour')})"
    minute = rf"(\d{{1,4}}) ?(?:{either('minute')})"
    both = rf"(?a:{hours}(?: ?(?:{either('and')})? ?(\d{{1,2}})(?: ?(?:{either('minute')}))?)?|{minute})"
    spelt = re.fullmatch(both, spoken)
    if spelt is None:
        return None
    return int(spelt[4]) if spelt[4] else int(spelt[1]) * 60 + (30 if spelt[2] else 0) + int(spelt[3] or 0)


def _told(text: str) -> tuple[int, int] | None:
    """Return the hour that a time is told by, as in "quarter to 9", and the minutes from then; None if it is not so."""
    for pattern, value in _clock_forms():
        found = pattern.fullmatch(text)
        if found is not None:
            return int(found["hour"]), int(f"{value}{found['minute']}" if value in ("+", "-") else value)
    return None


@cache
def _clock_forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns for the ways to tell a time, with the minutes from the hour; + and -: as many as it says."""
    hour, minute = rf"(?P<hour>\d\d?) ?(?:{either('clock_hour')})?", r"(?P<minute>\d\d?)"
    forms = ((re.escape(form), value) for form, value in valued("clock").items())
    spoken = ((form.replace(r"\{hour\}", hour).replace(r"\{minute\}", minute), value) for form, value in forms)
    return tuple((re.compile(f"(?a:{form})"), value) for form, value in spoken)


def _minutes(text: str) -> int | None:
    """Return the minutes of a plain time of day; None if it is none."""
    text = counted(text, but=words("filler"))  # the Spanish "a las 20" is no "1 las 20"
    half = _AM_PM.search(text)
    if half is not None:
        text = re.sub(r"^(\d\d?) (\d\d)$", r"\1:\2", cut(text, half))
    parts = [part for part, sign in PARTS.items() if sign in text]
    alone = _timeless(text)
    if not alone and half is None and parts in (["noon"], ["midnight"]):
        return 12 * 60 if parts == ["noon"] else 0
    at_twelve = text.replace(PARTS["noon"], "12").replace(PARTS["midnight"], "12")  # "midi et demi"
    clock = _told(_timeless(at_twelve)) or _told(alone) or _figures(alone)
    if clock is None:
        return None
    hour, minute = clock
    spoken = _hour(hour, (half[1] or half[2]) if half else "", parts)
    if spoken is None or minute > 59 or spoken * 60 + minute > DAY:
        return None
    return (spoken * 60 + minute) % DAY


def _figures(text: str) -> tuple[int, int] | None:
    """Return the hour and minute of a time in figures, as "20:30", "20h30" or "8"; None if it is none."""
    unit = either("clock_hour")
    apart = rf"(\d{{1,2}}) ?(?:(?:: ?|\.)(\d{{2}}) ?(?:{unit})?|(?:{unit}) ?(?:(\d{{2}}) ?(?:{either('minute')})?)?)?"
    found = re.fullmatch(rf"(?a:{apart}|(\d\d?)(\d\d) ?(?:{unit})?)", text)
    return None if found is None else (int(found[1] or found[4]), int(found[2] or found[3] or found[5] or 0))


def _hour(hour: int, half: str, parts: list[str]) -> int | None:
    """Return the hour of 24 that is meant with "am", "pm" or a part of the day; None if they do not fit."""
    if half:
        fitting = ("morning", "evening", "night") if half == "a" else ("afternoon", "evening", "night")
        if not 1 <= hour <= 12 or not set(parts) <= set(fitting):
            return None
        return hour % 12 + (12 if half == "p" else 0)
    if not parts:
        return hour
    if len(parts) > 1:
        return None
    fits = {
        "noon": {12: 12},
        "midnight": {12: 0, 0: 0, 24: 0},
        "morning": {hour: hour for hour in range(12)},
        "afternoon": {hour: hour % 12 + 12 for hour in range(1, 24)},
        "evening": {hour: hour if hour in (*range(4), *range(12, 24)) else hour + 12 for hour in range(24)} | {12: 0},
        "night": {hour: hour % 12 + (12 if hour % 12 >= 6 else 0) for hour in (*range(13), *range(18, 24))},
    }
    return fits[parts[0]].get(hour)
