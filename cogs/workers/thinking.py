"""Computers' moves and hints, thought out by the pool's workers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

from cogs.workers.jobs import Job, Result, do, read_advice
from cogs.workers.pool import LIMIT, Lost, Pool, Urgency, WorkerFault
from rules.core.coach import Advised
from rules.core.computer import Level, Thought
from rules.core.game import AnyGame, AnyState, Move, Seat

log = logging.getLogger(__name__)


def thought_job(game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level) -> Job:
    """Return the job to choose a move. `known` is a redeal for the seat: no worker gets the position itself."""
    return Job("choose", (game.slug, json.dumps(known.to_json()), int(seat), seed, level))


class PoolThinker:
    """Lets workers choose computers' moves, and find hints."""

    def __init__(self, pool: Pool, limit: float = LIMIT) -> None:
        self._pool, self._limit = pool, limit

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Callable[[], None]
    ) -> Thought[Move]:
        """Return the move that a worker chose; the seat's default move, noted as such, if none could. `begun` is called
        when one begins to think.
        """
        job = thought_job(game, known, seat, seed, level)
        try:
            found = await self._done(job, Urgency.COMPUTERS, begun)
        except (Lost, WorkerFault) as error:
            if error.kind == "closed":
                raise
            log.error("a computer could not think: %s; it plays its default move", error.kind)
            return Thought(known.default_move(seat), made_do=True)
        assert isinstance(found, str)
        return Thought(game.parse(seat, found))

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> tuple[Advised[Move], ...]:
        """Return the best moves of a seat. Presses go before: it takes long. Raises Lost or WorkerFault."""
        job = Job("advise", (game.slug, json.dumps(known.to_json()), int(seat), seed))
        found = await self._done(job, Urgency.PEOPLE, lambda: None)
        assert isinstance(found, str)
        return read_advice(game, seat, found)

    async def _done(self, job: Job, urgency: Urgency, begun: Callable[[], None]) -> Result:
        """Return the result of a job; without any worker, of a thread. Raises Lost or WorkerFault."""
        try:
            return await self._pool.run(job, urgency, self._limit, begun)
        except Lost as lost:
            if lost.kind != "unstarted":
                raise
        begun()
        return await asyncio.to_thread(do, job)
