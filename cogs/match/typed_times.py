"""Times and dates as people type them, in any of the bot's languages: "8:30 pm", "halb neun", "Fri 20:00", "in 2 h".

The words of a language are its texts `typed.…`, with | between words for the same thing; some are `word=value`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
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
_LONGEST_MONTH = 31
_AM_PM = re.compile(r"(?<=\d) ?([ap])\.? ?m\b\.?")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}
_LEAST_LETTERS = 2
"""Of the name of a day of the week."""
_FIRST = r"(?<![\d:./-])(?P<first>\d\d?)(?P<sign>[./-]) ?(?P<second>\d\d?)"
_WITH_YEAR = re.compile(rf"{_FIRST}(?P=sign)(?: ?(?P<year>\d{{4}}|(?<! )\d\d))(?![\d:.h])", re.ASCII)
_WITHOUT_YEAR = re.compile(rf"{_FIRST}(?:(?P=sign)(?!\d\d?$)|(?![\d:]))", re.ASCII)
_STAMP = re.compile(r"<t:(\d{9,10})(?::[a-z])?>", re.ASCII)
"""How Discord writes an instant."""
_ZONE_WORDS = 4
"""Words of a zone behind a time at most, as "New York time"."""
_EARLY = 6 * 60
"""The minutes of a day before which "tonight" is the night to the next one."""
_PARTS = {"noon": "\ue000", "midnight": "\ue001", "morning": "\ue002", "evening": "\ue003", "night": "\ue004"}
"""The signs that stand for the words of a part of the day. A Spanish morning would be read as tomorrow else."""


def minutes_of(text: str) -> int:
    """Return a time of day such as "22", "8:30 pm", "20h30", "half past 8" or "noon" in minutes. Raises BadHours."""
    found = _minutes(_signed(text))
    if found is None:
        raise BadHours(Reason.BAD_TIME, text=_quoted(text))
    return found


def day_of(text: str, today: date, locale: str) -> date:
    """Return a date such as "2026-12-24", "24.12." or "Friday": without a year, the next one. Raises BadHours."""
    days = {day for day, rest in _dates(_signed(text), today, locale) if not _without(rest, _words("filler"))}
    if len(days) != 1:
        raise BadHours(Reason.BAD_DATE, text=_quoted(text))
    return days.pop()


def start_of(text: str, zone: str, now: int, locale: str) -> int:
    """Return the instant that a text means where the player is: a time of day, the next one; a date with it; or a span
    of minutes and hours from now; or an instant as Discord writes it.

    A zone may follow, as in "8 pm EST" or "20:00 Europe/Berlin". A time that the clocks leave out is the instant at
    which they jump over it; of one that comes twice the first counts that is still to come. Raises BadHours: the text
    means now, lacks the time of day, or is no time or no one date.
    """
    plain = _signed(text)
    stamp = _STAMP.fullmatch(plain)
    if stamp is not None:
        return int(stamp[1])
    first, _, last = plain.rpartition(" ")
    other = time_zones.by_letters(last) if first else None
    if other is not None:
        plain, zone = first, other
    try:
        return _start_there(plain, zone, now, locale, text)
    except BadHours:
        for time, name in _before_zone(plain):
            named = time_zones.zone_named(name)
            if named is not None and other is None:
                with suppress(BadHours):
                    return _start_there(time, named, now, locale, text)
        raise


def _before_zone(plain: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to divide a plain text into a time and the name of a zone."""
    words = re.sub(r"(?<=\d)z$", " utc", plain).split()
    for at in range(max(1, len(words) - _ZONE_WORDS), len(words)):
        if words[at][0].isalpha() or words[at][0] == "+":  # 8 - 10 is no time in a zone in the west
            yield " ".join(words[:at]), " ".join(words[at:])


def _start_there(plain: str, zone: str, now: int, locale: str, text: str) -> int:
    """Return the instant that a plain text means in that zone. `text`: as it was typed. Raises BadHours."""
    today = datetime.fromtimestamp(now, time_zones.info(zone)).date()
    if plain and not _without(plain, _words("now")):
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
    for day, rest in _dates(plain, today, locale):
        minutes = _minutes(rest)
        lacking |= not _timeless(rest)
        if minutes is not None:
            # A day of the week whose time is over today means the day in a week.
            both = _instants(zone, day, minutes)
            if both[-1] <= now and day == today and _weekday(plain, locale) is not None:
                both = _instants(zone, day + timedelta(days=_WEEK), minutes)
            elif both[-1] <= now and day == today and minutes < _EARLY and _PARTS["night"] in plain:
                both = _instants(zone, day + timedelta(days=1), minutes)
            found.add(next((at for at in both if at > now), both[0]))
    if len(found) == 1:
        return found.pop()
    reason = Reason.NO_TIME_OF_DAY if lacking and not found and plain else Reason.BAD_START_TIME
    raise BadHours(reason, text=_quoted(text))


def _quoted(text: str) -> str:
    """Return what a refusal repeats of a text."""
    return " ".join(text.split())[:40]


def _instants(zone: str, day: date, minutes: int) -> tuple[int, int]:
    """Return the first and the last instant of that time of that day."""
    return instant(zone, day, minutes), instant(zone, day, minutes, last=True)


def _plain(text: str) -> str:
    """Return the text small, without accents and commas, and with one blank for several; wide signs are plain ones."""
    wide = "".join(unicodedata.normalize("NFKC", ch) if "\uff00" <= ch <= "\uffef" else ch for ch in text[:MOST_TYPED])
    parted = unicodedata.normalize("NFD", wide).casefold()
    plain = "".join(ch for ch in parted if unicodedata.category(ch) != "Mn").replace("\u2019", "'")
    return " ".join(re.sub("[,@~]", " ", plain).split())


def _signed(text: str) -> str:
    """Return the plain text, with a sign for the words of each part of the day."""
    plain = _in_one_word().sub(lambda found: f"{found[1]} {_sign_of(found[2])}", _plain(text))
    return _without(plain, _part_words(), lambda found: f" {_sign_of(found[0])} ")


def _sign_of(word: str) -> str:
    """Return the sign of a part of the day. Behind a day of the week, a word for tomorrow means its morning."""
    return _part_words().get(word, _PARTS["morning"])


@cache
def _part_words() -> dict[str, str]:
    """Return the words for parts of the day, each with its sign; the longest first, since "midi" is in "après-midi"."""
    found = {word: sign for part, sign in _PARTS.items() for word in _words(part)}
    return dict(sorted(found.items(), key=lambda one: (-len(one[0]), one[0])))


@cache
def _in_one_word() -> re.Pattern[str]:
    """Return a pattern for "Friday evening" in one word, as German has it."""
    days = {_plain(texts(code)[f"hours.day.{day}"]) for code in languages() for day in range(_WEEK)}
    return re.compile(
        rf"(?<![^\W_])({_either_of(days)})({_either_of((*_part_words(), *_words('tomorrow')))})(?![^\W_])"
    )


@cache
def _words(key: str) -> tuple[str, ...]:
    """Return the words of all languages for one thing, the longest first; umlauts also as two letters."""
    told = {word for code in languages() for word in texts(code)[f"typed.{key}"].split("|")}
    found = {_plain(spelt) for word in told for spelt in (word, re.sub("[äöü]", lambda u: _UMLAUTS[u[0]], word))}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cache
def _valued(key: str) -> dict[str, str]:
    """Return the words of all languages for one kind of value, each with its value, the longest first."""
    return dict(word.split("=") for word in _words(key))


@cache
def _either(key: str) -> str:
    """Return a pattern for the words of all languages for one thing."""
    return _either_of(_words(key))


def _either_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def _without(text: str, words: Iterable[str], sign: str | Callable[[re.Match[str]], str] = " ") -> str:
    """Return the text with that sign, or nothing, in place of these words."""
    return " ".join(re.sub(rf"(?<![^\W\d_])(?:{_either_of(words)})(?![^\W_]|'\w)", sign, text).split())


def _cut(text: str, found: re.Match[str]) -> str:
    first, last = found.span()
    return " ".join(f"{text[:first]} {text[last:]}".split())


def _counted(text: str, but: tuple[str, ...] = ()) -> str:
    """Return the text with digits in place of the words for numbers, but for these."""
    numbers = {word: number for word, number in _valued("numbers").items() if word not in but}
    return re.sub(rf"(?<![\w-])(?:{_either_of(numbers)})(?![\w-])", lambda found: numbers[found[0]], text)


def _timeless(text: str) -> str:
    """Return what a plain text says beside a part of the day, as "this evening"."""
    return _without("".join(ch for ch in text if ch not in _PARTS.values()), _words("filler"))


def _span(text: str) -> int | None:
    """Return the minutes from now that a plain text means, as "in 2 hours", "+1 h 30 min" or "half an hour"; None: it
    means none.
    """
    found = re.fullmatch(rf"(?:(?:{_either('in')}) |\+ ?)(.+)", text)
    alone = text if found is None else found[1]
    for word, minutes in _valued("spans").items():
        if alone == word:
            return int(minutes)
    spoken = _counted(alone)
    if found is None and re.fullmatch(rf"(?a:\d{{1,4}} ?(?:{_either('lasting')}))", spoken) is None:
        return None
    told = _told(spoken)
    if told is not None and told[1] > 0:
        return told[0] * 60 + told[1]
    hours = rf"(\d{{1,3}})(?:[. ](5))? ?(?:{_either('hour')})"
    minute = rf"(\d{{1,4}}) ?(?:{_either('minute')})"
    both = rf"(?a:{hours}(?: ?(?:{_either('and')})? ?(\d{{1,2}})(?: ?(?:{_either('minute')}))?)?|{minute})"
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
    hour, minute = rf"(?P<hour>\d\d?) ?(?:{_either('clock_hour')})?", r"(?P<minute>\d\d?)"
    forms = ((re.escape(form), value) for form, value in _valued("clock").items())
    spoken = ((form.replace(r"\{hour\}", hour).replace(r"\{minute\}", minute), value) for form, value in forms)
    return tuple((re.compile(f"(?a:{form})"), value) for form, value in spoken)


def _minutes(text: str) -> int | None:
    """Return the minutes of a plain time of day; None if it is none."""
    text = _counted(text, but=_words("filler"))  # the Spanish "a las 20" is no "1 las 20"
    half = _AM_PM.search(text)
    if half is not None:
        text = _cut(text, half)
    parts = [part for part, sign in _PARTS.items() if sign in text]
    alone = _timeless(text)
    if not alone and half is None and parts in (["noon"], ["midnight"]):
        return 12 * 60 if parts == ["noon"] else 0
    at_twelve = text.replace(_PARTS["noon"], "12").replace(_PARTS["midnight"], "12")  # "midi et demi"
    clock = _told(_timeless(at_twelve)) or _told(alone) or _figures(alone)
    if clock is None:
        return None
    hour, minute = clock
    spoken = _hour(hour, half[1] if half else "", parts)
    if spoken is None or minute > 59 or spoken * 60 + minute > DAY:
        return None
    return (spoken * 60 + minute) % DAY


def _figures(text: str) -> tuple[int, int] | None:
    """Return the hour and minute of a time in figures, as "20:30", "20h30" or "8"; None if it is none."""
    unit = _either("clock_hour")
    apart = rf"(\d{{1,2}}) ?(?:(?:: ?|\.)(\d{{2}}) ?(?:{unit})?|(?:{unit}) ?(?:(\d{{2}}) ?(?:{_either('minute')})?)?)?"
    found = re.fullmatch(rf"(?a:{apart}|(\d\d?)(\d\d) ?(?:{unit})?)", text)
    return None if found is None else (int(found[1] or found[4]), int(found[2] or found[3] or found[5] or 0))


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
    of_next_week = _without(text, _words("next_week"))
    coming = _without(of_next_week, _words("next"))
    weekday = _weekday(coming, locale)
    if weekday is not None:
        ahead = (weekday[0] - today.weekday()) % _WEEK
        if of_next_week != text:
            ahead = weekday[0] - today.weekday() + _WEEK
        elif coming != text and not ahead:
            ahead = _WEEK
        yield today + timedelta(days=ahead), weekday[1]


def _whole_dates(text: str, today: date, locale: str) -> Iterator[tuple[date, str]]:
    for ahead, name in ((2, "after_tomorrow"), (1, "tomorrow"), (0, "today")):
        rest = _without(text, _words(name))
        if rest != text:
            yield today + timedelta(days=ahead), rest
            return
    numbers = _valued("numbers")
    for unit, days in (("day", 1), ("week", _WEEK)):
        number = rf"(\d\d?|{_either_of(numbers)})"
        for found in re.finditer(rf"(?a:\b(?:{_either('in')}) {number} ?(?:{_either(unit)})\b)", text):
            yield today + timedelta(days=int(numbers.get(found[1], found[1])) * days), _cut(text, found)
    on, nth = _either("on_day"), _either("nth")
    numbered = rf"(?a:\b(?:{on}) (\d\d?)(?:{nth})?(?![\w:.])|(?<![\d.])(\d\d?)(?:{nth})(?![\w.:]))"
    for found in re.finditer(numbered, text):
        yield from _day_of_month(found, text, today)
    for found in re.finditer(r"(?a:(?<!\d)(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d)t?)", text):
        yield from _day(found, text, today, found[1], found[3], found[4])
    for pattern in (_WITH_YEAR, _WITHOUT_YEAR):
        for found in pattern.finditer(text):
            sign, first, second, year = (*found.group("sign", "first", "second"), found.groupdict().get("year"))
            swapped = sign == "/" and int(first) <= 12 and (locale in MONTH_FIRST or int(second) > 12)
            yield from _day(found, text, today, year, *((first, second) if swapped else (second, first)))
    filler, ordinal = _either("filler"), _either("ordinal")
    of, th = rf"(?:(?:{filler}) )?", rf"(?:{ordinal})?"
    for ordered, names in enumerate(_months(), 1):
        month = rf"(?:{'|'.join(names)})\b\.?"
        for found in re.finditer(rf"(?a:(?<!\d)(\d\d?){th} ?{of}{month}(?: {of}(\d{{4}}))?)", text):
            yield from _day(found, text, today, found[2], str(ordered), found[1])
        for found in re.finditer(rf"(?a:\b{month} (\d\d?){th}(?![\w:.])(?: (\d{{4}}))?)", text):
            yield from _day(found, text, today, found[2], str(ordered), found[1])


def _day_of_month(found: re.Match[str], text: str, today: date) -> Iterator[tuple[date, str]]:
    """Yield the next day of a month with that number, today included, and the text without it."""
    number = int(found[1] or found[2])
    for ahead in range(2 * _LONGEST_MONTH + 1):
        day = today + timedelta(days=ahead)
        if day.day == number:
            yield day, _cut(text, found)
            return


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
    named = [texts(code)["typed.months"].split("|") for code in languages()]
    spelt = [[(name, name.replace("ä", "ae")) for name in names] for names in named]
    months = [{_plain(name) for names in spelt for name in names[month]} for month in range(12)]
    short = [{name[:length] for name in names for length in (3, 4)} for names in months]
    own = [{name for name in short[m] if sum(name in other for other in short) == 1} for m in range(12)]
    return tuple(tuple(sorted(months[m] | own[m], key=len, reverse=True)) for m in range(12))


@cache
def _clock_words() -> frozenset[str]:
    """Return the words with which a time is told; a French quarter would be read as the Portuguese Wednesday else."""
    return frozenset(word for form in _valued("clock") for word in form.split())


def _weekday(text: str, locale: str) -> tuple[int, str] | None:
    """Return the day of the week in a plain text, Monday 0, and the rest; None: none, or not one alone.

    Two letters are enough. The player's own language counts first, then English, then all others.
    """
    found = {}
    for word in re.finditer(r"(?<![^\W_])([^\W\d_]{2,}(?:-feira)?)\b\.?", text):
        if word[1] in (*_words("filler"), *_words("hour"), *_words("clock_hour"), *_clock_words()):
            continue
        days = days_named(word[1], locale)
        if len(days) == 1:
            found[next(iter(days))] = word
    if len(found) != 1:
        return None
    ((day, word),) = found.items()
    return day, _cut(text, word)


def is_and(word: str) -> bool:
    """Return whether a word only joins two others, in any language."""
    return _plain(word) in _words("and")


def with_digits(text: str) -> str:
    """Return a plain text with digits in place of the words for numbers from two on, in any language."""
    one = tuple(word for word, number in _valued("numbers").items() if number == "1")
    return _counted(_plain(text), but=one)


def is_nothing(text: str) -> bool:
    """Return whether a text is a word for no time at all, in any language."""
    return _plain(text) in _words("nothing")


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
