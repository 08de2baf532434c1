"""The clock worker: acts on every deadline when it is due, and credits clocks for time in which no player could play.

One task sleeps until the earliest deadline, a minute at most, and asks one index for it, however many matches there
are. All clocks are frozen while the bot is not connected, its time is not to be trusted or nothing can be stored; for
what has passed meanwhile, and while the bot was down, every clock that ran is credited.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from math import inf

from cogs.match.clocks import GRACE
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.runtime.logs import without_text
from cogs.runtime.trusted_clock import TrustedClock
from cogs.transport.publisher import Publisher
from data.records.deadlines import Deadline, Deadlines
from data.records.key_values import KeyValues
from data.store.database import NotStored

log = logging.getLogger(__name__)

HEARTBEAT = "heartbeat"
"""The stored value that says when the bot was last at work."""
STOOD_STILL = 30.0
"""Seconds by which a tick is late if the whole process stood still, as when it or its machine is suspended."""
LEAST, AFTER_TROUBLE = 0.5, 5.0
"""Seconds to sleep at least, and after a deadline that could not be acted on."""


class ClockWorker:
    """The task. `beat`: seconds between two heartbeats."""

    def __init__(
        self,
        service: MatchService,
        publisher: Publisher,
        deadlines: Deadlines,
        values: KeyValues,
        time: TrustedClock,
        beat: float,
    ) -> None:
        self._service = service
        self._clocks = service.clocks
        self._publisher = publisher
        self._deadlines = deadlines
        self._values = values
        self._time = time
        self._beat = beat
        self._task: asyncio.Task[None] | None = None
        self._wakes_at: float | None = None
        """When the sleep that is under way ends."""
        self._soonest = 0.0
        """When the next tick is needed, as told since the last one began."""
        self._connected = False
        self._started = False
        self._good = 0
        """When all was well last."""

    async def start(self) -> None:
        """Take up the time where the last run left it. The clocks are frozen until the bot is connected."""
        before = await self._values.get(HEARTBEAT)
        if before is not None:
            self._time.not_before(int(before))
        now = int(self._time.now())
        self._good = min(now, int(before or now))
        self._clocks.freeze(self._good)
        self._clocks.grant_grace(now + GRACE)
        self._clocks.listen(self._alarm)
        self._wake()

    async def close(self) -> None:
        """Stop, and store when: after a crash the last heartbeat stands for it."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        self._wakes_at = None
        if self._clocks.frozen_since is None:
            with suppress(NotStored):
                await self._values.put(HEARTBEAT, str(int(self._time.now())))

    @property
    def connected(self) -> bool:
        """Whether the gateway is."""
        return self._connected

    def lag(self) -> float:
        """Seconds by which the next tick is late; 0 while none is due, or one is under way."""
        return 0.0 if self._wakes_at is None else max(0.0, self._time.now() - self._wakes_at)

    def connect(self, connected: bool) -> None:
        """The gateway is connected, or is not any more."""
        if self._connected == connected:
            return
        self._connected = connected
        self._notice_standstill()
        if not connected and self._clocks.frozen_since is None:
            self._clocks.freeze(int(self._time.now()))
        self._alarm(int(self._time.now()))

    def _alarm(self, due: int) -> None:
        """A clock is to be looked at by then."""
        self._soonest = min(self._soonest, due)
        if self._wakes_at is not None and due < self._wakes_at:
            self._wake()

    def _wake(self) -> None:
        """Start again with a tick. Only ever called while the task sleeps or is not there."""
        self._notice_standstill()
        if self._task is not None:
            self._task.cancel()
        self._wakes_at = None
        self._task = asyncio.create_task(self._run(), name="clock")

    async def _run(self) -> None:
        while True:
            self._soonest = inf
            try:
                pause = await self.tick()
            except Exception as error:  # whatever it was, the clocks must not stop for it
                log.error("the clocks cannot be looked at: %s", type(error).__name__, exc_info=without_text(error))
                pause = self._beat
            pause = max(LEAST, min(pause, self._soonest - self._time.now()))
            self._wakes_at = self._time.now() + pause
            await asyncio.sleep(pause)
            self._notice_standstill()
            self._wakes_at = None

    def _notice_standstill(self) -> None:
        """Freeze all clocks since the tick that is far too late: the process was at work until that was due."""
        if self._wakes_at is not None and self.lag() > STOOD_STILL and self._clocks.frozen_since is None:
            log.warning("this process stood still for %.0f s: every clock is frozen", self.lag())
            self._clocks.freeze(int(self._wakes_at))

    async def tick(self) -> float:
        """Do what is due. Return the seconds until the next tick."""
        if not self._time.sample() or not self._connected:
            if self._clocks.frozen_since is None:
                log.warning("the time of this machine has jumped: every clock is frozen until it is believable again")
                self._clocks.freeze(self._good)
            return self._beat
        if self._clocks.frozen_since is not None and not await self._credit(self._clocks.frozen_since):
            return AFTER_TROUBLE
        now = int(self._time.now())
        if now - self._good >= self._beat or self._clocks.frozen_since is not None:
            try:
                await self._values.put(HEARTBEAT, str(now))
            except NotStored:  # then no move is stored either
                if self._clocks.frozen_since is None:
                    log.warning("nothing can be stored: every clock is frozen until it can")
                    self._clocks.freeze(self._good)
                return AFTER_TROUBLE
            self._good = now
            self._clocks.thaw()
        done = [await self._ring(deadline) for deadline in await self._deadlines.due(now)]
        earliest = await self._deadlines.earliest()
        if not all(done):
            return AFTER_TROUBLE
        return self._beat if earliest is None else min(self._beat, earliest - self._time.now())

    async def _credit(self, until: int) -> bool:
        """Credit every clock for the time since then; doing so twice changes nothing. False if some failed."""
        if not self._started:
            self._started = True
            self._clocks.grant_grace(int(self._time.now()) + GRACE)
        done = True
        for number in await self._deadlines.running():
            try:
                await self._service.give_back(number, until, soon=False)  # it may be every match
            except (Refused, NotStored) as error:
                log.warning("match %d waits for its time: %s", number, type(error).__name__)
                done = False
        return done

    async def _ring(self, deadline: Deadline) -> bool:
        """Act on one deadline; False if it is to be tried again. A failure stops no other clock. The clock of a player
        whose table Discord does not let us show waits too.
        """
        if self._publisher.is_stuck(deadline.match):
            return False
        try:
            return await self._service.ring(deadline.match, deadline.seat, deadline.turn)
        except Exception as error:
            log.error("a clock of match %d: %s", deadline.match, type(error).__name__, exc_info=without_text(error))
            return False
