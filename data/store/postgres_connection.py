"""A connection of psycopg with the face that the repositories know from `sqlite3.Connection`.

Values travel beside the statement, so the server's log quotes no hand and no id when a statement fails. A None is
written as NULL into the statement: beside it, it would have no type. No statement is prepared under a name, as
PgBouncer may give each transaction another server process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from enum import IntEnum, StrEnum
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format, PipelineStatus

from data.store.engine import Cursor, Values

_TOKEN = re.compile(
    r"""(?P<text>'(?:[^']|'')*'|"[^"]*")|\?(?P<place>\d*)|:(?P<name>[a-z_]+)|(?P<user>\buser\b)|(?P<percent>%)"""
)
Key = int | str
"""Which value a parameter takes: its place, from 0, or its name."""


@lru_cache(maxsize=1024)
def parsed(sql: str) -> tuple[tuple[str, ...], tuple[Key, ...]]:
    """Return a statement of the repositories as the texts between its parameters, and the keys of these.

    The columns named `user` are quoted: without quotes PostgreSQL reads the name of its own user.
    """
    texts, keys, at = [""], list[Key](), 0
    for found in _TOKEN.finditer(sql):
        texts[-1] += sql[at : found.start()]
        at = found.end()
        if found["text"] is not None:
            texts[-1] += found["text"].replace("%", "%%")
        elif found["user"] is not None:
            texts[-1] += '"user"'
        elif found["percent"] is not None:
            texts[-1] += "%%"
        else:
            place = found["place"]
            keys.append(found["name"] if place is None else int(place) - 1 if place else len(keys))
            texts.append("")
    texts[-1] += sql[at:]
    return tuple(texts), tuple(keys)


def translated(sql: str, values: Values) -> tuple[bytes, list[Any]]:
    """Return a statement of the repositories as psycopg takes it, with its values."""
    texts, keys = parsed(sql)
    chosen = [values[key] for key in keys]  # type: ignore[index]  # a mapping has names, a sequence places
    marks = ["NULL" if value is None else "%s" for value in chosen]
    query = "".join(part for pair in zip(texts, [*marks, ""], strict=True) for part in pair)
    return query.encode(), [value for value in chosen if value is not None]


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


class _Cursor(psycopg.Cursor[PostgresRow]):
    """A result, for which it waits as soon as it is looked at."""

    @property
    def rowcount(self) -> int:
        self._fetch_pipeline()
        return super().rowcount


class PostgresConnection:
    """A connection inside a transaction. In pipeline mode, statements wait until a result is looked at, and go to the
    server together; so an error of one may be raised at a later one, or at the end.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._first: _Cursor | None = None

    @property
    def heard(self) -> bool:
        """Whether the server has answered a statement."""
        return self._first is not None and self._first.pgresult is not None

    def execute(self, sql: str, values: Values = (), /) -> Cursor:
        """Run a statement. Raises psycopg.Error."""
        cursor = _Cursor(self._connection, row_factory=_rows)
        query, given = translated(sql, values)
        cursor.execute(query, given)
        self._first = self._first or cursor
        return cursor

    def executemany(self, sql: str, values: Iterable[Any], /) -> None:
        """Run a statement once for each of these parameters, all in one journey to the server. Raises psycopg.Error."""
        every = list(values)
        together = len(every) > 1 and self._connection.pgconn.pipeline_status == PipelineStatus.OFF
        with self._connection.pipeline() if together else nullcontext():
            for one in every:
                self.execute(sql, one)

    def run_script(self, script: str) -> None:
        """Run the statements of a migration, as they are written. Raises psycopg.Error."""
        statements = script.encode()
        self._connection.execute(statements)


class _Number(Dumper):
    """Stores whole numbers, and True and False as 1 and 0, with the one type of our columns."""

    format = Format.TEXT
    oid = psycopg.adapters.types["int8"].oid

    def dump(self, obj: int) -> Buffer:
        return b"%d" % obj


class _Text(Dumper):
    """Stores texts, and members of enumerations of texts, with the one type of our columns."""

    format = Format.TEXT
    oid = psycopg.adapters.types["text"].oid

    def dump(self, obj: str) -> Buffer:
        return str(obj).encode()


class _Sum(Loader):
    """Reads a sum of whole numbers, whose type in PostgreSQL is that of any decimal number."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


def adapt(connection: psycopg.Connection[Any]) -> None:
    """Make a connection store and return the kinds of values that SQLite does."""
    for number in (bool, int, IntEnum):
        connection.adapters.register_dumper(number, _Number)
    for text in (str, StrEnum):
        connection.adapters.register_dumper(text, _Text)
    connection.adapters.register_loader("numeric", _Sum)
