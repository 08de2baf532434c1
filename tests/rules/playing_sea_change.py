"""Playing Sea Change in tests: a position by its hands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rules.core.game import AnyState, Event, Json
from rules.sea_change import GAME
from tests.rules.playing import play

DECKS = {
    1: (3, [0, *range(4, 13)]),
    2: (3, [0, *range(4, 13)]),
    3: (3, [0, *range(4, 13)]),
    4: (4, [0, *range(4, 13)]),
    5: (5, [0, *range(4, 13)]),
    6: (5, [0, *range(3, 14)]),
    7: (5, [0, *range(2, 15)]),
    8: (5, [0, *range(1, 16)]),
}
"""The rules page's table: suits and values by number of players."""

POINTS = {1: -1, 2: -1, 3: -1, 4: 0, 5: 0, 6: 0, 7: 0, 8: -4, 9: 2, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1}

SEATING = {
    (4, "2v2"): "ABAB",
    (5, "2v2v1"): "ABCAB",
    (5, "3v2"): "ABABA",
    (6, "2v2v2"): "ABCABC",
    (6, "3v3"): "ABABAB",
    (7, "2v2v2v1"): "ABCDABC",
    (7, "3v2v2"): "ABACABC",
    (8, "2v2v2v2"): "ABCDABCD",
    (8, "4v4"): "ABABABAB",
}


def position(hands: Sequence[str], trump: str | None, **fields: Any) -> AnyState:
    """A position: a hand's cards in one text by seat, the trump, and any field of the state's JSON or option."""
    seats = len(hands)
    players = max(seats, 2)
    options = {"target": 3, "teams": "none", "open_scores": False}
    options |= {name: fields.pop(name) for name in tuple(fields) if name in options}
    sides = players if options["teams"] == "none" else len(set(SEATING[seats, options["teams"]]))
    state: Json = {
        "seats": seats,
        "options": options,
        "deck": dict(GAME.deck),
        "seed": "position",
        "ply": 20,
        "deals": 2,
        "suits": {3: "BPY", 4: "BRPY"}.get(DECKS[seats][0], "BGRPY"),
        "round": 1,
        "dealer": 0,
        "leader": 1,
        "hands": [hand.split() for hand in hands],
        "may_hold": [[10] * 5 for _ in hands],
        "pile": [],
        "lays": [],
        "trump": trump,
        "tricks_won": [0] * players,
        "captured": [[] for _ in range(players)],
        "victory_points": [0] * sides,
        "last_trick": None,
        "last_round": None,
        "outcome": None,
    }
    assert set(fields) <= set(state)
    return GAME.from_json(json.loads(json.dumps(state | fields)))


# --- C8: the last trick of these positions is worth nothing and goes to seat 2


LAST = ["B4", "B5", "B6"]


def end_of_round(captured: Sequence[str], **fields: Any) -> tuple[AnyState, list[Event]]:
    """Three players' last trick, worth nothing and taken by seat 2; Yellow stays trump unless told otherwise."""
    fields = {"trump": "Y", "leader": 0} | fields
    state = position(LAST, captured=[cards.split() for cards in captured], **fields)
    return play(state, "B4 B5 B6")


# --- C12


def teams_of(seats: int) -> tuple[Any, ...]:
    for option in GAME.options(seats, {}):
        if option.name == "teams":
            return option.values
    return ()
