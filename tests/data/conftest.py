"""The database that these tests share, of each engine, and the two users that it knows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.records.people import People
from data.store.database import Database

ANN, BEN = 100, 200
ONLY_SQLITE = pytest.mark.parametrize("target", ["sqlite"], indirect=True)
"""For a test of what SQLite alone does."""


@pytest.fixture
async def base(target: Path | str) -> AsyncIterator[Database]:
    opened = await Database.open(target)
    people = People(opened)
    await people.meet(ANN, "Ann")
    await people.meet(BEN, "Ben")
    yield opened
    await opened.close()
