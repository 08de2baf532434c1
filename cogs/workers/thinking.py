"""Computers' moves and advice for players, thought out by the pool's workers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any

from cogs.workers.jobs import Job, do
from cogs.workers.pool import LIMIT, Lost, Pool, Urgency, WorkerFault
from rules.core.coach import Advised
from rules.core.computer import Level, Thought
from rules.core.game import AnyGame, AnyState, Move, Seat

log = logging.getLogger(__name__)


def thought_job(game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level) -> Job:
    """Return the job to choose a move. `known` is a redeal for the seat: no worker gets the position itself."""
    return Job("choose", (game.slug, json.dumps(known.to_json()), int(seat), seed, level))


class PoolThinker:
    """Lets workers choose computers' moves, and advise players."""

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

    async def advise(self, game: AnyGame, known: AnyState, seat: Seat, seed: str) -> Sequence[Advised[Any]]:
        """Return the best moves of the seat, the best first; none if no worker could think. A player waits for them."""
        return await self._advice(game, "advise", known, seat, seed, urgency=Urgency.PRESS)

    async def better(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, played: Move
    ) -> Sequence[Advised[Any]]:
        """Return a move that is surely better, and the one that was played; none if there is no such move, or if no
        worker could think. The moves of computers in running matches are as urgent.
        """
        return await self._advice(game, "better", known, seat, seed, str(played), urgency=Urgency.COMPUTERS)

    async def _advice(
        self, game: AnyGame, kind: str, known: AnyState, seat: Seat, *more: str, urgency: Urgency
    ) -> Sequence[Advised[Any]]:
        job = Job(kind, (game.slug, json.dumps(known.to_json()), int(seat), *more))
        try:
            found = await self._pool.run(job, urgency, self._limit)
        except (Lost, WorkerFault) as error:
            if error.kind == "closed":
                raise
            if error.kind != "unstarted":
                log.error("a worker could not advise: %s", error.kind)
                return ()
            found = await asyncio.to_thread(do, job)
        assert isinstance(found, str)
        return [Advised(game.parse(seat, text), *told) for text, *told in json.loads(found)]
