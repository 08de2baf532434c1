"""A connection of psycopg with the face that the repositories know from `sqlite3.Connection`.

Values are put into the statement by libpq's own quoting, on our side (`ClientCursor`). So a NULL or a number needs no
type of its own, as in SQLite, and no statement is prepared: PgBouncer may give each transaction another server process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format

from data.store.engine import Cursor, Values

_TOKEN = re.compile(
    r"""(?P<text>'(?:[^']|'')*')|(?P<quoted>"[^"]*")|\?(?P<place>\d*)|:(?P<name>[a-z_]+)|(?P<user>\buser\b)|%"""
)


@lru_cache(maxsize=1024)
def translated(sql: str) -> tuple[bytes, bool]:
    """Return a statement of the repositories as psycopg takes it, and whether its parameters have numbers (`?1`).

    The columns named `user` are quoted: without quotes PostgreSQL reads the name of its own user.
    """
    numbered = False

    def other(found: re.Match[str]) -> str:
        nonlocal numbered
        if found["text"] is not None:
            return found["text"].replace("%", "%%")
        if found["quoted"] is not None:
            return found["quoted"]
        if found["place"]:
            numbered = True
            return f"%(p{found['place']})s"
        if found["place"] is not None:
            return "%s"
        if found["name"] is not None:
            return f"%({found['name']})s"
        return '"user"' if found["user"] is not None else "%%"

    return _TOKEN.sub(other, sql).encode(), numbered


def _given(values: Values, numbered: bool) -> Values:
    if not numbered or isinstance(values, Mapping):
        return values
    return {f"p{at}": value for at, value in enumerate(values, 1)}


class PostgresRow(Sequence[Any]):
    """A row: its values by place and by name, as in `sqlite3.Row`."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: Mapping[str, int], values: Sequence[Any]) -> None:
        self._names, self._values = names, values

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._names[key] if isinstance(key, str) else key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""
        return self._names.keys()


def _rows(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRow]:
    """Return what makes the rows of a result."""
    names = {column.name: at for at, column in enumerate(cursor.description or ())}
    return lambda values: PostgresRow(names, values)


class PostgresConnection:
    """A connection inside a transaction."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Values = (), /) -> Cursor:
        """Run a statement. Raises psycopg.Error."""
        query, numbered = translated(sql)
        cursor = self._cursor()
        cursor.execute(query, _given(values, numbered))
        return cursor

    def executemany(self, sql: str, values: Iterable[Any], /) -> Cursor:
        """Run a statement once for each of these parameters. Raises psycopg.Error."""
        query, numbered = translated(sql)
        cursor = self._cursor()
        cursor.executemany(query, [_given(one, numbered) for one in values])
        return cursor

    def run_script(self, script: str) -> None:
        """Run the statements of a migration, as they are written. Raises psycopg.Error."""
        self._connection.execute(script.encode())

    def _cursor(self) -> psycopg.ClientCursor[PostgresRow]:
        return psycopg.ClientCursor(self._connection, row_factory=_rows)


class _Flag(Dumper):
    """Stores True and False as 1 and 0, the numbers of our columns."""

    format = Format.TEXT

    def dump(self, obj: bool) -> Buffer:
        return b"1" if obj else b"0"

    def quote(self, obj: bool) -> Buffer:
        return self.dump(obj)


class _Value(Dumper):
    """Stores a member of an enumeration as its value, a text or a number."""

    format = Format.TEXT

    def dump(self, obj: Enum) -> Buffer:
        return str(obj.value).encode()


class _Sum(Loader):
    """Reads a sum of whole numbers, whose type in PostgreSQL is that of any decimal number."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


def adapt(connection: psycopg.Connection[Any]) -> None:
    """Make a connection store and return the kinds of values that SQLite does."""
    connection.adapters.register_dumper(bool, _Flag)
    connection.adapters.register_dumper(Enum, _Value)
    connection.adapters.register_loader("numeric", _Sum)
