"""A task that does a piece of work again and again, and outlives its failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from cogs.runtime.logs import without_text

log = logging.getLogger(__name__)


class Periodic:
    """Does `work` every so many seconds, or after as many as it returns; `after_failure`: after an exception.

    `name` is the task's, and stands in the log with the kind of a failure. `at_once` False: the first time is one
    `every` after the start.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], Awaitable[float | None]],
        every: float,
        *,
        after_failure: float | None = None,
        at_once: bool = True,
    ) -> None:
        self._name = name
        self._work = work
        self._every = every
        self._after_failure = every if after_failure is None else after_failure
        self._at_once = at_once
        self._task: asyncio.Task[None] | None = None
        self._sleeps = False

    @property
    def running(self) -> bool:
        """Whether it was started and not closed."""
        return self._task is not None

    def start(self) -> None:
        """Begin. Only once, unless it was closed."""
        assert self._task is None
        self._begin(0.0 if self._at_once else self._every)

    def wake(self) -> None:
        """Do the work now if the task sleeps; while it works it will look at everything anyway."""
        if self._task is not None and self._sleeps:
            self._task.cancel()
            self._begin(0.0)

    async def close(self) -> None:
        """End it, whatever it is doing."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _begin(self, wait: float) -> None:
        self._task = asyncio.create_task(self._run(wait), name=self._name)

    async def _run(self, wait: float) -> None:
        while True:
            if wait:
                self._sleeps = True
                try:
                    await asyncio.sleep(wait)
                finally:
                    self._sleeps = False
            try:
                after = await self._work()
                wait = self._every if after is None else after
            except Exception as error:  # whatever it was, the next time must come
                log.error("%s failed: %s", self._name, type(error).__name__, exc_info=without_text(error))
                wait = self._after_failure
