"""The hours that players set: time zone, quiet hours, days off, holidays. The default is UTC and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date

from data.store.database import Database, shielded
from data.store.engine import Connection

MOST_KNOWN = 10_000
"""The most players whose hours stay in memory."""


@dataclass(frozen=True, slots=True)
class Hours:
    """When a player's clocks do not run.

    `quiet` is a start and an end in minutes of the local day; if the start is later than the end, they cross midnight.
    `days_off` are days of the week, Monday 0. `holidays` are pairs of first and last day, both included, in order.
    `until`, of a turn that counts by them: the instant from which only the holidays stop the clock; None: no bound.
    """

    zone: str = "UTC"
    quiet: tuple[int, int] | None = None
    days_off: frozenset[int] = frozenset()
    holidays: tuple[tuple[date, date], ...] = ()
    until: int | None = None

    def __str__(self) -> str:
        """The text that is stored with a clock."""
        return json.dumps([self.zone, self.quiet, sorted(self.days_off), _days(self.holidays), self.until])

    @classmethod
    def parse(cls, text: str) -> Hours:
        """Return the value of a stored text. ValueError for any other."""
        zone, quiet, days_off, holidays, until = json.loads(text)
        span = None if quiet is None else (quiet[0], quiet[1])
        return cls(zone, span, frozenset(days_off), _holidays(holidays), until)


def _days(holidays: tuple[tuple[date, date], ...]) -> list[list[str]]:
    return [[first.isoformat(), last.isoformat()] for first, last in holidays]


def _holidays(days: list[list[str]]) -> tuple[tuple[date, date], ...]:
    return tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in days)


class PeopleHours:
    """The repository of hours. It keeps what it has read, as every turn reads hours; unless other processes write."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, Hours] = {}

    async def get(self, user: int) -> Hours:
        """Return the player's hours; the default ones if they have set none."""
        if user not in self._known:
            found = await self._database.read(lambda c: _read(c, user))
            if self._database.shared:
                return found
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known.setdefault(user, found)  # a value written during the read is newer
        return self._known[user]

    def forget(self) -> None:
        """Drop everything from memory."""
        self._known.clear()

    @shielded
    async def put(self, user: int, hours: Hours) -> None:
        """Store the hours of a player whose `Person` is stored. Raises NotStored."""
        quiet_from, quiet_to = hours.quiet or (None, None)
        days_off = json.dumps(sorted(hours.days_off))
        holidays = json.dumps(_days(hours.holidays))
        row = (user, hours.zone, quiet_from, quiet_to, days_off, holidays)
        self._known.pop(user, None)
        await self._database.write(lambda c: c.execute(_PUT, row).rowcount)
        if not self._database.shared:
            self._known[user] = hours


_PUT = (
    "INSERT INTO hours VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user) DO UPDATE SET zone = excluded.zone, "
    "quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, days_off = excluded.days_off, "
    "holidays = excluded.holidays"
)


def _read(c: Connection, user: int) -> Hours:
    row = c.execute("SELECT * FROM hours WHERE user = ?", (user,)).fetchone()
    if row is None:
        return Hours()
    return Hours(
        row["zone"],
        None if row["quiet_from"] is None else (row["quiet_from"], row["quiet_to"]),
        frozenset(json.loads(row["days_off"])),
        _holidays(json.loads(row["holidays"])),
    )
