"""A storm over the processes of `bot-rivals`: kills, cuts, stalls, slow lines, crashes of the database and failures of
Discord follow each other while people press. What is killed is replaced, and every fault passes.
"""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from tests.process.loopback import until
from tests.support.faulty_line import LEASES, MOVES, AtCommit

if TYPE_CHECKING:
    from tests.reliability.rival_processes import Process
    from tests.reliability.rival_world import Rivals

BETWEEN = (0.1, 1.0)
"""Seconds between two strikes."""
AT_LAST = 3.0
"""Seconds after which a strike happens if the request or commit has not come at which it was to happen."""
SHORT = (0.2, 4.0)
"""Seconds for which a process stands still, or a line carries nothing or is slow."""
DOWN = (0.0, 2.0)
"""Seconds for which a line that was cut takes no connections."""
LATENCY = (0.01, 0.1)
"""Seconds by which each piece on a slow line is late."""
AT_WORK = re.compile(r"/channels/\d+/messages")
"""The requests that show something."""
FAILING = 0.5
"""The share of these that fail while Discord fails."""
FAILURES = ("lost", "lost", "reset", "502", "429")
"""How they fail (`Loopback.fails`)."""
AT_ONCE = 0.7
"""The share of the processes that one strike kills, or cuts off."""
STARTS, STARTING = 3, 3.0
"""How often processes are killed while they start, and for how many seconds they may do so."""


class Strike(StrEnum):
    """What a storm has. The first five count as kills, the next five as cuts."""

    KILL = "kill"
    KILL_BEFORE = "kill before a request is carried out"
    KILL_AFTER = "kill after a request is carried out"
    KILL_COMMIT = "kill at a commit"
    KILL_STARTING = "kill while starting"
    CUT = "cut"
    CUT_BEFORE = "cut before a commit"
    CUT_AFTER = "cut after a commit"
    CUT_LATE = "cut, and the commit arrives later"
    CUT_GATEWAY = "cut of the gateway"
    STALL = "stall"
    STALL_COMMIT = "stall at a commit"
    SLOW = "slow line"
    STOP = "stop"
    CRASH = "crash of the database"
    FAIL = "failures of Discord"


DECK = (
    *[Strike.KILL] * 6,
    *(Strike.KILL_BEFORE, Strike.KILL_AFTER, Strike.KILL_COMMIT, Strike.KILL_STARTING),
    *[Strike.CUT] * 5,
    *(Strike.CUT_BEFORE, Strike.CUT_AFTER, Strike.CUT_AFTER, Strike.CUT_LATE, Strike.CUT_GATEWAY),
    *(Strike.STALL, Strike.STALL_COMMIT, Strike.SLOW, Strike.STOP, Strike.CRASH),
    *[Strike.FAIL] * 4,
)
"""The strikes of a storm, in random order."""
_AT_COMMIT = {
    Strike.CUT_BEFORE: AtCommit.BEFORE,
    Strike.CUT_AFTER: AtCommit.AFTER,
    Strike.CUT_LATE: AtCommit.LATE,
    Strike.STALL_COMMIT: AtCommit.STALLED,
}


class Storm:
    """One storm."""

    def __init__(self, rivals: Rivals) -> None:
        self._rivals = rivals
        self._random = rivals.random
        self._passing: set[asyncio.Task[None]] = set()

    async def rage(self) -> None:
        """Strike with the whole deck, and wait until all has passed."""
        ways: dict[Strike, Callable[[Process], Awaitable[None]]] = {
            Strike.KILL: self._kill,
            Strike.KILL_BEFORE: self._kill_at_request,
            Strike.KILL_AFTER: self._kill_at_request,
            Strike.KILL_COMMIT: self._kill_at_commit,
            Strike.CUT: self._cut,
            Strike.CUT_GATEWAY: self._cut_gateway,
            Strike.SLOW: self._slow,
            Strike.STALL: self._stall,
            Strike.STOP: self._stop,
        }
        try:
            for strike in self._random.sample(DECK, len(DECK)):
                await asyncio.sleep(self._random.uniform(*BETWEEN))
                process = self._one()
                self._rivals.log(f"{process.name}: {strike.value}")
                if strike is Strike.CRASH:
                    await self._rivals.crash()
                elif strike is Strike.FAIL:
                    self._fail()
                elif strike is Strike.KILL_STARTING:
                    await self._kill_starting()
                elif strike in _AT_COMMIT:
                    await self._at_commit(strike)
                elif strike in (Strike.KILL_BEFORE, Strike.KILL_AFTER):
                    await self._kill_at_request(process, carried_out=strike is Strike.KILL_AFTER)
                else:
                    await ways[strike](process)
        finally:
            await asyncio.gather(*self._passing)
            for process in self._rivals.running:
                process.line.flow()

    def _one(self) -> Process:
        """Return a process that has begun, if there is one, and to which nothing else happens now."""
        running = self._rivals.running
        free = [p for p in running if p.opened and not p.stopped and p.line.is_free]
        return self._random.choice(free or running)

    def _count(self, what: str) -> None:
        self._rivals.report.counts[what] += 1

    def _pass(self, seconds: float, end: Callable[[], object]) -> None:
        """Let something end after so many seconds."""

        async def later() -> None:
            await asyncio.sleep(seconds)
            end()

        task = asyncio.create_task(later())
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    # Kills.

    async def _kill(self, process: Process) -> None:
        """Kill some processes at any instant."""
        await self._rivals.kill(process, *self._others(process))

    def _others(self, process: Process) -> list[Process]:
        """Return other processes to which the same happens."""
        others = [one for one in self._rivals.running if one is not process]
        return self._random.sample(others, self._random.randint(0, round(AT_ONCE * len(others))))

    async def _kill_starting(self) -> None:
        """Kill processes, and those that take their place, while they start."""
        process = self._one()
        struck = [process, *self._others(process)]
        await self._rivals.kill(*struck)
        for _ in range(STARTS):
            struck = self._rivals.running[-len(struck) :]
            await asyncio.sleep(self._random.uniform(0.0, STARTING))
            self._rivals.report.counts["of them killed while starting"] += len(struck)
            await self._rivals.kill(*struck)

    async def _kill_at_request(self, process: Process, carried_out: bool = False) -> None:
        """Kill a process at its next request that shows something."""
        struck = asyncio.Event()

        def strike(done: bool) -> bool:
            if done is carried_out:
                process.send(signal.SIGKILL)
                struck.set()
            return done is carried_out

        self._rivals.strikes[process.name] = strike
        if await until(struck.is_set, AT_LAST):
            self._count("of them killed at a request")
        await self._rivals.kill(process)

    async def _kill_at_commit(self, process: Process) -> None:
        """Kill a process when its next commit is under way."""
        struck = asyncio.Event()

        def strike() -> None:
            process.send(signal.SIGKILL)
            struck.set()

        process.line.of = self._random.choice([b"", MOVES])
        process.line.at_commit, process.line.struck = AtCommit.CALLED, strike
        if await until(struck.is_set, AT_LAST):
            self._count("of them killed at a commit")
        await self._rivals.kill(process)

    # Lines.

    async def _cut(self, process: Process) -> None:
        """Cut all connections of some processes to the database, perhaps for some time."""
        for one in [process, *(other for other in self._others(process) if other.opened)]:
            self._count("cuts")
            one.line.is_down = True
            one.line.cut()
            self._pass(self._random.uniform(*DOWN), one.line.flow)

    async def _at_commit(self, strike: Strike) -> None:
        """Cut or stall a line at a commit: that of the process that makes the next one of some kind."""
        struck: list[Process] = []

        def strike_on(process: Process) -> None:
            struck.append(process)
            disarm()

        def disarm() -> None:
            for process in armed:
                process.line.at_commit = process.line.struck = None

        for of in (self._random.choice([MOVES, MOVES, LEASES, b""]), b""):
            armed = [one for one in self._rivals.running if one.opened and one.line.is_free]
            for process in armed:
                process.line.of, process.line.struck = of, partial(strike_on, process)
                process.line.at_commit = _AT_COMMIT[strike]
            await until(lambda: struck, AT_LAST)
            disarm()
            if struck:
                break
        for process in struck:
            self._rivals.log(f"{process.name}: {strike.value}")
            self._count("stalls" if strike is Strike.STALL_COMMIT else "cuts")
            self._count(f"of them {strike.value}")
            if strike is Strike.STALL_COMMIT:
                self._pass(self._random.uniform(*SHORT), process.line.flow)

    async def _stall(self, process: Process) -> None:
        self._count("stalls")
        process.line.stall()
        self._pass(self._random.uniform(*SHORT), process.line.flow)

    async def _slow(self, process: Process) -> None:
        self._count("slow lines")
        process.line.latency = self._random.uniform(*LATENCY)
        self._pass(self._random.uniform(*SHORT), process.line.flow)

    # The rest.

    async def _cut_gateway(self, process: Process) -> None:
        """Reset the connections of a process to the gateway."""
        for session in list(self._rivals.players.discord.sessions):
            if session.agent.endswith(f" {process.name}"):
                self._count("cuts of the gateway")
                session.transport.abort()

    def _fail(self) -> None:
        """For a moment, let requests of all processes fail, also such as are carried out all the same."""
        discord = self._rivals.players.discord

        def fails(method: str, path: str) -> str | None:
            if method == "GET" or not AT_WORK.search(path) or self._random.random() >= FAILING:
                return None
            how = self._random.choice(FAILURES)
            if (method, how) == ("DELETE", "reset"):  # discord.py does not try it again: the message stays
                return None
            self._count("answers lost" if how == "lost" else "requests refused")
            return how

        discord.fails = fails
        self._pass(self._random.uniform(*SHORT), discord.recover)

    async def _stop(self, process: Process) -> None:
        """Stop a process for a moment."""
        self._count("stops")
        process.stopped = True
        process.send(signal.SIGSTOP)

        def go_on() -> None:
            process.send(signal.SIGCONT)
            process.stopped = False

        self._pass(self._random.uniform(*SHORT), go_on)
