"""Delays the connection of a bot that starts again and again.

Discord allows a bot 1,000 connections a day, and resets its token after more. So each start adds a debt that five
minutes pay off. A bot with a small debt connects at once, as after a long run. With a larger debt it waits, up to five
minutes: fewer than 300 connections a day, however short each run is.
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
"""Key: the debt in starts, and the instant of that debt."""
PAID_OFF = 300.0
"""Seconds that pay off one start."""
FREE = 5
"""The debt in starts up to which the bot connects at once."""
WAITS = (10.0, 40.0, 160.0, 300.0)
"""Seconds to wait for each further start in the debt."""


class StartThrottle:
    """The starts of the bot on one database. `now` returns seconds since 1970."""

    def __init__(self, facts: KeyValues, now: Callable[[], float]) -> None:
        self._facts = facts
        self._now = now

    async def wait(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        """Wait until the bot may connect, and store this start. If it cannot be stored, wait the longest time."""
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
        """Return the debt in starts. A clock that has gone back pays nothing off."""
        noted = await self._facts.get(STARTS)
        owed, since = json.loads(noted) if noted is not None else (0.0, 0.0)
        return max(0.0, float(owed) - max(0.0, self._now() - float(since)) / PAID_OFF)


def delay(owed: float) -> float:
    """Return the seconds to wait before the next start with this debt."""
    over = round(owed) - FREE
    return WAITS[min(over, len(WAITS) - 1)] if over >= 0 else 0.0
