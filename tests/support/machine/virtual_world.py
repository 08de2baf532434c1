"""The parts of the bot that run tables, without the bot: on a real file, in virtual time that only tests move.

The event loop uses the virtual time, so the tasks of the clock, the publisher and the sweepers sleep and wake by it, as
they do in a real process. `settle` waits until nothing is left to do at this instant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast
from unittest.mock import MagicMock

import pytest

from cogs.app import DAY, HOUR
from cogs.guilds import Guilds
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.host_rights import StartTimes
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from cogs.preferences import Preferences
from cogs.runtime.periodic import Periodic
from cogs.runtime.trusted_clock import TrustedClock
from cogs.time import TimeCommands
from cogs.transport.clock_worker import ClockWorker
from cogs.transport.computer_moves import ComputerMoves
from cogs.transport.digests import Digests
from cogs.transport.publisher import Publisher
from cogs.transport.request_budget import PublishTiming
from data.records.deadlines import Deadlines
from data.records.hours import PeopleHours
from data.records.key_values import KeyValues
from data.records.match import LoggedMove, Match
from data.records.matches import Matches
from data.records.people import People
from data.records.servers import Servers
from data.store.database import Connection, Database
from data.store.hash_chain import is_whole
from rules import GAMES
from rules.core.game import AnyState
from tests.support.inside import awaited_by, given_to, is_awaited, scheduled, stored_matches
from tests.support.machine.fake_discord import FakeDiscord, PlainMessages, dm_channel

T = TypeVar("T")
GUILD, CHANNEL = 1, 2
START = 1_780_300_800
"""The first of June 2026, eight in the morning in UTC; no zone changes its offset for long."""
HEARTBEAT = 3 * 3600.0
RETRY = 300.0
"""Seconds after which the publisher repeats what has failed."""
STORED = ("match", "seat", "waiting", "former", "vote", "clock", "move", "proposal", "refusal", "reminder")
"""The database tables that define a match; the others record what has been shown of it."""


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until a test sets it."""

    instant = 0.0

    def time(self) -> float:
        return self.instant

    def sleeping(self) -> Iterator[tuple[float, object]]:
        """Yield when each sleeping task wakes, and what it waits for."""
        for handle in scheduled(self):
            if not handle.cancelled() and (given := given_to(handle)):
                yield handle.when(), given[0]


UNUSED = ("lobby", "membership", "messages", "finder", "interactions", "hands", "router")
"""Parts of the bot that these tests do not use."""


class World:
    """One server, one channel, and the bot's parts. `stop` and `start` rebuild the parts on the same file."""

    def __init__(self, path: Path, people: dict[int, str]) -> None:
        self.loop = Loop()
        self.discord = FakeDiscord(GUILD, self.loop.time, self.now)
        self.clock_offset = 0.0
        """Seconds by which the system clock is wrong."""
        self._path = path
        self._people = people
        self._patch = pytest.MonkeyPatch()
        try:
            self.run(self._open())
        except BaseException:
            self.end()
            raise

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work`, and not the tasks that follow from it."""
        return self.loop.run_until_complete(work)

    def settle(self) -> None:
        """Run all tasks that have something to do at this instant."""
        self.loop.run_until_complete(self._settle_all())

    async def _settle_all(self) -> None:
        me = asyncio.current_task()
        while True:
            await asyncio.sleep(0)
            asleep = {id(future) for _, future in self.loop.sleeping()} | self._waiting_for_retry()
            tasks = [cast(Any, task) for task in asyncio.all_tasks() if task is not me]
            busy = [awaited_by(task) for task in tasks if id(awaited_by(task)) not in asleep]
            if not busy:
                return
            if all(future is not None and not future.done() for future in busy):
                await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)

    def _waiting_for_retry(self) -> set[int]:
        """Return the tasks that sleep for the publisher's workers until their next try."""
        return {
            id(awaited_by(worker.task))
            for worker in self.publisher.workers.values()
            if worker.retry is not None and is_awaited(worker.retry)
        }

    def is_retrying(self, number: int) -> bool:
        """Return whether the publisher is trying to show that match."""
        worker = self.publisher.workers.get(number)
        return worker is not None and worker.trying_since is not None

    def advance(self, until: float) -> bool:
        """Advance the time until a task wakes, or to the instant `until`. Return False once `until` is reached."""
        soonest = min((when for when, _ in self.loop.sleeping() if when > self.loop.instant), default=until)
        self.loop.instant = max(self.loop.instant, min(soonest, until))
        self.settle()
        return self.loop.instant < until

    def report_changes(self, numbers: Iterable[int]) -> None:
        """Tell the publisher that these matches have changed, as all code does that changes a match."""

        async def say() -> None:
            for number in numbers:
                self.publisher.changed(number)

        self.run(say())

    def connect(self, connected: bool) -> None:
        """Connect or disconnect the gateway."""

        async def tell() -> None:
            self.clock.connect(connected)

        self.run(tell())

    def bring_back(self, number: int) -> None:
        """Ask the bot to show a table that may have been deleted."""

        async def ask() -> None:
            self.publisher.bring_back(number)

        self.run(ask())

    # The bot's parts.

    def system_time(self) -> float:
        return START + self.loop.instant + self.clock_offset

    async def _open(self) -> None:
        self.database = database = await Database.open(self._path)
        await database.read(lambda c: c.execute("PRAGMA synchronous=OFF").fetchall())  # no power is cut here
        self.hours, self.matches = PeopleHours(database), Matches(database)
        self.people = People(database, self.system_time)
        for user, name in self._people.items():
            await self.people.meet(user, name)
            if user % 200:  # half of them are reached by direct message
                await self.people.change(user, dm=dm_channel(user), dm_works=True)
        self.trusted_clock = TrustedClock(self.system_time, self.loop.time)
        servers = Servers(database)
        self.service = MatchService(self.matches, self.people, GAMES, self.trusted_clock.now, servers, self.hours)
        self.lobby = Lobby(self.service)
        self.membership = Membership(self.service, self.lobby)
        client, self.messages = cast(Any, self.discord), PlainMessages(self.service, self._patch)
        pace = PublishTiming(edits=0, computer=0, retry=RETRY, longest_retry=RETRY, late=0)
        computers = ComputerMoves(self.service, AutomaticMoves(self.service), pace)
        self.publisher = Publisher(client, cast(Any, self.messages), computers, pace)
        cast(Any, self.publisher.newcomers).greet = _greet_none  # half of them stay without direct messages
        self.service.announcer.listener = self.publisher
        publisher, words = self.publisher, cast(Any, self.messages)
        self.digests = Digests(client, words, publisher.pings, publisher.members, publisher.hands, HEARTBEAT)
        parts = {"service": self.service, "people": self.people, "publisher": self.publisher, "bot": client}
        parts |= {"digests": self.digests, "watch": self.trusted_clock, "store": SimpleNamespace(hours=self.hours)}
        app = cast(Any, SimpleNamespace(**dict.fromkeys(UNUSED, MagicMock()), **parts))
        self.clock = ClockWorker(
            self.service,
            StartTimes(self.service, self.lobby),
            publisher.is_stuck,
            Deadlines(database),
            KeyValues(database),
            self.trusted_clock,
            HEARTBEAT,
        )
        self.time = TimeCommands(app)
        self.guilds = Guilds(app)
        self.settings = Preferences(app)
        self.idle = Periodic("close idle lobbies", self.membership.close_idle, HOUR)
        self.daily = Periodic("look round once a day", self.guilds.look_round, DAY, at_once=False)
        self.idle.start()
        await self.clock.start()
        self.clock.connect(True)
        self.daily.start()
        await self.guilds.look_round()
        await self.publisher.resume()
        self.digests.task.start()

    async def _close(self, crash: bool) -> None:
        """Close all parts in order, or as a crash does: without waiting for running tasks."""
        if not crash:
            await self.digests.task.close()
            await self.clock.close()
            await self.publisher.close()
        await self.idle.close()
        await self.daily.close()
        await self._end_all()

    async def _end_all(self) -> None:
        """End the running tasks, and the thread of the file."""
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.database.close()

    def stop(self, crash: bool = False) -> None:
        self.run(self._close(crash))

    def start(self) -> None:
        self.run(self._open())
        self.settle()

    def end(self) -> None:
        """End the world, also after a failure: a thread that still runs would keep the process from ending."""
        try:
            if hasattr(self, "database"):
                self.run(self._end_all())
        finally:
            self._patch.undo()
            self.run(self.loop.shutdown_default_executor())
            self.loop.close()

    # What is stored.

    def now(self) -> int:
        """Return the bot's current time."""
        return int(self.trusted_clock.now())

    def match(self, number: int) -> Match:
        """Return the match from the bot's memory."""
        match = self.run(self.matches.get(number))
        assert match is not None
        return match

    def votes(self, number: int) -> dict[int, str]:
        return self.run(self.matches.votes(number))

    def log(self, number: int) -> list[LoggedMove]:
        return self.run(self.matches.moves(number))

    def reread(self, number: int) -> tuple[Match, AnyState | None]:
        """Return the match and its position as read from the file alone, without any cache."""
        service = MatchService(Matches(self.database), self.people, GAMES, self.trusted_clock.now)
        match = self.run(stored_matches(service).get(number))
        assert match is not None
        return match, service.state(match) if match.state is not None else None

    def chain_is_whole(self, number: int) -> bool:
        """Return whether the hash chain of a started match fits its log, to the last link."""
        return self.run(self.database.read(lambda c: is_whole(c, number)))

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return all stored rows of every match."""

        def read(c: Connection) -> dict[str, list[tuple[Any, ...]]]:
            return {name: sorted(map(tuple, c.execute(f"SELECT * FROM {name}")), key=repr) for name in STORED}

        return self.run(self.database.read(read))


async def _greet_none(match: Match, person: Any) -> None:
    """Open no direct messages."""
