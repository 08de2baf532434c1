"""How much of a picture is bare ground, measured from the pixels of the golden pictures.

A picture is cut into blocks of 30 pixels. A block is bare if no channel differs by more than BARE levels in it.
"""

from __future__ import annotations

import pytest
from PIL import Image

from rendering.core.canvas import Page
from tests.goldens.case import Case
from tests.rendering.play import MEASURED
from tests.support.published import PUBLISHED

BLOCK, BARE = 30, 16
MOST_BARE = 0.30
MOST_BARE_IN_A_STORY = 0.36
"""Tables of scores and charts need quiet ground."""


def bare(image: Image.Image) -> float:
    """Return the share of the blocks that are bare."""
    blocks = [
        image.crop((x, y, x + BLOCK, y + BLOCK)).getextrema()
        for y in range(0, image.height - BLOCK + 1, BLOCK)
        for x in range(0, image.width - BLOCK + 1, BLOCK)
    ]
    return sum(max(high - low for low, high in block) <= BARE for block in blocks) / len(blocks)


@pytest.mark.parametrize("case", MEASURED, indirect=True)
def test_little_of_a_picture_is_bare(case: Case, page: Page) -> None:
    if case.slug not in PUBLISHED:
        pytest.skip("a game that is being made has no painted ground yet")
    story = case.name in ("result", "round", "profile")
    share = bare(page.image.convert("RGB"))
    assert share <= (MOST_BARE_IN_A_STORY if story else MOST_BARE), f"{share:.0%} of {case.file} is bare"


def test_what_is_empty_is_bare() -> None:
    assert bare(Image.new("RGB", (300, 300), (40, 60, 80))) == 1
