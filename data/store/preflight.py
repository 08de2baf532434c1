"""A database is looked through before anything writes to it: what is refused stays byte for byte as it was.

So does the log beside it, which the last connection that can write takes in when it is closed.
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
from data.store.lock import LEAST, DatabaseRefusal

log = logging.getLogger(__name__)


def preflight(path: Path) -> int:
    """The number of the schema of a database, 0 where there are no tables yet. Before an upgrade it is copied.

    Reads all of the file. Raises DatabaseRefusal. `path` is absolute.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size < LEAST):
        return 0
    newest = len(schema.steps())
    with refusals(path), closing(sqlite3.connect(f"{path.as_uri()}?{_how(path)}", uri=True)) as connection:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > newest:
            raise DatabaseRefusal(
                f"The database {path} is from a newer version of this program (tables {version}, this one knows "
                f"{newest}). Nothing was changed; install the newer version again.",
                78,
            )
        if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise DatabaseRefusal(f"The file {path} is a database of another program. Nothing was changed.", 74)
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise DatabaseRefusal(f"The database {path} is damaged. Put a backup in its place.", 74)
        if 0 < version < newest:
            _keep_as_it_was(connection, path, version)
    return version


def _how(path: Path) -> str:
    """How to open it for a look: so that it cannot be written to, where that can be."""
    if path.with_name(f"{path.name}-journal").exists():
        return "mode=rw"  # another was cut off in a transaction, which SQLite undoes before it reads
    return "mode=ro" if backup_files.wal(path).exists() else "immutable=1"  # else the look would leave an empty log


@contextmanager
def refusals(path: Path) -> Iterator[None]:
    """What SQLite has against a database, said for the operator: raises DatabaseRefusal in its place."""
    try:
        yield
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise DatabaseRefusal(f"Another program holds the database {path} locked.", 75) from error
        raise DatabaseRefusal(f"The database {path} cannot be used: {error}.", 74) from error


@contextmanager
def log_kept(path: Path) -> Iterator[None]:
    """Whatever is closed meanwhile, the log beside the database stays: it is not the last connection."""
    with ExitStack() as stack:
        with suppress(sqlite3.Error):
            reader = stack.enter_context(closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)))
            reader.execute("SELECT 1 FROM sqlite_schema").fetchone()
        yield


def _keep_as_it_was(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """A backup of the database before its tables change. Raises DatabaseRefusal: without one nothing is changed."""
    to = backup_files.name(path, datetime.now(UTC), version)
    try:
        backup_files.copy(connection, to)
        backup_files.finish(to)
    except (BadCopy, OSError, sqlite3.Error) as error:
        raise DatabaseRefusal(
            f"The database {path} is to be brought up to date, and the backup before that cannot be made in "
            f"{to.parent}: {error}. Nothing was changed.",
            74,
        ) from error
    log.info("the database as it was before its tables change: %s", to)
