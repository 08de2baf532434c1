"""The processes of `bot-rivals`, each with a line of its own to PostgreSQL, and the server, which may crash. PgBouncer
may stand between.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cogs.local.postgres_server import ENDING, PostgresServer
from tests.reliability.bot_kills import SETTINGS, Forking
from tests.support.faulty_line import FaultyLine

SHARES = ((0.0, 2), (90.0, 3), (-90.0, 2), (0.0, 3))
"""Of each process the seconds by which the clock of its host is wrong, and its number of shards. The two numbers make
two groups, each of which hears every press, as while a bot changes its number of shards.
"""
GUILDS = 6
"""Servers, so that each shard of each group has some."""
CUT_OFF = re.compile(r"the database fails|The PostgreSQL server of DATABASE_URL cannot be used now")
"""What a bot rightly logs as an error without its database, or ends with at its start: it is started again."""


POOL_PORT = "6432"
"""The port of PgBouncer, which names its socket."""


class CrashingServer(PostgresServer):
    """A server that can lose its processes at any moment, and start again with what it had on its disk."""

    _pool: subprocess.Popen[bytes] | None = None

    def crash(self) -> None:
        """End the server as a power cut of its program does, and start it again on the same folder."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(ENDING)
        self._process = self._start()

    @property
    def socket(self) -> Path:
        return self._socket(self.where["port"])

    def _socket(self, port: str) -> Path:
        return Path(self.where["host"]) / f".s.PGSQL.{port}"

    def pool(self, program: str) -> Path:
        """Put PgBouncer before the server, in its transaction mode, unless it stands there. Return its Unix socket. To
        be called in the first thread, so that it ends with this process (tests/support/bound.py).
        """
        socket = self._socket(POOL_PORT)
        if self._pool is None:
            folder = self.where["host"]
            settings = {
                "unix_socket_dir": folder,
                "listen_port": POOL_PORT,
                "auth_type": "any",
                "pool_mode": "transaction",
                "max_client_conn": "200",
                "default_pool_size": "12",
            }
            reach = "* = " + " ".join(f"{name}={value}" for name, value in self.where.items())
            lines = ["[databases]", reach, "[pgbouncer]", *(f"{name} = {value}" for name, value in settings.items())]
            written = self._folder / "pgbouncer.ini"
            written.write_text("\n".join(lines) + "\n", encoding="utf-8")
            with (self._folder / "pool log").open("wb") as said:
                self._pool = subprocess.Popen([program, "-q", str(written)], stdout=said, stderr=said, user=self._user)
        while not socket.exists():
            assert self._pool.poll() is None, (self._folder / "pool log").read_text(encoding="utf-8")
            time.sleep(0.05)
        return socket

    def close(self) -> None:
        """End the server and what stands before it."""
        if self._pool is not None:
            self._pool.kill()
            self._pool.wait()
        super().close()


@dataclass(eq=False)
class Process:
    """A process of the bot. `goes_on_until`: when it may still send what it had begun before it was stopped."""

    name: str
    clock: float
    shards: int
    line: FaultyLine
    number: int = 0
    opened: bool = False
    """Whether it has opened the database."""
    stopped: bool = False
    goes_on_until: float = 0.0

    def send(self, which: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.number, which)

    @property
    def runs(self) -> bool:
        """Whether the process exists."""
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return False
        return True


class Forks(Forking):
    """The process that forks the bots, which run at the same time."""

    program = "fork_many"
    count = 0

    async def fork(self, origin: str, url: str, server: Path, clock: float, shards: int) -> Process:
        """Start a bot, with a line of its own to the database `url` of the server with that socket."""
        self.count += 1
        name, line = f"process-{self.count}", await FaultyLine(server).open()
        process = Process(name, clock, shards, line)
        settings = SETTINGS | {"DATABASE_URL": line.url(url), "WORKERS": "0", "SHARD_COUNT": str(shards)}
        process.number = await self.start(origin, settings, name, clock)
        return process

    def faults(self) -> list[str]:
        """Return the faults that the bots have logged since the last call, while they could reach the database."""
        return [found for found in super().faults() if not CUT_OFF.search(found)]
