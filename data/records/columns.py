"""Fields of dataclasses as columns: what makes a field of its column, and back, by the field's type."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, StrEnum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from data.store.engine import Row
from data.store.hash_chain import encode

_AS_IS = {int, str, bytes, NoneType}
Readers = Mapping[str, Callable[[Any], Any]]


def readers(kind: type[Any], names: Iterable[str]) -> Readers:
    """Return what makes these fields of their columns, by name; without those that are the same as their column."""
    hints = get_type_hints(kind)
    return {name: reader for name in names if (reader := _reader(hints[name])) is not None}


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    kind = next(kind for kind in (get_args(hint) if isinstance(hint, UnionType) else (hint,)) if kind is not NoneType)
    if get_origin(kind) is dict:
        return json.loads
    if get_origin(kind) is tuple:
        return lambda text: tuple(json.loads(text))
    parse: Callable[[Any], Any] | None = getattr(kind, "parse", None)
    return parse or (kind if isinstance(kind, type) and issubclass(kind, bool | Enum) else None)


def fields_of(row: Row, by_name: Readers) -> dict[str, Any]:
    """Return the fields of a row. NULL is None. Raises ValueError for a value that no such field has."""
    found = dict(zip(row.keys(), row, strict=True))
    for name, read in by_name.items():
        if found[name] is not None:
            found[name] = read(found[name])
    return found


def column(value: Any) -> Any:
    """Return a field's value as it is stored."""
    if type(value) in _AS_IS:
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict):
        return encode(value)
    if isinstance(value, tuple | list):
        return json.dumps(value)
    return str(value) if isinstance(value, StrEnum) or hasattr(value, "parse") else value
