"""Sea Change: cards as integers, with tables made once: their moves, events and strength.

Their rank (rules.core.tricks) is the value, so the number of a card is `suit << 5 | value`.
"""

from __future__ import annotations

from functools import cache

from rules.core.tricks import Cards, Play
from rules.sea_change.types import SUITS, VALUES, CardPlayed, Lay, SeaChanged, TrumpSet

CARDS = Cards({place << 5 | value: f"{suit}{value}" for place, suit in enumerate(SUITS) for value in range(16)})
NAME, NUMBER = CARDS.name, CARDS.number

_PLAYERS = max(VALUES)
PLAYS = CARDS.by_player(_PLAYERS, Play)
LAYS = CARDS.by_player(_PLAYERS, Lay)
PLAYED = CARDS.by_player(_PLAYERS, CardPlayed)
"""PLAYS, LAYS and PLAYED are the moves, the cards on the table and the events, by player and card."""
CHANGED = tuple(tuple(SeaChanged(player, suit) for suit in SUITS) for player in range(_PLAYERS))
"""The events, by player and suit."""
TRUMP_SET = tuple(map(TrumpSet, SUITS))
"""The events, by suit."""

STRENGTH = tuple(
    tuple(
        tuple(
            (64 if card >> 5 == trump else 32 if card >> 5 == lead else 0) + (card & 31)
            for card in range(len(CARDS.name))
        )
        for trump in range(len(SUITS))
    )
    for lead in range(len(SUITS))
)
"""The strength of a card, by lead suit, trump and card (C6)."""


def lays_of(leader: int, cards: tuple[int, ...], players: int) -> tuple[Lay, ...]:
    """Return the cards of a trick with the players who laid them: the leader, and so on clockwise."""
    return tuple([LAYS[(leader + i) % players][card] for i, card in enumerate(cards)])


@cache
def deck_of(seats: int, suits: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cards in play, by suit and value."""
    return tuple(suit << 5 | value for suit in suits for value in VALUES[seats])
