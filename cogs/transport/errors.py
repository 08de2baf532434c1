"""What a failed call to Discord means: `Failure`, and `discord_call`, which every call to Discord runs inside.

Discord says by a code why it refuses a request. An answer without a code, or none at all, is a fault on the way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum
from math import inf
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from cogs.match.refusals import Refused
from cogs.runtime.logs import kind_of, log_failure
from cogs.runtime.process import Exit
from data.records.leases import Fence, current_fence
from data.store.database import Busy
from rendering.core.art import DamagedArt

log = logging.getLogger(__name__)

TOKEN_REFUSED = 4004
"""The code with which the gateway refuses a token."""
SHARD_REFUSED, TOO_FEW_SHARDS = 4010, 4011
"""The codes with which it refuses a shard that does not exist, and one of too few."""
PATIENCE = 20.0
"""Timeout of one call in seconds, including discord.py's own retries and waits. Together with the longest pause before
our next try it must stay below 60 s, our bound for catching up.
"""


class Failure(Enum):
    """What a failed call means for its caller."""

    MESSAGE_GONE = "the message was deleted"
    CHANNEL_GONE = "the channel, thread or server is gone"
    FORBIDDEN = "the bot lacks a permission"
    DM_CLOSED = "this user takes no direct messages from the bot"
    ARCHIVED = "the thread is archived: a new message revives it"
    OLD = "the message is too old to be edited this often"
    EXPIRED = "the press is too long ago to be answered"
    LATER = "Discord, or the way to it, fails at the moment: try again"
    REFUSED = "Discord does not accept the request"


GONE = (Failure.MESSAGE_GONE, Failure.CHANNEL_GONE)
"""The failures after which no user can see the message any more."""
FAILURES = {
    10003: Failure.CHANNEL_GONE,
    10004: Failure.CHANNEL_GONE,
    10008: Failure.MESSAGE_GONE,
    10070: Failure.MESSAGE_GONE,  # an event of a server
    10015: Failure.EXPIRED,
    10062: Failure.EXPIRED,
    40060: Failure.EXPIRED,
    50027: Failure.EXPIRED,
    30046: Failure.OLD,
    40003: Failure.LATER,
    50001: Failure.FORBIDDEN,
    50013: Failure.FORBIDDEN,
    160005: Failure.FORBIDDEN,
    50007: Failure.DM_CLOSED,
    50278: Failure.DM_CLOSED,
    50083: Failure.ARCHIVED,
    10007: Failure.REFUSED,  # the user is no member of the server: an answer to the bot's question
    10013: Failure.REFUSED,  # there is no such user any more
}
"""What Discord's error codes mean. With any other code it does not accept the request, which the log tells."""
TO_DO = {
    20009: "It takes what the bot sent for explicit. Report this line to the project.",
    20026: "It has flagged the bot as a sender of spam. Open the bot's page in the developer portal and appeal there. "
    "Until then players press *My hand* at their tables.",
    40005: "A file is too large for it; players get it in words. Report this line to the project.",
    50035: "It finds a mistake in what the bot sent, or the bot's own emoji were deleted: start the bot again, which "
    "uploads them. If this line comes again, report it to the project.",
    200000: "AutoMod of a server blocks a text. Ask the server's moderators to exempt the bot's role.",
    200001: "AutoMod of a server blocks a title. Ask the server's moderators to exempt the bot's role.",
    240000: "It takes a link for harmful. Report this line to the project.",
}
"""What the operator can do if Discord does not accept a request, by the code."""
LOCKED_OUT = (
    "It refuses all others too: the token was reset, or a proxy or firewall before Discord refuses them. Put the new "
    "token in its place and start the bot again, or look at what is between."
)
"""What to do if all requests are refused, by an answer without a code."""
UNKNOWN = "The bot does not know this code. Look it up in Discord's documentation, and report this line to the project."
WHAT_NEXT = {
    Failure.FORBIDDEN: "/doctor in that channel names the permission that the bot needs",
    Failure.CHANNEL_GONE: "/relocate moves the table to another channel",
    Failure.MESSAGE_GONE: "the bot sends it again",
    Failure.DM_CLOSED: "the player takes no direct messages; My hand works",
}
"""What comes next, or what to do, after a failure with a code of Discord."""
WARN_AGAIN = 86_400.0
"""Seconds after which the log tells again of the same code."""
_warned: dict[tuple[int, int], float] = {}
"""When the log has told of each status and code, by the loop's clock."""

OUT_OF_REACH = (
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.RateLimited,
    aiohttp.ClientError,
    ConnectionError,
    TimeoutError,
)
"""The errors with which the bot's start fails if Discord is out of reach. Any other OSError there may be the disk's."""


class OtherDatabase(Exception):
    """A bot with the same token runs on another database."""


class DiscordFailure(Exception):
    """A call to Discord that failed. `code` is Discord's error code; 0 if no answer came, or one that is not Discord's
    own. `cause`, for the log: what came in the place of a code, else what to do. `locked_out`: something refuses all
    our requests, for longer if we repeat them often.
    """

    def __init__(self, kind: Failure, code: int = 0, cause: str = "", *, locked_out: bool = False) -> None:
        super().__init__(f"{kind.name} ({code})")
        self.kind = kind
        self.code = code
        self.cause = cause
        self.locked_out = locked_out

    def raise_if(self, *kinds: Failure) -> None:
        """Raise this failure if it is of one of these kinds, as with `LATER`, since the bot will try again."""
        if self.kind in kinds:
            raise self


@asynccontextmanager
async def discord_call() -> AsyncIterator[None]:
    """Raise DiscordFailure for every failure of the call inside, and if no answer comes within `PATIENCE`.

    Work under a lease (data/records/leases.py) is broken off when that ends, because another process may go on then.

    Connection resets are aiohttp's or the system's errors, not discord.py's, and discord.py does not retry them.
    """
    fence = current_fence()
    try:
        async with asyncio.timeout(PATIENCE) as limit:
            if fence is None:
                yield
                return
            if fence.left() <= 0:
                raise TimeoutError
            watch = _Watch(limit, fence)
            try:
                yield
            finally:
                watch.cancel()
    except discord.HTTPException as error:
        # All requests are refused: by a proxy before Discord, which itself gives a code, or since the token is bad.
        known, locked_out = FAILURES.get(error.code), error.code == 0 and error.status in (401, 403)
        if known is None:
            passes = locked_out or error.status >= 500 or error.status == 429
            known = Failure.LATER if passes else Failure.REFUSED
            if known is Failure.REFUSED or locked_out:
                _warn(error, LOCKED_OUT if locked_out else TO_DO.get(error.code, UNKNOWN))
        cause = WHAT_NEXT.get(known, "") if error.code else kind_of(error)
        raise DiscordFailure(known, error.code, cause, locked_out=locked_out) from error
    except discord.InteractionResponded as error:
        raise DiscordFailure(Failure.EXPIRED) from error
    except (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError) as error:
        raise DiscordFailure(Failure.LATER, cause=kind_of(error)) from error


def _warn(error: discord.HTTPException, what_to_do: str) -> None:
    """Tell the operator of a request that Discord does not accept, and what to do: once a day for each code."""
    now, key = asyncio.get_running_loop().time(), (error.status, error.code)
    if now >= _warned.get(key, -inf) + WARN_AGAIN:
        _warned[key] = now
        log.warning("Discord does not accept a request (status %d, code %d). %s", *key, what_to_do)


class Troubles:
    """Tells the log of failures of Discord with `what`: of those that pass only the first, until `over`."""

    def __init__(self, to: logging.Logger, what: str) -> None:
        self._to = to
        self._what = what
        self._told = False

    def tell(self, failure: DiscordFailure, line: str, *facts: object) -> None:
        """Log this failure, the last fact of `line`, as news, or as one more of those that the log tells of."""
        passes = failure.kind is Failure.LATER
        self._to.log(logging.INFO if passes and self._told else logging.WARNING, line, *facts, failure)
        self._told = self._told or passes

    def over(self) -> None:
        """Note that Discord takes them."""
        if self._told:
            self._to.warning("Discord takes %s again", self._what)
        self._told = False


def within_lease(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Make each request of a session with this trace fail at the last moment if its lease has ended. A process that
    stood still between the decision to send and the sending goes on exactly there, before any timer of its own: another
    process has gone on since, and the player may have been asked something else.
    """

    async def writes(_: Any, __: SimpleNamespace, ___: aiohttp.TraceRequestHeadersSentParams) -> None:
        fence = current_fence()
        if fence is not None and fence.left() <= 0:
            raise TimeoutError

    trace.on_request_headers_sent.append(writes)
    return trace


class _Watch:
    """Breaks off what runs within `limit` when a lease ends, which may be renewed meanwhile."""

    def __init__(self, limit: asyncio.Timeout, fence: Fence) -> None:
        self._limit, self._fence = limit, fence
        self._next = asyncio.get_running_loop().call_later(fence.left(), self._look)

    def _look(self) -> None:
        loop, left = asyncio.get_running_loop(), self._fence.left()
        if left > 0:  # it was renewed
            self._next = loop.call_later(left, self._look)
        else:
            self._limit.reschedule(loop.time())

    def cancel(self) -> None:
        """Break off nothing any more."""
        self._next.cancel()


def report(to: logging.Logger, number: int, what: str, error: Exception, retry: float, *, first: bool = True) -> None:
    """Log that a match `what` until the next try in `retry` seconds: a failure of Discord, a refusal, such as after a
    deletion of data, or another process that is at work on the match, or a database out of reach, in a line; a fault of
    ours with its place in the code. `first`: whether it is the first of several tries; only that is news.
    """
    line, extra = f"match %d {what}: %s; again in %.0f s", {"match": number}
    if isinstance(error, DiscordFailure | Refused | Busy):
        why = error.reason if isinstance(error, Refused) else type(error).__name__ if isinstance(error, Busy) else error
        level = logging.WARNING if first and not isinstance(error, Busy) else logging.INFO
        to.log(level, line, number, why, retry, extra=extra)
    else:
        log_failure(to, f"match %d {what}, again in %.0f s: %s", number, retry, error=error, extra=extra)


def explain(error: Exception) -> tuple[Exit, str] | None:
    """Return the exit code for an error that ends the bot, and a sentence for the operator: what Discord refuses, or
    pictures that are damaged. None for any other error.
    """
    if isinstance(error, DamagedArt):
        return Exit.PICTURES, str(error)
    closed = error.code if isinstance(error, discord.ConnectionClosed) else None
    if isinstance(error, discord.LoginFailure) or closed == TOKEN_REFUSED:
        return Exit.TOKEN, "Discord refuses the token in DISCORD_TOKEN. Take a new one from the developer portal."
    if isinstance(error, OtherDatabase):
        return Exit.OTHER_DATABASE, (
            "Another bot with this token runs on another database, and goes on. Run only one, or reset the token."
        )
    if closed in (SHARD_REFUSED, TOO_FEW_SHARDS):
        return Exit.SHARDS, (
            "Discord refuses the number of shards: the bot is in too many servers for so few. Raise SHARD_COUNT, or "
            "leave it out for what Discord recommends, and start all processes of the bot again."
        )
    if closed is not None:
        return Exit.UNREACHABLE, (
            f"Discord does not let this version of the bot connect (code {closed}). Install the newest version; if "
            "that does not help, report this line to the project."
        )
    if isinstance(error, OUT_OF_REACH):
        # Only at the start: once connected, discord.py goes on trying by itself, unless Discord tells it to stop.
        return Exit.UNREACHABLE, (
            f"Discord cannot be reached: {kind_of(error)}. Try again later; look at the network, and at DISCORD_API, "
            "DISCORD_GATEWAY and DISCORD_PROXY if you have set them."
        )
    return None
