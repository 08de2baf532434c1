"""Full Circle: cards, moves, reasons for refusing a move, the result of a round, events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, NewType

from rules.core.events import PublicEvent
from rules.core.game import Seat

HAND = 6
TARGETS = range(10, 201)
ROUND_TARGETS = (*range(10, 110, 10), *range(120, 201, 20))
"""The targets that lobbies list."""
TARGET = 50
COLOUR_POINTS = 4
WILD_POINTS = 10
STREAK_BONUS = 4

Card = NewType("Card", str)
"""Notation of a card, such as "RB", "B", "W"."""

Face = NewType("Face", str)
"""Notation of a card as it is played and lies, such as "RB", "B", "W:G" (a wild named green)."""

Colour = NewType("Colour", str)
Place = NewType("Place", str)

COLOURS: tuple[Colour, ...] = tuple(map(Colour, "BRYGOP"))
PLACES: tuple[Place, ...] = tuple(map(Place, ("TL", "TR", "BR", "BL")))
"""The quadrants, clockwise."""


class Unplayable(StrEnum):
    """Why a move was refused. Each reason lists the facts that come with it."""

    NOT_IN_HAND = "not_in_hand"
    """card."""
    MARKED = "marked"
    """place: the quadrant has the marker (F2, F3)."""
    NO_MATCH = "no_match"
    """face, place: no touching edge is of the same colour (F2)."""
    TRAPPED = "trapped"
    """face, colour: the card does not show the trap's colour (F8)."""
    MUST_PLAY_DRAWN = "must_play_drawn"
    """card: the drawn card fits and has to be played (F4)."""
    CAN_PLAY = "can_play"
    """A player who can play must (F4)."""
    CAN_DRAW = "can_draw"
    """There is a card to draw (F13)."""
    NOTHING_TO_DRAW = "nothing_to_draw"
    """Neither a pile nor covered cards: the seat can only pass (F13)."""
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
    """What the seat to move must decide."""

    TURN = "turn"
    """Play, or else draw, or else pass."""
    DRAWN = "drawn"
    """Play the card just drawn (F4)."""
    DOUBLE = "double"
    """After a Double Match: play again or stop (F5)."""
    FULL = "full"
    """After a Full Circle: play again, give a card or stop (F6)."""
    OVER = "over"


class Trap(NamedTuple):
    """A Colour Trap that runs (F8)."""

    colour: Colour
    setter: Seat


class Quadrant(NamedTuple):
    """A filled quadrant: the card on top, the colours of its two edges, the number of cards it covers."""

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
    """The seats that took part, ascending."""
    hands: tuple[tuple[Card, ...], ...]
    """The cards that were counted."""
    points: tuple[int, ...]
    """What those cards count (F15); a play-off adds it to no total."""
    bonus: int
    """What was taken off the winner's total: 4 from the second win in a row, else 0."""
    totals: tuple[int, ...]
    """The totals after the round."""


class PlayEffects(NamedTuple):
    """What a play brings about, besides the marker."""

    double: bool
    full: bool
    trap: Colour | None
    """The colour of a trap that it sets (F8)."""
    frees: bool
    """It takes the player's own trap off (F10)."""


# Events. All are open but CardDrawn and CardGiven.


@dataclass(frozen=True, slots=True)
class RoundBegan(PublicEvent):
    """Cards were dealt; `card` lies in TL; `wilds` turned up before it and are now under the pile (F1)."""

    round: int
    starter: Seat
    players: tuple[Seat, ...]
    play_off: bool
    card: Card
    wilds: int


@dataclass(frozen=True, slots=True)
class CardPlayed(PublicEvent):
    """A card was played; the marker moves to it unless a trap takes it off (F2, F3, F8)."""

    seat: Seat
    face: Face
    place: Place


@dataclass(frozen=True, slots=True)
class DoubleMatched(PublicEvent):
    """A Double Match (F5). It comes after its CardPlayed, as the four events below do."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class FullCircled(PublicEvent):
    """A Full Circle (F6)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrapSet(PublicEvent):
    """A Colour Trap was set (F8)."""

    seat: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class TrapEnded(PublicEvent):
    """A trap is over: the turn is back at its setter (F8) or, if `freed`, the setter's extra turn took it off (F10)."""

    setter: Seat
    colour: Colour
    freed: bool


@dataclass(frozen=True, slots=True)
class LastCard(PublicEvent):
    """One card is left in the hand and lies face up (F12)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card was drawn. `kept` is False if it fits and must be played (F4). Others see None for a kept `card`."""

    seat: Seat
    card: Card | None
    kept: bool

    def seen_by(self, viewer: Seat | None) -> CardDrawn:
        """Hide a card that was kept from all but the seat that drew it (F17)."""
        return CardDrawn(self.seat, None, True) if self.kept and viewer != self.seat else self


@dataclass(frozen=True, slots=True)
class CardGiven:
    """A card was given away after a Full Circle (F6). `card` is None for viewers other than giver and receiver."""

    seat: Seat
    to: Seat
    card: Card | None

    def seen_by(self, viewer: Seat | None) -> CardGiven:
        """Hide the card from all but giver and receiver (F17)."""
        return self if viewer in (self.seat, self.to) else CardGiven(self.seat, self.to, None)


@dataclass(frozen=True, slots=True)
class PileRenewed(PublicEvent):
    """The covered cards, this many, are the new pile (F13)."""

    cards: int


@dataclass(frozen=True, slots=True)
class Stopped(PublicEvent):
    """The seat declined an extra turn, and the gift if there was one (F5, F6, F7)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Passed(PublicEvent):
    """The seat had no card to play and none to draw (F13)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundScored(PublicEvent):
    """The round is over and its cards are counted (F14, F15)."""

    result: RoundResult
    streak: tuple[Seat, int] | None
    """The winner of the last rounds and how many in a row; None if no further win would take anything off (F16)."""
    broken: tuple[Seat, int] | None
    """The streak that the round has ended."""


@dataclass(frozen=True, slots=True)
class GameWon(PublicEvent):
    """The seat has the lowest total at the end, or has won the play-off (F16)."""

    seat: Seat
    play_off: bool
