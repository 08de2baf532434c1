"""`python -m tests.benchmarks many-servers`: a bot in 100,000 servers with 20,000 live matches, over four processes.

The processes are real, share one PostgreSQL server that waits for its disk, and claim the shards themselves. People
press by the curve of a day, in which an hour lasts some seconds at the rate of that hour; then ever faster, until
something breaks. `python -m tests.benchmarks.many.report SERVERS MATCHES PROCESSES WORKERS` runs it in another size;
with 0 workers nothing is drawn or thought, for a machine with fewer cores than that would take.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, strftime
from typing import Any

from data.store.database import Database
from tests.benchmarks.many.discord import ManyServers, most_in_a_second
from tests.benchmarks.many.matches import Crowd, fill
from tests.benchmarks.many.presses import Figures, People
from tests.benchmarks.many.processes import Fleet, Meter, database
from tests.benchmarks.many.stretch import COSTS, TIMES, Stretch
from tests.benchmarks.world import encrypted

SERVERS, MATCHES, PROCESSES = 100_000, 20_000, 4
PEOPLE = 20_000
WORKERS = 1
MOVES_A_DAY = 11.0
"""Moves of people in a match a day; those of computers come on top."""
DAY = {
    "night, 0 to 7": (0.3, 0.2, 0.15, 0.1, 0.1, 0.1, 0.2),
    "morning, 7 to 12": (0.3, 0.4, 0.5, 0.6, 0.7),
    "afternoon, 12 to 18": (0.9, 0.9, 0.8, 0.9, 1.1, 1.5),
    "evening, 18 to 20": (2.2, 3.4),
    "its peak, 20 to 21": (4.0,),
    "late, 21 to 24": (3.2, 1.6, 0.7),
}
"""The rate of each hour as a multiple of the day's mean: four times as much in the evening."""
HOUR, PEAK = 8.0, 60.0
"""Seconds of the benchmark for an hour of the day, and for its peak, which is played three times."""
WARM_UP = 120.0
"""Seconds at the evening's rate before anything is measured: a worker then has most sprites."""
RAMP = (1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
"""Multiples of the evening's rate, one after the other, until something breaks."""
STEP = 45.0
"""Seconds of each."""
IDLE = 0.06
"""Processor seconds in a second of a process that has nothing more to draw ahead."""


class Run:
    """One fleet with its people."""

    def __init__(self, fleet: Fleet, people: People | None, meter: Meter) -> None:
        self.fleet, self.people, self.meter = fleet, people, meter

    async def settle(self, most: float) -> float:
        """Wait until the processes have drawn ahead what they will need. Return the seconds that it took."""
        begun, before = perf_counter(), sum(sum(bot.spent()) for bot in self.fleet.bots)
        while perf_counter() - begun < most:
            await asyncio.sleep(5)
            now = sum(sum(bot.spent()) for bot in self.fleet.bots)
            if now - before < 5 * IDLE * len(self.fleet.bots):
                break
            before = now
        return perf_counter() - begun

    async def stretch(self, name: str, *hours: tuple[float, float]) -> Stretch:
        """Let people play so many moves a second for so many seconds, and measure."""
        discord, people = self.fleet.discord, self.people
        assert people is not None
        people.figures = Figures()
        for bot in self.fleet.bots:
            await bot.lag()
        before, begun, limited = self.meter.usage(), perf_counter(), discord.limited
        for rate, seconds in hours:
            await people.play(rate, seconds)
        usage, now = self.meter.usage().since(before), perf_counter()
        return Stretch(
            name,
            sum(rate * seconds for rate, seconds in hours) / sum(seconds for _, seconds in hours),
            now - begun,
            people.figures,
            usage,
            [await bot.lag() for bot in self.fleet.bots],
            sum(begun <= at <= now for at in discord.counted),
            most_in_a_second(discord.counted, begun, now),
            discord.limited - limited,
            people.behind,
        )

    def memory(self) -> str:
        each = (f"{bot} + {workers}" for bot, workers in (bot.resident() for bot in self.fleet.bots))
        return f"resident, MB (process + its workers): {', '.join(each)}"


@asynccontextmanager
async def running(
    folder: Path, servers: int, matches: int, processes: int, workers: int = WORKERS
) -> AsyncIterator[tuple[Run, str]]:
    """The fleet, connected; and a line about its start."""
    encryption, settings = encrypted(folder)
    async with database() as (server, url), ManyServers(servers, encryption) as discord:
        await (await Database.open(url)).close()
        crowd = discord.settle(matches, min(PEOPLE, 5 * matches)) if matches else None
        fleet = Fleet(discord, url, folder, workers)
        meter = Meter(fleet, server)
        try:
            if crowd is not None:
                await fill(url, matches, crowd)
                _show_all(discord, crowd, meter)
            begun = perf_counter()
            await fleet.start(processes, **settings)
            line = f"{processes} processes have {servers:,} servers after {perf_counter() - begun:.0f} s"
            people = People(discord, crowd, matches, meter.read, Random("people")) if crowd is not None else None
            yield Run(fleet, people, meter), line
        finally:
            await fleet.end()
            meter.close()


def _go_first() -> None:
    """Let this process have a processor before the bots if they fill all of them: else it measures its own wait."""
    gc.freeze()
    with suppress(PermissionError):  # then it shows in the column of this Discord's loop
        os.setpriority(os.PRIO_PROCESS, 0, -10)


def _show_all(discord: ManyServers, crowd: Crowd, meter: Meter) -> None:
    for match, place, channel in meter.read("SELECT match, place, channel FROM post"):
        discord.show(channel, crowd.message(match, place))


async def memory_of_servers(servers: int) -> str:
    """Return what so many servers take in one process that has no match and draws nothing."""
    found = []
    for count in (0, servers):
        with TemporaryDirectory() as name:
            async with running(Path(name), count, 0, 1, workers=0) as (run, _):
                await run.settle(60)
                found.append(run.fleet.bots[0].resident()[0])
    each = 1024 * (found[1] - found[0]) / servers
    return f"one process: {found[0]} MB without servers, {found[1]} MB with {servers:,}: {each:.1f} KB a server"


async def measure(servers: int, matches: int, processes: int, workers: int = WORKERS) -> AsyncIterator[str]:
    """Yield the lines of the report."""
    yield f"{strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    yield await memory_of_servers(servers // processes)
    mean, stretches = matches * MOVES_A_DAY / 86_400, list[Stretch]()
    with TemporaryDirectory() as name:
        async with running(Path(name), servers, matches, processes, workers) as (run, line):
            assert run.people is not None
            _go_first()
            yield line
            yield f"at rest after {await run.settle(120):.0f} s more; {run.memory()}"
            yield "\n".join(["", *TIMES])
            plan = {
                "all at rest": [(1e-6, 20.0)],
                "warm-up": [(4 * mean, WARM_UP)],
                **{part: [(factor * mean, HOUR) for factor in factors] for part, factors in DAY.items()},
                **{f"the peak again, {turn}": [(4 * mean, PEAK)] for turn in (1, 2)},
                **{f"{factor:g} peaks": [(factor * 4 * mean, STEP)] for factor in RAMP},
            }
            for part, hours in plan.items():
                stretches.append(await run.stretch(part, *hours))
                yield stretches[-1].times()
                if stretches[-1].breaks and part.endswith("peaks"):
                    break
                await run.people.rest()
                if part == "warm-up":
                    await run.settle(120)
            yield "\n".join(["", *COSTS, *(one.costs() for one in stretches), ""])
            yield run.memory()
            for fault in run.fleet.faults()[:10]:
                yield f"FAULT {fault}"


@contextmanager
def rows() -> Iterator[Iterator[Any]]:
    """The lines of the benchmark in its full size."""
    with asyncio.Runner() as runner:

        def all_lines() -> Iterator[str]:
            lines = measure(SERVERS, MATCHES, PROCESSES)

            async def following() -> str | None:
                return await anext(lines, None)

            while (line := runner.run(following())) is not None:
                yield line

        yield all_lines()


async def main(servers: int, matches: int, processes: int, workers: int) -> None:
    async for line in measure(servers, matches, processes, workers):
        print(line, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
