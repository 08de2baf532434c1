"""Whether a database is as the bot left it, or older: an earlier copy in its place, or without the log beside it.

Each run has a number, one more than the last. It is written into the database before anything else, and then, once it
is on the disk there, beside it (lock.py). So what stands beside it is never ahead: a database that is behind it is
an earlier one. That a run has ended is written into the database too. A run that has not ended has left a log, whose
name SQLite puts on the disk before it takes anything in; where it is gone, so is what was written last.

All of it happens in the caller's transaction.
"""

from __future__ import annotations

import logging
import sqlite3

from data.store import schema

log = logging.getLogger(__name__)

RUN = "run"
"""The setting that holds the number of the last run, and after it whether that has ended."""
_ENDED = "ended"


def begin(connection: sqlite3.Connection, noted: int, logged: bool, departed: str) -> int:
    """Begin the next run, and give its number. In a database that is older, nothing counts as known any more.

    `noted`: the number that stands beside the database, 0 where none does. `logged`: whether its log was there.
    `departed`: the last line of the list of those who had their data deleted.
    """
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (RUN,)).fetchone()
    number, _, ended = (row[0] if row else f"0 {_ENDED}").partition(" ")
    last = int(number)
    if (last < noted or not (ended or logged)) and not schema.is_restored(connection):
        why = f"there was a run {noted} since its run {last}" if last < noted else "its log is gone"
        log.warning("the database is older than the bot left it, as if it was restored: %s", why)
        schema.mark_restored(connection)
    schema.after_restore(connection)
    if row is None:  # what was deleted before this was written down, it knows of
        schema.know_departures(connection, departed)
    run = max(last, noted) + 1
    connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (RUN, str(run)))
    return run


def end(connection: sqlite3.Connection) -> None:
    """Note that the run has ended. The log is then taken in, or stays."""
    connection.execute("UPDATE setting SET value = value || ? WHERE name = ?", (f" {_ENDED}", RUN))
