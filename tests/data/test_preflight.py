"""What is refused stays byte for byte as it was, the log beside it too: it is looked at before anything writes."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from data.store import backup_files, schema
from data.store.database import Database
from data.store.lock import DAMAGED, NO_ROOM, NOT_OURS, RIGHTS, TOO_NEW, DatabaseRefusal
from tests.data.test_database import STEPS, digest, refused, rows
from tests.support.disk import disk_full
from tests.support.hung import HUNG

KILLED = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement)
os._exit(9)
"""


def killed(path: Path, *statements: str) -> None:
    """What a process leaves that is killed after these."""
    assert subprocess.run([sys.executable, "-c", KILLED, str(path), *statements], timeout=HUNG).returncode == 9


def files(folder: Path) -> dict[str, str]:
    """What lies in a folder, but shared memory and the file by which a database is locked."""
    found = (path for path in folder.iterdir() if path.is_file() and not path.name.endswith(("-shm", ".lock")))
    return {path.name: digest(path) for path in found}


def modes(folder: Path) -> dict[str, int]:
    """All that lies in a folder, with its kind and who may do what with it."""
    return {path.name: path.lstat().st_mode for path in folder.iterdir()}


async def made(path: Path, *statements: str) -> None:
    """A database that was closed well; then other programs have done this to it."""
    await (await Database.open(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[5 * 4096 : 5 * 4096 + 200] = bytes(200)
    path.write_bytes(content)


@pytest.mark.parametrize("shared", [True, False], ids=["with its shared memory", "moved without"])
@pytest.mark.parametrize("why", ["newer", "damaged", "other"])
async def test_what_is_refused_is_left_with_its_log(why: str, shared: bool, tmp_path: Path) -> None:
    """A connection that writes would take the log in when it is closed."""
    path = tmp_path / "sundial.db"
    if why == "other":
        killed(path, "PRAGMA journal_mode=WAL", "CREATE TABLE recipe (cake TEXT)")
    else:
        await made(path)
        if why == "damaged":
            damage(path)
        killed(path, f"PRAGMA user_version = {STEPS + (why == 'newer')}", "INSERT INTO setting VALUES ('x', 'y')")
    if not shared:
        path.with_name("sundial.db-shm").unlink()
    before = files(tmp_path)
    assert len(before) == 2
    for _ in range(2):
        assert (await refused(path)).code == {"newer": TOO_NEW, "other": NOT_OURS}.get(why, DAMAGED)
        assert files(tmp_path) == before


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
@pytest.mark.parametrize("linked", [False, True])
async def test_what_is_no_file_is_refused_and_left_as_it_is(
    make: Callable[[Path], None], linked: bool, tmp_path: Path
) -> None:
    """So is a device: as root the bot would take /dev/null from all other programs."""
    path = tmp_path / "sundial.db"
    make(path)
    path.chmod(0o777)
    if linked:
        (tmp_path / "link.db").symlink_to(path)
    before = modes(tmp_path)
    found = await refused(tmp_path / "link.db" if linked else path)
    assert found.code == RIGHTS
    assert "no file" in str(found)
    assert modes(tmp_path) == before


@pytest.mark.parametrize("what", ["a folder", "a link to itself", "a link that leads nowhere", "too long"])
async def test_a_lock_file_that_cannot_be_one_is_named(tmp_path: Path, what: str) -> None:
    """It is no damage: no backup would help. The database and its folder are as they should be."""
    path = tmp_path / ("sundial.db" if what != "too long" else f"{'x' * 254}.db")
    lock_file = tmp_path / "sundial.db.lock"
    if what == "a folder":
        lock_file.mkdir()
    elif what != "too long":
        lock_file.symlink_to(lock_file if what == "a link to itself" else tmp_path / "gone" / "away")
    with pytest.raises(DatabaseRefusal) as caught:
        await Database.open(path)
    assert caught.value.code == RIGHTS and "--restore" not in str(caught.value)
    assert f"{path.name}.lock" in str(caught.value) or what == "too long"
    assert "mkdir" not in str(caught.value), "the folder is there"


async def test_what_is_refused_gets_no_log(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    await made(path, f"PRAGMA user_version = {STEPS + 1}")
    before = files(tmp_path)
    assert (await refused(path)).code == 78
    assert files(tmp_path) == before


async def test_a_start_that_fails_later_leaves_the_log_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sundial.db"
    await made(path)
    killed(path, "INSERT INTO setting VALUES ('kept', '')")
    before = files(tmp_path)

    def full(*_: object) -> None:
        raise disk_full()

    with monkeypatch.context() as patched:
        patched.setattr(schema, "after_restore", full)
        assert (await refused(path)).code == NO_ROOM
    assert files(tmp_path) == before
    base = await Database.open(path)
    assert "kept" in await rows(base)
    await base.close()


async def test_it_is_looked_through_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes a second for some hundred megabytes."""
    path = tmp_path / "sundial.db"
    await made(path)
    connect, done = sqlite3.connect, list[str]()

    def traced(*facts: Any, **how: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*facts, **how)
        connection.set_trace_callback(done.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    await (await Database.open(path)).close()
    assert [statement for statement in done if "_check" in statement] == ["PRAGMA quick_check(1)"]


async def test_what_another_was_cut_off_in_is_undone(tmp_path: Path) -> None:
    """A database that has not yet written ahead has a journal instead, which a look alone could not undo."""
    path = tmp_path / "sundial.db"
    await made(path, "PRAGMA journal_mode=DELETE", "INSERT INTO setting VALUES ('kept', '')")
    numbers = f"json_each('{list(range(100))}')"
    much = f"INSERT INTO setting SELECT 'half ' || value, hex(zeroblob(3000)) FROM {numbers}"
    killed(path, "PRAGMA cache_size=1", "BEGIN", "DELETE FROM setting", much)
    assert path.with_name("sundial.db-journal").exists()
    base = await Database.open(path)
    assert await rows(base) == ["kept"]
    await base.close()


async def test_without_a_backup_before_an_upgrade_the_log_stays_too(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    await made(path)
    killed(path, f"PRAGMA user_version = {STEPS - 1}")
    backup_files.folder(path).write_text("a file where the folder of backups should be", encoding="utf-8")
    before = files(tmp_path)
    found = await refused(path)
    assert found.code == RIGHTS and "Nothing was changed" in str(found)
    assert files(tmp_path) == before
