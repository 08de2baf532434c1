"""Full Sun: the deck table, a viewer's view of the match, and the events."""

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

# The deck table. An operator may replace the values of the Weather cards (data/decks/full_sun.example.toml).

PIPS = {"B": 1, "R": 2, "S": 3, "L": 4}
"""The pips of each tree's cards."""

WEATHER: Mapping[str, Mapping[str, int]] = {
    "rain": {"number": 0, "pips": 0},  # house: the number
    "sun": {"number": 18, "pips": 5},  # house: both, and the name
}

HAND = {3: 8, 4: 10, 5: 12}
"""By the number of players: the tricks in a round, and the cards that each player is dealt at least (S5)."""

HIGHEST = {3: 7, 4: 11, 5: 17}
"""By the number of players: the highest number of a tree in play."""

TARGET = 3
MOST_NUMBER = 99
"""The highest number of an operator's Weather card: pictures have room for two digits."""
MOST_PIPS = HAND[3]
"""The most pips of an operator's Weather card: a player cannot win more tricks than a round has."""

SUITS: tuple[Suit, ...] = tuple(map(Suit, "BRSLW"))
"""Beech, Redbud, Sycamore, Black Locust, Weather. A card is a suit and a number, "B7", or "Rain" or "Sun"."""

Backs = tuple[int, ...]
"""Cards seen from behind: the number of each suit, in the order of SUITS (S1)."""


def suit_of(card: str) -> Suit:
    """Return the suit of a card by its notation: "R7" is a Redbud, "Rain" is Weather. Raises KeyError."""
    return SUITS[CARDS.number[card] >> 5]


class Face(NamedTuple):
    """What counts on a card: its number, and its pips."""

    number: int
    pips: int


class Lay(NamedTuple):
    """A card on the table, and the seat that played it."""

    seat: Seat
    card: Card

    def to_json(self) -> list[Any]:
        """Return [seat, card]."""
        return [*self]


class Trick(NamedTuple):
    """A complete trick: cards in the order played, and the seat that took it."""

    lays: tuple[Lay, ...]
    winner: Seat


class RoundResult(NamedTuple):
    """A finished round; tuples have an entry a seat. It has no card numbers: players may not look back at them (S9)."""

    round: int
    species: tuple[Suit, ...]
    """The suit of the card played to the last trick."""
    pips: tuple[int, ...]
    """The pips of that card: the tricks to win for a point (S6)."""
    tricks: tuple[int, ...]
    """The number of tricks won."""
    left: tuple[int, ...]
    """The number of cards laid aside (S5)."""
    scored: tuple[Seat, ...]
    """The seats that gained a point, ascending."""


class TieBreak(NamedTuple):
    """What a player at the target shows in a tie (S7): the trick won with the most cards of the player's species."""

    seat: Seat
    species: Suit
    trick: Trick | None
    """The first of the best tricks; None for a player without a trick."""
    cards: int
    """The number of cards of the species in it."""


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
    """The number of tricks in a round: 8, 10 or 12."""
    dealer: Seat
    leader: Seat
    """The seat that leads or led the current trick."""
    clockwise: bool
    """Whether the next higher seat plays next (S4)."""
    to_move: Seat | None
    lays: tuple[Lay, ...]
    """The current trick so far, in the order played."""
    follow: Suit | None
    """The suit to follow, that of the card played just before (S2); None for the leader."""
    hand: tuple[Card, ...]
    """The viewer's hand by suit and number; () for an onlooker."""
    backs: tuple[Backs, ...]
    """By seat: the hand from behind (S1)."""
    fan: Backs
    """The undealt cards from behind (S1)."""
    tricks_won: tuple[int, ...]
    """By seat, in this round."""
    points: tuple[int, ...]
    """By seat."""
    last_trick: Trick | None
    """The last complete trick, also of the round before (S9)."""
    last_round: RoundResult | None
    tie_breaks: tuple[TieBreak, ...]
    """One for each seat at the target when the match is over; () if only one is there (S7)."""
    outcome: Outcome | None

    def face(self, card: str) -> Face:
        """Return the card's number and pips."""
        if card in ("Rain", "Sun"):
            return self.rain if card == "Rain" else self.sun
        return Face(int(card[1:]), PIPS[card[0]])

    def to_json(self) -> Json:
        """Return the whole view, as lists, objects and strings."""
        return json_object(self)

    def __str__(self) -> str:
        """The board as text. Cards as moves name them: "play B7". Backs: a number and a suit."""
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


# Events. All are open: they contain nothing hidden.


@dataclass(frozen=True, slots=True)
class RoundBegan(PublicEvent):
    """Cards were dealt: `hand_sizes` by seat (S5)."""

    round: int
    dealer: Seat
    clockwise: bool
    hand_sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(PublicEvent):
    """A card was played to the trick (S2)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class RoundScored(PublicEvent):
    """The round is over (S6). `points` are the totals by seat, with those of this round."""

    result: RoundResult
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchWon(PublicEvent):
    """The match is over (S7). `seats` are the winners; `tie_breaks` is as in the view."""

    seats: tuple[Seat, ...]
    tie_breaks: tuple[TieBreak, ...]


# The rank of a card as an integer (rules.core.tricks) is its number; Rain and Sun have 0 and 1. Moves, lays and events
# are made here once, so that a move need not make them.

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
    """Return the number of each suit in the cards, in the order of SUITS (S1)."""
    suits = [card >> 5 for card in cards]
    return tuple([suits.count(suit) for suit in range(len(SUITS))])


@lru_cache(maxsize=64)
def faces_of(rain: Face, sun: Face) -> Mapping[int, Face]:
    """Return the face of each card. Faces compare as cards do: by number, then by pips (S3)."""
    trees = {card: Face(card & 31, PIPS[name[0]]) for name, card in CARDS.number.items() if card >> 5 < 4}
    return {**trees, RAIN: rain, SUN: sun}
