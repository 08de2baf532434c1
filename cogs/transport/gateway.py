"""The connection of one shard to the gateway, kept up until it is closed.

discord.py opens and closes all shards of a process together. Here each has a connection of its own, so that a process
can take and give back shards while it runs. All of discord.py's private parts that this needs are in this file:
`DiscordWebSocket.from_client`, its `poll_event`, its heartbeats and its parsers, the cache of servers in
`Client._connection`, and the parts of a `Guild`.
tests/process/test_gateway.py tries each of them on a local gateway.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from cogs.runtime.logs import kind_of
from cogs.runtime.periodic import end_tasks

log = logging.getLogger(__name__)

CONNECTING = 60.0
"""Seconds for a connection to be made."""
GREETING = 10.0
"""Seconds for a gateway to greet that `bot.py --check` asks."""
STRAGGLERS = 3.0
"""Seconds to wait for the next server that Discord has announced; then the shard counts as ready."""
SHORT = 5.0
"""A connection that was not ready and lasted fewer seconds is followed by a pause."""
LONGEST_PAUSE = 30.0
"""Seconds between two tries at most, as long as none has cost a session: after an outage the bot is back soon."""
IN_USE = 60.0
"""Seconds for which a press that came before a server was forgotten may still look into it."""
ENDED = 1000
"""The code of a connection that was closed in order."""

FAILURES = (
    OSError,
    discord.HTTPException,
    discord.GatewayNotFound,
    discord.RateLimited,
    discord.ConnectionClosed,
    aiohttp.ClientError,
    TimeoutError,
)


def use_addresses(api: str | None, gateway: str | None) -> None:
    """Let discord.py reach Discord's API and gateway there, for this whole process; None: at Discord's own."""
    if api is not None:
        discord.http.Route.BASE = api
    if gateway is not None:
        address = type(DiscordWebSocket.DEFAULT_GATEWAY)(gateway)
        DiscordWebSocket.DEFAULT_GATEWAY = GatewayConnection.instead = address


async def silence_of(client: discord.Client, address: str) -> str:
    """Return why the gateway at that address cannot be used; "" if it greets, as Discord's and a proxy before it do."""
    try:
        async with asyncio.timeout(GREETING), await client.http.ws_connect(f"{address}?v=10&encoding=json") as socket:
            said = await socket.receive()
        greets = said.type is aiohttp.WSMsgType.TEXT and json.loads(said.data)["op"] == DiscordWebSocket.HELLO
    except (*FAILURES, ValueError, LookupError, TypeError) as error:
        return kind_of(error)
    return "" if greets else "it does not greet"


def set_shard_count(client: discord.Client, total: int) -> None:
    """Tell discord.py the number of shards: connections announce it, and each server's shard follows from it."""
    client.shard_count = client._connection.shard_count = total


def announce_ready(client: discord.Client) -> None:
    """Dispatch `ready`, as discord.py does when all shards are there."""
    client._connection.call_handlers("ready")
    client.dispatch("ready")


def shard_of(guild: int, total: int) -> int:
    """Return the shard of a server, by Discord's formula."""
    return (guild >> 22) % total


class WebSocket(DiscordWebSocket):
    """discord.py's own, which counts the time to a heartbeat's answer from before it is sent. discord.py notes when it
    has sent one from another thread: a gateway on the same machine answers sooner, and its warning that it cannot keep
    up, and the latency that it tells, would be of the heartbeat before.
    """

    async def send_heartbeat(self, data: Any) -> None:
        """Send a heartbeat."""
        if self._keep_alive is not None:
            self._keep_alive.beat()
        await super().send_heartbeat(data)


class GatewayConnection:
    """The connection of one shard. `serves`: whether presses and commands that come over it are handled.

    `may_identify` returns when the shard may begin a session. `changed` is called when `ready` has changed, and when
    the connection has failed for good: then `failure` says why. `starting`: whether that is so if the first try fails.
    """

    instead: Any = None
    """The address of what stands in for Discord's gateway, if anything; a session is resumed there too."""

    def __init__(
        self,
        client: discord.Client,
        number: int,
        may_identify: Callable[[int], Awaitable[None]],
        changed: Callable[[], object],
        *,
        starting: bool,
    ) -> None:
        self.number = number
        self.serves = False
        self.ready = False
        self.fresh = False
        """Whether a session has begun of which the servers were not announced yet to the bot's parts."""
        self.failure: Exception | None = None
        self._fails = False
        """Whether the log says that it is not connected; each further try is no news."""
        self._client = client
        self._may_identify = may_identify
        self._changed = changed
        self._starting = starting
        self._backoff = ExponentialBackoff[bool]()
        self._socket: DiscordWebSocket | None = None
        self._awaited: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to connect."""
        self._task = asyncio.create_task(self._keep_up(), name=f"shard {self.number}")

    async def close(self) -> None:
        """End the connection and its session, and forget the shard's servers."""
        await end_tasks(self._task)
        self._stop_timer()
        self.ready = self.serves = False
        self._forget_servers(set())  # before the socket is closed, as by then the shard may have a new connection
        if self._socket is not None:
            with suppress(*FAILURES):
                await self._socket.close(code=ENDED)

    async def _keep_up(self) -> None:
        try:
            await self._connect_again_and_again()
        except Exception as error:  # the task is not awaited: `failure` is looked at
            self.failure = error
            self._down()
            self._changed()

    async def _connect_again_and_again(self) -> None:
        """Connect, resume and identify as Discord wants it. Raises ConnectionClosed if Discord refuses the shard; one
        of FAILURES if the bot starts and its first connection cannot be made.
        """
        resumes, loop = False, asyncio.get_running_loop()
        while True:
            begun, pause, before, identifies = loop.time(), False, self._socket, not resumes
            try:
                if identifies:
                    await self._may_identify(self.number)
                    begun = loop.time()
                await self._listen(resumes)
            except ReconnectWebSocket as error:
                assert self._socket is not None
                why = f"closed with {self._socket.socket.close_code}" if error.resume else "its session is invalid"
                resumes = error.resume and self._resumable() is not None
                pause = not self.ready and loop.time() - begun < SHORT
            except FAILURES as error:
                if isinstance(error, discord.ConnectionClosed) and error.code not in (None, ENDED):
                    raise
                if self._socket is None and self._starting:
                    raise
                why, resumes, pause = kind_of(error), self._resumable() is not None, True
            self._down()
            if pause:
                if not self._fails:
                    log.warning(
                        "shard %d is not connected: %s. It is tried again and again; its servers are not heard until "
                        "then. If other processes are connected, restart this one",
                        *(self.number, why),
                    )
                self._fails = True
                costs = identifies and self._socket is not before
                await asyncio.sleep(self._backoff.delay() if costs else min(self._backoff.delay(), LONGEST_PAUSE))

    async def _listen(self, resumes: bool) -> None:
        """Connect, and handle what comes until the connection ends."""
        old = self._socket if resumes else None
        coming = WebSocket.from_client(
            self._client,
            initial=True,  # otherwise discord.py waits for 5 s by itself
            shard_id=self.number,
            resume=resumes,
            gateway=self.instead or (None if old is None else old.gateway),
            session=None if old is None else old.session_id,
            sequence=None if old is None else old.sequence,
        )
        try:
            ws = self._socket = await asyncio.wait_for(coming, CONNECTING)
        except ReconnectWebSocket as error:
            raise ConnectionResetError("closed before it has greeted") from error
        ws._discord_parsers = self._parsers()
        while True:
            await ws.poll_event()

    def _resumable(self) -> str | None:
        return None if self._socket is None else self._socket.session_id

    def _parsers(self) -> dict[str, Callable[[Any], object]]:
        """Return discord.py's parsers, with those replaced that concern one shard of several."""
        state = self._client._connection
        parsers: dict[str, Callable[[Any], object]] = dict(state.parsers)

        def interaction_create(data: Any) -> None:
            if self.serves:
                state.parse_interaction_create(data)

        def guild_create(data: Any) -> None:
            state.parse_guild_create(data)
            self._heard_of(int(data["id"]))

        def guild_delete(data: Any) -> None:
            guild = state._get_guild(int(data["id"]))
            state.parse_guild_delete(data)
            if guild is not None and state._get_guild(guild.id) is None:
                _take_apart_later(guild)
            self._heard_of(int(data["id"]))

        own = {
            "READY": self._begin_session,
            "RESUMED": lambda _: self._up(),
            "INTERACTION_CREATE": interaction_create,
            "GUILD_CREATE": guild_create,
            "GUILD_DELETE": guild_delete,
        }
        return {**parsers, **own}

    def _begin_session(self, data: Any) -> None:
        """A session begins with the list of the shard's servers; each then comes by itself."""
        state = self._client._connection
        self._awaited = {int(guild["id"]) for guild in data["guilds"]}
        self._forget_servers(self._awaited)
        for guild in data["guilds"]:
            if state._get_guild(int(guild["id"])) is None:
                state._add_guild_from_data(guild)
        self.fresh = True
        self._wait_for_servers()

    def _heard_of(self, guild: int) -> None:
        if guild in self._awaited:
            self._awaited.discard(guild)
            self._wait_for_servers()

    def _wait_for_servers(self) -> None:
        self._stop_timer()
        if self._awaited:  # during an outage some do not come
            self._timer = asyncio.get_running_loop().call_later(STRAGGLERS, self._up)
        else:
            self._up()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _up(self) -> None:
        self._stop_timer()
        self._awaited = set()
        if self._fails:
            log.warning("shard %d is connected again", self.number)
        self._fails, self._backoff = False, ExponentialBackoff()
        if not self.ready:
            self.ready = True
            self._changed()

    def _down(self) -> None:
        self._stop_timer()
        if self.ready:
            self.ready = False
            self._changed()

    def _forget_servers(self, but: set[int]) -> None:
        """Take the servers of this shard out of the cache, except these: nothing tells of changes of them any more."""
        state = self._client._connection
        total = state.shard_count or 1
        for guild in list(self._client.guilds):
            if shard_of(guild.id, total) == self.number and guild.id not in but:
                state._remove_guild(guild)
                _take_apart_later(guild)


def _take_apart_later(guild: discord.Guild) -> None:
    asyncio.get_running_loop().call_later(IN_USE, _take_apart, guild)


def _take_apart(guild: discord.Guild) -> None:
    """Empty a server that the cache has forgotten. Its channels and roles refer to it, and bot.py keeps what was there
    when the bot was ready out of garbage collections, so it would never be freed.
    """
    parts = (guild._channels, guild._threads, guild._roles, guild._members, guild._stage_instances)
    for part in (*parts, guild._scheduled_events, guild._voice_states, guild._soundboard_sounds):
        part.clear()
