"""The tables: the migrations of SQLite, and what a database needs after it was restored from a backup.

Everything here runs in the caller's transaction.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from data.store.engine import Connection
from data.store.hash_chain import fill

MIGRATIONS = Path(__file__).parents[1] / "migrations"
IN_CODE = {"0009_chain": fill}
"""Python code that runs after a migration's SQL, by the name of its file."""
PUT_SETTING = "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
LOCAL = "local"
"""The owner of a PostgreSQL database that `--local` plays on; that of others is the number of a bot."""
RESTORED = "restored"
"""Key: the database is a restored backup; the value is its `DEPARTED`.

In backups of earlier versions it is a number: when it was made, in seconds since 1970.
"""
OLDER = "older"
"""Key: restore point that `Privacy.erase_again` has not processed yet."""
DEPARTED = "departed"
"""Key: the last line of the list in data/store/erasure_log.py whose deletion the database contains."""
LOST = "lost"
"""Key: after each restore the first of the numbers that it skipped, with blanks between."""
NUMBERS_LEFT_OUT = 1_000
"""Match numbers skipped after a restore, since matches after the backup may have had them."""


def steps() -> list[Path]:
    """Return the files of all migrations in order. Their number is the newest schema's number."""
    return sorted(MIGRATIONS.glob("[0-9]*.sql"))


def migrate(connection: sqlite3.Connection, missing: Sequence[Path], version: int) -> None:
    """Run the missing migrations, all or none, up to that version. `executescript` would commit in between."""
    for step in missing:
        for statement in statements(step.read_text(encoding="utf-8")):
            connection.execute(statement)
        if step.stem in IN_CODE:
            IN_CODE[step.stem](connection)
    connection.execute(f"PRAGMA user_version = {version:d}")


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script, each with its semicolon. Text after the last semicolon is left out."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


_LOBBIES = "SELECT id, coalesce(duplicate, id), secret FROM match WHERE status = 'lobby'"
_BEGUN_GROUPS = (
    "SELECT DISTINCT duplicate FROM match WHERE status = 'lobby' AND duplicate IN "
    "(SELECT duplicate FROM match WHERE duplicate IS NOT NULL AND started_at IS NOT NULL)"
)
"""The groups of duplicates with lobbies of which a table has begun: no lobby may get the secret of that table again."""
_DISSOLVE = (
    "UPDATE match SET duplicate = NULL, held = 0, dissolved = 1, version = version + 1 "
    "WHERE duplicate = ? AND status = 'lobby'"
)


def setting(connection: Connection, name: str) -> str | None:
    """Return the text of that key, or None."""
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def is_restored(connection: Connection) -> bool:
    """Return whether the database is marked as a restored backup."""
    return setting(connection, RESTORED) is not None


def mark_restored(connection: Connection) -> None:
    """Mark a database as a restored backup. A second mark changes nothing."""
    value = setting(connection, DEPARTED) or ""
    connection.execute("INSERT INTO setting VALUES (?, ?) ON CONFLICT DO NOTHING", (RESTORED, value))


def know_departures(connection: Connection, line: str) -> None:
    """Store that the database contains all deletions up to that line of the list."""
    connection.execute(PUT_SETTING, (DEPARTED, line))


def is_lost(connection: Connection, number: int) -> bool:
    """Return whether a match of that number may have begun after a backup that was restored since. It is not stored."""
    firsts = (setting(connection, LOST) or "").split()
    return any(0 <= number - int(first) < NUMBERS_LEFT_OUT for first in firsts)


def after_restore(connection: Connection, leave_out: Callable[[int], int]) -> None:
    """Prepare a restored backup, since its players may have gone on after it was made. `leave_out` skips so many
    numbers of matches, and returns the first of them.

    Running matches are marked for a comparison with what Discord shows, except private ones, which have no table:
    their hands are shown again. Tables, those of lobbies too, may have been sent again meanwhile, or have got their
    thread: the bot looks for such messages there. Lobbies get new secrets, because players may have seen hands
    dealt from the old ones, and so do open seasons, whose secrets may have been shown since, and the tables to come
    of seasons that are played. The lobbies of a group of duplicates get one secret; if a table of the group has
    begun, they are no duplicates any more. Cuts are dropped, because a player must cut with the new secret in view.
    Numbers of later matches are not used again, because the buttons of those matches are still on Discord.
    """
    if not is_restored(connection):
        return
    connection.execute("DELETE FROM setting WHERE name = ?", (OLDER,))
    connection.execute("UPDATE setting SET name = ? WHERE name = ?", (OLDER, RESTORED))
    connection.execute(
        "UPDATE match SET doubt = CASE WHEN guild = 0 THEN NULL ELSE 'unchecked' END, version = version + 1 "
        "WHERE status = 'playing'"
    )
    for (group,) in connection.execute(_BEGUN_GROUPS).fetchall():
        connection.execute(_DISSOLVE, (group,))
    connection.execute("UPDATE season SET restores = restores + 1, version = version + 1 WHERE status = 'playing'")
    fresh: dict[int, str] = {}
    for number, group, old in connection.execute(_LOBBIES).fetchall():
        mark, table = old.partition("+")[1:]  # the table after which the seats go round (rules/core/chance.py)
        key = (fresh.setdefault(group, secrets.token_hex(32)) + mark + table, number)
        connection.execute("UPDATE match SET secret = ?, version = version + 1 WHERE id = ?", key)
        connection.execute("UPDATE seat SET cut = NULL WHERE match = ?", (number,))
        # The lobby's message may say that the match has begun.
        connection.execute("UPDATE post SET digest = '' WHERE match = ? AND place = -1", (number,))
    # The hand of a private match may show a later position.
    connection.execute(
        "UPDATE post SET digest = '' WHERE message IS NOT NULL AND match IN (SELECT id FROM match WHERE guild = 0)"
    )
    # The secrets of open seasons may have been shown since.
    for (number,) in connection.execute("SELECT id FROM season WHERE status = 'open'").fetchall():
        key = (secrets.token_hex(32), number)
        connection.execute("UPDATE season SET secret = ?, version = version + 1 WHERE id = ?", key)
    # A thread is opened on the lobby's message and has the same id.
    connection.execute(
        "INSERT INTO old_table SELECT id, post.channel, 0, coalesce(turn_since, opened_at), 0 "
        "FROM match JOIN post ON post.match = match.id AND post.place = -1 WHERE status IN ('lobby', 'playing') "
        "UNION SELECT id, message, 0, coalesce(turn_since, opened_at), 0 FROM match "
        "JOIN post ON post.match = match.id AND post.place = -1 WHERE status = 'lobby' AND message IS NOT NULL "
        "ON CONFLICT DO NOTHING"
    )
    # The end of a match may have been told since: the bot looks for that message.
    connection.execute("UPDATE post SET digest = 'sending' WHERE place = -3 AND message IS NULL AND digest = ''")
    first = leave_out(NUMBERS_LEFT_OUT)
    known = setting(connection, LOST)
    connection.execute(PUT_SETTING, (LOST, f"{known} {first}" if known else str(first)))
