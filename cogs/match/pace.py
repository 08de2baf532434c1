"""How long computers take to move: equally long for every move of a level, so that it tells nothing.

A move is made known when its pace is over, however soon it was thought out: one without a choice takes as long as a
hard one. The pace counts from the moment at which the thinking begins, because the wait before that depends on other
tables. A thought that takes longer is made known after two paces, or four, or eight; for a while all matches then play
at that pace, up to four. So a machine that is too slow tells at most once in that while that a thought was a long one,
unless it takes far longer than people would wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from rules.core.computer import Level, Thought
from rules.core.game import Move

PACES: Mapping[Level, float] = {"beginner": 1.2, "friend": 1.2, "strong": 3.0}
"""Seconds that each move takes: more than a thought of that level needs on a machine that is not too busy."""
SLOW_FOR = 900.0
"""Seconds in which all play at the longer pace after a thought that took longer."""
MOST_SLOWED = 4
"""The longest pace at which all play, beside that of PACES."""

Begun = Callable[[], None]


class Pace:
    """The pace of all computers. `share` of the seconds of PACES; 0: each moves as soon as it can."""

    def __init__(self, share: float = 1.0) -> None:
        self._share = share
        self._slow: dict[Level, tuple[float, float]] = {}
        """The longer pace of a level, and until when it is played, by the loop's clock."""

    def seconds(self, level: Level) -> float:
        """Return how long each move of this level takes now."""
        pace, until = self._slow.get(level, (0.0, 0.0))
        return pace if asyncio.get_running_loop().time() < until else self._share * PACES[level]

    async def keep(self, level: Level, think: Callable[[Begun], Awaitable[Thought[Move]]]) -> Thought[Move]:
        """Return what `think` returns, when its pace is over. `think` calls what it is given when it begins to think.

        If there was no thought, the pace stays: what failed has taken long enough.
        """
        time = asyncio.get_running_loop().time
        begun = time()

        def begin() -> None:
            nonlocal begun
            begun = time()

        thought, pace = await think(begin), self.seconds(level)
        took, usual = time() - begun, self._share * PACES[level]
        if 0 < usual < took and not thought.made_do:
            while pace < took:
                pace *= 2
            self._slow[level] = min(pace, MOST_SLOWED * usual), time() + SLOW_FOR
        await asyncio.sleep(begun + pace - time())
        return thought
