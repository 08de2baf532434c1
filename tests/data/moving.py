"""Moving a database in tests: one with something in every table, what it holds, and what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cogs.move import move
from cogs.runtime.process import Exit
from cogs.runtime.settings import Settings
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.store.database import Database, DatabaseRefusal, examine_url
from data.store.postgres_schema import TABLES
from data.store.preflight import read_only
from tests.data.test_matches import lobby
from tests.data.test_schemas import host
from tests.support.matches import play_on
from tests.support.past import Past

TOKEN, NUMBER = "MTAwMQ.b.c", "1001"
"""A token, and the number of its bot."""

ODD = "é'\\%\n☃ \U0001f600"
ROWS = {
    "vote": (4, 101, "end"),
    "server": (
        1,
        "[]",
        '["sea_change"]',
        "allowed",
        None,
        3,
        None,
        "[]",
        None,
        0,
        1,
        1,
        0,
        "[5, 7]",
        1,
        9,
        "1000 10 7",
    ),
    "waiting": (4, 0, 104, ODD),
    "former": (4, 103, 0, 1, 2, "1"),
    "clock": (4, 0, "1", 1000, 60, 0, 0, 1060, 1060, 0, 0, None, 0, '["Europe/Rome", null, [], [], null]'),
    "hours": (102, "Europe/Berlin", 1320, 420, "[]", '["DE"]'),
    "farewell": (4, 103, 10, 2**62, 0),
    "old_table": (4, 10, 77, 1000, -1),
    "proposal": (4, "remove 101", 102, 1000, 2000, None),
    "refusal": (4, 101, "end"),
    "reminder": (5, 0, "1", 1000, 2000, 1, 0, None, None),
    "seat_change": (4, 0, 3, 1, "left", None, ODD, "friend 1"),
    "guest": (4, 105, ODD, "invited", None),
    "invitation": (4, 10, 78, 1000),
    "portrait": (102, "a" * 32, b"\x00\xff'\\" * 200),
    "tally": (1, "sea_change", "trump", ODD, 3, 2),
    "season": (
        *(1, 1, 10, 101, "sea_change", ODD, "de", 2, 3, 7, "none", "5e" * 32, "playing", 4, 2, 2000, 1000, None),
        *(None, 0, None, "played_on", 2, 3),
    ),
    "entrant": (1, 0, 101, ODD, 1),
    "season_table": (1, 1, 0, "0 1", 1, "3 1", "0"),
    "lease": (5, "a process", 0, 3, 4, 0),
    "duty": ("digests", "a process", 0, 2),
    "gateway_process": ("a process", 4, 5, 0),
    "shard": (4, 0, "a process", 5, 6, "another", 7),
    "identify": (0, 5),
    "budget": ("requests", 45_000, 5),
    "invalid_requests": (29_000_000, "a process", 3),
}
"""Rows of tables that the matches below leave empty."""


async def fill(path: Path | str) -> None:
    """Two matches go on to their end, the others stay open; rated ones are over; a user's data is deleted, and the last
    match and season are gone.
    """
    base = await Database.open(path)
    try:
        tables = host(base)
        for number in (1, 2):
            await play_on(tables, number, 2_000)
        past = Past(base)
        for users in ((101, 102), (102, 103), (103, 101), (101, None)):
            await past.played(*users)
        matches = Matches(base)
        await matches.open(lobby(host=101, chairs=()))
        await Privacy(base, [matches.forget], base.erasures(path if isinstance(path, Path) else None)).erase(104, 2_000)
        await asyncio.to_thread(base.erasures(path if isinstance(path, Path) else None).note, 104, 2_000)
        await People(base).meet(104, "Dan")
        marks = {table: ", ".join("?" * len(row)) for table, row in ROWS.items()}

        def add(c: Any) -> None:
            for table, row in ROWS.items():
                c.execute(f"INSERT INTO {table} VALUES ({marks[table]}) ON CONFLICT DO NOTHING", row)
            c.execute("UPDATE match SET doubt = 'unchecked', own_thread = 1, lesson = 1, duplicate = 4 WHERE id = 5")
            season = c.execute("SELECT name FROM season").fetchone()
            assert season is not None
            for number in (2, 3):
                c.execute(
                    "INSERT INTO season SELECT ?, guild, 10 + ?, opener, game, name, locale, seats, rounds, days, "
                    "clock, secret, status, version, round, round_ends, touched_at, ended_at, message, shown, "
                    "last_message, unfinished, restores, told FROM season WHERE id = 1",
                    (number, number),
                )

        await base.write(add)
        last = await matches.open(lobby(host=101, chairs=()))
        await base.write(lambda c: c.execute("DELETE FROM match WHERE id = ?", (last.id,)).rowcount)
        if isinstance(path, Path):
            await base.write(lambda c: c.execute("DELETE FROM season WHERE id = 3").rowcount)
    finally:  # its thread would keep a run that fails from ending
        await base.close()


def content(where: Path | str) -> dict[str, list[tuple[Any, ...]]]:
    """All that a database holds, without what each engine notes of itself."""
    own = "('run', 'schema', 'owner', 'erasures')"

    def read(execute: Callable[[str], Iterable[Any]]) -> dict[str, list[tuple[Any, ...]]]:
        found = {}
        for table in TABLES:
            only = f"WHERE name NOT IN {own}" if table == "setting" else ""
            found[table] = sorted((tuple(row) for row in execute(f'SELECT * FROM "{table}" {only}')), key=repr)
        return found

    if isinstance(where, Path):
        with closing(read_only(where)) as connection:
            return read(connection.execute)
    with psycopg.connect(where) as connection_:
        return read(lambda sql: connection_.execute(sql.encode()).fetchall())


def settings(path: Path, url: str | None = None, token: str = TOKEN) -> Settings:
    return Settings(token=token, database=str(path), database_url=url)


def moved(path: Path, to: Path | str, url: str | None = None) -> list[str]:
    said: list[str] = []
    assert move(settings(path, url), Path("/"), str(to), said.append) is Exit.ENDED
    return said


def refused(path: Path, to: Path | str, url: str | None = None, token: str = TOKEN) -> DatabaseRefusal:
    """Return the refusal of a move."""
    said: list[str] = []
    with pytest.raises(DatabaseRefusal) as caught:
        move(settings(path, url, token), Path("/"), str(to), said.append)
    assert not any(line.startswith("Moved") for line in said)
    assert "\n" not in str(caught.value)
    return caught.value


def no_tables(url: str) -> bool:
    return asyncio.run(examine_url(url, None)) == 0


def nothing_at(path: Path) -> bool:
    """Whether no part of a database is at that place; the empty file that locks it may be."""
    return [name.name for name in path.parent.glob(f"{path.name}*") if name.stat().st_size] == []
