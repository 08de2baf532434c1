"""A cache of pixels for the pictures of all games, limited in bytes. It drops the least recently used pixels first.

A caller that needs the same pixels often keeps a number and a function that draws them, and asks the cache each time.
Each number is used once, so a number never names other pixels, even after the cache dropped the first ones.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from threading import Lock
from typing import TypeVar, cast

from PIL import Image

MOST_BYTES = 96 * 2**20
"""Enough for a match: cached patches need no pixels, and a sprite is drawn again in milliseconds."""

Layers = tuple[Image.Image | memoryview, ...]
T = TypeVar("T", bound=Layers)

pixel_numbers = count()
"""The next number for pixels, in this process."""


def byte_size(layers: Layers) -> int:
    """Return the size of layers in bytes. Pillow uses four bytes for a pixel of several channels."""
    return sum(
        part.nbytes if isinstance(part, memoryview) else part.width * part.height * (1 if part.mode in "LP" else 4)
        for part in layers
    )


class PixelCache:
    """At most `most` bytes of pixels; callers may still hold dropped ones. Thread-safe."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._layers: OrderedDict[int, Layers] = OrderedDict()
        self._lock = Lock()

    def get(self, number: int, draw: Callable[[], T]) -> T:
        """Return the pixels of that number. If the cache lacks them, draw them. One number belongs to one `draw`."""
        with self._lock:
            if number in self._layers:
                self._layers.move_to_end(number)
                return cast("T", self._layers[number])  # the same `draw` returned it
        drawn = draw()  # not under the lock: most pixels are made of other pixels in the cache
        with self._lock:
            if number not in self._layers:
                self._layers[number] = drawn
                self.size += byte_size(drawn)
            while self.size > self.most:
                _, gone = self._layers.popitem(last=False)
                self.size -= byte_size(gone)
        return drawn


cache = PixelCache(MOST_BYTES)
