"""A SQLite database full of open matches: of all games in mid-play, clocks running, everything shown as it stands.

They are copies of matches that were played (tests/benchmarks/many/matches.py). Everybody sits at about three tables.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from data.store.database import Database
from rules import GAMES
from tests.benchmarks.many.matches import COPIED, Crowd, copies, patterns

FIRST = 1 << 40
"""Where the ids of people begin; those of direct messages are the people's plus OF_DM."""
OF_DM = 1 << 41
MID_PLAY = 0.4
"""The share of its moves after which a match stands as it is."""
TABLES = 3
"""At which one of us sits, in a match of ours beside two of the crowd's."""
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")


@dataclass(frozen=True)
class CrowdWithUs(Crowd):
    """A crowd in whose first matches one of us sits in place of its person 1: the match numbered 1 is ours."""

    us: int | None = None

    def person(self, match: int, user: int) -> tuple[int, int]:
        if self.us is not None and user == 1 and match <= TABLES:
            return self.us, OF_DM + self.us
        return super().person(match, user)


async def fill(path: Path, count: int, places: list[tuple[int, int]], us: int | None = None) -> None:
    """Add so many open matches to a database without a bot, at these (guild, channel) in turn; `us` sits at two."""
    await (await Database.open(path)).close()
    with TemporaryDirectory() as folder:
        kinds = await patterns(Path(folder) / "patterns.db", 1, (MID_PLAY,), GAMES)
    people = range(FIRST, FIRST + max(8, count))  # with three to four at a table
    crowd, now = CrowdWithUs([(user, OF_DM + user) for user in people], places, us=us), int(time.time())
    with sqlite3.connect(path) as writer:
        for at, (user, dm) in enumerate(crowd.people):
            writer.execute(
                "INSERT INTO person (user, name, dm, dm_works, locale) VALUES (?, ?, ?, 1, 'en-US')",
                (user, f"Person {at}", dm),
            )
            if at % 3 == 0:
                zone = ZONES[at // 3 % len(ZONES)]
                writer.execute("INSERT INTO hours VALUES (?, ?, 1320, 420, '[]', '[]')", (user, zone))
        first = 1 + int(writer.execute("SELECT coalesce(max(id), 0) FROM match").fetchone()[0])
        for table in COPIED:
            if names := [*next(iter(kinds[0][table]), ())]:  # no reminders: all have a clock
                made = (row for match in range(first, first + count) for row in copies(kinds, table, match, crowd, now))
                marks = ", ".join("?" * len(names))
                values = ([*row.values()] for row in made)
                writer.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", values)
    writer.close()


def fall_behind(path: Path, count: int) -> None:
    """As after a crash: so many of the matches have changed since they were shown."""
    with sqlite3.connect(path) as writer:
        writer.execute(
            "UPDATE post SET shown = shown - 1 WHERE match IN (SELECT id FROM match ORDER BY id DESC LIMIT ?)", (count,)
        )
    writer.close()
