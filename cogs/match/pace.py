"""How long computers take to move: equally long for every move of a level, so that the time tells nothing. A computer
makes its move when its pace is over, even if the thinking was shorter: a move without a choice takes as long as a hard
one. The pace counts from the moment when the thinking begins, because the wait before that depends on other tables. If
the thinking takes longer than the pace, the move comes after two paces, or four, or eight. For a while all matches then
play at that longer pace, up to four. So a machine that is too slow shows at most once in that while that a computer
thought long, unless it takes far longer than people would wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from rules.core.computer import Level, Thought
from rules.core.game import Move

PACES: Mapping[Level, float] = {"beginner": 1.2, "friend": 1.2, "strong": 3.0}
"""Seconds that each move takes: more than a thought of that level needs on a machine that is not too busy."""
SLOW_FOR = 900.0
"""Seconds for which all play at the longer pace after a computer has thought beyond its pace."""
MOST_SLOWED = 4
"""The longest pace at which all play, in multiples of PACES."""

Begun = Callable[[], None]


class Pace:
    """The pace of all computers. `share` of the seconds of PACES; 0: each moves as soon as it can."""

    def __init__(self, share: float = 1.0) -> None:
        self._share = share
        self._slow: dict[Level, tuple[float, float]] = {}
        """By level: its longer pace, and until when computers keep it, by the event loop's clock."""

    def seconds(self, level: Level) -> float:
        """Return how long each move of this level takes now."""
        pace, until = self._slow.get(level, (0.0, 0.0))
        return pace if asyncio.get_running_loop().time() < until else self._share * PACES[level]

    async def keep(self, level: Level, think: Callable[[Begun], Awaitable[Thought[Move]]]) -> Thought[Move]:
        """Return what `think` returns, when its pace is over. `think` calls its argument when it begins to think. A
        failed thought does not lengthen the pace.
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
