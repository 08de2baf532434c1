"""The publisher: shows every match in its newest version, one worker a match. The workers' parts have their own
modules: the table (table_message.py), the end (end_message.py), the hands (hand_messages.py, live_replies.py), the
pings (pings.py), events (calendar_events.py).

The posts are stored: a post that shows an older version than its match is behind. `changed` starts the match's worker,
which goes on until no post is behind; after a start the same worker runs for every match with posts behind. So a crash,
a failure of Discord or a lost answer delays a message and never loses it.

Matches that no player waits for, as after a start, are shown `later`: a few at a time, so that presses come first.

A worker shows the newest position and has at most one edit under way. Every new message has a nonce made from its
purpose, so sending it again after a lost answer makes no second one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord

from cogs.match import deadlines, groups
from cogs.match.service import MatchService
from cogs.messages.messages import Messages
from cogs.transport.calendar_events import CalendarEvents
from cogs.transport.compare_restored import compare
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.end_message import EndMessage
from cogs.transport.errors import DiscordFailure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.live_replies import LiveReplies
from cogs.transport.lobby_pings import LobbyPings
from cogs.transport.match_worker import Worker, report
from cogs.transport.pings import Pings
from cogs.transport.publish_timing import PublishTiming
from cogs.transport.senders import Handles
from cogs.transport.table_message import TableMessage, unsure
from cogs.workers.pool import Urgency, urgency
from data.records.match import Match, RestoreCheck, Status
from data.records.people import People, Person
from data.records.post import CALL, EVENT, TABLE, OldTable, Post, PostState, SentAfter
from data.store.database import NotStored

log = logging.getLogger(__name__)

LATE_AT_ONCE = 2
"""How many of the matches in `later` are shown at once. A press waits for their pictures at most."""
STUCK = 30
"""Seconds after which a match that cannot be shown freezes its clocks: no player is late with what they cannot see."""


class Publisher:
    """The workers. It listens to the match service's announcements."""

    def __init__(
        self,
        client: discord.Client,
        service: MatchService,
        people: People,
        messages: Messages,
        computers: ComputerMoves,
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
        lobby = LobbyPings(self._handles, service, messages)
        self._table = TableMessage(self._handles, service, messages, self.pings, lobby, self._again, self._edited)
        self._end = EndMessage(self._handles, service, messages, self.pings, self._again)
        self.hands = HandMessages(self._handles, service, people, messages, self.pings, self.changed)
        self._events = CalendarEvents(client, service, messages)
        self.replies = LiveReplies(service, people, messages, timing)
        self._computers = computers
        self._workers: dict[int, Worker] = {}
        self._late: dict[int, None] = {}  # a set that keeps its order
        self._catching_up: asyncio.Task[None] | None = None
        self._all_shown = asyncio.Event()
        self._moving: set[asyncio.Task[None]] = set()
        self._resting = False
        self._closed = False

    # Showing changes.

    def changed(self, number: int) -> None:
        """Show the match now, also between two tries that failed: it has changed, or its message may be gone."""
        self._late.pop(number, None)
        worker = self._workers.get(number)
        if worker is not None and worker.retry is not None and worker.task is not asyncio.current_task():
            worker.retry.cancel()  # not for the worker's own changes, as of clocks: it would try again at once
        self._show_soon(number, _nothing)

    def later(self, number: int) -> None:
        """Show a match that no player is waiting for. Of these matches, a few are shown at a time."""
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
                if number is not None:  # None: the last one has been shown meanwhile
                    del self._late[number]
                    self._show_soon(number, slots.release, Urgency.LATE)
                    await asyncio.sleep(self._timing.late if self._late else 0)
        finally:
            self._catching_up = None

    def _worker(self, number: int) -> Worker:
        return self._workers.setdefault(number, Worker(number))

    def _show_soon(self, number: int, tried: Callable[[], None], soon: Urgency = Urgency.PEOPLE) -> None:
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
            worker.task = asyncio.create_task(self._work(worker, tried, soon), name=f"show match {number}")

    def _again(self, number: int) -> None:
        """Make the worker of this match show it once more."""
        self._worker(number).dirty = True

    def _edited(self, number: int) -> None:
        """Note that the worker of this match has changed the table's message."""
        self._worker(number).edited = True

    def behind(self) -> tuple[int, float]:
        """Return the number of matches with changes that are not shown yet, and the age of the oldest in seconds."""
        since = [worker.behind_since for worker in self._workers.values() if worker.behind_since is not None]
        return (len(since), time.monotonic() - min(since)) if since else (0, 0.0)

    def is_stuck(self, number: int) -> bool:
        """Return whether the match could not be shown for `STUCK` seconds: then none of its clocks may run out."""
        worker = self._workers.get(number)
        if worker is None or worker.trying_since is None:
            return False
        return self._service.clocks.now() - worker.trying_since >= STUCK

    # The start and the end.

    async def resume(self) -> None:
        """After a start: show the matches that are behind, and let computers move."""
        with suppress(NotStored):  # then what Discord refused before is tried at the next start
            await self._posts.forget_refusals()
        for number in await self._posts.behind():
            self.later(number)
        self._computers.resume()

    async def drain(self, patience: float = 10.0) -> None:
        """Show all changes, for at most `patience` seconds; the next start shows the rest.

        From now on no computer moves, and matches in `later` are left to the next start.
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
        known = (*(worker.task for worker in self._workers.values()), self._catching_up, *self._moving)
        for task in (tasks := [task for task in known if task is not None]):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.replies.close()
        await self._computers.close()
        await self.pings.close()

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
            for number in await self._posts.forget_refusals(channel):
                self.later(number)
        except NotStored:
            log.warning("old tables in channel %d stay until the next start", channel)

    async def forget_shown(self, number: int) -> None:
        """Forget what was shown of a match: next time its table is a new message, and each player to move gets a ping.

        Only for a paused match: otherwise what a worker sends meanwhile would be forgotten too.
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
                # `invited` stays: a lobby sends its invitations once.
                posts[post.place] = replace(post, message=None, digest=SentAfter(post.message))
            elif post.place >= 0:
                posts[post.place] = replace(post, digest=PostState.UNSURE, pinged=None, mentioned=None)
        await self._posts.note(*posts.values(), old=old)

    # The work on one match.

    async def _work(self, worker: Worker, tried: Callable[[], None], soon: Urgency) -> None:
        """Show the match until nothing is behind. `soon`: how urgent the pictures of the first try are."""
        urgency.set(soon)  # for this task alone
        retry, full, number = self._timing.retry, False, worker.number
        try:
            while worker.dirty:
                worker.dirty = False
                if worker.trying_since is None:
                    worker.trying_since = self._service.clocks.now()
                try:
                    if full:  # otherwise each try would send messages that it then cannot store
                        await self._posts.check_storage()
                    try:
                        await self._show(worker)
                    finally:
                        self.replies.changed(number)
                        tried()
                        tried = _nothing
                        urgency.set(Urgency.PEOPLE)
                    await self._credit(worker)
                    worker.trying_since = None
                except Exception as error:  # a fault in one match must not stop the others, and is always logged
                    if isinstance(error, DiscordFailure) and error.locked_out:
                        retry = self._timing.longest_retry
                    report(log, number, "cannot be shown", error, retry)
                    full = isinstance(error, NotStored)
                    worker.dirty = True
                    await self._wait_to_retry(worker, retry)
                    retry = min(2 * retry, self._timing.longest_retry)
                else:
                    retry, full = self._timing.retry, False
                    self._is_shown(worker)
                    if worker.edited:  # a pause after a change that players do not see would reveal it
                        worker.edited = False
                        await asyncio.sleep(self._timing.edits)
        finally:
            # Now, not when the task is done: a change in between would find a worker that has stopped looking.
            self._workers.pop(number, None)

    def _is_shown(self, worker: Worker) -> None:
        """Note that the match is shown; it is behind again if it has changed meanwhile."""
        if worker.dirty:
            worker.behind_since = time.monotonic()
            return
        worker.behind_since = None
        worker.missed = False
        if self._messages.lacks_motion(worker.number):
            moving = asyncio.create_task(self._show_moving(worker.number), name=f"move match {worker.number}")
            self._moving.add(moving)
            moving.add_done_callback(self._moving.discard)
        if not self.behind()[0]:
            self._all_shown.set()

    async def _show_moving(self, number: int) -> None:
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
        if match.paused:  # shown when it goes on; by then a hand may belong to no player, so those are emptied now
            await self._empty_hands_alone(match)
            return
        ended = not match.open or await self._service.quarantine.fault(match) is not None
        if ended and match.duplicate is not None:  # here, because every end is shown, however it came about
            await groups.release(self._service, match.duplicate)
            match = await self._service.find(number)
            assert match is not None
        posts = await self._posts.of(number)
        if worker.missed and not match.lesson:
            posts[TABLE] = unsure(posts[TABLE])
        if (fault := await self._service.quarantine.fault(match)) is not None:
            if not match.lesson:
                await self._table.put(match, posts[TABLE], self._messages.quarantined(match, fault))
                await self._table.tidy(match)
            await self._empty_hands_alone(match)
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

        # Takes a function: a coroutine made outside would never be awaited if this is cancelled before its turn.
        async def attempt(work: Callable[[], Awaitable[None]], counts: bool = True) -> None:
            nonlocal delays_a_player
            try:
                await work()
            except Exception as error:  # the other posts are shown all the same; the worker reports it
                failed.append(error)
                delays_a_player = delays_a_player or counts

        is_there = match.ending != "away" or self._client.get_guild(match.guild) is not None
        if is_there and not match.lesson:  # otherwise once the bot is invited again; a lesson has no table
            before = posts[TABLE]
            await attempt(partial(self._table.show, match, posts, people))
            await self._link(match, before)
            if not failed:  # otherwise the table may still move to the place of an old message
                await attempt(partial(self._tidy, worker), False)
            if match.tells_end and not failed:
                await attempt(partial(self._tell_end, worker, people), False)
            if CALL in posts:
                await attempt(partial(self._table.substitute_notice, match, posts[CALL]))
            if EVENT in posts and posts[EVENT].shown < match.version:
                await attempt(partial(self._events.show, match, posts[EVENT]), False)
        if match.status is not Status.LOBBY:
            seated = [(c.number, people[c.user]) for c in match.people if c.user in people and c.number in posts]
            await asyncio.gather(*(attempt(partial(self.hands.show, match, p), seat in to_move) for seat, p in seated))
        for hand in await self._posts.stale_hands(number):
            await attempt(partial(self.hands.empty, match, hand), False)
        if failed and not delays_a_player:
            # Failures that only affect seats that are not to move must not credit clocks later: the credit would reveal
            # a changed seal.
            await self._credit(worker)
            worker.trying_since = None
        if failed:
            raise min(failed, key=lambda error: isinstance(error, DiscordFailure))  # our own fault before Discord's

    async def _link(self, match: Match, before: Post) -> None:
        """Show the other lobbies of a group of duplicates again if their link to this table's message is no longer
        right. `before`: its post until now.
        """
        now = (await self._posts.of(match.id))[TABLE]
        if match.duplicate is None or (match.status is not Status.CANCELLED and now.message == before.message):
            return
        for other in await groups.others(self._service, match):
            if other.status is Status.LOBBY:
                self.changed(other.id)

    async def _tidy(self, worker: Worker) -> None:
        """Take down the old tables of a match. Read the match again: showing it may have opened a thread."""
        match = await self._service.find(worker.number)
        assert match is not None
        if not worker.dirty:  # otherwise the table may have moved since: show it there first
            await self._table.tidy(match)

    async def _tell_end(self, worker: Worker, people: Mapping[int, Person]) -> None:
        """Tell the end of a match. Read the match again: the table may have moved."""
        match = await self._service.find(worker.number)
        assert match is not None
        if not worker.dirty:  # otherwise show the table there first
            await self._end.show(match, people)

    async def _empty_hands_alone(self, match: Match) -> None:
        """Empty the stale hands of a match whose other hands are not shown now. Raises the first failure."""
        if failures := await self.hands.empty_stale(match):
            raise failures[0]


def _nothing() -> None:
    """Do nothing after a try: no caller waits for it."""
