"""Make new databases faster: these tests make thousands, each by all migrations.

The first database of a process is made by the migrations, each other one by the tables that they led to, or with them
from `newest`. An older database always gets the migrations that it lacks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from unittest.mock import patch

from data.store import schema

_migrate, _all = schema.migrate, schema.steps()
_made: list[str] = []
"""The statements that make the newest tables in an empty database."""


def _quickly(connection: sqlite3.Connection, missing: Sequence[Path], version: int) -> None:
    if connection.execute("PRAGMA user_version").fetchone()[0] == version:
        return
    if list(missing) != _all:
        _migrate(connection, missing, version)
        return
    if not _made:
        _migrate(connection, missing, version)
        _made.extend(_statements(connection))
        return
    for statement in _made:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version:d}")


def _statements(connection: sqlite3.Connection) -> list[str]:
    """Return what makes the tables and indexes of the database. Raises ValueError if a table has rows."""
    made = connection.execute(
        "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ).fetchall()
    for name, kind, _ in made:
        if kind == "table" and connection.execute(f"SELECT 1 FROM {name}").fetchone():
            raise ValueError(f"a migration writes to {name}")
    return [sql for name, _, sql in made if not name.startswith("sqlite_")]


@cache
def newest() -> bytes:
    """Return a file of a database that has the newest tables, and nothing in them."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        made.row_factory = sqlite3.Row
        _quickly(made, _all, len(_all))
        return made.serialize()


def install() -> None:
    """Patch the store in this process."""
    patch.object(schema, "migrate", _quickly).start()
