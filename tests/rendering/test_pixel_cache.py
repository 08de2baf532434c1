"""Pixels never take more than their room, and those that were forgotten come back as they were."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from platform import libc_ver
from random import Random

import pytest
from PIL import Image

import rendering
from data.content.texts import texts
from rendering.core import sprites
from rendering.core.art import mirrored
from rendering.core.pixel_cache import PixelCache, brief, byte_size, pack, return_memory, unpack
from rendering.core.sprites import Pen, Pixels, Sprite, sprite


def square(side: int) -> Pixels:
    return Pixels(Image.new("RGB", (side, side), (side, 0, 0)), Image.new("L", (side, side), side))


def test_byte_size_is_what_pillow_takes() -> None:
    assert byte_size(square(10)) == 100 * 4 + 100
    assert byte_size((Image.new("P", (3, 5)), bytes(7))) == 15 + 7


def test_packed_layers_come_back_as_they_were() -> None:
    found = unpack(pack(square(9)))
    assert isinstance(found, Pixels) and [one.tobytes() for one in found] == [one.tobytes() for one in square(9)]
    plain = (Image.new("P", (3, 5), 4), b"rows")
    image, rows = unpack(pack(plain))
    assert isinstance(image, Image.Image) and image.tobytes() == plain[0].tobytes() and rows == b"rows"


def test_the_cache_keeps_its_limits() -> None:
    seed = 7
    print(f"sides by seed {seed}")
    random, cache = Random(seed), PixelCache(20_000, 3_000)
    sides = [random.randrange(1, 70) for _ in range(60)]
    with ThreadPoolExecutor(4) as threads:
        asked = [random.randrange(60) for _ in range(2_000)]
        got = list(threads.map(lambda number: cache.get(number, lambda: square(sides[number])), asked))
    for number, found in zip(asked, got, strict=True):
        assert found.image.size == (sides[number],) * 2
    assert cache.size == sum(map(byte_size, cache.layers.values())) <= 20_000
    assert cache.packed_size == sum(packed.size for packed in cache.packed.values()) <= 3_000


def test_the_longest_unused_go_first() -> None:
    cache, drawn = PixelCache(3 * byte_size(square(10)), 0), []

    def get(number: int) -> None:
        cache.get(number, lambda: drawn.append(number) or square(10))

    for number in (1, 2, 3, 1, 4, 1, 2):
        get(number)
    assert drawn == [1, 2, 3, 4, 2]


def test_what_left_the_cache_is_not_drawn_again() -> None:
    cache, drawn = PixelCache(byte_size(square(10)), 10**6), []
    for number in (1, 2, 1, 2, 1):
        found = cache.get(number, lambda: drawn.append(1) or square(10))
        assert isinstance(found, Pixels) and found.image.tobytes() == square(10).image.tobytes()
    assert len(drawn) == 2


def test_a_sprite_comes_back_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sprites, "cache", PixelCache(6_000, 0))
    times = []

    @sprite
    def disc(size: int) -> Pixels:
        times.append(size)
        pen = Pen(size, size)
        pen.disc(size / 2, size / 2, size / 2, (9, 99, 199))
        return pen.pixels()

    first = disc(30)
    looks = [one.tobytes() for one in (*first.pixels, *mirrored(first).pixels)]
    assert disc(32).pixels and disc(30) is first and mirrored(first) is mirrored(disc(30))
    again: Sprite = disc(30)
    assert [one.tobytes() for one in (*again.pixels, *mirrored(again).pixels)] == looks
    assert times == [30, 32, 30]


def test_what_is_drawn_beforehand_leaves_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "PREWARM_PLIES", 1)
    most = 0
    for _ in rendering.prewarm("full_sun", texts("en", "full_sun")):
        most = max(most, brief.size)
    assert most > 100_000
    assert brief.size == len(brief.layers) == 0


@pytest.mark.skipif(libc_ver()[0] != "glibc" or sys.platform != "linux", reason="only this allocator returns memory")
def test_freed_memory_between_pieces_in_use_goes_back() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    pieces = [bytes(30_000) for _ in range(2_000)]
    pieces = pieces[::20]
    before = resident()
    return_memory()
    assert before - resident() > 20_000_000
    assert len(pieces) == 100
