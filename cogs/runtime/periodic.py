"""One background task that does its work again and again, and survives a failure of it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

from cogs.runtime.logs import log_failure

log = logging.getLogger(__name__)

LEAST = 0.5
"""Seconds between two runs at least."""


async def end_tasks(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel these tasks, and wait until they have ended, however they do."""
    begun = [task for task in tasks if task is not None]
    for task in begun:
        task.cancel()
    await asyncio.gather(*begun, return_exceptions=True)


class Periodic:
    """Runs `work` every `every` seconds, unless `work` returns other seconds until its next run.

    The first run comes at the start, or after `every` seconds if not `at_once`. If `work` raises, the log gets `name`
    and the kind of the exception, never its text; the next run follows after `after_failure` seconds (None: `every`).
    `now` counts seconds for `due` and `run_by`.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], Awaitable[float | None]],
        every: float,
        *,
        after_failure: float | None = None,
        at_once: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.work = work
        self._every = every
        self._after_failure = every if after_failure is None else after_failure
        self._first = 0.0 if at_once else every
        self._now = now
        self._task: asyncio.Task[None] | None = None
        self._latest = inf
        """The instant until which the next run must begin, from `run_by` since the last run began."""
        self.due = 0.0
        """When the last or, if asleep, the next run should begin."""
        self.asleep = False
        """Whether the task waits for its next run."""

    @property
    def running(self) -> bool:
        """Whether the task was started and not closed."""
        return self._task is not None

    def start(self) -> None:
        """Begin. Call it once, or again after `close`."""
        assert self._task is None
        self.due = self._now() + self._first
        self._begin(self._first)

    def wake(self) -> None:
        """Run now if the task is asleep; do nothing otherwise."""
        if self._task is not None and self.asleep:
            self._task.cancel()
            self._begin(0.0)

    def run_by(self, instant: float) -> None:
        """Begin the next run at that instant at the latest."""
        self._latest = min(self._latest, instant)
        if self.asleep and instant < self.due:
            self.wake()

    async def close(self) -> None:
        """Cancel the task and wait for its end."""
        task, self._task, self.asleep = self._task, None, False
        if task is not None:
            await end_tasks(task)

    def _begin(self, pause: float) -> None:
        self.asleep = False
        self._task = asyncio.create_task(self._run(pause), name=self.name)

    async def _run(self, pause: float) -> None:
        if pause:
            await self._sleep(pause)
        while True:
            self._latest = inf
            try:
                after = await self.work()
                pause = self._every if after is None else after
            except Exception as error:
                log_failure(log, "%s failed: %s", self.name, error=error)
                pause = self._after_failure
            await self._sleep(max(LEAST, min(pause, self._latest - self._now())))

    async def _sleep(self, pause: float) -> None:
        self.due = self._now() + pause
        self.asleep = True
        await asyncio.sleep(pause)
        self.asleep = False
