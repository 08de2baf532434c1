"""What positions, views and events are made of: named tuples, with one place changed, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rules.core.game import Json, Seat

SEATS: tuple[Seat, ...] = tuple(map(Seat, range(8)))
"""Every seat that a game may have."""

ONLY_SEAT: Mapping[Seat | None, frozenset[Seat]] = {None: frozenset(), **{seat: frozenset([seat]) for seat in SEATS}}
"""What `to_move` answers where one seat acts at a time: by the seat that is to move, None when the game is over."""

T = TypeVar("T")


def replace_at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with another one in that place."""
    changed = [*items]
    changed[at] = item
    return tuple(changed)


def margin(at: int, scores: Sequence[int]) -> int:
    """How far that score is above the best other one."""
    return scores[at] - max([*scores[:at], *scores[at + 1 :]])


def json_object(fact: Any) -> Json:
    """A named tuple as an object: its fields by name, in their order."""
    return {name: json_value(value) for name, value in fact._asdict().items()}


def json_value(value: Any) -> Any:
    """The value as JSON has it: facts as objects unless they have a `to_json` of their own, tuples as lists."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "_asdict"):
        return json_object(value)
    return [json_value(part) for part in value] if isinstance(value, tuple) else value
