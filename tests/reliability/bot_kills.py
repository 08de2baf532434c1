"""kill -9 of the whole bot, over and over, at five tables on a Discord of this machine that outlives it.

A life is a process with everything imported (tests/process/fork_server.py) that logs in, catches up and is played with.
It is killed while it starts; while it catches up; or once everything has been found to be shown, at an instant of play:
after so many seconds, or at a request, before or after Discord has carried it out (kill_points.py). After each kill the file
is looked at beside what people pressed, what they were told, and what they see. After so many lives the moves are made
once more without a kill, and what lies in the file and stands in Discord is compared with what comes of that.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sys
from collections import deque
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from data.store.database import DatabaseRefusal
from tests.process.loopback import Loopback, until
from tests.reliability import invariants
from tests.reliability.discord_players import Company
from tests.reliability.display_checks import behind, copied, differences, left, replayed, tables, unseen
from tests.reliability.kill_points import Kill, Moment, kills, refusing, trap
from tests.reliability.report import Report, fresh
from tests.reliability.seeded_bugs import Bug

ROOT = Path(__file__).resolve().parents[2]
LIVES = 30
"""Lives of one world."""
CONVERGED = 60
"""Seconds after a start within which everything is shown as it is."""
IDLE = 12
"""Seconds without a request after which, where a bug is planted, nobody waits any longer for what does not come."""
QUIET = 0.1
"""Seconds without a request, after which Discord is looked at."""
LONGEST_PLAY = 1.5
AT_LAST = 5
"""Seconds of play after which a life is killed that has made no such request as was waited for."""
LOGGED = re.compile(r"^.*(?: (?:ERROR|CRITICAL) |Traceback).*(?:\n .*)*", re.MULTILINE)
"""A fault in a log, with the lines that say where it was."""
SETTINGS = {"DISCORD_TOKEN": "planted", "EDIT_SECONDS": "0.05", "COMPUTER_SECONDS": "0.1", "BACKUP_MINUTES": "0"}


class Litter:
    """The process that bots are forked from."""

    def __init__(self, process: Any, log: Path) -> None:
        self._process, self._log, self._seen = process, log, 0
        self._starts = deque([0.15], 15)

    @classmethod
    async def born(cls, bug: Bug, log: Path) -> Litter:
        with log.open("wb") as said:
            return cls(
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tests.process.fork_server", *([] if bug is Bug.NONE else [bug.value])),
                    cwd=ROOT,
                    env={"PATH": os.environ["PATH"]},
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=said,
                ),
                log,
            )

    async def start(self, origin: str, settings: dict[str, str]) -> int:
        """A bot; the number of its process."""
        self._process.stdin.write(f"{json.dumps([origin, settings])}\n".encode())
        return int(await self._process.stdout.readline())

    async def ended(self) -> int:
        """The status of the bot, once it has ended."""
        return int(await self._process.stdout.readline())

    async def close(self) -> None:
        self._process.stdin.close()
        await self._process.wait()

    def faults(self) -> list[str]:
        """What the bots have logged as one since the last look. The last line of who was killed may be cut off."""
        said = self._log.read_bytes()[self._seen :]
        self._seen += len(said)
        return [f"logged: {lines}" for lines in LOGGED.findall(said.decode(errors="replace"))]

    @property
    def usual_start(self) -> float:
        """Seconds that a start took of late."""
        return median(self._starts)

    def learn(self, seconds: float) -> None:
        self._starts.append(seconds)


class World:
    """One Discord, one database, and the lives of a bot."""

    def __init__(
        self, litter: Litter, company: Company, folder: Path, random: Random, report: Report, patience: int
    ) -> None:
        self._litter, self._company, self._folder, self._random = litter, company, folder, random
        self._report, self._patience = report, patience
        self._process = 0
        self._begun = 0.0

    async def live(self, kill: Kill) -> list[str]:
        """A life, and its end; what was wrong in it."""
        company, discord = self._company, self._company.discord
        self._process = await self._litter.start(discord.origin, SETTINGS | {"DATABASE": str(company.database)})
        self._begun = perf_counter()
        found: list[str] = []
        if kill.moment is Moment.STARTING:
            await asyncio.sleep(self._random.uniform(0, 1.5 * self._litter.usual_start))
        else:
            if not await until(lambda: discord.sessions, CONVERGED):
                found = ["the bot does not start"]
            self._litter.learn(perf_counter() - self._begun)
            if kill.moment is Moment.PLAYING and not found:
                found = await self.settled()
            if not found:
                await self._play(kill)
        return found + await self._end()

    async def settled(self) -> list[str]:
        """Wait until all is shown as it is stored; what is not, where that takes too long."""
        while True:
            await self._company.discord.quiet(QUIET)
            took = perf_counter() - self._begun
            asked = max((at for at, _, _ in self._company.discord.answered[-1:]), default=0.0)
            late = took > CONVERGED or perf_counter() - max(asked, self._begun) > self._patience
            async with tables(copied(self._company.database, self._folder / "copy")) as now:
                # What is known not to be shown yet need not be drawn.
                early = not late and bool(await now.host._matches.unshown())
                found = [] if early else await differences(self._company, now)
            if late or not (early or found):
                self._report.counts["times all was found shown"] += not found
                self._report.longest = max(self._report.longest, took)
                return found
            await asyncio.sleep(QUIET)

    async def _play(self, kill: Kill) -> None:
        """Let people press until the instant of the kill, and kill."""
        company, struck = self._company, asyncio.Event()

        def strike() -> None:
            os.kill(self._process, signal.SIGKILL)
            struck.set()

        seconds = self._random.uniform(0.05, LONGEST_PLAY if kill.moment is Moment.PLAYING else LONGEST_PLAY / 2)
        if kill.aim is not None:
            seconds, sprung = AT_LAST, trap(kill.aim, self._random, strike)
            if kill.before:
                company.discord.gate = refusing(sprung)
            else:
                company.strike = sprung
        people = [asyncio.create_task(company.play(user)) for user in company.people]
        try:
            await until(lambda: struck.is_set() or any(task.done() for task in people), seconds)
            self._report.counts["killed at a request"] += struck.is_set()
            if not struck.is_set():
                strike()
        finally:
            company.strike, company.discord.gate = None, lambda method, path: False
            for task in people:
                task.cancel()
            for error in await asyncio.gather(*people, return_exceptions=True):
                if isinstance(error, Exception):
                    raise error

    async def _end(self) -> list[str]:
        """Kill what still lives, and look at what it has left."""
        company = self._company
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        status = await self._litter.ended()
        await until(lambda: not company.discord.sessions, 5)
        await company.discord.quiet(QUIET)
        found = [] if status == signal.SIGKILL else [f"a life ended by itself, with the status {status}"]
        found += self._litter.faults()
        self._report.counts["kills"] += 1
        try:
            async with tables(left(company.database, self._folder / "copy")) as now:
                found += await invariants.faults_in(now.database, company.diary)
                found += await behind(company, now) or await unseen(company, now)
        except DatabaseRefusal as refusal:
            found.append(f"{invariants.CORRUPT}: {refusal}")
        return found + company.complaints

    async def transcript(self, beginning: Path) -> list[str]:
        """A last life in which nobody presses; then the same moves without a kill, and what stands there otherwise."""
        company = self._company
        self._process = await self._litter.start(company.discord.origin, SETTINGS | {"DATABASE": str(company.database)})
        self._begun = perf_counter()
        found = await self.settled()
        copy = copied(company.database, self._folder / "copy")
        if not found:
            async with tables(copy) as now, tables(beginning) as anew:
                found = await replayed(now, anew) or await differences(company, now, anew)
                for match in await now.matches():
                    self._report.counts["moves"] += match.moves
        return found + await self._end()


async def _one_world(litter: Litter, folder: Path, random: Random, lives: int, bug: Bug, report: Report) -> list[str]:
    async with Loopback() as discord:
        company = Company(discord, folder / "sundial.db", random)
        await company.sit_down()
        shutil.copyfile(company.database, folder / "beginning.db")
        world = World(litter, company, folder, random, report, CONVERGED if bug is Bug.NONE else IDLE)
        found: list[str] = []
        for kill in islice(kills(random, company.channel), lives - 1):
            found = await world.live(kill)
            report.counts[kill.moment.value] += 1
            if found:
                break
        found = found or await world.transcript(folder / "beginning.db")
        report.counts["answers"] += len(company.diary.answers)
        report.counts["calls"] += company.calls.total()
        return found


async def _run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None) -> None:
    litter = await Litter.born(bug, folder / "log")
    try:
        for number in range(-(-trials // LIVES)) if only is None else [only]:
            lives = min(LIVES, trials - number * LIVES) if only is None else LIVES
            where = fresh(folder / "bot")
            random = Random(f"{report.seed}/{number}")
            found = await _one_world(litter, where, random, lives, bug, report)
            if report.ended(number, found, where) or report.late:
                return
    finally:
        await litter.close()


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """So many kills. `only`: just those of that world."""
    asyncio.run(_run(report, folder, trials, bug, only))
