"""What the publisher leaves for later while requests to Discord are scarce: hands of players who are not to move, and
pictures that move.

Discord takes 50 requests a second from all processes of a bot together (request_budget.py). Half of those for a move
show it in the direct messages of players who need not decide anything. If more moves are made than can be shown at
once, these hands wait: until the next change of their match that asks their player, or until requests are left again.
They are shown in turn with all else that no player waits for. Meanwhile their match keeps its holder: if this process
ends or is killed, another one takes the match as unfinished (cogs/runtime/holdings.py); if it is alone, its next start
shows them. The tables, the pings, and the hands of all who are to move or have pressed are never postponed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

LOOK = 2.0
"""Seconds between two looks whether requests are left again."""

PAUSE = 0.25
"""Seconds between two of these matches."""


class Postponed:
    """The matches of which something waits. `is_scarce`: whether requests are scarce. `show` shows a match when there
    is time.
    """

    def __init__(self, is_scarce: Callable[[], bool], show: Callable[[int], None]) -> None:
        self.is_scarce = is_scarce
        self._show = show
        self._numbers: dict[int, None] = {}  # a set that keeps its order
        self._task: asyncio.Task[None] | None = None
        self._resting = False

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    def put(self, number: int) -> None:
        """Show this match once requests are left again."""
        self._numbers[number] = None
        if self._task is None and not self._resting:
            self._task = asyncio.create_task(self._work(), name="show what was postponed")

    async def _work(self) -> None:
        try:
            while self._numbers:
                await asyncio.sleep(LOOK)
                while self._numbers and not self.is_scarce():
                    number = next(iter(self._numbers))
                    del self._numbers[number]
                    self._show(number)
                    await asyncio.sleep(PAUSE)
        finally:
            self._task = None

    def forget(self, number: int) -> None:
        """Note that the match is shown whole."""
        self._numbers.pop(number, None)

    def rest(self) -> None:
        """Show nothing more. The matches are still noted, so that none is given back as shown."""
        self._resting = True
        if self._task is not None:
            self._task.cancel()

    async def close(self) -> None:
        """End. The next start shows what waits, or another process."""
        self._numbers.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
