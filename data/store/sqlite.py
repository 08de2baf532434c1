"""The engine of SQLite: the one connection to the one file, and transactions one after the other.

Exactly one connection writes and checkpoints: SQLite before 3.51.3 can corrupt a WAL database that two connections
write. `synchronous=FULL`, since with NORMAL a power cut loses moves that were acknowledged.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing, nullcontext
from pathlib import Path
from queue import Empty
from typing import IO, TypeVar

import aiosqlite
from aiosqlite.core import set_exception, set_result

from data.store import generations, schema
from data.store.backup_files import copy, wal
from data.store.engine import DiskFails, Health, NotStored
from data.store.erasure_log import ErasureLog
from data.store.lock import keep_private, last_run, lock, place, unlock, write_marker
from data.store.preflight import preflight, refusals, wal_kept

log = logging.getLogger(__name__)

SETTINGS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # overwrite deleted data
    "trusted_schema=OFF",
    "temp_store=MEMORY",
    "mmap_size=0",
)
"""The pragmas of each connection, in this order."""

T = TypeVar("T")

_DISK = {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_NOTHING_WRITTEN = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY}


class LostDisk(DiskFails, sqlite3.OperationalError):
    """The DiskFails of SQLite."""


class SqliteEngine:
    """Opened with `await SqliteEngine.open(path)`; ":memory:" for tests."""

    shared = False
    failures: tuple[type[Exception], ...] = (sqlite3.OperationalError,)

    def __init__(self, connection: aiosqlite.Connection, path: Path | None, lock_file: IO[str] | None) -> None:
        self._connection = connection
        self._path = path
        self.lock_file = lock_file
        self._begun = False
        self._copying: asyncio.Future[None] | None = None
        self._closing = False

    @classmethod
    async def open(cls, path: str | Path) -> SqliteEngine:
        """Lock, verify, open and migrate the file. Raises DatabaseRefusal, with the file and its log as they were."""
        if str(path) == ":memory:":
            engine = cls(await _connected(path), None, None)
            await engine.hop(lambda c: _prepare(c, 0, 0, logged=True, departed=""))
            return engine
        path = place(Path(path))
        lock_file = lock(path)
        try:
            version, logged = await asyncio.to_thread(preflight, path), wal(path).exists()
            keep_private(path, lock_file)
            with refusals(path):
                engine = cls(await _connected(path), path, lock_file)
        except BaseException:
            unlock(lock_file)
            raise
        try:
            with refusals(path):
                departed = await asyncio.to_thread(ErasureLog(path).last)
                run = await engine.hop(lambda c: _prepare(c, version, last_run(lock_file), logged, departed))
            engine._begun = True
            write_marker(path, lock_file, run)
        except BaseException:
            with wal_kept(path) if logged else nullcontext():
                await engine.close()
            raise
        return engine

    async def close(self) -> None:
        """Close the connection, which merges the log into the file, and unlock it. A copy under way is given up."""
        self._closing = True
        if self._copying is not None:
            await asyncio.gather(self._copying, return_exceptions=True)
        ended = await self._end()
        with nullcontext() if ended or self._path is None else wal_kept(self._path):
            await self._connection.close()
        unlock(self.lock_file)
        self.lock_file = None

    async def _end(self) -> bool:
        """Write that the run has ended, if one has begun. Return False if that fails: then the log must stay, because a
        run without an end and without a log counts as an older database.
        """
        begun, self._begun = self._begun, False
        try:
            if begun:
                await self.hop(lambda c: _in_transaction(c, generations.end))
        except sqlite3.Error as error:
            log.error("the end of the run cannot be noted: %s", error)
            return False
        return True

    async def write(self, work: Callable[[sqlite3.Connection], T], then: Callable[[T], object] | None) -> T:
        """Run `work` in one transaction, in one hop to the connection's thread. After the commit `then` gets the result
        in that thread. Raises NotStored, DiskFails.

        Cancelling does not roll back: the thread ends each transaction that it has begun before the next.
        """
        return await self._hop_to_write(lambda c: _in_transaction(c, work, then))

    async def _hop_to_write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self.read(work)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NOTHING_WRITTEN:
                raise
            raise NotStored(str(error), getattr(error, "sqlite_errorname", "")) from error

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work`, which only reads, in one hop. It sees all committed data. Raises DiskFails."""
        try:
            return await self.hop(work)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DISK:
                raise
            raise LostDisk(str(error), error.sqlite_errorname) from error

    async def copy_to(self, path: Path) -> None:
        """Copy the database by this connection into a partial file; `backup_files.finish` completes it.

        Other reads and writes run between the steps of the copy. Raises sqlite3.Error or OSError.
        """
        if self._closing or self._copying is not None:
            raise sqlite3.OperationalError("closing, or copying already")
        self._copying = asyncio.ensure_future(self.hop(lambda c: copy(c, path, self.let_others)))
        try:
            await asyncio.shield(self._copying)
        finally:
            self._copying = None

    def let_others(self, *_: int) -> None:
        """Run the reads and writes that wait, in the connection's thread, between two steps of a copy."""
        if self._closing:
            raise sqlite3.OperationalError("given up: the database is being closed")
        while True:
            # This is what aiosqlite's thread does, which is busy with the copy.
            try:
                future, function = self._connection._tx.get_nowait()
            except Empty:
                return
            assert future is not None
            try:
                result = function()
            except BaseException as error:
                future.get_loop().call_soon_threadsafe(set_exception, future, error)
            else:
                future.get_loop().call_soon_threadsafe(set_result, future, result)

    async def answers(self) -> bool:
        """Return whether the database can be read now."""
        try:
            await self.hop(lambda c: c.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone())
        except sqlite3.Error:
            return False
        return True

    async def clean(self) -> bool:
        """Rewrite the file without any deleted data, and empty its log. All other work waits for about two seconds for
        each 100 MB.

        Return False if another program reads the file, so that the log stays. Raises NotStored.
        """
        return await self._hop_to_write(_clean)

    async def health(self) -> Health:
        """Return the state of the database, for the operator. Reads all of the file, on a connection of its own that
        only reads: no other work waits for it.
        """
        path = await self.hop(_file)
        return await (asyncio.to_thread(_health_of, path) if path else self.hop(lambda c: examine(c, path)))

    async def hop(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on the thread of the connection and return its result."""
        # aiosqlite has no public way to run a function on its thread; its own methods cost a hop (80 µs) for each
        # statement, and between two hops another coroutine could step into the transaction.
        connection = self._connection

        def guarded(c: sqlite3.Connection) -> T:
            result = work(c)
            # A cursor dropped in another thread would reset its statement while this thread uses it.
            assert not isinstance(result, sqlite3.Cursor)
            return result

        execute: Callable[..., Awaitable[T]] = connection._execute
        return await execute(guarded, connection._conn)


async def _connected(path: str | Path) -> aiosqlite.Connection:
    """Return a connection to that file. Raises sqlite3.Error."""
    connection = aiosqlite.connect(path, isolation_level=None, timeout=5)
    try:
        await connection
    except sqlite3.Error:
        # aiosqlite does not wait for its thread, which would find the loop closed and print a traceback.
        await asyncio.to_thread(connection._thread.join)
        raise
    return connection


def _in_transaction(
    connection: sqlite3.Connection,
    work: Callable[[sqlite3.Connection], T],
    then: Callable[[T], object] | None = None,
) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # after a full disk SQLite has rolled back by itself
            connection.execute("ROLLBACK")
        raise
    if then is not None:
        then(result)
    return result


def _clean(connection: sqlite3.Connection) -> bool:
    connection.execute("VACUUM")  # earlier versions did not overwrite deleted data
    blocked: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not blocked


def _file(connection: sqlite3.Connection) -> str:
    """Return the path of the database's file; "" if it is in memory."""
    return str(next(row["file"] for row in connection.execute("PRAGMA database_list") if row["name"] == "main") or "")


def _health_of(path: str) -> Health:
    """Examine the file on another connection, which is open meanwhile. A write beside it does not wait."""
    with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return examine(connection, path)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # out of reach at the moment: that is no damage
                raise
            return Health(False, shutil.disk_usage(Path(path).parent).free, f"SQLite {sqlite3.sqlite_version}")


def examine(connection: sqlite3.Connection, path: str) -> Health:
    """Return whether the file is sound, the free bytes beside it, and the version of SQLite."""
    return Health(
        sound=connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok",
        free=shutil.disk_usage(Path(path).parent).free if path else None,
        engine=f"SQLite {sqlite3.sqlite_version}",
    )


def _prepare(connection: sqlite3.Connection, version: int, last_run: int, logged: bool, departed: str) -> int:
    """Set the connection up, run the migrations after that schema, and begin a run. Return the run's number."""
    connection.row_factory = sqlite3.Row
    for setting in SETTINGS:
        connection.execute(f"PRAGMA {setting}")
    steps = schema.steps()

    def start(c: sqlite3.Connection) -> int:
        if version < len(steps):
            schema.migrate(c, steps[version:], len(steps))
        return generations.begin(c, last_run, logged, departed)

    return _in_transaction(connection, start)
