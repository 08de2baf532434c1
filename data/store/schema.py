"""The tables: the steps that bring them up to date, and what they need after they were brought back from a backup.

Everything here runs inside the caller's transaction.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from data.records.hash_chain import fill

MIGRATIONS = Path(__file__).parents[1] / "migrations"
IN_CODE = {"0009_chain": fill}
"""What a migration does besides its SQL, after it, by the name of its file."""
RESTORED = "restored"
"""The setting that says that the database has just come back from a backup: what `DEPARTED` is in that.

In backups of earlier versions it is a number: when it was made, in seconds since 1970.
"""
OLDER = "older"
"""The setting that says the same to data/records/privacy.py, until those
are deleted again who had their data deleted since."""
DEPARTED = "departed"
"""The setting that holds the last line of the list in data/store/erasure_log.py that the database knows of."""
NUMBERS_LEFT_OUT = 1_000
"""How many numbers of matches are skipped after a restore: later matches may have had them."""


def steps() -> list[Path]:
    """The files of all migrations, in their order: as many as the newest schema's number."""
    return sorted(MIGRATIONS.glob("[0-9]*.sql"))


def migrate(connection: sqlite3.Connection, missing: Sequence[Path], version: int) -> None:
    """Take the missing steps, all or none, up to that version. Statement by statement: `executescript` would commit."""
    for step in missing:
        for statement in statements(step.read_text(encoding="utf-8")):
            connection.execute(statement)
        if step.stem in IN_CODE:
            IN_CODE[step.stem](connection)
    connection.execute(f"PRAGMA user_version = {version:d}")


def statements(script: str) -> Iterator[str]:
    """The statements of a script, each with its semicolon; what comes after the last one is left out."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def is_restored(connection: sqlite3.Connection) -> bool:
    """Whether the database says of itself that it is a copy which has just come back."""
    return connection.execute("SELECT 1 FROM setting WHERE name = ?", (RESTORED,)).fetchone() is not None


def mark_restored(connection: sqlite3.Connection) -> None:
    """Say of a database that it is a copy. Never a second time."""
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (DEPARTED,)).fetchone()
    connection.execute("INSERT OR IGNORE INTO setting VALUES (?, ?)", (RESTORED, row[0] if row else ""))


def know_departures(connection: sqlite3.Connection, line: str) -> None:
    """Say that the database knows of all deletions up to that line of the list."""
    connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (DEPARTED, line))


def after_restore(connection: sqlite3.Connection) -> None:
    """In a database that has just come back from a backup: what may have happened since counts as not known.

    Matches under way are compared with what Discord shows before anything is done in them. Lobbies get new secrets, as
    somebody may have seen hands that were dealt from the old ones, and nobody has cut yet: whoever cuts is to know what
    they mix with. Numbers that later matches had are not used again:
    their buttons are still there.
    """
    if not connection.execute("UPDATE OR REPLACE setting SET name = ? WHERE name = ?", (OLDER, RESTORED)).rowcount:
        return
    connection.execute("UPDATE match SET doubt = 'unchecked', version = version + 1 WHERE status = 'playing'")
    for (number,) in connection.execute("SELECT id FROM match WHERE status = 'lobby'").fetchall():
        key = (secrets.token_hex(32), number)
        connection.execute("UPDATE match SET secret = ?, version = version + 1 WHERE id = ?", key)
        connection.execute("UPDATE seat SET cut = NULL WHERE match = ?", (number,))
    connection.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'match'", (NUMBERS_LEFT_OUT,))
