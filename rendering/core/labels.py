"""The names and the texts of one language, which pictures and sentences use.

The texts come from data/locales/<language>/*.toml, flattened to dotted keys ("refusal.out_of_turn"); rendering reads
no file. A key in a game's file overrides the common one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from string import Formatter
from typing import Any

from rendering.core.sprites import Colour
from rules.core.game import IllegalMove

NONE_ELIDED = "-"


def with_minus_sign(number: float) -> str:
    """Return a number with a minus as long as a plus: "2", "−4", "2.5"."""
    return str(int(number) if number == int(number) else number).replace("-", "−")


_VOWEL = re.compile("[*\u2066-\u2069]*[aeiouàâæéèêëîïôœûü]", re.IGNORECASE)
"""The beginning with a vowel. Stars or marks of direction may stand before it; an h may be mute or not, so the whole
word before it stays.
"""


_I = re.compile("[*\u2066-\u2069]*h?[iíy](?![aeou])", re.IGNORECASE)
"""The beginning with the sound of an i, which is no part of a diphthong."""


@cache
def _before_facts(words: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return what finds these words before a fact in a text, the fact, and whether it is a seat; and what stands in
    place of the words that change before an i.
    """
    written = [word.partition("=") for word in words.split()]
    found = "|".join(word for word, _, _ in written)
    pattern = re.compile(rf"\b({found}) (?=\**\{{(\w+)(:name)?)", re.IGNORECASE)
    return pattern, {word: other for word, _, other in written if other}


@dataclass(frozen=True, slots=True)
class Labels:
    """Names by seat and the texts of one game in one language.

    `names` are plain text, as pictures and alt texts show them; `written` are the names for a message: escaped, or a
    mention. A number past the last seat is a computer without a seat: text "automa". `discs`: the number of each seat's
    disc (discs.py); without it, the seat's own. `large`: hands have larger cards, in two rows, so their pictures are
    taller. `plain`: pictures have one dark colour in place of their stage. `faces`: each seat's avatar as
    rendering/core/portraits.py stores it, or b"". `colours`: the colour of each seat's disc, if the game has
    colours for its seats (Renderer.SEAT_COLOURS). `halt`: what is said in place of whose turn it is while no player can
    move, since the match rests or was ended early; "" otherwise.
    """

    names: tuple[str, ...]
    texts: Mapping[str, str] = field(hash=False)  # compared, and mostly the same object; a mapping has no hash
    written: tuple[str, ...] = ()
    discs: tuple[int, ...] = ()
    large: bool = False
    plain: bool = False
    faces: tuple[bytes, ...] = ()
    colours: tuple[Colour, ...] = ()
    halt: str = ""

    @property
    def only_drawn(self) -> Labels:
        """All of this that a picture shows: the same without the names for messages."""
        return replace(self, written=()) if self.written else self

    def disc(self, seat: int) -> int:
        """Return the number of the seat's disc."""
        return self.discs[seat] if seat < len(self.discs) else seat

    def face(self, seat: int) -> bytes:
        """Return the seat's avatar, or b""."""
        return self.faces[seat] if seat < len(self.faces) else b""

    def name(self, seat: int) -> str:
        """Return the seat's name as plain text."""
        return self.names[seat] if seat < len(self.names) else self.texts["automa"]

    def who(self, seat: int) -> str:
        """Return the seat's name for a sentence in a message."""
        names = self.written or self.names
        return names[seat] if seat < len(names) else self.texts["automa"]

    def say(self, key: str, /, **facts: Any) -> str:
        """Return the text of that key with the facts filled in: "victoire de Bob", but "d’Alice". KeyError if it
        is missing; tests check that none is.
        """
        return self._elided(self.texts[key], facts).format(**facts)

    def _elided(self, text: str, facts: Mapping[str, Any]) -> str:
        """Return the text as it is written before these facts. The text "elided" lists the words that lose their last
        letter before a vowel, and those that are another before an i: "y=e"; "-": there are none. Facts stay as they
        are: names too have such words.
        """
        words = self.texts.get("elided", NONE_ELIDED)
        if words == NONE_ELIDED:
            return text

        pattern, before_i = _before_facts(words)

        def written(found: re.Match[str]) -> str:
            fact, word = self.who(facts[found[2]]) if found[3] else str(facts[found[2]]), found[1]
            if word in before_i:
                return f"{before_i[word]} " if _I.match(fact) else found[0]
            return f"{word[:-1]}’" if _VOWEL.match(fact) else found[0]

        return pattern.sub(written, text)

    def short_date(self, day: date) -> str:
        """ "Nov 29, 2026", or as the language writes it in figures: "29.11.2026"."""
        month = self.say("short_months").split("|")[day.month - 1]
        return self.say("short_date", day=day.day, month=month, year=day.year)

    def date(self, day: date) -> str:
        """ "November 29, 2026", as the language writes a date; in French "1er novembre 2026"."""
        number = day.day if day.day > 1 else self.say("first_day")
        return self.say("date", day=number, month=self.say(f"month.{day.month}"), year=day.year)

    def count(self, key: str, number: int) -> str:
        """ "1 seed", "3 seeds": the texts "count.seeds_one" and "count.seeds"."""
        one = self.is_singular(number)
        return self.say(f"count.{key}_one" if one else f"count.{key}", number=with_minus_sign(number))

    def is_singular(self, number: int) -> bool:
        """Return whether a thing counted so often is in the singular: "0 points", but "0 point" in French.

        The text "singular" lists these numbers, without their signs, as the language's speakers say them.
        """
        return str(abs(number)) in self.texts["singular"].split()

    def number(self, number: int) -> str:
        """ "1,012", "−4"; in German "1.012". The text "thousand" is a thousand as the language writes it."""
        return f"{number:,}".replace(",", self.texts["thousand"][1]).replace("-", "−")

    def list(self, items: Sequence[str], key: str = "and") -> str:
        """ "a", "a and b", "a, b and c", or with the word of another text."""
        if len(items) < 2:
            return "".join(items)
        return self.say(key, first=", ".join(items[:-1]), last=items[-1])

    def clauses(self, parts: Iterable[str]) -> str:
        """ "a; b; c", as the language writes it: French has a space before the mark."""
        return self.say("clauses", first="", last="").join(parts)

    def refusal(self, error: IllegalMove) -> str:
        """Return why a move was refused, in the game's words. If the text says {king:name}, the fact is a seat."""
        text = self._elided(self.texts[f"refusal.{error.reason.value}"], error.facts)
        return _Naming(self).vformat(text, (), error.facts)


class _Naming(Formatter):
    """`str.format` with one format more: "name" makes a seat's number its name."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "name":
            return self._labels.who(value)
        return str(super().format_field(value, format_spec))
