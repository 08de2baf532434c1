"""The error of SQLite on a full disk, with the code that it has."""

import sqlite3


def disk_full() -> sqlite3.OperationalError:
    """Return it, new each time."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
    return error
