"""The protocol of what thinks for computer players, and a thread of this process that does."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from cogs.match.pace import Begun
from data.turns import Gate
from rules.core.computer import Level, Thought, choose
from rules.core.game import AnyGame, AnyState, Seat


class Thinker(Protocol):
    """Chooses computers' moves."""

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Begun
    ) -> Thought[Any]:
        """Return the move that a computer of this level makes in this seat. `known` is a redeal for the seat. `begun`
        is called when the thinking begins.
        """
        ...


class ThreadThinker:
    """Chooses computers' moves in a thread of this process: one at a time, in turn among those for whom it is."""

    def __init__(self) -> None:
        self._gate = Gate()

    async def __call__(
        self, game: AnyGame, known: AnyState, seat: Seat, seed: str, level: Level, begun: Begun
    ) -> Thought[Any]:
        """Return the move, computed in a thread."""
        async with self._gate:
            begun()
            return Thought(await asyncio.to_thread(choose, game, known, seat, seed, level))
