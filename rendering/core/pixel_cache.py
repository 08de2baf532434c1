"""A cache of pixels for the pictures of all games, limited in bytes. It drops the least recently used pixels first.

A caller that needs the same pixels often keeps a number and a function that draws them, and asks the cache each time.
Each number is used once, so a number never names other pixels, even after the cache dropped the first ones.

Most sprites take milliseconds to draw, and a game's background fifty. So pixels that leave the cache stay compressed,
in a tenth of the room or less, and come back in a fraction of the time.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from ctypes import CDLL
from itertools import count
from threading import Lock
from typing import NamedTuple, TypeVar, cast

from PIL import Image
from zlib_ng import zlib_ng as zlib

MOST_BYTES = 28 * 2**20
"""Enough for the pictures of some matches: what a page has in common with a kept one needs no pixels."""
MOST_PACKED_BYTES = 40 * 2**20
"""Enough for the cards, pieces and backgrounds of all games."""

MOST_BRIEF_BYTES = 16 * 2**20
"""Enough for the words on some pages, and for sprites in shade."""

Layers = tuple[Image.Image | bytes, ...]
T = TypeVar("T", bound=Layers)

pixel_numbers = count()
"""The next number for pixels, in this process."""


def byte_size(layers: Layers) -> int:
    """Return the size of layers in bytes. Pillow uses four bytes for a pixel of several channels."""
    return sum(
        len(part) if isinstance(part, bytes) else part.width * part.height * (1 if part.mode in "LP" else 4)
        for part in layers
    )


PACKED_OVERHEAD = 400
"""Bytes that Python needs for a compressed layer beside its data."""


class Packed(NamedTuple):
    """Compressed layers."""

    kind: Callable[..., Layers]
    """The class of the layers: a tuple, or a class of named tuples."""
    parts: tuple[tuple[bytes, tuple[str, tuple[int, int]] | None], ...]
    """The data of each layer, and an image's mode and size."""

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return sum(len(data) + PACKED_OVERHEAD for data, _ in self.parts)


def pack(layers: Layers) -> Packed:
    """Compress layers."""
    parts = tuple(
        (zlib.compress(part, 2), None)
        if isinstance(part, bytes)
        else (zlib.compress(part.tobytes(), 2), (part.mode, part.size))
        for part in layers
    )
    return Packed(type(layers), parts)


def unpack(packed: Packed) -> Layers:
    """Return the layers that `pack` compressed."""
    parts: Layers = tuple(
        Image.frombytes(*shape, zlib.decompress(data)) if shape else zlib.decompress(data)
        for data, shape in packed.parts
    )
    return parts if packed.kind is tuple else packed.kind(*parts)


class PixelCache:
    """At most `most` bytes of pixels, and `most_packed` bytes of compressed ones. Callers may still hold dropped ones.
    Thread-safe.
    """

    def __init__(self, most: int, most_packed: int) -> None:
        self.most, self.most_packed = most, most_packed
        self.size = self.packed_size = 0
        self.layers: OrderedDict[int, Layers] = OrderedDict()
        self.packed: OrderedDict[int, Packed] = OrderedDict()
        self._lock = Lock()

    def get(self, number: int, draw: Callable[[], T]) -> T:
        """Return the pixels of that number. If the cache lacks them, draw them. One number belongs to one `draw`."""
        with self._lock:
            if number in self.layers:
                self.layers.move_to_end(number)
                return cast("T", self.layers[number])  # the same `draw` returned it
            packed = self.packed.get(number)
        # Not under the lock: most pixels are made of other pixels in the cache.
        found = draw() if packed is None else cast("T", unpack(packed))
        with self._lock:
            if number not in self.layers:
                self.layers[number] = found
                self.size += byte_size(found)
            while self.size > self.most:
                self._pack(*self.layers.popitem(last=False))
        return found

    def drop(self) -> None:
        """Drop all pixels that are not compressed."""
        with self._lock:
            self.layers.clear()
            self.size = 0

    def _pack(self, number: int, layers: Layers) -> None:
        """Keep the layers compressed, if the cache keeps any so."""
        self.size -= byte_size(layers)
        if not self.most_packed:
            return
        if number in self.packed:
            self.packed.move_to_end(number)
            return
        self.packed[number] = packed = pack(layers)
        self.packed_size += packed.size
        while self.packed_size > self.most_packed:
            _, gone = self.packed.popitem(last=False)
            self.packed_size -= gone.size


cache = PixelCache(MOST_BYTES, MOST_PACKED_BYTES)
brief = PixelCache(MOST_BRIEF_BYTES, 0)
"""What is drawn as fast as it would be compressed: words, most of which are on one page only, and sprites in shade."""


def return_memory() -> None:
    """Give memory back to the system that was freed and that the allocator keeps; glibc's alone does so when asked."""
    trim = getattr(CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def share_memory(parts: int) -> None:
    """Share the limit of pixels among so many processes that draw. Each has all compressed ones: they cost most."""
    cache.most, brief.most = MOST_BYTES // parts, MOST_BRIEF_BYTES // parts
