"""Finds the legal move that a player means by what they type, in the game's words or in notation.

A legal move is typed as its notation ("play Y12"), as its label in any language ("☀️ Y12"), as the notation without its
first word ("Y12"), or as some words of these ("plant D5", "setze 3"). Upper and lower case, emoji, markdown and spaces
do not matter, and an umlaut may be typed as ä, a or ae. The input's own words decide; nothing is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from cogs.messages.content import Content, prompt_rows, shortened
from cogs.messages.names import written
from rendering.core.labels import Labels
from rendering.core.prompts import MOST_CHOICES, Choice, Prompt
from rules.core.game import AnyGame, IllegalMove, Seat

MOST_TYPED = 200
"""Characters of an input that are looked at. The longest label has 80, and a player may add to it."""
LEAST_LETTERS = 3
"""A shorter word of a label ("a", "to", "an") names no move by itself, unless it is in a player's name."""

_WORD = re.compile(r"[^\W_]+")
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue"}

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

    def fits(self, typed: Words, names: frozenset[str]) -> bool:
        """Return whether these are words of this move, none twice, and those of the notation stand in its order."""
        if len(set(typed) - set(self.spelt)) < sum(word not in self.spelt for word in typed):
            return False
        rest = iter(self.spelt[1:])
        if not all(word in rest for word in typed if word in self.spelt[1:]):
            return False
        telling = any(word in self.spelt or len(word) >= LEAST_LETTERS or word in names for word in typed)
        verb_once = typed.count(self.spelt[0]) <= 1 if self.spelt else True
        return telling and verb_once and self.words.issuperset(typed)

    def begins(self, typed: Words) -> int | None:
        """Return how well the move fits an input whose last word may be incomplete: 0 is best; None: not at all."""
        *_, last = typed
        forms = (self.spelt, self.spelt[1:], *self.labels)
        if typed in forms:
            return 0
        if any(form[: len(typed) - 1] == typed[:-1] and _starts(form[len(typed) - 1 :][:1], last) for form in forms):
            return 1
        everything = set(chain.from_iterable(forms))
        return 2 if everything.issuperset(typed[:-1]) and _starts(everything, last) else None


class TypedMoves:
    """A seat's legal moves in one position, as its player may type them."""

    def __init__(self, labels: Mapping[str, Sequence[str]], names: Iterable[str] = ()) -> None:
        """`labels`: of each legal move, by its notation, the labels in all languages, the player's own first. `names`:
        those of the players.
        """
        self.moves = tuple(_typed(notation, found) for notation, found in labels.items())
        self._names = frozenset(chain.from_iterable(map(words_of, names)))

    def meant(self, text: str) -> tuple[TypedMove, ...]:
        """Return the moves that the text may mean. If it means one, there is one; if it means none, there is none.

        A whole notation counts more than a whole label, that more than a notation without its verb, and all of these
        more than some of a move's words.
        """
        typed = words_of(text)
        if not typed:
            return ()
        for found in (
            [move for move in self.moves if move.spelt == typed],
            [move for move in self.moves if typed in move.labels],
            [move for move in self.moves if move.spelt[1:] == typed],
            [move for move in self.moves if move.fits(typed, self._names)],
        ):
            if found:
                return tuple(found)
        return ()

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
        read = _parsed(game, seat, text)
        if read is None:
            found = tuple(move.notation for move in self.meant(text))
            if found:
                return found
            verbs = dict.fromkeys(move.notation.partition(" ")[0] for move in self.moves)
            whole = (_parsed(game, seat, f"{verb} {' '.join(words_of(text))}") for verb in verbs)
            read = next((one for one in whole if one is not None), text)
        return (read,)


def which_move(moves: Sequence[TypedMove], text: str, user: int, match: int, turn: str, labels: Labels) -> Content:
    """Return the question which of these moves the player means by that text, with a button or an option for each."""
    told = [move.label for move in moves]
    choices = [
        Choice(move.label if told.count(move.label) == 1 else f"{move.label} ({move.notation})"[:80], move.notation)
        for move in moves[:MOST_CHOICES]
    ]
    prompt = Prompt("", tuple(choices))
    key = "move.which" if len(moves) <= MOST_CHOICES else "move.which_of_many"
    asked = labels.say(key, typed=written(shortened(" ".join(text.split()), 80)), count=len(moves))
    return Content((asked,), prompt_rows(prompt, match, turn, labels.say("move.which_hint")), user)


def _parsed(game: AnyGame, seat: Seat, text: str) -> str | None:
    """Return the notation of the move that the rules read in the text; None if they read none."""
    try:
        return str(game.parse(seat, text))
    except IllegalMove:
        return None


def _typed(notation: str, labels: Sequence[str]) -> TypedMove:
    spelt = words_of(notation)
    forms = frozenset(words_of(label, spelled=spelled) for label in labels for spelled in (False, True)) - {()}
    told = {word for form in forms for word in form if not word.isdecimal()}
    return TypedMove(notation, labels[0], spelt, forms, frozenset({*spelt, *told}))


def _starts(words: Iterable[str], beginning: str) -> bool:
    return any(word.startswith(beginning) for word in words)
