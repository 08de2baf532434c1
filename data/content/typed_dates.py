"""Dates and days of the week as people type them, in any of the bot's languages: "24.12.", "next Friday", "demain"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from data.content.texts import language, languages, texts
from data.content.typed_words import WEEK, cut, either, either_of, is_and, plain, valued, without, words

MONTH_FIRST = frozenset({"en-US"})
"""The locales in which 12/10 is the tenth of December; in all others it is the twelfth of October."""
_LONGEST_MONTH = 31
_PARTS = {"\ue010": ("weekend", frozenset((5, 6))), "\ue011": ("weekdays", frozenset(range(5)))}
"""What stands in a text for a part of the week: the key of the words for it, and its days."""
_MOST_LISTED = 200
"""Characters of listed days that are looked at: all seven names are shorter."""
_LEAST_LETTERS = 2
"""Of the name of a day of the week."""
_FIRST = r"(?<![\d:./-])(?P<first>\d\d?)(?P<sign>[./-]) ?(?P<second>\d\d?)"
_WITH_YEAR = re.compile(rf"{_FIRST}(?P=sign)(?: ?(?P<year>\d{{4}}|(?<! )\d\d))(?![\d:.h])", re.ASCII)
_WITHOUT_YEAR = re.compile(rf"{_FIRST}(?:(?P=sign)(?!\d\d?$)|(?![\d:]))", re.ASCII)


def dates(text: str, today: date, locale: str) -> Iterator[tuple[date, str]]:
    """Yield each date that a plain text may contain, with the rest of the text; a day of the week must agree."""
    for day, rest in _whole_dates(text, today, locale):
        weekday = weekday_in(rest, locale)
        if weekday is None or weekday[0] == day.weekday():
            yield day, rest if weekday is None else weekday[1]
    of_next_week = without(text, words("next_week"))
    coming = without(of_next_week, words("next"))
    weekday = weekday_in(coming, locale)
    if weekday is not None:
        ahead = (weekday[0] - today.weekday()) % WEEK
        if of_next_week != text:
            ahead = weekday[0] - today.weekday() + WEEK
        elif coming != text and not ahead:
            ahead = WEEK
        yield today + timedelta(days=ahead), weekday[1]


def _whole_dates(text: str, today: date, locale: str) -> Iterator[tuple[date, str]]:
    for ahead, name in ((2, "after_tomorrow"), (1, "tomorrow"), (0, "today")):
        rest = without(text, words(name))
        if rest != text:
            ahead_of = [*_spans(rest, today + timedelta(days=ahead))]
            yield from ahead_of or [(today + timedelta(days=ahead), rest)]
            return
    yield from _spans(text, today)
    on, nth = either("on_day"), either("nth")
    numbered = rf"(?a:\b(?:{on}) (\d\d?)(?:{nth})?(?![\w:.])|(?<![\d.])(\d\d?)(?:{nth})(?![\w.:]))"
    for found in re.finditer(numbered, text):
        yield from _day_of_month(int(found[1] or found[2]), cut(text, found), today)
    for found in re.finditer(r"(?a:(?<= )(\d\d?)(?= ))", text):
        if weekday_in(text[: found.start()].split()[-1], locale) is not None:  # "Wednesday 2 at 8 pm"
            yield from _day_of_month(int(found[1]), cut(text, found), today)
    for found in re.finditer(r"(?a:(?<!\d)(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d)t?)", text):
        yield from _day(found, text, today, found[1], found[3], found[4])
    for pattern in (_WITH_YEAR, _WITHOUT_YEAR):
        for found in pattern.finditer(text):
            sign, first, second, year = (*found.group("sign", "first", "second"), found.groupdict().get("year"))
            swapped = sign == "/" and int(first) <= 12 and (locale in MONTH_FIRST or int(second) > 12)
            yield from _day(found, text, today, year, *((first, second) if swapped else (second, first)))
    filler, ordinal = either("filler"), either("ordinal")
    of, th = rf"(?:(?:{filler}) )?", rf"(?:{ordinal})?"
    for ordered, names in enumerate(_months(), 1):
        month = rf"(?:{'|'.join(names)})\b\.?"
        for found in re.finditer(rf"(?a:(?<!\d)(\d\d?){th} ?{of}{month}(?: {of}(\d{{4}}))?)", text):
            yield from _day(found, text, today, found[2], str(ordered), found[1])
        for found in re.finditer(rf"(?a:\b{month} (\d\d?){th}(?![\w:.])(?: (\d{{4}}))?)", text):
            yield from _day(found, text, today, found[2], str(ordered), found[1])


def _spans(text: str, today: date) -> Iterator[tuple[date, str]]:
    """Yield the days that lie a number of days or weeks ahead, as "in 2 days", and the text without it."""
    numbers = valued("numbers")
    ahead = rf"(?:{either('in')})"
    for unit, days in (("day", 1), ("week", WEEK)):
        span = rf"(\d\d?|{either_of(numbers)}) ?(?:{either(unit)})"
        for found in re.finditer(rf"(?a:\b(?:{ahead} {span}|{span} {ahead})\b)", text):
            number = found[1] or found[2]
            yield today + timedelta(days=int(numbers.get(number, number)) * days), cut(text, found)


def _day_of_month(number: int, rest: str, today: date) -> Iterator[tuple[date, str]]:
    """Yield the next day of a month with that number, today included, and the rest of the text."""
    for ahead in range(2 * _LONGEST_MONTH + 1):
        day = today + timedelta(days=ahead)
        if day.day == number:
            yield day, rest
            return


def _day(
    found: re.Match[str], text: str, today: date, year: str | None, month: str, day: str
) -> Iterator[tuple[date, str]]:
    """Yield that date and the text without it; without a year the next such date, today included."""
    rest = cut(text, found)
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
    months = [{plain(name) for names in spelt for name in names[month]} for month in range(12)]
    short = [{name[:length] for name in names for length in (3, 4)} for names in months]
    own = [{name for name in short[m] if sum(name in other for other in short) == 1} for m in range(12)]
    return tuple(tuple(sorted(months[m] | own[m], key=len, reverse=True)) for m in range(12))


@cache
def _clock_words() -> frozenset[str]:
    """Return the words with which a time is told; a French quarter would be read as the Portuguese Wednesday else."""
    return frozenset(word for form in valued("clock") for word in form.split())


def weekday_in(text: str, locale: str) -> tuple[int, str] | None:
    """Return the day of the week in a plain text, Monday 0, and the rest; None: none, or not one alone.

    Two letters are enough. The player's own language counts first, then English, then all others.
    """
    found = {}
    for word in re.finditer(r"(?<![^\W_])([^\W\d_]{2,}(?:-feira)?)\b\.?", text):
        if word[1] in (*words("filler"), *words("hour"), *words("clock_hour"), *_clock_words()):
            continue
        days = days_named(word[1], locale)
        if len(days) == 1:
            found[next(iter(days))] = word
    if len(found) != 1:
        return None
    ((day, word),) = found.items()
    return day, cut(text, word)


def week_days(text: str, locale: str) -> frozenset[int] | None:
    """Return the days that a text lists, as "Sat, Sun", "weekdays" or "Mon to Wed"; None if a word in it names none."""
    found, unknown = set[int](), False

    def one(word: str) -> int | None:
        days = days_named(word, locale)
        return next(iter(days)) if len(days) == 1 else None

    def through(span: re.Match[str]) -> str:
        first, last = one(span[1]), one(span[2])
        if first is None or last is None:
            return span[0]
        found.update((first + ahead) % WEEK for ahead in range((last - first) % WEEK + 1))
        return " "

    said = re.sub(r"-feiras?\b", "", plain(text, _MOST_LISTED))
    for sign, (key, _) in _PARTS.items():
        named = (*_own(key, locale), *(word for word in words(key) if len(word) > _LEAST_LETTERS))
        said = without(said, named, f" {sign} ")
    name = r"([^\W\d_]{2,})"
    said = re.sub(rf"{name}\.?(?: ?[-\u2013\u2014] ?| (?:{either('to_day')}) ){name}", through, said)
    for word in re.split(r"[\s;&+/|]+", said):
        if word in _PARTS:
            found |= _PARTS[word][1]
        elif word and not is_and(word) and word not in words("filler"):
            day = one(word)
            unknown |= day is None
            found |= {day} if day is not None else set()
    return None if unknown else frozenset(found)


def _own(key: str, locale: str) -> list[str]:
    """Return the words for a part of the week in the player's own language; the German "WE" is no Wednesday."""
    return [plain(word) for word in texts(language(locale))[f"typed.{key}"].split("|")]


def days_named(word: str, locale: str) -> frozenset[int]:
    """Return the days of the week that a word names or begins.

    The player's own language counts first, then English, then all others.
    """
    word = plain(word).removesuffix(".")
    if len(word) < _LEAST_LETTERS or word in _own("weekend", locale):
        return frozenset()
    if word in valued("days"):
        return frozenset({int(valued("days")[word])})
    for codes in ((language(locale),), ("en",), languages()):
        names = {day: {plain(texts(code)[f"hours.day.{day}"]) for code in codes} for day in range(WEEK)}
        # "Weds", "Fridays", "samstags"; but the French March is no Tuesday.
        begun = {word, word.removesuffix("s")} if codes == ("en",) or len(word) > len("mars") else {word}
        days = frozenset(day for day, spoken in names.items() if any(name.startswith((*begun,)) for name in spoken))
        if days:
            return days
    return frozenset()
