"""Leases: which of several processes on one PostgreSQL database shows a match, or does a duty such as the clocks.

A lease has a holder, an instant until which it holds, and an epoch that each new holder counts up. The clock of the
database alone judges whether it has run out. A holder counts by a clock of its own, from before it asked (`Fence`), so
it stops before another process can begin. What it stores of what it has shown names the epoch, and is refused if there
is a newer one: a process that stood still and goes on overwrites nothing.

What is to be done follows from what is stored, and no list of work is kept: a match needs a holder if its version is
later than the one at which the last holder had nothing left to do (`done`; 0 once another lease is taken, so that the
work of a process that dies is not taken for done), or if it is time to `wake`. What falls behind without a new version
is asked for in the same transaction (`ask_for`).

A file of SQLite has one process, which holds everything and stores no lease.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass

from data.store.database import Database
from data.store.engine import Busy, Connection

LEASE = 10.0
"""Seconds for which a lease holds unless it is renewed."""
MARGIN = 1.5
"""Seconds before its end in which the holder begins nothing and breaks off what is under way."""
RECENT = 86_400
"""Seconds after the end of a match in which each look for work includes it."""

CLOCK = "(SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint))"
"""Milliseconds since 1970, by the clock of the database, read once a statement."""
_UNTIL = f"{CLOCK} + 10000"
"""LEASE from now on."""
TAKE = (
    f"INSERT INTO lease (match, holder, until, epoch) SELECT id, ?2, {_UNTIL}, 1 FROM match WHERE id = ?1 "
    f"ON CONFLICT (match) DO UPDATE SET holder = excluded.holder, until = {_UNTIL}, epoch = lease.epoch + 1, done = 0 "
    f"WHERE lease.until <= {CLOCK} OR lease.holder = excluded.holder RETURNING epoch, wake"
)
_ASK = f"UPDATE lease SET wake = {CLOCK} WHERE match = ? RETURNING holder"
_RENEW = (
    f"UPDATE lease SET until = {_UNTIL} WHERE match = ? AND holder = ? AND epoch = ? AND until > {CLOCK} "
    "RETURNING match"
)
_ASKED = "SELECT match, wake FROM lease WHERE holder = ? AND until > 0 AND wake > 0"
_GIVE_BACK = (
    "UPDATE lease SET until = 0, done = ?4, wake = CASE WHEN ?5 < 0 THEN 0 ELSE "
    f"{CLOCK} + ?5 END WHERE match = ?1 AND holder = ?2 AND epoch = ?3 AND wake = ?6"
)
_DROP = f"UPDATE lease SET until = 0, wake = {CLOCK} WHERE match = ? AND holder = ? AND epoch = ?"
_IS_NEWEST = "SELECT 1 FROM lease WHERE match = ? AND holder = ? AND epoch = ? FOR SHARE"
_LEFT = (
    "SELECT id FROM match LEFT JOIN lease ON lease.match = id "
    "WHERE (status IN ('lobby', 'playing') OR ended_at >= ?1) AND ("
    f"lease.match IS NOT NULL AND until <= {CLOCK} AND (done < version OR wake > 0 AND wake <= {CLOCK}) "
    "OR lease.match IS NULL AND (EXISTS (SELECT 1 FROM post WHERE post.match = id AND shown < version) "
    "OR status = 'playing' AND EXISTS (SELECT 1 FROM seat LEFT JOIN clock ON clock.match = seat.match "
    "AND clock.seat = seat.number WHERE seat.match = id AND (seat.user IS NULL OR plays_forced <> 0 "
    "OR ahead IS NOT NULL OR away IS NOT NULL)))) ORDER BY id LIMIT ?2"
)
LOCK = f"SELECT match FROM lease WHERE match = ? AND until <= {CLOCK} FOR UPDATE SKIP LOCKED"
_INSERT = (
    f"INSERT INTO lease (match, holder, until, epoch) SELECT id, ?2, {_UNTIL}, 1 FROM match WHERE id = ?1 "
    "AND NOT EXISTS (SELECT 1 FROM lease WHERE match = ?1) ON CONFLICT DO NOTHING RETURNING epoch, wake"
)
CLAIM = (
    f"UPDATE lease SET holder = ?2, until = {_UNTIL}, epoch = epoch + 1, done = 0 "
    f"WHERE match = ?1 AND until <= {CLOCK} RETURNING epoch, wake"
)
_VERSIONS = (
    "SELECT id, version FROM match WHERE id IN (SELECT CAST(value AS bigint) "
    "FROM json_array_elements_text(CAST(? AS json)) AS wanted (value))"
)
_ON_DUTY = f"SELECT 1 FROM duty WHERE name = ? AND holder <> ? AND until > {CLOCK}"
_TAKE_DUTY = (
    f"INSERT INTO duty (name, holder, until, epoch) VALUES (?1, ?2, {_UNTIL}, 1) ON CONFLICT (name) DO UPDATE SET "
    f"holder = excluded.holder, until = {_UNTIL}, epoch = duty.epoch + 1 "
    f"WHERE duty.until <= {CLOCK} OR duty.holder = excluded.holder RETURNING epoch"
)
_RENEW_DUTY = (
    f"UPDATE duty SET until = {_UNTIL} WHERE name = ? AND holder = ? AND epoch = ? AND until > {CLOCK} RETURNING name"
)
_DROP_DUTY = "UPDATE duty SET until = 0 WHERE name = ? AND holder = ? AND epoch = ?"
_IS_ON_DUTY = "SELECT 1 FROM duty WHERE name = ? AND holder = ? AND epoch = ? FOR SHARE"


class LeaseLost(Busy):
    """Nothing was written, because another process does this work now, or may do it."""


def steady() -> float:
    """Return seconds that only ever count up, also while the machine sleeps, if it has such a clock."""
    return time.clock_gettime(_STEADY)


_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


@dataclass(slots=True, eq=False)
class Fence:
    """A lease as its holder knows it: of a match, by its number, or of a duty, by its name."""

    what: int | str
    holder: str
    epoch: int
    until: float
    """When the holder must have stopped, by `steady`."""

    def left(self) -> float:
        """Return the seconds that the holder may still work; not above 0 if it must have stopped."""
        return self.until - steady()

    def check(self, c: Connection) -> None:
        """Raise LeaseLost if another process has taken the lease. Until the transaction ends, none can."""
        sql = _IS_NEWEST if isinstance(self.what, int) else _IS_ON_DUTY
        if c.execute(sql, (self.what, self.holder, self.epoch)).fetchone() is None:
            raise LeaseLost


_fence: ContextVar[Fence | None] = ContextVar("fence", default=None)


def current_fence() -> Fence | None:
    """Return the lease under which the current task works, or None."""
    return _fence.get()


@contextmanager
def fenced(fence: Fence | None) -> Iterator[None]:
    """Work under that lease in this block: what it stores of what it shows is refused if the lease is lost."""
    token = _fence.set(fence)
    try:
        yield
    finally:
        with suppress(ValueError):  # a task that is destroyed before its end leaves the block in another context
            _fence.reset(token)


def ask_for(c: Connection, match: int) -> str | None:
    """Ask the holder of a match, or the next one, to look at it once more. Return who had the last lease, or None."""
    asked = c.execute(_ASK, (match,)).fetchone()
    return None if asked is None else str(asked[0])


@dataclass(frozen=True, slots=True)
class Taken:
    """A lease just taken. `wake`: the last request to look at the match that the database has; 0: none."""

    fence: Fence
    wake: int


@dataclass(frozen=True, slots=True)
class Done:
    """A match with nothing left to do at that version, as its holder gives it back. `wake`: seconds until the next
    look; None: once its version is another. `asked`: the last request that the holder knows.
    """

    fence: Fence
    version: int
    wake: float | None
    asked: int


class Leases:
    """The repository of leases, as process `holder` sees it. Each method raises NotStored, or the engine's errors."""

    def __init__(self, database: Database, holder: str) -> None:
        self._database = database
        self.holder = holder

    async def take(self, match: int, *, ask: bool = True) -> Taken | str | None:
        """Take the lease of a match if no other process holds it. Otherwise `ask` its holder to look at the match, and
        return the holder. None: it was not asked, or there is no such match.
        """
        until = end_of_lease()

        def work(c: Connection) -> Taken | str | None:
            row = c.execute(TAKE, (match, self.holder)).fetchone()
            if row is not None:
                return Taken(self._fence(match, int(row[0]), until), int(row[1]))
            return ask_for(c, match) if ask else None

        return await self._database.write(work, counts=False)

    async def take_left(self, ended_since: int, most: int) -> list[Taken]:
        """Take the leases of at most that many matches that need a holder and have none. `ended_since`: matches that
        ended before that instant are left out.
        """
        values = (ended_since, most)
        found = await self._database.read(lambda c: [int(row[0]) for row in c.execute(_LEFT, values)])
        if not found:
            return []
        until = end_of_lease()

        def work(c: Connection) -> list[Taken]:
            taken = []
            for match in found:
                values = (match, self.holder)
                row = None
                if c.execute(LOCK, (match,)).fetchone() is not None:
                    row = c.execute(CLAIM, values).fetchone()
                else:  # it is held by now, or being taken, or has never been
                    row = c.execute(_INSERT, values).fetchone()
                if row is not None:
                    taken.append(Taken(self._fence(match, int(row[0]), until), int(row[1])))
            return taken

        return await self._database.write(work, counts=False)

    async def take_duty(self, name: str) -> Fence | None:
        """Take a duty if no other process holds it."""
        if await self._database.read(lambda c: c.execute(_ON_DUTY, (name, self.holder)).fetchone()) is not None:
            return None
        until = end_of_lease()

        def work(c: Connection) -> Fence | None:
            row = c.execute(_TAKE_DUTY, (name, self.holder)).fetchone()
            return None if row is None else self._fence(name, int(row[0]), until)

        return await self._database.write(work, counts=False)

    async def renew(self, held: Sequence[Fence], done: Sequence[Done]) -> tuple[set[Fence], set[Fence]]:
        """Renew the leases `held`, and give back those that are `done`, in one transaction. Return those renewed and
        those given back. One that is in neither is lost, or the holder was asked to look at the match once more.
        """
        until = end_of_lease()

        def work(c: Connection) -> tuple[set[Fence], set[Fence]]:
            back = set()
            for one in done:
                wake = -1 if one.wake is None else max(0, int(one.wake * 1000))
                values = (one.fence.what, self.holder, one.fence.epoch, one.version, wake, one.asked)
                if c.execute(_GIVE_BACK, values).rowcount:
                    back.add(one.fence)
            renewed = set()
            for fence in [*held, *(one.fence for one in done if one.fence not in back)]:
                sql = _RENEW if isinstance(fence.what, int) else _RENEW_DUTY
                if c.execute(sql, (fence.what, self.holder, fence.epoch)).fetchone() is not None:
                    renewed.add(fence)
            return renewed, back

        renewed, back = await self._database.write(work, counts=False)
        for fence in renewed:
            fence.until = until
        return renewed, back

    async def asked(self) -> dict[int, int]:
        """Return the last requests to look at matches that this process holds, by match."""
        values = (self.holder,)
        return await self._database.read(lambda c: {int(row[0]): int(row[1]) for row in c.execute(_ASKED, values)})

    async def versions(self, matches: Sequence[int]) -> dict[int, int]:
        """Return the versions of these matches, by match."""
        values = (json.dumps(list(matches)),)
        return await self._database.read(lambda c: {int(row[0]): int(row[1]) for row in c.execute(_VERSIONS, values)})

    async def drop(self, held: Sequence[Fence]) -> None:
        """Give back these leases as they are: another process shall go on at once."""

        def work(c: Connection) -> None:
            for fence in held:
                c.execute(_DROP if isinstance(fence.what, int) else _DROP_DUTY, (fence.what, self.holder, fence.epoch))

        await self._database.write(work, counts=False)

    def _fence(self, what: int | str, epoch: int, until: float) -> Fence:
        return Fence(what, self.holder, epoch, until)


def end_of_lease() -> float:
    """Return when a lease that is asked for now ends for its holder, by `steady`: the database counts from later on."""
    return steady() + LEASE - MARGIN
