"""Computers' moves, thought out by the pool's workers."""

from __future__ import annotations

import asyncio
import json
import logging

from cogs.workers.jobs import Job, do
from cogs.workers.pool import LIMIT, Lost, Pool, Urgency, WorkerFault
from rules.core.computer import Level, Thought
from rules.core.game import AnyGame, AnyState, Move, Seat

log = logging.getLogger(__name__)


def thought_job(game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level) -> Job:
    """Return the job to choose a move. `known` is a redeal for the seat: no worker gets the position itself."""
    return Job("choose", (game.slug, json.dumps(known.to_json()), int(seat), seed, level))


class PoolThinker:
    """Lets workers choose computers' moves."""

    def __init__(self, pool: Pool, limit: float = LIMIT) -> None:
        self._pool, self._limit = pool, limit

    async def __call__(self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level) -> Thought[Move]:
        """Return the move that a worker chose; the seat's default move, noted as such, if none could."""
        job = thought_job(game, known, seat, seed, level)
        try:
            found = await self._pool.run(job, Urgency.COMPUTERS, self._limit)
        except (Lost, WorkerFault) as error:
            if error.kind == "closed":
                raise
            if error.kind == "unstarted":
                found = await asyncio.to_thread(do, job)
            else:
                log.error("a computer could not think: %s; it plays its default move", error.kind)
                return Thought(known.default_move(seat), made_do=True)
        assert isinstance(found, str)
        return Thought(game.parse(seat, found))
