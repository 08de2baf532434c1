"""The PostgreSQL database as the source or the target of a move (moving.py)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from psycopg import errors

from data.store import erasure_log, postgres_schema, schema
from data.store.lock import CANNOT_MOVE, IN_USE, DatabaseRefusal
from data.store.moving import Source, Target, check_current
from data.store.postgres import check_url, connect
from data.store.postgres_connection import PostgresConnection
from data.store.postgres_refusals import NO_SERVER, first_line, refusals

BEGIN_SOURCE = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL lock_timeout = '5s'"
_BEGIN_TARGET = b"BEGIN; SET LOCAL lock_timeout = '5s'; SET LOCAL synchronous_commit = on"
_LOCK_ALL = f"LOCK TABLE {', '.join(postgres_schema.TABLES)} IN SHARE MODE"
"""While it is held, others read and do not write."""
_BOTS = (
    "SELECT count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name = 'sundial' AND pid <> pg_backend_pid()"
)
"""Connections of a bot: it keeps at least one as long as it runs."""
LOOKS, BETWEEN = 20, 0.1
"""How often to look for them, and the seconds between two looks: the server notices the end of a connection late."""
_KEYS = {"result": "number"}
"""The column with the numbers of a table, if it is not `id`."""
_LAST = "SELECT coalesce(pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass)), 0)"
_SET_LAST = "SELECT setval(CAST(pg_get_serial_sequence(?, ?) AS regclass), ?)"


@contextmanager
def source(url: str, owner: str | None) -> Iterator[Source]:
    """Open a database to read it, and let no process write to it meanwhile. Raises DatabaseRefusal."""
    with _opened(url) as (connection, c):
        connection.execute(BEGIN_SOURCE)
        check_current("The PostgreSQL database", postgres_schema.check(c, owner))
        connection.execute(b"ROLLBACK")
        # A state is seen from the first query on: it must come after the lock.
        connection.execute(BEGIN_SOURCE)
        c.execute(_LOCK_ALL)
        stored = schema.setting(c, postgres_schema.OWNER)
        yield Source(c, stored, erasure_log.stored_text(c), False, lambda table: _last_number(c, table))


@contextmanager
def target(url: str, owner: str | None) -> Iterator[Target]:
    """Open an empty database, make its tables, and commit if the block ends well. Raises DatabaseRefusal."""
    with _opened(url) as (connection, c):
        connection.execute(_BEGIN_TARGET)
        c.execute("SELECT pg_advisory_xact_lock(?)", (postgres_schema.LOCK,))
        if postgres_schema.check(c, owner):
            raise DatabaseRefusal(
                "The PostgreSQL database has tables of a bot already. Make a new one with CREATE DATABASE; or, if a "
                "bot was only tried there, drop that one first. Nothing was changed.",
                CANNOT_MOVE,
            )
        for step in postgres_schema.steps(0):
            c.run_script(step.read_text(encoding="utf-8"))
        c.execute(schema.PUT_SETTING, (postgres_schema.SCHEMA, str(len(schema.steps()))))
        filled = Target(c, lambda table, number: _set_last_number(c, table, number))
        yield filled
        _set_last_number(c, "player", int(c.execute("SELECT coalesce(max(id), 0) FROM player").fetchone()[0]))
        if filled.erasures:
            c.execute(schema.PUT_SETTING, (erasure_log.LIST, filled.erasures))
        commit(connection)


def commit(connection: psycopg.Connection[Any]) -> None:
    """End the transaction. DatabaseRefusal: the connection was lost, so it is not known whether all was moved."""
    try:
        ended = connection.execute(b"COMMIT")
    except psycopg.OperationalError as error:
        if not connection.closed:
            raise
        raise DatabaseRefusal(
            f"The connection was lost at the very end ({first_line(error)}), so the PostgreSQL database is either "
            "empty or whole. Run the same command again: if it is refused because of tables there, all was moved.",
            NO_SERVER,
        ) from None
    if ended.statusmessage != "COMMIT":
        raise psycopg.InternalError("a failed transaction was to be committed")


@contextmanager
def _opened(url: str) -> Iterator[tuple[psycopg.Connection[Any], PostgresConnection]]:
    """Connect, and verify the server and that no bot runs on the database. What is not committed is undone."""
    check_url(url)
    with refusals(), closing(connect(url)) as connection:
        postgres_schema.check_server(connection)
        c = PostgresConnection(connection)
        for _ in range(LOOKS):
            if not c.execute(_BOTS).fetchone()[0]:
                break
            time.sleep(BETWEEN)
        else:
            raise DatabaseRefusal(
                "A bot runs on the PostgreSQL database: it has a connection to it. Stop it first. Behind PgBouncer the "
                "connections of a bot that has ended stay for a while: then connect to the server itself.",
                IN_USE,
            )
        try:
            yield connection, c
        except errors.LockNotAvailable as error:
            raise DatabaseRefusal(
                "Another program is changing the PostgreSQL database now. Stop it first. Nothing was changed.", IN_USE
            ) from error


def _last_number(c: PostgresConnection, table: str) -> int:
    return int(c.execute(_LAST, (table, _KEYS.get(table, "id"))).fetchone()[0])


def _set_last_number(c: PostgresConnection, table: str, number: int) -> None:
    if number:
        c.execute(_SET_LAST, (table, _KEYS.get(table, "id"), number))
