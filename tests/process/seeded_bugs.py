"""Seeded bugs of the whole bot: a harness that kills its process must find them. The product knows nothing of them."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from cogs.transport import hand_messages, pings, table_message
from cogs.transport.publisher import Publisher
from cogs.transport.table_message import TableMessage
from data.store.database import Database

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
            await self._hop(lambda c: c.commit())

        result = await self._hop(uncommitted)
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
        await self._posts.note(done)
        return await put(self, match, post, content, resend=resend)

    patch.object(TableMessage, "put", put_late).start()


def random_nonces() -> None:
    """A message that is sent again after a crash has another nonce, so Discord makes a second one."""

    def nonce(*facts: object) -> str:
        return secrets.token_hex(12)

    for module in (table_message, hand_messages, pings):
        patch.object(module, "nonce", nonce).start()


def forgotten() -> None:
    """At its start the bot does not resume what the last run left unfinished."""

    async def resume(self: Publisher) -> None:
        return None

    patch.object(Publisher, "resume", resume).start()


SEEDED_BUGS = {"postponed": postponed, "unshown": unshown, "random-nonces": random_nonces, "forgotten": forgotten}


def seed_bug(bug: str) -> None:
    """Seed a bug in this process."""
    SEEDED_BUGS[bug]()
