"""What the bot asks of Discord: at most 50 requests a second, and never so many refused ones that Discord bans it. How
fast tables are shown, and what waits while requests are scarce.

Every request of this process passes here before it is sent, also the repeated ones, because aiohttp announces each
(`trace`). Answers to presses and edits of them are not counted by Discord, and pass at once.

Several processes share the requests by a row in the database, in portions that must be used at once. If it cannot be
asked, each process has a fixed part. Discord bans an address for 10,000 requests in ten minutes that it answers with
401, 403 or 429; they are counted over all processes too, and long before that number the bot asks less, and then
nothing.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from types import SimpleNamespace
from typing import Any

import aiohttp

from cogs.runtime.metrics import Metrics
from cogs.runtime.periodic import end_tasks
from data.records.request_budget import RATE, SAVED, StoredBudget
from data.store.database import NotStored

log = logging.getLogger(__name__)

PORTION = SAVED
"""The most requests that a process takes from the common budget at once."""
LEAST = 2
"""The fewest that it asks for, so that the next requests need not ask again."""
LASTS = 0.15
"""Seconds in which a portion must be used, since it was granted: else those of two seconds are sent in one."""
PATIENCE = 1.0
"""Seconds for the database to answer; then the process uses a fixed part of the budget for `ALONE` seconds."""
ALONE = 5.0
LONG_WAIT, SCARCE = 1.0, 5.0
"""If a request has waited for so many seconds, requests are scarce for so many seconds after it."""
SLOW, STOP, BANNED = 5_000, 8_000, 10_000
"""Invalid requests in ten minutes from which only play goes on; only presses are answered; Discord bans an address."""
LOOK, SHOWN = 2.0, 0.25
"""Seconds between two looks whether requests are left again for what was postponed, and between two of its matches."""
INVALID_WINDOW = 600.0
"""Seconds in which Discord counts them."""
INVALID = (401, 403, 429)

_API = re.compile(r"/api/v\d+(?P<route>/.*)")
_FREE = re.compile(r"/interactions/\d+/[^/]+/callback|/webhooks/\d+/[^/]+")
"""What Discord does not count: answers to interactions, and their edits."""
_PLAY = re.compile(r"/channels/|/users/@me/channels")
"""What shows tables and hands. The bot's login and its look at the gateway are allowed too: it cannot start without."""
_START = ("/users/@me", "/oauth2/applications/@me", "/gateway/bot")


_reserved: ContextVar[float | None] = ContextVar("reserved", default=None)
"""Until when this task may send the request for which it has waited; None if there is none."""


class Paused(aiohttp.ClientError):
    """A request was not sent, because Discord has refused too many lately."""


class Breaker(IntEnum):
    """How much the bot may ask."""

    CLOSED = 0
    """Everything."""
    SLOW = 1
    """What shows tables and hands, and answers to presses."""
    STOP = 2
    """Answers to presses."""


class Requests:
    """What those who show matches need of the budget. Here requests are never scarce."""

    def is_scarce(self) -> bool:
        """Return whether more requests are made than Discord takes: then leave for later what no player waits for."""
        return False

    def reserved(self) -> AbstractAsyncContextManager[Callable[[], bool]]:
        """Wait until a request may be sent. The first one in the block is sent at once, also while it holds a lock, as
        long as the function returns True; later it waits again.
        """
        return nullcontext(lambda: True)


class RequestBudget(Requests):
    """The budget of this process. `store` is None if it is alone. `steady` returns seconds that never go back."""

    def __init__(self, metrics: Metrics, steady: Callable[[], float] = time.monotonic) -> None:
        self.metrics = metrics
        self._steady = steady
        self._store: StoredBudget | None = None
        self._failures: tuple[type[Exception], ...] = ()
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._sent: deque[float] = deque(maxlen=PORTION)
        # The bucket of a process that is alone, or whose database cannot be asked.
        self._tokens, self._filled_at = float(SAVED), -inf
        self._alone_until = -1.0
        # The portion of the common budget.
        self.portion, self._portion_until = 0, -1.0
        # Invalid requests: instants of a process that is alone, or numbers of all.
        self._refused: deque[float] = deque(maxlen=BANNED)
        self._others, self._unreported = 0, 0
        self._heard_at = -INVALID_WINDOW  # when the others were last heard of
        self.processes = 1
        """The living processes of the bot, as far as known."""
        self.left = 1.0
        """The fraction of what is saved up that was left at the last request."""
        self._waited_at = -inf  # when a request had last waited for long
        self._level = Breaker.CLOSED

    def share(self, store: StoredBudget, failures: tuple[type[Exception], ...]) -> None:
        """Share the budget with other processes by that store. `failures`: the errors of its database."""
        self._store = store
        self._failures = (NotStored, TimeoutError, *failures)

    def trace(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Make each request of a session with this trace wait for its turn, and count the refused ones."""

        async def begins(_: Any, __: SimpleNamespace, facts: aiohttp.TraceRequestStartParams) -> None:
            await self.admit(facts.method, facts.url.path)

        async def answered(_: Any, __: SimpleNamespace, facts: aiohttp.TraceRequestEndParams) -> None:
            self.heard(facts.url.path, facts.response.status, facts.response.headers.get("X-RateLimit-Scope", ""))

        trace.on_request_start.append(begins)
        trace.on_request_end.append(answered)
        return trace

    # The requests.

    async def admit(self, method: str, path: str) -> None:
        """Wait until this request may be sent. Raises Paused if it may not be sent now."""
        found = _API.search(path)
        if found is None or _FREE.match(found["route"]):
            return
        level = self.breaker
        urgent = method != "GET" and _PLAY.match(found["route"]) is not None
        if (level is Breaker.STOP or (level is Breaker.SLOW and not urgent)) and found["route"] not in _START:
            self.metrics.count("requests_held_back_total", "refused")
            raise Paused("Discord has refused too many requests lately")
        until = _reserved.get()
        _reserved.set(None)
        if until is None or self._steady() >= until:
            await self._take()

    @asynccontextmanager
    async def reserved(self) -> AsyncIterator[Callable[[], bool]]:
        """See `Requests.reserved`. A later request waits again: else more than those of a second could be sent."""
        await self._take()
        now = self._steady()
        until = self._portion_until if self._shares(now) else now + LASTS
        _reserved.set(until)
        try:
            yield lambda: self._steady() < until
        finally:
            if _reserved.get() is not None:
                _reserved.set(None)
                self._give_back(until)

    async def _take(self) -> None:
        if not self._turn.locked() and self._spend():  # if it is, others have waited for longer
            return
        self.metrics.count("requests_held_back_total", "waited")
        self._waiting += 1
        begun = self._steady()
        try:
            async with self._turn:
                while not self._spend():
                    await self._refill()
        finally:
            self._waiting -= 1
            if (now := self._steady()) - begun >= LONG_WAIT:
                self._waited_at = now

    def _spend(self) -> bool:
        now = self._steady()
        if self._shares(now):
            if self.portion <= 0 or now >= self._portion_until:
                return False
            self.portion -= 1
        else:
            rate = self._rate()
            self._tokens = min(SAVED, self._tokens + (now - self._filled_at) * rate)
            self._filled_at = now
            if self._tokens < 1:
                return False
            self._tokens -= 1
            self.left = self._tokens / SAVED
        self._sent.append(now)
        return True

    def _give_back(self, until: float) -> None:
        now = self._steady()
        if now >= until:
            return
        if not self._shares(now):
            self._tokens = min(SAVED, self._tokens + 1)
        elif until == self._portion_until:  # not of an earlier portion
            self.portion += 1

    def _shares(self, now: float) -> bool:
        """Return whether requests come from the common budget now."""
        return self._store is not None and self.processes > 1 and now >= self._alone_until

    def _rate(self) -> float:
        return max(1.0, RATE / max(1, self.processes))

    async def _refill(self) -> None:
        """Take a portion of the common budget, or wait a moment."""
        now = self._steady()
        if not self._shares(now):
            await asyncio.sleep(max(0.001, (1 - self._tokens) / self._rate()))
            return
        assert self._store is not None
        lately = sum(at > now - LASTS for at in self._sent)
        try:
            asked = min(PORTION, max(LEAST, self._waiting, lately))
            granted, self.left = await asyncio.wait_for(self._store.draw(asked), PATIENCE)
        except self._failures:
            log.info("the common budget of requests cannot be asked: %.1f a second for %.0f s", self._rate(), ALONE)
            self._alone_until = self._steady() + ALONE
            self._tokens, self._filled_at = 1.0, self._steady()
            return
        if granted:
            self.portion, self._portion_until = granted, self._steady() + LASTS
        else:
            # The others wait for the next ones as well; but what is not taken in time is not saved up.
            await asyncio.sleep(min(self.processes, SAVED - 1) / RATE)

    def is_scarce(self) -> bool:
        """Return whether a request has waited for long within the last seconds."""
        return self._steady() - self._waited_at < SCARCE

    # The refused ones.

    def heard(self, path: str, status: int, scope: str) -> None:
        """Note an answer: whether Discord counts it as invalid. A limit that all bots share does not count."""
        if status in INVALID and scope != "shared" and _API.search(path) is not None:
            self._refused.append(self._steady())
            self._unreported += 1

    @property
    def invalid(self) -> int:
        """The invalid requests of all processes in the last ten minutes, as far as known. Of what the others have not
        told, each is taken to be refused as often as this one.
        """
        since = self._steady() - INVALID_WINDOW
        while self._refused and self._refused[0] < since:
            self._refused.popleft()
        own = len(self._refused)
        if self._heard_at <= since:
            return own * self.processes
        return max(own, self._others + min(own, self._unreported) * self.processes)

    @property
    def breaker(self) -> Breaker:
        """How much the bot may ask now. A change is logged."""
        count = self.invalid
        level = Breaker.STOP if count >= STOP else Breaker.SLOW if count >= SLOW else Breaker.CLOSED
        if level is not self._level:
            says = ("all requests are sent again", "only tables, hands and answers are sent", "only answers are sent")
            tell = log.warning if level is Breaker.CLOSED else log.error
            tell("Discord has refused %d requests in ten minutes: %s", count, says[level])
            self._level = level
        return level

    def gauges(self) -> dict[str, float]:
        """Return the metrics of the budget."""
        return {
            "requests_left_ratio": self.left,
            "requests_scarce": self.is_scarce(),
            "invalid_requests": self.invalid,
            "breaker": int(self.breaker),
        }

    async def forget_dead(self) -> None:
        """Delete what processes have reported that have ended since. Raises NotStored."""
        if self._store is not None:
            await self._store.forget_dead()

    async def meet(self, processes: int) -> None:
        """Note how many processes live, and exchange counts of invalid requests. If the database fails, later."""
        self.processes = processes
        if self._store is not None:
            told, self._unreported = self._unreported, 0
            try:
                self._others, self._heard_at = await self._store.report(told), self._steady()
            except BaseException as error:
                self._unreported += told
                if not isinstance(error, self._failures):
                    raise
        _ = self.breaker


@dataclass(frozen=True, slots=True)
class PublishTiming:
    """How fast tables are shown and computers move, in seconds.

    `edits`: between two edits of one table. `computer`: before a computer moves. `retry` and `longest_retry`: the first
    and the longest wait before another try. `late`: between two matches that are shown later (each takes three or four
    requests; Discord allows 50 a second).
    """

    edits: float = 1.5
    computer: float = 1.6
    retry: float = 2.0
    longest_retry: float = 30.0
    late: float = 0.1


class Postponed:
    """What waits while requests are scarce: hands of players who are not to move, and pictures that move.

    Half of the requests for a move show it in the direct messages of players who need not decide anything. If more
    moves are made than can be shown at once, these hands wait: until the next change of their match that asks their
    player, or until requests are left again. They are shown in turn with all else that no player waits for. Meanwhile
    their match keeps its holder: if this process ends or is killed, another one takes the match as unfinished
    (cogs/runtime/holdings.py); if it is alone, its next start shows them. The tables, the pings, and the hands of all
    who are to move or have pressed are never postponed.

    `is_scarce`: whether requests are scarce. `show` shows a match when there is time.
    """

    def __init__(self, is_scarce: Callable[[], bool], show: Callable[[int], None]) -> None:
        self.is_scarce = is_scarce
        self._show = show
        self._numbers: dict[int, None] = {}  # a set that keeps its order
        self._task: asyncio.Task[None] | None = None
        self._resting = False

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    def put(self, number: int) -> None:
        """Show this match once requests are left again."""
        self._numbers[number] = None
        if self._task is None and not self._resting:
            self._task = asyncio.create_task(self._work(), name="show what was postponed")

    async def _work(self) -> None:
        try:
            while self._numbers:
                await asyncio.sleep(LOOK)
                while self._numbers and not self.is_scarce():
                    number = next(iter(self._numbers))
                    del self._numbers[number]
                    self._show(number)
                    await asyncio.sleep(SHOWN)
        finally:
            self._task = None

    def forget(self, number: int) -> None:
        """Note that the match is shown whole."""
        self._numbers.pop(number, None)

    def rest(self) -> None:
        """Show nothing more. The matches are still noted, so that none is given back as shown."""
        self._resting = True
        if self._task is not None:
            self._task.cancel()

    async def close(self) -> None:
        """End. The next start shows what waits, or another process."""
        self._numbers.clear()
        await end_tasks(self._task)
