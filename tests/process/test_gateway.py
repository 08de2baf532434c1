"""The shards of one process on a local gateway: opened, broken, resumed, refused and closed one by one."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise, zip_longest
from math import inf
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web

from cogs.runtime import start_throttle
from cogs.runtime.metrics import Metrics
from cogs.runtime.process import Exit, process_name
from cogs.transport import gateway
from cogs.transport.errors import explain
from cogs.transport.gateway import use_addresses
from cogs.transport.request_budget import RequestBudget
from cogs.transport.shards import shards_of
from data.records.key_values import KeyValues
from data.store.database import Database
from tests.process.launch import use_local_discord
from tests.process.loopback import Loopback, until
from tests.support.hung import HUNG
from tests.support.inside import transport_of

UNKNOWN_ERROR = 4000
"""A code with which Discord ends a session that may begin again."""


class Listener(discord.Client):
    """A client that notes what is dispatched."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.events: list[str] = []
        self.heard: list[int] = []
        self.shards: Any = None

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        if event in ("ready", "resumed", "disconnect"):
            self.events.append(event)
        if event == "interaction":
            self.heard.append(args[0].channel_id)
        super().dispatch(event, *args, **kwargs)


@asynccontextmanager
async def connected(
    database: Database, wanted: int | None = None, now: Callable[[], float] = time.time
) -> AsyncIterator[tuple[Listener, asyncio.Task[None]]]:
    """A client whose shards run on that database."""
    async with Listener() as client:
        budget = RequestBudget(Metrics())
        client.shards = shards_of(client, database, KeyValues(database), wanted, budget, now, process_name())
        await client.login("planted")
        running = asyncio.create_task(client.shards.run())
        try:
            yield client, running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await client.shards.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.transport.shards.EVERY", 0.05)
    monkeypatch.setattr(start_throttle, "GAP", 0.2)


@pytest.fixture
async def local() -> AsyncIterator[tuple[Loopback, Database, list[int]]]:
    """A Discord with four shards, an empty file, and a channel of a server of each shard, in their order."""
    async with Loopback() as loopback:
        use_local_discord(loopback.origin)
        loopback.shards = 4
        database = await Database.open(":memory:")
        channels = []
        for shard in range(4):
            guild = loopback.backend.create_guild(f"Harbour {shard}", shard_id=shard, shard_count=4)
            channels.append(loopback.backend.create_channel(guild.id, "games").id)
        yield loopback, database, channels
        await database.close()


async def seen(true: Callable[[], Any]) -> None:
    assert await until(true)


@asynccontextmanager
async def ready(database: Database) -> AsyncIterator[Listener]:
    """A client that has all shards and servers."""
    async with connected(database) as (client, _):
        await seen(lambda: "ready" in client.events)
        yield client


def send(loopback: Loopback, channel: int) -> None:
    """Send a press from that channel. It is not answered."""
    user = loopback.backend.make_user("ann")
    guild = loopback.backend.get_channel(channel).guild_id
    loopback.backend.add_member(guild, user.id)
    data = {"component_type": 2, "custom_id": "none"}
    asyncio.ensure_future(loopback.act(3, user.id, channel, data))  # noqa: RUF006


def recorded_turns(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[tuple[float, float]]:
    """Return the list into which each turn to identify goes that this method of its owner gives from now on: the
    earliest and the latest instant of time.monotonic() at which it is due, as to give it takes a moment.
    """
    reserve, turns = getattr(owner, name), list[tuple[float, float]]()

    async def reserves(self: object, bucket: int) -> float:
        asked = time.monotonic()
        seconds: float = await reserve(self, bucket)
        turns.append((asked + seconds, time.monotonic() + seconds))
        return seconds

    monkeypatch.setattr(owner, name, reserves)
    return turns


def out_of_turn(loopback: Loopback, turns: list[tuple[float, float]]) -> int:
    """Return how many identifies came before their turn. How much later one comes is the machine's affair."""
    came, due = sorted(at for at, _, _ in loopback.identified), sorted(earliest for earliest, _ in turns)
    return sum(at < turn for at, turn in zip_longest(came, due[: len(came)], fillvalue=inf))


async def test_with_a_file_one_process_runs_all_shards_and_keeps_to_the_limit_of_identifies(
    local: tuple[Loopback, Database, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback, database, channels = local
    turns = recorded_turns(monkeypatch, start_throttle.LocalSlots, "__call__")
    async with ready(database) as client:
        assert [(shard, total) for _, shard, total in loopback.identified] == [(n, 4) for n in range(4)]
        assert all(latest - earliest > 0.19 for (earliest, _), (_, latest) in pairwise(turns))
        assert not out_of_turn(loopback, turns)
        assert len(client.guilds) == 4
        assert client.events == ["ready"], "once, when all are there"
        for channel in channels:
            send(loopback, channel)
        await seen(lambda: sorted(client.heard) == sorted(channels))
        assert client.shards.gauges() | {"sessions_left": 0} == {
            **{"shards": 4, "shards_held": 4, "shards_connected": 4, "shards_unheld": 0},
            **{"processes": 1, "identifies_total": 4, "sessions_left": 0},
        }
    assert await until(lambda: not loopback.sessions), "all sessions are closed in order"


async def test_a_broken_shard_is_resumed_and_what_it_missed_arrives(
    local: tuple[Loopback, Database, list[int]],
) -> None:
    loopback, database, channels = local
    async with ready(database) as client:
        broken = next(session for session in loopback.sessions if session.shard[0] == 2)
        transport_of(broken.socket).abort()
        await seen(lambda: broken not in loopback.sessions)
        send(loopback, channels[2])
        await seen(lambda: client.events == ["ready", "disconnect", "resumed"])
        await seen(lambda: client.heard == [channels[2]])  # it may have resumed before the press
        assert len(loopback.identified) == 4, "no new session"


@pytest.mark.parametrize("refusal", [UNKNOWN_ERROR, None])
async def test_a_shard_that_does_not_come_up_is_logged_once_and_once_when_it_does(
    local: tuple[Loopback, Database, list[int]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    refusal: int | None,
) -> None:
    """`refusal`: Discord closes each of its sessions with that code, or says that they are invalid."""
    loopback, database, _ = local
    monkeypatch.setattr("cogs.transport.gateway.ExponentialBackoff.delay", lambda self: 0.0)
    monkeypatch.setattr(start_throttle, "GAP", 0.0)
    tried: list[int] = []

    def fails(shard: int) -> bool:
        tried.extend([shard] * (shard == 1 and len(tried) < 4))
        return shard == 1 and len(tried) < 4

    if refusal is None:
        monkeypatch.setattr(loopback, "_is_early", fails)
    else:
        monkeypatch.setattr(loopback, "_refusal", lambda shard, total: refusal if fails(shard) else None)
    async with ready(database):
        pass
    why = "its session is invalid" if refusal is None else f"closed with {refusal}"
    first, last = (r for r in caplog.records if r.name == "cogs.transport.gateway")
    assert first.levelname == last.levelname == "WARNING"
    assert first.getMessage().startswith(f"shard 1 is not connected: {why}. It is tried again")
    assert last.getMessage() == "shard 1 is connected again"


async def test_after_an_outage_a_shard_does_not_wait_longer_than_half_a_minute(
    local: tuple[Loopback, Database, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the outage was, unless a try costs one of the day's sessions; and the next outage is another one."""
    loopback, database, _ = local
    monkeypatch.setattr(gateway, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(start_throttle, "GAP", 0.0)
    connect, tries, pauses = aiohttp.ClientSession.ws_connect, list[int](), list[object]()

    async def refused(*given: Any, **how: Any) -> Any:
        tries.append(1)
        if len(tries) % 3:
            raise ConnectionRefusedError
        return await connect(*given, **how)

    def long(backoff: object) -> float:
        pauses.append(backoff)
        return HUNG

    async with ready(database) as client:
        monkeypatch.setattr(gateway.ExponentialBackoff, "delay", long)
        monkeypatch.setattr(aiohttp.ClientSession, "ws_connect", refused)
        for outage in range(2):
            transport_of(loopback.sessions[0].socket).abort()
            await seen(lambda outage=outage: client.events.count("resumed") > outage)
        assert len(tries) == 6
        assert pauses[0] is pauses[1] is not pauses[2] is pauses[3]
        monkeypatch.setattr(aiohttp.ClientSession, "ws_connect", connect)
        loopback.resumes = False
        monkeypatch.setattr(loopback, "_is_early", lambda shard: True)
        transport_of(loopback.sessions[0].socket).abort()
        await seen(lambda: len(pauses) == 6)
        assert len(loopback.sessions) == 3, "the whole pause"


async def test_a_token_that_was_reset_ends_the_bot_though_the_api_tells_no_limits_any_more(
    local: tuple[Loopback, Database, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gateway says it, once a session begins."""
    loopback, database, _ = local
    monkeypatch.setattr(start_throttle, "KNOWN_FOR", -1.0)
    loopback.limit["reset_after"] = 10**9

    async def unauthorized(request: web.Request) -> web.Response:
        return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)

    async with connected(database) as (client, running):
        await seen(lambda: "ready" in client.events)
        monkeypatch.setattr(loopback, "answer_rest", unauthorized)
        loopback.resumes = False
        monkeypatch.setattr(loopback, "_refusal", lambda shard, total: 4004)
        transport_of(loopback.sessions[0].socket).abort()
        with pytest.raises(discord.ConnectionClosed) as caught:
            await asyncio.wait_for(running, HUNG)
        told = explain(caught.value)
        assert told is not None and told[0] is Exit.TOKEN
        assert "sessions_left" not in client.shards.gauges(), "what is known of them is old"


async def test_a_shard_that_comes_later_is_tried_again_too_and_a_fault_in_one_is_told(
    local: tuple[Loopback, Database, list[int]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loopback, database, _ = local
    connect, tries = aiohttp.ClientSession.ws_connect, list[int]()
    monkeypatch.setattr(gateway, "LONGEST_PAUSE", 0.01)
    monkeypatch.setattr(start_throttle, "GAP", 0.0)

    async def refused(*given: Any, **how: Any) -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionRefusedError
        return await connect(*given, **how)

    async with ready(database) as client:
        monkeypatch.setattr(aiohttp.ClientSession, "ws_connect", refused)
        loopback.sessions[0].send(0, {}, "GUILD_CREATE")  # it lacks all that discord.py expects
        await seen(lambda: len(client.events) == 3)
        assert client.events == ["ready", "disconnect", "ready"] and len(tries) == 3
    said = [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert [line.partition(":")[0] for line in said] == [
        *("shard 0 opens a new connection", "shard 0 is not connected", "shard 0 is connected again")
    ]
    assert "KeyError" in said[0] and "ConnectionRefusedError" in said[1]


async def test_after_a_new_session_the_cache_has_only_servers_that_are_still_there(
    local: tuple[Loopback, Database, list[int]],
) -> None:
    loopback, database, channels = local
    async with ready(database) as client:
        broken = next(session for session in loopback.sessions if session.shard[0] == 1)
        gone = loopback.backend.get_channel(channels[1]).guild_id
        loopback.resumes = False
        del loopback.backend.guilds[gone]
        transport_of(broken.socket).abort()
        await seen(lambda: client.events == ["ready", "disconnect", "ready"])
        assert client.get_guild(gone) is None
        assert len(client.guilds) == 3


async def test_servers_that_are_forgotten_are_freed_without_a_garbage_collection(
    local: tuple[Loopback, Database, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there when the bot is ready is frozen: no collection frees it."""

    def alive() -> int:
        kinds = discord.Guild | discord.abc.GuildChannel | discord.Role
        return sum(isinstance(thing, kinds) for thing in gc.get_objects())

    loopback, database, channels = local
    monkeypatch.setattr("cogs.transport.gateway.IN_USE", 0.0)
    gc.collect()
    gc.disable()
    try:
        before = alive()
        async with connected(database) as (client, _):
            assert await until(lambda: client.shards.up == 4)
            assert alive() >= before + 4 * 4, "each server has a channel and two roles"
            loopback.backend.remove_guild(loopback.backend.get_channel(channels[0]).guild_id)
            assert await until(lambda: len(client.guilds) == 3)
            assert await until(lambda: alive() == before + 3 * 4)
        assert await until(lambda: alive() == before)
    finally:
        gc.enable()


async def test_too_few_shards_end_the_bot_with_a_sentence_and_a_code(
    local: tuple[Loopback, Database, list[int]],
) -> None:
    _, database, _ = local
    async with connected(database, wanted=2) as (_, running):
        with pytest.raises(discord.ConnectionClosed) as caught:
            await asyncio.wait_for(running, HUNG)
    told = explain(caught.value)
    assert told is not None
    assert told[0] is Exit.SHARDS
    assert "SHARD_COUNT" in told[1]


@pytest.mark.parametrize("closes", [False, True])
async def test_without_a_gateway_the_start_fails(local: tuple[Loopback, Database, list[int]], closes: bool) -> None:
    """None is there, or it closes each connection at once, as a proxy may that has lost Discord."""
    loopback, database, _ = local
    use_local_discord(loopback.origin)
    loopback.greets = not closes
    if not closes:
        use_addresses(None, "ws://127.0.0.1:1/gateway")
    async with connected(database) as (_, running):
        with pytest.raises(OSError) as caught:
            await asyncio.wait_for(running, HUNG)
    told = explain(caught.value)
    assert told is not None
    assert told[0] is Exit.UNREACHABLE


async def test_an_answer_in_no_time_is_that_of_the_heartbeat_it_follows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """discord.py's thread notes only later when it has sent it."""

    class Socket:
        async def send_str(self, _: str) -> None:
            await ws.received_message('{"op": 11}')

        async def close(self, **_: object) -> None:
            pass

    now = 0.0
    monkeypatch.setattr(discord.gateway, "time", SimpleNamespace(perf_counter=lambda: now, time=lambda: now))
    socket: Any = Socket()
    ws = gateway.WebSocket(socket, loop=asyncio.get_running_loop())
    vars(ws).update(shard_id=0, _max_heartbeat_timeout=60.0)
    await ws.received_message('{"op": 10, "d": {"heartbeat_interval": 41250}}')
    now = 41.25
    await ws.send_heartbeat({"op": 1, "d": None})
    assert ws.latency == 0
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    await ws.close()
