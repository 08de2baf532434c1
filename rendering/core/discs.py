"""The disc of a seat: its colour, its sigil and its player's initials. It is the same wherever the seat is shown.

Its number is the player's place in the lobby, and stays when the seats are drawn; so does its colour, unless the game
has colours for its seats. The eight colours differ for all eyes
(tests/rendering/test_colours.py), and so do the sigils in grey.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from rendering.core import lettering, theme
from rendering.core.emblems import Emblem, placed, polar, star
from rendering.core.formatting import drawable_name
from rendering.core.labels import Labels
from rendering.core.portraits import portrait
from rendering.core.sprites import CAPITALS, Colour, Pen, Pixels, Sprite, curve, mix, sprite

COLOURS: tuple[Colour, ...] = (
    (138, 7, 0), (23, 126, 127), (249, 84, 7), (44, 20, 179), (255, 255, 72), (58, 28, 45), (115, 208, 255),
    (245, 184, 181),
)  # fmt: skip
"""The colour of each disc: red, teal, orange, blue, yellow, aubergine, sky, rose."""


def colour_of(labels: Labels, seat: int) -> Colour:
    """Return the colour of a seat's disc: the game's for that seat or, if it has none, that of the disc's number."""
    return labels.colours[seat] if labels.colours else COLOURS[labels.disc(seat) % len(COLOURS)]


def ink_on(colour: Colour) -> Colour:
    """Return the colour of writing on a seat's colour."""
    red, green, blue = colour
    return theme.INK if 0.3 * red + 0.59 * green + 0.11 * blue > 120 else theme.CREAM


_MEASURED = 100
"""The size at which the depth of letters is measured."""

# Sigils


def _gem(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    stone = [(-0.5, -0.62), (0.5, -0.62), (0.92, -0.12), (0, 0.88), (-0.92, -0.12)]
    pen.polygon(placed(x, y, size, stone), colour)
    for facet in ([(-0.92, -0.12), (0.92, -0.12)], [(-0.36, -0.12), (0, 0.88)], [(0.36, -0.12), (0, 0.88)]):
        pen.line(placed(x, y, size, facet), cut, size * 0.06)


def _leaf(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    blade = [*curve((0, -0.95), (0.95, -0.35), (0.7, 0.6), (0, 0.75)), *curve((0, 0.75), (-0.7, 0.6), (-0.95, -0.35),
             (0, -0.95))]  # fmt: skip
    pen.polygon(placed(x, y, size, blade), colour)
    pen.line(placed(x, y, size, [(0, -0.4), (0, 0.98)]), cut, size * 0.06)


def _tower(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    wall = [(-0.62, 0.92), (-0.5, -0.3), (-0.74, -0.3), (-0.74, -0.92), (-0.4, -0.92), (-0.4, -0.62), (-0.16, -0.62),
            (-0.16, -0.92), (0.16, -0.92), (0.16, -0.62), (0.4, -0.62), (0.4, -0.92), (0.74, -0.92), (0.74, -0.3),
            (0.5, -0.3), (0.62, 0.92)]  # fmt: skip
    pen.polygon(placed(x, y, size, wall), colour)
    pen.polygon(placed(x, y, size, [(-0.2, 0.92), (-0.2, 0.34), (0, 0.12), (0.2, 0.34), (0.2, 0.92)]), cut)


def _key(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    pen.ring(x, y - size * 0.26, size * 0.22, colour, size * 0.1)
    pen.line([(x, y - size * 0.04), (x, y + size * 0.42)], colour, size * 0.11)
    for low in (0.24, 0.41):
        pen.line([(x, y + size * low), (x + size * 0.24, y + size * low)], colour, size * 0.1)


def _bell(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    side = curve((0, -0.86), (0.7, -0.8), (0.4, 0.2), (0.86, 0.56))
    pen.polygon(placed(x, y, size, [*side, *((-px, py) for px, py in reversed(side))]), colour)
    pen.disc(x, y + size * 0.36, size * 0.13, colour)
    pen.disc(x, y - size * 0.43, size * 0.08, colour)


def _shell(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    fan = [polar(x, y + size * 0.3, size * (0.72 if step % 2 else 0.66), 200 + step * 14) for step in range(11)]
    pen.polygon([(x, y + size * 0.44), *fan], colour)
    for angle in (228, 256, 284, 312):
        pen.line([(x, y + size * 0.36), polar(x, y + size * 0.3, size * 0.6, angle)], cut, size * 0.05)
    pen.box(x - size * 0.2, y + size * 0.28, x + size * 0.2, y + size * 0.46, size * 0.06, colour)


def _star(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    pen.polygon(star(x, y + size * 0.03, 5, size * 0.5, size * 0.21), colour)


def _moon(pen: Pen, x: float, y: float, size: float, colour: Colour, cut: Colour) -> None:
    outer = [(0.9 * math.cos(t), 0.9 * math.sin(t)) for t in (math.radians(a) for a in range(42, 319, 6))]
    inner = [(0.36 + 0.72 * math.cos(t), 0.72 * math.sin(t)) for t in (math.radians(a) for a in range(298, 61, -6))]
    pen.polygon(placed(x - size * 0.06, y, size, [*outer, *inner]), colour)


SIGILS: tuple[Emblem, ...] = (_gem, _leaf, _tower, _key, _bell, _shell, _star, _moon)
"""The sigil of each seat."""


def initials(labels: Labels, seat: int) -> str:
    """Return one or two letters of the player's name, from the left; "" if no letter of it can be drawn."""
    words = [word for word in lettering.drawable(labels.name(seat)).split() if word[0].isalnum()]
    found = "".join(word[0].upper() for word in words[:2])
    return found[::-1] if found and unicodedata.bidirectional(found[0]) in ("R", "AL") else found


def disc(labels: Labels, seat: int, size: int) -> Sprite:
    """The seat's disc, with the avatar of its player or, if there is none, with the initials and the seat's sign."""
    if face := labels.face(seat):
        return portrait(face, colour_of(labels, seat), size)
    return lettered(colour_of(labels, seat), labels.disc(seat) % len(SIGILS), initials(labels, seat), size)


@sprite
def empty(size: int) -> Pixels:
    """The place for a disc in a lobby: a free seat."""
    pen = Pen(size, size)
    c = size / 2
    pen.ring(c, c, c, theme.INK, 6)
    pen.ring(c, c, c - 1.5, theme.CREAM, 3)
    return pen.pixels()


@sprite
def lettered(colour: Colour, sigil: int, letters: str, size: int) -> Pixels:
    """Return the disc with that sign and up to two letters, `size` pixels wide."""
    ink = ink_on(colour)
    pen = Pen(size, size)
    c = size / 2
    pen.disc(c, c, c, theme.INK)
    pen.disc(c, c, c * 0.965, mix(colour, theme.CREAM, 0.45))
    pen.disc(c, c, c * 0.9, mix(colour, (0, 0, 0), 0.18))
    pen.disc(c, c - size * 0.015, c * 0.88, colour)
    if not letters:
        SIGILS[sigil](pen, c, c, size * 0.52, ink, colour)
        return pen.pixels()
    high = size * (0.46 if len(letters) < 2 else 0.36)
    middle = c - size * 0.07
    too_deep = middle + high * CAPITALS / 2 + _depth(letters, high) - (c + size * 0.14)
    pen.text(c, middle - max(0, too_deep), letters, high, ink, lettering.TEXT)
    SIGILS[sigil](pen, c, c + size * 0.27, size * 0.24, ink, colour)
    return pen.pixels()


def _depth(letters: str, high: float) -> float:
    """Return how far the letters reach below their baseline."""
    box = lettering.mask(letters, _MEASURED).getbbox()
    return 0 if box is None else max(0, box[3] - lettering.baseline(_MEASURED)) * high / _MEASURED


def short_name(labels: Labels, seat: int, size: int, width: int) -> str:
    """Return as much of the player's name as fits: all of it, its first word, or the part of that before a hyphen; if
    even that is too wide, cut to the width.
    """
    name = drawable_name(labels, seat)
    word = name.split()[0]
    fits = (part for part in (name, word, word.split("-")[0] or word) if lettering.width(part, size) <= width)
    return next(fits, None) or lettering.shorten(word, size, width)


def short_names(labels: Labels, seats: Sequence[int], size: int, width: int) -> str:
    """Return the names of a seat or a team: of each only the first word if all are too wide, cut to the width."""
    if len(seats) == 1:
        return short_name(labels, seats[0], size, width)
    whole = labels.list([drawable_name(labels, seat) for seat in seats])
    if lettering.width(whole, size) <= width:
        return whole
    return lettering.shorten(labels.list(first_words(labels, seats)), size, width)


def first_words(labels: Labels, seats: Sequence[int]) -> list[str]:
    """Return the first word of each name."""
    return [drawable_name(labels, seat).split()[0] for seat in seats]


def first_fit(texts: Sequence[str], size: int, width: int) -> str:
    """Return the first of these texts, which say the same ever shorter, that fits; the last one if none does."""
    return next((text for text in texts if lettering.width(text, size) <= width), texts[-1])
