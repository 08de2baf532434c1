"""What each seat's clock has left, and when somebody must look at it. Written with the match that it belongs to."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass

from data.store.database import Database

MOST_AT_ONCE = 500
"""Deadlines that are read at once."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat. Times are seconds since 1970, spans seconds; it stands where `turn` is empty.

    `left` was true at `since` and holds the reserve too, of which `reserve` is what the seat brought into the turn.
    """

    seat: int
    turn: str = ""
    since: int = 0
    left: int = 0
    reserve: int = 0
    nudge: int = 0
    """Seconds left at which to nudge next; 0: no more."""
    ends: int | None = None
    """When it runs out, as things are."""
    due: int | None = None
    """When to look at it next."""
    stage: int = 0
    """0 as agreed, 1 extended, 2 the table votes, 3 its person has come back to it."""
    called: int = 0
    """How often the person was called in this turn beside the first time."""
    away: int | None = None
    """Since when a computer plays for them."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A clock to look at: it names what the seat is asked, and means nothing once that is another."""

    match: int
    seat: int
    turn: str


def read_clocks(c: sqlite3.Connection, match: int) -> tuple[SeatClock, ...]:
    """The clocks of a match, by seat."""
    rows = c.execute("SELECT * FROM clock WHERE match = ? ORDER BY seat", (match,))
    return tuple(SeatClock(*tuple(row)[1:]) for row in rows)


def write_clocks(
    c: sqlite3.Connection, match: int, before: Sequence[SeatClock] | None, after: Sequence[SeatClock]
) -> None:
    """Store what differs of the clocks of a match, in the caller's transaction. `before` None: not known."""
    if before is not None and tuple(before) == tuple(after):
        return
    if before is None or {clock.seat for clock in before} - {clock.seat for clock in after}:
        c.execute("DELETE FROM clock WHERE match = ?", (match,))
        before = ()
    changed = [(match, *astuple(clock)) for clock in after if clock not in before]
    c.executemany("INSERT OR REPLACE INTO clock VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", changed)


class Deadlines:
    """The repository of deadlines. What it costs does not grow with the matches: one index leads to the earliest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def earliest(self) -> int | None:
        """When the next deadline is due, in seconds since 1970."""
        found = await self._database.read(
            lambda c: c.execute("SELECT due FROM clock WHERE due IS NOT NULL ORDER BY due LIMIT 1").fetchone()
        )
        return None if found is None else int(found[0])

    async def due(self, now: int) -> list[Deadline]:
        """Those that are due, the earliest first."""
        sql = "SELECT match, seat, turn FROM clock WHERE due <= ? ORDER BY due LIMIT ?"
        return await self._database.read(lambda c: [Deadline(*row) for row in c.execute(sql, (now, MOST_AT_ONCE))])

    async def running(self) -> list[int]:
        """Matches in which a clock runs."""
        sql = "SELECT DISTINCT match FROM clock WHERE due IS NOT NULL"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])
