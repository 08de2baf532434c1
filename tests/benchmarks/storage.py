"""Durable moves a second, one at a time, each on the disk before the next (WAL, synchronous=FULL).

Ours: `Matches.save`, the snapshot guarded by its version and the move, a transaction in one hop to the connection's
thread. Beside it: the same two statements and a commit through aiosqlite's public interface, three calls. To queue two
or all three of them at once is no faster, and then the commit does not wait for what the update found. The peer does
less than ours: it overwrites nothing that is deleted (`secure_delete`), looks at no row count, keeps no clocks.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import aiosqlite

from data.records.match import LoggedMove, Match
from data.records.matches import Matches
from data.store.database import Database
from data.store.hash_chain import move_link
from rules import GAMES
from tests.benchmarks.pairs import Row
from tests.support.matches import seated

MOVES = 250
"""Moves in a slice."""
ROUNDS = 31
"""More pairs than elsewhere: a slice waits for the disk, which other programs keep busy from time to time."""

STATE = GAMES["sea_change"].new(4, {}, "storage").to_json()


def match() -> Match:
    """A running match without people, as an ordinary snapshot of Sea Change."""
    return seated(3, chairs=(), id=0, state=STATE, version=0, moves=0, opened_at=0, started_at=0, turn_since=0)


class Ours:
    def __init__(self, runner: asyncio.Runner, path: Path) -> None:
        self._runner = runner
        self._database = runner.run(Database.open(path))
        self._matches = Matches(self._database)
        self._match = runner.run(self._matches.open(match()))

    def __call__(self) -> float:
        return self._runner.run(self._slice())

    async def _slice(self) -> float:
        begin = perf_counter()
        for _ in range(MOVES):
            number = self._match.moves
            move = LoggedMove(number, number % 4, str(number), "play B10", 3)
            self._match = await self._matches.save(replace(self._match, state=STATE, moves=number + 1), move)
        return MOVES / (perf_counter() - begin)

    def close(self) -> None:
        self._runner.run(self._database.close())


class Theirs:
    """The same tables in a file of its own, made by our migrations and then opened by aiosqlite alone."""

    def __init__(self, runner: asyncio.Runner, path: Path) -> None:
        self._runner, self._moves, self._link = runner, 0, bytes(32)
        runner.run(self._open(path))

    async def _open(self, path: Path) -> None:
        database = await Database.open(path)
        self._id = (await Matches(database).open(match())).id
        await database.close()
        self._connection = await aiosqlite.connect(path)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            await self._connection.execute(f"PRAGMA {pragma}")

    def __call__(self) -> float:
        return self._runner.run(self._slice())

    async def _slice(self) -> float:
        begin = perf_counter()
        for _ in range(MOVES):
            number = self._moves
            self._moves += 1
            self._link = move_link(self._link, self._id, number, number % 4, str(number), "play B10")
            await self._connection.execute(
                "UPDATE match SET state = ?, version = version + 1, moves = ?, undone = ?, turn_since = ?, alone = ?, "
                "chain = ? WHERE id = ? AND version = ?",
                (json.dumps(STATE, separators=(",", ":")), number + 1, 0, 0, "", self._link, self._id, number + 1),
            )
            await self._connection.execute(
                "INSERT INTO move (match, number, seat, turn, text, user, link) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self._id, number, number % 4, str(number), "play B10", 3, self._link),
            )
            await self._connection.commit()
        return MOVES / (perf_counter() - begin)

    def close(self) -> None:
        self._runner.run(self._connection.close())


@contextmanager
def rows() -> Iterator[list[Row]]:
    """The files live as long as the context."""
    with TemporaryDirectory() as folder, asyncio.Runner() as runner:
        ours, theirs = Ours(runner, Path(folder) / "ours.db"), Theirs(runner, Path(folder) / "theirs.db")
        peer = "aiosqlite, three calls a move"
        yield [Row("durable moves, one at a time", peer, 1.2, "moves/s", ours, theirs, rounds=ROUNDS)]
        ours.close()
        theirs.close()
