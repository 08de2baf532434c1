"""The errors of SQLite on a disk that is full, or that takes no writes any more, with the codes that they have."""

import sqlite3


def disk_full() -> sqlite3.OperationalError:
    """Return it, new each time."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
    return error


def disk_fails() -> sqlite3.OperationalError:
    """Return the other one, new each time."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE"
    return error
