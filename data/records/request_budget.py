"""What the processes of one bot may ask of Discord together: identifies, requests, and answers that count as invalid.

All is judged by the clock of the database. These rows are a help and no record: if the server loses the last of them in
a crash, a process waits a moment too little, so nothing here waits for the server's disk.
"""

from __future__ import annotations

from data.store.database import Database
from data.store.engine import Connection
from data.store.server_clock import server_time

IDENTIFY_GAP = 5_500
"""Milliseconds between two identifies in one bucket: Discord's 5 s, and half a second for connecting."""
RATE, SAVED = 38, 5
"""Requests a second of all processes, and how many are saved up while fewer are sent. With those that were granted a
moment before (LASTS in transport/request_budget.py) and are sent now, at most 49 in any second: Discord allows 50.
"""
WINDOW = 10
"""Minutes in which Discord counts invalid requests."""

_QUICK = "SET LOCAL synchronous_commit = off"
_SLOT = (
    "INSERT INTO identify (bucket, free_at) VALUES (?1, ?2) "
    "ON CONFLICT (bucket) DO UPDATE SET free_at = CASE WHEN identify.free_at > ?3 "
    "THEN identify.free_at + ?4 ELSE excluded.free_at END RETURNING free_at"
)
_BUDGET = "SELECT tokens, counted_at FROM budget WHERE name = 'requests'"
_SPEND = (
    "INSERT INTO budget (name, tokens, counted_at) VALUES ('requests', ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET tokens = excluded.tokens, counted_at = excluded.counted_at"
)
_COUNT = (
    "INSERT INTO invalid_requests (minute, process, count) VALUES (?, ?, ?) "
    "ON CONFLICT (minute, process) DO UPDATE SET count = invalid_requests.count + excluded.count"
)
_COUNTED = "SELECT coalesce(sum(count), 0) FROM invalid_requests WHERE minute >= ?"
_FORGET = "DELETE FROM invalid_requests WHERE minute < ? AND process = ?"
_FORGET_DEAD = "DELETE FROM invalid_requests WHERE minute < ?"


class StoredBudget:
    """The repository of one process. `process`: its name."""

    def __init__(self, database: Database, process: str) -> None:
        self._database = database
        self._process = process

    def _now(self, c: Connection) -> int:
        if self._database.shared:
            c.execute(_QUICK)
        return server_time(c, shared=self._database.shared)

    async def identify_slot(self, bucket: int) -> float:
        """Reserve the next identify in a bucket. Return the seconds until it is due. Raises NotStored."""

        def work(c: Connection) -> float:
            now = self._now(c)
            row = c.execute(_SLOT, (bucket, now + IDENTIFY_GAP, now, IDENTIFY_GAP)).fetchone()
            return max(0.0, (int(row[0]) - IDENTIFY_GAP - now) / 1000)

        return await self._database.write(work, counts=False)

    async def draw(self, most: int) -> tuple[int, float]:
        """Take at most so many requests from those that all processes share. Return how many, and the fraction of
        the saved ones that is left. Raises NotStored.
        """

        def work(c: Connection) -> tuple[int, float]:
            now = self._now(c)
            row = c.execute(_BUDGET).fetchone()
            full = SAVED * 1000
            tokens = full if row is None else min(full, int(row[0]) + max(0, now - int(row[1])) * RATE)
            granted = min(most, tokens // 1000)
            c.execute(_SPEND, (tokens - granted * 1000, now))
            return granted, (tokens - granted * 1000) / full

        return await self._database.write(work, counts=False)

    async def report(self, invalid: int) -> int:
        """Add this process's invalid requests. Return those of all in the last ten minutes. Raises NotStored."""

        def work(c: Connection) -> int:
            minute = self._now(c) // 60_000
            if invalid:
                c.execute(_COUNT, (minute, self._process, invalid))
                c.execute(_FORGET, (minute - 2 * WINDOW, self._process))
            return int(c.execute(_COUNTED, (minute - WINDOW,)).fetchone()[0])

        return await self._database.write(work, counts=False)

    async def forget_dead(self) -> None:
        """Delete what processes counted that have ended since. Raises NotStored."""
        await self._database.write(
            lambda c: c.execute(_FORGET_DEAD, (self._now(c) // 60_000 - 2 * WINDOW,)).rowcount, counts=False
        )
