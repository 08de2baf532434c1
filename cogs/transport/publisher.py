"""The publisher: shows every match as it stands, one worker a match. What the workers show is in modules of its own:
the table (table_message.py), the hands (hand_messages.py), the pings (pings.py).

What must be shown is stored: a post that shows an older version than its match is behind. `changed` starts the match's
worker, which goes on until nothing is behind; after a start the same worker runs for every match that was left behind.
So a crash, a failure of Discord or a lost answer delays a message and never loses it.

Matches that no player waits for, as after a start, are shown `later`: a few at a time, so that presses come first.

A worker shows the newest position and has at most one edit under way. Every new message has a nonce made of what it is
for, so that sending it again after a lost answer makes no second one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import discord

from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.messages.messages import Messages
from cogs.runtime.logs import without_text
from cogs.transport.compare_restored import compare
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.errors import DiscordFailure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.pings import Pings
from cogs.transport.publish_timing import PublishTiming
from cogs.transport.senders import Handles
from cogs.transport.table_message import TableMessage, unsure
from data.records.match import CALL, TABLE, OldTable, RestoreCheck, Status
from data.records.people import People
from data.store.database import NotStored

log = logging.getLogger(__name__)

LATE_AT_ONCE = 2
"""Matches shown at once of those that are shown later: a press waits for their pictures at most."""
STUCK = 30
"""Seconds after which a match that cannot be shown freezes its clocks: no player is late with what they cannot see."""


@dataclass(slots=True, eq=False)
class Worker:
    """The work on one match: what is still to be shown, and the task that shows it."""

    number: int
    task: asyncio.Task[None] | None = None
    dirty: bool = False
    """Whether the match has changed since the last try began."""
    edited: bool = False
    """Whether the table's message has changed since the last pause."""
    missed: bool = False
    """Whether the table is sent or edited next whatever its post says: it may have been deleted."""
    behind_since: float | None = None
    """By `time.monotonic`."""
    trying_since: int | None = None
    """By the service's clock."""
    retry: asyncio.Task[None] | None = None
    """The sleep until the next try."""


class Publisher:
    """The workers. It listens to the match service's announcements."""

    def __init__(
        self,
        client: discord.Client,
        service: MatchService,
        people: People,
        messages: Messages,
        timing: PublishTiming,
    ) -> None:
        self._client = client
        self._service = service
        self._posts = service.posts
        self._people = people
        self._messages = messages
        self._timing = timing
        self._handles = Handles(client)
        self.pings = Pings(self._handles, service, messages, self.changed)
        self._table = TableMessage(self._handles, service, messages, self.pings, self._again, self._edited)
        self.hands = HandMessages(self._handles, service, people, messages, self.pings, self.changed)
        self._computers = ComputerMoves(service, timing)
        self._workers: dict[int, Worker] = {}
        self._late: dict[int, None] = {}  # in this order
        self._catching_up: asyncio.Task[None] | None = None
        self._all_shown = asyncio.Event()
        self._resting = False
        self._closed = False

    # What is to be shown.

    def changed(self, number: int) -> None:
        """The match has changed, or may not be shown as it stands: show it, at once also between two failed tries."""
        self._late.pop(number, None)
        worker = self._workers.get(number)
        if worker is not None and worker.retry is not None and worker.task is not asyncio.current_task():
            worker.retry.cancel()  # its own changes, as of the clocks, must not make it try at once
        self._show_soon(number, _nothing)

    def later(self, number: int) -> None:
        """As `changed`, of one of many matches that no player waits for just now: they are shown a few at a time."""
        if self._resting:
            return
        self._late[number] = None
        if self._catching_up is None:
            self._catching_up = asyncio.create_task(self._catch_up(), name="show what is late")

    async def _catch_up(self) -> None:
        slots = asyncio.Semaphore(LATE_AT_ONCE)
        try:
            while self._late:
                await slots.acquire()
                number = next(iter(self._late), None)
                if number is not None:  # else the last has been shown meanwhile
                    del self._late[number]
                    self._show_soon(number, slots.release)
                    await asyncio.sleep(self._timing.late if self._late else 0)
        finally:
            self._catching_up = None

    def _worker(self, number: int) -> Worker:
        return self._workers.setdefault(number, Worker(number))

    def _show_soon(self, number: int, tried: Callable[[], None]) -> None:
        """Have the match's worker show it. `tried` is called once the match has been shown or could not be."""
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
            worker.task = asyncio.create_task(self._work(worker, tried), name=f"show match {number}")

    def _again(self, number: int) -> None:
        """The worker that is at work on this match is to show it once more."""
        self._worker(number).dirty = True

    def _edited(self, number: int) -> None:
        """The worker that is at work on this match has changed the table's message."""
        self._worker(number).edited = True

    def behind(self) -> tuple[int, float]:
        """How many matches have changed and are not shown yet, and for how many seconds the first of them."""
        since = [worker.behind_since for worker in self._workers.values() if worker.behind_since is not None]
        return (len(since), time.monotonic() - min(since)) if since else (0, 0.0)

    def is_stuck(self, number: int) -> bool:
        """Whether the match could not be shown for some time now: then none of its clocks may run out."""
        worker = self._workers.get(number)
        if worker is None or worker.trying_since is None:
            return False
        return self._service.clocks.now() - worker.trying_since >= STUCK

    # The start and the end.

    async def resume(self) -> None:
        """After a start: show the matches that are behind, and let computers move."""
        for number in await self._posts.behind():
            self.later(number)
        self._computers.resume()

    async def drain(self, patience: float = 10.0) -> None:
        """Show what has changed, for that many seconds at most; the rest is shown after the next start.

        No computer moves any more, and what no player waits for is left.
        """
        self._resting = True
        self._computers.rest()
        self._late.clear()
        self._all_shown.clear()
        for worker in self._workers.values():
            if worker.retry is not None:
                worker.retry.cancel()
        if self.behind()[0]:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_shown.wait(), patience)

    async def close(self) -> None:
        """End every worker, whatever it is doing."""
        self._closed = True
        tasks = [worker.task for worker in self._workers.values() if worker.task is not None]
        tasks += [self._catching_up] if self._catching_up is not None else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._computers.close()
        await self.pings.close()

    # What is asked of the publisher beside showing changes.

    def bring_back(self, number: int) -> None:
        """Show the table's message again even if it seems to be up to date: it may have been deleted.

        Its post stays as it is: the worker may be noting what it has just sent, and would be overruled.
        """
        self._worker(number).missed = True
        self.changed(number)

    async def empty_hands(self, number: int) -> list[DiscordFailure]:
        """Empty the stale hands of a match at once. Those that cannot be emptied are left: return why."""
        match, failures = await self._service.find(number), list[DiscordFailure]()
        assert match is not None
        for hand in await self._posts.stale_hands(number):
            try:
                await self.hands.empty(match, hand)
            except DiscordFailure as failure:
                log.info("an old hand in match %d stays: %s", number, failure)
                failures.append(failure)
        return failures

    async def forget_shown(self, number: int) -> None:
        """Have all of a match shown next time as if for the first time: a new message at the table, and a ping for each
        player who is to move. Only while the match pauses: what a worker sends meanwhile would be forgotten too.
        """
        match, posts = await self._service.find(number), await self._posts.of(number)
        assert match is not None
        old = list[OldTable]()
        for post in posts.values():
            shared = post.place in (TABLE, CALL)
            if shared and post.message is not None:
                try:
                    await self._handles.delete(match.guild, post.channel, post.message, insist=post.place == TABLE)
                except DiscordFailure as failure:
                    log.info("the table of match %d is deleted later: %s", number, failure)
                    old.append(OldTable(number, post.channel, post.message, int(self._service.now())))
                # `pinged` stays: it says that the lobby has sent its invitations, and they are sent once.
                posts[post.place] = replace(post, message=None, digest=f"after {post.message}")
            elif not shared:
                posts[post.place] = replace(post, digest="", pinged="", mentioned="")
        await self._posts.note(*posts.values(), old=old)

    # The work on one match.

    async def _work(self, worker: Worker, tried: Callable[[], None]) -> None:
        retry, full, number = self._timing.retry, False, worker.number
        try:
            while worker.dirty:
                worker.dirty = False
                if worker.trying_since is None:
                    worker.trying_since = self._service.clocks.now()
                try:
                    if full:  # else each try would send again what it then cannot store
                        await self._posts.check_storage()
                    try:
                        await self._show(worker)
                    finally:
                        tried()
                        tried = _nothing
                    await self._credit(worker)
                    worker.trying_since = None
                except Exception as error:  # a fault in one match must not stop the others, and is always logged
                    if isinstance(error, DiscordFailure) and error.locked_out:
                        retry = self._timing.longest_retry
                    _report(number, error, retry)
                    full = isinstance(error, NotStored)
                    worker.dirty = True
                    await self._wait_to_retry(worker, retry)
                    retry = min(2 * retry, self._timing.longest_retry)
                else:
                    retry, full = self._timing.retry, False
                    self._is_shown(worker)
                    if worker.edited:  # a pause after what was not seen would tell that something happened
                        worker.edited = False
                        await asyncio.sleep(self._timing.edits)
        finally:
            # Here and not when the task is done: a change in between would find a worker that looks no more.
            self._workers.pop(number, None)

    def _is_shown(self, worker: Worker) -> None:
        """The match has just been shown; it is behind again if it has changed meanwhile."""
        if worker.dirty:
            worker.behind_since = time.monotonic()
            return
        worker.behind_since = None
        worker.missed = False
        if not self.behind()[0]:
            self._all_shown.set()

    async def _credit(self, worker: Worker) -> None:
        """Credit the clocks for the time in which the match could not be shown. A quarantined match's clocks stand."""
        if not self.is_stuck(worker.number) or self._service.quarantine.holds(worker.number):
            return
        assert worker.trying_since is not None
        await self._service.give_back(worker.number, worker.trying_since)

    async def _wait_to_retry(self, worker: Worker, seconds: float) -> None:
        """Wait that long, or until the match changes. Clocks are credited now too: a restart would forget this time."""
        sleep = worker.retry = asyncio.create_task(asyncio.sleep(seconds), name=f"retry match {worker.number}")
        try:
            try:
                await self._credit(worker)
            except Exception as error:  # then with the next try
                log.warning("match %d waits for its time: %s", worker.number, type(error).__name__)
            await asyncio.wait([sleep])
        finally:
            worker.retry = None
            sleep.cancel()

    async def _show(self, worker: Worker) -> None:
        number = worker.number
        match = await self._service.find(number)
        if match is None:
            return
        if match.paused:  # what it misses is shown when it goes on, and a hand may belong to no player by then
            await self._empty_hands_alone(number)
            return
        posts = await self._posts.of(number)
        if worker.missed:
            posts[TABLE] = unsure(posts[TABLE])
        if (fault := await self._service.quarantine.fault(match)) is not None:
            await self._table.put(match, posts[TABLE], self._messages.quarantined(match, fault))
            await self._table.tidy(match)
            await self._empty_hands_alone(number)
            return
        if match.doubt is RestoreCheck.UNCHECKED:
            match, posts[TABLE] = await compare(self._client, self._service, match, posts[TABLE])
        people = {
            chair.user: person
            for chair in match.people
            if chair.user is not None and (person := await self._people.get(chair.user)) is not None
        }
        self._computers.move_at(match)
        to_move = self._service.state(match).to_move() if match.running else frozenset()
        failed: list[Exception] = []
        delays_a_player = False

        # It begins the work itself: a coroutine made outside would be left if this is cancelled before its turn.
        async def attempt(work: Callable[[], Awaitable[None]], counts: bool = True) -> None:
            nonlocal delays_a_player
            try:
                await work()
            except Exception as error:  # the others are shown all the same; the worker reports it
                failed.append(error)
                delays_a_player = delays_a_player or counts

        if match.ending != "away" or self._client.get_guild(match.guild) is not None:  # else when invited again
            await attempt(partial(self._table.show, match, posts, people))
            if not failed:  # otherwise the table may still move to where an old message is
                await attempt(partial(self._tidy, worker), False)
            if CALL in posts:
                await attempt(partial(self._table.substitute_notice, match, posts[CALL]))
        if match.status is not Status.LOBBY:
            await asyncio.gather(
                *(
                    attempt(partial(self.hands.show, match, people[chair.user]), chair.number in to_move)
                    for chair in match.people
                    if chair.user in people and chair.number in posts
                )
            )
        for hand in await self._posts.stale_hands(number):
            await attempt(partial(self.hands.empty, match, hand), False)
        if failed and not delays_a_player:
            # Failures that only affect seats that are not to move must not credit clocks later: the credit would reveal
            # a changed seal.
            await self._credit(worker)
            worker.trying_since = None
        if failed:
            raise min(failed, key=lambda error: isinstance(error, DiscordFailure))  # a fault of ours before Discord's

    async def _tidy(self, worker: Worker) -> None:
        """Take down the old tables of a match. It is read again, since showing it may have opened a thread."""
        match = await self._service.find(worker.number)
        assert match is not None
        if not worker.dirty:  # otherwise it may have moved since, and is shown there first
            await self._table.tidy(match)

    async def _empty_hands_alone(self, number: int) -> None:
        """As `empty_hands`, for a match of which no hand is shown now. Raises the first failure, to try again."""
        if failures := await self.empty_hands(number):
            raise failures[0]


def _nothing() -> None:
    """What is done after a try that nothing waits for."""


def _report(number: int, error: Exception, retry: float) -> None:
    """Log Discord's failures and refusals in a line; a fault of ours with its place."""
    line, extra = "match %d cannot be shown: %s; again in %.0f s", {"match": number}
    if isinstance(error, DiscordFailure | Refused):  # refused: as when a player's data was deleted meanwhile
        log.warning(line, number, error.reason if isinstance(error, Refused) else error, retry, extra=extra)
    else:
        log.error(line, number, type(error).__name__, retry, exc_info=without_text(error), extra=extra)
