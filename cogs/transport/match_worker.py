"""What the publisher knows of its work on one match, and what it logs if that fails."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from cogs.match.refusals import Refused
from cogs.runtime.logs import log_failure
from cogs.transport.errors import DiscordFailure
from data.records.leases import Fence
from data.store.database import Busy


@dataclass(slots=True, eq=False)
class Worker:
    """The work on one match: what it must still show, and the task that shows it."""

    number: int
    task: asyncio.Task[None] | None = None
    dirty: bool = False
    """Whether the match has changed since the last try began."""
    edited: bool = False
    """Whether the table's message has changed since the last pause."""
    missed: bool = False
    """Whether to send or edit the table next even if its post is up to date: its message may have been deleted."""
    behind_since: float | None = None
    """Since when the match is behind, by `time.monotonic`; None: it is not."""
    trying_since: int | None = None
    """Since when the worker tries to show it, by the service's clock; None: it is shown."""
    version: int = 0
    """The version of the match that the last try has shown."""
    fence: Fence | None = None
    """The lease under which the last try has worked, if there are several processes."""
    doubted: bool = False
    """Whether it is unknown what the messages show, because the lease was lost during a try."""
    retry: asyncio.Task[None] | None = None
    """The sleep until the next try."""


def report(to: logging.Logger, number: int, what: str, error: Exception, retry: float) -> None:
    """Log that a match `what` until the next try in `retry` seconds: a failure of Discord, a refusal, such as after a
    deletion of data, or another process that is at work on the match, or a database out of reach, in a line; a fault of
    ours with its place in the code.
    """
    line, extra = f"match %d {what}: %s; again in %.0f s", {"match": number}
    if isinstance(error, DiscordFailure | Refused | Busy):
        why = error.reason if isinstance(error, Refused) else type(error).__name__ if isinstance(error, Busy) else error
        to.warning(line, number, why, retry, extra=extra)
    else:
        log_failure(to, f"match %d {what}, again in %.0f s: %s", number, retry, error=error, extra=extra)
