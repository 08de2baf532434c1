"""The publisher: shows every match in its newest version, one worker a match. match_posts.py shows a match in all its
messages, hand_replies.py the private hands that are open.

The posts are stored: a post that shows an older version than its match is behind. `changed` starts the match's worker,
which goes on until no post is behind; after a start the same worker runs for every match with posts behind. So a crash,
a failure of Discord or a lost answer delays a message and never loses it.

Matches that no player waits for, as after a start, are shown `later`: a few at a time, so that presses come first.

If several processes share a database, the one that holds a match shows it (cogs/runtime/holdings.py): a worker first
takes the lease of its match, or leaves the match to its holder.

A worker shows the newest position and has at most one edit under way. What it sends it sends once, whatever fails
meanwhile (delivery.py).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import discord

from cogs.match import deadlines
from cogs.match.membership import Membership
from cogs.match.reminders import NUDGE_EVERY
from cogs.messages.presenter import Presenter
from cogs.runtime.holdings import Holdings
from cogs.runtime.periodic import end_tasks
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.errors import DiscordFailure, report
from cogs.transport.hand_replies import LiveReplies
from cogs.transport.live_answers import LiveAnswers
from cogs.transport.match_posts import MatchPosts
from cogs.transport.request_budget import Postponed, PublishTiming, Requests
from cogs.transport.senders import DirectMessages
from cogs.transport.server_lookup import Members, ServerLookup
from cogs.workers.pool import Urgency, urgency
from data.records.leases import Fence, LeaseLost, fenced
from data.store.database import OUT_OF_REACH

log = logging.getLogger(__name__)

LATE_AT_ONCE = 2
"""How many of the matches in `later` are shown at once. A press waits for their pictures at most."""
STUCK = 30
"""Seconds after which a match that cannot be shown freezes its clocks: no player is late with what they cannot see."""


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


class Publisher:
    """The workers. It listens to the match service's announcements."""

    def __init__(
        self,
        client: discord.Client,
        messages: Presenter,
        computers: ComputerMoves,
        timing: PublishTiming,
        holdings: Holdings | None = None,
        is_mine: Callable[[int], bool] = lambda _: True,
        requests: Requests | None = None,
        membership: Membership | None = None,
        direct: DirectMessages | None = None,
        timed: Callable[[float], object] = lambda _: None,
    ) -> None:
        service, self._timed = messages.service, timed
        self.holdings = holdings or Holdings()
        self._client = client
        self.servers = ServerLookup(client, is_mine)
        self.members = Members(self.servers, service, membership)
        self._service, self.posts = service, service.posts
        self._messages = messages
        self.timing = timing
        requests = requests or Requests()
        self.postponed = Postponed(requests.is_scarce, self.later)
        self.shown = MatchPosts(
            client,
            messages,
            computers,
            self.servers,
            self.members,
            requests,
            self.postponed,
            direct or DirectMessages(client, time.monotonic),
        )
        self.pings, self.hands, self.newcomers = self.shown.pings, self.shown.hands, self.shown.newcomers
        self.replies = LiveReplies(messages, timing)
        self.answers = LiveAnswers(service, timing)
        self.computers = computers
        self.workers: dict[int, Worker] = {}
        self.late: dict[int, None] = {}  # a set that keeps its order
        self._catching_up: asyncio.Task[None] | None = None
        self._all_shown = asyncio.Event()
        self.moving: set[asyncio.Task[None]] = set()
        self._resting = False
        self._closed = False

    # Showing changes.

    def changed(self, number: int) -> None:
        """Show the match now, also between two tries that failed: it has changed, or its message may be gone."""
        self.late.pop(number, None)
        worker = self.workers.get(number)
        if worker is not None and worker.retry is not None and worker.task is not asyncio.current_task():
            worker.retry.cancel()  # not for the worker's own changes, as of clocks: it would try again at once
        self.show_soon(number, _nothing)

    def later(self, number: int) -> None:
        """Show a match that no player is waiting for. Of these matches, a few are shown at a time."""
        if self._resting:
            return
        self.late[number] = None
        if self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up(), name="show what is late")

    async def _catch_up(self) -> None:
        slots = asyncio.Semaphore(LATE_AT_ONCE)
        try:
            while self.late:
                await slots.acquire()
                number = next(iter(self.late), None)
                if number is not None:  # None: the last one has been shown meanwhile
                    del self.late[number]
                    self.show_soon(number, slots.release, Urgency.LATE)
                    await asyncio.sleep(self.timing.late if self.late else 0)
        finally:
            self._catching_up = None

    def _worker(self, number: int) -> Worker:
        return self.workers.setdefault(number, Worker(number))

    def show_soon(self, number: int, tried: Callable[[], None], soon: Urgency = Urgency.PEOPLE) -> None:
        """Make the match's worker show it. Call `tried` once the match was shown or could not be."""
        if self._closed:  # the next start shows it
            tried()
            return
        worker = self._worker(number)
        worker.dirty = True
        if worker.behind_since is None:
            worker.behind_since = time.monotonic()
        if worker.task is not None:
            tried()
        else:
            with fenced(None):  # the worker takes a lease of its own
                worker.task = asyncio.create_task(self.work(worker, tried, soon), name=f"show match {number}")

    def behind(self) -> tuple[int, float]:
        """Return the number of matches with changes that are not shown yet, and the age of the oldest in seconds."""
        since = [worker.behind_since for worker in self.workers.values() if worker.behind_since is not None]
        return (len(since), time.monotonic() - min(since)) if since else (0, 0.0)

    def is_stuck(self, number: int) -> bool:
        """Return whether the match could not be shown for `STUCK` seconds: then none of its clocks may run out."""
        worker = self.workers.get(number)
        if worker is None or worker.trying_since is None:
            return False
        return self._service.clocks.now() - worker.trying_since >= STUCK

    # The start and the end.

    async def resume(self) -> None:
        """After a start: show the matches that are behind, and let computers move."""
        with suppress(*OUT_OF_REACH):  # then what Discord refused before is tried at the next start
            await self.posts.forget_refusals()
        self.holdings.start(self)
        if not self.holdings.shared:  # otherwise other processes may be at work on them
            await self.show_left()
            for number in await self._service.index.nudged_since(int(self.now()) - NUDGE_EVERY):
                self.later(number)  # nothing else shows its table once its players may nudge again
            self.computers.resume()

    async def show_left(self) -> None:
        """Show all matches that are behind."""
        for number in await self.posts.behind():
            self.later(number)

    def now(self) -> float:
        """Return seconds since 1970."""
        return self._service.now()

    def is_busy(self, number: int) -> bool:
        """Return whether a match is being shown, or computers move there."""
        return number in self.workers or self._waits(number) or self.computers.move_in(number)

    def _waits(self, number: int) -> bool:
        """Return whether something of a match is still to be shown, which nothing stored says: if this process ends,
        another one must take the match as unfinished.
        """
        return number in self.late or number in self.postponed or self._messages.lacks_motion(number)

    def seen(self) -> Mapping[int, int]:
        """Return the matches of which players see private hands and answers, and in which versions."""
        hands, answers = self.replies.versions(), self.answers.versions()
        return {n: min(seen[n] for seen in (hands, answers) if n in seen) for n in hands | answers}

    def has_changed(self, number: int) -> None:
        """Bring the private hands and answers of a match up to date: it has changed, perhaps in another process."""
        self.replies.changed(number)
        self.answers.changed(number)

    async def drain(self, patience: float = 10.0) -> None:
        """Show all changes, for at most `patience` seconds; the next start shows the rest.

        From now on no computer moves, and matches in `later` are left to the next start.
        """
        self._resting = True
        self.postponed.rest()
        self.newcomers.rest()
        self.holdings.rest()
        self.computers.rest()
        self.late.clear()
        self._all_shown.clear()
        for worker in self.workers.values():
            if worker.retry is not None:
                worker.retry.cancel()
        if self.behind()[0]:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_shown.wait(), patience)

    async def close(self) -> None:
        """End every worker, whatever it is doing."""
        self._closed = True
        await end_tasks(*(worker.task for worker in self.workers.values()), self._catching_up, *self.moving)
        await self.members.close()
        await self.newcomers.close()
        await self.postponed.close()
        await self.replies.close()
        await self.answers.close()
        await self.computers.close()
        await self.pings.close()
        await self.holdings.close()

    # Other requests.

    def bring_back(self, number: int) -> None:
        """Show the table's message again even if it seems to be up to date: it may have been deleted.

        The post stays as it is: the worker may be noting what it has just sent, and would overwrite a change.
        """
        self._worker(number).missed = True
        self.changed(number)

    async def opened(self, channel: int) -> None:
        """A thread takes messages again: take down the old tables there of which Discord refused that."""
        try:
            for number in await self.posts.forget_refusals(channel):
                self.later(number)
        except OUT_OF_REACH:
            log.info("old tables in channel %d stay until the next start", channel)

    # The work on one match.

    async def work(self, worker: Worker, tried: Callable[[], None], soon: Urgency) -> None:
        """Show the match until nothing is behind. `soon`: how urgent the pictures of the first try are."""
        urgency.set(soon)  # for this task alone
        retry, full, number = self.timing.retry, False, worker.number
        try:
            while worker.dirty:
                worker.dirty = False
                if worker.trying_since is None:
                    worker.trying_since = self._service.clocks.now()
                try:
                    if full:  # otherwise each try would send messages that it then cannot store
                        await self.posts.check_storage()
                    try:
                        ours = await self._show_if_ours(worker)
                    finally:
                        self.has_changed(number)
                        tried()
                        tried = _nothing
                        urgency.set(Urgency.PEOPLE)
                    if ours:
                        await self._credit(worker)
                    worker.trying_since = None
                except Exception as error:  # a fault in one match must not stop the others, and is always logged
                    if self._is_lost(worker, error):
                        continue
                    if isinstance(error, DiscordFailure) and error.locked_out:
                        retry = self.timing.longest_retry
                    report(log, number, "cannot be shown", error, retry, first=retry == self.timing.retry)
                    full = isinstance(error, OUT_OF_REACH)
                    worker.dirty = True
                    await self._wait_to_retry(worker, retry)
                    retry = min(2 * retry, self.timing.longest_retry)
                else:
                    retry, full = self.timing.retry, False
                    if ours and not worker.dirty and not self._waits(number):
                        self.holdings.settled(number, worker.version, self.pings.wakes_in(number))
                    self._is_shown(worker)
                    if worker.edited:  # a pause after a change that players do not see would reveal it
                        worker.edited = False
                        await asyncio.sleep(self.timing.edits)
        finally:
            # Now, not when the task is done: a change in between would find a worker that has stopped looking.
            self.workers.pop(number, None)

    async def _show_if_ours(self, worker: Worker) -> bool:
        """Show the match if this process holds it. Otherwise its holder has been asked to; return False."""
        worker.fence = None
        if worker.doubted or (worker.missed and not self.holdings.holds(worker.number)):
            await self.posts.doubt(worker.number)  # stored, so that its holder knows of it
            worker.doubted = worker.missed = False
        if not await self.holdings.take(worker.number):
            return False
        worker.fence = self.holdings.fence(worker.number)
        with fenced(worker.fence):
            shown = await self.shown.show(worker.number, missed=worker.missed)
            worker.version = shown.version
            worker.edited = worker.edited or shown.edited
            worker.dirty = worker.dirty or shown.again
            if shown.failure is not None:
                if not shown.delays_a_player:
                    # It only affects seats that are not to move, so it must not credit clocks later: the credit would
                    # reveal a changed seal.
                    await self._credit(worker)
                    worker.trying_since = None
                raise shown.failure
        return True

    def _is_lost(self, worker: Worker, error: Exception) -> bool:
        """Return whether the lease of a match was lost while it was shown. Then it is shown once more, here or by its
        new holder: a request under way may reach Discord after those of the new holder.
        """
        fence, worker.fence = worker.fence, None
        if fence is None or not (isinstance(error, LeaseLost) or fence.left() <= 0):
            return False
        log.info("match %d: this process has lost its lease", worker.number, extra={"match": worker.number})
        worker.doubted = worker.dirty = True
        return True

    def _is_shown(self, worker: Worker) -> None:
        """Note that the match is shown; it is behind again if it has changed meanwhile."""
        if worker.dirty:
            worker.behind_since = time.monotonic()
            return
        if worker.edited and worker.behind_since is not None:
            self._timed(time.monotonic() - worker.behind_since)
        worker.behind_since = None
        worker.missed = False
        if self._messages.lacks_motion(worker.number) and self.postponed.is_scarce():
            self.postponed.put(worker.number)
        elif self._messages.lacks_motion(worker.number):
            moving = asyncio.create_task(self.show_moving(worker.number), name=f"move match {worker.number}")
            self.moving.add(moving)
            moving.add_done_callback(self.moving.discard)
        if not self.behind()[0]:
            self._all_shown.set()

    async def show_moving(self, number: int) -> None:
        """Show the table once more, with the picture that moves, once that is drawn."""
        if await self._messages.draw_moving(number):
            self.changed(number)

    async def _credit(self, worker: Worker) -> None:
        """Credit the clocks for the time in which the match could not be shown. A quarantined match's clocks stand."""
        if not self.is_stuck(worker.number) or self._service.quarantine.holds(worker.number):
            return
        assert worker.trying_since is not None
        await deadlines.give_back(self._service, worker.number, worker.trying_since)

    async def _wait_to_retry(self, worker: Worker, seconds: float) -> None:
        """Wait that long, or until the match changes. Credit clocks now too: a restart would lose this time."""
        sleep = worker.retry = asyncio.create_task(asyncio.sleep(seconds), name=f"retry match {worker.number}")
        try:
            try:
                await self._credit(worker)
            except Exception as error:  # the next try credits them
                log.info("match %d waits for its time: %s", worker.number, type(error).__name__)
            await asyncio.wait([sleep])
        finally:
            worker.retry = None
            sleep.cancel()


def _nothing() -> None:
    """Do nothing after a try: no caller waits for it."""
