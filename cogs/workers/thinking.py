"""Lets the pool's workers choose computers' moves and advise players."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

from cogs.workers.jobs import Job, Result, do, read_advice
from cogs.workers.pool import Pool, Urgency
from cogs.workers.process import Lost, WorkerFault
from rules.core.coach import Advised
from rules.core.computer import Level, Thought
from rules.core.game import AnyGame, AnyState, Move, Seat

log = logging.getLogger(__name__)


def thought_job(game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level) -> Job:
    """Return the job to choose a move. `known` is a redeal for the seat: no worker gets the position itself."""
    return Job("choose", (game.slug, json.dumps(known.to_json()), int(seat), seed, level))


class PoolThinker:
    """Lets workers choose computers' moves, and advise players. `urgency`: that of the computers' moves."""

    def __init__(self, pool: Pool, limit: float | None = None, urgency: Urgency = Urgency.COMPUTERS) -> None:
        self._pool, self._limit, self._urgency = pool, limit, urgency

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Callable[[], None]
    ) -> Thought[Move]:
        """Return the move that a worker chose; if no worker could, the seat's default move, marked as such. `begun` is
        called when a worker begins to think.
        """
        job = thought_job(game, known, seat, seed, level)
        try:
            found = await self._done(job, self._urgency, begun)
        except (Lost, WorkerFault) as error:
            if error.kind == "closed":
                raise
            log.error("a computer could not think: %s; it plays its default move", error.kind)
            return Thought(known.default_move(seat), made_do=True)
        assert isinstance(found, str)
        return Thought(game.parse(seat, found))

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> Sequence[Advised[Any]]:
        """Return the best moves of the seat, the best first; no move if no worker could think."""
        return await self._advice(game, "advise", known, seat, seed)

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> Sequence[Advised[Any]]:
        """Return what is surely better, a move or a mixture of moves, and last the played one; () if nothing is, or if
        no worker could think.
        """
        return await self._advice(game, "better", known, seat, seed, str(played))

    async def _advice(
        self, game: AnyGame, kind: str, known: AnyState, seat: Seat, *more: str
    ) -> Sequence[Advised[Any]]:
        """Return what such a job finds. It goes behind computers' moves, which a whole table waits for."""
        job = Job(kind, (game.slug, json.dumps(known.to_json()), int(seat), *more))
        try:
            found = await self._done(job, Urgency.LATE, lambda: None)
        except (Lost, WorkerFault) as error:
            if error.kind == "closed":
                raise
            log.error("a worker could not advise: %s", error.kind)
            return ()
        assert isinstance(found, str)
        return read_advice(game, seat, found)

    async def _done(self, job: Job, urgency: Urgency, begun: Callable[[], None]) -> Result:
        """Return the result of a job; a thread does it if no worker starts. Raises Lost or WorkerFault."""
        try:
            return await self._pool.run(job, urgency, self._limit, begun)
        except Lost as lost:
            if lost.kind != "unstarted":
                raise
        begun()
        return await asyncio.to_thread(do, job)
