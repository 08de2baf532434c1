"""Sea Change: tricks, and a trump that turns in the middle of them. 1 to 8 players.

(the rules in prose and the variant chosen go here: house style 2)
"""

from __future__ import annotations

from typing import NamedTuple, NewType

from rules.core.game import Json, Outcome, Seat

Card = NewType("Card", str)
"""Notation of a card: suit letter and value, "B9". Inside a State cards are small integers."""

Suit = NewType("Suit", str)
"""One of "B" (blue, water), "G" (green, seaweed), "R" (red, flags), "P" (purple, helms), "Y" (yellow, suns)."""


class Play(NamedTuple):
    """A move: one card from the hand. `str(move)` is "play B9"."""

    seat: Seat
    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


# A *player* below is a seat or, in the solo game, the AI, whose number is 1 (one past the only seat).
# A *side* is a team, or a player where there are no teams; in the solo game side 0 is the player, side 1 the AI.


class Lay(NamedTuple):
    """A card on the table, and who laid it."""

    player: int
    card: Card


class Trick(NamedTuple):
    """A complete trick: cards in the order played, the trump when it was complete, the winner."""

    lays: tuple[Lay, ...]
    trump: Suit
    winner: int


class RoundResult(NamedTuple):
    """A finished round: points and captured cards by side, who gained a VP, the trump at its end, who took its 0."""

    round: int
    points: tuple[int, ...]
    captured: tuple[tuple[Card, ...], ...]
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
    """Tricks in a round: 10, or 15 with two players."""
    dealer: int
    leader: int
    """Who leads or led the current trick."""
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
    """Cards left in the draw pile (2 players) or the AI's stack (solo); else 0."""
    captured: tuple[int, ...]
    """Captured cards by side."""
    tricks_won: tuple[int, ...]
    """By player, this round."""
    victory_points: tuple[int, ...]
    """By side."""
    points: tuple[int, ...] | None
    """Points so far by side, every 0 counted as 0; only with open_scores."""
    last_trick: Trick | None
    """The last complete trick, also of the round before (C7)."""
    last_round: RoundResult | None
    outcome: Outcome | None

    def to_json(self) -> Json:
        """All of it, as lists and strings."""
        raise NotImplementedError


# Events. `seen_by` of each gives the event itself where nothing is said.


class RoundBegan(NamedTuple):
    """Cards were dealt."""

    round: int
    dealer: int
    leader: int
    suits: tuple[Suit, ...]


class CardPlayed(NamedTuple):
    player: int
    card: Card


class TrumpSet(NamedTuple):
    """The round's first card made its suit trump."""

    suit: Suit


class SeaChanged(NamedTuple):
    """A card matched the value before it: its suit is trump now (also where it was already)."""

    player: int
    suit: Suit


class CardDrawn(NamedTuple):
    """Two players: a card was drawn. `card` is None for everybody but the seat (`seen_by`)."""

    seat: Seat
    card: Card | None


class TrickTaken(NamedTuple):
    """The trick is complete. `winner` is a player."""

    winner: int
    cards: tuple[Card, ...]


class RoundScored(NamedTuple):
    result: RoundResult
    victory_points: tuple[int, ...]


class MatchWon(NamedTuple):
    """`tie_break`: "" or "zero" (captured the trump 0) or "cards" (fewest captured) or "shared"."""

    sides: tuple[int, ...]
    tie_break: str


# State JSON (what `to_json` gives and `from_json` takes), for tests that set up a position:
#
# {"seats": 4, "options": {"target": 3, "teams": "none", "open_scores": false}, "deck": {…}, "seed": "…",
#  "ply": 0, "deals": 2,                     deals: ordinals used so far (0 is the suits' draw, then one a round)
#  "suits": "BGRP", "round": 1, "dealer": 0, "leader": 1,
#  "hands": [["B9", …], …],                  by seat, any order
#  "pile": ["R4", …],                        draw pile or AI stack, next card first
#  "lays": [[1, "B9"], …],                   current trick: player, card
#  "trump": "B" or null,
#  "tricks_won": [0, 0, 0, 0],               by player
#  "captured": [["B4", …], …],               by player
#  "victory_points": [0, 0, 0, 0],           by side
#  "last_trick": null or {"lays": [[1, "B9"], …], "trump": "B", "winner": 1},
#  "last_round": null or {"round": 1, "points": […], "captured": [[…], …], "winners": [0], "trump": "B",
#                         "zero_side": null or 2},
#  "outcome": null or Outcome.to_json()}
#
# Options: "target" 1 to 9, "teams" ("none" first, then those of C12 for that many players; only from 4 players on),
# "open_scores" (False, True). The target's default follows the chosen teams.
# Deck table: {"points": {"1": -1, …, "15": 1}, "zero_points": 5}: points by value (keys are text, values 1 to 15).
