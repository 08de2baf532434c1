"""What the bot asks of Discord a second, and what it still asks after many refusals, alone and beside others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from cogs.runtime.metrics import Metrics
from cogs.runtime.periodic import Periodic
from cogs.transport.request_budget import ALONE, LASTS, PORTION, SLOW, STOP, Breaker, Paused, RequestBudget
from data.records.request_budget import RATE, SAVED, StoredBudget
from data.store.database import Database, NotStored
from data.store.engine import Connection
from tests.support.simulation import Simulation, background

TABLE = "/api/v10/channels/1/messages/2"
CALLBACK = "/api/v10/interactions/1/token/callback"
HAND = "/api/v10/webhooks/1/token/messages/@original"
EVENTS = "/api/v10/guilds/1/scheduled-events"


class Common:
    """The row that all processes share."""

    def __init__(self) -> None:
        self.left, self.invalid = 0, 0
        self.asked: list[int] = []
        self.fails = self.hangs = self.forgot = False

    async def draw(self, most: int) -> tuple[int, float]:
        self.asked.append(most)
        if self.hangs:
            await asyncio.sleep(60)
        if self.fails:
            raise NotStored
        granted = min(most, self.left)
        self.left -= granted
        return granted, self.left / RATE

    async def report(self, invalid: int) -> int:
        if self.fails:
            raise NotStored
        self.invalid += invalid
        return self.invalid

    async def forget_dead(self) -> None:
        self.forgot = True


class Time:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def budget(time: Time, monkeypatch: pytest.MonkeyPatch) -> RequestBudget:
    sleep = asyncio.sleep

    async def pass_time(seconds: float) -> None:
        time.now += seconds
        await sleep(0)

    monkeypatch.setattr("cogs.transport.request_budget.asyncio.sleep", pass_time)
    return RequestBudget(Metrics(), time)


@pytest.fixture
def common(budget: RequestBudget) -> Common:
    """What the budget shares with other processes."""
    shared = Common()
    budget.share(shared, ())
    return shared


def held_back(budget: RequestBudget, how: str) -> int:
    found = budget.metrics.registry.get_sample_value("sundial_requests_held_back_total", {"how": how})
    return int(found or 0)


async def test_alone_it_sends_at_most_50_requests_in_any_second(budget: RequestBudget, time: Time) -> None:
    sent = []
    for _ in range(300):
        await budget.admit("PATCH", TABLE)
        sent.append(time.now)
    assert all(sum(at <= other < at + 1 for other in sent) <= 50 for at in sent)
    assert len(sent) / (sent[-1] - sent[0]) == pytest.approx(RATE, rel=0.05)


async def test_requests_are_scarce_once_one_has_waited_for_a_second(budget: RequestBudget, time: Time) -> None:
    await asyncio.gather(*(budget.admit("PATCH", TABLE) for _ in range(40)))
    assert not budget.is_scarce(), "a moment with many of them: the last has waited for 0.9 s"
    time.now += 60
    await asyncio.gather(*(budget.admit("PATCH", TABLE) for _ in range(60)))
    assert budget.is_scarce()
    assert budget.gauges()["requests_scarce"]
    time.now += 4
    assert budget.is_scarce()
    time.now += 2
    assert not budget.is_scarce()


async def test_a_reserved_request_waits_before_the_block(budget: RequestBudget, time: Time) -> None:
    await asyncio.gather(*(budget.admit("PATCH", TABLE) for _ in range(20)))
    async with budget.reserved():
        waited = time.now
        await budget.admit("PATCH", TABLE)
        assert time.now == waited, "the first request of the block is sent at once"
        await budget.admit("PATCH", TABLE)
        assert time.now > waited, "the second one waits"


async def test_a_reserved_request_that_is_not_sent_is_left_for_others(budget: RequestBudget, time: Time) -> None:
    await budget.admit("PATCH", TABLE)
    begun = time.now
    for _ in range(3 * SAVED):
        async with budget.reserved():
            pass
    for _ in range(SAVED - 1):
        await budget.admit("PATCH", TABLE)
    assert time.now == begun


async def test_a_reserved_request_of_an_earlier_portion_is_not_added_to_a_later_one(
    budget: RequestBudget, time: Time, common: Common
) -> None:
    await budget.meet(2)
    common.left = 2 * PORTION
    async with budget.reserved() as lasts:
        assert lasts()
        time.now += LASTS
        assert not lasts()
        await asyncio.gather(*(asyncio.create_task(budget.admit("PATCH", TABLE)) for _ in range(1)))
    portion = budget.portion
    async with budget.reserved():
        assert budget.portion == portion - 1
    assert budget.portion == portion, "one of the same portion is"


async def test_a_request_reserved_long_ago_waits_again(budget: RequestBudget, time: Time) -> None:
    """Otherwise those of two seconds could be sent in one."""
    sent = []

    async def send(after: float) -> None:
        async with budget.reserved():
            time.now += after
            await budget.admit("PATCH", TABLE)
            sent.append(time.now)

    for number in range(200):
        await send(LASTS * (number % 3))
    assert all(sum(at <= other < at + 1 for other in sent) <= 49 for at in sent)


async def test_answers_to_presses_pass_at_once_and_cost_nothing(budget: RequestBudget, time: Time) -> None:
    for _ in range(1_000):
        await budget.admit("POST", CALLBACK)
        await budget.admit("PATCH", HAND)
        await budget.admit("GET", "/gateway")
    assert time.now == 100
    assert budget.left == 1.0


async def test_beside_others_it_sends_only_what_it_gets_of_the_common_budget(
    budget: RequestBudget, time: Time, common: Common
) -> None:
    budget.processes = 3
    common.left = 7
    done = [asyncio.create_task(budget.admit("PATCH", TABLE)) for _ in range(30)]
    for _ in range(50):
        await asyncio.wait(done, timeout=0)
        await asyncio.get_running_loop().run_in_executor(None, int)
    assert sum(task.done() for task in done) == 7
    common.left, common.asked = 1_000, []
    await asyncio.gather(*done)
    assert max(common.asked) == PORTION
    assert len(common.asked) == -(-23 // PORTION), "in portions"
    before = len(common.asked)
    time.now += 1.1  # what is left of the last portion is not used any more
    await budget.admit("PATCH", TABLE)
    assert len(common.asked) == before + 1
    assert held_back(budget, "waited") >= 23


@pytest.mark.parametrize("processes", [2, 4, 8, 40])
async def test_a_busy_process_among_idle_ones_uses_the_whole_budget(
    budget: RequestBudget, time: Time, processes: int
) -> None:
    class Filling(Common):
        """Filled as the row in the database is, which keeps no more than what may be saved up."""

        tokens, at = float(SAVED), 100.0

        async def draw(self, most: int) -> tuple[int, float]:
            self.tokens, self.at = min(SAVED, self.tokens + (time.now - self.at) * RATE), time.now
            granted = min(most, int(self.tokens))
            self.tokens -= granted
            return granted, self.tokens / SAVED

    budget.share(Filling(), ())
    budget.processes = processes
    for _ in range(200):
        await budget.admit("PATCH", TABLE)
    assert 200 / (time.now - 100) > 0.95 * RATE


def test_no_second_has_more_requests_than_discord_allows() -> None:
    """At most those that were saved up, those of that second, and those granted just before it and not yet sent."""
    assert SAVED + RATE * (1 + LASTS) <= 50


async def test_a_process_that_is_alone_does_not_ask_the_database(budget: RequestBudget, common: Common) -> None:
    for _ in range(100):
        await budget.admit("PATCH", TABLE)
    assert common.asked == []


@pytest.mark.parametrize("how", ["fails", "hangs"])
async def test_without_the_database_each_process_has_a_fixed_part(
    budget: RequestBudget, time: Time, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.transport.request_budget.PATIENCE", 0.05)
    if how == "hangs":
        monkeypatch.setattr(Common, "draw", lambda self, most: asyncio.Event().wait())
    common = Common()
    common.fails = how == "fails"
    budget.share(common, ())
    budget.processes = 5
    began = time.now
    for _ in range(40):
        await budget.admit("PATCH", TABLE)
    assert 40 / (time.now - began) == pytest.approx(RATE / 5, rel=0.15)
    assert len(common.asked) <= (time.now - began) / ALONE + 1, "it is asked again now and then"


async def test_refused_requests_open_the_breaker_in_two_steps_and_the_window_closes_it(
    budget: RequestBudget, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    for _ in range(SLOW - 1):
        budget.heard(TABLE, 403, "")
    budget.heard(TABLE, 429, "shared")
    budget.heard(TABLE, 404, "")
    budget.heard(TABLE, 200, "")
    assert budget.breaker is Breaker.CLOSED
    budget.heard(CALLBACK, 401, "")
    assert budget.breaker is Breaker.SLOW
    with pytest.raises(Paused):
        await budget.admit("POST", EVENTS)
    with pytest.raises(Paused):
        await budget.admit("GET", TABLE)
    await budget.admit("PATCH", TABLE)
    time.now += 300
    for _ in range(STOP - SLOW):
        budget.heard(TABLE, 429, "user")
    assert budget.breaker is Breaker.STOP
    with pytest.raises(Paused):
        await budget.admit("PATCH", TABLE)
    await budget.admit("POST", CALLBACK)
    await budget.admit("GET", "/api/v10/users/@me")
    assert budget.gauges()["breaker"] == 2
    time.now += 301
    assert budget.breaker is Breaker.CLOSED
    await budget.admit("POST", EVENTS)
    assert len(caplog.records) == 3, "it says each change once"
    assert f"refused {SLOW} requests" in caplog.text
    assert held_back(budget, "refused") == 3


async def test_what_others_are_refused_counts_and_a_report_is_not_lost(budget: RequestBudget, common: Common) -> None:
    common.fails = True
    for _ in range(3):
        budget.heard(TABLE, 403, "")
    await budget.meet(2)
    assert common.invalid == 0
    common.fails, common.invalid = False, STOP - 4
    await budget.meet(2)
    assert common.invalid == STOP - 1
    assert budget.breaker is Breaker.SLOW
    budget.heard(TABLE, 403, "")
    assert budget.breaker is Breaker.STOP, "its own count at once"


async def test_while_the_others_are_not_heard_of_they_count_as_refused_as_often(
    budget: RequestBudget, time: Time, common: Common
) -> None:
    await budget.meet(4)
    common.fails = True
    for _ in range(STOP // 4):
        await budget.meet(4)
        budget.heard(TABLE, 403, "")
    assert budget.breaker is Breaker.STOP
    time.now += 599
    budget.heard(TABLE, 403, "")
    assert budget.invalid == STOP + 4, "they were last heard of within the window"
    time.now += 2
    assert budget.invalid == 4


@pytest.fixture
async def discord() -> AsyncIterator[tuple[str, list[str]]]:
    """A server that refuses all, and what it was asked."""
    asked: list[str] = []

    async def refuse(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(status=403)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", refuse)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}", asked
    await runner.cleanup()


async def test_every_request_of_a_session_passes_the_budget(
    discord: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.transport.request_budget.SLOW", 3)
    monkeypatch.setattr("cogs.transport.request_budget.STOP", 4)
    origin, asked = discord
    budget = RequestBudget(Metrics())
    async with aiohttp.ClientSession(trace_configs=[budget.trace(aiohttp.TraceConfig())]) as session:
        for _ in range(4):
            async with session.patch(f"{origin}{TABLE}") as answer:
                assert answer.status == 403
        with pytest.raises(Paused):
            await session.patch(f"{origin}{TABLE}")
        async with session.post(f"{origin}{CALLBACK}"):
            pass
    assert asked == [TABLE] * 4 + [CALLBACK], "what is paused never leaves"
    assert budget.invalid == 5


async def test_rows_of_ended_processes_go(database: Database) -> None:
    """A process deletes its own old rows when it reports. Those of processes that have ended are deleted hourly."""
    ended, living = StoredBudget(database, "ended"), StoredBudget(database, "living")

    def age(c: Connection) -> None:
        c.execute("UPDATE invalid_requests SET minute = minute - 60")

    def rows(c: Connection) -> list[str]:
        return [row[0] for row in c.execute("SELECT process FROM invalid_requests")]

    await ended.report(3)
    await database.write(age)
    await living.report(2)
    assert sorted(await database.read(rows)) == ["ended", "living"]
    await living.forget_dead()
    assert await database.read(rows) == ["living"]


async def test_the_bot_forgets_ended_processes_hourly(sim: Simulation) -> None:
    store = Common()
    sim.bot.budget.share(store, (NotStored,))
    (task,) = [task for task in background(sim, Periodic) if task.name == "forget ended processes"]
    await task.work()
    assert store.forgot
