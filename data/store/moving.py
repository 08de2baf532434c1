"""Moves all that is stored from a file of SQLite to a PostgreSQL database, or back, and compares both (cogs/move.py).

Rows go over in pages, so memory does not grow with the tables. The source is only read, and all in one state. The
target gets everything in one transaction: it is empty or whole.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from data.store import erasure_log, generations, postgres_schema, schema
from data.store.engine import Connection
from data.store.lock import CANNOT_MOVE, DAMAGED, DatabaseRefusal
from data.store.postgres_schema import OWNER, SCHEMA

PAGE = 200
"""Rows of a page: the largest rows, positions of matches, have a few kB."""
NUMBERED = ("match", "result", "season")
"""Tables whose numbers are never used twice, also if the rows are gone."""
_MATCHES = "SELECT id FROM match WHERE id > ? ORDER BY id LIMIT 500"
_OWN = {generations.RUN, SCHEMA, OWNER, erasure_log.LIST}
"""Keys in `setting` that are the engine's own."""


@dataclass
class Source:
    """An opened database to move from. It does not change while it is open."""

    connection: Connection
    owner: str | None
    """Which bot it belongs to; None: it does not say."""
    erasures: str
    """The list of deleted users."""
    older: bool
    """Whether it is older than its bot left it, and must be compared with Discord."""
    last_number: Callable[[str], int]
    """Returns the last number given out in a table of NUMBERED, 0 if none was."""


@dataclass
class Target:
    """An opened, empty database with tables to move to. What is written is kept unless its block raises."""

    connection: Connection
    set_last_number: Callable[[str, int], None]
    """Makes a table go on after that number, which is not 0."""
    erasures: str = field(default="")
    """The list of deleted users, to be stored at the end."""


@dataclass(frozen=True)
class Table:
    """A table with the names of its columns and of its key, both in order."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @cached_property
    def insert(self) -> str:
        """The statement that stores a row."""
        return f'INSERT INTO "{self.name}" ({_names(self.columns)}) VALUES ({_marks(self.columns)})'

    @cached_property
    def select(self) -> str:
        """The statement that reads the first page."""
        return f'SELECT {_names(self.columns)} FROM "{self.name}" ORDER BY {_names(self.key)} LIMIT {PAGE}'

    @cached_property
    def select_after(self) -> str:
        """The statement that reads the page after a key."""
        after = f"({_names(self.key)}) > ({_marks(self.key)})"
        return self.select.replace(" ORDER BY", f" WHERE {after} ORDER BY", 1)


class Content:
    """What a table holds: the number of its rows, and a hash of all values in the order of its key."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = sha256()

    def add(self, page: list[tuple[Any, ...]]) -> None:
        """Add the rows that follow."""
        self.rows += len(page)
        for row in page:
            self._hash.update(repr(row).encode())

    def same(self, other: Content) -> bool:
        """Return whether both tables hold the same."""
        return (self.rows, self._hash.digest()) == (other.rows, other._hash.digest())


def check_current(what: str, version: int, after: str = "") -> None:
    """Raise DatabaseRefusal if that database has no tables, or those of an older version."""
    newest = len(schema.steps())
    if version == 0:
        raise DatabaseRefusal(f"{what} has no tables, so there is nothing to move.", CANNOT_MOVE)
    if version < newest:
        raise DatabaseRefusal(
            f"{what} is from an older version of this program (tables {version}, this one knows {newest}). Start the "
            f"bot on it once, which brings it up to date{after}; then move it. Nothing was changed.",
            CANNOT_MOVE,
        )


def tables() -> list[Table]:
    """Return all tables, so that each comes after those that it refers to. Both engines have the same."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as c:
        schema.migrate(c, schema.steps(), len(schema.steps()))
        found = []
        for name in postgres_schema.TABLES:
            columns = c.execute(f"PRAGMA table_info({name})").fetchall()
            key = [row[1] for row in sorted(columns, key=lambda row: int(row[5])) if row[5]]
            found.append(Table(name, tuple(row[1] for row in columns), tuple(key)))
        return found


def count(c: Connection) -> int:
    """Return the number of rows in all tables."""
    return sum(int(c.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in postgres_schema.TABLES)


def copy(source: Source, target: Target, moved: Callable[[int], object]) -> dict[str, Content]:
    """Copy everything, and return what each table of the source holds. `moved` gets the number of rows of each page."""
    contents = {}
    for table in tables():
        content, insert = Content(), table.insert
        contents[table.name] = content
        for page in _pages(source.connection, table):
            target.connection.executemany(insert, page)
            content.add(page)
            moved(len(page))
    for name in NUMBERED:
        if last := source.last_number(name):
            target.set_last_number(name, last)
    target.erasures = source.erasures
    return contents


def compare(contents: dict[str, Content], target: Target) -> None:
    """Read the target back. Raises DatabaseRefusal if a table does not hold what was copied."""
    for table in tables():
        found = Content()
        for page in _pages(target.connection, table):
            found.add(page)
        read = contents[table.name]
        if not found.same(read):
            raise DatabaseRefusal(
                f"The {found.rows:,} rows of the table {table.name} after the move are not the {read.rows:,} that were "
                "read. Nothing was moved.",
                DAMAGED,
            )


def matches(c: Connection) -> Iterator[int]:
    """Yield the numbers of all matches."""
    last = 0
    while numbers := [int(row[0]) for row in c.execute(_MATCHES, (last,))]:
        yield from numbers
        last = numbers[-1]


def finish(source: Source, target: Target, owner: str | None) -> None:
    """Write what only the target needs: whose it is, and whether it must be compared with Discord at the next start."""
    c = target.connection
    if owner or source.owner:
        c.execute(schema.PUT_SETTING, (OWNER, owner or source.owner))
    if source.older:
        schema.mark_restored(c)


def _pages(c: Connection, table: Table) -> Iterator[list[tuple[Any, ...]]]:
    """Yield all rows in the order of the key, without the engine's own settings."""
    places = [table.columns.index(name) for name in table.key]
    page = _rows(c, table, table.select, ())
    while page:
        yield [row for row in page if table.name != "setting" or row[0] not in _OWN]
        page = _rows(c, table, table.select_after, [page[-1][place] for place in places])


def _rows(c: Connection, table: Table, sql: str, values: list[Any] | tuple[()]) -> list[tuple[Any, ...]]:
    try:
        return [tuple(row) for row in c.execute(sql, values)]
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
        raise DatabaseRefusal(  # the error quotes the text, which may be a hand
            f"The table {table.name} has a damaged text, which PostgreSQL does not store. Restore a backup first. "
            "Nothing was moved.",
            DAMAGED,
        ) from None


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _marks(columns: tuple[str, ...]) -> str:
    return ", ".join("?" * len(columns))
