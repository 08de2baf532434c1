"""Texts as people type them, in any of the bot's languages: made plain, and the words that are known in them.

The words of a language are its texts `typed.…`, with | between words for the same thing; some are `word=value`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

from data.content.texts import languages, texts

MOST_TYPED = 60
"""Characters of an input that are looked at."""
WEEK = 7
_ADORNED = r"""[,@~*`"\u201c\u201d\u201e\u00ab\u00bb!?()]"""
_DOTTED = re.compile(r"(?<=[^\W\d_]{2})\.(?= |$)")
_UNSEEN = ("Mn", "Cf", "So")
"""Accents, signs without a shape, and emoji."""
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}
_WHOLE = 3
"""Letters of the shortest word for one that is no mere article."""
PARTS = {
    "noon": "\ue000",
    "midnight": "\ue001",
    "morning": "\ue002",
    "afternoon": "\ue003",
    "evening": "\ue004",
    "night": "\ue005",
}
"""The signs that stand for the words of a part of the day. A Spanish morning would be read as tomorrow else."""


def plain(text: str, most: int = MOST_TYPED) -> str:
    """Return the text small, without accents, commas, quotes, emoji, the dots behind words and the like, and with one
    blank for several; wide signs are plain ones.
    """
    wide = "".join(unicodedata.normalize("NFKC", ch) if "\uff00" <= ch <= "\uffef" else ch for ch in text[:most])
    parted = unicodedata.normalize("NFD", wide).casefold()
    plain = "".join(ch for ch in parted if unicodedata.category(ch) not in _UNSEEN).replace("\u2019", "'")
    return _DOTTED.sub("", " ".join(re.sub(_ADORNED, " ", plain).split()))


def signed(text: str) -> str:
    """Return the plain text, with a sign for the words of each part of the day."""
    apart = _in_one_word().sub(lambda found: f"{found[1]} {_sign_of(found[2])}", plain(text))
    return without(apart, _part_words(), lambda found: f" {_sign_of(found[0])} ")


def _sign_of(word: str) -> str:
    """Return the sign of a part of the day. Behind a day of the week, a word for tomorrow means its morning."""
    return _part_words().get(word, PARTS["morning"])


@cache
def _part_words() -> dict[str, str]:
    """Return the words for parts of the day, each with its sign; the longest first, since "midi" is in "après-midi"."""
    found = {word: sign for part, sign in PARTS.items() for word in words(part)}
    return dict(sorted(found.items(), key=lambda one: (-len(one[0]), one[0])))


@cache
def _in_one_word() -> re.Pattern[str]:
    """Return a pattern for "Friday evening" in one word, as German has it."""
    days = {plain(texts(code)[f"hours.day.{day}"]) for code in languages() for day in range(WEEK)}
    return re.compile(rf"(?<![^\W_])({either_of(days)})({either_of((*_part_words(), *words('tomorrow')))})(?![^\W_])")


@cache
def words(key: str) -> tuple[str, ...]:
    """Return the words of all languages for one thing, the longest first; umlauts also as two letters."""
    told = {word for code in languages() for word in texts(code)[f"typed.{key}"].split("|")}
    found = {plain(spelt) for word in told for spelt in (word, re.sub("[äöü]", lambda u: _UMLAUTS[u[0]], word))}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cache
def valued(key: str) -> dict[str, str]:
    """Return the words of all languages for one kind of value, each with its value, the longest first."""
    return dict(word.split("=") for word in words(key))


@cache
def either(key: str) -> str:
    """Return a pattern for the words of all languages for one thing."""
    return either_of(words(key))


def either_of(words: Iterable[str]) -> str:
    """Return a pattern for any of these words."""
    return "|".join(map(re.escape, words))


def without(text: str, words: Iterable[str], sign: str | Callable[[re.Match[str]], str] = " ") -> str:
    """Return the text with that sign, or nothing, in place of these words."""
    return " ".join(re.sub(rf"(?<![^\W\d_])(?:{either_of(words)})(?![^\W_]|'\w)", sign, text).split())


def cut(text: str, found: re.Match[str]) -> str:
    """Return the text without what was found there."""
    first, last = found.span()
    return " ".join(f"{text[:first]} {text[last:]}".split())


def counted(text: str, but: tuple[str, ...] = ()) -> str:
    """Return the text with digits in place of the words for numbers, but for these."""
    numbers = {word: number for word, number in valued("numbers").items() if word not in but}
    return re.sub(rf"(?<![\w-])(?:{either_of(numbers)})(?![\w-])", lambda found: numbers[found[0]], text)


def is_and(word: str) -> bool:
    """Return whether a word only joins two others, in any language."""
    return plain(word) in words("and")


def with_digits(text: str, *, one: bool = False) -> str:
    """Return a plain text with digits in place of the words for numbers, in any language. Those for one stay, since
    most are articles too; with `one` only the shortest do, such as "a" and "un".
    """
    articles = (word for word, number in valued("numbers").items() if number == "1")
    return counted(plain(text), but=tuple(word for word in articles if not one or len(word) < _WHOLE))


def is_nothing(text: str) -> bool:
    """Return whether a text is a word for no time at all, in any language."""
    return plain(text) in words("nothing")


def is_all(text: str) -> bool:
    """Return whether a text is a word for as much as there is, in any language."""
    return plain(text) in words("all")


def quoted(text: str) -> str:
    """Return what a refusal repeats of a text."""
    return " ".join(text.split())[:40]
