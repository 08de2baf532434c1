"""The one connection to the one SQLite file: transactions, migrations, and refusing a file that is not ours to write.

Exactly one connection writes and checkpoints: SQLite before 3.51.3 can corrupt a WAL database that two connections
write. `synchronous=FULL`, since with NORMAL a power cut loses moves that were acknowledged.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from queue import Empty
from typing import IO, Any, ParamSpec, TypeVar

import aiosqlite
from aiosqlite.core import set_exception, set_result

from data import copies
from data.chain import fill
from data.copies import BadCopy, copy

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
MIGRATIONS = Path(__file__).with_name("migrations")
RESTORED = "restored"
"""The setting that says that the database has just come back from a backup: when that was made, seconds since 1970."""
OLDER = "older"
"""The setting that says the same to data/privacy.py, until those are deleted again who had their data deleted since."""
NUMBERS_LEFT_OUT = 1_000
LEAST = 512
"""Bytes of the smallest database: SQLite takes what is shorter for an empty one."""
IN_CODE = {"0009_chain": fill}
"""What a migration does besides its SQL, after it, by the name of its file."""

P = ParamSpec("P")
T = TypeVar("T")


class DatabaseRefusal(Exception):
    """The database cannot be used, said in one sentence for the operator. The file is unchanged.

    `code` is the exit code to leave with (sysexits.h): 74 unreadable or damaged, 75 in use, 78 too new.
    """

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


class NotStored(Exception):
    """Nothing can be written at the moment, and nothing was: the disk is full, or the file locked or read-only."""


@dataclass(frozen=True, slots=True)
class Health:
    """How the database is: sizes in bytes, `free` of the disk that it lies on; None where there is no file."""

    sound: bool
    size: int
    wal: int
    free: int | None
    sqlite: str
    """The version of the library."""


_NOTHING_WRITTEN = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY}


def unbroken(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Of a method that writes and then remembers what it wrote: who waits for it may be cancelled, it goes on.

    Else the write would come to its end all the same (see `Database.write`), and what is remembered would be older.
    """

    @wraps(method)
    async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.shield(method(*args, **kwargs))

    return whole


class Database:
    """Opened with `await Database.open(path)`; ":memory:" for tests. All SQL lives in the repositories beside this."""

    def __init__(self, connection: aiosqlite.Connection, lock_file: IO[str] | None) -> None:
        self._connection = connection
        self._lock_file = lock_file
        self._copying: asyncio.Future[None] | None = None
        self._closing = False
        self.changes = 0
        """Grows with every write but those of no account."""
        self.writes = True
        """Whether the last write found room and way to be stored."""
        self.timed: Callable[[float], object] = _nothing
        """Gets the seconds that each write has taken."""

    @classmethod
    async def open(cls, path: str | Path) -> Database:
        """Lock the file, open it, check it, and bring its tables up to date. Raises DatabaseRefusal."""
        lock_file = None if str(path) == ":memory:" else _lock(Path(path))
        if lock_file is not None:
            try:
                _check_not_lost(Path(path), lock_file)
            except DatabaseRefusal:
                _unlock(lock_file)
                raise
        connection = aiosqlite.connect(path, isolation_level=None, timeout=5)
        try:
            await connection
        except sqlite3.Error as error:
            # aiosqlite does not wait for its thread, which would find the loop closed and print a traceback.
            await asyncio.to_thread(connection._thread.join)
            _unlock(lock_file)
            raise DatabaseRefusal(f"The database {path} cannot be opened: {error}.", 74) from error
        database = cls(connection, lock_file)
        try:
            await database._hop(lambda c: _prepare(c, str(path)))
        except BaseException as error:
            await database.close()
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise DatabaseRefusal(f"Another program holds the database {path} locked.", 75) from error
            if isinstance(error, sqlite3.Error):
                raise DatabaseRefusal(f"The database {path} cannot be used: {error}.", 74) from error
            raise
        if lock_file is not None:
            try:
                _leave_sign(Path(path), lock_file)
            except OSError as error:
                await database.close()
                raise DatabaseRefusal(f"{lock_file.name} cannot be written: {error.strerror}.", 74) from error
        return database

    async def close(self) -> None:
        """Close the connection (which checkpoints) and let go of the file. A copy under way is given up."""
        self._closing = True
        if self._copying is not None:
            await asyncio.gather(self._copying, return_exceptions=True)
        await self._connection.close()
        _unlock(self._lock_file)
        self._lock_file = None

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
        self.timed(time.perf_counter() - begun)
        return result

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work`, which only reads, in one hop. It sees what has been committed."""
        return await self._hop(work)

    async def copy_to(self, path: Path) -> None:
        """Copy the database into a new half-made file (see data/copies.py) for `copies.finish`, by this connection.

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


def _nothing(_: float) -> None:
    """What is done with a duration that nobody asks for."""


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
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    wal = Path(f"{path}-wal")
    return Health(
        sound=connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok",
        size=pages * size,
        wal=wal.stat().st_size if path and wal.exists() else 0,
        free=shutil.disk_usage(Path(path).parent).free if path else None,
        sqlite=sqlite3.sqlite_version,
    )


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    """Settings of the connection, then the checks, then the migrations."""
    connection.row_factory = sqlite3.Row
    steps = sorted(MIGRATIONS.glob("[0-9]*.sql"))
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(steps):
        raise DatabaseRefusal(
            f"The database {path} is from a newer version of this program (tables {version}, this one knows "
            f"{len(steps)}). Nothing was changed; install the newer version again.",
            78,
        )
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise DatabaseRefusal(f"The file {path} is a database of another program. Nothing was changed.", 74)
    for setting in SETTINGS:
        connection.execute(f"PRAGMA {setting}")
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise DatabaseRefusal(f"The database {path} is damaged. Put a backup in its place.", 74)
    if version < len(steps):
        if version:
            _keep_as_it_was(connection, Path(path), version)
        _in_transaction(connection, lambda c: _migrate(c, steps[version:], len(steps)))
    _in_transaction(connection, _after_restore)


def _keep_as_it_was(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """A backup of the database before its tables change. Raises DatabaseRefusal: without one nothing is changed."""
    if path.name == ":memory:":
        return
    to = copies.name(path, datetime.now(UTC), version)
    try:
        copy(connection, to)
        copies.finish(to)
    except (BadCopy, OSError, sqlite3.Error) as error:
        raise DatabaseRefusal(
            f"The database {path} is to be brought up to date, and the backup before that cannot be made in "
            f"{to.parent}: {error}. Nothing was changed.",
            74,
        ) from error
    log.info("the database as it was before its tables change: %s", to)


def _migrate(connection: sqlite3.Connection, steps: Sequence[Path], version: int) -> None:
    """All steps that are missing, or none. Statement by statement: `executescript` would commit first."""
    for step in steps:
        for statement in _statements(step.read_text(encoding="utf-8")):
            connection.execute(statement)
        if step.stem in IN_CODE:
            IN_CODE[step.stem](connection)
    connection.execute(f"PRAGMA user_version = {version:d}")


def _after_restore(connection: sqlite3.Connection) -> None:
    """In a database that has just come back from a backup: what may have happened since counts as not known.

    Matches under way are compared with what Discord shows before anything is done in them. Lobbies get new seeds, as
    somebody may have seen hands that were dealt from the old ones. Numbers that later matches had are not used again:
    their buttons are still there.
    """
    if not connection.execute("UPDATE OR REPLACE setting SET name = ? WHERE name = ?", (OLDER, RESTORED)).rowcount:
        return
    connection.execute("UPDATE match SET doubt = 'unchecked', version = version + 1 WHERE status = 'playing'")
    for (number,) in connection.execute("SELECT id FROM match WHERE status = 'lobby'").fetchall():
        key = (secrets.token_hex(32), number)
        connection.execute("UPDATE match SET secret = ?, version = version + 1 WHERE id = ?", key)
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'match'", (NUMBERS_LEFT_OUT,))


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _lock(path: Path) -> IO[str]:
    """Hold `<path>.lock` for as long as this process lives. Raises DatabaseRefusal."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock_file = path.with_name(f"{path.name}.lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise DatabaseRefusal(
            f"The folder of the database cannot be written: {path.parent} ({error.strerror}).", 74
        ) from error
    try:
        if sys.platform == "win32":
            import msvcrt

            lock_file.seek(0)
            msvcrt.locking(lock_file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock_file.close()
        raise DatabaseRefusal(f"Another bot is running on the database {path}. Stop it first.", 75) from error
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        lock_file.close()
        raise DatabaseRefusal(f"The database {path} cannot be read and written by this user.", 74)
    return lock_file


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the database's files while no bot runs on them. Raises DatabaseRefusal."""
    lock_file = _lock(path)
    try:
        yield
    finally:
        _unlock(lock_file)


def _check_not_lost(path: Path, lock_file: IO[str]) -> None:
    """Raise DatabaseRefusal where there is no database and there was one: never an empty one in its place."""
    if path.exists() and (path.is_dir() or path.stat().st_size >= LEAST):
        return
    lock_file.seek(0)
    signs = [Path(lock_file.name)] if lock_file.read() else []
    signs += [log for log in [copies.wal(path)] if log.exists() and log.stat().st_size]
    signs += [copies.folder(path)] if copies.backups(path) else []
    if signs:
        raise DatabaseRefusal(
            f"The database {path} is {'empty' if path.exists() else 'gone'}, and there was one. Bring a backup back "
            f"with `python bot.py --restore`; or, to begin anew without it, move away: {', '.join(map(str, signs))}.",
            74,
        )


def _leave_sign(path: Path, lock_file: IO[str]) -> None:
    """Note beside the database that there is one, for the day on which there is none."""
    lock_file.seek(0)
    if not lock_file.read():
        text = f"{path.name} belongs here. Delete this file only to begin anew where that is gone for good.\n"
        os.write(lock_file.fileno(), text.encode())  # not through a buffer, which would try again when it is closed
        os.fsync(lock_file.fileno())


def _unlock(lock_file: IO[str] | None) -> None:
    if lock_file is not None:
        lock_file.close()
