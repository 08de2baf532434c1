"""Make each use of a database faster: these tests make hundreds of thousands.

A bot reads and writes in a thread of its own. To wake that thread and be woken by it costs more than what it does. Here
the work is done at once, and then all others have a turn. The tests of the store and of the bot as a process have the
thread. A new database has the newest tables from the start.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiosqlite

from tests.support.quick_schema import newest

CHUNK = 64
"""The rows of a portion, as aiosqlite has it; the store asks for no portions."""


class _Connection(aiosqlite.Connection):
    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._running or self._connection is None:
            raise ValueError("Connection closed")
        try:
            return fn(*args, **kwargs)
        finally:
            await asyncio.sleep(0)


def _opened(path: str | Path, **how: Any) -> sqlite3.Connection:
    connection: sqlite3.Connection = sqlite3.connect(path, check_same_thread=False, **how)
    if str(path) == ":memory:":
        connection.deserialize(newest())
    return connection


def _connect(path: str | Path, **how: Any) -> aiosqlite.Connection:
    file = Path(path)
    if file.name != ":memory:" and not (file.exists() and file.stat().st_size):
        file.write_bytes(newest())
    return _Connection(partial(_opened, path, **how), CHUNK)


@contextmanager
def quick_sqlite() -> Iterator[None]:
    """Let databases that are opened meanwhile work so."""
    with patch.object(aiosqlite, "connect", _connect):
        yield
