"""What is committed in the database of a bot, read beside it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.support.hung import HUNG

AGAIN = 0.05
"""The seconds between two tries to read the database."""


class Committed:
    """Reads that database. `database`: its file, or its URL."""

    def __init__(self, database: Path | str) -> None:
        self.database = database
        self._reader: psycopg.Connection[Any] | None = None

    def read(self, sql: str, *values: int) -> list[Any]:
        """Return what is committed in the database."""
        if isinstance(self.database, str):
            return self._rows(sql.replace("?", "%s").encode(), values)
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as reader:
            return reader.execute(sql, values).fetchall()

    def _rows(self, sql: bytes, values: Sequence[int]) -> list[Any]:
        """Read from PostgreSQL, which may be starting again."""
        for _ in range(round(HUNG / AGAIN)):
            try:
                if self._reader is None or self._reader.closed:
                    self._reader = psycopg.connect(str(self.database), autocommit=True)
                return self._reader.execute(sql, values).fetchall()
            except psycopg.OperationalError:
                time.sleep(AGAIN)
        raise TimeoutError("PostgreSQL does not come back")

    def close(self) -> None:
        """Close the connection to the database."""
        if self._reader is not None:
            self._reader.close()
