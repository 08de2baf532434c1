"""Delays connections to Discord, so that the bot stays below Discord's limits of them, with all its processes together.

Discord allows a bot 1,000 sessions a day, and resets its token after more. Three things keep it below that:

- Each start adds a debt that five minutes pay off. A bot with a small debt connects at once, as after a long run. With
  a larger debt it waits, up to five minutes: fewer than 300 starts a day, however short each run is.
- Discord says how many sessions are left of the day. The last of them are spread over the time until there are new
  ones.
- A shard identifies in its turn: Discord takes one in five seconds from each bucket of shards.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from math import inf

from data.records.key_values import KeyValues
from data.store.database import NotStored

log = logging.getLogger(__name__)

STARTS = "starts"
"""Key: the debt in starts, and the instant of that debt."""
PAID_OFF = 300.0
"""Seconds that pay off one start."""
FREE = 5
"""The debt in starts, for each process of the bot, up to which it connects at once."""
WAITS = (10.0, 40.0, 160.0, 300.0)
"""Seconds to wait for each further start in the debt."""
FEW = 0.05
"""The share of a day's sessions that is spread over the time until there are new ones."""
KNOWN_FOR = 60.0
"""Seconds for which Discord's answer about the sessions serves."""
GAP = 5.5
"""Seconds between two identifies in one bucket, for a process that is alone."""

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """What Discord says about sessions: the number of shards that it recommends, the sessions of a day and those left,
    the seconds until there are new ones, and the number of buckets of shards.
    """

    shards: int
    total: int
    left: int
    reset_after: float
    concurrency: int


class LocalSlots:
    """When shards may identify, for a process that is alone. `steady` returns seconds that never go back."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self.steady = steady
        self._free_at: dict[int, float] = {}

    async def __call__(self, bucket: int) -> float:
        """Reserve the next identify of a bucket. Return the seconds until it is due."""
        now = self.steady()
        due = max(now, self._free_at.get(bucket, now))
        self._free_at[bucket] = due + GAP
        return due - now


class StartThrottle:
    """The starts and sessions of the bot on one database. `now` returns seconds since 1970.

    `slot` reserves the next identify of a bucket among all processes, and returns the seconds until it is due. `ask`
    asks Discord for the limits. Both may fail with `failures`.
    """

    def __init__(
        self,
        facts: KeyValues,
        now: Callable[[], float],
        slot: Callable[[int], Awaitable[float]] | None = None,
        ask: Callable[[], Awaitable[SessionLimits]] | None = None,
        failures: tuple[type[Exception], ...] = (),
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._facts = facts
        self._now = now
        self._steady = steady
        self.own_slots = LocalSlots()
        self._slot = slot or self.own_slots
        self._ask = ask
        self._failures: tuple[type[Exception], ...] = (NotStored, *failures)
        self._limits: SessionLimits | None = None
        self._asked_at = -inf
        self._asking = asyncio.Lock()
        self.identified = 0
        """The sessions that this process has begun."""

    @property
    def concurrency(self) -> int:
        """The number of shards that may identify at once."""
        return 1 if self._limits is None else max(1, self._limits.concurrency)

    @property
    def left(self) -> int | None:
        """The sessions that are left of the day, as far as this process knows; None before Discord was asked, and once
        there are new ones: it is asked only when a shard connects.
        """
        limits = self._limits
        return None if limits is None or self._steady() - self._asked_at > limits.reset_after else limits.left

    async def wait(self, sleep: Sleep = asyncio.sleep, processes: int = 1) -> None:
        """Wait until the bot may connect, and store this start. If it cannot be stored, wait the longest time.

        `processes`: how many run. A rolling restart starts each of them once.
        """
        seconds = delay(await self._owed() / max(1, processes))
        if seconds:
            log.warning("started too often lately: connecting in %.0f s. See what starts it again and again", seconds)
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

    async def refresh(self) -> SessionLimits:
        """Ask Discord for the limits, unless it was asked in the last minute. Raises what the request raises."""
        assert self._ask is not None
        async with self._asking:
            if self._limits is None or self._steady() - self._asked_at > KNOWN_FOR:
                self._limits, self._asked_at = await self._ask(), self._steady()
            return self._limits

    async def _latest(self) -> SessionLimits:
        """Return the limits, those known before if Discord does not tell them now: its gateway may be well, and says
        whether the token still is.
        """
        try:
            return await self.refresh()
        except self._failures as error:
            if self._limits is None:
                raise
            log.info("Discord does not say how many sessions are left: %s", type(error).__name__)
            self._asked_at = -inf
            return self._limits

    async def identify(self, shard: int, sleep: Sleep = asyncio.sleep) -> None:
        """Wait until this shard may begin a session, and count it. Raises what the first question to Discord does."""
        limits = await self._latest()
        if seconds := spread(limits):
            log.warning(
                "Discord allows %d more sessions in the next %.0f s: shard %d connects in %.0f s",
                *(limits.left, limits.reset_after, shard, seconds),
            )
            await sleep(seconds)
            self._asked_at = -inf
            limits = await self._latest()
        bucket = shard % self.concurrency
        try:
            seconds = await self._slot(bucket)
        except self._failures as error:
            log.info("shard %d takes a turn of this process's own: %s", shard, type(error).__name__)
            seconds = await self.own_slots(bucket)
        if seconds:
            await sleep(seconds)
        self.identified += 1
        if self._asked_at > -inf:  # else the next one asks again, and most of these tries reach nothing
            self._limits = replace(limits, left=max(0, limits.left - 1))


def delay(owed: float) -> float:
    """Return the seconds to wait before the next start with this debt."""
    over = round(owed) - FREE
    return WAITS[min(over, len(WAITS) - 1)] if over >= 0 else 0.0


def spread(limits: SessionLimits) -> float:
    """Return the seconds to wait before the next session: 0, unless few are left of the day."""
    if limits.left > limits.total * FEW:
        return 0.0
    return limits.reset_after / max(1, limits.left + 1)
