"""Playing Full Sun in tests: a position by its hands, its last trick."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from rules.core.game import AnyState, Event, Json
from rules.full_sun import GAME
from tests.rules import naive_full_sun as naive
from tests.rules.playing import play

HAND = {3: 8, 4: 10, 5: 12}
"""The rules page's table: cards dealt, and tricks in a round, by number of players."""

DECKS = {
    seats: [f"{suit}{number}" for suit in "BRSL" for number in range(1, highest + 1)] + ["Rain", "Sun"]
    for seats, highest in {3: 7, 4: 11, 5: 17}.items()
}
"""The rules page's table: cards in play by number of players, in the order in which they are shuffled."""

CARD = r"\b(?:[BRSL]\d+|Rain|Sun)\b"


def trick_json(order: Sequence[int], winner: int, cards: Sequence[str]) -> Json:
    """A complete trick of these cards in which `winner` played the highest."""
    others = sorted(cards, key=lambda card: (naive.number(card), naive.pips(card)))
    best = others.pop()
    return {"lays": [[seat, best if seat == winner else others.pop()] for seat in order], "winner": winner}


def position(
    hands: Sequence[str], won: Sequence[int] = (), tricks: Iterable[tuple[int, str]] = (), **fields: Any
) -> AnyState:
    """A position: a hand's cards in one text by seat, tricks won by seat, and any field of the state's JSON or option.

    The shortest hand has a card for each trick to come. `tricks` are complete ones as (winner, cards); what they leave
    open of the round is filled with the deck's cards in order, and the rest is the fan.
    """
    seats = len(hands)
    held = [hand.split() for hand in hands]
    played = HAND[seats] - min(map(len, held))
    won = list(won) or [played // seats + (seat < played % seats) for seat in range(seats)]
    assert sum(won) == played
    told = [(winner, cards.split()) for winner, cards in tricks]
    placed = {*chain(*held), *chain(*(cards for _, cards in told))}
    rest = [card for card in DECKS[seats] if card not in placed]
    for winner in range(seats):
        untold = won[winner] - sum(taker == winner for taker, _ in told)
        told += [(winner, [rest.pop(0) for _ in range(seats)]) for _ in range(untold)]
    number = fields.get("round", 1)
    leader = (number - 1) % seats
    complete = []
    for winner, cards in told:
        complete.append(trick_json(naive.order(leader, number, seats), winner, cards))
        leader = winner
    state: Json = {
        "seats": seats,
        "options": {"target": fields.pop("target", 3)},
        "deck": fields.pop("deck", dict(GAME.deck)),
        "seed": "position",
        "ply": played * seats,
        "round": 1,
        "points": [0] * seats,
        "hands": held,
        "fan": rest,
        "leader": (number - 1) % seats,
        "lays": [],
        "tricks": complete,
        "last_trick": None,
        "last_round": None,
        "outcome": None,
    }
    assert set(fields) <= set(state)
    state |= fields
    assert sorted(chain(rest, *held, *(cards for _, cards in told))) == sorted(DECKS[seats])
    return GAME.from_json(json.loads(json.dumps(state)))


def last_trick(cards: str, won: Sequence[int], **fields: Any) -> tuple[AnyState, list[Event]]:
    """The round's end with these last cards, in the order of the seats; seat 0 leads. `won` are the tricks before."""
    return play(position(cards.split(), won, **fields), cards)
