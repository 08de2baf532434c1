"""Pixels never take more than their room, and those that were forgotten come back as they were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from PIL import Image

from rendering.core import sprites
from rendering.core.pixel_cache import PixelCache, byte_size
from rendering.core.sprites import Pen, Pixels, Sprite, resting, sprite


def square(side: int) -> Pixels:
    return Pixels(Image.new("RGB", (side, side), (side, 0, 0)), Image.new("L", (side, side), side))


def test_byte_size_is_what_pillow_takes() -> None:
    assert byte_size(square(10)) == 100 * 4 + 100
    assert byte_size((Image.new("P", (3, 5)), memoryview(bytes(7)))) == 15 + 7


def test_the_cache_keeps_its_limit() -> None:
    seed = 7
    print(f"sides by seed {seed}")
    random, cache = Random(seed), PixelCache(20_000)
    sides = [random.randrange(1, 70) for _ in range(60)]
    with ThreadPoolExecutor(4) as threads:
        asked = [random.randrange(60) for _ in range(2_000)]
        got = list(threads.map(lambda number: cache.get(number, lambda: square(sides[number])), asked))
    for number, found in zip(asked, got, strict=True):
        assert found.image.size == (sides[number],) * 2
    assert cache.size == sum(map(byte_size, cache._layers.values())) <= 20_000


def test_the_longest_unused_go_first() -> None:
    cache, drawn = PixelCache(3 * byte_size(square(10))), []

    def get(number: int) -> None:
        cache.get(number, lambda: drawn.append(number) or square(10))

    for number in (1, 2, 3, 1, 4, 1, 2):
        get(number)
    assert drawn == [1, 2, 3, 4, 2]


def test_a_sprite_comes_back_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    times = []

    @sprite
    def disc(size: int) -> Pixels:
        times.append(size)
        pen = Pen(size, size)
        pen.disc(size / 2, size / 2, size / 2, (9, 99, 199))
        return pen.pixels()

    monkeypatch.setattr(sprites, "cache", PixelCache(6_000))
    first = disc(30)
    looks = [one.tobytes() for one in (*first.pixels, *resting(first).pixels)]
    assert disc(32).pixels and disc(30) is first and resting(first) is resting(disc(30))
    again: Sprite = disc(30)
    assert [one.tobytes() for one in (*again.pixels, *resting(again).pixels)] == looks
    assert times == [30, 32, 30]
