"""Draws pictures in one worker thread, and caches the last ones by what they show."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from cogs.runtime.logs import without_text
from data.content.texts import DEFAULT, texts
from data.lru import Lru
from rendering import prewarm, renderer
from rendering.core.labels import Labels

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT_PICTURES = 256
"""Pictures in the cache at most."""

_prewarmed: set[str] = set()
"""Games whose sprites have been requested: they live as long as the process."""


class Drawing:
    """The thread that draws, and the pictures that it drew last."""

    def __init__(self) -> None:
        self._drawer = ThreadPoolExecutor(1, thread_name_prefix="drawing")
        self._pictures = Lru[object, bytes](KEPT_PICTURES)

    def warm_up(self, games: Iterable[str]) -> None:
        """Have each game's cover drawn in the background, before a player waits for it."""
        for slug in games:
            labels = Labels((), texts(DEFAULT, slug))
            self._beforehand(slug, renderer(slug).cover, labels)

    def prewarm(self, slug: str) -> None:
        """Have a game's sprites drawn, once a process, in small steps: a real picture waits for one step at most."""
        if slug in _prewarmed:
            return
        _prewarmed.add(slug)
        steps = prewarm(slug, texts(DEFAULT, slug))

        def step() -> None:
            if next(steps, steps) is None:
                with suppress(RuntimeError):  # the thread was closed meanwhile
                    self._beforehand(slug, step)

        self._beforehand(slug, step)

    def _beforehand(self, slug: str, work: Callable[..., object], *given: object) -> None:
        """Draw in the background. An error is logged, since no caller waits for the result."""

        def report(done: Future[object]) -> None:
            error = None if done.cancelled() else done.exception()
            if error is not None:
                log.error("%s cannot be drawn beforehand: %s", slug, type(error).__name__, exc_info=without_text(error))

        self._drawer.submit(work, *given).add_done_callback(report)

    def close(self) -> None:
        """Stop the thread, and drop what it has not begun."""
        self._drawer.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """Return the result of slow work, done in the drawing thread."""
        return await asyncio.get_running_loop().run_in_executor(self._drawer, work, *given)

    async def picture(self, key: object, draw: Callable[[], bytes]) -> bytes:
        """Return the PNG that `draw` returns, drawn once for equal keys. The key holds all that the picture shows."""
        png = self._pictures.get(key)
        if png is None:
            png = self._pictures[key] = await self.run(draw)
        return png
