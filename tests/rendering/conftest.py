"""The golden pictures' pages."""

from __future__ import annotations

import pytest

from rendering.core.canvas import Page
from tests.goldens.case import Case
from tests.goldens.views import CASES


@pytest.fixture(scope="session", params=CASES, ids=lambda case: case.file)
def case(request: pytest.FixtureRequest) -> Case:
    """Each golden picture. All tests of one run before those of the next, while its sprites are still in the cache."""
    found: Case = request.param
    return found


@pytest.fixture(scope="session")
def page(case: Case) -> Page:
    """The page of the golden picture."""
    return case.page()
