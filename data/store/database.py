"""The one connection to the one SQLite file: opening it, and transactions one after the other.

Exactly one connection writes and checkpoints: SQLite before 3.51.3 can corrupt a WAL database that two connections
write. `synchronous=FULL`, since with NORMAL a power cut loses moves that were acknowledged.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from queue import Empty
from typing import IO, Any, ParamSpec, TypeVar

import aiosqlite
from aiosqlite.core import set_exception, set_result

from data.store import generations, schema
from data.store.backup_files import copy, wal
from data.store.erasure_log import ErasureLog
from data.store.lock import DatabaseRefusal, check_not_lost, keep_private, last_run, lock, place, unlock, write_marker
from data.store.preflight import preflight, refusals, wal_kept

__all__ = ["SETTINGS", "Database", "DatabaseRefusal", "Health", "NotStored", "shielded"]

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

P = ParamSpec("P")
T = TypeVar("T")


class NotStored(Exception):
    """Nothing was written, because nothing can be: the disk is full, or the file is locked or read-only."""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the database. `free`: free bytes of its disk; None for a database in memory."""

    sound: bool
    free: int | None
    sqlite: str
    """The version of SQLite."""


_NOTHING_WRITTEN = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY}


def _nothing(_: float) -> None:
    """Ignore a duration."""


def shielded(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Shield a write-then-cache method from cancellation; otherwise the write would commit and the cache stay stale."""

    @wraps(method)
    async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.shield(method(*args, **kwargs))

    return whole


class Database:
    """Opened with `await Database.open(path)`; ":memory:" for tests. The SQL is in the repositories (data/records)."""

    def __init__(
        self,
        connection: aiosqlite.Connection,
        path: Path | None,
        lock_file: IO[str] | None,
        timed: Callable[[float], object],
    ) -> None:
        self._connection = connection
        self._path = path
        self._lock_file = lock_file
        self._timed = timed
        self._begun = False
        self._copying: asyncio.Future[None] | None = None
        self._closing = False
        self.changes = 0
        """The number of writes that count as a change since the start."""
        self.writes = True
        """Whether the last write could be stored."""

    @classmethod
    async def open(cls, path: str | Path, timed: Callable[[float], object] = _nothing) -> Database:
        """Lock the file, verify it, open it, and migrate its tables. `timed` gets the seconds of each write.

        Raises DatabaseRefusal; then the file and its log are as they were.
        """
        if str(path) == ":memory:":
            database = cls(await _connected(path), None, None, timed)
            await database._hop(lambda c: _prepare(c, 0, 0, logged=True, departed=""))
            return database
        path = place(Path(path))
        lock_file = lock(path)
        try:
            version, logged = await asyncio.to_thread(preflight, path), wal(path).exists()
            if version == 0:
                check_not_lost(path, lock_file)
            keep_private(path, lock_file)
            with refusals(path):
                database = cls(await _connected(path), path, lock_file, timed)
        except BaseException:
            unlock(lock_file)
            raise
        try:
            with refusals(path):
                departed = await asyncio.to_thread(ErasureLog(path).last)
                run = await database._hop(lambda c: _prepare(c, version, last_run(lock_file), logged, departed))
            database._begun = True
            write_marker(path, lock_file, run)
        except BaseException:
            with wal_kept(path) if logged else nullcontext():
                await database.close()
            raise
        return database

    async def close(self) -> None:
        """Close the connection, which merges the log into the file, and unlock it. A copy under way is given up."""
        self._closing = True
        if self._copying is not None:
            await asyncio.gather(self._copying, return_exceptions=True)
        ended = await self._end()
        with nullcontext() if ended or self._path is None else wal_kept(self._path):
            await self._connection.close()
        unlock(self._lock_file)
        self._lock_file = None

    async def _end(self) -> bool:
        """Write that the run has ended, if one has begun. Return False if that fails: then the log must stay, because a
        run without an end and without a log counts as an older database.
        """
        begun, self._begun = self._begun, False
        try:
            if begun:
                await self._hop(lambda c: _in_transaction(c, generations.end))
        except sqlite3.Error as error:
            log.error("the end of the run cannot be noted: %s", error)
            return False
        return True

    async def write(
        self,
        work: Callable[[sqlite3.Connection], T],
        then: Callable[[T], object] | None = None,
        *,
        counts: bool = True,
    ) -> T:
        """Run `work` in one transaction, in one hop to the connection's thread. After the commit `then` gets the result
        in that thread, so a cache of that thread is never older than the file.

        An exception of `work` rolls everything back. Raises NotStored. Cancelling does not roll back: the thread ends
        each transaction that it has begun before the next, so none is left open. `counts`: whether the write is a
        change that makes a backup necessary.
        """
        self.changes += counts
        begun = time.perf_counter()
        try:
            result = await self._hop(lambda c: _in_transaction(c, work, then))
        except sqlite3.OperationalError as error:
            self.writes = False
            _raise_if_other(error)
            log.error("nothing can be written: %s", error)
            raise NotStored from error
        self.writes = True
        self._timed(time.perf_counter() - begun)
        return result

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work`, which only reads, in one hop. It sees all committed data."""
        return await self._hop(work)

    async def copy_to(self, path: Path) -> None:
        """Copy the database by this connection into a partial file; `backup_files.finish` completes it.

        Other reads and writes run between the steps of the copy. Raises sqlite3.Error or OSError.
        """
        if self._closing or self._copying is not None:
            raise sqlite3.OperationalError("closing, or copying already")
        self._copying = asyncio.ensure_future(self._hop(lambda c: copy(c, path, self._let_others)))
        try:
            await asyncio.shield(self._copying)
        finally:
            self._copying = None

    def _let_others(self, *_: int) -> None:
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
            await self._hop(lambda c: c.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone())
        except sqlite3.Error:
            return False
        return True

    async def clean(self) -> bool:
        """Rewrite the file without any deleted data, and empty its log. All other work waits for about two seconds for
        each 100 MB.

        Return False if another program reads the file, so that the log stays. Raises NotStored.
        """
        try:
            return await self._hop(_clean)
        except sqlite3.OperationalError as error:
            _raise_if_other(error)
            raise NotStored from error

    async def health(self) -> Health:
        """Return the state of the database, for the operator. Reads all of the file."""
        return await self._hop(_health)

    async def _hop(self, work: Callable[[sqlite3.Connection], T]) -> T:
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


def _raise_if_other(error: sqlite3.OperationalError) -> None:
    """Raise the error again, unless it means that nothing could be written."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NOTHING_WRITTEN:
        raise error


def _clean(connection: sqlite3.Connection) -> bool:
    connection.execute("VACUUM")  # earlier versions did not overwrite deleted data
    blocked: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not blocked


def _health(connection: sqlite3.Connection) -> Health:
    path = next(row["file"] for row in connection.execute("PRAGMA database_list") if row["name"] == "main")
    return Health(
        sound=connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok",
        free=shutil.disk_usage(Path(path).parent).free if path else None,
        sqlite=sqlite3.sqlite_version,
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
