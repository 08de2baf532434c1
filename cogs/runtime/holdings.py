"""What this process does, and other processes of the same bot do not: the matches that it shows, and its duty.

A bot on a file of SQLite is one process and holds everything: `Holdings`. Processes that share a PostgreSQL database
take leases (data/records/leases.py): `SharedHoldings`. The process that changes a match takes its lease if it is free,
and shows the match. Otherwise the holder is asked to, by a note in the database, which it reads each second; a
notification only makes it read at once. Every few seconds each process also takes matches that need a holder and have
none, such as those of a process that was killed.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from cogs.runtime.periodic import Periodic, end_tasks
from cogs.runtime.process import process_name
from data.records.leases import RECENT, Done, Fence, Leases, Taken, fenced, steady
from data.store.database import Database, NotStored

log = logging.getLogger(__name__)

RENEW = 2.5
"""Seconds between two renewals of all leases."""
POLL = 1.0
"""Seconds between two looks for requests of other processes."""
LOOK = 2.5
"""Seconds between two looks for matches without a holder: a killed process's lease of 10 s, this, and the time to take
it are less than 15 s.
"""
IDLE = 4.0
"""Seconds for which a match stays with its holder after it had nothing left to do."""
MOST_AT_ONCE = 20
"""The most matches that one look takes: other processes take some, too."""
DUTY = "background"
"""The name of the one duty: what is done for all matches together, such as digests, seasons and the hourly work."""
OFF_DUTY = 5.0
"""Seconds until a process looks again whether the duty is free."""


class Holdings:
    """Everything is this process's: it is the only one."""

    shared = False
    """Whether other processes may do a part of the work."""

    async def take(self, match: int, *, ask: bool = True) -> bool:
        """Return whether this process shows the match and acts for it. If another one does, `ask` it to look at the
        match. Raises NotStored, or the engine's errors.
        """
        return True

    def fence(self, match: int) -> Fence | None:
        """Return the lease of a match, under which to store what was shown; None if none is needed."""
        return None

    def holds(self, match: int) -> bool:
        """Return whether this process acts for the match, as far as it knows."""
        return True

    def settled(self, match: int, version: int, wake: float | None) -> None:
        """Note that nothing is left to do for a match at that version until it changes, or for `wake` seconds."""

    async def alone(self, work: Callable[[], Awaitable[float | None]]) -> float | None:
        """Do that work if this process is on duty. Return what it returns, or the seconds until the next look."""
        return await work()

    def start(self, table: Shows) -> None:
        """Begin to take what has no holder."""

    def gauges(self) -> Mapping[str, float]:
        """Return the metrics of what this process holds among several; none if it is alone."""
        return {}

    def rest(self) -> None:
        """Take nothing more that no player of this process waits for."""

    async def close(self) -> None:
        """Give everything back. Call it when nothing is being shown any more."""


class Shows(Protocol):
    """What shows matches: the publisher."""

    def now(self) -> float:
        """Return seconds since 1970."""

    def changed(self, number: int) -> None:
        """Show a match now: another process has changed it."""

    def later(self, number: int) -> None:
        """Show a match when there is time: it had no holder."""

    def is_busy(self, number: int) -> bool:
        """Return whether there is something to do for a match."""

    def seen(self) -> Mapping[int, int]:
        """Return the matches of which this process shows something that no other can edit, and in which versions."""

    def has_changed(self, number: int) -> None:
        """Show these things as they are now."""


@dataclass(slots=True, eq=False)
class _Held:
    """A match that this process holds. `asked`: the last request to look at it that was followed."""

    fence: Fence
    asked: int
    done: tuple[int, float | None] | None = None
    """At which version nothing was left to do, and when to look again, by `steady`; None: something is."""
    since: float = 0.0


class SharedHoldings(Holdings):
    """The share of one of several processes. `holder`: its name; a new one each time that a process starts."""

    shared = True

    def __init__(self, database: Database, holder: str | None = None) -> None:
        self._database = database
        self._failures: tuple[type[Exception], ...] = (NotStored, *database.engine.failures)
        self._leases = Leases(database, holder or process_name())
        self._held: dict[int, _Held] = {}
        self.duty: Fence | None = None
        self.off_duty_until = 0.0
        self._taking_duty = asyncio.Lock()
        self._shows: Shows | None = None
        self._looked = 0.0
        self._failing = False
        self._resting = self._closed = False
        self._hints: set[str] = set()
        self._hinting: asyncio.Task[None] | None = None
        self._renewing = Periodic("renew leases", lambda: self._tried(self.renew, RENEW), RENEW)
        self._polling = Periodic("look for work", lambda: self._tried(self.poll, POLL), POLL)

    @property
    def holder(self) -> str:
        """The name of this process in the database."""
        return self._leases.holder

    async def take(self, match: int, *, ask: bool = True) -> bool:
        """See `Holdings.take`."""
        held = self._held.get(match)
        if held is not None and held.fence.left() > 0:
            held.done = None
            return True
        if self._closed:
            return False
        self._keep_on()
        taken = await self._leases.take(match, ask=ask)
        if isinstance(taken, Taken):
            self._held[match] = _Held(taken.fence, taken.wake)
            return True
        self._held.pop(match, None)
        if taken is not None:
            self._hint(taken)
        return False

    def fence(self, match: int) -> Fence | None:
        """See `Holdings.fence`."""
        held = self._held.get(match)
        return None if held is None else held.fence

    def holds(self, match: int) -> bool:
        """See `Holdings.holds`."""
        held = self._held.get(match)
        return held is not None and held.fence.left() > 0

    def settled(self, match: int, version: int, wake: float | None) -> None:
        """See `Holdings.settled`."""
        held = self._held.get(match)
        if held is not None:
            held.done = version, None if wake is None else steady() + wake
            held.since = steady()

    async def alone(self, work: Callable[[], Awaitable[float | None]]) -> float | None:
        """See `Holdings.alone`."""
        async with self._taking_duty:
            if self.duty is None or self.duty.left() <= 0:
                self.duty = None
                if self._resting or steady() < self.off_duty_until:
                    return OFF_DUTY
                self._keep_on()
                self.duty = await self._leases.take_duty(DUTY)
                if self.duty is None:
                    self.off_duty_until = steady() + OFF_DUTY - 0.5
                    return OFF_DUTY
        with fenced(self.duty):
            return await work()

    # The tasks.

    def start(self, table: Shows) -> None:
        """See `Holdings.start`."""
        self._shows = table
        self._keep_on()
        if not self._polling.running:
            self._polling.start()
            self._database.listen(self.holder, self._polling.wake)

    def gauges(self) -> Mapping[str, float]:
        """See `Holdings.gauges`."""
        return {"leases_held": sum(held.fence.left() > 0 for held in self._held.values())}

    def rest(self) -> None:
        """See `Holdings.rest`."""
        self._resting = True

    async def close(self) -> None:
        """See `Holdings.close`."""
        self._resting = self._closed = True
        for task in (self._polling, self._renewing):
            await task.close()
        await end_tasks(self._hinting)
        fences = [held.fence for held in self._held.values()]
        fences += [] if self.duty is None else [self.duty]
        self._held.clear()
        self.duty = None
        if not fences:
            return
        try:
            await self._leases.drop(fences)  # also what was shown: computers may have to move there
        except self._failures as error:
            log.info("leases end by themselves: %s", type(error).__name__)

    def _keep_on(self) -> None:
        if not self._renewing.running and not self._closed:
            self._renewing.start()

    async def _tried(self, work: Callable[[], Awaitable[object]], every: float) -> float:
        """Do the work, and log once if the database fails. Return the seconds until the next time."""
        try:
            await work()
            self._failing = False
        except self._failures as error:
            if not self._failing:
                log.debug("leases cannot be renewed: %s", type(error).__name__)
            self._failing = True
        return every

    async def renew(self) -> None:
        """Renew all leases, and give back those of matches with nothing left to do."""
        idle, going_on = [], [] if self.duty is None else [self.duty]
        for match, held in self._held.items():
            rests = held.done is not None and steady() - held.since >= IDLE and not self.is_busy(match)
            if rests:
                idle.append(match)
            else:
                going_on.append(held.fence)
        if not idle and not going_on:
            return
        before = {match: self._held[match] for match in idle}
        for match in idle:
            # A change from now on takes the lease again, in a transaction after this one.
            del self._held[match]
        renewed, _ = await self._leases.renew(going_on, [self._done(held) for held in before.values()])
        for match, held in before.items():
            if held.fence in renewed and match not in self._held:
                self._held[match] = held
                if self._shows is not None:
                    self._shows.changed(match)  # it was asked for meanwhile
        for fence in going_on:
            if fence not in renewed:
                fence.until = 0.0  # whatever works under it stops, and takes a new lease if it can

    async def poll(self) -> None:
        """Look at the matches that other processes have asked this one to look at, and take those without a holder."""
        shows = self._shows
        assert shows is not None
        for match, wake in (await self._leases.asked()).items():
            held = self._held.get(match)
            if held is not None and held.asked != wake:
                held.asked = wake
                shows.changed(match)
        if seen := shows.seen():
            for match, version in (await self._leases.versions(list(seen))).items():
                if version > seen[match]:
                    shows.has_changed(match)
        if self._resting or steady() - self._looked < LOOK:
            return
        self._looked = steady() + random.uniform(-0.5, 0.0)  # noqa: S311  -- no secret: so that processes part
        taken = await self._leases.take_left(int(shows.now()) - RECENT, MOST_AT_ONCE)
        if len(taken) == MOST_AT_ONCE:
            self._looked = 0.0
        for one in taken:
            assert isinstance(one.fence.what, int)
            self._held[one.fence.what] = _Held(one.fence, one.wake)
            shows.later(one.fence.what)

    def is_busy(self, match: int) -> bool:
        """Return whether the match is being shown."""
        return self._shows is not None and self._shows.is_busy(match)

    def _done(self, held: _Held) -> Done:
        assert held.done is not None
        version, wake = held.done
        return Done(held.fence, version, None if wake is None else wake - steady(), held.asked)

    # Hints to other processes.

    def _hint(self, holder: str) -> None:
        """Let that process look at once at what it was asked. Hints of one moment go together."""
        self._hints.add(holder)
        if self._hinting is None and not self._closed:
            self._hinting = asyncio.create_task(self._send_hints(), name="hint at work")

    async def _send_hints(self) -> None:
        try:
            await asyncio.sleep(0.02)
            holders, self._hints = sorted(self._hints), set()
            await self._database.notify(holders)
        except self._failures as error:
            log.info("a hint was not sent: %s", type(error).__name__)  # the holder looks each second
        finally:
            self._hinting = None
