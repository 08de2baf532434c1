"""The database: what it refuses, what a transaction promises, and how its tables come to be."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_asyncio

from cogs.runtime.logs import Lines
from data.store import schema, sqlite
from data.store.database import OUT_OF_REACH, Database, DatabaseRefusal, NotStored
from data.store.engine import Health
from data.store.lock import DAMAGED, FAULT, NO_ROOM, RIGHTS, code_of
from tests.support.disk import disk_fails, disk_full
from tests.support.hung import HUNG

ROOT = Path(__file__).parents[2]
STEPS = len(schema.steps())


@pytest_asyncio.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Database]:
    base = await Database.open(tmp_path / "sundial.db")
    yield base
    await base.close()


async def refused(path: Path) -> DatabaseRefusal:
    """The refusal to open this file; one sentence, nothing left open."""
    with pytest.raises(DatabaseRefusal) as caught:
        await Database.open(path)
    assert str(path) in str(caught.value) or str(path.parent) in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def tables(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return [row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")]
    finally:
        connection.close()


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


# --- how it is opened


async def test_a_new_file_gets_all_tables_and_the_settings_that_keep_moves(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    base = await Database.open(path)
    names = ("journal_mode", "synchronous", "foreign_keys", "trusted_schema")
    pragmas = await base.read(lambda c: {name: c.execute(f"PRAGMA {name}").fetchone()[0] for name in names})
    await base.close()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0}
    assert version(path) == STEPS
    assert not path.with_name("sundial.db-wal").exists(), "a closed database is one file, so copying it is a backup"


async def test_opening_again_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    base = await Database.open(path)
    await base.write(lambda c: c.execute("INSERT INTO setting VALUES ('name', 'value')").rowcount)
    await base.close()
    before = tables(path)
    base = await Database.open(path)
    assert await rows(base) == ["name"]
    await base.close()
    assert tables(path) == before


async def test_a_reference_to_nothing_is_refused(opened: Database) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        await opened.write(lambda c: c.execute("INSERT INTO vote VALUES (99, 1, 'end')").rowcount)


# --- what it refuses


async def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    base = await Database.open(path)
    await base.write(
        lambda c: c.executemany("INSERT INTO setting VALUES (?, ?)", [(f"{n}", "x" * 900) for n in range(200)]).rowcount
    )
    await base.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 20_000] = b"\xa5" * 20_000
    path.write_bytes(content)
    before = digest(path)
    refusal = await refused(path)
    assert refusal.code == 74
    assert digest(path) == before


async def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    """SQLite itself makes an empty file before it writes the first page: a crash there must not lock anybody out."""
    path = tmp_path / "sundial.db"
    path.touch()
    await (await Database.open(path)).close()
    assert version(path) == STEPS


@pytest.mark.parametrize(("call", "number"), [("fsync", errno.EIO), ("write", errno.ENOSPC)])
async def test_where_it_cannot_be_noted_that_there_is_a_database_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    def broken(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(f"data.store.lock.os.{call}", broken)
        refusal = await refused(tmp_path / "sundial.db")
    assert refusal.code == (NO_ROOM if number == errno.ENOSPC else DAMAGED)
    assert "sundial.db.lock cannot be written" in str(refusal)
    await (await Database.open(tmp_path / "sundial.db")).close()


HOLDER = """
import asyncio, sys
from data.store.database import Database
async def hold():
    base = await Database.open(sys.argv[1])
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await base.close()
asyncio.run(hold())
"""


def holding(path: Path) -> subprocess.Popen[str]:
    """A second process that has this database open, until it reads a line."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "open\n"
    return holder


async def test_a_second_bot_is_refused_whatever_it_calls_the_file(tmp_path: Path) -> None:
    """Through a link to the file, to its folder, and the other way round."""
    path, link, folder = tmp_path / "sundial.db", tmp_path / "link.db", tmp_path / "folder"
    link.symlink_to(path)
    folder.symlink_to(tmp_path, target_is_directory=True)
    for first in (path, link):
        holder = holding(first)
        try:
            for other in (path, link, folder / "link.db"):
                with pytest.raises(DatabaseRefusal) as caught:
                    await Database.open(other)
                assert caught.value.code == 75
        finally:
            holder.communicate("\n", timeout=HUNG)
        assert not (tmp_path / "link.db.lock").exists()


async def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    """It may be a disk that is not mounted, with the database on it."""
    path = tmp_path / "volume" / "sundial.db"
    with pytest.raises(DatabaseRefusal, match="mkdir") as caught:
        await Database.open(path)
    assert caught.value.code == RIGHTS
    assert str(path.parent) in str(caught.value)
    assert not path.parent.exists()
    path.parent.mkdir()
    await (await Database.open(path)).close()


async def test_a_link_that_leads_nowhere_is_not_filled(tmp_path: Path) -> None:
    link, path = tmp_path / "sundial.db", tmp_path / "elsewhere.db"
    link.symlink_to(path)
    with pytest.raises(DatabaseRefusal, match="--restore") as caught:
        await Database.open(link)
    assert caught.value.code == RIGHTS
    assert str(path) in str(caught.value)
    assert not path.with_name("elsewhere.db.lock").exists()
    assert not link.exists()
    path.touch()
    await (await Database.open(link)).close()


async def test_no_other_user_reads_the_database(tmp_path: Path) -> None:
    path, before = tmp_path / "sundial.db", os.umask(0o022)
    try:
        base = await Database.open(path)
        assert modes(path) == {"sundial.db": 0o600, **{f"sundial.db{end}": 0o600 for end in ("-shm", "-wal", ".lock")}}
        await base.close()
        for name in modes(path):  # as earlier versions have left them
            (tmp_path / name).chmod(0o644)
        base = await Database.open(path)
        assert set(modes(path).values()) == {0o600}
        await base.close()
    finally:
        os.umask(before)


def modes(path: Path) -> dict[str, int]:
    """Who may do what, by the name of each file beside that one."""
    return {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}


async def test_a_killed_bot_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    holder = holding(path)
    holder.kill()
    holder.communicate(timeout=HUNG)
    await (await Database.open(path)).close()


async def test_a_database_that_another_program_locks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sundial.db"
    connect = sqlite.aiosqlite.connect
    monkeypatch.setattr(sqlite.aiosqlite, "connect", lambda *a, **k: connect(*a, **{**k, "timeout": 0.05}))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        refusal = await refused(path)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert refusal.code == 75


# --- migrations


async def test_a_failing_migration_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sundial.db"
    await (await Database.open(path)).close()
    before = tables(path)
    steps = tmp_path / "migrations"
    steps.mkdir()
    for step in schema.steps():
        (steps / step.name).write_bytes(step.read_bytes())
    bad = (
        "CREATE TABLE half (x INTEGER);\nALTER TABLE match ADD COLUMN half INTEGER;\nINSERT INTO nowhere VALUES (1);\n"
    )
    (steps / "9999_bad.sql").write_text(bad, encoding="utf-8")
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    assert (await refused(path)).code == FAULT
    assert tables(path) == before
    assert version(path) == STEPS
    good = bad.replace("INSERT INTO nowhere VALUES (1);", "INSERT INTO half VALUES (1);")
    (steps / "9999_bad.sql").write_text(good, encoding="utf-8")
    await (await Database.open(path)).close()
    assert version(path) == STEPS + 1
    assert len(tables(path)) == len(before) + 1


def test_every_migration_is_read_to_its_last_statement() -> None:
    """A statement without its semicolon at the end of a file would be left out without a word."""
    for step in schema.steps():
        script = step.read_text(encoding="utf-8")
        assert "".join(schema.statements(script)).rstrip() == script.rstrip()


async def test_no_table_looks_damaged_when_it_is_sound(opened: Database) -> None:
    """SQLite before 3.41 takes a table WITHOUT ROWID for damaged where its key does not come first, and the next start
    would be refused.
    """

    def keys(c: sqlite3.Connection) -> dict[str, list[int]]:
        """Of each such table the places of its columns in the key, 0 for those that are not in it."""
        found = c.execute("SELECT name FROM pragma_table_list WHERE wr AND schema = 'main'").fetchall()
        return {name: [row["pk"] for row in c.execute(f"PRAGMA table_info({name})")] for (name,) in found}

    for table, places in (await opened.read(keys)).items():
        first = [place for place in places if place]
        assert places[: len(first)] == sorted(first), table


# --- transactions


async def rows(base: Database) -> list[str]:
    """The settings but those that each start makes."""
    own = "SELECT name FROM setting WHERE name NOT IN ('run', 'departed') ORDER BY name"
    return await base.read(lambda c: [row[0] for row in c.execute(own)])


async def test_a_write_that_fails_is_rolled_back_whole(opened: Database) -> None:
    def work(c: sqlite3.Connection) -> None:
        c.execute("INSERT INTO setting VALUES ('half', '')")
        raise KeyError("on the way")

    with pytest.raises(KeyError):
        await opened.write(work)
    assert await rows(opened) == []
    assert not await opened.read(lambda c: c.in_transaction)
    await opened.write(lambda c: c.execute("INSERT INTO setting VALUES ('next', '')").rowcount)
    assert await rows(opened) == ["next"]


async def test_a_cancelled_write_leaves_no_transaction_open(opened: Database) -> None:
    """What was asked for is done whole, one after the other, even if no task waits for it."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(c: sqlite3.Connection) -> None:
        c.execute("INSERT INTO setting VALUES ('slow', '')")
        begun.set()
        assert go_on.wait(HUNG)

    first = asyncio.create_task(opened.write(slow))
    await asyncio.to_thread(begun.wait, HUNG)
    waiting = asyncio.create_task(
        opened.write(lambda c: c.execute("INSERT INTO setting VALUES ('waiting', '')").rowcount)
    )
    await asyncio.sleep(0)
    first.cancel()
    waiting.cancel()
    await asyncio.sleep(0.01)
    go_on.set()
    results = await asyncio.gather(first, waiting, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    assert not await opened.read(lambda c: c.in_transaction)
    assert await rows(opened) == ["slow", "waiting"]
    await opened.write(lambda c: c.execute("INSERT INTO setting VALUES ('next', '')").rowcount)
    assert await rows(opened) == ["next", "slow", "waiting"]


async def test_writes_at_once_come_one_after_the_other(opened: Database) -> None:
    def add(c: sqlite3.Connection) -> None:
        sql = "SELECT coalesce(max(cast(value AS INTEGER)), 0) FROM setting WHERE name = 'count'"
        count = c.execute(sql).fetchone()[0]
        c.execute("INSERT OR REPLACE INTO setting VALUES ('count', ?)", (str(count + 1),))

    await asyncio.gather(*(opened.write(add) for _ in range(40)))
    sql = "SELECT value FROM setting WHERE name = 'count'"
    assert await opened.read(lambda c: c.execute(sql).fetchone()[0]) == "40"


async def test_what_was_written_is_there_when_the_power_fails(tmp_path: Path) -> None:
    """The files as they are at the moment after the write, copied from under the running bot."""
    base = await Database.open(tmp_path / "sundial.db")
    await base.write(lambda c: c.execute("INSERT INTO setting VALUES ('kept', '')").rowcount)
    after = tmp_path / "after"
    after.mkdir()
    for name in ("sundial.db", "sundial.db-wal"):
        (after / name).write_bytes((tmp_path / name).read_bytes())
    again = await Database.open(after / "sundial.db")
    assert await rows(again) == ["kept"]
    await again.close()
    await base.close()


async def test_a_cursor_never_leaves_the_connections_thread(opened: Database) -> None:
    """Dropped in another thread it resets its statement while the connection's own thread uses it: InterfaceError."""
    with pytest.raises(AssertionError):
        await opened.read(lambda c: c.execute("SELECT 1"))


async def test_on_a_full_disk_nothing_is_written_and_later_it_is(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "sundial.db")

    def fill(c: sqlite3.Connection) -> None:
        c.execute("INSERT INTO setting VALUES ('little', 'x')")
        c.execute("INSERT INTO setting VALUES ('much', hex(zeroblob(100000)))")

    def most(pages: int) -> Callable[[sqlite3.Connection], object]:
        return lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone()

    await database.read(most(1))  # as many as there are already
    with pytest.raises(NotStored):
        await database.write(fill)
    assert await rows(database) == []
    await database.read(most(10_000))
    await database.write(fill)
    await database.close()


async def test_what_is_stored_does_not_wait_while_the_file_is_examined(
    opened: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    examine, begun, stored = sqlite.examine, threading.Event(), threading.Event()

    def slowly(connection: sqlite3.Connection, path: str) -> Health:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM match").fetchone()
        begun.set()
        assert stored.wait(HUNG)
        return examine(connection, path)

    monkeypatch.setattr(sqlite, "examine", slowly)
    health = asyncio.create_task(opened.health())
    assert await asyncio.to_thread(begun.wait, HUNG)
    async with asyncio.timeout(HUNG):
        await opened.write(lambda c: c.execute("UPDATE setting SET value = value").rowcount)
    stored.set()
    assert (await health).sound


@pytest.mark.parametrize(("fails", "why"), [(disk_full, "FULL). Make room"), (disk_fails, "IOERR_WRITE). Look")])
async def test_what_the_disk_does_is_told_once_with_its_cause_and_what_to_do_and_so_is_its_end(
    fails: Callable[[], Exception], why: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def full(_: object) -> None:
        raise fails()

    base, other = await Database.open(tmp_path / "sundial.db"), sqlite3.connect(tmp_path / "sundial.db")
    caplog.clear()
    for _ in range(2):
        for _ in range(3):
            with pytest.raises(OUT_OF_REACH):
                await base.write(full)
        before = other.execute("PRAGMA data_version").fetchone()
        assert await base.unwritten() == 0, "it has tried a write, which works again"
        assert other.execute("PRAGMA data_version").fetchone() != before, "SQLite writes nothing that is there already"
    other.close()
    told = [Lines("text").format(record) for record in caplog.records]
    for line, words in zip(told, 2 * (why, "works again"), strict=True):
        assert words in line
    assert base.failed == 6
    await base.close()


@pytest.mark.parametrize(("free", "code"), [(0, NO_ROOM), (1 << 30, DAMAGED)])
def test_an_error_of_the_disk_is_a_full_one_if_nothing_is_free(
    free: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR | 4 << 8
    monkeypatch.setattr("data.store.lock.shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    assert code_of(error, tmp_path / "sundial.db") == code
