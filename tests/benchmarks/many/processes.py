"""Four processes of the bot on one PostgreSQL server that keeps what it promises, and what each of them has used."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from cogs.local.postgres_server import PostgresServer
from tests.benchmarks.bots import PLAIN
from tests.benchmarks.busy import processor_time
from tests.benchmarks.many.discord import ManyServers
from tests.process.loopback import until
from tests.process.world import ROOT, children

DURABLE = (
    *("fsync=on", "full_page_writes=on", "synchronous_commit=on", "autovacuum=on", "wal_level=replica"),
    *("shared_buffers=512MB", "max_wal_size=4GB", "max_connections=60"),
)
"""Settings of a server whose rows survive a power cut. All but the size of its buffers are PostgreSQL's own."""
SETTINGS = {"PATH": os.environ["PATH"], "DISCORD_TOKEN": "planted", "EDIT_SECONDS": "1.5", "TABLES_EACH": "0"}
ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""As in docs/sundial.service."""
START = 400.0
"""Seconds for all processes to have all shards."""


@dataclass(eq=False)
class Bot:
    """A process of the bot."""

    name: str
    process: Any
    log: Path

    def spent(self) -> tuple[float, float]:
        """Return the processor seconds of the process, and of its present workers."""
        return processor_time(self.process.pid), sum(map(processor_time, children(self.process.pid)))

    def resident(self) -> tuple[int, int]:
        """Return the resident memory of the process, and of its workers, in MB."""
        return _resident(self.process.pid), sum(map(_resident, children(self.process.pid)))

    async def lag(self) -> float:
        """Return how late the loop was in 99 of 100 moments since the last call, in milliseconds."""
        self.process.stdin.write(b"lag\n")
        return 1000 * float(await self.process.stdout.readline())


def _resident(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024 if "VmRSS" in status else 0


@dataclass(eq=False)
class Fleet:
    """The processes and their database."""

    discord: ManyServers
    url: str
    folder: Path
    workers: int
    """Of each process; 0: nothing is drawn, and computers do not think."""
    bots: list[Bot] = field(default_factory=list)

    async def start(self, count: int, **settings: str) -> None:
        """Start so many processes, and wait until they hold all shards and all servers are known."""
        for _ in range(count):
            self.bots.append(await self._launch(f"process-{len(self.bots) + 1}", settings))
        assert await until(lambda: self._ready() or self._ended(), START), self.logs()
        assert not self._ended(), self.logs()

    async def _launch(self, name: str, settings: dict[str, str]) -> Bot:
        log = self.folder / f"{name}.log"
        own = {"DATABASE_URL": self.url, "WORKERS": str(self.workers)}
        how = [] if self.workers else [PLAIN]
        with log.open("wb") as said:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.benchmarks.bots", self.discord.origin, name, *how),
                cwd=ROOT,
                env=SETTINGS | ALLOCATOR | own | settings,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
            )
        return Bot(name, process, log)

    def _ready(self) -> bool:
        """Return whether each process is at work, each shard has one connection, and has told all its servers."""
        at_work = all("ready: " in bot.log.read_text(errors="replace") for bot in self.bots)
        return at_work and len(self.discord.sessions) == self.discord.shards and self.discord.has_told_all

    def _ended(self) -> bool:
        return any(bot.process.returncode is not None for bot in self.bots)

    def logs(self) -> str:
        """Return the lines that each process has logged."""
        lines = (line for bot in self.bots for line in [bot.name, *bot.log.read_text(errors="replace").splitlines()])
        return "\n".join(lines)

    def faults(self) -> list[str]:
        lines = (line for bot in self.bots for line in bot.log.read_text(errors="replace").splitlines())
        return [line for line in lines if any(word in line for word in ("ERROR", "CRITICAL", "Traceback"))]

    async def end(self) -> None:
        """Kill all processes."""
        for bot in self.bots:
            if bot.process.returncode is None:
                bot.process.kill()
            await bot.process.wait()
        self.bots.clear()


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used until an instant: processor seconds of each process, of all workers, of the database server, and of
    this Discord with its people; moves, bytes and transactions of the database.
    """

    processes: tuple[float, ...]
    workers: float
    server: float
    people: float
    moves: int
    bytes: int
    wal: int
    commits: int

    def since(self, before: Usage) -> Usage:
        return Usage(
            tuple(now - then for now, then in zip(self.processes, before.processes, strict=True)),
            *(getattr(self, part) - getattr(before, part) for part in Usage.__slots__[1:]),
        )


class Meter:
    """Reads what the processes, the database server and this Discord have used. `server`: the PostgreSQL server."""

    def __init__(self, fleet: Fleet, server: PostgresServer) -> None:
        self._fleet = fleet
        self._server = server
        self._reader = psycopg.connect(fleet.url, autocommit=True)

    def close(self) -> None:
        """Close the connection to the database."""
        self._reader.close()

    def read(self, text: str, *values: object) -> list[Any]:
        """Return rows of the database."""
        return self._reader.execute(text.encode(), values).fetchall()

    def usage(self) -> Usage:
        """Return what was used until now."""
        ((moves, size, wal, commits),) = self.read(
            "SELECT (SELECT sum(moves) FROM match), pg_database_size(current_database()), "
            "pg_current_wal_lsn() - '0/0', (SELECT xact_commit FROM pg_stat_database "
            "WHERE datname = current_database())"
        )
        spent = [bot.spent() for bot in self._fleet.bots]
        pid = self._server.pid
        server = processor_time(pid, ended=True) + sum(map(processor_time, children(pid)))
        return Usage(
            tuple(own for own, _ in spent),
            sum(workers for _, workers in spent),
            server,
            sum(os.times()[:2]),
            *map(int, (moves, size, wal, commits)),
        )


@asynccontextmanager
async def database(name: str = "sundial") -> AsyncIterator[tuple[PostgresServer, str]]:
    """A server with an empty database."""
    server = await asyncio.to_thread(PostgresServer, DURABLE)
    try:
        yield server, server.make(name)
    finally:
        server.close()
