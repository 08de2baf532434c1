"""Hears what other processes notify, in a thread with a connection of its own.

It is a hint and nothing more: the connection may be lost, and through PgBouncer, in its transaction mode, nothing
arrives. So each process also looks by itself every second.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import psycopg

log = logging.getLogger(__name__)

AGAIN = 30.0
"""Seconds until the next try to connect."""
CLOSES = 1.0
"""Seconds after which the thread notices that it shall end."""


class Listener:
    """The thread. `heard` is called in it, each time that `name` is notified."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], name: str, heard: Callable[[], object]) -> None:
        self._connect, self._name, self._heard = connect, name, heard
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="database, listening", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, in a second at most if the server answers."""
        self._closing.set()
        self._thread.join(2 * CLOSES)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as connection:
                    self._listen(connection)
            except psycopg.Error as error:
                log.info("no hints of other processes: %s", type(error).__name__)
            self._closing.wait(AGAIN)

    def _listen(self, connection: psycopg.Connection[Any]) -> None:
        connection.execute(b"LISTEN sundial")
        while not self._closing.is_set():
            for hint in connection.notifies(timeout=CLOSES):
                if self._name in hint.payload.split():
                    self._heard()
