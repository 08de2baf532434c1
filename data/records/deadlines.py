"""How much time each seat's clock has left, and its next deadline. Written with the match of the clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from operator import attrgetter

from data.records.columns import column, fields_of, readers
from data.records.hours import Hours
from data.store.database import Database
from data.store.engine import Connection, Row

_FIELDS = 'seat, turn, since, "left", reserve, nudge, ends, due, stage, called, away, hours'
READ_CLOCKS = f"SELECT {_FIELDS} FROM clock WHERE match = ? ORDER BY seat"
_PUT = (
    f"INSERT INTO clock (match, {_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (match, seat) DO UPDATE SET "
    'turn = excluded.turn, since = excluded.since, "left" = excluded."left", reserve = excluded.reserve, '
    "nudge = excluded.nudge, ends = excluded.ends, due = excluded.due, stage = excluded.stage, "
    "called = excluded.called, away = excluded.away, hours = excluded.hours"
)
MOST_AT_ONCE = 500
"""The most deadlines that one read returns."""


class Stage(IntEnum):
    """How far a turn is beyond its agreed time. The values are those of the database."""

    AGREED = 0
    EXTENDED = 1
    VOTING = 2
    """The table votes on whether to wait any longer."""
    RETURNED = 3
    """The player was away or voted on and has come back. The table waits no second time."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat. Instants are seconds since 1970, spans are seconds. With an empty `turn` it does not run.

    `left` is the time left at `since`. It includes `reserve`, the reserve with which the seat began the turn. While the
    seat has no turn, `since`, `left` and `stage` are those at the end of its last one.
    """

    seat: int
    turn: str = ""
    since: int = 0
    left: int = 0
    reserve: int = 0
    nudge: int = 0
    """Seconds left at the next nudge; 0: no more nudges."""
    ends: int | None = None
    """When it runs out if nothing changes."""
    due: int | None = None
    """Its next deadline."""
    stage: Stage = Stage.AGREED
    called: int = 0
    """Pings of the player in this turn after the first."""
    away: int | None = None
    """Since when a computer plays for the player."""
    hours: Hours | None = None
    """The hours of the player by which the turn counts; with a live time limit the whole match. None: it counts no
    turn, or an older version has stored it.
    """


_values = attrgetter(*(field.name for field in fields(SeatClock)))
_READERS = readers(SeatClock, ("stage", "hours"))


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline of a seat. It has no effect once the seat's turn token is another."""

    match: int
    seat: int
    turn: str


def clocks_of(rows: Iterable[Row]) -> tuple[SeatClock, ...]:
    """Return the clocks of a match, by seat, from the rows of READ_CLOCKS."""
    return tuple(SeatClock(**fields_of(row, _READERS)) for row in rows)


def write_clocks(c: Connection, match: int, before: Sequence[SeatClock] | None, after: Sequence[SeatClock]) -> None:
    """Store the clocks that have changed, in the caller's transaction. `before` None: not known."""
    if before is not None and tuple(before) == tuple(after):
        return
    if before is None or {clock.seat for clock in before} - {clock.seat for clock in after}:
        c.execute("DELETE FROM clock WHERE match = ?", (match,))
        before = ()
    changed = [clock for clock in after if clock not in before]
    c.executemany(_PUT, [(match, *_values(clock)[:-1], column(clock.hours)) for clock in changed])


class Deadlines:
    """The repository of deadlines. One index leads to the earliest, so its cost does not grow with the matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def earliest(self) -> int | None:
        """Return when the next deadline is due, in seconds since 1970."""
        sql = (
            "SELECT min(due) FROM (SELECT min(due) AS due FROM clock WHERE due IS NOT NULL "
            "UNION ALL SELECT min(due) FROM reminder WHERE due IS NOT NULL "
            "UNION ALL SELECT min(due) FROM proposal WHERE due IS NOT NULL) AS all_due"
        )
        found = await self._database.read(lambda c: c.execute(sql).fetchone()[0])
        return None if found is None else int(found)

    async def due(self, now: int) -> list[Deadline]:
        """Return the deadlines of clocks that are due, the earliest first."""
        sql = "SELECT match, seat, turn FROM clock WHERE due <= ? ORDER BY due LIMIT ?"
        return await self._database.read(lambda c: [Deadline(*row) for row in c.execute(sql, (now, MOST_AT_ONCE))])

    async def reminders_due(self, now: int) -> list[Deadline]:
        """Return the reminders that are due, the earliest first."""
        sql = "SELECT match, seat, turn FROM reminder WHERE due <= ? ORDER BY due LIMIT ?"
        return await self._database.read(lambda c: [Deadline(*row) for row in c.execute(sql, (now, MOST_AT_ONCE))])

    async def votes_due(self, now: int) -> list[int]:
        """Return the numbers of the matches with a vote that is due to close, or to be shown no longer."""
        sql = "SELECT DISTINCT match FROM proposal WHERE due <= ? LIMIT ?"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (now, MOST_AT_ONCE))])

    async def running(self) -> list[int]:
        """Return the numbers of the matches in which a clock runs, or a reminder is to come."""
        sql = "SELECT match FROM clock WHERE due IS NOT NULL UNION SELECT match FROM reminder WHERE due IS NOT NULL"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])
