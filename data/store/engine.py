"""What the repositories may use of a database, whose engine is SQLite (sqlite.py) or PostgreSQL (postgres.py).

The SQL of the repositories is the part of the language that both engines understand. Parameters are `?`, `?1` or
`:name`. A flag is a number, 0 or 1, and is compared with 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Values = Sequence[Any] | Mapping[str, Any]
"""The parameters of a statement, by place or by name."""


class NotStored(Exception):
    """Nothing was written, because nothing can be: the disk is full, or the database is locked, read-only or cannot be
    reached. `kind` is the cause in a word for the log, such as SQLITE_FULL or ConnectionRefused.
    """

    def __init__(self, says: str = "", kind: str = "") -> None:
        super().__init__(says)
        self.kind = kind


class Unreachable(NotStored):
    """Nothing was read or written, because the database cannot be reached at the moment."""


class CommitUnknown(Exception):
    """The connection was lost while a transaction was being committed: it may be stored, or not. Ask by a key of what
    it was to store, before it is done again. `kind`: as that of NotStored.
    """

    def __init__(self, says: str = "", kind: str = "") -> None:
        super().__init__(says)
        self.kind = kind


class DiskFails(Exception):
    """A read or write of the disk failed. What was to be stored may be, or not: a later read need not tell. `kind`: as
    that of NotStored.
    """

    def __init__(self, says: str = "", kind: str = "") -> None:
        super().__init__(says)
        self.kind = kind


OUT_OF_REACH = (NotStored, CommitUnknown, DiskFails)
"""What goes wrong while the database, its disk or the way to it fails: no fault of the program, and it passes."""


class Busy(NotStored):
    """Nothing was written, because other processes changed the same rows each time that it was tried."""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the database. `free`: free bytes of its disk; None if it has none or is on another machine."""

    sound: bool
    free: int | None
    engine: str
    """The name of the engine and its version: "SQLite 3.40.1"."""


class Row(Protocol):
    """A row of a result: its values by place and by name."""

    def __getitem__(self, key: Any, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""
        ...


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that the statement changed."""
        ...

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection inside a transaction, as the repositories use it. `sqlite3.Connection` is one."""

    def execute(self, sql: str, values: Values = ..., /) -> Cursor:
        """Run a statement."""
        ...

    def executemany(self, sql: str, values: Iterable[Any], /) -> object:
        """Run a statement once for each of these parameters."""
        ...
