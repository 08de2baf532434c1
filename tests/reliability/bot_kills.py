"""kill -9 of the whole bot, at tables of five games on a local Discord that outlives it.

A life is a process of the bot, forked with everything imported (tests/process/fork_server.py): it logs in, catches up,
and people press its buttons. It is killed while it starts, while it catches up, or while people play once all is shown:
after some seconds, or at a request, before or after Discord carries it out (kill_points.py). After each kill the
harness compares the file with what people pressed, what they were told, and what they see. After LIVES lives it makes
the same moves again without a kill, also those of computers, which think again, and compares the stored matches and the
messages with the result.

In some lives the bot draws and thinks in workers. The harness kills these at random moments while people play; then the
same bot must show all that is stored, before the harness kills it too.
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
from typing import Any, Self

import pytest

from cogs.workers.pool import MOST_ACCIDENTS
from data.store.database import DatabaseRefusal
from tests.process.loopback import Loopback, until
from tests.process.world import children
from tests.reliability import invariants
from tests.reliability.discord_players import SILENCE, DiscordPlayers
from tests.reliability.display_checks import (
    copy_after_kill,
    copy_live,
    differences,
    open_stored,
    replay_differences,
    shown_beyond_stored,
    wrongly_noted,
)
from tests.reliability.kill_points import Kill, Moment, kill_plan, refuse_struck, strike_on
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_bugs import IN_WORKERS, Bug
from tests.support.hung import HUNG
from tests.support.inside import stored_matches
from tests.support.pixels import plain_pictures

ROOT = Path(__file__).resolve().parents[2]
LIVES = 32
"""Lives on one Discord and one database."""
CONVERGED = 60
"""Seconds without a request after which the bot has shown all that it will; most times all is shown long before."""
IDLE = 12
"""Seconds without a request after which the harness stops waiting, if a bug is seeded."""
QUIET, MOST_QUIET = 0.1, 1.0
"""Seconds without a request after which the harness checks the messages; each time twice as many if none has come since
it checked last, up to so many.
"""
USUAL_START = 0.15
"""Seconds that a bot takes to start on a quiet machine. The next two are for such a machine: see `ForkServer.slow`."""
LONGEST_PLAY = 1.5
AT_LAST = 5.0
"""Seconds of play after which a life is killed if the planned request has not come."""
LOGGED = re.compile(r"^.*(?: (?:ERROR|CRITICAL) |Traceback).*(?:\n .*)*", re.MULTILINE)
"""A fault in a log, with its traceback."""
PLAIN = "--plain"
SETTINGS = {
    "DISCORD_TOKEN": "planted",
    "EDIT_SECONDS": "0.05",
    "TABLES_EACH": "0",
    "COMPUTER_SECONDS": "0.1",
    "EMOJI": "no",
    "BACKUP_MINUTES": "0",
}
WORKER_KILLS = MOST_ACCIDENTS
"""How many workers are killed in a life. After one more that was not ready yet the bot would rightly log that it cannot
start any, and wait longer; how soon a worker is ready is the machine's choice.
"""
LONGEST_WAIT = 0.8
"""The most seconds until the next worker is killed: less than most need to be ready, more than a picture takes."""


class Forking:
    """A process that imports everything once and forks bots, a `program` of tests/process."""

    program = "fork_server"

    def __init__(self, process: Any, log: Path) -> None:
        self._process, self._log, self._seen = process, log, 0

    @classmethod
    async def launch(cls, bug: Bug, log: Path, *arguments: str) -> Self:
        """Start it."""
        bugs = [] if bug is Bug.NONE else [bug.value]
        with log.open("wb") as said:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", f"tests.process.{cls.program}", *arguments, *bugs),
                cwd=ROOT,
                env={"PATH": os.environ["PATH"]},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
            )
        return cls(process, log)

    async def start(self, *facts: Any) -> int:
        """Start a bot, of which the program takes these facts. Return its process id."""
        self._process.stdin.write(f"{json.dumps(facts)}\n".encode())
        return int(await self._process.stdout.readline())

    async def close(self) -> None:
        """End all bots that still run."""
        self._process.stdin.close()
        await self._process.wait()

    def faults(self) -> list[str]:
        """Return the faults that the bots have logged since the last call. A kill may cut a line off."""
        said = self._log.read_bytes()[self._seen :]
        self._seen += len(said)
        return [f"logged: {lines}" for lines in LOGGED.findall(said.decode(errors="replace"))]


class ForkServer(Forking):
    """It forks one bot after the other, and knows how long these take to start. With PLAIN they draw single pixels."""

    def __init__(self, process: Any, log: Path) -> None:
        super().__init__(process, log)
        self._starts = deque([USUAL_START], 15)

    async def ended(self) -> int:
        """Wait until the bot has ended. Return its status."""
        return int(await self._process.stdout.readline())

    @property
    def usual_start(self) -> float:
        """Return the median seconds of the last starts."""
        return median(self._starts)

    @property
    def slow(self) -> float:
        """Return how many times as long the last starts took as on a quiet machine, at least 1."""
        return max(1.0, self.usual_start / USUAL_START)

    def learn(self, seconds: float) -> None:
        self._starts.append(seconds)


class World:
    """One Discord, one database, and the lives of a bot."""

    def __init__(
        self,
        fork_server: ForkServer,
        players: DiscordPlayers,
        folder: Path,
        random: Random,
        report: Report,
        patience: int,
    ) -> None:
        self._fork_server, self._players, self._folder, self._random = fork_server, players, folder, random
        self._report, self._patience = report, patience
        self._process = 0
        self._begun = 0.0

    async def live(self, kill: Kill) -> list[str]:
        """Run one life to its end. Return the faults."""
        discord = self._players.discord
        await self._start(self._random.choice("12") if kill.moment is Moment.WORKERS else "0")
        found: list[str] = []
        if kill.moment is Moment.STARTING:
            await asyncio.sleep(self._random.uniform(0, 1.5 * self._fork_server.usual_start))
        else:
            if not await until(lambda: discord.sessions):
                found = ["the bot does not start"]
            self._fork_server.learn(perf_counter() - self._begun)
            if kill.moment in (Moment.PLAYING, Moment.WORKERS) and not found:
                found = await self.catch_up()
            if not found:
                found = await (self._kill_workers() if kill.moment is Moment.WORKERS else self._play(kill))
        return found + await self._end()

    async def _start(self, workers: str) -> None:
        settings = SETTINGS | {"DATABASE": str(self._players.database), "WORKERS": workers}
        self._process = await self._fork_server.start(self._players.discord.origin, settings)
        self._begun = perf_counter()

    async def catch_up(self) -> list[str]:
        """Wait until all messages show what is stored. Return the differences if that takes too long."""
        checked, pause = -1, QUIET
        while True:
            await self._players.discord.quiet(QUIET)
            answered = len(self._players.discord.answered)
            checked, pause = answered, QUIET if answered != checked else min(2 * pause, MOST_QUIET)
            took = perf_counter() - self._begun
            asked = max((at for at, _, _ in self._players.discord.answered[-1:]), default=0.0)
            late = took > HUNG or perf_counter() - max(asked, self._begun) > self._patience
            async with open_stored(copy_live(self._players.database, self._folder / "copy")) as now:
                # While the bot itself knows that it is behind, a comparison would only cost time.
                early = not late and bool(await stored_matches(now.service).posts.behind())
                found = [] if early else await differences(self._players, now)
            if late or not (early or found):
                self._report.counts["times all was found shown"] += not found
                self._report.slowest = max(self._report.slowest, took)
                return found
            await asyncio.sleep(pause)

    async def _kill_workers(self) -> list[str]:
        """Let people press while workers are killed; then wait until all is shown. Return the faults."""
        async with self._players.at_play():
            for _ in range(WORKER_KILLS):
                await asyncio.sleep(self._random.uniform(0, LONGEST_WAIT))
                if workers := children(self._process):
                    with suppress(ProcessLookupError):
                        os.kill(self._random.choice(workers), signal.SIGKILL)
                        self._report.counts["workers killed"] += 1
        self._begun = perf_counter()
        return await self.catch_up()

    async def _play(self, kill: Kill) -> list[str]:
        """Let people press until the instant of the kill, and kill the bot. Return no faults: the checks come later."""
        players, struck = self._players, asyncio.Event()

        def strike() -> None:
            os.kill(self._process, signal.SIGKILL)
            struck.set()

        most = LONGEST_PLAY if kill.moment is Moment.PLAYING else LONGEST_PLAY / 2
        seconds = self._random.uniform(0.05, most * self._fork_server.slow)
        if kill.request is not None:
            seconds, struck_at = AT_LAST * self._fork_server.slow, strike_on(kill.request, self._random, strike)
            if kill.before:
                players.discord.gate = refuse_struck(struck_at)
            else:
                players.on_request = struck_at
        try:
            async with self._players.at_play() as people:
                await until(lambda: struck.is_set() or any(task.done() for task in people), seconds)
                self._report.counts["killed at a request"] += struck.is_set()
                if not struck.is_set():
                    strike()
        finally:
            players.on_request, players.discord.gate = None, lambda method, path: False
        return []

    async def _end(self) -> list[str]:
        """Kill the bot if it still runs, and check what it has left."""
        players = self._players
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        status = await self._fork_server.ended()
        await until(lambda: not players.discord.sessions)
        await players.discord.quiet(QUIET)
        found = [] if status == signal.SIGKILL else [f"a life ended by itself, with the status {status}"]
        found += self._fork_server.faults()
        if self._random.random() < 0.5:
            players.discord.forget_nonces()
            self._report.counts["kills after which Discord had forgotten all nonces"] += 1
        self._report.counts["kills"] += 1
        try:
            async with open_stored(copy_after_kill(players.database, self._folder / "copy")) as now:
                found += await invariants.faults_in(now.database, players.history)
                found += await shown_beyond_stored(players, now) or await wrongly_noted(players, now)
        except DatabaseRefusal as refusal:
            found.append(f"{invariants.CORRUPT}: {refusal}")
        return found + players.violations

    async def check_replay(self, beginning: Path) -> list[str]:
        """Run a last life without presses, then make the same moves without a kill. Return the differences."""
        players = self._players
        await self._start("0")
        found = await self.catch_up()
        copy = copy_live(players.database, self._folder / "copy")
        if not found:
            async with open_stored(copy) as now, open_stored(beginning) as fresh:
                found = await replay_differences(now, fresh) or await differences(players, now, fresh)
                for match in await now.matches():
                    self._report.counts["moves"] += match.moves
        return found + await self._end()


def is_plain(bug: Bug) -> bool:
    """Return whether the bots with this bug may draw single pixels: it shows without workers, which cannot."""
    return bug not in (Bug.NONE, *IN_WORKERS)


async def _one_world(
    fork_server: ForkServer, folder: Path, random: Random, lives: int, bug: Bug, report: Report
) -> list[str]:
    """Live in one world. Return the faults. Workers, which draw whole pictures, are killed only if no bot is plain."""
    async with Loopback() as discord:
        players = DiscordPlayers(discord, folder / "sundial.db", random)
        if bug is not Bug.NONE:
            players.silence = SILENCE
        await players.sit_down()
        shutil.copyfile(players.database, folder / "beginning.db")
        world = World(fork_server, players, folder, random, report, CONVERGED if bug is Bug.NONE else IDLE)
        found: list[str] = []
        plan = kill_plan(random, players.channel)
        if bug is not Bug.NONE:  # it shows if workers are killed, or there are none
            plan = (kill for kill in plan if (kill.moment is Moment.WORKERS) == (bug in IN_WORKERS))
        for kill in islice(plan, lives - 1):
            found = await world.live(kill)
            report.counts[kill.moment.value] += 1
            if found:
                break
        found = found or await world.check_replay(folder / "beginning.db")
        report.counts["answers"] += len(players.history.answers)
        report.counts["decisions in a living private hand"] += players.private_moves
        report.counts["pings"] += players.pings.total()
        report.counts["ends told"] += players.ends_told.total()
        return found


async def _run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None) -> None:
    if is_plain(bug):
        plain_pictures(pytest.MonkeyPatch())  # here too: this process draws what should be shown
    fork_server = await ForkServer.launch(bug, folder / "log", *[PLAIN] * is_plain(bug))
    try:
        for number in range(-(-trials // LIVES)) if only is None else [only]:
            lives = min(LIVES, trials - number * LIVES) if only is None else LIVES
            where = empty_folder(folder / "bot")
            random = Random(f"{report.seed}/{number}")
            found = await _one_world(fork_server, where, random, lives, bug, report)
            if report.record(number, found, where) or report.out_of_time:
                return
    finally:
        await fork_server.close()


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """Kill `trials` times, or only the lives of world number `only`."""
    asyncio.run(_run(report, folder, trials, bug, only))
