"""Record what a write would change in the database, row by row with the rows' users, and take it back.

It looks at the one way by which anything is stored, `Database.write`, so that no repository is forgotten; tables are
read from the schema, so that a new one is watched by being there.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import pytest

from data.store.database import Database, NotStored
from data.store.erasure_log import ErasureLog

T = TypeVar("T")

SHOWN = {"post", "farewell", "old_table", "setting"}
"""Tables that only record what has been shown, and the state of the database: reading may change them."""
AS_SEEN = {"person": {"name", "locale"}, "seat": {"number"}}
"""Columns that are no change: how a person is called is noted at each press; a seat's number stands in PLACE."""
PLACE = "place"
"""Used as a table's name: the users by seat number."""
_NOTE = "INSERT INTO written VALUES ('{table}', {sign}, {match}, {user}, {text})"
_HOLDER = "(SELECT user FROM seat WHERE seat.match = {row}.match AND seat.number = {row}.seat)"


class Change(NamedTuple):
    """A row that is added (`sign` 1) or removed (-1). `user`: the row's user; None if it has none, or a computer."""

    table: str
    sign: int
    match: int | None
    user: int | None
    text: str


class _TakenBack(Exception):
    def __init__(self, changes: list[Change]) -> None:
        super().__init__()
        self.changes = changes


@asynccontextmanager
async def nothing_stored(
    database: Database, patch: pytest.MonkeyPatch, noted: Callable[[list[Change]], None]
) -> AsyncIterator[None]:
    """While every write of more than what is shown is refused as not stored. `noted` hears what it would have changed.
    Nor does anybody get on the list of those who had their data deleted, which is written before.

    A write that changes nothing is let through. `patch` is undone by the caller, before anything else is written.
    """
    own = database.write

    async def write(
        work: Callable[[sqlite3.Connection], T], then: Callable[[T], object] | None = None, **how: Any
    ) -> T:
        def looked_at(c: sqlite3.Connection) -> T:
            c.execute("DELETE FROM temp.written")
            result = work(c)
            changes = _changes(c)
            if changes:
                raise _TakenBack(changes)
            return result

        try:
            return await own(looked_at, then, **how)
        except _TakenBack as taken:
            noted(taken.changes)
            raise NotStored from None

    await database.read(_watch)
    patch.setattr(database, "write", write)
    patch.setattr(ErasureLog, "note", lambda departures, user, at: None)
    yield
    await database.read(_watch_no_more)


def _watch(c: sqlite3.Connection) -> None:
    c.execute('CREATE TEMP TABLE written ("table", sign, match, user, text)')
    tables = [row[0] for row in c.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table'")]
    for table in tables:
        if table in SHOWN or table.startswith("sqlite_"):
            continue
        columns = [row["name"] for row in c.execute(f"PRAGMA main.table_info({table})").fetchall()]
        for what, rows in (("INSERT", ("NEW",)), ("DELETE", ("OLD",)), ("UPDATE", ("OLD", "NEW"))):
            notes = "; ".join(note for row in rows for note in _notes(table, columns, row, what))
            c.execute(f"CREATE TEMP TRIGGER written_{table}_{what} AFTER {what} ON main.{table} BEGIN {notes}; END")


def _notes(table: str, columns: list[str], row: str, what: str) -> list[str]:
    """What a trigger notes of one row."""
    user = f"{row}.user" if "user" in columns else "NULL"
    if table == "move" and what == "INSERT":
        user = _HOLDER.format(row=row)  # the move belongs to that seat, by person or computer
    match = f"{row}.match" if "match" in columns else f"{row}.id" if table == "match" else "NULL"
    text = " || ' ' || ".join(f'quote({row}."{c}")' for c in columns if c not in AS_SEEN.get(table, ()))
    facts = {"sign": 1 if row == "NEW" else -1, "match": match, "user": user}
    found = [_NOTE.format(table=table, text=text, **facts)]
    if table == "seat":
        found.append(_NOTE.format(table=PLACE, text=f"{row}.number", **facts))
    return found


def _changes(c: sqlite3.Connection) -> list[Change]:
    """What has come and gone since the table was emptied, less what has come back."""
    count: Counter[tuple[Any, ...]] = Counter()
    for table, sign, *rest in c.execute('SELECT "table", sign, match, user, text FROM temp.written'):
        count[table, *rest] += sign
    return [Change(table, 1 if n > 0 else -1, *rest) for (table, *rest), n in count.items() if n]


def _watch_no_more(c: sqlite3.Connection) -> None:
    for (name,) in c.execute("SELECT name FROM temp.sqlite_schema WHERE type = 'trigger'").fetchall():
        c.execute(f"DROP TRIGGER temp.{name}")
    c.execute("DROP TABLE temp.written")
