"""Pages of one match as what lies on them: each layer's picture once, and where it lies on which page. So hundreds of
pages need little more room than a few, and keep every pixel.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from functools import lru_cache, partial
from hashlib import sha256
from io import BytesIO
from typing import NamedTuple

from rendering.core.canvas import Ground, Page
from rendering.core.pixel_cache import PixelCache, pixel_numbers
from rendering.core.sprites import Sprite, Tint

LOSSLESS = 100
MOST_NAMED = 8_000
"""Limit of the layers whose names are remembered."""
_files = PixelCache(8 * 2**20, 0)
"""Files of pictures: about half of a page is as on the page before of the same game, and to encode takes longest."""


class Layer(NamedTuple):
    """A picture that lies on a page: its name, which equal pictures share, and its left and upper edge."""

    name: str
    left: int
    top: int


class Sheet(NamedTuple):
    """A page: its height in pixels, and its layers, the lowest first."""

    height: int
    layers: tuple[Layer, ...]


def layered(pages: Iterable[Page], known: Collection[str], quality: int) -> tuple[bytes, str]:
    """Return the pages as `read_layered` reads them, with the pictures whose names are not `known`.

    `quality`: WebP's, of colours and edges; 100 keeps every pixel.
    """
    sheets, files = [], dict[str, bytes]()
    for page in pages:
        layers = []
        for what, left, top in page.layers():
            name = _name(what)
            if name not in known and name not in files:
                (files[name],) = _files.get(_number(name, quality), partial(_encoded, what, quality))
            layers.append(Layer(name, left, top))
        sheets.append(Sheet(page.height, tuple(layers)))
    told = {"sheets": sheets, "files": {name: len(file) for name, file in files.items()}}
    return b"".join(files.values()), json.dumps(told)


def read_layered(data: bytes, told: str) -> tuple[list[Sheet], dict[str, bytes]]:
    """Return the pages, and the pictures by name."""
    found = json.loads(told)
    sheets = [Sheet(height, tuple(Layer(*layer) for layer in layers)) for height, layers in found["sheets"]]
    files, at = {}, 0
    for name, size in found["files"].items():
        files[name] = data[at : at + size]
        at += size
    return sheets, files


@lru_cache(maxsize=MOST_NAMED)
def _name(what: Sprite | Tint | Ground) -> str:
    layer = what.layer
    return sha256(repr((layer.mode, layer.size)).encode() + layer.tobytes()).hexdigest()[:16]


@lru_cache(maxsize=MOST_NAMED)
def _number(name: str, quality: int) -> int:
    return next(pixel_numbers)


def _encoded(what: Sprite | Tint | Ground, quality: int) -> tuple[bytes]:
    """Return the one file of a picture; with loss only if that makes it smaller, as it seldom does with a few
    colours.
    """
    ways = [{"lossless": True, "quality": 50}]
    if quality != LOSSLESS:
        ways.append({"quality": quality, "alpha_quality": quality})
    files = []
    for way in ways:
        file = BytesIO()
        what.layer.save(file, "WEBP", method=2, **way)
        files.append(file.getvalue())
    return (min(files, key=len),)
