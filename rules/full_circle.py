"""Full Circle: a circle of four cards whose colours touch, and a hand to be rid of. 2 to 4 players.

The deck (48). Six colours: blue (B), red (R), yellow (Y), green (G), orange (O), purple (P). Two cards of each single
colour ("B"), one of every ordered pair of different colours ("RB" and "BR" are two cards), six wilds ("W").

The circle has four quadrants, clockwise TL, TR, BR, BL. A card is a quarter of a disc: "RB" shows R on its
counter-clockwise edge and B on its clockwise edge wherever it lies, so TL's second letter touches TR's first. A
one-colour card shows its colour on both edges, and so does a wild the colour named when it is played ("W:G").

A round. Everybody gets six cards; the first colour card turned up starts in TL, wilds turned up before it go under the
pile (F1). A play covers any quadrant, empty or filled, but the one with the marker. At least one touching edge must be
of the same colour on a filled neighbour; a one-colour card also fits on one of the same colour (F2). The marker moves
to the card played (F3). Who can play must; who cannot draws one card, plays it at once if it fits, else keeps it (F4).

- Double Match: both neighbours are filled and both edges match: the player may take another turn (F5).
- Full Circle: the play makes all six colours visible, wilds not counted: another turn, or give a card away (F6).
- In an extra turn the player plays a card or stops; there is no drawing (F7).
- Colour Trap: a colour card after which all four quadrants, no wild among them, show one common colour. The marker is
  taken off, and every other player in turn, once, must play a card that shows the colour or draw and keep (F8, F11).
  Nobody sets a trap in two turns running (F9). A Double Match that traps too leaves its setter the extra turn, which
  may take the trap off again (F10).

The last card in a hand lies face up (F12). When a card must be drawn and there is none, the covered cards become the
new pile; without those the player passes, and when all pass in a row the round has no winner (F13). An emptied hand
wins the round at once (F14). The others count 4 a colour and 10 a wild; the second and each further win in a row takes
4 off the winner's total (F15). When someone has `target` or more, the lowest total wins; a tie is played off (F16).

Variant: rulings that the rulebook leaves open are those of F1 to F17, named where they act. A drawn card that fits is
open at once, for it must be played (F17 hides only one that is kept).

Chance (rules.core.chance). Every deal and every new pile is the next ordinal, from 0. A deal shuffles the deck; its
first six cards are the first participant's, and so on by seat; the rest is the pile, its first card on top. A new pile
shuffles the covered cards, sorted.

What seats know of others' hands is kept in the state: cards given, last cards that lay open, wilds drawn from the
pile's bottom, and that what was held before a new pile is not of it. What follows only by deduction, from a card drawn
for want of a fitting one, say, or from a hand that has secretly given away one of several known cards, is not heeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from rules.core.chance import Shuffled, shuffle
from rules.core.events import Open
from rules.core.facts import ALONE, as_object, plain, put
from rules.core.game import BadOption, Event, Game, IllegalMove, Json, Option, Outcome, Refusal, Seat, chosen_options

HAND = 6
TARGETS = (*range(10, 110, 10), *range(120, 201, 20))
TARGET = 50
COLOUR_POINTS = 4
WILD_POINTS = 10
STREAK_BONUS = 4

Card = NewType("Card", str)
"""Notation of a card: "RB", "B", "W"."""

Face = NewType("Face", str)
"""Notation of a card as it is played and lies: "RB", "B", "W:G" (a wild named green)."""

Colour = NewType("Colour", str)
Place = NewType("Place", str)

COLOURS: tuple[Colour, ...] = tuple(map(Colour, "BRYGOP"))
PLACES: tuple[Place, ...] = tuple(map(Place, ("TL", "TR", "BR", "BL")))
"""Clockwise."""


class Unplayable(StrEnum):
    """Why a move was refused, and the facts that come with it."""

    NOT_IN_HAND = "not_in_hand"
    """card."""
    MARKED = "marked"
    """place: it has the marker (F2, F3)."""
    NO_MATCH = "no_match"
    """face, place: no touching edge is of the same colour (F2)."""
    TRAPPED = "trapped"
    """face, colour: the card does not show the trap's colour (F8)."""
    MUST_PLAY_DRAWN = "must_play_drawn"
    """card: the drawn card fits and has to be played (F4)."""
    CAN_PLAY = "can_play"
    """Who can play must (F4)."""
    CAN_DRAW = "can_draw"
    """There is a card to draw (F13)."""
    NOTHING_TO_DRAW = "nothing_to_draw"
    """Neither a pile nor covered cards: only a pass is left (F13)."""
    NOT_TO_GIVE_TO = "not_to_give_to"
    """to: a seat that is the giver's own, or takes no part (F6, F16)."""


class Verb(StrEnum):
    """A move of one word."""

    DRAW = "draw"
    STOP = "stop"
    """Decline the extra turn and the gift (F6, F7)."""
    PASS = "pass"  # noqa: S105 (no password)
    """Nothing to play and nothing to draw (F13)."""


class Play(NamedTuple):
    """A move: a card to a quadrant. `str(move)` is "play RB TR", "play W:G BR"."""

    seat: Seat
    face: Face
    place: Place

    def __str__(self) -> str:
        return f"play {self.face} {self.place}"


class Give(NamedTuple):
    """A move: a card of the hand to another player (F6). `str(move)` is "give RB 2"."""

    seat: Seat
    card: Card
    to: Seat

    def __str__(self) -> str:
        return f"give {self.card} {self.to}"


class Say(NamedTuple):
    """A move of one word. `str(move)` is "draw", "stop" or "pass"."""

    seat: Seat
    verb: Verb

    def __str__(self) -> str:
        return self.verb.value


Move = Play | Give | Say


class Phase(StrEnum):
    """What the seat to move is asked."""

    TURN = "turn"
    """To play, or draw, or pass."""
    DRAWN = "drawn"
    """To play the card just drawn (F4)."""
    DOUBLE = "double"
    """After a Double Match: to play again or stop (F5)."""
    FULL = "full"
    """After a Full Circle: to play again, give a card or stop (F6)."""
    OVER = "over"


class Trap(NamedTuple):
    """A Colour Trap that runs (F8)."""

    colour: Colour
    setter: Seat


class Quadrant(NamedTuple):
    """A filled quadrant: the card on top, the colours of its two edges, how many cards it covers."""

    face: Face
    first: Colour
    """On the counter-clockwise edge."""
    second: Colour
    """On the clockwise edge."""
    covered: int


class RoundResult(NamedTuple):
    """A finished round; tuples have an entry a seat."""

    round: int
    play_off: bool
    winner: Seat | None
    players: tuple[Seat, ...]
    """Who took part, ascending."""
    hands: tuple[tuple[Card, ...], ...]
    """The cards that were counted."""
    points: tuple[int, ...]
    """What they count (F15); a play-off adds it to no total."""
    bonus: int
    """Taken off the winner's total: 4 from the second win in a row, else 0."""
    totals: tuple[int, ...]
    """After the round."""


class Brings(NamedTuple):
    """What a play brings about, besides the marker."""

    double: bool
    full: bool
    trap: Colour | None
    """The colour of a trap that it sets (F8)."""
    frees: bool
    """It takes the player's own trap off (F10)."""


class FullCircleView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Tuples "by seat" have an entry a seat."""

    viewer: Seat | None
    seats: int
    target: int
    round: int
    play_off: bool
    players: tuple[Seat, ...]
    """Who takes part in the round, ascending: all, but in a play-off (F16)."""
    starter: Seat
    """Who began the round."""
    to_move: Seat | None
    phase: Phase
    circle: tuple[Quadrant | None, ...]
    """By place, in the order of PLACES."""
    marker: Place | None
    trap: Trap | None
    barred: tuple[Seat, ...]
    """Who cannot set a trap with their present or next turn (F9)."""
    hand: tuple[Card, ...]
    """The viewer's hand, sorted; () for an onlooker. The drawn card is not in it."""
    drawn: Card | None
    """The card that the seat to move has drawn and must play."""
    hand_sizes: tuple[int, ...]
    """By seat, the drawn card not counted."""
    open_cards: tuple[Card | None, ...]
    """By seat: the last card in the hand, which lies face up (F12)."""
    pile: int
    totals: tuple[int, ...]
    """By seat."""
    streak: tuple[Seat, int] | None
    """Who won the last rounds, and how many in a row (F15)."""
    last_round: RoundResult | None
    outcome: Outcome | None

    def plays(self) -> tuple[Play, ...]:
        """Every play that the viewer may make now, by card and place."""
        if self.viewer is None or self.viewer != self.to_move:
            return ()
        cards = (self.drawn,) if self.drawn else self.hand
        fits = _fits(self._tops(), _at(self.marker), _duty(self.trap, self.viewer, self.phase))
        return _plays(self.viewer, [_CARDS[card] for card in cards], fits)

    def brings(self, play: Play) -> Brings:
        """What that play would bring about."""
        tops, place, face = self._tops(), PLACES.index(play.place), _FACES[play.face]
        return _brings(tops, place, face, play.seat, self.trap, play.seat in self.barred)

    def _tops(self) -> tuple[int, ...]:
        return tuple([_FACES[quadrant.face] if quadrant else _NONE for quadrant in self.circle])

    def to_json(self) -> Json:
        """All of it, as lists, objects and strings."""
        return as_object(self)


# Events. Everybody sees all of them but of CardDrawn and CardGiven.


@dataclass(frozen=True, slots=True)
class RoundBegan(Open):
    """Cards were dealt; `card` lies in TL, and so many wilds turned up before it went under the pile (F1)."""

    round: int
    starter: Seat
    players: tuple[Seat, ...]
    play_off: bool
    card: Card
    wilds: int


@dataclass(frozen=True, slots=True)
class CardPlayed(Open):
    seat: Seat
    face: Face
    place: Place


@dataclass(frozen=True, slots=True)
class DoubleMatched(Open):
    """F5. It comes after its CardPlayed, as the four below do."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class FullCircled(Open):
    """F6."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrapSet(Open):
    """F8."""

    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class TrapEnded(Open):
    """The turn is back at the setter (F8); or, with `freed`, the setter's extra turn took the trap off (F10)."""

    setter: Seat
    colour: Colour
    freed: bool


@dataclass(frozen=True, slots=True)
class LastCard(Open):
    """One card is left in the hand and lies face up (F12)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """`kept` is False where it fits and must be played. `card` is None for who may not know it (`seen_by`)."""

    seat: Seat
    card: Card | None
    kept: bool

    def seen_by(self, viewer: Seat | None) -> CardDrawn:
        return CardDrawn(self.seat, None, True) if self.kept and viewer != self.seat else self


@dataclass(frozen=True, slots=True)
class CardGiven:
    """F6. `card` is None for all but giver and receiver (`seen_by`)."""

    seat: Seat
    to: Seat
    card: Card | None

    def seen_by(self, viewer: Seat | None) -> CardGiven:
        return self if viewer in (self.seat, self.to) else CardGiven(self.seat, self.to, None)


@dataclass(frozen=True, slots=True)
class PileRenewed(Open):
    """So many covered cards are the new pile (F13)."""

    cards: int


@dataclass(frozen=True, slots=True)
class Stopped(Open):
    """An extra turn, and a gift, was declined."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Passed(Open):
    """F13."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundScored(Open):
    """F14, F15."""

    result: RoundResult


@dataclass(frozen=True, slots=True)
class GameWon(Open):
    """F16."""

    seat: Seat
    play_off: bool


# Inside a State colours and places are their place in COLOURS and PLACES. A face is 6 * first + second (a one-colour
# card has twice the same), 36 + colour for a wild, _NONE for an empty quadrant; a card is its face, and _WILD any wild.
# Sets of faces are bits, sets of colours too.

_WILD, _NONE = 36, 42
_NO_COLOUR = 6
_FACE_NAMES = tuple(
    Face(name)
    for name in (*[a if a == b else a + b for a in COLOURS for b in COLOURS], *[f"W:{colour}" for colour in COLOURS])
)
_CARD_NAMES = (*(Card(name) for name in _FACE_NAMES[:_WILD]), Card("W"))
_FACES: Mapping[str, int] = {name: face for face, name in enumerate(_FACE_NAMES)}
_CARDS: Mapping[str, int] = {name: card for card, name in enumerate(_CARD_NAMES)}
DECK = tuple(card for card in range(_WILD) for _ in range(1 + (card % 7 == 0))) + (_WILD,) * 6
"""The cards as integers, sorted."""

_FIRST = (*(face // 6 for face in range(_WILD)), *range(6), _NO_COLOUR)
_SECOND = (*(face % 6 for face in range(_WILD)), *range(6), _NO_COLOUR)
_HUES = tuple(0 if face >= _WILD else 1 << _FIRST[face] | 1 << _SECOND[face] for face in range(_NONE + 1))
"""By face: its colours as bits, none of a wild."""
_ALL_HUES = 63


def _bits(faces: Iterable[int]) -> int:
    return sum(1 << face for face in faces)


_BEGINS = tuple(_bits(face for face in range(_NONE) if _FIRST[face] == colour) for colour in range(7))
_ENDS = tuple(_bits(face for face in range(_NONE) if _SECOND[face] == colour) for colour in range(7))
_SHOWS = tuple(a | b for a, b in zip(_BEGINS, _ENDS, strict=True))
_ON_TOP = tuple(
    _BEGINS[_FIRST[face]] & _ENDS[_FIRST[face]] if _FIRST[face] == _SECOND[face] else 0 for face in range(_NONE + 1)
)
"""By face: what may cover it whatever its neighbours (F2)."""
_AS_FACES = (*(1 << card for card in range(_WILD)), _bits(range(_WILD, _NONE)))
"""By card: the faces that it may be played as."""
_POINTS = (*(COLOUR_POINTS * bin(_HUES[card]).count("1") for card in range(_WILD)), WILD_POINTS)

_PLAYS = tuple(tuple(tuple(Play(Seat(s), face, place) for place in PLACES) for face in _FACE_NAMES) for s in range(4))
_SAYS = tuple({verb: Say(Seat(s), verb) for verb in Verb} for s in range(4))


def _names(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple([_CARD_NAMES[card] for card in cards])


def _numbers(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([_CARDS[name] for name in names])


def _at(place: Place | None) -> int | None:
    return None if place is None else PLACES.index(place)


def _duty(trap: Trap | None, seat: Seat, phase: Phase) -> int:
    """The faces among which the seat must choose: those of the trap's colour in its ordinary turn (F8, F11)."""
    trapped = trap is not None and trap.setter != seat and phase is Phase.TURN
    return _SHOWS[COLOURS.index(trap.colour)] if trap and trapped else -1


def _fits(tops: Sequence[int], marker: int | None, duty: int) -> tuple[int, ...]:
    """By place: the faces that may be played there (F2)."""
    a, b, c, d = tops
    fits = [
        (_BEGINS[_SECOND[before]] | _ENDS[_FIRST[after]] | _ON_TOP[here]) & duty
        for before, here, after in ((d, a, b), (a, b, c), (b, c, d), (c, d, a))
    ]
    if marker is not None:
        fits[marker] = 0
    return tuple(fits)


def _fit_somewhere(cards: Iterable[int], fits: tuple[int, ...]) -> bool:
    anywhere = fits[0] | fits[1] | fits[2] | fits[3]
    return any(anywhere & _AS_FACES[card] for card in cards)


def _plays(seat: Seat, cards: Sequence[int], fits: tuple[int, ...]) -> tuple[Play, ...]:
    """The plays of these cards that fit: by card, a wild's by colour, then by place."""
    own, anywhere = _PLAYS[seat], fits[0] | fits[1] | fits[2] | fits[3]
    found = []
    for card in dict.fromkeys(cards):
        if anywhere & _AS_FACES[card]:
            for face in range(_WILD, _NONE) if card == _WILD else (card,):
                found += [own[face][place] for place in range(4) if fits[place] >> face & 1]
    return tuple(found)


def _brings(tops: Sequence[int], place: int, face: int, seat: Seat, trap: Trap | None, barred: bool) -> Brings:
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


# What seats know of hands: (holder, who knows, card), sorted. `_ALL` knows what everybody does, onlookers included.

Known = tuple[tuple[int, int, int], ...]
_ALL = 4


def _less(items: Sequence[Any], taken: Iterable[Any]) -> tuple[Any, ...]:
    """The items without those, one for one, as far as they are there."""
    left = [*items]
    for item in taken:
        if item in left:
            left.remove(item)
    return tuple(left)


def _known_after_play(known: Known, seat: Seat, card: int) -> Known:
    if (seat, _ALL, card) in known:
        return _less(known, [(seat, _ALL, card)])
    return _less(known, [(seat, viewer, card) for viewer in range(4)])


def _known_last(known: Known, seat: Seat, card: int) -> Known:
    """All see the one card that is left (F12)."""
    return tuple(sorted([*[fact for fact in known if fact[0] != seat], (seat, _ALL, card)]))


def _known_after_gift(known: Known, giver: Seat, to: Seat, card: int, left: Sequence[int]) -> Known:
    """Giver and receiver know the card. The others know no more what is where, unless it is plain to see."""
    of_giver = [(viewer, fact) for holder, viewer, fact in known if holder == giver]
    facts: set[tuple[int, int, int]] = {(to, giver, card)}
    if len(left) == 1:  # it lies open (F12): who knew the other card knows that it was given
        facts |= {(to, viewer, card) for viewer, fact in of_giver if fact == card != left[0] and viewer != to}
        kept = [(giver, _ALL, left[0])]
    else:
        seen = [fact for viewer, fact in of_giver if viewer in (to, _ALL)]
        kept = [(giver, to, fact) for fact in _less(seen, [card])]
    if (to, _ALL, card) in facts:
        facts = {(to, _ALL, card)}
    return tuple(sorted([*[fact for fact in known if fact[0] != giver], *facts, *kept]))


class Setup(NamedTuple):
    """What holds for the whole match."""

    seats: int
    target: int
    seed: str

    def __repr__(self) -> str:
        return f"Setup({self.seats} seats)"  # never the seed: a repr may reach a log


class Round(NamedTuple):
    """What holds from one deal to the next. Tuples have an entry a seat, but `players`."""

    number: int
    play_off: bool
    players: tuple[Seat, ...]
    starter: Seat
    totals: tuple[int, ...]
    streak: tuple[Seat, int] | None
    last: RoundResult | None
    outcome: Outcome | None


class FullCircleState(NamedTuple):
    """A position. Cards and faces are integers (see above)."""

    setup: Setup
    round: Round
    ply: int
    deals: int
    """Ordinals used so far."""
    mover: Seat | None
    phase: Phase
    hands: tuple[tuple[int, ...], ...]
    """By seat, sorted."""
    drawn: int | None
    """The card in the mover's other hand, so to say: it must be played (F4)."""
    pile: tuple[int, ...]
    """Next card first."""
    sunk: int
    """So many wilds are known to lie at the pile's bottom (F1)."""
    stacks: tuple[tuple[int, ...], ...]
    """By place: faces, the visible one last."""
    marker: int | None
    trap: Trap | None
    barred: tuple[int, ...]
    """By seat: the turns, the present one included, in which no trap may be set (F9)."""
    passes: int
    """In a row (F13)."""
    known: Known
    old: tuple[tuple[int, ...], ...]
    """By seat: cards held since before the pile was renewed, which all know not to be of it."""

    def __repr__(self) -> str:
        return f"FullCircleState(round {self.round.number}, ply {self.ply})"  # never a hand: a repr may reach a log

    def to_move(self) -> frozenset[Seat]:
        return ALONE[self.mover]

    def _tops(self) -> list[int]:
        return [stack[-1] if stack else _NONE for stack in self.stacks]

    def _fits(self, seat: Seat) -> tuple[int, ...]:
        return _fits(self._tops(), self.marker, _duty(self.trap, seat, self.phase))

    def legal_moves(self, seat: Seat) -> tuple[Move, ...]:
        """Plays by card and place, then gifts by card and seat, then `stop`; `draw` or `pass` where nothing fits."""
        if seat != self.mover:
            return ()
        hand, says = self.hands[seat], _SAYS[seat]
        plays = _plays(seat, hand if self.drawn is None else (self.drawn,), self._fits(seat))
        if self.phase is Phase.TURN:
            return plays or (says[Verb.DRAW if self._drawable() else Verb.PASS],)
        if self.phase is Phase.DRAWN:
            return plays
        gifts: list[Move] = []
        if self.phase is Phase.FULL:
            others = [other for other in self.round.players if other != seat]
            gifts = [Give(seat, _CARD_NAMES[card], to) for card in dict.fromkeys(hand) for to in others]
        return (*plays, *gifts, says[Verb.STOP])

    def _drawable(self) -> bool:
        """Whether there is a pile, or covered cards to make one of."""
        return bool(self.pile) or any(len(stack) > 1 for stack in self.stacks)

    def apply(self, move: Move) -> tuple[FullCircleState, tuple[Event, ...]]:
        """Make the move; then, as it comes, end the turn, score the round and deal."""
        if move.seat != self.mover:
            raise IllegalMove(Refusal.GAME_OVER if self.mover is None else Refusal.OUT_OF_TURN)
        events: list[Event] = []
        if isinstance(move, Play):
            after = self._play(move, events)
        elif isinstance(move, Give):
            after = self._give(move, events)
        elif move.verb is Verb.DRAW:
            after = self._draw(move.seat, events)
        elif move.verb is Verb.STOP:
            after = self._stop(move.seat, events)
        else:
            after = self._pass(move.seat, events)
        return after, tuple(events)

    def _play(self, move: Play, events: list[Event]) -> FullCircleState:
        seat, face_name, place_name = move
        face, place = _FACES[face_name], PLACES.index(place_name)
        card = min(face, _WILD)
        self._check_play(move, card, face, place)
        brings = _brings(self._tops(), place, face, seat, self.trap, self.barred[seat] > 0)
        events.append(CardPlayed(seat, face_name, place_name))
        hands, known, old = self.hands, self.known, self.old
        if self.drawn is None:
            hand = _less(hands[seat], [card])
            hands, old = put(hands, seat, hand), put(old, seat, _less(old[seat], [card]))
            known = _known_after_play(known, seat, card)
            if len(hand) == 1:
                known = _known_last(known, seat, hand[0])
                events.append(LastCard(seat, _CARD_NAMES[hand[0]]))
        after = self._replace(
            ply=self.ply + 1, hands=hands, drawn=None, marker=place, passes=0, known=known, old=old,
            stacks=put(self.stacks, place, (*self.stacks[place], face)),
        )  # fmt: skip
        return after._follow_up(seat, brings, events) if hands[seat] else after._end_round(seat, events)

    def _check_play(self, move: Play, card: int, face: int, place: int) -> None:
        """Raises IllegalMove unless the play is legal."""
        seat = move.seat
        if self.drawn is not None and card != self.drawn:
            raise IllegalMove(Unplayable.MUST_PLAY_DRAWN, card=_CARD_NAMES[self.drawn])
        if self.drawn is None and card not in self.hands[seat]:
            raise IllegalMove(Unplayable.NOT_IN_HAND, card=_CARD_NAMES[card])
        if self._fits(seat)[place] >> face & 1:
            return
        if place == self.marker:
            raise IllegalMove(Unplayable.MARKED, place=move.place)
        if self.trap and not _duty(self.trap, seat, self.phase) >> face & 1:
            raise IllegalMove(Unplayable.TRAPPED, face=move.face, colour=self.trap.colour)
        raise IllegalMove(Unplayable.NO_MATCH, face=move.face, place=move.place)

    def _follow_up(self, seat: Seat, brings: Brings, events: list[Event]) -> FullCircleState:
        """Bonuses and trap of a play that did not end the round (F5 to F10)."""
        state = self
        if brings.double:
            events.append(DoubleMatched(seat))
        if brings.full:
            events.append(FullCircled(seat))
        if brings.trap:
            events.append(TrapSet(seat, brings.trap))
            # This turn and the seat's next one (F9).
            state = state._replace(trap=Trap(brings.trap, seat), barred=put(self.barred, seat, 2), marker=None)
        elif self.trap and self.trap.setter == seat:
            if brings.frees:
                events.append(TrapEnded(seat, self.trap.colour, True))
                state = state._replace(trap=None)
            else:
                state = state._replace(marker=None)
        if brings.double or brings.full:
            return state._replace(phase=Phase.DOUBLE if brings.double else Phase.FULL)
        return state._end_turn(events)

    def _end_turn(self, events: list[Event]) -> FullCircleState:
        """The next participant's turn begins; a trap that comes back to its setter ends (F8)."""
        seat, trap, barred = self.mover, self.trap, self.barred
        assert seat is not None
        if barred[seat]:
            barred = put(barred, seat, barred[seat] - 1)
        following = _next(self.round.players, seat + 1)
        if trap and trap.setter == following:
            events.append(TrapEnded(following, trap.colour, False))
            trap = None
        return self._replace(mover=following, phase=Phase.TURN, trap=trap, barred=barred)

    def _draw(self, seat: Seat, events: list[Event]) -> FullCircleState:
        """Draw a card, and keep it unless it must be played (F4, F8, F13)."""
        fits = self._check_cannot_play(seat)
        if not self._drawable():
            raise IllegalMove(Unplayable.NOTHING_TO_DRAW)
        state = self if self.pile else self._renew_pile(events)
        card, sunk = state.pile[0], state.sunk
        bottom = len(state.pile) <= sunk
        state = state._replace(ply=self.ply + 1, pile=state.pile[1:], sunk=sunk - bottom, passes=0)
        trapped = self.trap is not None and self.trap.setter != seat
        kept = trapped or not _fit_somewhere([card], fits)
        events.append(CardDrawn(seat, _CARD_NAMES[card], kept))
        if not kept:
            return state._replace(drawn=card, phase=Phase.DRAWN)
        hand = tuple(sorted([*self.hands[seat], card]))
        known = tuple(sorted([*self.known, (seat, _ALL, card)])) if bottom else self.known
        return state._replace(hands=put(self.hands, seat, hand), known=known)._end_turn(events)

    def _check_cannot_play(self, seat: Seat) -> tuple[int, ...]:
        """What fits where, for a seat at the start of its turn that has none of it. Else raises IllegalMove."""
        if self.drawn is not None:
            raise IllegalMove(Unplayable.MUST_PLAY_DRAWN, card=_CARD_NAMES[self.drawn])
        if self.phase is not Phase.TURN:
            raise IllegalMove(Refusal.NOT_NOW)
        fits = self._fits(seat)
        if _fit_somewhere(self.hands[seat], fits):
            raise IllegalMove(Unplayable.CAN_PLAY)
        return fits

    def _renew_pile(self, events: list[Event]) -> FullCircleState:
        """The covered cards become the pile (F13)."""
        covered = tuple(sorted([min(face, _WILD) for stack in self.stacks for face in stack[:-1]]))
        pile = shuffle(self.setup.seed, self.deals, covered)
        events += [Shuffled(self.deals, _names(covered), _names(pile)), PileRenewed(len(pile))]
        stacks = tuple([stack[-1:] for stack in self.stacks])
        return self._replace(deals=self.deals + 1, pile=pile, sunk=0, stacks=stacks, old=self.hands)

    def _give(self, move: Give, events: list[Event]) -> FullCircleState:
        """Give a card away instead of the extra turn (F6, F14)."""
        seat, name, to = move
        card = _CARDS[name]
        if self.phase is not Phase.FULL:
            raise IllegalMove(Refusal.NOT_NOW)
        if to == seat or to not in self.round.players:
            raise IllegalMove(Unplayable.NOT_TO_GIVE_TO, to=to)
        if card not in self.hands[seat]:
            raise IllegalMove(Unplayable.NOT_IN_HAND, card=name)
        left = _less(self.hands[seat], [card])
        hands = put(put(self.hands, seat, left), to, tuple(sorted([*self.hands[to], card])))
        old = self.old
        if card in old[seat]:
            old = put(put(old, seat, _less(old[seat], [card])), to, (*old[to], card))
        events.append(CardGiven(seat, to, name))
        state = self._replace(ply=self.ply + 1, hands=hands, old=old)
        if not left:
            return state._end_round(seat, events)
        if len(left) == 1:
            events.append(LastCard(seat, _CARD_NAMES[left[0]]))
        return state._replace(known=_known_after_gift(self.known, seat, to, card, left))._end_turn(events)

    def _stop(self, seat: Seat, events: list[Event]) -> FullCircleState:
        if self.phase not in (Phase.DOUBLE, Phase.FULL):
            raise IllegalMove(Refusal.NOT_NOW)
        events.append(Stopped(seat))
        return self._replace(ply=self.ply + 1)._end_turn(events)

    def _pass(self, seat: Seat, events: list[Event]) -> FullCircleState:
        """Nothing to play and nothing to draw; when all pass in a row the round has no winner (F13)."""
        self._check_cannot_play(seat)
        if self._drawable():
            raise IllegalMove(Unplayable.CAN_DRAW)
        events.append(Passed(seat))
        state = self._replace(ply=self.ply + 1, passes=self.passes + 1)
        if state.passes == len(self.round.players):
            return state._end_round(None, events)
        return state._end_turn(events)

    def _end_round(self, winner: Seat | None, events: list[Event]) -> FullCircleState:
        """Count the cards (F15), and see whether the game is over or played off (F16)."""
        round_, streak = self.round, None
        points = tuple([sum([_POINTS[card] for card in hand]) for hand in self.hands])
        totals, bonus = round_.totals, 0
        if not round_.play_off:
            if winner is not None:
                wins = round_.streak[1] if round_.streak and round_.streak[0] == winner else 0
                streak, bonus = (winner, wins + 1), STREAK_BONUS if wins else 0
            totals = tuple([t + p - bonus * (s == winner) for s, (t, p) in enumerate(zip(totals, points, strict=True))])
        hands = tuple([_names(hand) for hand in self.hands])
        result = RoundResult(round_.number, round_.play_off, winner, round_.players, hands, points, bonus, totals)
        events.append(RoundScored(result))
        players, play_off, won = _who_plays_on(round_, totals, winner, self.setup.target)
        if won is None:
            starter = _next(players, (round_.starter + 1) % self.setup.seats if winner is None else winner)
            following = Round(round_.number + 1, play_off, players, starter, totals, streak, result, None)
            return _deal(self.setup, following, self.ply, self.deals, events)
        events.append(GameWon(won, play_off))
        outcome = Outcome(frozenset([won]), totals, "play_off" if play_off else "lowest")
        return self._replace(
            round=round_._replace(totals=totals, streak=streak, last=result, outcome=outcome), mover=None,
            phase=Phase.OVER, marker=None, trap=None, barred=(0,) * self.setup.seats,
            known=tuple([(seat, _ALL, card) for seat, hand in enumerate(self.hands) for card in hand]),
        )  # fmt: skip

    def opening(self) -> tuple[Event, ...]:
        events: list[Event] = []
        _deal(self.setup, self.round, 0, 0, events)
        return tuple(events)

    def view(self, seat: Seat | None) -> FullCircleView:
        """What the seat, or an onlooker (None), may know (F12, F17)."""
        round_ = self.round
        quadrants = [
            Quadrant(_FACE_NAMES[face], COLOURS[_FIRST[face]], COLOURS[_SECOND[face]], len(stack) - 1)
            if (face := stack[-1] if stack else _NONE) < _NONE
            else None
            for stack in self.stacks
        ]
        return FullCircleView(
            viewer=seat,
            seats=self.setup.seats,
            target=self.setup.target,
            round=round_.number,
            play_off=round_.play_off,
            players=round_.players,
            starter=round_.starter,
            to_move=self.mover,
            phase=self.phase,
            circle=tuple(quadrants),
            marker=None if self.marker is None else PLACES[self.marker],
            trap=self.trap,
            barred=tuple([Seat(other) for other, turns in enumerate(self.barred) if turns]),
            hand=() if seat is None else _names(self.hands[seat]),
            drawn=None if self.drawn is None else _CARD_NAMES[self.drawn],
            hand_sizes=tuple(map(len, self.hands)),
            open_cards=tuple([_CARD_NAMES[hand[0]] if len(hand) == 1 else None for hand in self.hands]),
            pile=len(self.pile),
            totals=round_.totals,
            streak=round_.streak,
            last_round=round_.last,
            outcome=round_.outcome,
        )

    def turn(self, seat: Seat) -> str:
        """The number of the move: every move here is public."""
        return str(self.ply)

    def outcome(self) -> Outcome | None:
        return self.round.outcome

    def default_move(self, seat: Seat) -> Move:
        """Stop, draw or pass; of plays the one that sheds most points, wilds last."""
        moves = self.legal_moves(seat)
        if not isinstance(moves[-1], Play):
            return moves[-1]
        plays = [move for move in moves if isinstance(move, Play)]
        return max(plays, key=lambda play: 0 if play.face[0] == "W" else len(play.face))

    def may_take_back(self, seat: Seat) -> bool:
        """Never: every move is seen, and most tell what is in a hand."""
        return False

    def redeal_unseen(self, seat: Seat | None, seed: str) -> FullCircleState:
        """Other cards in the other hands and the pile, and another seed for what is still to be shuffled.

        Cards that the seat knows stay where they are. Those held since before the pile was renewed change places among
        themselves, and so do the others with the pile, down to the wilds known at its bottom (F1, F13).
        """
        of_old: list[tuple[int, ...]] = []
        of_new: list[tuple[int, ...]] = []
        for other, hand in enumerate(self.hands):
            seen = [card for holder, viewer, card in self.known if holder == other and viewer in (_ALL, seat)]
            hidden = () if other == seat else _less(hand, seen)
            of_old.append(_less(self.old[other], seen) if hidden else ())
            of_new.append(_less(hidden, of_old[-1]))
        middle = len(self.pile) - self.sunk
        # Ordinal 0 is the first deal, which is over; so no shuffle to come repeats these.
        old = shuffle(f"{seed} old", 0, sorted(card for cards in of_old for card in cards))
        new = shuffle(seed, 0, sorted([*(card for cards in of_new for card in cards), *self.pile[:middle]]))
        hands, olds, known = [], [], []
        for other, hand in enumerate(self.hands):
            was = (*of_old[other], *of_new[other])
            now_old, old = old[: len(of_old[other])], old[len(of_old[other]) :]
            now_new, new = new[: len(of_new[other])], new[len(of_new[other]) :]
            now = (*now_old, *now_new)
            hands.append(tuple(sorted([*_less(hand, was), *now])))
            olds.append(tuple(sorted([*_less(self.old[other], of_old[other]), *now_old])))
            known += _renamed([fact for fact in self.known if fact[0] == other], seat, was, now)
        return self._replace(
            setup=self.setup._replace(seed=seed), hands=tuple(hands), pile=new + self.pile[middle:], old=tuple(olds),
            known=tuple(sorted(known)),
        )  # fmt: skip

    def to_json(self) -> Json:
        """The position with everything hidden in it.

        {"seats": 4, "options": {"target": 50}, "seed": "…", "ply": 0, "deals": 1,    deals: ordinals used so far
         "round": 1, "play_off": false, "players": [0, 1, 2, 3],                      who takes part, ascending
         "starter": 0, "mover": 0 or null, "phase": "turn",                           see Phase
         "hands": [["B", "RB", …], …],                  by seat, any order; without the drawn card
         "drawn": "RB" or null,                         the mover's, in phase "drawn" alone
         "pile": ["Y", …],                              next card first
         "sunk": 0,                                     wilds at the pile's bottom that were turned up at the start
         "circle": [["RB", "W:G"], [], [], []],         by place TL TR BR BL, the visible card last
         "marker": "TL" or null, "trap": null or {"colour": "R", "setter": 1},
         "barred": [0, 0, 0, 0],                        by seat: turns without trap, the present one included (F9)
         "passes": 0,                                   in a row
         "known": [[2, 0, "RB"], [1, null, "W"], …],    holder, who knows (null: everybody), card
         "old": [[…], …],                               by seat: cards held since before the pile was renewed
         "totals": [0, 0, 0, 0], "streak": null or [1, 2],        seat, wins in a row
         "last_round": null or RoundResult as an object, "outcome": null or Outcome.to_json()}
        """
        setup, round_ = self.setup, self.round
        return {
            "seats": setup.seats,
            "options": {"target": setup.target},
            "seed": setup.seed,
            "ply": self.ply,
            "deals": self.deals,
            "round": round_.number,
            "play_off": round_.play_off,
            "players": list(round_.players),
            "starter": round_.starter,
            "mover": self.mover,
            "phase": self.phase.value,
            "hands": [list(_names(hand)) for hand in self.hands],
            "drawn": None if self.drawn is None else _CARD_NAMES[self.drawn],
            "pile": list(_names(self.pile)),
            "sunk": self.sunk,
            "circle": [[_FACE_NAMES[face] for face in stack] for stack in self.stacks],
            "marker": None if self.marker is None else PLACES[self.marker],
            "trap": plain(self.trap),
            "barred": list(self.barred),
            "passes": self.passes,
            "known": [[holder, None if by == _ALL else by, _CARD_NAMES[card]] for holder, by, card in self.known],
            "old": [list(_names(cards)) for cards in self.old],
            "totals": list(round_.totals),
            "streak": plain(round_.streak),
            "last_round": plain(round_.last),
            "outcome": plain(round_.outcome),
        }


def _renamed(
    facts: Sequence[tuple[int, int, int]], seat: Seat | None, was: Sequence[int], now: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Facts of a hand whose hidden cards `was` are `now` others: what somebody else than `seat` knows follows its card.

    A fact whose card is none of them tells of a card that has stayed.
    """
    moved: list[tuple[int, int, int]] = []
    for by in range(_ALL + 1):
        left = list(zip(was, now, strict=True))
        for holder, _, card in [fact for fact in facts if fact[1] == by]:
            pair = None if by in (_ALL, seat) else next((pair for pair in left if pair[0] == card), None)
            if pair:
                left.remove(pair)
            moved.append((holder, by, pair[1] if pair else card))
    return moved


def _next(players: Sequence[Seat], seat: int) -> Seat:
    """The first of the players at that seat or clockwise from it."""
    return next((player for player in players if player >= seat), players[0])


def _who_plays_on(
    round_: Round, totals: tuple[int, ...], winner: Seat | None, target: int
) -> tuple[tuple[Seat, ...], bool, Seat | None]:
    """Who plays the next round, whether it is a play-off, and who has won the game (F16)."""
    if round_.play_off:
        return round_.players, True, winner
    if max(totals) < target:
        return round_.players, False, None
    lowest = tuple([Seat(seat) for seat, total in enumerate(totals) if total == min(totals)])
    return lowest, len(lowest) > 1, lowest[0] if len(lowest) == 1 else None


def _deal(setup: Setup, round_: Round, ply: int, deals: int, events: list[Event]) -> FullCircleState:
    """Deal a round and turn up its first card (F1)."""
    cards = shuffle(setup.seed, deals, DECK)
    hands: list[tuple[int, ...]] = [()] * setup.seats
    rest = cards
    for seat in round_.players:
        hands[seat], rest = tuple(sorted(rest[:HAND])), rest[HAND:]
    wilds = next(at for at, card in enumerate(rest) if card != _WILD)
    first, pile = rest[wilds], (*rest[wilds + 1 :], *rest[:wilds])
    events.append(Shuffled(deals, _names(DECK), _names(cards)))
    events.append(RoundBegan(round_.number, round_.starter, round_.players, round_.play_off, _CARD_NAMES[first], wilds))
    nothing: tuple[tuple[int, ...], ...] = ((),) * setup.seats
    return FullCircleState(
        setup=setup, round=round_, ply=ply, deals=deals + 1, mover=round_.starter, phase=Phase.TURN,
        hands=tuple(hands), drawn=None, pile=pile, sunk=wilds, stacks=((first,), (), (), ()), marker=None, trap=None,
        barred=(0,) * setup.seats, passes=0, known=(), old=nothing,
    )  # fmt: skip


def _options(seats: int, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    return (Option("target", TARGETS, TARGET),)


def _check_deck(table: Mapping[str, Any]) -> Json:
    """There is nothing to replace: the rulebook gives every card and value."""
    for name in table:
        raise BadOption("deck", f"Full Circle has no {name!r} to set")
    return {}


def _new(seats: int, options: Mapping[str, Any], seed: str) -> FullCircleState:
    """The position before the first move."""
    chosen = chosen_options(GAME, seats, options)
    _check_deck(options.get("deck", {}))
    everybody = tuple(map(Seat, range(seats)))
    first = Round(1, False, everybody, everybody[0], (0,) * seats, None, None, None)
    return _deal(Setup(seats, chosen["target"], seed), first, 0, 0, [])


def _result_from_json(data: Json | None) -> RoundResult | None:
    if data is None:
        return None
    lists = {name: tuple(data[name]) for name in ("players", "points", "totals")}
    return RoundResult(**{**data, **lists, "hands": tuple(map(tuple, data["hands"]))})


def _from_json(data: Json) -> FullCircleState:
    """The position that `to_json` gave."""
    round_ = Round(
        data["round"],
        data["play_off"],
        tuple(data["players"]),
        data["starter"],
        tuple(data["totals"]),
        data["streak"] and tuple(data["streak"]),
        _result_from_json(data["last_round"]),
        Outcome.from_json(data["outcome"]) if data["outcome"] else None,
    )
    known = [(holder, _ALL if by is None else by, _CARDS[card]) for holder, by, card in data["known"]]
    return FullCircleState(
        setup=Setup(data["seats"], data["options"]["target"], data["seed"]),
        round=round_,
        ply=data["ply"],
        deals=data["deals"],
        mover=data["mover"],
        phase=Phase(data["phase"]),
        hands=tuple([tuple(sorted(_numbers(hand))) for hand in data["hands"]]),
        drawn=None if data["drawn"] is None else _CARDS[data["drawn"]],
        pile=_numbers(data["pile"]),
        sunk=data["sunk"],
        stacks=tuple([tuple([_FACES[face] for face in stack]) for stack in data["circle"]]),
        marker=_at(data["marker"]),
        trap=Trap(**data["trap"]) if data["trap"] else None,
        barred=tuple(data["barred"]),
        passes=data["passes"],
        known=tuple(sorted(known)),
        old=tuple([tuple(sorted(_numbers(cards))) for cards in data["old"]]),
    )


_TYPED: Mapping[str, Any] = {
    **{f"play {face} {place}".lower(): (Play, face, place) for face in _FACE_NAMES for place in PLACES},
    **{f"give {card} {seat}".lower(): (Give, card, Seat(seat)) for card in _CARD_NAMES for seat in range(4)},
    **{verb.value: (Say, verb) for verb in Verb},
}
"""By notation in small letters: the move's type and what it is made of, but for the seat."""


def _parse(seat: Seat, text: str) -> Move:
    """The move that the text names, in any case. Raises IllegalMove(UNPARSABLE)."""
    found = _TYPED.get(" ".join(text.split()).lower())
    if found is None:
        raise IllegalMove(Refusal.UNPARSABLE, text=text)
    kind, *parts = found
    move: Move = kind(seat, *parts)
    return move


_WIN_WORTH = 60
"""To a computer player, in points: more than most rounds bring."""


def _prospect(state: FullCircleState, seat: Seat) -> float:
    """How far the seat's total, with what is in its hand, is below that of the others."""
    totals = [
        total + sum([_POINTS[card] for card in hand])
        for total, hand in zip(state.round.totals, state.hands, strict=True)
    ]
    won = state.round.outcome is not None and seat in state.round.outcome.winners
    return (sum(totals) - totals[seat]) / (len(totals) - 1) - totals[seat] + _WIN_WORTH * won


def _horizon(state: FullCircleState) -> int:
    """About to the end of the round."""
    return 0 if state.mover is None else 3 * sum(map(len, state.hands))


def _guess(state: FullCircleState, seat: Seat, number: int) -> Move:
    """A play of any colour card that fits; where none does, any move."""
    cards = state.hands[seat] if state.drawn is None else (state.drawn,)
    plain = _plays(seat, [card for card in cards if card != _WILD], state._fits(seat))
    moves = plain or state.legal_moves(seat)
    return moves[number % len(moves)]


GAME = Game(
    slug="full_circle",
    title="Full Circle",
    seats=(2, 3, 4),
    new=_new,
    from_json=_from_json,
    parse=_parse,
    options=_options,
    check_deck=_check_deck,
    prospect=_prospect,
    horizon=_horizon,
    guess=_guess,
)
