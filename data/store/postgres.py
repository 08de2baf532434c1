"""The engine of PostgreSQL: one thread with a connection that writes, some that read, and a transaction for each work.

Writes of this process come one after the other, in the order in which they were asked for, as with SQLite. Other
processes may write at the same time. Each transaction is REPEATABLE READ: it sees one committed state, and PostgreSQL
refuses it if it would change a row that another has changed since. Then it is begun again. So a transaction never
overwrites what it has not seen, whichever process wrote it.

Nothing depends on the state of a session: PgBouncer may give each transaction another server process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from data.store import postgres_schema
from data.store.engine import Busy, CommitUnknown, Connection, Health, NotStored, Unreachable
from data.store.lock import DatabaseRefusal
from data.store.postgres_connection import PostgresConnection, adapt
from data.store.postgres_listener import Listener
from data.store.postgres_refusals import BAD_URL, cause, first_line, refusals
from data.store.postgres_transaction import is_spoilt, read, upgrade, write

T = TypeVar("T")
log = logging.getLogger(__name__)

READERS = 2
"""Threads that read, each with a connection."""
TRIES = 10
"""How often a transaction is begun that other processes get in the way of."""
WAITS = 3
"""How often it is begun again of these because it has waited for a second for rows that another process holds."""
PAUSE = 0.01
"""Seconds before the second try, at most; twice as long before each of the four after it."""
PATIENCE = 4.0
"""Seconds that closing waits for transactions under way. Then their connections are cut."""
RESTARTING = 3.0
"""Seconds of an outage in which new connections are tried again and again: a server that restarts takes about as long,
and no player notices. Later each try fails at once.
"""
TRY_AGAIN = 0.1
"""Seconds between two of these tries."""
USUAL = {
    "application_name": "sundial",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""Parameters of a connection that the URL need not name: a server that has vanished is given up after 25 seconds at
most. The last is in milliseconds.
"""
ALWAYS = {"client_encoding": "utf8"}
"""A parameter that the URL may name in vain: players' names would be stored garbled."""
_UNKNOWN = re.compile(r'invalid URI query parameter: "([A-Za-z_]{1,40})"')
"""What libpq says of a parameter such as pgbouncer=true, which hosts give with their URLs for other programs."""

_BEGIN_WRITE = (
    b"BEGIN ISOLATION LEVEL REPEATABLE READ",
    b"SET LOCAL synchronous_commit = on",
    b"SET LOCAL lock_timeout = '1s'",
    b"SET LOCAL idle_in_transaction_session_timeout = '10s'",
)
"""What was acknowledged is on the server's disk, whatever its default is. A process that is stopped in the middle of a
transaction holds its rows for ten seconds at most.
"""
_BEGIN_READ = (b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", b"SET LOCAL lock_timeout = '3s'")
"""Another program may hold a table locked, as VACUUM FULL does: then a read fails, and is told, as a write is."""
_BEGIN_UPGRADE = (b"BEGIN",)
"""After it has waited for another process, it must see what that one has done."""
_NOTIFY = "SELECT pg_notify('sundial', ?)"
"""Its parameter: the names of those notified, parted by spaces (postgres_listener.py)."""
_VACUUM = f"VACUUM (SKIP_LOCKED) {', '.join(postgres_schema.TABLES)}"
_SEEN = (
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' "
    "AND backend_xmin IS NOT NULL AND application_name <> current_setting('application_name')"
)
"""What finds other programs whose transactions may still see deleted rows: VACUUM leaves those."""
_OTHERS = (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable)
"""Another process was faster: the transaction is begun again."""
_FAILS = (
    psycopg.OperationalError,
    errors.ReadOnlySqlTransaction,
    errors.InsufficientPrivilege,
    errors.IdleInTransactionSessionTimeout,
    errors.TransactionTimeout,
)
"""The server refuses the transaction, or ends it, for a reason that is none of the statement's: nothing is written."""


class PostgresEngine:
    """Opened with `await PostgresEngine.open(url, owner)`."""

    shared = True
    failures: tuple[type[Exception], ...] = (psycopg.OperationalError,)

    def __init__(self, url: str) -> None:
        self._url = url
        self.writer = _Threads(url, 1, "database, writing")
        self._readers = _Threads(url, READERS, "database, reading")
        self._cleaner = _Threads(url, 1, "database, cleaning")
        self._listener: Listener | None = None

    @classmethod
    async def open(cls, url: str, owner: str | None) -> PostgresEngine:
        """Connect, verify the server and its tables, and migrate them. `owner`: which bot this is; None is not checked.

        Raises DatabaseRefusal; then nothing has changed.
        """
        check_url(url)
        engine = cls(url)
        try:
            await engine.writer.run(lambda threads: _prepare(threads, owner))
        except BaseException:
            await engine.close()
            raise
        return engine

    @classmethod
    async def examine(cls, url: str, owner: str | None) -> int:
        """Return the schema's number, 0 if there are no tables yet. Changes nothing. Raises DatabaseRefusal."""
        check_url(url)
        engine = cls(url)
        try:
            return await engine.writer.run(lambda threads: _examine(threads, owner))
        finally:
            await engine.close()

    async def write(self, work: Callable[[PostgresConnection], T], then: Callable[[T], object] | None) -> T:
        """Run `work` in one transaction. After the commit `then` gets the result in the same thread.

        Raises NotStored, as Unreachable if there is no server; CommitUnknown if it may be stored or not; psycopg.Error.
        """
        return await self.writer.run(lambda threads: _write(threads, work, then))

    def write_now(self, work: Callable[[PostgresConnection], T]) -> T:
        """Do as `write`, and block the calling thread."""
        return self.writer.run_now(lambda threads: _write(threads, work, None))

    async def read(self, work: Callable[[PostgresConnection], T]) -> T:
        """Run `work` in a transaction that only reads. It sees every write that this process asked for before it, also
        one whose caller was cancelled meanwhile. Raises Unreachable; psycopg.Error.
        """
        await self.writer.idle()
        return await self._readers.run_early(lambda threads, found: _read(threads, work, found))

    async def answers(self) -> bool:
        """Return whether the database can be read now."""
        try:
            await self.read(lambda c: c.execute("SELECT 1").fetchone())
        except (psycopg.Error, Unreachable):
            return False
        return True

    async def clean(self) -> bool:
        """Free the space of deleted rows, so that new rows overwrite it. The server's logs and backups are its own.

        Return False if another program works on a table, or still sees deleted rows: they stay. No other work waits.
        """
        try:
            return await self._cleaner.run(_clean)
        except psycopg.OperationalError as error:
            raise NotStored(first_line(error), cause(error)) from error

    async def health(self) -> Health:
        """Return the state of the database: whether it can be read, and the version of the server."""
        return await self._readers.run(_health)

    def listen(self, name: str, heard: Callable[[], object]) -> None:
        """Call `heard`, in the current loop, if another process notifies that name. Once an engine."""
        assert self._listener is None
        loop = asyncio.get_running_loop()
        self._listener = Listener(lambda: connect(self._url), name, lambda: loop.call_soon_threadsafe(heard))

    def notify(self, names: Sequence[str]) -> Callable[[Connection], object]:
        """Return the work that notifies these names, a transaction of its own: its end waits for all that notify."""
        return lambda c: c.execute(_NOTIFY, (" ".join(names),))

    async def close(self) -> None:
        """Finish the transactions that have begun, in 4 s at most, and close the connections."""
        if self._listener is not None:
            await asyncio.to_thread(self._listener.close)
        await asyncio.gather(self.writer.close(), self._readers.close(), self._cleaner.close())


class _Threads:
    """Some threads, each with a connection of its own, which is made when it is needed."""

    def __init__(self, url: str, count: int, name: str) -> None:
        self._url = url
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._own = threading.local()
        self._open: set[psycopg.Connection[Any]] = set()
        self._lock = threading.Lock()
        self._running: set[Future[Any]] = set()
        self._last: Future[Any] | None = None
        self._reached = self._closing = False
        self._lost_since: float | None = None

    async def run(self, work: Callable[[_Threads], T]) -> T:
        """Run `work` in one of the threads. It is run to its end also if the caller is cancelled."""
        future = asyncio.wrap_future(self._submit(work))
        future.add_done_callback(_retrieve)
        return await asyncio.shield(future)

    async def run_early(self, work: Callable[[_Threads, Callable[[T], object]], object]) -> T:
        """Do as `run`, and return as soon as `work` calls the function that it gets, with the result."""
        early = Future[T]()

        def failed(whole: Future[object]) -> None:
            if not early.done():  # what goes wrong afterwards concerns no caller, and closes the connection
                early.set_exception(whole.exception())

        self._submit(lambda threads: work(threads, early.set_result)).add_done_callback(failed)
        future = asyncio.wrap_future(early)
        future.add_done_callback(_retrieve)
        return await asyncio.shield(future)

    def run_now(self, work: Callable[[_Threads], T]) -> T:
        """Run `work` in one of the threads, and block the calling one."""
        return self._submit(work).result()

    def _submit(self, work: Callable[[_Threads], T]) -> Future[T]:
        future = self._executor.submit(work, self)
        self._last = future
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return future

    async def idle(self) -> None:
        """Wait until all is done that was asked for until now, if there is one thread: it works in that order."""
        if self._last is not None and not self._last.done():
            waited = asyncio.wrap_future(self._last)  # one for each caller: cancelling one must not end the others
            waited.add_done_callback(_retrieve)
            await asyncio.wait([waited])

    def connection(self) -> psycopg.Connection[Any]:
        """Return the connection of this thread, between two transactions; a new one if there is none that can begin
        another. Raises psycopg.OperationalError.
        """
        known: psycopg.Connection[Any] | None = getattr(self._own, "connection", None)
        if known is None or is_spoilt(known):
            new = self._own.connection = self._connect()
            with self._lock:
                if known is not None:
                    self._open.discard(known)
                self._open.add(new)
            return new
        return known

    def _connect(self) -> psycopg.Connection[Any]:
        """Connect. If the server was there before, it may be restarting: then try for a moment."""
        while True:
            try:
                new = connect(self._url)
            except psycopg.OperationalError:
                now = time.monotonic()
                self._lost_since = now if self._lost_since is None else self._lost_since
                if self._closing or not self._reached or now - self._lost_since >= RESTARTING:
                    raise
                time.sleep(TRY_AGAIN)
            else:
                self._reached, self._lost_since = True, None
                return new

    async def close(self) -> None:
        """Wait for what runs, in 4 s at most, and close the connections."""
        self._closing, running = True, list(self._running)
        self._executor.shutdown(wait=False)
        if running and (await asyncio.to_thread(wait, running, PATIENCE)).not_done:
            for connection in self._open:
                _cut(connection)
            await asyncio.to_thread(wait, running, PATIENCE)
        for connection in self._open:
            connection.close()


def _retrieve(future: asyncio.Future[Any]) -> None:
    """Take note of an exception that is another caller's, or one that was cancelled: asyncio would log it as lost."""
    if not future.cancelled():
        future.exception()


def check_url(url: str) -> None:
    """Raise DatabaseRefusal if that is no URL of PostgreSQL. What is wrong with it is not quoted: a password may be."""
    place, _, path = url.partition("?")[0].partition("://")[2].partition("/")
    try:
        given = conninfo_to_dict(url)
        host, port = str(given.get("host") or ""), str(given.get("port") or "")
    except psycopg.ProgrammingError as error:
        unknown = _UNKNOWN.search(str(error))
        if unknown and "@" in place and "@" not in url.partition("?")[2]:  # else it may be a part of the password
            raise DatabaseRefusal(
                f"A parameter of DATABASE_URL does not fit: leave out {unknown[1]}, which is for other programs.",
                BAD_URL,
            ) from None
        host, port = "@", ""
    # libpq would quote a part of the password as the host or, if the host is left out, all of it as the port.
    if "@" in host + path or place.count("@") > 1 or port.strip("0123456789,"):
        raise DatabaseRefusal(
            "DATABASE_URL cannot be read. It is like postgresql://user:password@host:5432/database, and characters "
            "such as @ : / # % of the password are written as %40 %3A %2F %23 %25.",
            BAD_URL,
        ) from None


def connect(url: str) -> psycopg.Connection[Any]:
    """Return a connection to that database. Raises psycopg.Error."""
    parameters = make_conninfo("", **{**USUAL, **conninfo_to_dict(url), **ALWAYS})
    connection = psycopg.connect(parameters, autocommit=True, prepare_threshold=None)
    adapt(connection)
    return connection


def _cut(connection: psycopg.Connection[Any]) -> None:
    """End the wait of another thread for the server."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as ours:
        ours.shutdown(socket.SHUT_RDWR)


def _read(threads: _Threads, work: Callable[[PostgresConnection], T], found: Callable[[T], object]) -> None:
    """Read, and call `found` with the result; once more with a new connection if the old one turns out to be lost.
    Raises Unreachable; psycopg.Error.
    """
    lost = False
    while True:
        connection = None
        try:
            connection = threads.connection()
            read(connection, _BEGIN_READ, work, found)
            return
        except _FAILS as error:
            if lost or connection is None or not connection.closed:
                raise Unreachable(first_line(error), cause(error)) from error
            lost = True


def _write(threads: _Threads, work: Callable[[PostgresConnection], T], then: Callable[[T], object] | None) -> T:
    """Write, as often as it takes while other processes get in the way or the connection was lost before the commit."""
    waited, lost = 0, False
    for turn in range(TRIES):
        if turn:
            time.sleep(random.uniform(0, PAUSE * 2 ** min(turn, 5)))  # noqa: S311  -- no secret: so that two part
        connection = None
        try:
            connection = threads.connection()
            result = write(connection, _BEGIN_WRITE, work)
        except CommitUnknown:
            raise
        except _OTHERS as error:
            waited += isinstance(error, errors.LockNotAvailable)
            last: psycopg.Error = error
        except _FAILS as error:
            if connection is not None and not connection.closed:
                raise NotStored(first_line(error), cause(error)) from error
            if lost or connection is None:
                raise Unreachable(first_line(error), cause(error)) from error
            lost, last = True, error
        else:
            if then is not None:
                then(result)
            return result
        if waited == WAITS:
            break
    raise Busy(first_line(last)) from last


def _clean(threads: _Threads) -> bool:
    """VACUUM is no part of a transaction. Tables of other programs in the database are left alone."""
    skipped = list[str | None]()
    with threads.connection() as connection:
        connection.add_notice_handler(lambda notice: skipped.append(notice.sqlstate))
        seen = connection.execute(_SEEN.encode()).fetchone()
        connection.execute(_VACUUM.encode())
    return seen is None and errors.LockNotAvailable.sqlstate not in skipped


def _health(threads: _Threads) -> Health:
    version = "PostgreSQL " + str(threads.connection().info.parameter_status("server_version")).split(" ")[0]
    try:
        _read(threads, lambda c: c.execute("SELECT count(*) FROM match").fetchone(), lambda _: None)
    except (psycopg.Error, Unreachable):
        return Health(sound=False, free=None, engine=version)
    return Health(sound=True, free=None, engine=version)


def _examine(threads: _Threads, owner: str | None) -> int:
    """Verify the server and the tables. Return the schema's number. Raises DatabaseRefusal."""
    with refusals():
        connection = threads.connection()
        postgres_schema.check_server(connection)
        return upgrade(connection, _BEGIN_READ, lambda c: postgres_schema.check(c, owner, writes=True))


def _prepare(threads: _Threads, owner: str | None) -> None:
    """Verify the server and the tables, and bring them up to date. Raises DatabaseRefusal."""
    _examine(threads, owner)
    with refusals():
        connection = threads.connection()
        upgrade(connection, _BEGIN_UPGRADE, lambda c: postgres_schema.prepare(c, owner))
