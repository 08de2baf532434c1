"""What these tests share: the database of each engine with the two users that it knows, others with matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.records.histories import Histories
from data.records.people import People
from data.store import backup_files
from data.store.database import Database
from data.store.postgres_schema import TABLES
from tests.data.moving import content, fill
from tests.data.test_schemas import EARLIER, old
from tests.data.users import ANN, BEN, CEM, DEA
from tests.support.past import Past

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


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with something in every table. Tests copy it."""
    folder = tmp_path_factory.mktemp("filled")
    path = old(folder, EARLIER[-1])
    asyncio.run(fill(path))
    stored = content(path)
    assert [table for table in TABLES if not stored[table]] == []
    return path


@pytest.fixture
def file(filled: Path, tmp_path: Path) -> Path:
    """A copy of that file, with the list of deleted users."""
    for name in ("sundial.db", "sundial.db.departed"):
        backup_files.copy_file(filled.with_name(name), tmp_path / name)
    return tmp_path / "sundial.db"


@pytest.fixture
def histories(base: Database) -> Histories:
    return Histories(base)


@pytest.fixture
def past(base: Database) -> Past:
    found = Past(base)
    found.names = {ANN: "Ann", BEN: "Ben", CEM: "Cem", DEA: "Dea"}
    return found


@pytest.fixture
async def played(past: Past) -> AsyncIterator[Past]:
    """Ann has met all others."""
    await past.played(ANN, BEN, CEM, DEA)
    await past.played(ANN, BEN, CEM, DEA, sides=(0, 1, 0, 1), ranks=(1, 3, 1, 3))
    await past.played(BEN, ANN, DEA)
    await past.played(BEN, CEM, DEA)
    yield past
