"""Detects a database that is older than the bot left it: an earlier copy, or one without its write-ahead log.

Each run has a number, one more than the last. The run writes it into the database before anything else and then, once
that is on the disk, into the lock file (lock.py). So the lock file is never ahead, and a database with a smaller number
is an earlier copy. The end of a run is written into the database too. A run without an end has left a log, whose name
SQLite puts on the disk before it writes to it; if that log is missing, the last writes are missing.

Everything here runs in the caller's transaction.
"""

from __future__ import annotations

import logging
import sqlite3
from functools import partial

from data.store import schema

log = logging.getLogger(__name__)

RUN = "run"
"""Key: the number of the last run, followed by whether that run has ended."""
_ENDED = "ended"


def begin(connection: sqlite3.Connection, noted: int, logged: bool, departed: str) -> int:
    """Begin the next run and return its number. A database older than its last run is marked as restored.

    `noted`: the number in the lock file, 0 if there is none. `logged`: whether the write-ahead log was there.
    `departed`: the last line of the list of deleted users.
    """
    row = schema.setting(connection, RUN)
    last, why = _older(row, noted, logged)
    if why and not schema.is_restored(connection):
        log.warning("the database is older than the bot left it, as if it was restored: %s", why)
        schema.mark_restored(connection)
    schema.after_restore(connection, partial(_leave_out, connection))
    if row is None:  # a database from before this key contains all deletions
        schema.know_departures(connection, departed)
    run = max(last, noted) + 1
    connection.execute(schema.PUT_SETTING, (RUN, str(run)))
    return run


def _leave_out(connection: sqlite3.Connection, count: int) -> int:
    """Skip so many numbers of matches. Return the first of them."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'match'").fetchone()
    if row is None:  # there was no match yet
        connection.execute("INSERT INTO sqlite_sequence VALUES ('match', ?)", (count,))
        return 1
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'match'", (count,))
    return int(row[0]) + 1


def is_older(connection: sqlite3.Connection, noted: int, logged: bool) -> bool:
    """Return whether `begin` would find that the database is older than the bot left it."""
    return bool(_older(schema.setting(connection, RUN), noted, logged)[1])


def none_yet(connection: sqlite3.Connection) -> None:
    """Write into a new database that no run has begun, and that it contains the deletions that it says."""
    connection.execute(schema.PUT_SETTING, (RUN, f"0 {_ENDED}"))


def _older(stored: str | None, noted: int, logged: bool) -> tuple[int, str]:
    """Return the number of the last run, and why the database is older than the bot left it; "": it is not."""
    number, _, ended = (f"0 {_ENDED}" if stored is None else stored).partition(" ")
    if int(number) < noted:
        return int(number), f"there was a run {noted} since its run {number}"
    return int(number), "" if ended or logged else "its log is gone"


def end(connection: sqlite3.Connection) -> None:
    """Write that the run has ended. Afterwards the log is merged into the file, or stays."""
    connection.execute("UPDATE setting SET value = value || ? WHERE name = ?", (f" {_ENDED}", RUN))
