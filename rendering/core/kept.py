"""Pixels that can be drawn again: one store for all games' pictures, bounded in bytes; the longest unused go first.

Whoever wants pixels again and again keeps a number and the way to draw them, and asks the store each time. Numbers are
given once, so what is known by a number can never be taken for something else, whatever has been forgotten meanwhile.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import TypeVar

from PIL import Image

MOST_BYTES = 96 * 2**20
"""A match needs a part of it, known patches need no pixels, and a sprite is drawn anew in milliseconds."""

Layers = tuple[Image.Image | memoryview, ...]
T = TypeVar("T", bound=Layers)

numbers = count()
"""What pixels are known by, in this process."""


def weight(layers: Layers) -> int:
    """The bytes that they take: Pillow has four for a pixel of several channels."""
    return sum(
        part.nbytes if isinstance(part, memoryview) else part.width * part.height * (1 if part.mode in "LP" else 4)
        for part in layers
    )


class Store:
    """Never more than `most` bytes of pixels, whoever else may still hold some. Any thread may ask."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0
        self._layers: OrderedDict[int, Layers] = OrderedDict()
        self._lock = Lock()

    def get(self, number: int, draw: Callable[[], T]) -> T:
        """The pixels of that number, drawn where they are not there (any more). One number is for one `draw`."""
        with self._lock:
            if number in self._layers:
                self._layers.move_to_end(number)
                return self._layers[number]  # type: ignore[return-value]  # what that same `draw` gave
        drawn = draw()  # not under the lock: most are made of others
        with self._lock:
            if number not in self._layers:
                self._layers[number] = drawn
                self.held += weight(drawn)
            while self.held > self.most:
                _, gone = self._layers.popitem(last=False)
                self.held -= weight(gone)
        return drawn


store = Store(MOST_BYTES)
