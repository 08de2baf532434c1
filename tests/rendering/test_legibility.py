"""Measured on the golden pictures: type that a phone can show, and colours that can be read on what lies under them.

A phone shows a picture about 400 pixels wide, a third of its width. So capitals have at least 24 pixels, 8 there.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PIL import Image, ImageStat

from rendering.core import canvas, lettering, pixel_cache, sprites, theme
from rendering.core.canvas import Page
from rendering.core.sprites import Pen, Tint
from rules import GAMES
from tests.goldens.views import CASES
from tests.rendering.play import MEASURED
from tests.support.colours import contrast
from tests.support.pixels import lettering_of

LEAST_CAPITALS = 24
TITLE = 100
"""Type of this size and above is a cover's title, which has an outline."""
LEAST_CONTRAST = 4.5


def rows(mask: Image.Image) -> int:
    """The rows of a mask that are at least half covered somewhere."""
    box = mask.point([0] * 128 + [255] * 128).getbbox()
    assert box is not None
    return box[3] - box[1]


def writing(page: Page) -> Iterator[tuple[str, int, Image.Image, tuple[int, int, int], Image.Image]]:
    """Each text laid on the page: the text, its size, its mask, its colour, and what lies under the mask."""
    below = page.ground.layer.split()
    for stroke in page.strokes:
        drawn = stroke.what
        if isinstance(drawn, Tint) and (words := lettering_of(drawn)) is not None:
            text, size, _ = words.args
            mask = words()
            if box := mask.getbbox():
                left, top = stroke.left, stroke.top
                under = [plane.crop((left + box[0], top + box[1], left + box[2], top + box[3])) for plane in below]
                yield text, size, mask.crop(box), drawn.colour, Image.merge("RGB", under)
        stroke.what.lay([plane.im for plane in below], (stroke.left, stroke.top))


def test_the_smallest_type_is_large_enough() -> None:
    assert rows(lettering.mask("H", theme.SMALL, lettering.TEXT)) >= LEAST_CAPITALS


@pytest.mark.parametrize("case", MEASURED, indirect=True)
def test_what_is_written_can_be_read(page: Page) -> None:
    found = list(writing(page))
    assert [(text, size) for text, size, *_ in found if size < theme.SMALL] == []
    faint = []
    for text, size, mask, colour, under in found:
        red, green, blue = (round(value) for value in ImageStat.Stat(under, mask).mean)
        if size < TITLE and (ratio := contrast(colour, (red, green, blue))) < LEAST_CONTRAST:
            faint.append((text, round(ratio, 2)))
    assert faint == []


@pytest.mark.games("slug", short=["siege_of_sunfall"], long=GAMES)
def test_figures_on_pieces_are_large_enough(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are counted. A single letter stands beside a sign that says the same, and may be smaller."""
    fresh = pixel_cache.PixelCache(pixel_cache.MOST_BYTES, 0)
    for module in (canvas, sprites):
        monkeypatch.setattr(module, "cache", fresh)
    monkeypatch.setattr(canvas, "kept_pages", canvas.Pages())
    small, write = set(), Pen.text

    def text(pen: Pen, x: float, y: float, text: str, size: float, *more: object) -> None:
        if size < theme.SMALL and any(letter.isdigit() for letter in text):
            small.add((text, round(size, 1)))
        write(pen, x, y, text, size, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Pen, "text", text)
    for case in CASES:
        if case.slug == slug and not case.name.startswith("cover"):
            assert case.page().png()
            assert small == set(), case.file
