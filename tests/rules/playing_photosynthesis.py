"""Playing Photosynthesis in tests, with forests in text: "D4=O3 A1=B0", orange's large tree and blue's seed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from rules.core.game import AnyState, Event, IllegalMove, Seat
from rules.photosynthesis import GAME
from rules.photosynthesis.types import Collected, Grown

COLOURS = "OBGY"
PILES = {
    1: [14, 14, 13, 13, 13, 12, 12, 12, 12],
    2: [17, 16, 16, 14, 14, 13, 13],
    3: [19, 18, 18, 17, 17],
    4: [22, 21, 20],
}
"""The rules page's table of scoring tokens, top first."""

ALL = (6, 8, 4, 2)
"""A player's pieces: seeds, small, medium and large trees."""

HAND, COLUMNS = (2, 4, 1, 0), (4, 4, 3, 2)
"""Where they are at the start."""

NEIGHBOURS = {
    "A1": "A2 B1 B2",
    "A3": "A2 A4 B3 B4",
    "A4": "A3 B4 B5",
    "B1": "A1 B2 C1 C2",
    "B3": "A2 A3 B2 B4 C3 C4",
    "C1": "B1 C2 D1 D2",
    "C5": "B4 B5 C4 C6 D5 D6",
    "D1": "C1 D2 E1",
    "D4": "C3 C4 D3 D5 E3 E4",
    "D7": "C6 D6 E6",
    "E1": "D1 D2 E2 F1",
    "E4": "D4 D5 E3 E5 F3 F4",
    "F5": "E5 E6 F4 G4",
    "G1": "F1 F2 G2",
    "G4": "F4 F5 G3",
}

BEHIND_THE_CENTRE = ("D5 D6 D7", "E4 F4 G4", "E3 F2 G1", "D3 D2 D1", "C3 B2 A1", "C4 B4 A4")
"""The three hexes behind D4 by the sun's position: the light travels E, SE, SW, W, NW, NE."""


def forest_json(forest: str) -> dict[str, list[int]]:
    named = (piece.split("=") for piece in forest.split())
    return {hex_: [COLOURS.index(what[0]), int(what[1])] for hex_, what in named}


def position(forest: str = "", seats: int = 2, **fields: Any) -> AnyState:
    """A position, by default in round 1 with seat 0 to move, 20 light and the first pieces in each hand.

    `sun` sets the round of the first revolution in which it stands there; `shade` and `revolutions` are the options;
    the other fields are those of the state's JSON.
    """
    data = GAME.new(
        seats, {name: fields.pop(name) for name in ("shade", "revolutions") if name in fields}, "s"
    ).to_json()
    data |= {"round": fields.pop("sun", 0) + 1, "ply": 2 * seats, "light": [20] * seats, "board": forest_json(forest)}
    assert set(fields) <= set(data)
    return GAME.from_json(json.loads(json.dumps(data | fields)))


def hands(*mine: int, seats: int = 2) -> list[list[int]]:
    """Seat 0 holds these pieces, the others none."""
    return [list(mine)] + [[0] * 4 for _ in range(seats - 1)]


def play(state: AnyState, *texts: str) -> tuple[AnyState, list[Event]]:
    """The moves one after the other, each by the player to move, and the events of all."""
    events: list[Event] = []
    for text in texts:
        (seat,) = state.to_move()
        state, new = state.apply(GAME.parse(seat, text))
        events += new
    return state, events


def legal(state: AnyState, verb: str = "", seat: int | None = None) -> list[str]:
    """The legal moves' notation, by default of the player to move; with a verb, what follows it."""
    (mover,) = state.to_move()
    texts = [str(move) for move in state.legal_moves(mover if seat is None else Seat(seat))]
    return [text.removeprefix(f"{verb} ") for text in texts if text.startswith(verb)]


def refused(state: AnyState, text: str, reason: Any, seat: int | None = None, **facts: object) -> None:
    """The move is not legal, is refused for that reason and with these facts, and changes nothing."""
    mover = min(state.to_move(), default=Seat(0)) if seat is None else Seat(seat)
    before = json.dumps(state.to_json())
    with pytest.raises(IllegalMove) as caught:
        state.apply(GAME.parse(mover, text))
    assert caught.value.reason is reason
    assert caught.value.facts == facts
    assert text not in map(str, state.legal_moves(mover))
    assert json.dumps(state.to_json()) == before
    assert state == GAME.from_json(json.loads(before))


def two_players() -> AnyState:
    """Round 1 of a match of two with the trees on A1 and D7 (orange), G1 and G4 (blue), all of them in the sun."""
    return play(GAME.new(2, {}, "s"), "place A1", "place G1", "place D7", "place G4")[0]


def what(events: Sequence[Event], soil: int, seats: int) -> set[str]:
    """What an action showed: its event's name, and a poorer pile, none, or a piece that left the game."""
    (event,) = events
    shown = {type(event).__name__}
    if isinstance(event, Collected):
        own = 3 if (soil, seats) == (4, 2) else soil
        assert event.leaves == own
        shown |= {"worthless"} if event.token == (0, 0) else {"poorer"} if event.token.leaves < own else set()
    if isinstance(event, Grown | Collected) and not event.returned:
        shown.add("left the game")
    return shown
