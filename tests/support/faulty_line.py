"""A line to a PostgreSQL server over TCP on the loopback, which can be cut, stalled and slowed, also at a COMMIT.

A test gives each process of the bot a line of its own. All runs in the event loop of the test.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from cogs.local.postgres_server import OWNER, PostgresServer

COMMIT = b"COMMIT\0"
"""What a COMMIT ends with on its way to the server, and the server's answer to it."""
WRITES = b"synchronous_commit"
"""What the beginning of a transaction that writes has in it: those that read end with a COMMIT too."""
MOVES, LEASES = b"INSERT INTO move ", b"UPDATE lease SET until = ("
"""What a transaction that stores a move has in it, and one that renews leases."""
CHUNK = 65_536
SLOW_CHUNK = 512
"""The bytes that a slow line carries at once."""
LATE = 1.5
"""Seconds after which a COMMIT that was under way when its connection was cut reaches the server."""


class AtCommit(StrEnum):
    """What happens to a connection at a COMMIT of something written."""

    BEFORE = "cut before the server gets it"
    AFTER = "cut after the server has committed, before its answer arrives"
    LATE = "cut for the client at once, and the server gets it later"
    STALLED = "stalled after the server has committed"
    CALLED = "only told"


@dataclass(eq=False)
class _Connection:
    client: asyncio.StreamWriter
    server: asyncio.StreamWriter | None = None
    writes: bool = False
    statements: bytes = b""
    """What the transaction under way has sent."""
    swallows: bool = False
    """Whether the answer to the COMMIT under way does not arrive."""

    def abort(self) -> None:
        for writer in (self.client, self.server):
            if writer is not None:
                writer.transport.abort()


@dataclass(eq=False)
class FaultyLine:
    """Relays connections to the server's Unix socket. `port`: where it listens.

    `at_commit`: what to do at the next COMMIT of something written, in a transaction with the text `of`; None: nothing.
    Then `struck` is called.
    """

    server: Path
    port: int = 0
    at_commit: AtCommit | None = None
    of: bytes = b""
    struck: Callable[[], object] | None = None
    is_down: bool = False
    """Whether no connection is taken."""
    latency: float = 0.0
    """Seconds by which each piece is late, of SLOW_CHUNK bytes at most; 0: the line is as fast as it can be."""
    connections: set[_Connection] = field(default_factory=set)
    _flows: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _listener: asyncio.Server | None = None

    async def open(self) -> FaultyLine:
        """Listen on a free port."""
        self._flows.set()
        self._listener = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def close(self) -> None:
        """Take no more connections, and cut those that are open."""
        assert self._listener is not None
        self._listener.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def url(self, database: str) -> str:
        """Return the URL of a database of the server, through this line."""
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/{urlsplit(database).path.strip('/')}"

    @property
    def is_free(self) -> bool:
        """Return whether nothing happens to it now."""
        return self._flows.is_set() and not (self.latency or self.is_down or self.at_commit)

    def cut(self) -> int:
        """Reset all connections. Return how many there were."""
        for connection in (cut := list(self.connections)):
            connection.abort()
        return len(cut)

    def stall(self) -> None:
        """Carry nothing until `flow`. Connections stay, and new ones are taken and not answered."""
        self._flows.clear()

    def flow(self) -> None:
        """Be as fast as it can be, and take connections."""
        self.latency, self.is_down, self.at_commit = 0.0, False, None
        self._flows.set()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        connection = _Connection(writer)
        if self.is_down:
            connection.abort()
            return
        self.connections.add(connection)
        try:
            await self._flows.wait()
            answers, connection.server = await asyncio.open_unix_connection(str(self.server))
            both = [
                asyncio.ensure_future(self._upstream(connection, reader)),
                asyncio.ensure_future(self._downstream(connection, answers)),
            ]
            try:
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in both:
                    one.cancel()
                await asyncio.gather(*both, return_exceptions=True)
        except OSError:  # the server is gone, or the client
            pass
        finally:
            self.connections.discard(connection)
            connection.abort()

    async def _upstream(self, connection: _Connection, reader: asyncio.StreamReader) -> None:
        """Carry what the client sends."""
        assert connection.server is not None
        while data := await reader.read(CHUNK):
            if self.at_commit is not None:
                connection.statements += data
            connection.writes = connection.writes or WRITES in data
            if COMMIT in data:
                how = self._struck(connection)
                connection.writes, connection.statements = False, b""
                if how is AtCommit.BEFORE:
                    return
                if how is AtCommit.LATE:
                    connection.client.transport.abort()
                    await asyncio.sleep(LATE)
                elif how is AtCommit.AFTER:
                    connection.swallows = True
                elif how is AtCommit.STALLED:
                    connection.server.write(data)
                    self.stall()
                    continue
            await self._carry(connection.server, data)

    async def _downstream(self, connection: _Connection, reader: asyncio.StreamReader) -> None:
        """Carry what the server answers."""
        while data := await reader.read(CHUNK):
            if connection.swallows and COMMIT in data:
                return
            await self._carry(connection.client, data)

    def _struck(self, connection: _Connection) -> AtCommit | None:
        """Return what is to happen at this COMMIT, and tell that it does."""
        if self.at_commit is None or not connection.writes or self.of not in connection.statements:
            return None
        how, self.at_commit = self.at_commit, None
        if self.struck is not None:
            self.struck()
        return how

    async def _carry(self, to: asyncio.StreamWriter, data: bytes) -> None:
        while data:
            await self._flows.wait()
            if self.latency:
                await asyncio.sleep(self.latency)
            size = SLOW_CHUNK if self.latency else len(data)
            to.write(data[:size])
            data = data[size:]
        await to.drain()


@asynccontextmanager
async def line_to(server: PostgresServer, url: str) -> AsyncIterator[tuple[FaultyLine, str]]:
    """Yield a line to that server, and the URL of the same database through it."""
    line = await FaultyLine(Path(server.where["host"]) / f".s.PGSQL.{server.where['port']}").open()
    try:
        yield line, line.url(url)
    finally:
        await line.close()
