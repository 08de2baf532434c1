"""The processes of `bot-rivals` on one Discord and one database: what happens to them in a round, and what must be true
afterwards (bot_rivals.py).
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from aiohttp import web

from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.refusals import Refused
from data.records.leases import LEASE
from data.records.post_rows import TABLE
from data.store.database import DatabaseRefusal
from tests.process.loopback import until
from tests.reliability import invariants
from tests.reliability.bot_kills import CONVERGED, QUIET
from tests.reliability.display_checks import StoredMatches, differences, open_stored, wrongly_noted
from tests.reliability.report import Report
from tests.reliability.rival_players import RivalPlayers
from tests.reliability.rival_processes import CrashingServer, Forks, Process
from tests.reliability.storms import AT_WORK, Storm
from tests.support.faulty_line import LEASES, MOVES, AtCommit
from tests.support.inside import stored_matches

ANSWERS = (2, 9)
"""Moves that people are told of before something happens to a process, and again after it."""
LONGEST_PLAY = 12.0
"""Seconds of play at most: people may have nothing to press until a lease has run out."""
STOPPED = LEASE + 2.5
"""Seconds for which a process stands still."""
GOES_ON = 1.0
"""Seconds after it goes on in which a request that it had begun before may still arrive."""
GIVEN_BACK = 25.0
"""Seconds of rest after which no match has a holder any more, and each process is back."""
AGAIN = 0.2
"""Seconds until the harness asks again whether the database has recovered."""
LOOKS = 50
"""How often the harness looks in this time."""
EDIT = re.compile(r"/channels/\d+/messages/(\d+)$")
UNHELD, KEPT, NOT_BACK = "edited by a process that does not hold it", "never given back", "not back"
BEHIND = "not noted as shown"
UNMOVED = "waits for a computer"
HELD = "SELECT match, holder FROM lease WHERE until > extract(epoch FROM clock_timestamp()) * 1000"
ALIVE = "SELECT count(*) FROM gateway_process WHERE until > extract(epoch FROM clock_timestamp()) * 1000"


class Fate(StrEnum):
    """What happens in a round."""

    KILLED = "rounds with a process killed"
    ALL_BUT_ONE = "rounds with all but one killed"
    ENDED = "rounds with a process ended in order"
    STOPPED = "rounds with a process stopped for longer than a lease"
    STALLED = "rounds with a line stalled for longer than a lease"
    CUT_OFF = "rounds with a line cut for longer than a lease"
    CRASHED = "rounds with the database crashed in a commit"
    STORM = "storms"


LONG = (Fate.STOPPED, Fate.STALLED, Fate.CUT_OFF)
"""The fates of a process that others go on without, and that then goes on itself."""


@dataclass(eq=False)
class Rivals:
    """The processes on one Discord and one database."""

    forks: Forks
    players: RivalPlayers
    server: CrashingServer
    socket: Path
    """Where the processes reach the database: at the server, or at what stands before it."""
    url: str
    random: Random
    report: Report
    running: list[Process] = field(default_factory=list)
    leaving: list[Process] = field(default_factory=list)
    """Processes that end in order."""
    violations: list[str] = field(default_factory=list)
    begun: float = 0.0
    at_work: asyncio.Future[Process] | None = None
    """Waits for the next process that changes a message."""
    strikes: dict[str, Any] = field(default_factory=dict)
    """What to do at the next request of a process that changes a message: by the process's name, a function of whether
    Discord has carried it out. It returns whether it has struck.
    """
    requests: list[str] = field(default_factory=list)
    """All requests and faults, each with its time and its process, for a failure's files."""
    born: float = field(default_factory=perf_counter)
    _asking: str = ""

    def __post_init__(self) -> None:
        discord = self.players.discord
        discord.hears, discord.on_asked = self._route, self._note
        discord.limit["max_concurrency"] = 16  # tests/process/test_fleet.py has the turns to identify
        self.players.on_request = self._carried_out

    def read(self, sql: str, *values: int) -> list[Any]:
        """Return what is committed in the database."""
        return self.players.read(sql, *values)

    def log(self, what: str) -> None:
        """Note a fault for a failure's files."""
        self.requests.append(f"{perf_counter() - self.born:.3f} == {what}")

    async def start(self, clock: float, shards: int) -> None:
        """Start a process. It runs from now on; `opened` tells when it has opened the database."""
        process = await self.forks.fork(self.players.discord.origin, self.url, self.socket, clock, shards)
        self.running.append(process)
        self.log(f"{process.name} starts")

    async def all_opened(self) -> None:
        """Wait until every process has opened the database; start those again that could not."""
        end = perf_counter() + self.players.patience(CONVERGED)
        while waiting := [process for process in self.running if not process.opened]:
            for process in waiting:
                if not process.runs:
                    self.log(f"{process.name} could not start")
                    self.running.remove(process)
                    await self.start(process.clock, process.shards)
            if perf_counter() > end:
                self.violations.append(f"processes do not start: {[process.name for process in waiting]}")
                return
            await asyncio.sleep(0.05)

    async def kill(self, *struck: Process, replace: bool = True) -> None:
        """Kill processes, and start others in their place."""
        for process in struck:
            if process in self.running:
                process.send(signal.SIGKILL)
                self.log(f"{process.name} killed")
                self.running.remove(process)
                self.report.counts["kills"] += 1
                await self.buried(process)
                if replace:
                    await self.start(process.clock, process.shards)

    async def buried(self, process: Process) -> None:
        """Forget a process that has ended."""
        self.strikes.pop(process.name, None)
        await process.line.close()
        await until(lambda: not any(named(s) == process.name for s in self.players.discord.sessions), 5)
        self.players.discord.forget(process.name)

    def _route(self, sessions: list[Any]) -> list[Any]:
        """Return the sessions that get a press: one of those of its shards, or all of them."""
        still = {process.name for process in self.running if process.stopped}
        heard = [s for s in sessions if s in self.players.discord.sessions and named(s) not in still]
        return heard if self.random.random() < 0.5 else self.random.sample(heard, min(1, len(heard)))

    def _note(self, method: str, path: str, agent: str, body: Any) -> None:
        """Note a request, and a violation if it edits a table whose match its process does not hold. Strike if due."""
        found, name = EDIT.search(path), agent.rpartition(" ")[2]
        self.requests.append(f"{perf_counter() - self.born:.3f} {name} {method} {path} {json.dumps(body)}")
        process = next((process for process in [*self.running, *self.leaving] if process.name == name), None)
        self._asking = name
        if process is None:
            return
        process.opened = process.opened or path == "/gateway/bot"
        works = AT_WORK.search(path) and method != "GET"
        if works and self.at_work is not None and process in self.running:
            self.at_work.set_result(process)
            self.at_work = None
        if works and (strike := self.strikes.get(name)) is not None and strike(False):
            del self.strikes[name]
            raise web.HTTPServiceUnavailable
        if method != "PATCH" or found is None or perf_counter() < process.goes_on_until:
            return
        rows = self.read(
            "SELECT lease.match, holder, until > extract(epoch FROM clock_timestamp()) * 1000 FROM lease "
            "JOIN post ON post.match = lease.match WHERE place = ? AND message = ?",
            TABLE,
            int(found[1]),
        )
        self.report.counts["edits of tables"] += len(rows)
        for match, holder, holds in rows:
            if holder != name or not holds:
                self.violations.append(f"{UNHELD}: table {match} by {name}, held by {holder if holds else 'none'}")

    def _carried_out(self, method: str, path: str, recorded: bool) -> None:
        """Strike at a request that Discord has carried out, if that is due."""
        strike = self.strikes.get(self._asking) if method != "GET" and AT_WORK.search(path) else None
        if strike is not None and strike(True):
            del self.strikes[self._asking]

    # What happens.

    async def round(self, fate: Fate) -> list[str]:
        """Let people play while that happens. Return the faults."""
        self.report.counts[fate.value] += 1
        self.log(fate.value)
        if fate is Fate.STORM:
            async with self.players.at_play():
                await self._play()
                self.players.calm_since = None
                try:
                    await Storm(self).rage()
                finally:
                    self.players.calm_since = perf_counter()
        else:
            async with self.players.at_play():
                await self._play()
                struck, struck_at = await self._strike(fate), perf_counter()
            async with self.players.at_play():
                if fate in LONG:  # others take what it holds, and go on with it
                    await asyncio.sleep(max(0.0, struck_at + STOPPED - perf_counter()))
                await self._play()
            if fate in LONG:  # and no player presses any more: no change shows again what it may spoil now
                await self._go_on(struck)
        self.begun = perf_counter()
        await self.all_opened()
        found = await self.catch_up()
        return found + self.violations + self.players.violations + self.forks.faults()

    async def _play(self) -> None:
        """Wait until people have been told of some moves."""
        told = self.players.history.answers
        enough = len(told) + self.random.randint(*ANSWERS)
        await until(lambda: len(told) >= enough, LONGEST_PLAY)

    async def _strike(self, fate: Fate) -> list[Process]:
        """Let that happen to some processes. Return those that will go on. One that stands still is at work, if any
        is.
        """
        if fate in LONG:
            process = await self._at_work()
            self.log(f"{process.name}: {fate.value}")
            if fate is Fate.STOPPED:
                process.stopped = True
                process.send(signal.SIGSTOP)
                self.report.counts["stops"] += 1
            elif fate is Fate.STALLED:
                await self._stall_at_commit(process)
            else:
                process.line.is_down = True
                process.line.cut()
                self.report.counts["cuts"] += 1
            return [process]
        if fate is Fate.CRASHED:
            await self.crash()
        elif fate is Fate.ENDED:
            process = self.random.choice(self.running)
            self.running.remove(process)
            self.leaving.append(process)
            process.send(signal.SIGTERM)
            await self.start(process.clock, process.shards)
        else:
            await self.kill(*self.random.sample(self.running, len(self.running) - 1 if fate is Fate.ALL_BUT_ONE else 1))
        return []

    async def _stall_at_commit(self, process: Process) -> None:
        """Stall a line just after the server got a commit, of a renewal of leases if one comes."""
        struck, line = asyncio.Event(), process.line
        line.of, line.at_commit, line.struck = LEASES, AtCommit.STALLED, struck.set
        if not await until(struck.is_set, LONGEST_PLAY):
            line.stall()
        line.at_commit = line.struck = None
        self.report.counts["stalls"] += 1

    async def _at_work(self) -> Process:
        """Wait for a process that changes a message; any one if that takes too long."""
        waited = self.at_work = asyncio.get_running_loop().create_future()
        await until(waited.done, LONGEST_PLAY)
        self.at_work = None
        return waited.result() if waited.done() else self.random.choice(self.running)

    async def _go_on(self, struck: list[Process]) -> None:
        """Let processes go on that stood still, or were cut off."""
        for process in struck:
            process.goes_on_until = perf_counter() + (self.players.patience(GOES_ON) if process.stopped else 0.0)
            process.send(signal.SIGCONT)
            process.line.flow()
            self.log(f"{process.name} goes on")
        await asyncio.sleep(GOES_ON)
        for process in struck:
            process.stopped = False

    async def crash(self) -> None:
        """Crash the database in the middle of a commit: its server, or one of its processes, upon which it ends all."""
        passed = asyncio.Event()
        for process in self.running:
            process.line.of = self.random.choice([b"", MOVES])
            process.line.at_commit, process.line.struck = AtCommit.CALLED, passed.set
        await until(passed.is_set, LONGEST_PLAY)
        for process in self.running:
            process.line.at_commit = process.line.struck = None
        await asyncio.sleep(self.random.choice([0.0, self.random.uniform(0.0, 0.01)]))
        backends = self.read("SELECT pid FROM pg_stat_activity WHERE application_name = 'sundial'")
        self.report.counts["crashes of the database"] += 1
        if backends and self.random.random() < 0.5:
            os.kill(self.random.choice(backends)[0], signal.SIGKILL)
            self.log("a process of the database is killed")
        else:
            self.log("the database crashes")
            await asyncio.to_thread(self.server.crash)

    async def catch_up(self) -> list[str]:
        """Wait until all messages show what is stored, and check all. Return the faults."""
        async with self._opened() as now:
            while True:
                await self.players.discord.quiet(QUIET)
                took = perf_counter() - self.begun
                late = took > self.players.patience(CONVERGED)
                early = not late and bool(await stored_matches(now.service).posts.behind())
                try:
                    found = [] if early else await differences(self.players, now)
                except Refused as refused:
                    found = [f"{invariants.TORN}: a match is {refused.reason}"]
                    break
                if late or not (early or found):
                    break
                await asyncio.sleep(QUIET)
            if late and (behind := await stored_matches(now.service).posts.behind()):
                found += [f"{BEHIND}: matches {behind}"]
            self.report.slowest = max(self.report.slowest, took)
            self.report.counts["times all was found shown"] += not found
            if took > CONVERGED and not found:
                self.report.counts["of them later than in a minute"] += 1
            if await invariants.faults_in(now.database, self.players.history):
                await asyncio.sleep(GOES_ON)  # a computer may have moved between two reads: what is torn stays so
                found += await invariants.faults_in(now.database, self.players.history)
            return found or await self._at_rest(now)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[StoredMatches]:
        """Open the matches once the database has recovered."""
        while True:
            try:
                async with open_stored(self.url) as now:
                    yield now
                return
            except DatabaseRefusal:
                if perf_counter() - self.begun > self.players.patience(CONVERGED):
                    raise
                await asyncio.sleep(AGAIN)

    async def _at_rest(self, now: StoredMatches) -> list[str]:
        """Return what is wrong although nothing is done any more: what is noted and not shown, leases that are not
        given back, computers that do not move, and processes or shards that are not back.
        """
        found = await wrongly_noted(self.players, now)
        for process in [process for process in self.leaving if not process.runs]:
            self.leaving.remove(process)
            await self.buried(process)
        for _ in range(round(LOOKS * self.players.patience(1.0))):
            if not (wrong := await self._not_at_rest(now)):
                return found
            await asyncio.sleep(GIVEN_BACK / LOOKS)
        return found + wrong

    async def _not_at_rest(self, now: StoredMatches) -> list[str]:
        found = [f"{KEPT}: match {match} by {holder}" for match, holder in self.read(HELD)]
        matches = [await now.service.find(number) for number in await now.service.index.with_automatic_moves()]
        moves = AutomaticMoves(now.service)
        found += [f"{UNMOVED}: match {m.id}" for m in matches if m is not None and moves.next_seat(m) is not None]
        found += [f"{NOT_BACK}: {process.name} has ended by itself" for process in self.running if not process.runs]
        leaving = sum(process.runs for process in self.leaving)
        ((alive,),) = self.read(ALIVE)
        if not len(self.running) <= alive <= len(self.running) + leaving:
            found.append(f"{NOT_BACK}: {alive} processes of {len(self.running)} say that they live")
        shards = sorted(session.shard[::-1] for session in self.players.discord.sessions)
        totals = {process.shards for process in self.running}
        if shards != sorted((total, number) for total in totals for number in range(total)):
            found.append(f"{NOT_BACK}: the shards connected are {shards}")
        return found

    async def end_all(self) -> None:
        """Kill all processes."""
        for process in [*self.running, *self.leaving]:
            process.send(signal.SIGKILL)
            await process.line.close()
        self.players.close()


def named(session: Any) -> str:
    """Return the name of the process that this connection to the gateway is from."""
    return str(session.agent.rpartition(" ")[2])
