"""Newcomers: players to whom the bot opens direct messages for the first time, each in turn (senders.py).

A press is answered at once: its player waits for the channel only if it can be opened now. Else the channel is opened
in the background, and *My hand* works until then. Once it is open, the hands of all their matches come there. A user
has one place in the queue, however often they press.

Who is a newcomer is stored: a player whose direct messages were never tried. So after a restart they still get theirs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import discord

from cogs.messages.content import Content
from cogs.messages.presenter import Presenter
from cogs.runtime.logs import log_failure
from cogs.runtime.periodic import end_tasks
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.hand_messages import HandMessages
from cogs.transport.pings import way_of
from cogs.transport.senders import DirectMessages, nonce, send_private
from data.records.leases import fenced
from data.records.match import Match
from data.records.people import Person, PingPreference
from data.store.database import OUT_OF_REACH

log = logging.getLogger(__name__)

TASK = "open direct messages"
"""The name of the task that waits for turns."""
RETRY, TRIES = 30.0, 10
"""Seconds until the next try after Discord was out of order, and the most tries: then the next press or start tries."""


class Reach(Enum):
    """Whether direct messages reach a player."""

    WORKS = auto()
    CLOSED = auto()
    """The player takes none from the bot."""
    REFUSED = auto()
    """Discord refuses them for another reason, which the player cannot change."""
    SOON = auto()
    """Not known yet: they are being opened."""


@dataclass(slots=True)
class _Place:
    """A place in the queue. `first`: the result of the first try; `at_once`: whether that needs no wait. `match`: the
    match that the hello says the player has joined, or None.
    """

    hello: str
    key: int
    match: int | None
    first: asyncio.Future[Reach]
    at_once: bool
    tries: int = 0
    failed: bool = False
    """Whether the last try failed, so that the next one must wait."""


class Newcomers:
    """Opens direct messages."""

    def __init__(
        self, client: discord.Client, messages: Presenter, direct: DirectMessages, hands: HandMessages
    ) -> None:
        self._client = client
        self._service = messages.service
        self._messages = messages
        self.direct = direct
        self._hands = hands
        self._resting = False
        self._places: dict[int, _Place] = {}
        """All newcomers, by user."""
        self._queue: dict[int, _Place] = {}
        """Those of them who wait for a turn, in this order."""
        self._waiting: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._places)

    async def reach(self, person: Person, hello: str, key: int, match: int | None = None) -> Reach:
        """Open direct messages to this player and say hello there. Return whether they work, without waiting for a
        turn. `key`: the number of the press. `match`: the one that the hello says they have joined; it is not said
        once they have left. Raises NotStored.
        """
        place = self._places.get(person.user) or self._begin(person, hello, key, match)
        return await asyncio.shield(place.first) if place.at_once else Reach.SOON

    async def met(self, user: int, channel: int) -> None:
        """Store that direct messages reach this player, who has just pressed in that channel of theirs. Raises
        NotStored.
        """
        await self._hands.reach(user, channel)

    async def greet(self, match: Match, person: Person) -> None:
        """Open direct messages to a player of that match if the bot has never tried, and they want them: they may sit
        there without a press that did it, as one who had waited for the seat.
        """
        seat = match.seat_of(person.user)
        if self._resting or person.dm_works is not None or person.user in self._places or match.private or seat is None:
            return
        if way_of(match.chairs[seat], person) not in (PingPreference.DM, PingPreference.BOTH):
            return
        if await self._service.clocks.quiet_until(person.user) is None and person.user not in self._places:
            labels = self._messages.labels(match, person.locale or match.locale)
            self._begin(person, labels.say("dm.hello", table=self._messages.link(match, labels)), 0, match.id)

    async def resume(self, is_mine: Callable[[int], bool]) -> None:
        """After a start: greet the players in matches of this process's servers who still wait."""
        for user, number in await self._service.people.newcomers():
            match, person = await self._service.find(number), await self._service.people.get(user)
            if match is not None and person is not None and is_mine(match.guild):
                await self.greet(match, person)

    def rest(self) -> None:
        """Greet no more players."""
        self._resting = True

    async def close(self) -> None:
        """Stop. The next start goes on."""
        await end_tasks(*self._tasks)

    def _begin(self, person: Person, hello: str, key: int, match: int | None) -> _Place:
        """Give this player a place, and try at once if that needs no wait."""
        # The first hello has the same nonce after a restart: Discord then returns the message that was sent.
        key = 0 if person.dm is None else key
        at_once = person.dm is not None or (not self._queue and not self.direct.take_turn())
        place = _Place(hello, key, match, asyncio.get_running_loop().create_future(), at_once)
        self._places[person.user] = place
        if at_once:
            self._start(self._try(person.user, place))
        else:
            self._wait(person.user, place)
        return place

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        with fenced(None):  # it outlives the lease of a match
            task = asyncio.create_task(work, name=TASK)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _wait(self, user: int, place: _Place) -> None:
        self._queue[user] = place
        if self._waiting is None:
            self._waiting = self._start(self._work())

    async def _work(self) -> None:
        """Try one after the other, each in its turn."""
        try:
            while self._queue:
                user, place = next(iter(self._queue.items()))
                if place.failed:
                    place.failed = False
                    await asyncio.sleep(RETRY)
                # Looked at after each wait: the channel may be known by now, and then it needs no turn.
                if await self._needs_turn(user) and (wait := self.direct.take_turn()):
                    await asyncio.sleep(wait)
                    continue
                del self._queue[user]
                if await self._has_left(user, place):
                    del self._places[user]
                    await self._greet_elsewhere(user)
                else:
                    await self._try(user, place)
        finally:
            self._waiting = None

    async def _has_left(self, user: int, place: _Place) -> bool:
        """Return whether the hello is moot: the player has left the match that it names."""
        if place.match is None or place.failed:
            return False
        match = await self._service.find(place.match)
        return match is not None and match.seat_of(user) is None

    async def _greet_elsewhere(self, user: int) -> None:
        """Greet the player at another match where they sit, if there is one."""
        if (person := await self._service.people.get(user)) is not None:
            for match in await self._service.index.of_player(user):
                await self.greet(match, person)

    async def _needs_turn(self, user: int) -> bool:
        person = await self._service.people.get(user)
        return person is not None and person.dm is None

    async def _try(self, user: int, place: _Place) -> None:
        """Try once, and wait for another try if Discord, or the disk, is out of order."""
        place.tries += 1
        try:
            reached = await self._tried(user, place.hello, place.key)
        except Exception as error:  # a fault of one player must not stop the others, and is always logged
            passes = isinstance(error, OUT_OF_REACH)
            reached = Reach.SOON if passes else Reach.REFUSED
            if passes:
                log.warning("the first direct message to a player waits: %s", type(error).__name__)
            else:
                log_failure(log, "the first direct message to a player failed: %s", error=error)
            if place.at_once and not place.first.done():
                place.first.set_exception(error)
        if not place.first.done():
            place.first.set_result(reached)
        place.failed = reached is Reach.SOON and place.tries < TRIES
        if place.failed:
            self._wait(user, place)
        else:
            del self._places[user]

    async def _tried(self, user: int, hello: str, key: int) -> Reach:
        """Open the channel, say hello and show the player's hands there."""
        if (person := await self._service.people.get(user)) is None:  # their data has been deleted
            return Reach.CLOSED
        channel = person.dm
        try:
            if channel is None:
                channel = await self.direct.open(user)
            where = self._client.get_partial_messageable(channel, type=discord.ChannelType.private)
            await send_private(where, user, Content((hello,), user=user), nonce=nonce("hello", user, key))
        except DiscordFailure as failure:
            log.info("no direct messages to a player: %s", failure)
            if failure.kind in (Failure.LATER, Failure.OLD):
                return Reach.SOON
            refused = failure.kind is not Failure.DM_CLOSED
            known = None if failure.kind is Failure.CHANNEL_GONE else channel  # the next try needs no turn
            await self._service.people.change(user, dm=known, dm_works=False, dm_refused=refused)
            return Reach.REFUSED if refused else Reach.CLOSED
        person = await self._service.people.get(user)
        if person is not None and person.dm == channel and person.dm_works:
            return Reach.WORKS
        await self._hands.reach(user, channel)
        return Reach.WORKS
