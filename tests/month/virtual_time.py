"""Virtual time: an event loop that never waits, and a database connection without a thread.

When nothing is left to do, the loop's time jumps to the next timer. So nothing may run in another thread: what normally
runs in a thread is done at once, and its caller goes on one step of the loop later, as it would after a thread.
"""

from __future__ import annotations

import asyncio
import selectors
import sqlite3
from collections.abc import Callable, Generator, MutableSet
from contextvars import ContextVar
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakSet

from data.store.backup_files import real
from data.store.preflight import wal_kept

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class ProcessRun:
    """One run of the bot's process, with its tasks and connections, so that a test can kill it."""

    def __init__(self) -> None:
        self.dead = False
        self.tasks: MutableSet[asyncio.Task[Any]] = WeakSet()
        self.connections: list[Connection] = []

    async def die(self) -> None:
        """Kill it: from now on nothing that it does reaches the database or Discord."""
        await self.end()
        for connection in self.connections:
            with wal_kept(real(Path(connection.path))):  # a killed process makes no checkpoint
                await connection.close()

    async def end(self) -> None:
        self.dead = True
        while tasks := [task for task in self.tasks if not task.done()]:
            await asyncio.sleep(0)  # each of them has begun then: one that is cancelled before is a warning
            for task in tasks:  # again, if one still wants to take back its transaction, which never gets an answer
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
        await asyncio.gather(*self.tasks, return_exceptions=True)  # their errors are ignored


PROCESS_RUN: ContextVar[ProcessRun | None] = ContextVar("life", default=None)
"""The process that a task belongs to; the tasks that it starts inherit it."""


class _JumpingSelector(selectors.DefaultSelector):
    """A selector that never waits: it moves the clock forward instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("nothing will ever happen any more")
        self.now += timeout
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose `time()` is virtual, in seconds since it was made."""

    def __init__(self) -> None:
        self._selector = _JumpingSelector()
        super().__init__(self._selector)
        self.set_task_factory(_task)

    def time(self) -> float:
        return self._selector.now

    def run_in_executor(self, executor: Any, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """Run it at once. The future gets the result one step later."""
        future = self.create_future()
        try:
            self.call_soon(_settle, future.set_result, future, func(*args))
        except Exception as error:
            self.call_soon(_settle, future.set_exception, future, error)
        return future


def _settle(settle: Callable[[Any], None], future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        settle(result)


def _task(loop: asyncio.AbstractEventLoop, coro: Any, context: Any = None) -> asyncio.Task[Any]:
    """Make a task, and register it with its process."""
    task = asyncio.Task(coro, loop=loop, context=context)
    life = PROCESS_RUN.get() if context is None else context.get(PROCESS_RUN)
    if life is not None:
        life.tasks.add(task)
    return task


class Connection:
    """The part of `aiosqlite.Connection` that `data.store.sqlite` uses. Requests are carried out in order, also if
    the caller is cancelled meanwhile, as with a thread.
    """

    _conn: sqlite3.Connection

    def __init__(self, path: str | Path, **how: Any) -> None:
        self.path, self._how = path, how
        self._tx: SimpleQueue[Any] = SimpleQueue()
        """The work that waits for its thread: it has no thread, so none ever does."""
        self._life = PROCESS_RUN.get()
        if self._life is not None:
            self._life.connections.append(self)

    def __await__(self) -> Generator[Any, None, Connection]:
        return self._open().__await__()

    async def _open(self) -> Connection:
        self._conn = sqlite3.connect(self.path, **self._how)
        return self

    async def _execute(self, work: Callable[..., Any], *args: Any) -> Any:
        if self._life is not None and self._life.dead:
            await asyncio.Event().wait()
        try:
            return work(*args)
        finally:
            await asyncio.sleep(0)

    async def close(self) -> None:
        self._conn.close()
