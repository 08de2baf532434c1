"""`python bot.py --move-to`: moves everything from the file of SQLite to a PostgreSQL database, or back.

Afterwards every row is read back and compared, and every match is replayed by its log. Only then the target keeps it.
The source stays as it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from cogs.match.quarantine import fault_of
from cogs.runtime.process import Exit
from cogs.runtime.settings import Settings
from data.records import match_rows
from data.store.database import is_url
from data.store.engine import Connection
from data.store.lock import DatabaseRefusal
from rules import GAMES

if TYPE_CHECKING:
    from data.store.moving import Source, Target

OFTEN = 5.0
"""Seconds between two lines about how far it is."""


def move(settings: Settings, root: Path, to: str, say: Callable[[str], None]) -> Exit:
    """Move all that is stored to `to`: the URL of a PostgreSQL database, or, if the bot uses one, a new file. Say a
    line about each part. Return the exit code. Raises DatabaseRefusal and KeyboardInterrupt; then nothing was moved.
    """
    url, owner = settings.database_url, settings.bot_id
    if is_url(to) == (url is not None):
        raise DatabaseRefusal(_wrong_kind(to), Exit.SETTINGS)
    try:
        from data.store import move_postgres, move_sqlite
    except ImportError as error:
        raise DatabaseRefusal("Moving needs psycopg. Install it: make setup-postgresql", Exit.SETTINGS) from error
    source: AbstractContextManager[Source]
    target: AbstractContextManager[Target]
    if url is None:
        path = root / settings.database
        source, target = move_sqlite.source(path, owner), move_postgres.target(to, owner)
        kept, use = str(path), "DATABASE_URL is the URL that you moved to, with its password"
    else:
        path = Path(to).absolute()
        source, target = move_postgres.source(url, owner), move_sqlite.target(path)
        kept, use = "The PostgreSQL database", f"DATABASE={path}, and no DATABASE_URL"
    try:
        with source as old, target as new:
            _move(old, new, owner, say)
    except KeyboardInterrupt:
        say("Nothing was moved: it was interrupted.")
        raise
    say(f"Moved. {kept} is as it was. From now on, in .env: {use}. Do not start a bot on both.")
    return Exit.ENDED


def _wrong_kind(to: str) -> str:
    if is_url(to):
        return (
            "DATABASE_URL is set, so the bot uses PostgreSQL already: --move-to takes the name of a new file then. "
            "To move to another PostgreSQL server, use pg_dump and pg_restore. Nothing was changed."
        )
    return (
        "Without DATABASE_URL the bot uses a file: --move-to takes the URL of a PostgreSQL database then, like "
        "postgresql://user@host:5432/database. Nothing was changed."
    )


def _move(old: Source, new: Target, owner: str | None, say: Callable[[str], None]) -> None:
    """Copy, compare and replay. Raises DatabaseRefusal if the target is not the same."""
    from data.store import moving

    rows = _Progress(moving.count(old.connection), "rows are moved", say)
    contents = moving.copy(old, new, rows.add)
    moving.compare(contents, new)
    filled = sum(content.rows > 0 for content in contents.values())
    say(f"{rows.done:,} rows of {filled} tables were read back and are the same.")
    matches = _Progress(contents["match"].rows, "matches are replayed", say)
    damaged = _replay(old.connection, new.connection, matches.add)
    say(f"{matches.done - len(damaged):,} matches were replayed by their logs and stand as they stood.")
    if damaged:
        say(f"Damaged before and after, so they stay stopped: {', '.join(map(str, damaged))}.")
    if old.older:
        say("The database is older than the bot left it: the next start compares its tables with Discord.")
    moving.finish(old, new, owner)


def _replay(old: Connection, new: Connection, done: Callable[[int], object]) -> list[int]:
    """Replay all matches of the target. Return those that are damaged in the source in the same way. Raises
    DatabaseRefusal for any other that is damaged.
    """
    from data.store import moving

    damaged = []
    for number in moving.matches(new):
        fault = _fault(new, number)
        if fault is not None:
            if fault != _fault(old, number):
                raise DatabaseRefusal(f"Match {number} is damaged after the move: {fault}. Nothing was moved.", 74)
            damaged.append(number)
        done(1)
    return damaged


def _fault(c: Connection, number: int) -> str | None:
    """Return what is wrong with a match; None if it is sound."""
    found = match_rows.whole(c, number)
    assert found is not None
    fault = fault_of(GAMES, *found)
    return None if fault is None else fault[1]


class _Progress:
    """Counts, and says every few seconds how far it is."""

    def __init__(self, total: int, what: str, say: Callable[[str], None]) -> None:
        self.done = 0
        self._total, self._what, self._say = total, what, say
        self._next = time.monotonic() + OFTEN

    def add(self, number: int) -> None:
        self.done += number
        if time.monotonic() >= self._next:
            self._say(f"{self.done:,} of {self._total:,} {self._what}.")
            self._next = time.monotonic() + OFTEN
