"""Shows every match as it stands: the workers, and the computers' moves. What they show is in modules of its own: the
table (table_message.py), the hands (hand_messages.py), the pings (pings.py).

What must be shown is stored: a post that shows an older version than its match is behind. `changed` starts a worker
for a match, which goes on until nothing is behind; at the start of the bot the same worker runs for every match that
was left behind. So a crash, a failure of Discord or a lost answer delays a message and never loses it.

What nobody waits for just now, as after a start, is shown `later`: a few matches at a time, so that however many they
are, presses come first.

One worker a match: the newest position wins, and there is at most one edit under way. Every new message has a nonce
made of what it is for, so that sending it again after a lost answer makes no second one.
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
from cogs.transport.hand_messages import HandMessages
from cogs.transport.pings import Pings
from cogs.transport.senders import DiscordFailure, Handles
from cogs.transport.table_message import TableMessage, unsure
from data.records.match import CALL, TABLE, Match, RestoreCheck, Status
from data.records.people import People
from data.store.database import NotStored

log = logging.getLogger(__name__)

LATE_AT_ONCE = 2
"""Matches that are shown at once of those that are shown later: a press waits for their pictures at most."""
THINKING = 0.5
"""Seconds that each move of a computer takes to be chosen: more than it needs."""
STUCK = 30
"""Seconds after which a match that cannot be shown holds its clocks: nobody is late with what they were not asked."""


@dataclass(frozen=True, slots=True)
class PublishTiming:
    """Seconds: between two edits of one table, before a computer moves, before the first and last repeated try, between
    two matches that are shown later (three or four requests each, and Discord takes 50 a second).
    """

    edits: float = 1.5
    computer: float = 1.6
    retry: float = 2.0
    longest_retry: float = 30.0
    late: float = 0.1


class Publisher:
    """The workers that show matches."""

    def __init__(
        self, client: discord.Client, host: MatchService, people: People, desk: Messages, pace: PublishTiming
    ) -> None:
        self._client = client
        self._host = host
        self._people = people
        self._desk = desk
        self._pace = pace
        self._dirty: set[int] = set()
        self._edited: set[int] = set()  # whose table's message has changed since its worker last paused
        self._handles = Handles(client)
        self.pings = Pings(self._handles, host, desk, self.changed)
        self._table = TableMessage(self._handles, host, desk, self.pings, self._dirty.add, self._edited.add)
        self._hands = HandMessages(self._handles, host, people, desk, self.pings, self.changed)
        self.show_hand = self._hands.show
        """Show somebody their hand, in answer to a press: see `HandMessages.show`."""
        self.hand_lock = self._hands.lock
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._movers: dict[int, asyncio.Task[None]] = {}
        self._late: dict[int, None] = {}  # in this order
        self._catching_up: asyncio.Task[None] | None = None
        self._waking: asyncio.Task[None] | None = None
        self._retries: dict[int, asyncio.Task[None]] = {}  # the sleep of each worker until it tries again
        self._since: dict[int, int] = {}  # since when each match is being tried to be shown
        self._behind: dict[int, float] = {}  # since when, by time.monotonic
        self._missed: set[int] = set()  # matches whose table is shown next whatever it says
        self._all_shown = asyncio.Event()
        self._resting = False
        self._closed = False

    def behind(self) -> tuple[int, float]:
        """How many matches have changed and are not shown yet, and for how many seconds the first of them."""
        if not self._behind:
            return 0, 0.0
        return len(self._behind), time.monotonic() - min(self._behind.values())

    async def drain(self, patience: float = 10.0) -> None:
        """Show what has changed, for as many seconds at most; what remains is shown after the next start.

        Computers move no more, and what nobody waits for just now is left.
        """
        self._resting = True
        self._late.clear()
        self._all_shown.clear()
        for sleep in self._retries.values():
            sleep.cancel()
        if self._behind:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_shown.wait(), patience)

    def changed(self, number: int) -> None:
        """The match has changed, or may not be shown as it stands: show it, at once also where tries fail."""
        self._late.pop(number, None)
        if number in self._retries:
            self._retries[number].cancel()
        self._show_soon(number, _nothing)

    def later(self, number: int) -> None:
        """As `changed`, of one of many that nobody waits for just now: they are shown a few at a time."""
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
                    await asyncio.sleep(self._pace.late if self._late else 0)
        finally:
            self._catching_up = None

    def _show_soon(self, number: int, tried: Callable[[], None]) -> None:
        """Have a worker show the match. `tried`: called once it has been shown or could not be."""
        if self._closed:  # the next start shows it
            tried()
            return
        self._dirty.add(number)
        self._behind.setdefault(number, time.monotonic())
        if number in self._workers:
            tried()
        else:
            self._workers[number] = asyncio.create_task(self._work(number, tried), name=f"show match {number}")

    def is_stuck(self, number: int) -> bool:
        """Whether for some time now it has not been possible to show that match: then no clock of it may run out."""
        since = self._since.get(number)
        return since is not None and self._host.clocks.now() - since >= STUCK

    async def bring_back(self, number: int) -> None:
        """Show the table's message anew, also where it seems to be up to date: somebody may have deleted it.

        Nothing is noted down here: its worker may be noting what it has just sent, and would be overruled.
        """
        self._missed.add(number)
        self.changed(number)

    async def empty_hands(self, number: int) -> list[DiscordFailure]:
        """Empty at once what hands of people who have left a match are still to be emptied. What cannot be is left;
        gives why.
        """
        match, troubles = await self._host.matches.get(number), list[DiscordFailure]()
        assert match is not None
        for farewell in await self._host.matches.farewells(number):
            try:
                await self._hands.empty(match, farewell)
            except DiscordFailure as trouble:
                log.info("an old hand in match %d stays: %s", number, trouble)
                troubles.append(trouble)
        return troubles

    async def forget_shown(self, number: int) -> None:
        """Have all of a match shown next time as if for the first time: a new message at the table, and whoever is
        asked is pinged. While it pauses: what a worker sends meanwhile would be forgotten too.
        """
        match, posts = await self._host.matches.get(number), await self._host.matches.posts(number)
        assert match is not None
        for post in posts.values():
            shared = post.place in (TABLE, CALL)
            if shared and post.message is not None:
                await self._handles.delete(match.guild, post.channel, post.message)
                # Keeps what the lobby has pinged for: nobody is invited twice.
                posts[post.place] = replace(post, message=None, digest=f"after {post.message}")
            elif not shared:
                posts[post.place] = replace(post, digest="", pinged="", mentioned="")
        await self._host.matches.save_posts(list(posts.values()))

    async def resume(self) -> None:
        """After a start: show whatever is behind, and let computers move where they are waited for."""
        for number in await self._host.matches.unshown():
            self.later(number)
        self._waking = asyncio.create_task(self._wake(), name="wake the computers")

    async def _wake(self) -> None:
        """Let computers move: they are waited for, also where nothing is to be shown."""
        for number in await self._host.matches.played_for():
            match = await self._host.matches.get(number)
            if match is not None and await self._host.quarantine.fault(match) is None:
                await self._let_them_move(match)

    async def close(self) -> None:
        self._closed = True
        tasks = [*self._workers.values(), *self._movers.values()]
        tasks += [task for task in (self._catching_up, self._waking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.pings.close()

    async def _work(self, number: int, tried: Callable[[], None]) -> None:
        retry, full = self._pace.retry, False
        try:
            while number in self._dirty:
                self._dirty.discard(number)
                self._since.setdefault(number, self._host.clocks.now())
                try:
                    if full:  # else each try would send anew what it then cannot note down
                        await self._host.matches.try_to_write()
                    try:
                        await self._show(number)
                    finally:
                        tried()
                        tried = _nothing
                    await self._give_back(number)
                    del self._since[number]
                except Exception as error:  # a fault in one match must not stop the others, and is never silent
                    if isinstance(error, DiscordFailure) and error.locked_out:
                        retry = self._pace.longest_retry
                    _report(number, "cannot be shown", error, retry)
                    full = isinstance(error, NotStored)
                    self._dirty.add(number)
                    await self._wait_to_retry(number, retry)
                    retry = min(2 * retry, self._pace.longest_retry)
                else:
                    retry, full = self._pace.retry, False
                    self._is_shown(number)
                    if number in self._edited:  # a pause after what nobody saw would tell that something happened
                        self._edited.discard(number)
                        await asyncio.sleep(self._pace.edits)
        finally:
            # Here and not when the task is done: a change in between would find a worker that looks no more.
            self._workers.pop(number, None)

    def _is_shown(self, number: int) -> None:
        """Of a match that has just been shown: it is behind again where it has changed meanwhile."""
        self._behind.pop(number, None)
        if number in self._dirty:
            self._behind[number] = time.monotonic()
            return
        self._missed.discard(number)
        if not self._behind:
            self._all_shown.set()

    async def _give_back(self, number: int) -> None:
        """The time for which a match could not be shown is nobody's to decide in. No clock of a held one runs."""
        if not self.is_stuck(number) or self._host.quarantine.holds(number):
            return
        if await self._host.give_back(number, self._since[number]):
            self._dirty.add(number)

    async def _wait_to_retry(self, number: int, seconds: float) -> None:
        """Wait for so long, or until the match is changed. Time that is held is given back now too: after a restart
        nobody would know of it.
        """
        sleep = self._retries[number] = asyncio.create_task(asyncio.sleep(seconds), name=f"retry match {number}")
        try:
            try:
                await self._give_back(number)
            except Exception as error:  # then with the next try
                log.warning("match %d waits for its time: %s", number, type(error).__name__)
            await asyncio.wait([sleep])
        finally:
            del self._retries[number]
            sleep.cancel()

    async def _show(self, number: int) -> None:
        match = await self._host.matches.get(number)
        if match is None:
            return
        if match.paused:  # what it misses is shown when it goes on, and a hand may be nobody's by then
            await self._empty_hands_alone(number)
            return
        posts = await self._host.matches.posts(number)
        if number in self._missed:
            posts[TABLE] = unsure(posts[TABLE])
        if (held := await self._host.quarantine.fault(match)) is not None:
            await self._table.put(match, posts[TABLE], self._desk.quarantined(match, held))
            await self._empty_hands_alone(number)
            return
        if match.doubt is RestoreCheck.UNCHECKED:
            match, posts[TABLE] = await compare(self._client, self._host, match, posts[TABLE])
        people = {
            chair.user: person
            for chair in match.people
            if chair.user is not None and (person := await self._people.get(chair.user)) is not None
        }
        await self._let_them_move(match)
        asked = self._host.state(match).to_move() if match.running else frozenset()
        failed: list[Exception] = []
        nobody_waits = True

        # It begins the work itself: what was begun outside would be left lying where this is cancelled before its turn.
        async def attempt(work: Callable[[], Awaitable[None]], counts: bool = True) -> None:
            nonlocal nobody_waits
            try:
                await work()
            except Exception as error:  # the others are shown all the same; the worker reports it
                failed.append(error)
                nobody_waits = nobody_waits and not counts

        if match.ending != "away" or self._client.get_guild(match.guild) is not None:  # else when asked back
            await attempt(partial(self._table.show, match, posts, people))
            if CALL in posts:
                await attempt(partial(self._table.call, match, posts[CALL]))
        if match.status is not Status.LOBBY:
            await asyncio.gather(
                *(
                    attempt(partial(self._hands.show, match, people[chair.user]), chair.number in asked)
                    for chair in match.people
                    if chair.user in people and chair.number in posts
                )
            )
        for farewell in await self._host.matches.farewells(number):
            await attempt(partial(self._hands.empty, match, farewell), False)
        if failed and nobody_waits:
            # Nobody is late by what is not shown to those who are not asked; else time that is given back would tell
            # everybody that somebody has sealed anew.
            await self._give_back(number)
            del self._since[number]
        if failed:
            raise min(failed, key=lambda error: isinstance(error, DiscordFailure))  # a fault of ours before Discord's

    async def _empty_hands_alone(self, number: int) -> None:
        """As `empty_hands`, of a match of which no hand is shown now. Raises Trouble where it is to be tried again."""
        if troubles := await self.empty_hands(number):
            raise troubles[0]

    # Moves that no person makes.

    async def _let_them_move(self, match: Match) -> None:
        if self._resting or match.id in self._movers or await self._host.automatic(match) is None:
            return
        self._movers[match.id] = asyncio.create_task(self._move(match.id), name=f"computers of match {match.id}")

    async def _move(self, number: int) -> None:
        """Move for computers and forced players, one at a time at a human pace, while the table waits for one."""
        thinking = min(THINKING, self._pace.computer)
        pause, retry = self._pace.computer - thinking, self._pace.retry
        try:
            while True:
                await asyncio.sleep(pause)
                if self._resting:
                    return
                try:
                    if await self._host.play_automatic(number, thinking) is None:
                        return
                except Exception as error:  # nobody presses at a table that waits for a computer: try again
                    _report(number, "waits for a computer that cannot move", error, retry)
                    pause, retry = retry, min(2 * retry, self._pace.longest_retry)
                else:
                    pause, retry = self._pace.computer - thinking, self._pace.retry
                    self.changed(number)
        finally:
            self._movers.pop(number, None)


def _nothing() -> None:
    """What is done after a try that nobody waits for."""


def _report(number: int, what: str, error: Exception, retry: float) -> None:
    """Log Discord's failures, and what the table refuses, in a line; a fault of ours with where it happened."""
    line, extra = "match %d %s: %s; again in %.0f s", {"match": number}
    if isinstance(
        error, DiscordFailure | Refused
    ):  # as where somebody's data was deleted while a computer was thinking
        log.warning(line, number, what, error.key if isinstance(error, Refused) else error, retry, extra=extra)
    else:
        log.error(line, number, what, type(error).__name__, retry, exc_info=without_text(error), extra=extra)
