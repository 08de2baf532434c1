"""What several processes on one database share: one holds a match, the others ask it; what is left behind is taken; a
process without its lease does nothing more at Discord.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import psycopg
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cogs.runtime import holdings
from cogs.runtime.holdings import OFF_DUTY, Holdings, SharedHoldings
from cogs.transport import errors
from cogs.transport.errors import DiscordFailure, Failure, discord_call, within_lease
from data.records.leases import LEASE, Fence, current_fence, fenced, steady
from data.records.matches import Matches
from data.store.database import Database
from tests.data.test_matches import playing
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.inside import database_of


class Table:
    """Notes what is to be shown."""

    def __init__(self) -> None:
        self.calls = list[tuple[str, int]]()
        self.busy = set[int]()
        self.shown = dict[int, int]()

    def now(self) -> float:
        return 2000.0

    def changed(self, number: int) -> None:
        self.calls.append(("changed", number))

    def later(self, number: int) -> None:
        self.calls.append(("later", number))

    def is_busy(self, number: int) -> bool:
        return number in self.busy

    def seen(self) -> dict[int, int]:
        return self.shown

    def has_changed(self, number: int) -> None:
        self.calls.append(("has changed", number))

    def called(self) -> list[tuple[str, int]]:
        """Return what was called since the last time."""
        calls, self.calls = self.calls, []
        return calls


class Process(SharedHoldings):
    """Holdings whose tasks run when the test says so."""

    def __init__(self, base: Database, name: str) -> None:
        super().__init__(base, name)
        self.table = Table()
        self._shows = self.table

    def _keep_on(self) -> None:
        pass

    async def look(self) -> list[tuple[str, int]]:
        """Look for work as the task does. Return what is to be shown."""
        self._looked = 0.0
        await self.poll()
        return self.table.called()


@pytest.fixture
async def base(url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    await opened.write(lambda c: c.execute("INSERT INTO person (user, name) VALUES (100, 'A'), (200, 'B')").rowcount)
    yield opened
    await opened.close()


@pytest.fixture
async def match(base: Database) -> int:
    return (await playing(Matches(base))).id


@pytest.fixture
def one(base: Database) -> Process:
    return Process(base, "one")


@pytest.fixture
def two(base: Database) -> Process:
    return Process(base, "two")


def expire(url: str) -> None:
    """Let all leases run out, as those of killed processes do."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE lease SET until = 1 WHERE until > 0; UPDATE duty SET until = 1 WHERE until > 0")


async def test_one_process_alone_holds_everything() -> None:
    alone = Holdings()
    assert await alone.take(1) and alone.holds(1) and alone.fence(1) is None

    async def work() -> float:
        return 7.0

    assert await alone.alone(work) == 7.0


async def test_the_holder_shows_what_another_process_has_changed(one: Process, two: Process, match: int) -> None:
    assert await one.take(match) and one.holds(match)
    assert not await two.take(match) and not two.holds(match)
    assert await one.look() == [("changed", match)]
    assert await one.look() == []  # it was asked once
    assert not await two.take(match, ask=False)
    assert await one.look() == []
    assert not await two.take(match)
    assert await one.look() == [("changed", match)]


async def test_a_hint_arrives_before_the_next_look(one: Process, two: Process, match: int) -> None:
    heard = asyncio.Event()
    database_of(one).listen("one", heard.set)
    await one.take(match)
    async with asyncio.timeout(HUNG):
        while not heard.is_set():  # perhaps the thread does not listen yet
            await two.take(match)
            await asyncio.sleep(0.05)


async def test_a_match_with_nothing_left_to_do_is_given_back(
    one: Process, two: Process, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holdings, "IDLE", 0.0)
    await one.take(match)
    await one.renew()
    assert one.holds(match)  # it has not been shown yet
    one.settled(match, 2, None)
    one.table.busy.add(match)  # a computer thinks
    await one.renew()
    assert one.holds(match)
    one.table.busy.clear()
    await one.renew()
    assert not one.holds(match)
    assert await two.look() == []
    assert await two.take(match)


async def test_a_match_that_was_given_back_is_taken_again_when_it_is_time_and_not_before(
    url: str, one: Process, two: Process, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at the end of quiet hours, an hour later."""
    monkeypatch.setattr(holdings, "IDLE", 0.0)
    await one.take(match)
    one.settled(match, 2, 3_600.0)
    await one.renew()
    assert not one.holds(match)
    for later, found in ((0, []), (3_000, []), (601, [("later", match)])):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("UPDATE lease SET wake = wake - %s", (later * 1_000,))
        assert await two.look() == found


async def test_a_holder_that_is_asked_while_it_gives_back_looks_again(
    one: Process, two: Process, match: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holdings, "IDLE", 0.0)
    await one.take(match)
    one.settled(match, 2, None)
    assert not await two.take(match)
    await one.renew()
    assert one.holds(match) and one.table.called() == [("changed", match)]


async def test_what_a_killed_process_held_another_takes_and_shows(
    url: str, one: Process, two: Process, match: int
) -> None:
    await one.take(match)
    assert await two.look() == []
    expire(url)
    assert await two.look() == [("later", match)]
    fence = one.fence(match)
    assert fence is not None and fence.left() > 0
    await one.renew()
    assert fence.left() <= 0 and not one.holds(match)


@pytest.mark.parametrize("shown", [False, True])
async def test_a_process_that_ends_gives_back_at_once(one: Process, two: Process, match: int, shown: bool) -> None:
    """Also what it has shown: a computer may have had to move there."""
    await one.take(match)
    if shown:
        one.settled(match, 2, None)
    await one.close()
    assert await two.look() == [("later", match)]
    assert not await one.take(match)


async def test_a_process_that_is_to_end_takes_nothing_more(one: Process, match: int) -> None:
    one.rest()
    assert await one.look() == []
    assert await one.take(match)  # a player of its own waits


async def test_one_process_is_on_duty(one: Process, two: Process, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        holdings, "steady", lambda: 1000.0
    )  # five seconds have not gone by, however slow the machine is
    done = list[str]()

    async def work(process: Process) -> float | None:
        assert current_fence() is process.duty
        done.append(process.holder)
        return 3.0

    assert await asyncio.gather(one.alone(lambda: work(one)), one.alone(lambda: work(one))) == [3.0, 3.0]
    assert await two.alone(lambda: work(two)) == OFF_DUTY
    expire(url)
    assert await two.alone(lambda: work(two)) == OFF_DUTY  # it looks every five seconds
    two.off_duty_until = 0.0
    assert await two.alone(lambda: work(two)) == 3.0
    await one.renew()
    assert await one.alone(lambda: work(one)) == OFF_DUTY
    await two.close()
    one.off_duty_until = 0.0
    assert await one.alone(lambda: work(one)) == 3.0
    assert done == ["one", "one", "two", "one"]


async def test_private_hands_follow_what_other_processes_change(one: Process, match: int) -> None:
    await one.take(match)
    one.table.shown[match] = 2
    assert await one.look() == []
    one.table.shown[match] = 1
    assert await one.look() == [("has changed", match)]


# --- requests to Discord


def lease(left: float) -> Fence:
    return Fence(1, "one", 1, steady() + left)


async def test_without_its_lease_a_process_asks_nothing_of_discord() -> None:
    with fenced(lease(0.0)), pytest.raises(DiscordFailure) as caught:
        async with discord_call():
            raise AssertionError("it was asked")
    assert caught.value.kind is Failure.LATER


async def test_a_request_is_broken_off_when_the_lease_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "PATIENCE", None)  # it is broken off for no other reason
    async with asyncio.timeout(HUNG):
        with fenced(lease(0.1)), pytest.raises(DiscordFailure) as caught:
            async with discord_call():
                await asyncio.Event().wait()
    assert caught.value.kind is Failure.LATER


async def test_a_request_goes_on_under_a_renewed_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Fence]()

    def left(fence: Fence) -> float:
        """It is renewed between the second look at it and the third."""
        asked.append(fence)
        return 0.05 if len(asked) < 3 else LEASE

    monkeypatch.setattr(Fence, "left", left)
    with fenced(lease(LEASE)):
        async with discord_call():
            assert await until(lambda: len(asked) > 2)


async def test_a_process_that_stood_still_sends_nothing_once_its_lease_has_ended() -> None:
    """It goes on between its last look at the lease and the sending, before any timer, on a connection that is open."""
    asked, stands_still = list[str](), [0.0]

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response()

    async def stand_still(*_: object) -> None:
        time.sleep(stands_still[0])  # noqa: ASYNC251  -- as all of a process does

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(stand_still)
    app = web.Application()
    app.router.add_route("*", "/{path}", answer)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(trace_configs=[within_lease(trace)]) as session,
    ):
        with fenced(lease(LEASE)):
            await (await session.post(server.make_url("/in-time"))).read()
        stands_still[0] = 0.3
        with fenced(lease(0.1)), pytest.raises(DiscordFailure) as caught:
            async with discord_call():
                await session.post(server.make_url("/late"))
        assert caught.value.kind is Failure.LATER
    assert asked == ["/in-time"]
