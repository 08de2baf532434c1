"""The database that these tests share, and the two users that it knows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.records.people import People
from data.store.database import Database

ANN, BEN = 100, 200


@pytest.fixture
async def base(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path / "sundial.db")
    people = People(opened)
    await people.meet(ANN, "Ann")
    await people.meet(BEN, "Ben")
    yield opened
    await opened.close()
