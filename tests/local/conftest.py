"""The browser of these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from .browser import BROWSERS, chromium, find_chromium


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser for one test: while one is open, its event loop runs, and no asynchronous test can."""
    path = find_chromium()
    if path is None:
        pytest.skip(f"nothing of {', '.join(BROWSERS)} is on PATH: --local is not seen in a browser")
    with chromium(path) as browser:
        yield browser
