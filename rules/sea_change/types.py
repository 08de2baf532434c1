"""Sea Change: the deck table, what a seat may know, events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.core import text
from rules.core.events import PublicEvent
from rules.core.game import Json, Outcome, Seat
from rules.core.records import json_object
from rules.core.tricks import Card, Suit

# The deck table. An operator may replace these values (data/decks/sea_change.example.toml).

POINTS: Mapping[int, int] = {
    1: -1,  # house
    2: -1,
    3: -1,  # house
    4: 0,  # house
    5: 0,  # house
    6: 0,
    7: 0,  # house
    8: -4,
    9: 2,  # house
    10: 1,  # house
    11: 1,  # house
    12: 1,  # house
    13: 1,  # house
    14: 1,  # house
    15: 1,  # house
}
"""The points of a captured card by its value.

Those not marked are certain. The others fit every worked example of the rulebook, but other numbers would too."""

PRINTED = frozenset({2, 6, 8})
"""The values whose points the rulebook prints or its examples settle. The points of the others are ours."""

ZERO_POINTS = 5
"""The points of the 0 of the suit that is trump at the round's end. Every other 0 counts 0."""

MOST_POINTS = 99
"""The greatest absolute points of a card in an operator's deck table: pictures have room for two digits."""

HAND = 10
"""The number of cards dealt to each player (C2)."""

SUITS_IN_PLAY = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5, 6: 5, 7: 5, 8: 5}
"""The number of suits in play, by the number of players."""

_FEW = (0, *range(4, 13))
VALUES = {
    1: _FEW,
    2: _FEW,
    3: _FEW,
    4: _FEW,
    5: _FEW,
    6: (0, *range(3, 14)),
    7: (0, *range(2, 15)),
    8: tuple(range(16)),
}
"""The values in play, by the number of players."""

SEATING: Mapping[int, Mapping[str, str]] = {
    4: {"2v2": "ABAB"},
    5: {"2v2v1": "ABCAB", "3v2": "ABABA"},
    6: {"2v2v2": "ABCABC", "3v3": "ABABAB"},
    7: {"2v2v2v1": "ABCDABC", "3v2v2": "ABACABC"},
    8: {"2v2v2v2": "ABCDABCD", "4v4": "ABABABAB"},
}
"""The team of each seat, by the number of players and the option `teams` (C12)."""

TARGET = 3
"""The victory points that win a match without teams (C9). With teams it is the largest team's size plus one (C12)."""

NO_TEAMS = "none"
AI = 1
"""The AI's number among the players of the solo game."""

SUITS: tuple[Suit, ...] = tuple(map(Suit, "BGRPY"))
"""Blue (water), green (seaweed), red (flags), purple (helms), yellow (suns)."""


def deck_table(points: Sequence[int], zero_points: int) -> Json:
    """A complete deck table, from points by value."""
    return {"points": {str(value): points[value] for value in POINTS}, "zero_points": zero_points}


# A *player* below is a seat or, in the solo game, the AI, whose number is 1 (one past the only seat).
# A *side* is a team, or a player if there are no teams; in the solo game side 0 is the player, side 1 the AI.


class Lay(NamedTuple):
    """A card on the table, and the player who laid it."""

    player: int
    card: Card

    def to_json(self) -> list[Any]:
        """Return [player, card]."""
        return [*self]


class Trick(NamedTuple):
    """A complete trick: cards in the order played, the trump when it was complete, the winner."""

    lays: tuple[Lay, ...]
    trump: Suit
    winner: int


class RoundResult(NamedTuple):
    """A finished round: points and captured cards by side, the sides that gain a VP, the last trump, who took its 0."""

    round: int
    points: tuple[int, ...]
    captured: tuple[tuple[Card, ...], ...]
    """By side, by suit and value."""
    winners: tuple[int, ...]
    trump: Suit
    zero_side: int | None


class SeaChangeView(NamedTuple):
    """What a seat (or, with `viewer` None, an onlooker) may know. Tuples "by side" have an entry a side."""

    viewer: Seat | None
    seats: int
    sides: tuple[int, ...]
    """The side of each player; (0, 1) in the solo game."""
    target: int
    open_scores: bool
    suits: tuple[Suit, ...]
    """The suits in play, in the order B G R P Y."""
    values: tuple[int, ...]
    """The values in play, ascending."""
    points_by_value: tuple[tuple[int, int], ...]
    """(value, points) of the deck table for every value in play but 0."""
    zero_points: int
    """Points of the 0 of the trump suit at the round's end."""
    round: int
    trick_number: int
    """1 for the first trick of the round."""
    tricks: int
    """The number of tricks in a round: 10, or 15 with two players."""
    dealer: int
    leader: int
    """The player who leads or led the current trick."""
    to_move: Seat | None
    trump: Suit | None
    """None before the round's first card."""
    lays: tuple[Lay, ...]
    """The current trick so far."""
    hand: tuple[Card, ...]
    """The viewer's hand by suit and value; () for an onlooker."""
    hand_sizes: tuple[int, ...]
    """By seat."""
    pile: int
    """The number of cards left in the draw pile (2 players) or the AI's stack (solo); else 0."""
    captured: tuple[int, ...]
    """The number of captured cards by side."""
    tricks_won: tuple[int, ...]
    """By player, in this round."""
    victory_points: tuple[int, ...]
    """By side."""
    points: tuple[int, ...] | None
    """Points so far by side, every 0 counted as 0; only with open_scores."""
    last_trick: Trick | None
    """The last complete trick, also of the round before (C7)."""
    last_round: RoundResult | None
    outcome: Outcome | None

    def to_json(self) -> Json:
        """Return the whole view, as lists, objects and strings."""
        return json_object(self)

    def __str__(self) -> str:
        """The board as text. Cards as moves name them: "play B9"."""
        last, rows = self.last_trick, []
        for player, side in enumerate(self.sides):
            name, size = (player, self.hand_sizes[player]) if player < self.seats else ("AI", None)
            points = None if self.points is None else self.points[side]
            captured, victory_points = self.captured[side], self.victory_points[side]
            rows.append((name, side, size, self.tricks_won[player], captured, points, victory_points))
        return text.board(
            f"Sea Change to {self.target}: round {self.round}, trick {self.trick_number} of {self.tricks}",
            f"Suits {text.listed(self.suits)}, trump {self.trump or '-'}, {self.pile} cards in the pile",
            text.trick("Last trick", last.lays, f", taken by {last.winner}") if last else "",
            text.trick("Trick", self.lays),
            text.table(("player", "side", "hand", "tricks", "captured", "points", "victory points"), *rows),
            text.turn(self.viewer, self.to_move, self.outcome),
            "" if self.viewer is None else f"Your hand: {text.listed(self.hand)}",
        )


# Events. All are open but CardDrawn.


@dataclass(frozen=True, slots=True)
class RoundBegan(PublicEvent):
    """Cards were dealt (C2)."""

    round: int
    dealer: int
    leader: int
    suits: tuple[Suit, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(PublicEvent):
    """A card was played, by a seat or by the AI (C5, C11)."""

    player: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpSet(PublicEvent):
    """The round's first card made its suit trump (C3)."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class SeaChanged(PublicEvent):
    """A card matched the value before it: its suit is trump now, even if it already was (C4)."""

    player: int
    suit: Suit


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """Two players: a card was drawn (C10). `card` is None for all viewers but the seat."""

    seat: Seat
    card: Card | None

    def seen_by(self, viewer: Seat | None) -> CardDrawn:
        """Hide the card from all but the seat that drew it."""
        return self if viewer == self.seat else CardDrawn(self.seat, None)


@dataclass(frozen=True, slots=True)
class RoundScored(PublicEvent):
    """The round is over (C8). `victory_points` are the totals by side, with those of this round."""

    result: RoundResult
    victory_points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchWon(PublicEvent):
    """The match is over (C9). `tie_break`: "", "zero" (captured the trump 0), "cards" (fewest captured) or "shared"."""

    sides: tuple[int, ...]
    tie_break: str
