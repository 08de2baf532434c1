"""Transactions of PostgreSQL. What a transaction asks makes as few journeys to the server as it can: statements wait
until an answer is looked at, and go together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from psycopg.pq import PipelineStatus, TransactionStatus

from data.store.engine import CommitUnknown
from data.store.postgres_connection import PostgresConnection
from data.store.postgres_refusals import cause, first_line

T = TypeVar("T")
_LINE, _ENDING = "08", "57P"
"""What the codes of errors begin with that are of the line, as are those without a code, and of a server that ends."""


class LostCommit(CommitUnknown, psycopg.OperationalError):
    """The CommitUnknown of PostgreSQL."""


def is_spoilt(connection: psycopg.Connection[Any]) -> bool:
    """Return whether no transaction can begin on that connection any more; then close it.

    One that broke in the middle of a batch may be neither closed nor usable: libpq stays in pipeline mode and waits for
    answers that never come.
    """
    if connection.closed:
        return True
    pipeline, within = connection.pgconn.pipeline_status, connection.pgconn.transaction_status
    if pipeline == PipelineStatus.OFF and within == TransactionStatus.IDLE:
        return False
    connection.close()
    return True


@contextmanager
def _rolled_back(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """Undo everything after an exception. A connection on which no other transaction can begin is closed."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, psycopg.Error):
            error.args = (first_line(error),)  # the rest of its text may quote a row
        if isinstance(error, psycopg.OperationalError) and (error.sqlstate or _LINE).startswith((_LINE, _ENDING)):
            connection.close()
        with suppress(psycopg.Error):  # a lost connection has rolled back
            connection.execute(b"ROLLBACK")
        is_spoilt(connection)
        raise


def write(connection: psycopg.Connection[Any], begin: tuple[bytes, ...], work: Callable[[PostgresConnection], T]) -> T:
    """Run `work` in one transaction. Raises CommitUnknown if the connection is lost at its end."""
    asked = False
    try:
        with _rolled_back(connection), connection.pipeline() as pipeline:
            for statement in begin:
                connection.execute(statement)
            c = PostgresConnection(connection)
            result = work(c)
            if not c.heard:  # a connection that was lost before is noticed before the COMMIT
                pipeline.sync()
            asked = True
            ended = connection.execute(b"COMMIT")
    except psycopg.OperationalError as error:
        if asked and connection.closed:
            raise LostCommit(first_line(error), cause(error)) from error
        raise
    if ended.statusmessage != "COMMIT":
        raise psycopg.InternalError("a failed transaction was to be committed")
    return result


def read(
    connection: psycopg.Connection[Any],
    begin: tuple[bytes, ...],
    work: Callable[[PostgresConnection], T],
    found: Callable[[T], object],
) -> None:
    """Run `work`, which only reads, in one transaction. `found` gets the result before its end: that tells no more."""
    with _rolled_back(connection), connection.pipeline():
        for statement in begin:
            connection.execute(statement)
        result = work(PostgresConnection(connection))
        found(result)
        connection.execute(b"COMMIT")


def upgrade(
    connection: psycopg.Connection[Any], begin: tuple[bytes, ...], work: Callable[[PostgresConnection], T]
) -> T:
    """Run `work`, which may run whole scripts, in one transaction, statement by statement."""
    with _rolled_back(connection):
        for statement in begin:
            connection.execute(statement)
        result = work(PostgresConnection(connection))
        connection.execute(b"COMMIT")
    return result
