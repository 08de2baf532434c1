"""Helpers for positions, views and events, which are named tuples: change one place, convert to JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rules.core.game import Json, Seat

SEATS: tuple[Seat, ...] = tuple(map(Seat, range(8)))
"""Every seat number that a game may have."""

ONLY_SEAT: Mapping[Seat | None, frozenset[Seat]] = {None: frozenset(), **{seat: frozenset([seat]) for seat in SEATS}}
"""By the seat to move: the value of `to_move` in games in which one seat acts at a time. None: the game is over."""

T = TypeVar("T")


def replace_at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the items with `item` in place `at`."""
    changed = [*items]
    changed[at] = item
    return tuple(changed)


def margin(at: int, scores: Sequence[int]) -> int:
    """Return how far the score in place `at` is above the best other one; negative if it is below."""
    return scores[at] - max([*scores[:at], *scores[at + 1 :]])


def json_object(fact: Any) -> Json:
    """Return a named tuple as an object: its fields by name, in their order."""
    return {name: json_value(value) for name, value in fact._asdict().items()}


def json_value(value: Any) -> Any:
    """Return the value as JSON has it: tuples as lists, named tuples as objects or by their own `to_json`."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "_asdict"):
        return json_object(value)
    return [json_value(part) for part in value] if isinstance(value, tuple) else value
