"""Which shards of the gateway this process runs, and their connections.

With SQLite it runs all of them. With PostgreSQL it claims its share (data/records/shards.py), takes over those of a
process that has died, and hands some over when a process joins: the newcomer connects first, and what both hear in the
moment between is answered once, because Discord takes one answer to a press.

The clocks of this process's matches run while all shards that it holds are connected: `disconnect`, `resumed` and
`ready` are dispatched for all of them together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import discord

from cogs.runtime.logs import kind_of, log_failure
from cogs.runtime.start_throttle import SessionLimits, StartThrottle
from cogs.transport.gateway import FAILURES, GatewayConnection, announce_ready, set_shard_count, shard_of
from cogs.transport.request_budget import RequestBudget
from data.records.key_values import KeyValues
from data.records.request_budget import StoredBudget
from data.records.shards import Standing, StoredShards
from data.store.database import Database, NotStored

log = logging.getLogger(__name__)

EVERY = 2.0
"""Seconds between two looks at what the processes hold."""
LEAVING_EVERY = 0.3
"""Seconds between two looks while the shards are handed over."""
LEAVING_EACH = 6.5
"""Seconds to hand over one shard of a bucket: the heir's turn to identify, and its connection."""


class AllShards:
    """The claims of a process that is alone: it runs all shards. Of several, each has `StoredShards`."""

    def __init__(self) -> None:
        self._held: dict[int, int] = {}

    async def others(self) -> tuple[int | None, int]:
        """Return that there are none."""
        return None, 0

    async def look(self, total: int, room: int, *, leaving: bool = False) -> Standing:
        """Hold `room` more shards."""
        for number in range(len(self._held), min(total, len(self._held) + room)):
            self._held[number] = 1
        return Standing(dict(self._held), frozenset(), total - len(self._held), 1, 1)

    async def take(self, total: int, number: int) -> bool:
        """Return False: it has no heirs."""
        return False

    async def leave(self) -> None:
        """Do nothing."""


class Shards:
    """The shards of this process. `wanted`: their number by the operator's setting; None: what Discord recommends.

    `failures`: the errors of the database, in which the connections stay as they are. `met` gets the number of living
    processes at each look.
    """

    def __init__(
        self,
        client: discord.Client,
        claims: AllShards | StoredShards,
        throttle: StartThrottle,
        wanted: int | None,
        failures: tuple[type[Exception], ...],
        met: Callable[[int], Awaitable[None]],
    ) -> None:
        self._client = client
        self.claims = claims
        self._throttle = throttle
        self._wanted = wanted
        self._failures: tuple[type[Exception], ...] = (NotStored, *failures)
        self._met = met
        self._connections: dict[int, GatewayConnection] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._looked = asyncio.Event()
        self._leaving = False
        self._announced = False
        self._whole = False
        self._reachable = True
        self._failure: Exception | None = None
        self.total = 0
        """The number of shards of the bot; 0 before `run`."""
        self.standing = Standing({}, frozenset(), 0, 1, 1)
        """What the last look has found."""

    @property
    def up(self) -> int:
        """The number of held shards that are connected."""
        return sum(self._connections[number].ready for number in self.standing.held if number in self._connections)

    def gauges(self) -> dict[str, float]:
        """Return the metrics of the shards and sessions."""
        found: dict[str, float] = {
            "shards": self.total,
            "shards_held": len(self.standing.held),
            "shards_connected": self.up,
            "shards_unheld": self.standing.unheld,
            "processes": self.standing.live,
            "identifies_total": self._throttle.identified,
        }
        left = self._throttle.left
        return found if left is None else {**found, "sessions_left": left}

    def is_mine(self, guild: int) -> bool:
        """Return whether this process hears of that server. It hears of all before `run`: then a test feeds it."""
        return not self.total or shard_of(guild, self.total) in self.standing.held

    async def wait(self) -> None:
        """Wait until the bot may connect: call it before `run`. After many starts in a row it takes minutes."""
        _, others = await self.claims.others()
        await self._throttle.wait(processes=1 + others)

    async def run(self) -> None:
        """Keep up the connections until cancelled. Raises what Discord refuses a shard with, what the first connection
        fails with, and the error of `fail`.
        """
        self.total = await self._total()
        set_shard_count(self._client, self.total)
        while True:
            self._changed.clear()
            if self._failure is not None:
                raise self._failure
            await self.look()
            self._looked.set()
            failed = [one.failure for one in self._connections.values() if one.failure is not None]
            fatal = [error for error in failed if self._is_fatal(error)]
            if fatal:
                raise fatal[0]
            for number, failure in [(n, one.failure) for n, one in self._connections.items()]:
                if failure is not None:
                    log_failure(log, "shard %d opens a new connection: %s", number, error=failure)
                    await self._connections.pop(number).close()  # the next look opens it again
            with suppress(TimeoutError):
                async with asyncio.timeout(LEAVING_EVERY if self._leaving else EVERY):
                    await self._changed.wait()

    def fail(self, error: Exception) -> None:
        """Let `run` raise this."""
        self._failure = error
        self._changed.set()

    def _is_fatal(self, error: Exception) -> bool:
        refused = isinstance(error, discord.ConnectionClosed) and error.code is not None
        return refused or not self._announced

    async def _total(self) -> int:
        """Return the number of shards: the operator's, or that of the other processes, or Discord's recommendation."""
        recommended = (await self._throttle.refresh()).shards
        known, _ = await self.claims.others()
        total = self._wanted or known or recommended
        if known is not None and known != total:
            log.warning(
                "SHARD_COUNT is %d, and other processes run %d shards: until they end, both serve all servers",
                total,
                known,
            )
        log.info("%d shards; Discord recommends %d", total, recommended)
        return total

    async def look(self) -> None:
        """Claim, open, take over and close what the claims say. If the database cannot be asked, all stays."""
        opening = sum(not one.ready for one in self._connections.values())
        room = max(0, self._throttle.concurrency - opening)
        try:
            self.standing = standing = await self.claims.look(self.total, room, leaving=self._leaving)
        except self._failures as error:
            if self._reachable:
                log.info("the shards stay as they are, as the database cannot be asked: %s", kind_of(error))
            self._reachable = False
            self._tell()
            return
        self._reachable = True
        await self._met(standing.live)
        wanted = standing.held.keys() | standing.heir_of
        for number in self._connections.keys() - wanted:
            log.info("shard %d is another process's", number)
            self._close_later(self._connections.pop(number))
        for number in sorted(wanted - self._connections.keys()):
            self._connections[number] = connection = GatewayConnection(
                self._client, number, self._throttle.identify, self._changed.set, starting=not self._announced
            )
            connection.open()
        for number in standing.held:
            self._connections[number].serves = True
        for number in standing.heir_of:
            if self._connections[number].ready:
                await self._take(number)
        self._tell()

    async def _take(self, number: int) -> None:
        """Take over a shard from the process that holds it, which closes its connection when it sees that."""
        connection = self._connections[number]
        connection.serves = True  # before the old holder can see it: no press may be between two processes
        try:
            taken = await self.claims.take(self.total, number)
        except self._failures as error:
            log.info("shard %d cannot be taken over yet: %s", number, kind_of(error))
            return
        if taken:
            log.info("shard %d is taken over", number)
            self.standing.held[number] = 0  # the next look brings its epoch
        else:
            connection.serves = False

    def _tell(self) -> None:
        """Dispatch that all shards that this process holds are connected, or that they are not."""
        mine = [self._connections[number] for number in self.standing.held if number in self._connections]
        whole = all(one.ready for one in mine) and (self._announced or not self.standing.unheld)
        fresh = [one for one in mine if one.fresh]
        if whole and (fresh or not self._announced):
            self._announced = True
            for one in fresh:
                one.fresh = False
            announce_ready(self._client)
        elif whole and not self._whole:
            self._client.dispatch("resumed")
        elif self._whole and not whole:
            self._client.dispatch("disconnect")
        self._whole = whole

    def _close_later(self, connection: GatewayConnection) -> None:
        task = asyncio.create_task(connection.close(), name=f"close shard {connection.number}")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def hand_over(self, patience: float) -> None:
        """Let the other processes take over all shards, in `patience` seconds at most, or in as many as the turns of
        the heirs take; no longer than any of them goes on. Presses are answered meanwhile.
        """
        if not self.total or self.standing.peers < 2 or not self.standing.held:
            return
        log.info("%d shards are handed over", len(self.standing.held))
        patience = max(patience, LEAVING_EACH * len(self.standing.held) / self._throttle.concurrency)
        self._leaving = True
        self._changed.set()
        until = time.monotonic() + patience
        # While this process leaves, it is none of its own peers.
        while self.standing.held and self.standing.peers and (left := until - time.monotonic()) > 0:
            self._looked.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._looked.wait()
        if self.standing.held and self.standing.peers:
            log.warning("%d shards could not be handed over in %.0f s", len(self.standing.held), patience)

    async def close(self) -> None:
        """Close the connections and give all shards back."""
        self._leaving = True
        connections = list(self._connections.values())
        self._connections.clear()
        await asyncio.gather(*(one.close() for one in connections), *self._closing)
        if self.total:
            try:
                await self.claims.leave()
            except self._failures as error:  # then others wait until this process counts as dead
                log.info("the shards could not be given back: %s", kind_of(error))


def shards_of(
    client: discord.Client,
    database: Database,
    values: KeyValues,
    wanted: int | None,
    budget: RequestBudget,
    now: Callable[[], float],
    process: str,
) -> Shards:
    """Return the shards of the process with this name: its share if other processes may use the database, else all.
    Then it also shares the turns to identify and the requests of `budget` with them. `now` returns seconds since 1970.
    """

    async def ask() -> SessionLimits:
        shards, _, limit = await client.http.get_bot_gateway()
        counts = limit["total"], limit["remaining"], limit["reset_after"] / 1000, limit["max_concurrency"]
        return SessionLimits(shards, *counts)

    failures = database.engine.failures
    if not database.shared:
        alone = StartThrottle(values, now, ask=ask, failures=FAILURES)
        return Shards(client, AllShards(), alone, wanted, failures, budget.meet)
    stored = StoredBudget(database, process)
    budget.share(stored, failures)
    throttle = StartThrottle(values, now, stored.identify_slot, ask, (*failures, *FAILURES))
    return Shards(client, StoredShards(database, process), throttle, wanted, failures, budget.meet)
