"""What 10,000 open matches cost: the start, a look at the clocks, memory, and what asks for one person's tables."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, time

from cogs.match.host_rights import StartTimes
from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from cogs.runtime.trusted_clock import TrustedClock
from cogs.transport.clock_worker import ClockWorker
from data.records.deadlines import Deadlines
from data.records.hours import PeopleHours
from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from rules import GAMES
from tests.benchmarks.crowd import fill
from tests.benchmarks.pairs import Row
from tests.benchmarks.presses import GROWTH, World

FEW, MANY, MOST = 100, 1_000, 10_000
MOST_SECONDS = 10.0
"""From the start of the process to the first served press."""
LOOKS = 50
"""Looks at the clocks in a slice, where nothing is due."""


class Ticker:
    """The clocks of a database with so many open matches, at a time of our own that passes only when told."""

    def __init__(self, runner: asyncio.Runner, path: Path, matches: int) -> None:
        self._run = runner.run
        self._now = time()
        self._run(self._open(path, matches))

    async def _open(self, path: Path, matches: int) -> None:
        await fill(path, matches, [(1, 1)])
        self._database = database = await Database.open(path)
        hours, watch = PeopleHours(database), TrustedClock(self._time, self._time)
        service = MatchService(Matches(database), People(database), GAMES, watch.now, hours=hours)
        self._deadlines = Deadlines(database)
        self._clock = ClockWorker(
            service,
            StartTimes(service, Lobby(service)),
            _is_never_stuck,
            self._deadlines,
            KeyValues(database),
            watch,
            beat=1e9,
        )
        self._clock.connect(True)
        await self._clock.tick()

    def _time(self) -> float:
        return self._now

    def nothing_due(self) -> float:
        """Microseconds of a look."""

        async def look() -> float:
            begin = perf_counter()
            for _ in range(LOOKS):
                await self._clock.tick()
            return 1e6 * (perf_counter() - begin) / LOOKS

        return self._run(look())

    def one_match_due(self) -> float:
        """Microseconds of the look at which the next deadline is due."""

        async def look() -> float:
            earliest = await self._deadlines.earliest()
            assert earliest is not None
            self._now = max(self._now, float(earliest))  # both clocks of the watch: it is no jump
            begin = perf_counter()
            await self._clock.tick()
            return 1e6 * (perf_counter() - begin)

        return self._run(look())

    def close(self) -> None:
        self._run(self._database.close())


def _is_never_stuck(number: int) -> bool:
    return False


def ticks(few: Ticker, many: Ticker, most: Ticker) -> Iterator[Row]:
    for name in ("nothing_due", "one_match_due"):
        for count, ticker in ((MANY, many), (MOST, most)):
            yield Row(
                f"a look at the clocks, {name.replace('_', ' ')}, {count:,} open matches",
                f"the same with {FEW}",
                GROWTH,
                "µs",
                getattr(ticker, name),
                getattr(few, name),
                at_most=True,
                rounds=15,
            )


def starts(few: World, behind: World, most: World) -> Iterator[Row]:
    """Each begins with a start of the bot; what is measured after it falls into its catching up."""
    for name, world in ((f"{MOST:,} open matches", most), (f"{MOST:,}, 200 of them behind", behind)):
        served = world.asked("start", "served")
        yield Row(
            f"start to first served press, {name}", "10 s", 1.0, "s", served, lambda: MOST_SECONDS, True, rounds=3
        )
        yield Row(
            f"start to first served press, {name}",
            f"the same with {FEW}",
            None,
            "s",
            served,
            few.asked("start", "served"),
            True,
            rounds=3,
        )
    for what, command, key, unit in (
        ("resident memory after the start", "memory", "now", "MB"),
        ("a press while all is shown again, the middle of 20", "a_while", "middle", "ms"),
        ("the most resident memory so far", "memory", "most", "MB"),
        ("processor time of a bot that waits", "idle", "core", "% of a core"),
        ("/games of one at three tables", "games", "games", "ms"),
        ("autocomplete of the same person", "complete", "complete", "ms"),
    ):
        yield Row(
            f"{what}, {MOST:,} open matches",
            f"the same with {FEW}",
            None,
            unit,
            most.asked(command, key),
            few.asked(command, key),
            True,
            rounds=1 if command in ("memory", "a_while", "idle") else 9,
        )


@contextmanager
def rows() -> Iterator[Iterator[Row]]:
    """The databases and bots live as long as the context."""

    def all_rows() -> Iterator[Row]:
        with TemporaryDirectory() as folder, asyncio.Runner() as runner:
            tickers = [Ticker(runner, Path(folder) / f"{count}.db", count) for count in (FEW, MANY, MOST)]
            yield from ticks(*tickers)
            for ticker in tickers:
                ticker.close()
        with ExitStack() as stack:
            few, behind, most = (
                stack.enter_context(World(*arguments, module="tests.benchmarks.crowded"))
                for arguments in ((str(FEW),), (str(MOST), "200"), (str(MOST),))
            )
            yield from starts(few, behind, most)

    yield all_rows()
