"""Full Circle: what fits where, and what a play brings about, on cards as integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.core.game import Seat
from rules.full_circle.facts import (
    COLOUR_POINTS,
    COLOURS,
    PLACES,
    WILD_POINTS,
    Brings,
    Card,
    Face,
    Phase,
    Place,
    Play,
    Quadrant,
    Say,
    Trap,
    Verb,
)

# Inside a State colours and places are their place in COLOURS and PLACES. A face is 6 * first + second (a one-colour
# card has twice the same), 36 + colour for a wild, NONE for an empty quadrant; a card is its face, and WILD any wild.
# Sets of faces are bits, sets of colours too.

WILD, NONE = 36, 42
_NO_COLOUR = 6
FACE_NAMES = tuple(
    Face(name)
    for name in (*[a if a == b else a + b for a in COLOURS for b in COLOURS], *[f"W:{colour}" for colour in COLOURS])
)
CARD_NAMES = (*(Card(name) for name in FACE_NAMES[:WILD]), Card("W"))
FACES: Mapping[str, int] = {name: face for face, name in enumerate(FACE_NAMES)}
CARDS: Mapping[str, int] = {name: card for card, name in enumerate(CARD_NAMES)}
DECK = tuple(card for card in range(WILD) for _ in range(1 + (card % 7 == 0))) + (WILD,) * 6
"""The cards as integers, sorted."""

_FIRST = (*(face // 6 for face in range(WILD)), *range(6), _NO_COLOUR)
_SECOND = (*(face % 6 for face in range(WILD)), *range(6), _NO_COLOUR)
_HUES = tuple(0 if face >= WILD else 1 << _FIRST[face] | 1 << _SECOND[face] for face in range(NONE + 1))
"""By face: its colours as bits, none of a wild."""
_ALL_HUES = 63


def _bits(faces: Iterable[int]) -> int:
    return sum(1 << face for face in faces)


_BEGINS = tuple(_bits(face for face in range(NONE) if _FIRST[face] == colour) for colour in range(7))
_ENDS = tuple(_bits(face for face in range(NONE) if _SECOND[face] == colour) for colour in range(7))
_SHOWS = tuple(a | b for a, b in zip(_BEGINS, _ENDS, strict=True))
_ON_TOP = tuple(
    _BEGINS[_FIRST[face]] & _ENDS[_FIRST[face]] if _FIRST[face] == _SECOND[face] else 0 for face in range(NONE + 1)
)
"""By face: what may cover it whatever its neighbours (F2)."""
_AS_FACES = (*(1 << card for card in range(WILD)), _bits(range(WILD, NONE)))
"""By card: the faces that it may be played as."""
POINTS = (*(COLOUR_POINTS * bin(_HUES[card]).count("1") for card in range(WILD)), WILD_POINTS)

_PLAYS = tuple(tuple(tuple(Play(Seat(s), face, place) for place in PLACES) for face in FACE_NAMES) for s in range(4))
SAYS = tuple({verb: Say(Seat(s), verb) for verb in Verb} for s in range(4))


def names(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple([CARD_NAMES[card] for card in cards])


def numbers(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([CARDS[name] for name in names])


def at(place: Place | None) -> int | None:
    return None if place is None else PLACES.index(place)


def quadrant(stack: Sequence[int]) -> Quadrant | None:
    """What is seen of a stack of faces, the visible one last; None without any."""
    if not stack:
        return None
    face = stack[-1]
    return Quadrant(FACE_NAMES[face], COLOURS[_FIRST[face]], COLOURS[_SECOND[face]], len(stack) - 1)


def duty(trap: Trap | None, seat: Seat, phase: Phase) -> int:
    """The faces among which the seat must choose: those of the trap's colour in its ordinary turn (F8, F11)."""
    trapped = trap is not None and trap.setter != seat and phase is Phase.TURN
    return _SHOWS[COLOURS.index(trap.colour)] if trap and trapped else -1


def fits(tops: Sequence[int], marker: int | None, duty: int) -> tuple[int, ...]:
    """By place: the faces that may be played there (F2)."""
    a, b, c, d = tops
    found = [
        (_BEGINS[_SECOND[before]] | _ENDS[_FIRST[after]] | _ON_TOP[here]) & duty
        for before, here, after in ((d, a, b), (a, b, c), (b, c, d), (c, d, a))
    ]
    if marker is not None:
        found[marker] = 0
    return tuple(found)


def fit_somewhere(cards: Iterable[int], fits: tuple[int, ...]) -> bool:
    anywhere = fits[0] | fits[1] | fits[2] | fits[3]
    return any(anywhere & _AS_FACES[card] for card in cards)


def plays(seat: Seat, cards: Sequence[int], fits: tuple[int, ...]) -> tuple[Play, ...]:
    """The plays of these cards that fit: by card, a wild's by colour, then by place."""
    own, anywhere = _PLAYS[seat], fits[0] | fits[1] | fits[2] | fits[3]
    found = []
    for card in dict.fromkeys(cards):
        if anywhere & _AS_FACES[card]:
            for face in range(WILD, NONE) if card == WILD else (card,):
                found += [own[face][place] for place in range(4) if fits[place] >> face & 1]
    return tuple(found)


def brings(tops: Sequence[int], place: int, face: int, seat: Seat, trap: Trap | None, barred: bool) -> Brings:
    """What playing the face there brings about (F5 to F10)."""
    after = [*tops]
    after[place] = face
    before, beyond = after[place - 1], after[place - 3]
    double = _FIRST[face] == _SECOND[before] and _SECOND[face] == _FIRST[beyond]
    seen = _HUES[after[0]] | _HUES[after[1]] | _HUES[after[2]] | _HUES[after[3]]
    hidden = _ALL_HUES & ~(_HUES[tops[0]] | _HUES[tops[1]] | _HUES[tops[2]] | _HUES[tops[3]])
    common = _HUES[after[0]] & _HUES[after[1]] & _HUES[after[2]] & _HUES[after[3]]
    sets = COLOURS[common.bit_length() - 1] if common and trap is None and not barred else None
    frees = False
    if trap is not None and trap.setter == seat:
        shows = _SHOWS[COLOURS.index(trap.colour)]
        frees = not all(shows >> top & 1 for top in after)
    return Brings(double, seen == _ALL_HUES and hidden != 0, sets, frees)
