"""Playing Siege of Sunfall in tests: moves by their notation, pledges of a whole table at once."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from rules.core.game import IllegalMove
from rules.siege_of_sunfall import GAME
from rules.siege_of_sunfall.types import Pledge
from tests.rules.naive_siege_of_sunfall import position


def act(state: Any, seat: int, text: str) -> Any:
    """The position after the seat's move, given by its notation."""
    return state.apply(GAME.parse(seat, text))[0]


def reveal(state: Any, *pledges: Any) -> tuple[Any, tuple[Any, ...]]:
    """The position after each seat's pledge (coins, or (coins, boosts), or None), and the events of the last one."""
    events: tuple[Any, ...] = ()
    for seat, pledge in enumerate(pledges):
        if pledge is not None:
            coins, boosts = pledge if isinstance(pledge, tuple) else (pledge, 0)
            state, events = state.apply(Pledge(seat, coins, boosts))
    return state, events


def after(state: Any, *pledges: Any) -> Any:
    return reveal(state, *pledges)[0]


def texts(state: Any, seat: int) -> set[str]:
    return {str(move) for move in state.legal_moves(seat)}


def seen(state: Any) -> Any:
    """What everybody sees."""
    return state.view(None)


def all_cards(state: Any) -> list[str]:
    data = state.to_json()
    faced = [data["card"]] if data["card"] and data["card"] != "end" else []
    held = [card for cards in data["held"] for card in cards]
    return sorted([*faced, *(c for c in data["pile"] if c != "end"), *data["undealt"], *data["discard"], *held])


def place_of_the_end(state: Any) -> int:
    """Cards of the round that come before Siege End, whatever has been faced of them."""
    data = state.to_json()
    faced = data["card_number"] if data["card"] else 0
    return int(faced + data["pile"].index("end"))


def holds(state: Any, seat: int) -> dict[str, int]:
    """The seat's cards by kind, without those it has none of."""
    return {kind: count for kind, count in seen(state).held[seat]._asdict().items() if count}


def chi_square(counts: Counter[Any], categories: int) -> float:
    expected = counts.total() / categories
    return sum((counts[key] - expected) ** 2 for key in counts) / expected + (categories - len(counts)) * expected


def refused(state: Any, move: Any) -> Any:
    """The reason of the refusal; nothing has changed."""
    before = json.dumps(state.to_json())
    with pytest.raises(IllegalMove) as error:
        state.apply(move)
    assert json.dumps(state.to_json()) == before
    assert str(error.value) == error.value.reason.value
    return error.value.reason


# K12: gold cards.


def gold_phase(seats: int = 4, *, held: dict[int, list[str]], **chosen: Any) -> Any:
    """The start of the third round, with those cards held."""
    chosen = {"card": "bow 10", "pile": ["end"], **chosen}
    return after(position(seats, held=held, **chosen), *(0 for _ in range(seats)))


# What a seat cannot tell apart.


def redeals(state: Any, seat: int | None, count: int) -> list[Any]:
    return [state.redeal_unseen(seat, f"redeal {n}") for n in range(count)]
