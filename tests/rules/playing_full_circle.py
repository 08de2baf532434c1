"""Playing Full Circle in tests: a position by its cards, moves by their notation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from rules.core.game import AnyState, Event, IllegalMove, Json, Seat
from rules.full_circle import GAME

COLOURS = "BRYGOP"
DECK = [
    *(colour for colour in COLOURS for _ in range(2)),
    *(first + second for first in COLOURS for second in COLOURS if first != second),
    *["W"] * 6,
]
FILLER = "GO GP OG OP PG PO"
"""A pile without red."""
PLAY_OFF: Json = {"play_off": True, "players": [0, 2], "totals": [4, 20, 4, 56], "streak": [0, 1]}


def position(circle: str, hands: Sequence[str], **fields: Any) -> AnyState:
    """A position; by default seat 0 is to move, and there is no marker and no pile.

    `circle` has the stacks of TL, TR, BR and BL, "-" for none, "B/RB" for RB over B. A hand is its cards in one text,
    and so is `pile`. The other fields are those of the state's JSON, or the option.
    """
    seats = len(hands)
    target = fields.pop("target", 50)
    state: Json = {
        "seats": seats,
        "options": {"target": target},
        "seed": "position",
        "ply": 20,
        "deals": 1,
        "round": 1,
        "play_off": False,
        "players": list(range(seats)),
        "starter": 0,
        "mover": 0,
        "phase": "turn",
        "hands": [hand.split() for hand in hands],
        "drawn": None,
        "pile": fields.pop("pile", "").split(),
        "sunk": 0,
        "circle": [[] if stack == "-" else stack.split("/") for stack in circle.split()],
        "marker": None,
        "trap": None,
        "barred": [0] * seats,
        "passes": 0,
        "known": [],
        "old": [[] for _ in hands],
        "totals": [0] * seats,
        "streak": None,
        "last_round": None,
        "outcome": None,
    }
    assert set(fields) <= set(state)
    return GAME.from_json(json.loads(json.dumps(state | fields)))


def do(state: AnyState, moves: str) -> tuple[AnyState, list[Event]]:
    """The moves, parted by semicolons, one after the other, each by the player to move."""
    events: list[Event] = []
    for text in moves.split("; "):
        (seat,) = state.to_move()
        state, new = state.apply(GAME.parse(seat, text))
        events += new
    return state, events


def legal(state: AnyState) -> set[str]:
    """The moves of the player to move."""
    (seat,) = state.to_move()
    return {str(move) for move in state.legal_moves(seat)}


def plays(state: AnyState) -> set[str]:
    return {text.removeprefix("play ") for text in legal(state) if text.startswith("play ")}


def refused(state: AnyState, move: str, seat: int | None = None) -> IllegalMove:
    """The refusal of a move by the seat, or by the player to move. It changes nothing."""
    mover = next(iter(state.to_move()), Seat(0)) if seat is None else Seat(seat)
    before = state.to_json()
    parsed = GAME.parse(mover, move)
    assert parsed not in state.legal_moves(mover)
    with pytest.raises(IllegalMove) as caught:
        state.apply(parsed)
    assert state.to_json() == before
    return caught.value


def mover(state: AnyState) -> int:
    (seat,) = state.to_move()
    return int(seat)


# --- F8: the Colour Trap

SPRINGS = "RB OR RG -"
"""YR in BL makes it a red trap without another bonus."""

RED = "RB OR RG YR"
"""A red trap stands in it."""
