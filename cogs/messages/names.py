"""Names that people chose, made harmless: for pictures and alt texts as plain text, for messages escaped."""

from __future__ import annotations

import re
import unicodedata

from data.records.match import DEPARTED, Match

MOST = 32
"""Characters of a name that are shown; Discord's own limit."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Letters and signs by their category that show nothing: Hangul fillers, Braille's blank, a note without a head."""
_MARKDOWN = re.compile(r"([\\`*_~|>#\[\]()<:@-])")


def clean(name: str) -> str:
    """The name without control, direction and invisible characters, in one line, at most 32 characters.

    >>> clean("Ann\\u202e  \\n Lee")
    'Ann Lee'
    """
    kept = "".join(
        " " if ch.isspace() else ch for ch in unicodedata.normalize("NFC", name) if ch.isspace() or _shown(ch)
    )
    found = " ".join(kept.split())[:MOST].strip()
    # Marks alone, as variation selectors are, show nothing or hang on what stands before them.
    return found if any(unicodedata.category(ch) not in ("Mn", "Me", "Zs") for ch in found) else "?"


def _shown(ch: str) -> bool:
    # Cf holds direction marks and zero-width characters; Cc, Cs, Co and Cn show nothing that all clients agree on.
    return not unicodedata.category(ch).startswith("C") and ch not in _BLANK


def written(name: str) -> str:
    """A cleaned name, or a text with such names in it, for a message: no markdown, no mention, no link.

    >>> written("*Bob* @everyone")
    '\\\\*Bob\\\\* \\\\@\\u200beveryone'
    """
    return _MARKDOWN.sub(r"\\\1", name).replace("@", "@\u200b")


def names_at(match: Match, departed: str) -> tuple[str, ...]:
    """The names at a table, seat by seat; with a number each where several there have had their data deleted."""
    several = sum(chair.name == DEPARTED for chair in match.chairs) > 1
    gone = [f"{departed} {chair.number + 1}" if several else departed for chair in match.chairs]
    return tuple(word if chair.name == DEPARTED else chair.name for chair, word in zip(match.chairs, gone, strict=True))
