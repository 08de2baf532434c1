"""The clock worker: acts on every deadline when it is due, and credits clocks for time in which no player could play.
It also starts the lobbies whose start time has come.

One task sleeps until the earliest deadline, a minute at most, and asks one index for it, however many matches there
are. It freezes all clocks while the bot is not connected, its time is in doubt or nothing can be stored. It credits
that time, and the time in which the bot was down, to every clock that ran.

If several processes share a database, each acts on the deadlines of the matches that it holds or that are free
(cogs/runtime/holdings.py). It looks every two seconds, because another process may have set an earlier deadline. Each
that is connected stores the heartbeat, so a process that was not credits only the time in which no process was at work.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from cogs.match import deadlines
from cogs.match.clocks import GRACE
from cogs.match.host_rights import StartTimes
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService
from cogs.runtime.holdings import Holdings
from cogs.runtime.logs import log_failure
from cogs.runtime.periodic import Periodic
from cogs.runtime.trusted_clock import TrustedClock
from data.records.deadlines import Deadline, Deadlines
from data.records.key_values import KeyValues
from data.store.database import OUT_OF_REACH, Busy

log = logging.getLogger(__name__)

HEARTBEAT = "heartbeat"
"""The stored value that says when the bot was last at work."""
GRACE_UNTIL = "grace"
"""The stored value that says until when no player's time runs out, if several processes are at work."""
STOOD_STILL = 30.0
"""Seconds of delay of a tick that show that the whole process stood still, as when its machine is suspended."""
Ring = Callable[[MatchService, int, int, str], Awaitable[bool]]
AFTER_TROUBLE = 5.0
"""Seconds until the next tick after one that could not act on a deadline."""
SHARED_TICK, SHARED_BEAT = 2.0, 10.0
"""Seconds between two ticks, and between two heartbeats, at most, if there may be several processes."""
GAP = 30.0
"""Seconds without a heartbeat of any process that show that none was at work."""


class ClockWorker:
    """The task. `is_stuck`: whether a match could not be shown for so long that none of its clocks may run out. `beat`:
    seconds between two heartbeats.
    """

    def __init__(
        self,
        service: MatchService,
        starts: StartTimes,
        is_stuck: Callable[[int], bool],
        deadlines: Deadlines,
        values: KeyValues,
        time: TrustedClock,
        beat: float,
        holdings: Holdings | None = None,
    ) -> None:
        self._holdings = holdings or Holdings()
        shared = self._holdings.shared
        self._service = service
        self._clocks = service.clocks
        self._starts = starts
        self._is_stuck = is_stuck
        self._deadlines = deadlines
        self.values = values
        self._time = time
        self.beat = min(beat, SHARED_BEAT) if shared else beat
        self.longest = min(beat, SHARED_TICK) if shared else beat
        self.task = Periodic("clock", self._tick_when_due, self.longest, now=time.now)
        self.connected = False
        """Whether the gateway is connected."""
        self._started = False
        self._complete = False
        """Whether what an older version stored has its deadlines."""
        self._good = 0
        """The last instant at which the time was certain and the heartbeat was stored."""

    async def start(self) -> None:
        """Continue from the last run's heartbeat. The clocks are frozen until the bot is connected."""
        before = await self.values.get(HEARTBEAT)
        if before is not None:
            self._time.not_before(int(before))
        now = int(self._time.now())
        self._good = min(now, int(before or now))
        self._clocks.freeze(self._good)
        if not self._at_work(before, now):
            await self._grant_grace(now + GRACE)
        elif (granted := await self.values.get(GRACE_UNTIL)) is not None:  # the others may have started just before
            self._clocks.grace_until = min(int(granted), now + GRACE)
        self._service.announcer.alarm = self.task.run_by
        self.task.start()

    async def close(self) -> None:
        """Stop, and store the instant; after a crash the last heartbeat serves for it."""
        if not self.task.running:
            return
        await self.task.close()
        if self._clocks.frozen_since is None:
            with suppress(*OUT_OF_REACH):
                await self.values.put(HEARTBEAT, str(int(self._time.now())))

    def lag(self) -> float:
        """Return the seconds by which the next tick is late; 0 while none is due, or one is under way."""
        return max(0.0, self._time.now() - self.task.due) if self.task.asleep else 0.0

    def connect(self, connected: bool) -> None:
        """Note that the gateway is connected, or is not."""
        if self.connected == connected:
            return
        self.connected = connected
        if self.task.asleep:
            self._notice_standstill()
        if not connected:
            self._clocks.freeze(int(self._time.now()))
        self.task.run_by(int(self._time.now()))

    def _notice_standstill(self) -> None:
        """Freeze all clocks since the instant at which a very late tick was due: until then the process was at work."""
        late = self._time.now() - self.task.due
        if late > STOOD_STILL and self._clocks.freeze(int(self.task.due)):
            log.warning("this process stood still for %.0f s: every clock is frozen", late)

    async def _tick_when_due(self) -> float:
        self._notice_standstill()
        return await self.tick()

    async def tick(self) -> float:
        """Do what is due. Return the seconds until the next tick."""
        if not self._time.sample() or not self.connected:
            if self._clocks.freeze(self._good):
                log.warning("the time of this machine has jumped: every clock is frozen until it is believable again")
            return self.longest
        if self._clocks.frozen_since is not None and not await self._credit(self._clocks.frozen_since):
            return AFTER_TROUBLE
        now = int(self._time.now())
        if now - self._good >= self.beat or self._clocks.frozen_since is not None:
            try:
                await self.values.put(HEARTBEAT, str(now))
            except OUT_OF_REACH:  # moves cannot be stored either
                if self._clocks.freeze(self._good):
                    log.warning("nothing can be stored: every clock is frozen until it can")
                return AFTER_TROUBLE
            self._good = now
            self._clocks.frozen_since = None
        if not self._complete:
            await deadlines.add_deadlines(self._service)
            self._complete = True
        done = [await self._ring(due, deadlines.ring) for due in await self._deadlines.due(now)]
        done += [await self._ring(due, deadlines.remind) for due in await self._deadlines.reminders_due(now)]
        for number in await self._deadlines.votes_due(now):
            done.append(await self._act(number, partial(deadlines.close_votes, self._service, number), "the votes"))
        coming = [await self._holdings.alone(self._start_lobbies)]
        if not self._holdings.shared:  # otherwise the earliest deadline may be another process's
            coming.append(await self._deadlines.earliest())
        if not all(done):
            return AFTER_TROUBLE
        return min([self.longest, *(due - self._time.now() for due in coming if due is not None)])

    async def _credit(self, until: int) -> bool:
        """Credit every clock for the time since then; a second credit changes nothing. Return False if one failed."""
        if self._holdings.shared:
            before, now = await self.values.get(HEARTBEAT), int(self._time.now())
            until = max(until, int(before or until))
            if self._at_work(before, now) or now - until <= GAP:
                return True
        if not self._started:
            self._started = True
            await self._grant_grace(int(self._time.now()) + GRACE)
        done = True
        for number in await self._deadlines.running():
            try:
                await deadlines.give_back(self._service, number, until, soon=False)  # it may be every match
            except (Refused, *OUT_OF_REACH) as error:
                log.info("match %d waits for its time: %s", number, type(error).__name__)
                done = False
        return done

    async def _grant_grace(self, until: int) -> None:
        """Let no player's time run out before that instant, at no process."""
        self._clocks.grace_until = until
        if self._holdings.shared:
            with suppress(*OUT_OF_REACH):  # moves cannot be stored either, and clocks freeze
                await self.values.put(GRACE_UNTIL, str(until))

    def _at_work(self, heartbeat: str | None, now: int) -> bool:
        """Return whether another process was at work until now."""
        return self._holdings.shared and heartbeat is not None and now - int(heartbeat) <= GAP

    async def _start_lobbies(self) -> int | None:
        """Do what is due for lobbies with a start time. Return when the next thing is due; None after a failure."""
        try:
            return await self._starts.due()
        except Exception as error:
            log_failure(log, "the start of a lobby: %s", error=error)
            return None

    async def _ring(self, due: Deadline, ring: Ring) -> bool:
        """Act on one deadline, of a clock or of a reminder, by `ring`. Return False to try again, also while Discord
        takes no messages for the table, so that the player cannot see the question.
        """
        if self._is_stuck(due.match):
            return False
        return await self._act(due.match, partial(ring, self._service, due.match, due.seat, due.turn), "a clock")

    async def _act(self, match: int, act: Callable[[], Awaitable[bool]], what: str) -> bool:
        """Do what is due at a match. Return False to try again: `act` had no effect or failed, which stops no other."""
        try:
            if not await self._holdings.take(match, ask=False):
                return True  # its holder acts
            if await act():
                return True
            if self._holdings.shared:
                self._service.listener.later(match)  # then its lease is given back
            return False
        except Exception as error:
            is_busy = isinstance(error, Refused) and error.reason is Reason.BUSY
            if not (is_busy or isinstance(error, Busy)):  # otherwise another process was faster
                log_failure(log, f"{what} of match %d: %s", match, error=error)
            return False
