"""The one connection to the one SQLite file: how it is opened, and one transaction after the other.

Exactly one connection writes and checkpoints: SQLite before 3.51.3 can corrupt a WAL database that two connections
write. `synchronous=FULL`, since with NORMAL a power cut loses moves that were acknowledged.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import time
from collections.abc import Callable, Coroutine
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
from data.store.preflight import log_kept, preflight, refusals

__all__ = ["SETTINGS", "Database", "DatabaseRefusal", "Health", "NotStored", "shielded"]

log = logging.getLogger(__name__)

SETTINGS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is deleted is overwritten
    "trusted_schema=OFF",
    "temp_store=MEMORY",
    "mmap_size=0",
)
"""What each connection is set to, in this order."""

P = ParamSpec("P")
T = TypeVar("T")


class NotStored(Exception):
    """Nothing can be written at the moment, and nothing was: the disk is full, or the file locked or read-only."""


@dataclass(frozen=True, slots=True)
class Health:
    """How the database is. `free`: bytes of the disk that it lies on; None where there is no file."""

    sound: bool
    free: int | None
    sqlite: str
    """The version of the library."""


_NOTHING_WRITTEN = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY}


def _nothing(_: float) -> None:
    """Ignore a duration."""


def shielded(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Of a method that writes and then remembers what it wrote: who waits for it may be cancelled, it goes on.

    Else the write would come to its end all the same (see `Database.write`), and what is remembered would be older.
    """

    @wraps(method)
    async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.shield(method(*args, **kwargs))

    return whole


class Database:
    """Opened with `await Database.open(path)`; ":memory:" for tests. All SQL lives in the repositories beside this."""

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
        """Grows with every write but those of no account."""
        self.writes = True
        """Whether the last write found room and way to be stored."""

    @classmethod
    async def open(cls, path: str | Path, timed: Callable[[float], object] = _nothing) -> Database:
        """Lock the file, look through it, open it, and bring its tables up to date. Raises DatabaseRefusal.

        What is refused is left as it was, and so is the log beside it.
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
            with log_kept(path) if logged else nullcontext():
                await database.close()
            raise
        return database

    async def close(self) -> None:
        """Close the connection (which takes the log in) and let go of the file. A copy under way is given up."""
        self._closing = True
        if self._copying is not None:
            await asyncio.gather(self._copying, return_exceptions=True)
        ended = await self._end()
        with nullcontext() if ended or self._path is None else log_kept(self._path):
            await self._connection.close()
        unlock(self._lock_file)
        self._lock_file = None

    async def _end(self) -> bool:
        """Note that the run has ended, if one has begun. False where that cannot be: its log counts as lost then,
        unless it stays.
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
        of_account: bool = True,
    ) -> T:
        """Run `work` in one transaction, in one hop to the connection's thread; `then` gets its result, in that thread,
        once it is committed. What only that thread remembers is so never older than the file.

        Whatever `work` raises rolls everything back; raises NotStored. Being cancelled does not: the thread runs a
        transaction that it has begun to its end, and one after the other, so none is ever left open for the next to
        fall into. What is not `of_account` makes no backup necessary.
        """
        self.changes += of_account
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
        """Run `work`, which only reads, in one hop. It sees what has been committed."""
        return await self._hop(work)

    async def copy_to(self, path: Path) -> None:
        """Copy the database into a new half-made file (see backup_files.py) for `finish` there, by this connection.

        Whatever else is to be read and written comes in between, a few pages apart. Raises sqlite3.Error or OSError.
        """
        if self._closing or self._copying is not None:
            raise sqlite3.OperationalError("closing, or copying already")
        self._copying = asyncio.ensure_future(self._hop(lambda c: copy(c, path, self._let_others)))
        try:
            await asyncio.shield(self._copying)
        finally:
            self._copying = None

    def _let_others(self, *_: int) -> None:
        """In the connection's thread, between two steps of a copy: do what has been asked for meanwhile."""
        if self._closing:
            raise sqlite3.OperationalError("given up: the database is being closed")
        while True:
            # As aiosqlite's own thread does, which is the one that is busy copying.
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
        """Whether it can be read now."""
        try:
            await self._hop(lambda c: c.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone())
        except sqlite3.Error:
            return False
        return True

    async def clean(self) -> bool:
        """Write the file anew without a byte of what has been deleted, and empty the log beside it. It takes about
        two seconds for each 100 MB, in which everything else waits.

        False where another program reads the file, so that the log stays as it is. Raises NotStored.
        """
        try:
            return await self._hop(_clean)
        except sqlite3.OperationalError as error:
            _raise_if_other(error)
            raise NotStored from error

    async def health(self) -> Health:
        """What there is to say of the file, for its owner. Reads all of it."""
        return await self._hop(_health)

    async def _hop(self, work: Callable[[sqlite3.Connection], T]) -> T:
        # aiosqlite has no public way to run a function on its thread; its own methods cost a hop (80 µs) for each
        # statement, and between two hops another coroutine could step into the transaction.
        connection = self._connection

        def guarded(c: sqlite3.Connection) -> T:
            result = work(c)
            # Dropped in another thread, a cursor resets its statement under the feet of this one.
            assert not isinstance(result, sqlite3.Cursor)
            return result

        result: T = await connection._execute(guarded, connection._conn)  # type: ignore[no-untyped-call]
        return result


async def _connected(path: str | Path) -> aiosqlite.Connection:
    """A connection to that file. Raises sqlite3.Error."""
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
        if connection.in_transaction:  # a full disk has rolled back by itself
            connection.execute("ROLLBACK")
        raise
    if then is not None:
        then(result)
    return result


def _raise_if_other(error: sqlite3.OperationalError) -> None:
    """Raise an error that does not mean that nothing could be written."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NOTHING_WRITTEN:
        raise error


def _clean(connection: sqlite3.Connection) -> bool:
    connection.execute("VACUUM")  # also of what was deleted by versions that did not overwrite it
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
    """The settings of the connection, the migrations from that schema on, and the number of the run that begins."""
    connection.row_factory = sqlite3.Row
    for setting in SETTINGS:
        connection.execute(f"PRAGMA {setting}")
    steps = schema.steps()

    def start(c: sqlite3.Connection) -> int:
        if version < len(steps):
            schema.migrate(c, steps[version:], len(steps))
        return generations.begin(c, last_run, logged, departed)

    return _in_transaction(connection, start)
