"""The file shows what was laid on the page, whatever was composed before and whatever of that is kept no longer."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache, partial
from io import BytesIO
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image, ImageChops

from rendering.core import canvas, lettering, pixel_cache, sprites, theme
from rendering.core.canvas import MOST_HAND_BYTES, Page, Stroke
from rendering.core.sprites import Pixels
from rules import GAMES
from tests.rendering.play import drawn, game, labels, viewers


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Little is kept: pixels are drawn again and again, and texts get other numbers."""
    monkeypatch.setattr(canvas, "kept_pages", canvas.Pages(4_000_000))
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
        assert shown.tobytes() == canvas.in_palette(page.image, page.slug).convert("RGB").tobytes()
        pages.drawn += 1
        return found

    monkeypatch.setattr(Page, "png", png)
    return pages


@pytest.mark.games("slug", short=["photosynthesis"], long=GAMES)
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


@pytest.mark.parametrize("slug", GAMES)
def test_a_prepared_page_only_has_to_be_laid(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, made = pixel_cache.PixelCache(300_000_000, 30_000_000), []
    get = fresh.get

    def noted(number: int, draw: Callable[[], Any]) -> Any:
        return get(number, lambda: (made.append(number), draw())[1])

    monkeypatch.setattr(fresh, "get", noted)
    for module in (canvas, sprites):
        monkeypatch.setattr(module, "cache", fresh)
    states, _ = game(slug, max(GAMES[slug].seats), "canvas")
    page = drawn(slug).paint(states[-2].view(None), labels(slug, max(GAMES[slug].seats)))
    page.prepare()
    prepared = len(made)
    page.png()
    assert len(made) == prepared > 0


def test_kept_pages_are_weighed(forgetful: SimpleNamespace) -> None:
    """New names keep coming, so without a limit each drawn page would stay."""
    slug = "full_sun"
    states, _ = game(slug, 3, "canvas")
    for number in range(12):
        drawn(slug).draw(states[-1].view(None), labels(slug, 3, (f"A{number}", f"B{number}", f"C{number}")))
        kept = canvas.kept_pages
        assert 0 < len(kept.pages) < 4
        assert sum(page.size for page in kept.pages) == kept.size <= kept.most


def test_the_same_strokes_in_another_order_are_drawn_again(forgetful: SimpleNamespace) -> None:
    opaque = Image.new("L", (60, 60), 255)
    tiles = (Pixels(Image.new("RGB", (60, 60), colour), opaque) for colour in (theme.ALARM, theme.BRASS_LIGHT))
    red, blue = (sprites.Sprite(partial(tuple.__getitem__, (tile,), 0)) for tile in tiles)
    files = []
    for order in ((red, blue), (blue, red), (red, blue, red), (red, blue)):
        page = Page("full_sun", 200, canvas.dark)
        for sprite in order:
            page.place(sprite, 20 + 10 * (sprite is red), 30)
        files.append(page.png())
    assert files[0] == files[3] != files[1] == files[2]


def test_strokes_in_another_order_are_composed_again_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is as if no other had been drawn before, whatever the order of its strokes."""
    seed = Random().getrandbits(32)
    print("seed:", seed)
    random = Random(seed)
    tile = Image.new("L", (70, 70), 255)
    colours = [random.choice(theme.COLOURS) for _ in range(12)]
    tiles = [sprites.Sprite(partial(Pixels, Image.new("RGB", (70, 70), colour), tile)) for colour in colours]
    placed = [(one, random.randrange(400), random.randrange(300)) for one in tiles]
    last = sprites.Sprite(partial(Pixels, Image.new("RGB", (70, 70), theme.ALARM), tile)), 0, 400
    files = []
    for kept in (canvas.Pages(), None):
        orders = Random(seed)
        monkeypatch.setattr(canvas, "kept_pages", kept or canvas.Pages())
        for _ in range(8):
            if kept is None:
                monkeypatch.setattr(canvas, "kept_pages", canvas.Pages())
            page = Page("full_sun", 480, canvas.dark)
            for one in (*orders.choices(placed, k=3), *orders.sample(placed, 9), last):
                page.place(*one)
            files.append(page.png())
            drawn = canvas.kept_pages.pages
            assert len(drawn) < 2 or drawn[-1].bands[9] is drawn[-2].bands[9], "the last stroke stays"
    assert files[:8] == files[8:]


def test_a_large_file_is_compressed_well_where_that_saves_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes depend on what the file shows, and not on what was drawn before."""
    monkeypatch.setattr(canvas, "REST_OF_FILE", MOST_HAND_BYTES - 40_000)
    slug, files = "sea_change", []
    states, _ = game(slug, 4, "canvas")
    for _ in range(2):
        monkeypatch.setattr(canvas, "kept_pages", canvas.Pages())
        found = [drawn(slug).draw(state.view(None), labels(slug, 4)) for state in states[:6]]
        files.append(found)
        kept = canvas.kept_pages.pages[-1]
        assert kept.smaller and all(len(band.packed) < len(kept.bands[at].packed) for at, band in kept.smaller.items())
        states = states[5::-1] + states[6:]
    assert files[0] == files[1][::-1]
    monkeypatch.setattr(canvas, "REST_OF_FILE", -(10**6))
    monkeypatch.setattr(canvas, "kept_pages", canvas.Pages())
    assert len(drawn(slug).draw(states[0].view(None), labels(slug, 4))) > len(files[1][0])


def test_boxes_are_joined_only_if_that_saves_time() -> None:
    def stroke(left: int, top: int, width: int, height: int) -> Stroke:
        full = sprites.Tint((0, 0, 0), (width, height), lambda: Image.new("L", (width, height), 255))
        return Stroke(full, left, top, left + width, top + height)

    far = [stroke(0, 0, 200, 200), stroke(900, 500, 200, 200)]
    assert canvas.joined(far, 900) == [(0, 0, 200, 200), (900, 500, 1100, 700)]
    assert canvas.joined([*far, stroke(10, 10, 200, 200)], 900) == [(900, 500, 1100, 700), (0, 0, 210, 210)]
    assert canvas.joined([stroke(-50, 850, 100, 100), stroke(1300, 0, 50, 50)], 900) == [(0, 850, 50, 900)]


def test_empty_room_round_letters_does_not_change_a_page() -> None:
    mask = Image.new("L", (90, 40))
    mask.paste(255, (30, 10, 60, 30))
    stroke = Stroke(sprites.Tint((0, 0, 0), (90, 40), lambda: mask), 100, 200, 190, 240)
    assert canvas.joined([stroke], 900) == [(130, 210, 160, 230)]
    image = sprites.laid(Image.new("RGB", (400, 400), (255, 255, 255)), stroke[:3])
    assert ImageChops.invert(image).getbbox() == (130, 210, 160, 230)
