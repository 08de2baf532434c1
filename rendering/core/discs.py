"""The disc of a seat: its colour, its sigil and its player's initials. It is the same wherever the seat is shown.

Its number is the player's place in the lobby, and stays when the seats are drawn; so does its colour, unless the game
has colours for its seats. The eight colours differ for all eyes
(tests/rendering/test_colours.py), and so do the sigils in grey.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rendering.core import lettering, theme
from rendering.core.art import art
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.portraits import CORE, DARK, enamelled, portrait
from rendering.core.sprites import SCALE, Colour, Pen, Pixels, Sprite, mix, sprite

COLOURS: tuple[Colour, ...] = (
    (138, 7, 0), (23, 126, 127), (249, 84, 7), (44, 20, 179), (255, 255, 72), (58, 28, 45), (115, 208, 255),
    (245, 184, 181),
)  # fmt: skip
"""The colour of each disc: red, teal, orange, blue, yellow, aubergine, sky, rose."""


def colour_of(labels: Labels, seat: int) -> Colour:
    """Return the colour of a seat's disc: the game's for that seat or, if it has none, that of the disc's number."""
    return labels.colours[seat] if labels.colours else COLOURS[labels.disc(seat) % len(COLOURS)]


_ADORNED = re.compile(r"[\W_]+")
_MEASURED = 100
"""The size at which the depth of letters is measured."""


def initials(labels: Labels, seat: int) -> str:
    """Return one or two letters of the player's name, from the left; "" if no letter of it can be drawn."""
    letters = "".join(letter for letter in lettering.drawable(labels.name(seat)) if not lettering.is_emoji(letter))
    words = [word for word in letters.split() if word[0].isalnum()] or _ADORNED.sub(" ", letters).split()
    found = "".join(word[0].upper() for word in words[:2])
    return found[::-1] if found and unicodedata.bidirectional(found[0]) in ("R", "AL") else found


def disc(labels: Labels, seat: int, size: int) -> Sprite:
    """The seat's disc, with the avatar of its player or, if there is none, with the initials and the seat's sign."""
    if face := labels.face(seat):
        return portrait(face, colour_of(labels, seat), size)
    return lettered(colour_of(labels, seat), labels.disc(seat) % len(COLOURS), initials(labels, seat), size)


@sprite
def lettered(colour: Colour, sigil: int, letters: str, size: int) -> Pixels:
    """Return the disc with that sigil and up to two letters, `size` pixels wide: a ring of enamel round a dark core."""
    pen, c = Pen(size, size), size / 2
    pen.disc(c, c, c * 0.97, colour)
    pen.disc(c, c, c * CORE, mix(colour, DARK, 0.82))
    wide, at = round(size * (0.2 if letters else 0.5)), c + (size * 0.24 if letters else 0)
    if letters:
        high = size * (0.42 if len(letters) < 2 else 0.33)
        middle = c - size * 0.07
        too_deep = middle + high * lettering.capitals(lettering.TEXT) / 2 + _depth(letters, high) - (c + size * 0.14)
        pen.text(c, middle - max(0, too_deep), letters, high, theme.CREAM, lettering.TEXT)
    sheet, sign = pen.sheet.reduce(SCALE), art(f"common/sigil_{sigil}", wide).alpha
    sheet.paste((*theme.CREAM, 255), (round(c - wide / 2), round(at - wide / 2)), sign)
    return enamelled(sheet)


def _depth(letters: str, high: float) -> float:
    """Return how far the letters reach below their baseline."""
    box = lettering.mask(letters, _MEASURED).getbbox()
    return 0 if box is None else max(0, box[3] - lettering.baseline(_MEASURED)) * high / _MEASURED


def short_name(labels: Labels, seat: int, size: int, width: int, face: str = lettering.TEXT) -> str:
    """Return as much of the player's name as fits: all of it, its first word, or the part of that before a hyphen; if
    even that is too wide, cut to the width.
    """
    name = drawable_name(labels, seat)
    word = name.split()[0]
    fits = (part for part in (name, word, word.split("-")[0] or word) if lettering.width(part, size, face) <= width)
    return next(fits, None) or lettering.shorten(word, size, width, face)


def first_words(labels: Labels, seats: Sequence[int]) -> list[str]:
    """Return the first word of each name."""
    return [drawable_name(labels, seat).split()[0] for seat in seats]


def first_fit(texts: Sequence[str], size: int, width: int, face: str = lettering.TEXT) -> str:
    """Return the first of these texts, which say the same ever shorter, that fits; the last one if none does."""
    return next((text for text in texts if lettering.width(text, size, face) <= width), texts[-1])
