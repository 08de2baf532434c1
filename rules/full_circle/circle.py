"""Full Circle: which cards fit and what a play brings about, on cards as integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.core.game import Seat
from rules.full_circle.types import (
    COLOUR_POINTS,
    COLOURS,
    PLACES,
    WILD_POINTS,
    Card,
    CardPlayed,
    Colour,
    Face,
    Phase,
    Play,
    PlayEffects,
    Quadrant,
    Say,
    Trap,
    Verb,
)

# Inside a State colours and places are indices into COLOURS and PLACES. A face is 6 * first + second (for a one-colour
# card both are the same), 36 + colour for a wild, NONE for an empty quadrant. A card is its face, but any wild is WILD.
# A play is 8 * face + place. Sets of plays are bits, so one byte holds the places of a face; sets of colours are bits
# too.

WILD, NONE = 36, 42
_NO_COLOUR = 6
FACE_NAMES = tuple(
    Face(name)
    for name in (*[a if a == b else a + b for a in COLOURS for b in COLOURS], *[f"W:{colour}" for colour in COLOURS])
)
CARD_NAMES = (*(Card(name) for name in FACE_NAMES[:WILD]), Card("W"))
FACES: Mapping[str, int] = {name: face for face, name in enumerate(FACE_NAMES)}
CARDS: Mapping[str, int] = {name: card for card, name in enumerate(CARD_NAMES)}
PLACE_NUMBERS: Mapping[str, int] = {name: place for place, name in enumerate(PLACES)}
DECK = tuple(card for card in range(WILD) for _ in range(1 + (card % 7 == 0))) + (WILD,) * 6
"""The cards of the deck as integers, sorted."""

_FIRST: tuple[int, ...] = (*(face // 6 for face in range(WILD)), *range(6), _NO_COLOUR)
_SECOND: tuple[int, ...] = (*(face % 6 for face in range(WILD)), *range(6), _NO_COLOUR)
_HUES = tuple(0 if face >= WILD else 1 << _FIRST[face] | 1 << _SECOND[face] for face in range(NONE + 1))
"""By face: its colours as bits; none for a wild."""
_ALL_HUES = 63
_HUES_AND_MISSING = tuple(hues | (_ALL_HUES ^ hues) << 6 for hues in _HUES)
"""By face: its colours as bits, and above them the colours that it lacks."""


def _in_first_place(faces: Iterable[int]) -> int:
    """Return the plays of these faces in place 0, as bits. Shifted left by n they are the plays in place n."""
    return sum(1 << 8 * face for face in faces)


_ALL_PLACES = 15
_BEGINS = tuple(_in_first_place(face for face in range(NONE) if _FIRST[face] == colour) for colour in range(7))
_ENDS = tuple(_in_first_place(face for face in range(NONE) if _SECOND[face] == colour) for colour in range(7))
_PLAYS_SHOWING: Mapping[Colour, int] = {
    name: (_BEGINS[colour] | _ENDS[colour]) * _ALL_PLACES for colour, name in enumerate(COLOURS)
}
_OFF_MARKER: Mapping[int | None, int] = {
    None: -1,
    **{marker: _in_first_place(range(NONE)) * (_ALL_PLACES ^ 1 << marker) for marker in range(4)},
}
"""By the marker's place: the plays in all other places (F2)."""
_PLAYS_OF_CARD = (*(_ALL_PLACES << 8 * card for card in range(WILD)), _in_first_place(range(WILD, NONE)) * _ALL_PLACES)
"""By card: every play of it."""
POINTS = (*(COLOUR_POINTS * bin(_HUES[card]).count("1") for card in range(WILD)), WILD_POINTS)


def _fits_next_to(place: int, face: int) -> int:
    """Return the plays that a face in that place makes legal: beyond it, before it, or on it (F2)."""
    first, second = _FIRST[face], _SECOND[face]
    on_top = _BEGINS[first] & _ENDS[first] if first == second else 0
    return _BEGINS[second] << (place + 1) % 4 | _ENDS[first] << (place + 3) % 4 | on_top << place


_TL_FITS, _TR_FITS, _BR_FITS, _BL_FITS = (
    tuple(_fits_next_to(place, face) for face in range(NONE + 1)) for place in range(len(PLACES))
)
"""For each place, by face: the plays of `_fits_next_to`."""

_PLAYS = tuple(tuple(tuple(Play(Seat(s), face, place) for place in PLACES) for face in FACE_NAMES) for s in range(4))
_PLAYS_AT = tuple(
    tuple(
        tuple(tuple(play for place, play in enumerate(own) if places >> place & 1) for places in range(_ALL_PLACES + 1))
        for own in of_seat
    )
    for of_seat in _PLAYS
)
"""By seat, face and set of places."""
PLAYED_EVENTS = tuple(tuple(tuple(CardPlayed(*play) for play in own) for own in of_seat) for of_seat in _PLAYS)
"""The events, by seat, face and place."""
SAY_MOVES = tuple({verb: Say(Seat(s), verb) for verb in Verb} for s in range(4))


def names(cards: Iterable[int]) -> tuple[Card, ...]:
    """Return the notation of these cards, in their order."""
    return tuple(map(CARD_NAMES.__getitem__, cards))


def numbers(names: Iterable[str]) -> tuple[int, ...]:
    """Return the integers of cards given by notation, in their order."""
    return tuple([CARDS[name] for name in names])


def quadrant(stack: Sequence[int]) -> Quadrant | None:
    """Return what players see of a stack of faces, whose last one is visible; None for an empty stack."""
    if not stack:
        return None
    face = stack[-1]
    return Quadrant(FACE_NAMES[face], COLOURS[_FIRST[face]], COLOURS[_SECOND[face]], len(stack) - 1)


def required_plays(trap: Trap | None, seat: Seat, phase: Phase) -> int:
    """Return the plays that the trap allows the seat: in its ordinary turn those that show the trap's colour (F8, F11).

    -1, all bits, if no trap binds the seat.
    """
    return _PLAYS_SHOWING[trap.colour] if trap and trap.setter != seat and phase is Phase.TURN else -1


def fits(tops: Sequence[int], marker: int | None) -> int:
    """Return the plays that fit, without those on the marker (F2)."""
    a, b, c, d = tops
    return (_TL_FITS[a] | _TR_FITS[b] | _BR_FITS[c] | _BL_FITS[d]) & _OFF_MARKER[marker]


def fit_somewhere(cards: Iterable[int], fits: int) -> bool:
    """Return whether any of the cards has a play in `fits`."""
    return bool([card for card in cards if fits & _PLAYS_OF_CARD[card]])


def plays(seat: Seat, cards: Sequence[int], fits: int) -> tuple[Play, ...]:
    """Return the plays of these cards, which are sorted, that fit: by card, a wild's by colour, then by place."""
    own, places = _PLAYS_AT[seat], fits.to_bytes(NONE, "little")
    found: list[Play] = []
    before = NONE
    for card in cards:
        if card != before and places[card]:
            found += own[card][places[card]]
        before = card
    if before == WILD:  # WILD is also the face of a wild in the first colour, which the loop has added
        for face in range(WILD + 1, NONE):
            found += own[face][places[face]]
    return tuple(found)


NO_EFFECTS = PlayEffects(False, False, None, False)


def effects_of(tops: Sequence[int], place: int, face: int, seat: Seat, trap: Trap | None, barred: bool) -> PlayEffects:
    """Return what playing the face in that place brings about (F5 to F10). `barred`: the seat may set no trap (F9)."""
    before, beyond, opposite = tops[place - 1], tops[place - 3], tops[place - 2]
    double = _FIRST[face] == _SECOND[before] and _SECOND[face] == _FIRST[beyond]
    others = _HUES_AND_MISSING[before] | _HUES_AND_MISSING[beyond] | _HUES_AND_MISSING[opposite]
    after = others | _HUES_AND_MISSING[face]
    full = after & _ALL_HUES == _ALL_HUES != (others | _HUES[tops[place]]) & _ALL_HUES
    sets, frees = None, False
    if trap is None:
        common = _ALL_HUES ^ after >> 6
        if common and not barred:
            sets = COLOURS[common.bit_length() - 1]
    elif trap.setter == seat:
        shows = _PLAYS_SHOWING[trap.colour]
        frees = not all(shows >> 8 * top & 1 for top in (before, beyond, opposite, face))
    return PlayEffects(double, full, sets, frees) if double or full or sets or frees else NO_EFFECTS
