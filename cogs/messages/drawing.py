"""Draws pictures, in the workers' processes or in one thread, and caches the newest ones by what they show."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Concatenate, ParamSpec, TypeVar

from cogs.runtime.logs import without_text
from cogs.workers.jobs import MORE, Job, Result, do
from cogs.workers.pool import Pool, Urgency, urgency
from cogs.workers.process import Lost, WorkerFault
from data.content.texts import DEFAULT, texts
from data.lru import Lru
from data.turns import Gate
from rendering import Renderer
from rendering.core.labels import Labels
from rules.core.game import Move, View

log = logging.getLogger(__name__)

T = TypeVar("T")
P = ParamSpec("P")

KEPT_PICTURES = 256
"""Pictures in the cache at most."""

_prewarmed: set[str] = set()
"""Games whose sprites were already requested: sprites live as long as this process or its workers."""


def picture(
    slug: str, how: Callable[Concatenate[Renderer[View, Move], P], Result], *given: P.args, **no: P.kwargs
) -> Job:
    """Return the job that calls this function of a game's renderer, such as `Renderer.draw`, with these arguments.
    mypy checks them: a State in place of a View is an error (tests/typing).
    """
    assert not no
    only = (each.only_drawn if isinstance(each, Labels) else each for each in given)
    return Job("picture", (slug, how.__name__, *only))


class Drawing:
    """Draws pictures and caches the newest ones. `pool` None: a thread of this process draws."""

    def __init__(self, pool: Pool | None = None) -> None:
        self._pool = pool
        self._drawer = ThreadPoolExecutor(1, thread_name_prefix="drawing")
        self._gate = Gate()
        self.pictures = Lru[Job, bytes](KEPT_PICTURES)
        self.ahead: asyncio.Task[None] | None = None

    def warm_up(self, games: Iterable[str]) -> None:
        """Have each game's cover drawn in the background, before a player waits for it."""
        for slug in games:
            self._beforehand(slug, picture(slug, Renderer.cover, Labels((), texts(DEFAULT, slug))))

    def prewarm(self, slug: str) -> None:
        """Have a game's sprites drawn, once a process, in small steps: a real picture waits for one step at most."""
        if slug not in _prewarmed:
            _prewarmed.add(slug)
            self._beforehand(slug, Job("prewarm", (slug, texts(DEFAULT, slug))))

    def _beforehand(self, slug: str, job: Job) -> None:
        """Draw in the background, step by step. An error is logged, since no caller waits for the result."""
        if self._pool is not None:
            self._pool.beforehand(job)
            return

        def report(done: Future[Result]) -> None:
            if done.cancelled():
                return
            error = done.exception()
            if error is not None:
                log.error("%s cannot be drawn beforehand: %s", slug, type(error).__name__, exc_info=without_text(error))
            elif done.result() == MORE:
                with suppress(RuntimeError):  # the thread was closed meanwhile
                    self._beforehand(slug, job)

        self._drawer.submit(do, job).add_done_callback(report)

    def look_ahead(self, draw: Callable[[], Awaitable[object]]) -> None:
        """Have the workers draw what a player is likely to ask for next, behind all that players wait for. If the last
        such work is not done yet, this is left: the player is faster. A thread draws nothing ahead, as it has no order.
        """
        if self._pool is None or (self.ahead is not None and not self.ahead.done()):
            return

        async def work() -> None:
            urgency.set(Urgency.LATE)  # of this task alone
            with suppress(Lost, WorkerFault):  # the pool has logged it; who asks for the picture has it drawn again
                await draw()

        self.ahead = asyncio.create_task(work(), name="draw ahead")

    def close(self) -> None:
        """Stop the thread, and drop what it has not begun. The pool's maker closes the pool."""
        if self.ahead is not None:
            self.ahead.cancel()
        self._drawer.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Return the result of slow work done in the thread: one piece at a time, in turn among those who ask."""
        async with self._gate:
            return await asyncio.get_running_loop().run_in_executor(self._drawer, work, *given)

    async def done(self, job: Job) -> Result:
        """Return the result of a job. Raises as `Pool.run` does, or as the job itself."""
        if self._pool is not None:
            try:
                return await self._pool.run(job, urgency.get())
            except Lost as lost:
                if lost.kind != "unstarted":  # otherwise this process does it, as long as it has no workers
                    raise
        return await self.run(do, job)

    async def picture(self, job: Job) -> bytes:
        """Return the file that the job draws, drawn once for equal jobs."""
        data = self.pictures.get(job)
        if data is None:
            found = await self.done(job)
            assert isinstance(found, bytes)
            data = self.pictures[job] = found
        return data

    def ready(self, job: Job) -> bytes | None:
        """Return the file that was drawn for an equal job, if it is in the cache."""
        return self.pictures.get(job)

    async def picture_behind(self, job: Job) -> bytes:
        """Return the same as `picture`, drawn behind all that players wait for."""
        token = urgency.set(Urgency.LATE)
        try:
            return await self.picture(job)
        finally:
            urgency.reset(token)
