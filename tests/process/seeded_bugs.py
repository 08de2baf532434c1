"""Seeded bugs of the whole bot: a harness that kills its process must find them. The product knows nothing of them."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any
from unittest.mock import patch

from cogs.runtime.holdings import SharedHoldings
from cogs.transport.publisher import Publisher
from cogs.transport.senders import Handles
from cogs.transport.table_message import TableMessage
from cogs.workers.jobs import Job, Result
from cogs.workers.pool import Pool
from cogs.workers.process import Worker
from data.records import leases
from data.records.leases import Fence, Leases
from data.records.match import Match
from data.records.matches import Matches
from data.store.database import CommitUnknown, Database
from data.store.postgres import _Threads
from data.store.postgres_connection import PostgresConnection

LATER = 1.5
"""Seconds until a postponed write is committed."""
COMMITS: set[asyncio.Task[None]] = set()


def postponed() -> None:
    """A write is committed some time after it is reported as done: people are told of what is not stored yet."""

    async def write(
        self: Database, work: Callable[[Any], Any], then: Callable[[Any], object] | None = None, **how: Any
    ) -> Any:
        def uncommitted(c: sqlite3.Connection) -> Any:
            if not c.in_transaction:
                c.execute("BEGIN IMMEDIATE")
            result = work(c)
            if then is not None:
                then(result)
            return result

        async def commit() -> None:
            await asyncio.sleep(LATER)
            await self.engine.hop(lambda c: c.commit())

        result = await self.engine.hop(uncommitted)
        task = asyncio.create_task(commit())
        COMMITS.add(task)
        task.add_done_callback(COMMITS.discard)
        return result

    patch.object(Database, "write", write).start()


def unshown() -> None:
    """A table counts as shown before its message is sent."""
    put = TableMessage.put

    async def put_late(self: TableMessage, match: Any, post: Any, content: Any, *, resend: bool = False) -> Any:
        done = replace(post, shown=match.version, digest=content.digest())
        await self.posts.note(done)
        return await put(self, match, post, content, resend=resend)

    patch.object(TableMessage, "put", put_late).start()


def blind() -> None:
    """What may have been sent is sent again without a look, and Discord may have forgotten its nonce."""

    async def sent_before(self: Handles, *_: object, **__: object) -> None:
        return None

    patch.object(Handles, "sent_before", sent_before).start()


def forgotten() -> None:
    """At its start the bot does not resume what the last run left unfinished."""

    async def resume(self: Publisher) -> None:
        return None

    patch.object(Publisher, "resume", resume).start()


_worker_lost = False
"""Whether a worker was lost since a seeded bug about workers last showed."""


def _note_losses() -> None:
    finish = Worker.finish

    async def noting(self: Worker, *, kill: bool) -> None:
        global _worker_lost
        _worker_lost = _worker_lost or kill
        await finish(self, kill=kill)

    patch.object(Worker, "finish", noting).start()


def _shows() -> bool:
    """Return whether the bug shows now: once for each lost worker."""
    global _worker_lost
    shows, _worker_lost = _worker_lost, False
    return shows


def unanswered() -> None:
    """A job is lost with its worker: its caller waits for ever."""
    run = Pool.run

    async def run_or_lose(self: Pool, job: Job, *how: Any) -> Result:
        if _shows():
            await asyncio.Event().wait()
        return await run(self, job, *how)

    _note_losses()
    patch.object(Pool, "run", run_or_lose).start()


def shifted() -> None:
    """After a worker was lost, a job gets the result of the one before."""
    run, results = Pool.run, dict[str, Result]()

    async def run_or_take(self: Pool, job: Job, *how: Any) -> Result:
        if job.kind in results and _shows():
            return results[job.kind]
        result = results[job.kind] = await run(self, job, *how)
        return result

    _note_losses()
    patch.object(Pool, "run", run_or_take).start()


def unfenced() -> None:
    """A process that has lost its lease goes on, and what it stores is not refused."""
    patch.object(Fence, "check", lambda self, c: None).start()
    patch.object(Fence, "left", lambda self: inf).start()


def host_clock() -> None:
    """The clock of each process's host judges whether a lease has run out."""
    execute = PostgresConnection.execute

    def by_host(self: PostgresConnection, sql: str, values: Any = (), /) -> Any:
        return execute(self, sql.replace("clock_timestamp()", f"to_timestamp({time.time()})"), values)

    patch.object(PostgresConnection, "execute", by_host).start()


def unchecked() -> None:
    """A process takes a lease without looking whether another one holds it."""
    take = leases.TAKE.replace("WHERE lease.until", "WHERE lease.epoch > 0 OR lease.until")
    patch.object(leases, "TAKE", take).start()
    patch.object(leases, "LOCK", "SELECT match FROM lease WHERE match = ?").start()
    patch.object(leases, "CLAIM", leases.CLAIM.replace(f"AND until <= {leases.CLOCK} ", "")).start()


def kept() -> None:
    """A process never gives back what it holds, not even at its end."""

    async def close(self: SharedHoldings) -> None:
        await self._renewing.close()
        await self._polling.close()

    patch.object(SharedHoldings, "is_busy", lambda self, match: True).start()
    patch.object(SharedHoldings, "close", close).start()


def made_again() -> None:
    """If the answer to a commit is lost, the move is stored once more, without a look whether it was."""
    save = Matches.save

    async def save_again(self: Matches, match: Match, move: Any = None, votes: Any = None) -> Match:
        try:
            return await save(self, match, move, votes)
        except CommitUnknown:
            now = await self.get(match.id)
            if now is None or move is None:
                raise
            behind = replace(match, version=now.version, chain=now.chain, moves=now.moves + 1)
            move = replace(move, number=now.moves, turn=f"{move.turn}-2")  # else the database refuses it
            return await save(self, behind, move, votes)

    patch.object(Matches, "save", save_again).start()


def broken_kept() -> None:
    """A connection that was lost is not replaced."""
    connection = _Threads.connection

    def first(self: _Threads) -> Any:
        known = getattr(self._own, "connection", None)
        return connection(self) if known is None else known

    patch.object(_Threads, "connection", first).start()


def believed() -> None:
    """A process counts a renewed lease from the answer on, and not from before it asked."""
    renew = Leases.renew

    async def renew_late(self: Leases, held: Any, done: Any) -> Any:
        renewed, back = await renew(self, held, done)
        for fence in renewed:
            fence.until = leases.end_of_lease()
        return renewed, back

    patch.object(Leases, "renew", renew_late).start()


SEEDED_BUGS = {
    "made-again": made_again,
    "broken-kept": broken_kept,
    "believed": believed,
    "unfenced": unfenced,
    "host-clock": host_clock,
    "unchecked": unchecked,
    "kept": kept,
    "postponed": postponed,
    "unshown": unshown,
    "blind": blind,
    "forgotten": forgotten,
    "unanswered": unanswered,
    "shifted": shifted,
}


def seed_bug(bug: str) -> None:
    SEEDED_BUGS[bug]()
