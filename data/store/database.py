"""The database as the repositories see it. Its engine is SQLite with one file, or a PostgreSQL server."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from data.store.engine import (
    OUT_OF_REACH,
    Busy,
    CommitUnknown,
    Connection,
    DiskFails,
    Health,
    NotStored,
    Unreachable,
)
from data.store.erasure_log import ErasureLog, StoredErasureLog
from data.store.lock import DatabaseRefusal
from data.store.schema import PUT_SETTING
from data.store.sqlite import SqliteEngine

if TYPE_CHECKING:
    from data.store.postgres import PostgresEngine

__all__ = [
    "OUT_OF_REACH",
    "Busy",
    "CommitUnknown",
    "Connection",
    "Database",
    "DatabaseRefusal",
    "DiskFails",
    "Health",
    "NotStored",
    "Unreachable",
    "examine_url",
    "is_url",
    "shielded",
]

log = logging.getLogger(__name__)

FULL = ("SQLITE_FULL", "DiskFull")
"""The kinds of NotStored that say that a disk is full."""
LOCKED = "LockNotAvailable"
"""The kind of a failure that says that another program holds a table locked."""
QUIET = 60.0
"""Seconds in which the log tells of such a failure once."""
TO_DO = {LOCKED: "Another program holds a table locked: end it", **dict.fromkeys(FULL, "Make room on its disk")}
PATIENCE = 1.0
"""Seconds for which a look at the database waits for a try to write."""
TRIED = "tried"
"""Key: what was last written to see whether anything can be."""
HANGS = 10.0
"""Seconds after which a server that has not answered a write counts as one that fails. It may be stopped, or what is
between may be, and no error comes.
"""
AGAIN = 0.5
"""Seconds after these for an answer that is there already."""

P = ParamSpec("P")
T = TypeVar("T")


def _nothing(_: float) -> None:
    """Ignore a duration."""


def is_url(target: str | Path) -> bool:
    """Return whether that names a PostgreSQL database and no file."""
    return isinstance(target, str) and target.startswith(("postgresql://", "postgres://"))


def shielded(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Shield a write-then-cache method from cancellation; otherwise the write would commit and the cache stay stale."""

    @wraps(method)
    async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.shield(method(*args, **kwargs))

    return whole


def _postgres() -> type[PostgresEngine]:
    """Return the engine of PostgreSQL. Raises DatabaseRefusal if psycopg, which it needs, is not installed."""
    try:
        from data.store.postgres import PostgresEngine
    except ImportError as error:
        raise DatabaseRefusal("DATABASE_URL needs psycopg. Install it: make setup-postgresql", 2) from error
    return PostgresEngine


async def examine_url(url: str, owner: str | None) -> int:
    """Return the schema's number of a PostgreSQL database, 0 if it has no tables yet. Changes nothing. `owner`: which
    bot this is. Raises DatabaseRefusal.
    """
    return await _postgres().examine(url, owner)


class Database:
    """Opened with `await Database.open(target)`. The SQL is in the repositories (data/records)."""

    def __init__(self, engine: SqliteEngine | PostgresEngine, timed: Callable[[float], object]) -> None:
        self.engine = engine
        self._timed = timed
        self.changes = 0
        """The number of writes that count as a change since the start."""
        self.failed = 0
        """The number of reads and writes since the start that failed because the database did."""
        self._failing_since: float | None = None
        self._told = False
        """Whether the log has told of this failure."""
        self._locked = -QUIET
        """When it told last that a table is locked."""
        self._try: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls, target: str | Path, timed: Callable[[float], object] = _nothing, owner: str | None = None
    ) -> Database:
        """Verify the database, open it, and migrate its tables. `timed` gets the seconds of each write.

        `target`: the path of a file, ":memory:" for tests, or the URL of a PostgreSQL database. `owner`: which bot this
        is; a PostgreSQL database of another bot is refused. Raises DatabaseRefusal; then nothing has changed.
        """
        if is_url(target):
            return cls(await _postgres().open(str(target), owner), timed)
        return cls(await SqliteEngine.open(target), timed)

    def erasures(self, path: Path | None) -> ErasureLog:
        """Return the list of deleted users: beside that file, or in the database if other processes use it too."""
        engine = self.engine
        return ErasureLog(path) if isinstance(engine, SqliteEngine) else StoredErasureLog(engine.write_now)

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the database too. Then no repository may rely on what it has read."""
        return self.engine.shared

    def listen(self, name: str, heard: Callable[[], object]) -> None:
        """Call `heard` in this loop when another process notifies that name. It may miss any: look also without it."""
        if not isinstance(self.engine, SqliteEngine):
            self.engine.listen(name, heard)

    async def notify(self, names: Sequence[str]) -> None:
        """Notify the processes that listen for these names. Raises NotStored."""
        if names and not isinstance(self.engine, SqliteEngine):
            await self.write(self.engine.notify(names), counts=False)

    async def close(self) -> None:
        """Finish what has begun, and close the connections."""
        if self._try is not None:
            self._try.cancel()
        await self.engine.close()

    async def write(
        self, work: Callable[[Connection], T], then: Callable[[T], object] | None = None, *, counts: bool = True
    ) -> T:
        """Run `work` in one transaction, in one hop to a thread of the engine. After the commit `then` gets the result
        in that thread, so a cache that only this thread fills is never older than the file.

        An exception of `work` rolls everything back. Raises NotStored. Cancelling does not roll back: the thread ends
        each transaction that it has begun before the next, so none is left open. `work` may run more than once: an
        engine that other processes write to begins a transaction again that got in the way of another. `counts`:
        whether the write is a change that makes a backup necessary. Raises CommitUnknown or DiskFails if it may be
        stored or not.
        """
        self.changes += counts
        begun, watch = time.perf_counter(), self._watch() if self.shared else []
        try:
            result = await self.engine.write(work, then)
        except Busy:
            raise
        except NotStored as error:
            self._note_failure(error)
            raise
        except self.engine.failures as error:
            self._note_failure(error)
            raise
        finally:
            for timer in watch:
                timer.cancel()
        if self._failing_since is not None:
            if self._told:
                log.warning("the database works again after %.0f s", time.monotonic() - self._failing_since)
            self._failing_since, self._told = None, False
        self._timed(time.perf_counter() - begun)
        return result

    def _watch(self) -> list[asyncio.TimerHandle]:
        """Note it if the server does not answer for HANGS seconds. Return the timers, to be cancelled at its answer.
        The second one lets a process that stood still itself find the answer that has come meanwhile.
        """
        loop, silent = asyncio.get_running_loop(), Unreachable(kind="NoAnswer")
        timers = list[asyncio.TimerHandle]()
        look = partial(loop.call_later, AGAIN, self._note_failure, silent)
        timers.append(loop.call_later(HANGS, lambda: timers.append(look())))
        return timers

    def _note_failure(self, error: Exception) -> None:
        """Count it, and tell the operator of the first of several; of a locked table, beside which others work, at most
        once a minute.
        """
        self.failed += 1
        now, locked = time.monotonic(), getattr(error, "kind", "") == LOCKED
        self._failing_since = now if self._failing_since is None else self._failing_since
        if self._told or (locked and now - self._locked < QUIET):
            return
        self._told, self._locked = True, now if locked else self._locked
        to_do = TO_DO.get(getattr(error, "kind", ""), "Look at its server or disk")
        log.error("the database fails, and no move counts until it works again: %s. %s", error, to_do)

    @property
    def writes(self) -> bool:
        """Whether the last write could be stored."""
        return self._failing_since is None

    async def unwritten(self) -> float:
        """Return the seconds for which nothing could be written; 0.0 if something can be. After a failure it tries."""
        if self._failing_since is not None:
            if self._try is None or self._try.done():
                self._try = asyncio.create_task(self._attempt(), name="database: does a write work again?")
            await asyncio.wait({self._try}, timeout=PATIENCE)
        return 0.0 if self._failing_since is None else time.monotonic() - self._failing_since

    async def _attempt(self) -> None:
        with suppress(NotStored, CommitUnknown, *self.engine.failures):
            await self.check_storage()

    async def check_storage(self) -> None:
        """Try a write. Raises what one would raise now: NotStored above all."""
        tried = (TRIED, secrets.token_hex(8))  # SQLite would write nothing if nothing changed
        await self.write(lambda c: c.execute(PUT_SETTING, tried).rowcount, counts=False)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work`, which only reads, in one hop on one committed state. Raises Unreachable, DiskFails."""
        try:
            return await self.engine.read(work)
        except (Unreachable, DiskFails) as error:
            self._note_failure(error)
            raise

    async def answers(self) -> bool:
        """Return whether the database can be read now."""
        return await self.engine.answers()

    async def clean(self) -> bool:
        """Remove deleted data from the files, as far as the engine can. Return False if another program prevents it.
        Raises NotStored.

        SQLite rewrites its file, and all other work waits for about two seconds for each 100 MB. PostgreSQL frees the
        space, and other work goes on.
        """
        return await self.engine.clean()

    async def health(self) -> Health:
        """Return the state of the database, for the operator. With SQLite it reads all of the file."""
        return await self.engine.health()
