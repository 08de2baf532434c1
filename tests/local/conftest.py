"""The browser that all these tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from .browser import chromium, find_chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium on PATH (chromium, chromium-browser, google-chrome): --local is not seen in a browser")
    with chromium(path) as browser:
        yield browser


@pytest.fixture(autouse=True)
def _tabs_are_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """A tab left open goes on asking a server that is gone, beside all tests to come."""
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()
