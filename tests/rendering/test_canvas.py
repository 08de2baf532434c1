"""The file shows what was laid on the page, whatever was composed before and whatever of that is kept no longer."""

from __future__ import annotations

import gc
from functools import lru_cache
from io import BytesIO
from random import Random
from types import SimpleNamespace

import pytest
from PIL import Image

from rendering.core import canvas, lettering, pixel_cache, sprites
from rendering.core.canvas import Page
from rules import GAMES
from tests.rendering.play import drawn, game, labels, viewers


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Little is kept: pixels are drawn again and again, and texts get other numbers."""
    monkeypatch.setattr(canvas, "MOST_PATCH_BYTES", 400_000)
    monkeypatch.setattr(canvas, "MOST_BANDS", 60)
    monkeypatch.setattr(canvas, "_cache", canvas.PatchCache())
    little = pixel_cache.PixelCache(32_000_000, 1_000_000)
    for module in (canvas, sprites):
        monkeypatch.setattr(module, "cache", little)
    monkeypatch.setattr(sprites, "text_tint", lru_cache(maxsize=3)(sprites.text_tint.__wrapped__))
    for name in ("_word_mask", "fit", "shorten"):
        monkeypatch.setattr(lettering, name, lru_cache(maxsize=3)(getattr(lettering, name).__wrapped__))
    pages = SimpleNamespace(drawn=0)
    file = Page.png

    def png(page: Page) -> bytes:
        found = file(page)
        shown = Image.open(BytesIO(found)).convert("RGB")
        assert shown.tobytes() == canvas._matched(page.image, page.slug).convert("RGB").tobytes()
        pages.drawn += 1
        return found

    monkeypatch.setattr(Page, "png", png)
    return pages


@pytest.mark.parametrize("slug", GAMES)
def test_the_file_shows_what_was_laid(slug: str, forgetful: SimpleNamespace) -> None:
    print(f"positions by seed {slug}")
    random, seats = Random(slug), max(GAMES[slug].seats)
    states, _ = game(slug, seats, "canvas")
    for _ in range(2):
        found = labels(slug, seats, tuple(f"{random.random():.9f}" for _ in range(seats)))
        for _ in range(3):
            state, viewer = random.choice(states), random.choice(list(viewers(seats)))
            drawn(slug).draw(state.view(viewer), found)
        drawn(slug).last(random.choice(states).view(None), found)
        gc.collect()
    assert forgetful.drawn >= 6


def test_patches_are_weighed(forgetful: SimpleNamespace) -> None:
    """Names never end: each that was once drawn would stay."""
    slug = "full_sun"
    states, _ = game(slug, 3, "canvas")
    most, before = 0, 0
    for number in range(12):
        drawn(slug).draw(states[-1].view(None), labels(slug, 3, (f"A{number}", f"B{number}", f"C{number}")))
        cache = canvas._cache
        weighed = [patch.image.width * patch.image.height + canvas.PATCH_OVERHEAD for patch in cache.patches.values()]
        assert sum(weighed) == cache.size
        most, before = max(most, cache.size - before), min(cache.size, canvas.MOST_PATCH_BYTES)
    assert cache.size <= canvas.MOST_PATCH_BYTES + most


def test_bands_are_few_though_patches_are_old(forgetful: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known patches in new places make new bands."""
    monkeypatch.setattr(canvas, "MOST_PATCH_BYTES", 10**9)
    states, _ = game("full_circle", 3, "canvas")
    for state in states[:40]:
        drawn("full_circle").draw(state.view(None), labels("full_circle", 3, ("A", "B", "C")))
        assert len(canvas._cache.bands) <= canvas.MOST_BANDS + 1300 // canvas.BAND
    assert forgetful.drawn == 40
