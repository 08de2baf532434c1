"""The golden pictures' pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rendering.core.canvas import Page
from rendering.core.pixel_cache import cache
from tests.goldens.case import Case
from tests.goldens.views import CASES

cache.most = 160 * 2**20  # the sprites of all games at once: to compress them costs more than they take


@pytest.fixture(scope="session", params=CASES, ids=lambda case: case.file)
def case(request: pytest.FixtureRequest) -> Case:
    """Each golden picture. All tests of one run before those of the next, while its sprites are still in the cache."""
    found: Case = request.param
    return found


@pytest.fixture(scope="session")
def page(case: Case) -> Page:
    """The page of the golden picture."""
    return case.page()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The lines that pages have written."""
    lines: list[str] = []
    text = Page.text

    def noted(page: Page, x: float, y: float, said: str, *how: Any, **more: Any) -> int:
        lines.append(said)
        return text(page, x, y, said, *how, **more)

    monkeypatch.setattr(Page, "text", noted)
    yield lines
