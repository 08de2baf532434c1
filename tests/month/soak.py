"""A soak: the month with a restart or a kill every hour, and what the bot holds before each of them.

`python -m tests.month --hourly --days 3 --matches 500` prints what it held after the first hour and after the last.
"""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median

from tests.month.month import HOUR, Month, Plan
from tests.month.process import objects

GROWS, SPARE = 1.1, 3
"""In the last hours as much may be held as in any of the first three quarters, times this, and that many more: how many
people wait differs from hour to hour, and what is done for the first time loads what it needs.
"""
LAST = 3
"""The last hours."""
HISTORY = {
    *("move", "player", "result", "rating", "standing", "tally", "old_table", "farewell", "reminder", "seat_change"),
}
"""Tables that keep what was played, said or done."""


class Soak(Month):
    """One run. All matches are opened in its first half hour."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        gc.collect()
        gc.freeze()  # of a whole test run: else it would be looked through every hour
        self.opened_within = HOUR / 2
        self.readings: list[Counter[str]] = []
        """What the bot held after each hour."""

    async def _disturb(self) -> None:
        loop = asyncio.get_running_loop()
        for hour in range(1, self.plan.days * 24):  # none at the very end, which would cut it off
            await asyncio.sleep(hour * HOUR - loop.time())
            self.readings.append(self.process.holds(Path(self._settings.database)))
            self.figures["restarts"] += 1
            await (self._stop() if self.random.random() < 0.5 else self._crash())
            await self._start()
            self.readings[-1]["objects"] = objects()

    def grown(self) -> list[str]:
        """Return what the bot held more of in the last hours than before. Objects are counted when a process has begun:
        some hours load what they are the first to need; only a leak leaves objects behind in most hours.
        """
        first, last = _most(self.readings[: len(self.readings) * 3 // 4]), _most(self.readings[-LAST:])
        judged = [what for what in last if what.removeprefix("rows: ") not in HISTORY | {"MB", "backups", "objects"}]
        grown = [f"{what}: {first[what]}, {last[what]}" for what in judged if last[what] > GROWS * first[what] + SPARE]
        left = median(after["objects"] - before["objects"] for before, after in pairwise(self.readings))
        return [*grown, *([f"objects: {left} more in most hours"] if left > 0 else [])]

    def table(self) -> str:
        """Return the figures, one a line, and what the bot held after the first hour and after the last."""
        first, last = self.readings[0], self.readings[-1]
        held = [f"{what:36}{first[what]:10}{last[what]:10}" for what in last]
        return "\n".join([super().table(), *held])


def _most(readings: list[Counter[str]]) -> Mapping[str, int]:
    most = Counter[str]()
    for reading in readings:
        most |= reading
    return most
