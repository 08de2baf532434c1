"""Seeded bugs: each harness must find those of its kind. The product knows nothing of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from time import sleep
from typing import Any, TypeVar

from data.store.database import Connection, Database, NotStored
from data.store.engine import Cursor

T = TypeVar("T")


class Bug(StrEnum):
    NONE = "none"
    EARLY = "early"
    """A move is acknowledged before it is stored."""
    KEYLESS = "keyless"
    """A repeated press is not recognised: it is applied twice."""
    HALVES = "halves"
    """A move is written in two transactions."""
    NORMAL = "normal"
    """`synchronous=NORMAL`: a commit does not wait for the disk."""
    OFF = "off"
    """`synchronous=OFF`: nothing waits for the disk."""
    SWALLOWED = "swallowed"
    """A write that failed counts as done."""
    HASTY = "hasty"
    """The result of a write is remembered before the commit."""
    POSTPONED = "postponed"
    """tests/process/seeded_bugs.py seeds this bug and the next five, in the whole bot."""
    UNSHOWN = "unshown"
    BLIND = "blind"
    FORGOTTEN = "forgotten"
    UNANSWERED = "unanswered"
    SHIFTED = "shifted"
    UNFENCED = "unfenced"
    """The last seven are bugs of several processes."""
    HOST_CLOCK = "host-clock"
    UNCHECKED = "unchecked"
    KEPT = "kept"
    MADE_AGAIN = "made-again"
    BROKEN_KEPT = "broken-kept"
    BELIEVED = "believed"


IN_WORKERS = (Bug.UNANSWERED, Bug.SHIFTED)
"""Bugs of the bot that show if a worker is killed."""


class _Halved:
    """A connection that commits after the first change of a transaction, and then begins another transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._whole = connection, True

    def execute(self, sql: str, values: Any = ()) -> Cursor:
        cursor = self._connection.execute(sql, values)
        # SQLite cannot commit before the rows that a statement returns are read: a match's first one.
        if self._whole and sql.startswith(("UPDATE", "INSERT")) and "RETURNING" not in sql:
            self._whole = False
            self._connection.execute("COMMIT")
            sleep(0.02)  # so that one of a few kills strikes here, however slow the machine is
            self._connection.execute("BEGIN")
        return cursor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


class _Halves(Database):
    async def write(self, work: Callable[[Any], T], then: Callable[[T], object] | None = None, **how: Any) -> T:
        return await super().write(lambda c: work(_Halved(c)), then, **how)


class _Swallowed(Database):
    async def write(self, work: Callable[[Any], T], then: Callable[[T], object] | None = None, **how: Any) -> T:
        done: list[T] = []

        def noted(c: sqlite3.Connection) -> T:
            done.append(work(c))
            return done[0]

        try:
            return await super().write(noted, then, **how)
        except (NotStored, sqlite3.OperationalError):
            if not done:
                raise
            return done[0]


class _Hasty(Database):
    async def write(self, work: Callable[[Any], T], then: Callable[[T], object] | None = None, **how: Any) -> T:
        def remembered(c: sqlite3.Connection) -> T:
            result = work(c)
            if then is not None:
                then(result)
            return result

        return await super().write(remembered, **how)


_DATABASES = {Bug.HALVES: _Halves, Bug.SWALLOWED: _Swallowed, Bug.HASTY: _Hasty}
_SYNCHRONOUS = {Bug.NORMAL: "NORMAL", Bug.OFF: "OFF"}


async def open_database(path: Path | str, bug: Bug) -> Database:
    """Open the product's database, with that bug if it is one of the database. Raises DatabaseRefusal."""
    database = await _DATABASES.get(bug, Database).open(path)
    if bug in _SYNCHRONOUS:
        await pragma(database, f"synchronous={_SYNCHRONOUS[bug]}")
    return database


async def pragma(database: Database, setting: str) -> None:
    """Change a setting of the connection."""
    await database.read(lambda c: c.execute(f"PRAGMA {setting}").fetchall())
