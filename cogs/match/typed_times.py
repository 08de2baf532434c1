"""Times and dates as people type them, in any of the bot's languages: "8:30 pm", "20h30", "Fri 20:00", "24.12. 8 Uhr".

The words of a language are its texts `typed.…`, with | between words for the same thing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache

from cogs.match import time_zones
from cogs.match.refusals import BadHours, Reason
from cogs.match.time_controls import instant
from data.content.texts import language, languages, texts

MOST_TYPED = 60
"""Characters of an input that are looked at."""
MONTH_FIRST = frozenset({"en-US"})
"""The locales in which 12/10 is the tenth of December; in all others it is the twelfth of October."""
DAY = 24 * 60
_WEEK = 7
_AM_PM = re.compile(r"(?<=\d) ?([ap])\.? ?m\b\.?")
_LEAST_LETTERS = 2
"""Of the name of a day of the week."""
_FIRST = r"(?<![\d:./-])(?P<first>\d\d?)(?P<sign>[./-]) ?(?P<second>\d\d?)"
_WITH_YEAR = re.compile(rf"{_FIRST}(?P=sign)(?: ?(?P<year>\d{{4}}|(?<! )\d\d))(?![\d:.h])", re.ASCII)
_WITHOUT_YEAR = re.compile(rf"{_FIRST}(?:(?P=sign)(?!\d\d?$)|(?![\d:]))", re.ASCII)
_PARTS = {"noon": "\ue000", "midnight": "\ue001", "morning": "\ue002", "evening": "\ue003", "night": "\ue004"}
"""The signs that stand for the words of a part of the day. A Spanish morning would be read as tomorrow else."""


def minutes_of(text: str) -> int:
    """Return a time of day such as "22", "7.15", "8:30 pm", "20h30" or "noon" in minutes. Raises BadHours."""
    found = _minutes(_signed(text))
    if found is None:
        raise BadHours(Reason.BAD_TIME, text=text[:20])
    return found


def day_of(text: str, today: date, locale: str) -> date:
    """Return a date such as "2026-12-24", "24.12." or "Friday": without a year, the next one. Raises BadHours."""
    days = {day for day, rest in _dates(_signed(text), today, locale) if not _without(rest, _words("filler"))}
    if len(days) != 1:
        raise BadHours(Reason.BAD_DATE, text=text[:20])
    return days.pop()


def start_of(text: str, zone: str, now: int, locale: str) -> int:
    """Return the instant that a text means where the player is: a time of day, the next one, or a date with it.

    A time that the clocks leave out is the instant at which they jump over it; of one that comes twice the first counts
    that is still to come. Raises BadHours: it is no time, or a date and a time that are over or no one date.
    """
    plain, today = _signed(text), datetime.fromtimestamp(now, time_zones.info(zone)).date()
    minutes = _minutes(plain)
    if minutes is not None:
        ahead = (at for day in range(3) for at in _instants(zone, today + timedelta(days=day), minutes) if at > now)
        return next(ahead)
    found = set()
    for day, rest in _dates(plain, today, locale):
        minutes = _minutes(rest)
        if minutes is not None:
            # A day of the week whose time is over today means the day in a week.
            both = _instants(zone, day, minutes)
            if both[-1] <= now and day == today and _weekday(plain, locale) is not None:
                both = _instants(zone, day + timedelta(days=_WEEK), minutes)
            found.add(next((at for at in both if at > now), both[0]))
    if len(found) != 1:
        raise BadHours(Reason.BAD_START_TIME, text=text[:40])
    return found.pop()


def _instants(zone: str, day: date, minutes: int) -> tuple[int, int]:
    """Return the first and the last instant of that time of that day."""
    return instant(zone, day, minutes), instant(zone, day, minutes, last=True)


def _plain(text: str) -> str:
    """Return the text small, without accents and commas, and with one blank for several; wide signs are plain ones."""
    wide = "".join(unicodedata.normalize("NFKC", ch) if "\uff00" <= ch <= "\uffef" else ch for ch in text[:MOST_TYPED])
    parted = unicodedata.normalize("NFD", wide).casefold()
    plain = "".join(ch for ch in parted if unicodedata.category(ch) != "Mn").replace("\u2019", "'")
    return " ".join(plain.replace(",", " ").split())


def _signed(text: str) -> str:
    """Return the plain text, with a sign for the words of each part of the day."""
    plain = _plain(text)
    for part, sign in _PARTS.items():
        plain = _without(plain, _words(part), sign)
    return plain


@cache
def _words(key: str) -> tuple[str, ...]:
    """Return the words of all languages for one thing, the longest first."""
    found = {_plain(word) for code in languages() for word in texts(code)[f"typed.{key}"].split("|")}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def _without(text: str, words: tuple[str, ...], sign: str = "") -> str:
    """Return the text with that sign, or nothing, in place of these words."""
    either = "|".join(map(re.escape, words))
    return " ".join(re.sub(rf"(?<![^\W\d_])(?:{either})(?![^\W_]|'\w)", f" {sign} ", text).split())


def _cut(text: str, found: re.Match[str]) -> str:
    """Return the text without what was found in it."""
    first, last = found.span()
    return " ".join(f"{text[:first]} {text[last:]}".split())


def _minutes(text: str) -> int | None:
    """Return the minutes of a plain time of day; None if it is none."""
    half = _AM_PM.search(text)
    if half is not None:
        text = _cut(text, half)
    parts = [part for part, sign in _PARTS.items() if sign in text]
    text = _without("".join(ch for ch in text if ch not in _PARTS.values()), _words("filler"))
    if not text and half is None and parts in (["noon"], ["midnight"]):
        return 12 * 60 if parts == ["noon"] else 0
    unit = "|".join(map(re.escape, _words("hour")))
    apart = rf"(\d{{1,2}}) ?(?:[:.] ?(\d{{2}}) ?(?:{unit})?|(?:{unit}) ?(?:(\d{{2}}) ?(?:min|m)?)?)?"
    found = re.fullmatch(rf"(?a:{apart}|(\d\d?)(\d\d) ?(?:{unit})?)", text)
    if found is None:
        return None
    hour, minute = int(found[1] or found[4]), int(found[2] or found[3] or found[5] or 0)
    spoken = _hour(hour, half[1] if half else "", parts)
    if spoken is None or minute > 59 or spoken * 60 + minute > DAY:
        return None
    return (spoken * 60 + minute) % DAY


def _hour(hour: int, half: str, parts: list[str]) -> int | None:
    """Return the hour of 24 that is meant with "am", "pm" or a part of the day; None if they do not fit."""
    if half:
        fitting = ("morning", "night") if half == "a" else ("evening", "night")
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
        "evening": {hour: hour % 12 + 12 for hour in range(1, 24)},
        "night": {hour: hour % 12 + (12 if hour % 12 >= 6 else 0) for hour in (*range(13), *range(18, 24))},
    }
    return fits[parts[0]].get(hour)


def _dates(text: str, today: date, locale: str) -> Iterator[tuple[date, str]]:
    """Yield each date that a plain text may contain, with the rest of the text; a day of the week must agree."""
    for day, rest in _whole_dates(text, today, locale):
        weekday = _weekday(rest, locale)
        if weekday is None or weekday[0] == day.weekday():
            yield day, rest if weekday is None else weekday[1]
    weekday = _weekday(text, locale)
    if weekday is not None:
        yield today + timedelta(days=(weekday[0] - today.weekday()) % _WEEK), weekday[1]


def _whole_dates(text: str, today: date, locale: str) -> Iterator[tuple[date, str]]:
    for ahead, name in ((2, "after_tomorrow"), (1, "tomorrow"), (0, "today")):
        rest = _without(text, _words(name))
        if rest != text:
            yield today + timedelta(days=ahead), rest
            return
    for found in re.finditer(r"(?a:(?<!\d)(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d)t?)", text):
        yield from _day(found, text, today, found[1], found[3], found[4])
    for pattern in (_WITH_YEAR, _WITHOUT_YEAR):
        for found in pattern.finditer(text):
            sign, first, second, year = (*found.group("sign", "first", "second"), found.groupdict().get("year"))
            swapped = sign == "/" and int(first) <= 12 and (locale in MONTH_FIRST or int(second) > 12)
            yield from _day(found, text, today, year, *((first, second) if swapped else (second, first)))
    filler, ordinal = ("|".join(map(re.escape, _words(key))) for key in ("filler", "ordinal"))
    of, th = rf"(?:(?:{filler}) )?", rf"(?:{ordinal})?"
    for number, names in enumerate(_months(), 1):
        month = rf"(?:{'|'.join(names)})\b\.?"
        for found in re.finditer(rf"(?a:(?<!\d)(\d\d?){th} ?{of}{month}(?: {of}(\d{{4}}))?)", text):
            yield from _day(found, text, today, found[2], str(number), found[1])
        for found in re.finditer(rf"(?a:\b{month} (\d\d?){th}(?![\w:.])(?: (\d{{4}}))?)", text):
            yield from _day(found, text, today, found[2], str(number), found[1])


def _day(
    found: re.Match[str], text: str, today: date, year: str | None, month: str, day: str
) -> Iterator[tuple[date, str]]:
    """Yield that date and the text without it; without a year the next such date, today included."""
    rest = _cut(text, found)
    years = [int(year) + (2000 if len(year) == 2 else 0)] if year else range(today.year, today.year + 9)
    for one in years:
        try:
            at = date(one, int(month), int(day))
        except ValueError:
            continue
        if year or at >= today:
            yield at, rest
            return


@cache
def _months() -> tuple[tuple[str, ...], ...]:
    """Return the names of each month in all languages, and their first three letters where these are no other's."""
    named = [[_plain(name) for name in texts(code)["typed.months"].split("|")] for code in languages()]
    months = [{names[month] for names in named} for month in range(12)]
    short = [{name[:length] for name in names for length in (3, 4)} for names in months]
    own = [{name for name in short[m] if sum(name in other for other in short) == 1} for m in range(12)]
    return tuple(tuple(sorted(months[m] | own[m], key=len, reverse=True)) for m in range(12))


def _weekday(text: str, locale: str) -> tuple[int, str] | None:
    """Return the day of the week in a plain text, Monday 0, and the rest; None: none, or not one alone.

    Two letters are enough. The player's own language counts first, then English, then all others.
    """
    found = {}
    for word in re.finditer(r"(?<![^\W_])([^\W\d_]{2,}(?:-feira)?)\b\.?", text):
        if word[1] in (*_words("filler"), *_words("hour")):
            continue
        days = days_named(word[1], locale)
        if len(days) == 1:
            found[next(iter(days))] = word
    if len(found) != 1:
        return None
    ((day, word),) = found.items()
    return day, _cut(text, word)


def days_named(word: str, locale: str) -> frozenset[int]:
    """Return the days of the week that a word names or begins.

    The player's own language counts first, then English, then all others.
    """
    word = _plain(word).removesuffix(".")
    if len(word) < _LEAST_LETTERS:
        return frozenset()
    for codes in ((language(locale),), ("en",), languages()):
        names = {day: {_plain(texts(code)[f"hours.day.{day}"]) for code in codes} for day in range(_WEEK)}
        days = frozenset(day for day, spoken in names.items() if any(name.startswith(word) for name in spoken))
        if days:
            return days
    return frozenset()
