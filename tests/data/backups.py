"""What the tests of backups share: a database with something in it, the service, and refusals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from data.store import backup_files
from data.store.backups import Backups, restore
from data.store.database import Database, DatabaseRefusal
from tests.data.test_schemas import FIRST, old
from tests.support.hung import HUNG

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PATIENCE = HUNG
"""Seconds until something that ought to happen has not."""


def service(base: Database, path: Path, when: datetime = NOON, *, sure: bool = True) -> Backups:
    return Backups(base, path, 60, when.timestamp, lambda: sure)


async def running(folder: Path) -> tuple[Path, Database]:
    """A database with a running match of each game, and a backup from before its upgrade, a day ago."""
    path = old(folder, FIRST)
    base = await Database.open(path)
    (before,) = backup_files.backups(path)
    before.path.rename(backup_files.name(path, NOON - timedelta(days=1), FIRST))
    return path, base


def refused(path: Path, chosen: Path | None = None) -> DatabaseRefusal:
    with pytest.raises(DatabaseRefusal) as caught:
        restore(path, chosen, NOON)
    return caught.value
