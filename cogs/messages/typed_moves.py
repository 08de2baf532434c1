"""Finds the legal move that a player means by what they type, in the game's words or in notation.

A legal move is typed as its notation ("play Y12"), as its label in any language ("☀️ Y12"), as the notation without its
first word ("Y12"), or as some words of these ("plant D5", "setze 3"). Its parts may be called what alt texts and
buttons call them ("yellow 12", "gelb 12"), and the buttons that lead to it may be named one after the other. Upper and
lower case, emoji, markdown, spaces and hyphens do not matter, and an umlaut may be typed as ä, a or ae. The input's own
words decide; nothing is guessed. A text that fits none but resembles some ("yelow 12", "die blaue 9", "9") asks for
these.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain, product, zip_longest
from typing import Any

from cogs.messages.content import Content, prompt_rows
from cogs.messages.names import written
from data.content.typed_words import is_all, is_nothing, with_digits
from rendering.core.formatting import shortened
from rendering.core.labels import Labels
from rendering.core.prompts import MOST_CHOICES, Choice, Prompt, ways_to
from rendering.core.renderer import Renderer
from rules.core.game import AnyGame, IllegalMove, Move, Seat, View

MOST_TYPED = 200
"""Characters of an input that are looked at. The longest label has 80, and a player may add to it."""
LEAST_LETTERS = 3
"""A shorter word of a label ("a", "to", "an") names no move by itself, unless it is in a player's name."""

MOST_ALIKE = 5
"""Moves that a text may resemble; one that resembles more is too vague to ask for any."""
ALIKE = 0.75
"""How much of two words is the same, from 0 to 1, if one may be a slip or another form of the other."""

MOST_RUN, MOST_READINGS = 6, 16
"""Words of what texts call a part of a move, and ways to read an input, that are looked at."""

_WORD = re.compile(r"[^\W_]+")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}

_SUITED = re.compile(r"([^\w\s]+)([^\W\d_])\d+")
_UNSEEN = ("Mn", "Cf")
"""Accents and the like, and signs without a shape, such as those that make an emoji coloured."""

Words = tuple[str, ...]


def words_of(text: str, *, spelled: bool = False) -> Words:
    """Return the words and numbers of a text, small and without accents. `spelled`: with "ae" for "ä", and so on.

    >>> words_of("☀️ **Y12**"), words_of("Säen A2 → A1"), words_of("Säen", spelled=True)
    (('y12',), ('saen', 'a2', 'a1'), ('saeen',))
    """
    text = unicodedata.normalize("NFC", text[:MOST_TYPED]).casefold()
    if spelled:
        text = "".join(_UMLAUTS.get(ch, ch) for ch in text)
    text = unicodedata.normalize("NFKD", text).casefold()
    return tuple(_WORD.findall("".join(ch for ch in text if unicodedata.category(ch) not in _UNSEEN)))


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A legal move, and the words by which it can be typed."""

    notation: str
    label: str
    """In the player's own language."""
    spelt: Words
    """The words of the notation; the first is its verb."""
    labels: frozenset[Words]
    """The words of its labels in all languages."""
    words: frozenset[str]
    """All these words but the numbers that only labels have: what a move costs does not name it."""
    forms: frozenset[Words]
    """Other whole ways to say it: with what texts call its parts, and the labels of the buttons that lead to it."""
    signs: frozenset[str]
    """The labels of buttons that have no words, only signs."""
    parts: Mapping[str, frozenset[Words]]
    """What texts call each part of the notation, run together without spaces, and that part's own words."""

    def fits(self, typed: Words, names: frozenset[str]) -> bool:
        """Return whether these are words of this move, none twice, and those of the notation stand in its order."""
        if len(set(typed) - set(self.spelt)) < sum(word not in self.spelt for word in typed):
            return False
        rest = iter(self.spelt[1:])
        if not all(word in rest for word in typed if word in self.spelt[1:]):
            return False
        telling = any(word in self.spelt or len(word) >= LEAST_LETTERS or word in names for word in typed)
        if len(self.spelt) == 1 and self.spelt[0] not in typed:  # "the" of "End the turn" ends none
            much = 2 * len("".join(typed))
            telling = any(much >= len("".join(label)) for label in self.labels if set(typed) <= set(label))
        verb_once = typed.count(self.spelt[0]) <= 1 if self.spelt else True
        return telling and verb_once and self.words.issuperset(typed)

    def resembles(self, typed: Words) -> int:
        """Return how many letters of the longest form all of whose words, or words like them, are among these; 0 if
        there is none, or it has neither a number nor a whole word.
        """
        forms = (self.spelt, self.spelt[1:], *self.labels, *self.forms)
        telling = (form for form in forms if any(len(word) >= LEAST_LETTERS or not word.isalpha() for word in form))
        return max((len("".join(form)) for form in telling if _are_among(form, typed)), default=0)

    def begins(self, typed: Words) -> int | None:
        """Return how well the move fits an input whose last word may be incomplete: 0 is best; None: not at all."""
        *_, last = typed
        forms = (self.spelt, self.spelt[1:], *self.labels, *self.forms)
        if typed in forms:
            return 0
        joined = "".join(typed)
        if any("".join(form).startswith(joined) for form in forms):
            return 1
        if any(form[: len(typed) - 1] == typed[:-1] and _starts(form[len(typed) - 1 :][:1], last) for form in forms):
            return 1
        everything = set(chain.from_iterable(forms))
        return 2 if everything.issuperset(typed[:-1]) and _starts(everything, last) else None


class TypedMoves:
    """A seat's legal moves in one position, as its player may type them."""

    def __init__(
        self,
        labels: Mapping[str, Sequence[str]],
        names: Iterable[str] = (),
        ways: Iterable[tuple[str, Sequence[str]]] = (),
        terms: Mapping[str, Sequence[Mapping[str, Sequence[str]]]] | None = None,
    ) -> None:
        """`labels`: of each legal move, by its notation, the labels in all languages, the player's own first. `names`:
        those of the players. `ways`: the labels of the buttons that lead to a move. `terms`: what texts call the parts
        of a move, in each language.
        """
        led: dict[str, list[Sequence[str]]] = {}
        for notation, way in ways:
            led.setdefault(notation, []).append(way)
        called = terms or {}
        self.moves = tuple(
            _typed(notation, found, led.get(notation, ()), called.get(notation, ()))
            for notation, found in labels.items()
        )
        self._names = frozenset(chain.from_iterable(map(words_of, names)))
        self._parts: dict[str, set[Words]] = {}
        for move in self.moves:
            for part, words in move.parts.items():
                self._parts.setdefault(part, set()).update(words)

    @classmethod
    def of(cls, drawn: Renderer[Any, Any], view: View, moves: Sequence[Move], told: Sequence[Labels]) -> TypedMoves:
        """Return the moves of a seat with that view. `told`: the labels of each language, the player's own first."""

        def ways(labels: Labels) -> Iterator[tuple[str, tuple[str, ...]]]:
            return ways_to(lambda path: drawn.prompt(view, moves, path, labels))

        return cls(
            {str(move): [drawn.move_label(view, move, labels) for labels in told] for move in moves},
            told[0].names,
            chain.from_iterable(map(ways, told)),
            {str(move): [drawn.terms(move, labels) for labels in told] for move in moves},
        )

    def meant(self, text: str) -> tuple[TypedMove, ...]:
        """Return the moves that the text may mean. If it means one, there is one; if it means none, there is none.

        A whole notation counts more than a whole label, that more than a notation without its verb, that more than any
        other whole way to say it, and all of these more than some of a move's words.
        """
        typed = words_of(text)
        if not typed:
            signs = _signs(text)
            return tuple(move for move in self.moves if signs and signs in move.signs)
        joined = "".join(typed)
        for found in (
            [move for move in self.moves if move.spelt == typed],
            [move for move in self.moves if typed in move.labels],
            [move for move in self.moves if move.spelt[1:] == typed],
            [move for move in self.moves if typed in move.forms],
            [move for move in self.moves if joined == "".join(move.spelt)],
            [move for move in self.moves if joined in map("".join, move.labels)],
            [move for move in self.moves if joined == "".join(move.spelt[1:])],
            [move for move in self.moves if joined in map("".join, move.forms)],
        ):
            if found:
                return tuple(found)
        readings = (typed, *self._in_notation(typed))
        return tuple(move for move in self.moves if any(move.fits(reading, self._names) for reading in readings))

    def alike(self, text: str) -> tuple[TypedMove, ...]:
        """Return the moves that a text resembles that means none, at most MOST_ALIKE."""
        typed = words_of(with_digits(text))
        how = [move.resembles(typed) for move in self.moves]
        most = max(how, default=0)
        best = tuple(move for move, much in zip(self.moves, how, strict=True) if much == most > 0)
        if not best and len(typed) == 1 and typed[0].isdecimal():  # "9", for a card that has it
            best = tuple(move for move in self.moves if re.fullmatch(rf"[^\W\d_]+{typed[0]}", move.spelt[-1]))
        return best if len(best) <= MOST_ALIKE else ()

    def _in_notation(self, typed: Words) -> list[Words]:
        """Return the input with the words of the notation in place of what texts call the parts, in each way that this
        may be read; none if there are no such words in it.
        """
        readings: list[Words] = [()]
        at = 0
        while at < len(typed):
            runs = ("".join(typed[at:end]) for end in range(min(len(typed), at + MOST_RUN), at, -1))
            ends = range(min(len(typed), at + MOST_RUN), at, -1)
            end, words = next(
                ((end, self._parts[run]) for end, run in zip(ends, runs, strict=True) if run in self._parts),
                (at + 1, {typed[at : at + 1]}),
            )
            readings = [(*reading, *one) for reading in readings for one in sorted(words)][:MOST_READINGS]
            at = end
        return [reading for reading in readings if reading != typed]

    def listed(self, text: str) -> list[TypedMove]:
        """Return the moves that the text may become, the best fit first; without a letter, all, each verb in turn."""
        typed = words_of(text)
        if typed:
            found = [(fit, move) for move in self.moves if (fit := move.begins(typed)) is not None]
            return [move for _, move in sorted(found, key=lambda one: one[0])]
        verbs: dict[Words, list[TypedMove]] = {}
        for move in self.moves:
            verbs.setdefault(move.spelt[:1], []).append(move)
        return [move for turn in zip_longest(*verbs.values()) for move in turn if move is not None]

    def notations(self, game: AnyGame, seat: Seat, text: str) -> tuple[str, ...]:
        """Return the notations of the moves that the text may mean; one also if that move is not legal, or if the text
        is no move at all: the rules then say why.
        """
        read = parsed(game, seat, text)
        if read is None:
            readings = (text, with_digits(text), with_digits(text, one=True), self._lettered(text), *self._amount(text))
            found = next((moves for reading in readings if (moves := self.meant(reading))), ())
            if found:
                return tuple(move.notation for move in found)
            verbs = dict.fromkeys(move.notation.partition(" ")[0] for move in self.moves)
            typed = words_of(text)
            spoken = verbs if typed else ()
            whole = (parsed(game, seat, f"{verb} {sign.join(typed)}") for sign in (" ", "") for verb in spoken)
            read = next((one for one in whole if one is not None), text)
        return (read,)

    def _lettered(self, text: str) -> str:
        """Return the text with a suit's letter in place of its sign, as in "🌊 9" for a card with the label "🌊 B9"."""
        said = _signs(text)
        for found in filter(None, (_SUITED.fullmatch(_signs(move.label)) for move in self.moves)):
            said = said.replace(found[1], found[2])
        return said

    def _amount(self, text: str) -> tuple[str, ...]:
        """Return the number for "nothing", "no coins" and "all in" if all moves are numbers of one thing."""
        numbers = [int(move.spelt[1]) for move in self.moves if len(move.spelt) == 2 and move.spelt[1].isdecimal()]
        if not numbers or len(numbers) < len(self.moves):
            return ()
        typed = words_of(text)
        alone = " ".join(word for word in typed if not any(word in move.words for move in self.moves))
        if (alone,) == typed and len(alone) <= LEAST_LETTERS:  # "no" alone answers another question
            return ()
        return ("0",) if is_nothing(alone) else (str(max(numbers)),) if is_all(alone) else ()


def which_move(
    moves: Sequence[TypedMove], text: str, user: int, match: int, turn: str, labels: Labels, *, alike: bool = False
) -> Content:
    """Return the question which of these moves the player means by that text, with a button or an option for each.
    `alike`: the text means none of them, but resembles them.
    """
    told = [move.label for move in moves]
    choices = [
        Choice(move.label if told.count(move.label) == 1 else f"{move.label} ({move.notation})"[:80], move.notation)
        for move in moves[:MOST_CHOICES]
    ]
    prompt = Prompt("", tuple(choices))
    key = "move.which_alike" if alike else "move.which" if len(moves) <= MOST_CHOICES else "move.which_of_many"
    asked = labels.say(key, typed=written(shortened(" ".join(text.split()), 80)), count=len(moves))
    return Content((asked,), prompt_rows(prompt, match, turn, labels.say("move.which_hint")), user)


def parsed(game: AnyGame, seat: Seat, text: str) -> str | None:
    """Return the notation of the move that the rules read in the text; None if they read none."""
    try:
        return str(game.parse(seat, text))
    except IllegalMove:
        return None


def _typed(
    notation: str, labels: Sequence[str], ways: Sequence[Sequence[str]], terms: Sequence[Mapping[str, Sequence[str]]]
) -> TypedMove:
    spelt = words_of(notation)
    found = frozenset(chain.from_iterable(map(_spellings, labels))) - {()}
    told = {word for form in found for word in form if not word.isdecimal()}
    verb, *arguments = notation.split()
    texts = {" ".join(way[at:]) for way in ways for at in range(len(way))}
    parts: dict[str, set[Words]] = {}
    for called in terms:
        texts |= {" ".join(one) for one in product(*((part, *called.get(part, ())) for part in arguments))}
        for part, names in called.items():
            for name in (part, *names):
                for words in _spellings(name):
                    parts.setdefault("".join(words), set()).add(words_of(part))
    forms = {form for text in texts for said in (text, f"{verb} {text}") for form in _spellings(said)}
    return TypedMove(
        notation,
        labels[0],
        spelt,
        found,
        frozenset({*spelt, *told}),
        frozenset(forms - {(), spelt[:1]}) | ({spelt} if not arguments else frozenset()),
        frozenset(_signs(text) for text in (*texts, *labels) if not words_of(text)) - {""},
        {joined: frozenset(words) for joined, words in parts.items() if joined},
    )


def _signs(text: str) -> str:
    """Return the signs of a text without spaces, and without what only makes them coloured."""
    return "".join(ch for ch in text[:MOST_TYPED] if not ch.isspace() and unicodedata.category(ch) not in _UNSEEN)


@lru_cache(8192)
def _spellings(text: str) -> frozenset[Words]:
    """Return the words of a text, with "a" and with "ae" for "ä". Most texts are those of the moves of other turns."""
    return frozenset(words_of(text, spelled=spelled) for spelled in (False, True))


def _are_among(form: Words, typed: Words) -> bool:
    """Return whether each word of a form is among these, or one like it, in any order and each of these once."""
    left = list(typed)
    for word in form:
        found = max(left, key=lambda other: _likeness(word, other), default="")
        if _likeness(word, found) < ALIKE:
            return False
        left.remove(found)
    return True


@lru_cache(8192)
def _likeness(word: str, other: str) -> float:
    """Return how much of two words is the same, from 0 to 1; numbers and short words only resemble themselves, and a
    slip in short ones is not in the first letter.
    """
    if word == other:
        return 1.0
    shorter, longer = sorted((len(word), len(other)))
    whole = shorter >= LEAST_LETTERS < longer and (word[0] == other[0] or shorter > LEAST_LETTERS)
    return SequenceMatcher(None, word, other).ratio() if whole and word.isalpha() and other.isalpha() else 0.0


def _starts(words: Iterable[str], beginning: str) -> bool:
    return any(word.startswith(beginning) for word in words)
