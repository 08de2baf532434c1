"""A mapping that keeps its most recently used values and drops the others."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lru(Generic[K, V]):
    """Holds at most `most` values. Setting and getting a value both count as use. One thread may read while another
    writes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: K) -> bool:
        return key in self._values

    def get(self, key: K) -> V | None:
        """Return the value, which becomes the most recently used; None if there is none."""
        value = self._values.get(key)
        if value is not None:
            try:
                self._values.move_to_end(key)
            except KeyError:  # another thread has dropped it since
                return value
        return value

    def __setitem__(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def pop(self, key: K) -> None:
        """Drop that value, if it is there."""
        self._values.pop(key, None)

    def clear(self) -> None:
        """Drop all values."""
        self._values.clear()
