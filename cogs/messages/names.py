"""Makes the names that users chose harmless: plain text for pictures and alt texts, escaped for messages."""

from __future__ import annotations

import re
import unicodedata

from data.records.match import DEPARTED, Match

MOST = 32
"""Characters of a name at most; Discord's own limit."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Invisible characters that count as letters or signs in Unicode: Hangul fillers, Braille's blank, a headless note."""
_MARKDOWN = re.compile(r"([\\`*_~|>#\[\]()<:@-])")


def clean(name: str) -> str:
    """Return the name without control, direction and invisible characters, in one line, at most 32 characters.

    >>> clean("Ann\\u202e  \\n Lee")
    'Ann Lee'
    """
    kept = "".join(
        " " if ch.isspace() else ch for ch in unicodedata.normalize("NFC", name) if ch.isspace() or _shown(ch)
    )
    found = " ".join(kept.split())[:MOST].strip()
    # Marks alone, such as variation selectors, show nothing or change the character before them.
    return found if any(unicodedata.category(ch) not in ("Mn", "Me", "Zs") for ch in found) else "?"


def _shown(ch: str) -> bool:
    # Cf has direction marks and zero-width characters; clients disagree about what Cc, Cs, Co and Cn show.
    return not unicodedata.category(ch).startswith("C") and ch not in _BLANK


def written(name: str) -> str:
    """Return a cleaned name, or a text with such names, for a message: without markdown, mentions and links.

    >>> written("*Bob* @everyone")
    '\\\\*Bob\\\\* \\\\@\\u200beveryone'
    """
    return _MARKDOWN.sub(r"\\\1", name).replace("@", "@\u200b")


def names_at(match: Match, departed: str) -> tuple[str, ...]:
    """Return the names at a table by seat. Players whose data was deleted get a number if there are several."""
    several = sum(chair.name == DEPARTED for chair in match.chairs) > 1
    gone = [f"{departed} {chair.number + 1}" if several else departed for chair in match.chairs]
    return tuple(word if chair.name == DEPARTED else chair.name for chair, word in zip(match.chairs, gone, strict=True))
