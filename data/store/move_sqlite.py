"""The file of SQLite as the source or the target of a move (moving.py)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from data.store import erasure_log, generations, schema
from data.store.backup_files import create_private, sync, wal
from data.store.erasure_log import ErasureLog
from data.store.lock import (
    CANNOT_MOVE,
    DAMAGED,
    LEAST,
    DatabaseRefusal,
    check_not_lost,
    last_run,
    locked,
    place,
    refusal,
)
from data.store.moving import Source, Target, check_current
from data.store.postgres_schema import check_owner
from data.store.preflight import examine, read_only, refusals

PRAGMAS = ("foreign_keys=ON", "synchronous=OFF")
"""The new file is synced to the disk as a whole."""


@contextmanager
def source(path: Path, owner: str | None) -> Iterator[Source]:
    """Lock a file and open it, to read it alone. Raises DatabaseRefusal, also if it belongs to another bot than
    `owner`; None is not checked.
    """
    path = place(path)
    if not path.exists():
        raise DatabaseRefusal(f"There is no database to move: {path}.", CANNOT_MOVE)
    with locked(path) as lock_file:
        check_current(f"The database {path}", examine(path)[0], " after a backup")
        logged = wal(path).exists()
        with refusals(path), closing(read_only(path)) as c:
            c.isolation_level, c.row_factory = None, sqlite3.Row
            c.execute("BEGIN")
            stored = check_owner(c, owner)
            older = generations.is_older(c, last_run(lock_file), logged)
            yield Source(c, stored, ErasureLog(path).text(), older, lambda table: _last_number(c, table))


def _last_number(c: sqlite3.Connection, table: str) -> int:
    sql = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?"
    return int(c.execute(sql, (table,)).fetchone()[0])


@contextmanager
def target(path: Path) -> Iterator[Target]:
    """Make a new file beside that place, and put it there if the block ends without an exception. Raises
    DatabaseRefusal, also if something of a database is there.
    """
    path = place(path)
    fresh, listed = path.with_name(f"{path.name}.moving"), erasure_log.place(path)
    with locked(path):
        if path.exists() and path.stat().st_size >= LEAST:
            raise DatabaseRefusal(
                f"There is a database already: {path}. Name a new file. Nothing was changed.", CANNOT_MOVE
            )
        check_not_lost(path)
        if listed.exists() and not fresh.exists():  # with it, both are left from a move that was killed
            raise DatabaseRefusal(
                f"{listed} belongs to another database. Move it away. Nothing was changed.", CANNOT_MOVE
            )
        try:
            with refusals(path), _failing_disk(path):
                yield from _filled(fresh, listed)
                fresh.replace(path)
                sync(path.parent)
        except BaseException:
            for left in (listed, fresh, fresh.with_name(f"{fresh.name}-journal")):
                left.unlink(missing_ok=True)
            raise


def _filled(fresh: Path, listed: Path) -> Iterator[Target]:
    """Yield a new file, and write all of it to the disk, with the list of deleted users."""
    create_private(fresh)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as c:
        c.row_factory = sqlite3.Row
        for pragma in PRAGMAS:
            c.execute(f"PRAGMA {pragma}")
        c.execute("BEGIN IMMEDIATE")
        schema.migrate(c, schema.steps(), len(schema.steps()))
        filled = Target(c, lambda table, number: _set_last_number(c, table, number))
        yield filled
        generations.none_yet(c)
        c.execute("COMMIT")
        if c.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise DatabaseRefusal(f"The new file {fresh} cannot be read back. Nothing was moved.", DAMAGED)
    sync(fresh)
    if filled.erasures:
        create_private(listed)
        listed.write_text(filled.erasures, encoding="ascii")
        sync(listed)
        sync(listed.parent)


def _set_last_number(c: sqlite3.Connection, table: str, number: int) -> None:
    c.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
    c.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))


@contextmanager
def _failing_disk(path: Path) -> Iterator[None]:
    """Turn the errors of a disk into DatabaseRefusal."""
    try:
        yield
    except OSError as error:
        raise refusal(f"Nothing was moved, as {path} cannot be written", error, path) from error
