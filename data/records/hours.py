"""The hours that people keep: time zone, quiet hours, days off, holidays. Whoever has set nothing has none of these."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import date

from data.store.database import Database, shielded

MOST_KNOWN = 10_000
"""People whose hours are kept in memory."""


@dataclass(frozen=True, slots=True)
class Hours:
    """When a person's clocks stand still.

    `quiet` is from and to in minutes of the local day, over midnight where from is the later one; `days_off` are days
    of the week, Monday 0; `holidays` are first and last days, both included, in order.
    """

    zone: str = "UTC"
    quiet: tuple[int, int] | None = None
    days_off: frozenset[int] = frozenset()
    holidays: tuple[tuple[date, date], ...] = ()


class PeopleHours:
    """The repository of hours. Those asked for are kept in memory: every turn asks for them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, Hours] = {}

    async def get(self, user: int) -> Hours:
        if user not in self._known:
            found = await self._database.read(lambda c: _read(c, user))
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known.setdefault(user, found)  # what was written in the meantime is newer
        return self._known[user]

    def forget(self) -> None:
        """Keep nothing in memory."""
        self._known.clear()

    @shielded
    async def put(self, user: int, hours: Hours) -> None:
        """Store the hours of a person who has been met."""
        quiet_from, quiet_to = hours.quiet or (None, None)
        days_off = json.dumps(sorted(hours.days_off))
        holidays = json.dumps([[first.isoformat(), last.isoformat()] for first, last in hours.holidays])
        row = (user, hours.zone, quiet_from, quiet_to, days_off, holidays)

        def work(c: sqlite3.Connection) -> None:
            c.execute("INSERT OR REPLACE INTO hours VALUES (?, ?, ?, ?, ?, ?)", row)

        self._known.pop(user, None)
        await self._database.write(work)
        self._known[user] = hours


def _read(c: sqlite3.Connection, user: int) -> Hours:
    row = c.execute("SELECT * FROM hours WHERE user = ?", (user,)).fetchone()
    if row is None:
        return Hours()
    return Hours(
        row["zone"],
        None if row["quiet_from"] is None else (row["quiet_from"], row["quiet_to"]),
        frozenset(json.loads(row["days_off"])),
        tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in json.loads(row["holidays"])),
    )
