"""The wait before connecting for a bot that starts again and again.

Discord takes 1,000 connections a day from a bot, and resets its token when there are more. So each start is noted down
as a debt that five minutes pay off. Who owes little connects at once, as after a good long run; else the wait grows to
five minutes, which makes fewer than 300 connections a day, however short or long each run is and whoever starts it.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

from data.records.key_values import KeyValues
from data.store.database import NotStored

log = logging.getLogger(__name__)

STARTS = "starts"
"""The fact that says how many starts are owed for, and as of when."""
PAID_OFF = 300.0
"""Seconds that pay off one start."""
FREE = 5
"""Starts that one may owe for without waiting."""
WAITS = (10.0, 40.0, 160.0, 300.0)
"""Seconds to wait beyond that, growing with each start owed."""


class StartThrottle:
    """The starts of the bot on one database. `now`: seconds since 1970."""

    def __init__(self, facts: KeyValues, now: Callable[[], float]) -> None:
        self._facts = facts
        self._now = now

    async def wait(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Wait until the bot may connect, and note that it does. Where nothing can be noted it waits the longest."""
        seconds = delay(await self._owed())
        if seconds:
            log.warning("started too often lately: connecting in %.0f s", seconds)
            await sleep(seconds)
        owed = await self._owed() + 1
        try:
            await self._facts.put(STARTS, json.dumps([owed, self._now()]))
        except NotStored:
            log.warning("this start cannot be noted: connecting in %.0f s", WAITS[-1])
            await sleep(WAITS[-1])

    async def _owed(self) -> float:
        """Starts that are not paid off yet. A clock that has gone back pays nothing off."""
        noted = await self._facts.get(STARTS)
        owed, since = json.loads(noted) if noted is not None else (0.0, 0.0)
        return max(0.0, float(owed) - max(0.0, self._now() - float(since)) / PAID_OFF)


def delay(owed: float) -> float:
    """Seconds to wait before the next start of a bot that owes for so many."""
    over = round(owed) - FREE
    return WAITS[min(over, len(WAITS) - 1)] if over >= 0 else 0.0
