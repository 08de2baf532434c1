"""Record what a write would change in the database, row by row with the rows' users, and roll it back.

It replaces `Database.write`, the only way to store anything, so it covers every repository. It reads the tables from
the schema, so it covers new ones too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import pytest

from data.store.database import Connection, Database, NotStored
from data.store.erasure_log import ErasureLog

T = TypeVar("T")

DISPLAY_TABLES = {"post", "farewell", "old_table", "setting"}
"""Tables that record what has been shown, or the state of the database. Users who only look may change them."""
IGNORED_COLUMNS = {"person": {"name", "locale"}, "seat": {"number"}}
"""Columns whose change does not count: each press updates names and languages; seat numbers are in SEAT_NUMBERS."""
SEAT_NUMBERS = "place"
"""The table name of changes that tell which user has which seat number."""
_NOTE = "INSERT INTO written VALUES ('{table}', {sign}, {match}, {user}, {text})"
_USER_OF_SEAT = "(SELECT user FROM seat WHERE seat.match = {row}.match AND seat.number = {row}.seat)"


class Change(NamedTuple):
    """A row that is added (`sign` 1) or removed (-1). `user`: the row's user; None if it has none, or a computer."""

    table: str
    sign: int
    match: int | None
    user: int | None
    text: str


class _RolledBack(Exception):
    def __init__(self, changes: list[Change]) -> None:
        super().__init__()
        self.changes = changes


@asynccontextmanager
async def refuse_writes(
    database: Database, patch: pytest.MonkeyPatch, report: Callable[[list[Change]], None]
) -> AsyncIterator[None]:
    """Refuse each write as not stored, if it would change more than DISPLAY_TABLES, and pass its changes to `report`.

    A write without such changes is stored. The erasure log, which is written before the database, is not written. The
    caller must undo `patch` before anything else is written.
    """
    own = database.write

    async def write(work: Callable[[Connection], T], then: Callable[[T], object] | None = None, **how: Any) -> T:
        def recorded(c: Connection) -> T:
            c.execute("DELETE FROM temp.written")
            result = work(c)
            changes = _changes(c)
            if changes:
                raise _RolledBack(changes)
            return result

        try:
            return await own(recorded, then, **how)
        except _RolledBack as rolled_back:
            report(rolled_back.changes)
            raise NotStored from None

    await database.read(_add_triggers)
    patch.setattr(database, "write", write)
    patch.setattr(ErasureLog, "note", lambda departures, user, at: None)
    yield
    await database.read(_drop_triggers)


def _add_triggers(c: Connection) -> None:
    c.execute('CREATE TEMP TABLE written ("table", sign, match, user, text)')
    tables = [row[0] for row in c.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
    for table in tables:
        if table in DISPLAY_TABLES or table.startswith("sqlite_"):
            continue
        columns = [row["name"] for row in c.execute(f"PRAGMA main.table_info({table})").fetchall()]
        for what, rows in (("INSERT", ("NEW",)), ("DELETE", ("OLD",)), ("UPDATE", ("OLD", "NEW"))):
            notes = "; ".join(note for row in rows for note in _notes(table, columns, row, what))
            c.execute(f"CREATE TEMP TRIGGER written_{table}_{what} AFTER {what} ON main.{table} BEGIN {notes}; END")


def _notes(table: str, columns: list[str], row: str, what: str) -> list[str]:
    """Return the SQL by which a trigger notes one row."""
    user = f"{row}.user" if "user" in columns else "NULL"
    if table == "move" and what == "INSERT":
        user = _USER_OF_SEAT.format(row=row)  # the user of the seat that makes the move
    match = f"{row}.match" if "match" in columns else f"{row}.id" if table == "match" else "NULL"
    text = " || ' ' || ".join(f'quote({row}."{c}")' for c in columns if c not in IGNORED_COLUMNS.get(table, ()))
    facts = {"sign": 1 if row == "NEW" else -1, "match": match, "user": user}
    found = [_NOTE.format(table=table, text=text, **facts)]
    if table == "seat":
        found.append(_NOTE.format(table=SEAT_NUMBERS, text=f"{row}.number", **facts))
    return found


def _changes(c: Connection) -> list[Change]:
    """Return the net changes since the table was emptied."""
    count: Counter[tuple[Any, ...]] = Counter()
    for table, sign, *rest in c.execute('SELECT "table", sign, match, user, text FROM temp.written'):
        count[table, *rest] += sign
    return [Change(table, 1 if n > 0 else -1, *rest) for (table, *rest), n in count.items() if n]


def _drop_triggers(c: Connection) -> None:
    for (name,) in c.execute("SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'").fetchall():
        c.execute(f"DROP TRIGGER temp.{name}")
    c.execute("DROP TABLE temp.written")
