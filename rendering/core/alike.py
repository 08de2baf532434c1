"""Letters that look like others, and what two names that look alike have in common: the method of Unicode's UTS #39.

Its table of shapes, with some of our own, is made by tests/rendering/look_alikes.py.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

LOOK_ALIKES = Path(__file__).resolve().parents[2] / "data" / "fonts" / "look_alikes.txt"

_STYLED = re.compile("[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢⓂ\U0001f130-\U0001f189\U0001f1e6-\U0001f1ff]")
"""Small capitals; squared letters, and a circled one that is an emoji; the letters of which flags consist."""
_TOGETHER = re.compile("rn|cl")
"""Two letters that look like one, an m or a d, when they stand together."""


@cache
def shapes() -> dict[int, str]:
    """Return the shape that each of these letters has in common with others, without marks: for `str.translate`."""
    lines = LOOK_ALIKES.read_text(encoding="utf-8").splitlines()[1:]
    return {ord(letter): shape for line in lines for shape, letters in [line.split("\t")] for letter in letters}


def plain(letter: str) -> str:
    """Return the plain form of a styled letter, "" if it is not styled. Few faces have a whole styled alphabet."""
    if not _STYLED.match(letter):
        return ""
    named = unicodedata.name(letter, "").rpartition(" ")[2]  # the table has one shape for I and l
    return named if len(named) == 1 else shapes().get(ord(letter), "").upper()


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Return what a name looks like, as it stands, in capitals and in small letters: two names that have one of these
    in common can be taken for each other.

    >>> looks("Аlех") & looks("alex") == set(), looks("Ann") & looks("Anna") == set()
    (False, True)
    """
    values = [(letter, unicodedata.digit(letter, None)) for letter in name]
    read = unicodedata.normalize("NFKC", "".join(letter if value is None else str(value) for letter, value in values))
    return frozenset(map(_look, (name, read.upper(), read.casefold())))


def _look(name: str) -> str:
    text = _TOGETHER.sub(lambda found: "m" if found[0] == "rn" else "d", _letters(name))
    return _letters(text.casefold()).casefold().replace("w", "vv")


def _letters(name: str) -> str:
    """Return the shapes of the letters and figures; of a name that has none, of all that it shows."""
    text = name
    for form in ("NFD", "NFKD"):
        text = unicodedata.normalize(form, text).translate(shapes())
    shown = [ch for ch in text if unicodedata.category(ch) not in ("Mn", "Me", "Cf", "Cc", "Zs", "Cn")]
    return "".join(ch for ch in shown if ch.isalnum() or unicodedata.category(ch) == "Mc") or "".join(shown)
