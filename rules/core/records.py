"""Helpers for positions, views and events, which are named tuples: change one place, convert to JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

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


def value_of(kind: Any, data: Any) -> Any:
    """Return the value of that annotated type that `json_value` wrote. Raises KeyError, TypeError, ValueError."""
    return _reader(kind)(data)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    parts = get_args(kind)
    if type(None) in parts:
        read = _reader(parts[0])
        return lambda data: None if data is None else read(data)
    if hasattr(kind, "from_json"):
        return cast(Callable[[Any], Any], kind.from_json)
    if get_origin(kind) is tuple:
        read = _reader(parts[0])
        return tuple if read is _as_it_is else lambda data: tuple(map(read, data))
    if hasattr(kind, "_fields"):
        readers, by_name = [*map(_reader, get_type_hints(kind).values())], itemgetter(*kind._fields)
        plain = all(read is _as_it_is for read in readers)

        def made(data: Any) -> Any:
            parts = data if isinstance(data, list) else by_name(data)
            return kind._make(parts if plain else [read(part) for read, part in zip(readers, parts, strict=True)])

        return made
    return _as_it_is


def _as_it_is(data: Any) -> Any:
    return data


def in_one_round(begin: Any, now: Any) -> bool:
    """Return whether the round has not ended: what it brings is counted then. The `goes_on` of most games."""
    return bool(begin.round.number == now.round.number)
