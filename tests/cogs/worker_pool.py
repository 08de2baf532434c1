"""Pools of workers in tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.workers.pool import Pool
from data.content.texts import texts
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.game import AnyState

shares_pool = pytest.mark.asyncio(loop_scope="module")
BAD = "tests.support.worker_program"
NAMES = ("ann", "ben", "cleo", "dan", "eve", "fay", "gus", "hal")


@asynccontextmanager
async def pool_of(most: int, program: str = BAD) -> AsyncIterator[Pool]:
    pool = Pool(most, program=program)
    try:
        yield pool
    finally:
        await pool.close()
        assert pool.pids == []


def labels(slug: str, seats: int, **how: Any) -> Labels:
    return Labels(NAMES[:seats], texts("en", slug), **how)


def midway(slug: str, seats: int, seed: str, plies: int = 9) -> AnyState:
    """Return a position after that many random moves, or the last one before the end."""
    random, state = Random(seed), GAMES[slug].new(seats, {}, seed)
    for _ in range(plies):
        after, _ = state.apply(random.choice(state.legal_moves(min(state.to_move()))))
        if not after.to_move():
            break
        state = after
    return state


def nothing() -> None:
    """A callback that does nothing, for when a worker begins."""


def told(pid: int, name: str) -> str:
    """Return what the kernel tells about a process."""
    return Path(f"/proc/{pid}/{name}").read_text()
