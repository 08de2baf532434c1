"""Verifies a database before anything writes to it. A refused database stays byte for byte as it was.

So does its write-ahead log, which the last writing connection would merge into the file when it is closed.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from data.store import backup_files, schema
from data.store.backup_files import BadCopy
from data.store.lock import (
    DAMAGED,
    IN_USE,
    LEAST,
    NOT_OURS,
    TO_DO,
    TOO_NEW,
    DatabaseRefusal,
    check_not_lost,
    check_rights,
    code_of,
    refusal,
)

log = logging.getLogger(__name__)


def preflight(path: Path) -> int:
    """Return the schema's number of a database, 0 if it has no tables yet. Before an upgrade, make a backup.

    Reads all of the file. Raises DatabaseRefusal. `path` is absolute.
    """
    version, newest = examine(path)
    if 0 < version < newest:
        with refusals(path), closing(read_only(path)) as connection:
            _keep_as_it_was(connection, path, version)
    return version


def examine(path: Path) -> tuple[int, int]:
    """Return the schema's number of a database, 0 if it has no tables yet, and the newest number. Changes nothing.

    Reads all of the file. Raises DatabaseRefusal. `path` is absolute.
    """
    check_rights(path)
    newest = len(schema.steps())
    if not path.exists() or path.stat().st_size < LEAST:
        check_not_lost(path)
        return 0, newest
    with refusals(path), closing(read_only(path)) as connection:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > newest:
            raise DatabaseRefusal(
                f"The database {path} is from a newer version of this program (tables {version}, this one knows "
                f"{newest}). Nothing was changed; install the newer version again.",
                TOO_NEW,
            )
        if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise DatabaseRefusal(f"The file {path} is a database of another program. Nothing was changed.", NOT_OURS)
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise DatabaseRefusal(f"The database {path} cannot be used. {TO_DO[DAMAGED]}", DAMAGED)
    if version == 0:
        check_not_lost(path)
    return version, newest


def read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that changes nothing. Raises sqlite3.Error. `path` is absolute."""
    return sqlite3.connect(f"{path.as_uri()}?{_how(path)}", uri=True)


def _how(path: Path) -> str:
    """Return the URI parameters to open it with: read-only if possible."""
    if path.with_name(f"{path.name}-journal").exists():
        return "mode=rw"  # SQLite must undo an interrupted transaction before it reads
    return "mode=ro" if backup_files.wal(path).exists() else "immutable=1"  # mode=ro would leave an empty log


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of files into DatabaseRefusal, with a sentence for the operator."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise DatabaseRefusal(f"Another program holds the database {path} locked.", IN_USE) from error
        what = getattr(error, "filename", None) or f"The database {path}"
        raise refusal(f"{what} cannot be used", error, path) from error


@contextmanager
def wal_kept(path: Path) -> Iterator[None]:
    """Keep the write-ahead log while connections are closed: a reader stays open, so none of them is the last."""
    with ExitStack() as stack:
        with suppress(sqlite3.Error):
            reader = stack.enter_context(closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)))
            reader.execute("SELECT 1 FROM sqlite_schema").fetchone()
        yield


def _keep_as_it_was(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Back up the database before its tables change. Raises DatabaseRefusal; without a backup nothing changes."""
    to = backup_files.name(path, datetime.now(UTC), version)
    try:
        backup_files.copy(connection, to)
        backup_files.finish(to)
    except (BadCopy, OSError, sqlite3.Error) as error:
        raise DatabaseRefusal(
            f"The database {path} is to be brought up to date, and the backup before that cannot be made in "
            f"{to.parent}: {error}. Nothing was changed.",
            DAMAGED if isinstance(error, BadCopy) else code_of(error, path),
        ) from error
    log.info("the database as it was before its tables change: %s", to)
