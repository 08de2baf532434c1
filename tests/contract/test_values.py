"""States, views, moves and events are values: nothing in them can be changed, and they hash, copy and pickle."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from rules.core.game import Seat
from tests.contract.play import Played

PLAIN = (type(None), int, float, str, Enum, type)
"""What has no parts: Python's own constants, and the program's."""


def values_of(played: Played, looked_at: tuple[int, ...]) -> list[Any]:
    """Every state of the game, every move, every event as each viewer sees it, and the views of the plies looked at."""
    viewers = (*map(Seat, range(played.setting.seats)), None)
    seen = [event.seen_by(viewer) for event in played.events for viewer in viewers]
    views = [played.states[ply].view(viewer) for ply in looked_at for viewer in viewers]
    return [*played.states, *(step.move for step in played.steps), *played.events, *filter(None, seen), *views]


def names_of(value: Any) -> set[str]:
    """The names under which something is kept in the value, or looks as if it were."""
    slots = {name for kind in type(value).__mro__ for name in _several(vars(kind).get("__slots__", ()))}
    kept = {field.name for field in fields(value)} if is_dataclass(value) else set()
    return {*slots, *kept, *getattr(value, "_fields", ()), *getattr(value, "__dict__", {})}


def _several(names: Any) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def parts_of(value: Any) -> tuple[Any, ...]:
    """What the value is made of. Fails if it can be changed, or if this test does not know its kind."""
    if isinstance(value, tuple | frozenset):
        return (*value, *(getattr(value, name) for name in names_of(value)))
    assert is_dataclass(value), f"a {type(value).__name__} in a value: it could be changed, or would not hash"
    return tuple(getattr(value, name) for name in names_of(value))


def all_parts(values: list[Any]) -> Iterator[Any]:
    """The values and all parts in them, each once. The list keeps them alive, so that no two get the same id."""
    waiting, seen = [*values], set()
    while waiting:
        part = waiting.pop()
        if not isinstance(part, PLAIN) and id(part) not in seen:
            seen.add(id(part))
            yield part
            waiting += parts_of(part)


def test_nothing_in_a_value_can_be_changed(played: Played, looked_at: tuple[int, ...]) -> None:
    one_of_each = {type(part): part for part in all_parts(values_of(played, looked_at))}
    for part in one_of_each.values():
        for name in names_of(part):
            with pytest.raises(AttributeError):
                setattr(part, name, None)
            with pytest.raises(AttributeError):
                delattr(part, name)
        with pytest.raises((AttributeError, TypeError)):  # Python 3.11 raises TypeError for a frozen class with slots
            part.no_such_field = None


def test_values_hash_copy_and_pickle(played: Played, looked_at: tuple[int, ...]) -> None:
    """One of each type, and every fifth of all."""
    values = values_of(played, looked_at)
    for _, value in {*{type(value): value for value in values}.items(), *((type(each), each) for each in values[::5])}:
        for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert other == value
            assert type(other) is type(value)
            assert hash(other) == hash(value)
            assert repr(other) == repr(value)


@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}, ((), ([],))], ids=repr)
def test_what_can_be_changed_is_found(value: Any) -> None:
    with pytest.raises(AssertionError, match="could be changed"):
        list(all_parts([value]))
