"""A database that is older than the bot left it is noticed at the start, however it came there; any other is not."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from data.records.match import RestoreCheck
from data.records.matches import Matches
from data.records.privacy import Privacy
from data.store import backup_files, schema
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from data.store.lock import NO_ROOM
from tests.data.backups import service
from tests.data.test_database import ROOT, refused
from tests.data.test_preflight import files
from tests.data.test_restorations import lost
from tests.data.test_schemas import old
from tests.support.disk import disk_full
from tests.support.hung import HUNG

ANN = 101
KILLED = """
import asyncio, os, sys
from data.store.database import Database
async def live():
    base = await Database.open(sys.argv[1])
    await base.read(lambda c: c.execute(f"PRAGMA wal_autocheckpoint = {sys.argv[2]}").fetchall())
    for number in range(20):
        await base.write(lambda c: c.execute("INSERT OR REPLACE INTO setting VALUES ('life', ?)", (number,)).rowcount)
    os._exit(9)
asyncio.run(live())
"""


def killed(path: Path, pages: int = 1000) -> None:
    """A run that was killed, in which the log was taken in whenever it had so many pages."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path), str(pages)], cwd=ROOT, timeout=HUNG)
    assert ended.returncode == 9
    assert backup_files.wal(path).stat().st_size


async def started(path: Path) -> bool:
    """Start and end well. Whether the database was taken for an older one, the first match being compared."""
    base = await Database.open(path)
    match = await Matches(base).get(1)
    assert match is not None
    await base.write(lambda c: c.execute("UPDATE match SET doubt = NULL").rowcount)
    await base.close()
    return match.doubt is RestoreCheck.UNCHECKED


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database with a running match of each game, in which nothing is older."""
    path = old(tmp_path, schema_before_last())
    assert not await started(path), "the first start of this version"
    assert not await started(path)
    return path


def schema_before_last() -> int:
    return len(schema.steps()) - 1


def remove(path: Path, *suffixes: str) -> None:
    for suffix in suffixes:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


# --- what is older


@pytest.mark.parametrize("pages", [1000, 1], ids=["before anything was taken in", "after"])
async def test_without_its_log_after_a_kill(pages: int, path: Path) -> None:
    killed(path, pages)
    remove(path, "-wal")
    assert await started(path)
    assert not await started(path), "once"


async def test_without_its_log_and_its_shared_memory(path: Path) -> None:
    killed(path, 1)
    remove(path, "-wal", "-shm")
    assert await started(path)


async def test_without_the_log_that_had_all_of_it_there_is_none(tmp_path: Path) -> None:
    """What is left has no tables, and there were some: never an empty database in place of a lost one."""
    path = tmp_path / "sundial.db"
    killed(path)
    remove(path, "-wal", "-shm")
    before = files(tmp_path)
    assert "is empty" in str(await lost(path))
    assert files(tmp_path) == before


async def test_a_copy_of_an_earlier_day(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "copy")
    assert not await started(path)
    shutil.copy(path, tmp_path / "later")
    shutil.copy(tmp_path / "copy", path)
    assert await started(path)
    assert not await started(path)
    shutil.copy(tmp_path / "later", path)
    assert await started(path), "what was put aside for it is older by now too"


async def test_a_backup_put_in_place_by_hand(path: Path, tmp_path: Path) -> None:
    """Here, or on a machine where nothing tells of a later run."""
    base = await Database.open(path)
    backup = await service(base, path).make()
    await base.close()
    shutil.copy(backup, path)
    shutil.copy(backup, tmp_path / "other.db")
    assert await started(path)
    assert await started(tmp_path / "other.db")


async def test_the_copy_from_before_an_upgrade(tmp_path: Path) -> None:
    path = old(tmp_path, schema_before_last())
    assert not await started(path)
    shutil.copy(backup_files.backups(path)[0].path, path)
    assert await started(path)


# --- what is not


async def test_after_a_kill(path: Path) -> None:
    for pages in (1000, 1):
        killed(path, pages)
        assert not await started(path)
        killed(path, pages)
        killed(path, pages)
        remove(path, "-shm")
        assert not await started(path)


async def test_where_nothing_beside_it_tells(path: Path, tmp_path: Path) -> None:
    """As on another machine, or where only the database was kept."""
    remove(path, ".lock")
    assert not await started(path)
    killed(path)
    remove(path, ".lock")
    assert not await started(path)
    sign = path.with_name("sundial.db.lock")
    for torn in (b"", b"\xff\x00", sign.read_bytes()[:-4], bytes(200)):
        sign.write_bytes(torn)
        assert not await started(path)


async def test_where_the_sign_is_of_an_earlier_start(path: Path) -> None:
    """As after a power cut between what the start writes into the database and what it writes beside it."""
    sign = path.with_name("sundial.db.lock")
    before = sign.read_bytes()
    assert not await started(path)
    assert sign.read_bytes() != before
    sign.write_bytes(before)
    assert not await started(path)


@pytest.mark.parametrize("after_a_kill", [True, False])
@pytest.mark.parametrize("where", ["before the run", "at the sign"])
async def test_after_starts_that_fail(
    where: str, after_a_kill: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if after_a_kill:
        killed(path, 1)

    def full(*_: object) -> None:
        raise OSError(28, "full") if where == "at the sign" else disk_full()

    for _ in range(2):
        with monkeypatch.context() as patched:
            if where == "at the sign":
                patched.setattr("data.store.lock.os.fsync", full)
            else:
                patched.setattr("data.store.generations.begin", full)
            assert (await refused(path)).code == NO_ROOM
    assert not await started(path)


async def test_after_an_end_that_could_not_be_noted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk the log stays where it is, as after a kill."""
    base = await Database.open(path)
    await base.write(lambda c: c.execute("INSERT INTO setting VALUES ('kept', '')").rowcount)

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("full")

    with monkeypatch.context() as patched:
        patched.setattr("data.store.generations.end", full)
        await base.close()
    assert backup_files.wal(path).exists()
    assert not await started(path)
    assert not backup_files.wal(path).exists()


async def test_after_what_was_deleted_left_the_file(path: Path) -> None:
    """Which empties the log."""
    base = await Database.open(path)
    await base.clean()
    assert backup_files.wal(path).stat().st_size == 0
    for name in ("", "-wal", ".lock"):
        shutil.copy(path.with_name(path.name + name), path.with_name(f"killed.db{name}"))
    await base.close()
    assert not await started(path.with_name("killed.db"))


# --- who had their data deleted


async def test_only_those_of_whom_it_does_not_know_are_deleted_again(path: Path) -> None:
    """A person who has come back since their deletion stays, where the database knows of both."""
    base, before = await Database.open(path), path.with_name("before")
    privacy = Privacy(base, (), ErasureLog(path))
    await privacy.note_departure(ANN, 100)
    await privacy.erase(ANN, 100)
    await base.write(lambda c: c.execute("INSERT INTO person (user, name) VALUES (101, 'Ann')").rowcount)
    await base.close()
    shutil.copy(path, before)
    killed(path, 1)
    remove(path, "-wal")
    assert await _erased(path) == 0
    base = await Database.open(path)
    privacy = Privacy(base, (), ErasureLog(path))
    await privacy.note_departure(ANN, 200)
    await privacy.erase(ANN, 200)
    await base.close()
    shutil.copy(before, path)
    assert await _erased(path) == 1


async def _erased(path: Path) -> int:
    base = await Database.open(path)
    again = await Privacy(base, (), ErasureLog(path)).erase_again(300)
    await base.close()
    return again
