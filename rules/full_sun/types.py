"""Full Sun: the deck table, what a viewer sees, and what happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from rules.core import text
from rules.core.events import PublicEvent
from rules.core.game import Json, Outcome, Seat
from rules.core.records import json_object
from rules.core.tricks import Card, Cards, Play, Suit

# The deck table. An owner may replace the values of the Weather cards (data/decks/full_sun.example.toml).

PIPS = {"B": 1, "R": 2, "S": 3, "L": 4}
"""Pips of the trees."""

WEATHER: Mapping[str, Mapping[str, int]] = {
    "rain": {"number": 0, "pips": 0},  # house: the number
    "sun": {"number": 18, "pips": 5},  # house: both, and the name
}

HAND = {3: 8, 4: 10, 5: 12}
"""Cards that each player is dealt at least, and tricks in a round, by the number of players."""

HIGHEST = {3: 7, 4: 11, 5: 17}
"""The highest number of a tree in play, by the number of players."""

TARGET = 3
MOST_NUMBER = 99
"""The highest number of an owner's Weather card: two digits, as pictures have room."""
MOST_PIPS = HAND[3]
"""The most pips of one: more than the tricks of a round could not be met."""

SUITS: tuple[Suit, ...] = tuple(map(Suit, "BRSLW"))
"""Beech, Redbud, Sycamore, Black Locust, Weather. A card is a suit and a number, "B7", or "Rain" or "Sun"."""

Backs = tuple[int, ...]
"""Cards seen from behind: how many of each suit, in the order of SUITS."""


def suit_of(card: str) -> Suit:
    """The suit of a card by its notation. "R7" is a Redbud, "Rain" is Weather."""
    return SUITS[CARDS.number[card] >> 5]


class Face(NamedTuple):
    """What counts of a card: its number, and its pips."""

    number: int
    pips: int


class Lay(NamedTuple):
    """A card on the table, and who played it."""

    seat: Seat
    card: Card

    def to_json(self) -> list[Any]:
        return [*self]


class Trick(NamedTuple):
    """A complete trick: cards in the order played, and who took it."""

    lays: tuple[Lay, ...]
    winner: Seat


class RoundResult(NamedTuple):
    """A finished round; tuples have an entry a seat. It has no numbers, for nobody may look back at them (S9)."""

    round: int
    species: tuple[Suit, ...]
    """The suit of the card played to the last trick."""
    pips: tuple[int, ...]
    """Of that card: tricks that were to be won."""
    tricks: tuple[int, ...]
    """Tricks won."""
    left: tuple[int, ...]
    """Cards laid aside (S5)."""
    scored: tuple[Seat, ...]
    """Who gained a point, ascending."""


class TieBreak(NamedTuple):
    """What one of several players at the target shows (S7): the trick won with the most cards of the own species."""

    seat: Seat
    species: Suit
    trick: Trick | None
    """The first of the best; None for a player without a trick."""
    cards: int
    """Of the species in it."""


class FullSunView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Tuples "by seat" have an entry a seat."""

    viewer: Seat | None
    seats: int
    target: int
    rain: Face
    sun: Face
    highest: int
    """The highest number of a tree in play: 7, 11 or 17."""
    round: int
    trick_number: int
    """1 for the first trick of the round."""
    tricks: int
    """Tricks in a round: 8, 10 or 12."""
    dealer: Seat
    leader: Seat
    """Who leads or led the current trick."""
    clockwise: bool
    """Whether play goes on with the next higher seat."""
    to_move: Seat | None
    lays: tuple[Lay, ...]
    """The current trick so far, in the order played."""
    follow: Suit | None
    """The suit to follow, that of the card played just before; None for the leader."""
    hand: tuple[Card, ...]
    """The viewer's hand by suit and number; () for an onlooker."""
    backs: tuple[Backs, ...]
    """By seat: the hand from behind (S1)."""
    fan: Backs
    """The undealt cards from behind (S1)."""
    tricks_won: tuple[int, ...]
    """By seat, this round."""
    points: tuple[int, ...]
    """By seat."""
    last_trick: Trick | None
    """The last complete trick, also of the round before (S9)."""
    last_round: RoundResult | None
    tie_breaks: tuple[TieBreak, ...]
    """By seat, of all at the target when the match is over; () where it is one alone (S7)."""
    outcome: Outcome | None

    def face(self, card: str) -> Face:
        """The card's number and pips."""
        if card in ("Rain", "Sun"):
            return self.rain if card == "Rain" else self.sun
        return Face(int(card[1:]), PIPS[card[0]])

    def to_json(self) -> Json:
        """All of it, as lists, objects and strings."""
        return json_object(self)

    def __str__(self) -> str:
        """The board as text. Cards as moves name them: "play B7". Backs: how many of which suit."""
        last = self.last_trick
        way = "clockwise" if self.clockwise else "counter-clockwise"
        rows = zip(range(self.seats), map(_from_behind, self.backs), self.tricks_won, self.points, strict=True)
        return text.board(
            f"Full Sun to {self.target}: round {self.round}, trick {self.trick_number} of {self.tricks}, {way}",
            f"Trees to {self.highest}; Rain {text.listed(self.rain)} and Sun {text.listed(self.sun)} (number, pips)",
            text.trick("Last trick", last.lays, f", taken by {last.winner}") if last else "",
            text.trick("Trick", self.lays, f", suit to follow {self.follow}" if self.follow else ""),
            text.table(("seat", "hand from behind", "tricks", "points"), *rows),
            f"Not dealt: {_from_behind(self.fan)}",
            text.turn(self.viewer, self.to_move, self.outcome),
            "" if self.viewer is None else f"Your hand: {text.listed(self.hand)}",
        )


def _from_behind(backs: Backs) -> str:
    return text.listed(f"{number}{suit}" for number, suit in zip(backs, SUITS, strict=True) if number)


# Events. Everybody sees all of each; what is hidden is in none of them.


@dataclass(frozen=True, slots=True)
class RoundBegan(PublicEvent):
    """Cards were dealt: how many to each seat (S5)."""

    round: int
    dealer: Seat
    clockwise: bool
    hand_sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(PublicEvent):
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class RoundScored(PublicEvent):
    """`points` by seat, with those of this round."""

    result: RoundResult
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchWon(PublicEvent):
    """`tie_breaks` as in the view."""

    seats: tuple[Seat, ...]
    tie_breaks: tuple[TieBreak, ...]


# Of cards as integers (rules.core.tricks) the rank is the number; Rain and Sun have 0 and 1. What a move may create is
# made here, once.

CARDS = Cards(
    {
        **{place << 5 | number: f"{suit}{number}" for place, suit in enumerate(SUITS[:4]) for number in range(1, 18)},
        4 << 5: "Rain",
        4 << 5 | 1: "Sun",
    }
)
RAIN, SUN = CARDS.numbers(("Rain", "Sun"))
PLAYS = CARDS.by_player(max(HAND), Play)
LAYS = CARDS.by_player(max(HAND), Lay)
PLAYED = CARDS.by_player(max(HAND), CardPlayed)

DECKS = {
    seats: tuple(card for card in CARDS.number.values() if card >> 5 == 4 or card & 31 <= highest)
    for seats, highest in HIGHEST.items()
}
"""The cards in play as integers, by the number of players."""


def backs(cards: Sequence[int]) -> Backs:
    suits = [card >> 5 for card in cards]
    return tuple([suits.count(suit) for suit in range(len(SUITS))])


@lru_cache(maxsize=64)
def faces_of(rain: Face, sun: Face) -> Mapping[int, Face]:
    """The face of each card. Faces compare as cards do: by number, then by pips (S3)."""
    trees = {card: Face(card & 31, PIPS[name[0]]) for name, card in CARDS.number.items() if card >> 5 < 4}
    return {**trees, RAIN: rain, SUN: sun}
