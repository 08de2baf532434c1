"""A Discord on 127.0.0.1: simcord's world behind a real HTTP and WebSocket server, for a bot in its own process.

It adds what simcord lacks and a crash needs: a message that is sent twice with one nonce is one message.
`Loopback.gate` lets a test stop Discord at a request, to kill the bot at that moment, to `go_on` later, or to refuse.
`Loopback.on_applied` is called for each request that was carried out, before its answer.

Its gateway has shards: an event of a server goes to the sessions of its shard, one of direct messages to those of shard
0. With `identify_gap` it refuses an identify that comes too early in its bucket, as Discord does. A session whose
connection broke can be resumed.
"""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from ssl import SSLContext
from types import SimpleNamespace
from typing import Any

from aiohttp import BodyPartReader, WSMsgType, web
from simcord import interactions
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.http import router
from simcord.http import routes as _routes  # noqa: F401  -- registers the routes

from tests.support.hung import HUNG

MESSAGES = 1 << 9 | 1 << 12
"""The intents that a bot needs to get events of messages."""
SESSION_LIMIT = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
NO_SUCH_SHARD, TOO_FEW_SHARDS = 4010, 4011
FIRST_PAUSE, MOST_PAUSE = 0.01, 0.1
"""Seconds between two looks of `until`."""


def _answer(body: object, status: int = 200, **headers: str) -> web.Response:
    # discord.py reads JSON only under exactly this content type.
    headers = {"Content-Type": "application/json", **headers}
    return web.Response(body=json.dumps(body, default=str).encode(), status=status, headers=headers)


def _failed(request: web.Request, how: str) -> web.Response:
    """Answer as Discord's rate limit, a proxy, or a broken connection does."""
    if how == "429":
        body = {"message": "You are being rate limited.", "retry_after": 0.3, "global": False}
        return _answer(body, 429, Via="1.1 google")
    if how == "502":
        return web.Response(status=502, text="<html>Bad gateway</html>", content_type="text/html")
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


class WallClock(Clock):
    """The time of this machine. The id of each message says when it was sent, as the bot reads it."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.elapsed)


class Loopback:
    """`async with Loopback() as discord:` serves on a free port; `discord.backend` is simcord's state."""

    def __init__(self, encryption: SSLContext | None = None) -> None:
        self.backend = Backend(clock=WallClock())
        self.origin = ""
        self._encryption = encryption
        self.requests: list[tuple[str, str, Any]] = []
        self.answered: list[tuple[float, str, str]] = []
        self._open = 0
        self.gate: Callable[[str, str], bool] = lambda method, path: False
        self.on_applied: Callable[[str, str, Any, Any, bool], None] = lambda method, path, body, made, known: None
        """Called with a request and its result, and whether a message with this nonce had been made before."""
        self.fails: Callable[[str, str], str | None]
        """How a request fails: "429", "502", "reset", "lost" (carried out, the answer lost), or not at all (None)."""
        self.recover()
        self.hears: Callable[[list[SimpleNamespace]], list[SimpleNamespace]] = list
        """Which of the sessions of its shard get an interaction: all, unless a test says otherwise."""
        self.on_asked: Callable[[str, str, str, Any], None] = lambda method, path, agent, body: None
        """Called with each request before it is carried out, with its user agent and its body."""
        self.stopped = asyncio.Event()
        self.go_on = asyncio.Event()
        self.sessions: list[SimpleNamespace] = []
        self.shards = 1
        """The number of shards that it recommends; it refuses fewer."""
        self.limit = dict(SESSION_LIMIT)
        self.identify_gap = 0.0
        """Seconds between two identifies in one bucket; 0: it takes any number."""
        self.identified: list[tuple[float, int, int]] = []
        """When each session began, with its shard and the number of shards."""
        self.greets = True
        """Whether its gateway greets who connects; else it closes the connection."""
        self.resumes = True
        """Whether a session whose connection broke can be resumed."""
        self.pressed: dict[str, dict[str, Any]] = {}
        """What each interaction has pressed, or which command it is, by its token."""
        self.patience = HUNG
        """Seconds that a person waits for the acknowledgement of a press, and Discord takes it."""
        self._broken: dict[str, SimpleNamespace] = {}
        self._closing: set[asyncio.Future[Any]] = set()
        self._count = 0
        self._nonces: dict[tuple[str, str], Any] = {}

    def forget_nonces(self) -> None:
        """Take each message that is sent from now on for a new one, as Discord does after some minutes."""
        self._nonces.clear()

    async def __aenter__(self) -> Loopback:
        self.backend.subscribers.append(self._fan_out)
        app = web.Application(client_max_size=30 << 20)
        app.router.add_get("/gateway/", self._gateway)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self._timed)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._encryption)
        await site.start()
        scheme = "https" if self._encryption else "http"
        self.origin = f"{scheme}://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.go_on.set()
        for session in self.sessions:
            await session.socket.close()
        await self._runner.cleanup()

    @property
    def _gateway_address(self) -> str:
        return f"{self.origin.replace('http', 'ws', 1)}/gateway"

    # What the bot talks to.

    def _fan_out(self, event: str, payload: Any) -> None:
        found = payload.get("id") if event in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE") else None
        guild = int(found or payload.get("guild_id") or 0)
        sessions = [
            session
            for session in [*self.sessions, *self._broken.values()]
            if (guild >> 22) % session.shard[1] == session.shard[0]
        ]
        for session in self.hears(sessions) if event == "INTERACTION_CREATE" else sessions:
            if not event.startswith("MESSAGE_") or session.intents & MESSAGES:
                session.send(0, payload, event)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if not self.greets:
            await socket.close()
            return socket
        agent = request.headers.get("User-Agent", "")
        session = SimpleNamespace(
            socket=socket, sequence=0, queue=asyncio.Queue(), history=[], agent=agent, transport=request.transport
        )

        def send(op: int, data: Any = None, event: str | None = None) -> None:
            session.sequence += event is not None
            number = session.sequence if event else None
            text = json.dumps({"op": op, "d": data, "s": number, "t": event}, default=str)
            if event:
                session.history.append((number, text))
            session.queue.put_nowait(text)

        async def pump() -> None:
            while not socket.closed:
                await socket.send_str(await session.queue.get())

        session.send = send
        pumping = asyncio.create_task(pump())
        send(10, {"heartbeat_interval": 20000})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._hear(session, json.loads(message.data))
        finally:
            pumping.cancel()
            await asyncio.gather(pumping, return_exceptions=True)
            if session in self.sessions:
                self.sessions.remove(session)
                if socket.close_code not in (1000, 1001):
                    self._broken[session.id] = session
        return socket

    def _hear(self, session: SimpleNamespace, packet: dict[str, Any]) -> None:
        if packet["op"] == 1:
            session.send(11)
        elif packet["op"] == 2:
            session.intents, session.shard = packet["d"]["intents"], tuple(packet["d"].get("shard", (0, 1)))
            if (refusal := self._refusal(*session.shard)) is not None:
                self._closing.add(closing := asyncio.ensure_future(session.socket.close(code=refusal)))
                closing.add_done_callback(self._closing.discard)
                return
            if self._is_early(session.shard[0]):
                session.send(9, False)
                return
            self.identified.append((time.monotonic(), *session.shard))
            self.limit["remaining"] -= 1
            self._count += 1
            session.id = f"session {self._count}"
            self.sessions.append(session)
            self._announce(session)
        elif packet["op"] == 6:
            old = self._broken.pop(packet["d"]["session_id"], None)
            if old is None or not self.resumes:
                session.send(9, False)
                return
            session.id, session.intents, session.shard = old.id, old.intents, old.shard
            session.sequence, session.history = old.sequence, old.history
            for number, text in old.history:
                if number > packet["d"]["seq"]:
                    session.queue.put_nowait(text)
            self.sessions.append(session)
            session.send(0, {}, "RESUMED")

    def _announce(self, session: SimpleNamespace) -> None:
        """Tell a new session its servers."""
        number, total = session.shard
        guilds = [guild for guild in self.backend.guilds.values() if (guild.id >> 22) % total == number]
        session.send(0, self._ready(session, [{"id": str(g.id), "unavailable": True} for g in guilds]), "READY")
        for guild in guilds:
            created = {**serializers.guild_create_payload(self.backend, guild), "unavailable": False}
            session.send(0, created, "GUILD_CREATE")

    def _ready(self, session: SimpleNamespace, guilds: list[dict[str, Any]]) -> dict[str, Any]:
        """Return what a session begins with."""
        return {
            "v": 10,
            "user": dict(serializers.user_payload(self.backend.bot_user)),
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": self._gateway_address,
            "shard": session.shard,
            "application": {"id": str(self.backend.application_id), "flags": 0},
        }

    def _refusal(self, shard: int, total: int) -> int | None:
        """Return the code with which the gateway refuses a shard, or None."""
        if not 0 <= shard < total:
            return NO_SUCH_SHARD
        return TOO_FEW_SHARDS if total < self.shards else None

    def _is_early(self, shard: int) -> bool:
        """Return whether another session of the same bucket has just begun."""
        bucket, now = shard % self.limit["max_concurrency"], time.monotonic()
        return any(
            now - at < self.identify_gap and other % self.limit["max_concurrency"] == bucket
            for at, other, _ in self.identified
        )

    async def _timed(self, request: web.Request) -> web.Response:
        self._open += 1
        try:
            return await self.answer_rest(request)
        finally:  # also if the bot was killed during the request
            self._open -= 1
            self.answered.append((time.perf_counter(), request.method, "/" + request.match_info["path"]))

    async def answer_rest(self, request: web.Request) -> web.Response:
        path, method = "/" + request.match_info["path"], request.method
        body, files = await self._body(request)
        self.requests.append((method, path, body))
        if self.gate(method, path):
            self.stopped.set()
            await self.go_on.wait()  # most bots are killed here
        failure = self.fails(method, path)
        if failure is not None and failure != "lost":
            return _failed(request, failure)
        self.on_asked(method, path, request.headers.get("User-Agent", ""), body)
        if path == "/gateway/bot":
            return _answer({"url": self._gateway_address, "shards": self.shards, "session_start_limit": self.limit})
        if (method, path) == ("GET", "/users/@me"):
            return _answer(dict(serializers.user_payload(self.backend.bot_user)))
        once = (path, body["nonce"]) if isinstance(body, dict) and body.get("enforce_nonce") else None
        if once is not None and once in self._nonces:
            self.on_applied(method, path, body, self._nonces[once], True)
            return _answer(self._nonces[once])
        try:
            made = router.dispatch(self.backend, method, path, json=body, params=dict(request.query), files=files)
        except BackendError as error:
            return _answer(error.to_json(), error.status)
        if once is not None:
            self._nonces[once] = made
        self.on_applied(method, path, body, made, False)
        if failure == "lost":
            return _failed(request, "reset")
        return web.Response(status=204) if made is None else _answer(made)

    async def _body(self, request: web.Request) -> tuple[Any, list[Any]]:
        if request.content_type != "multipart/form-data":
            return (await request.json() if request.can_read_body else None), []
        body: Any = None
        files = []
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            if part.name == "payload_json":
                body = json.loads(await part.text())
            else:
                data = io.BytesIO(await part.read())
                files.append(SimpleNamespace(filename=part.filename, fp=data, description=None))
        described = (body.get("data", body) if body else {}).get("attachments", [])
        for file, facts in zip(files, described, strict=False):
            file.description = facts.get("description")
        return body, files

    def recover(self) -> None:
        """Let no request fail any more."""
        self.fails = lambda method, path: None

    def forget(self, agent: str) -> None:
        """A process whose user agent ends so is dead: nothing resumes its sessions."""
        for session in [session for session in self._broken.values() if session.agent.endswith(f" {agent}")]:
            del self._broken[session.id]

    # What people do.

    async def act(self, kind: int, user: int, channel: int, data: dict[str, Any], message: Any = None) -> Any:
        """Send one interaction. Return simcord's record of its answer, once it is answered, or after `patience`
        seconds.
        """
        record = self.send(kind, user, channel, data, message)
        await until(lambda: record.responded, self.patience)
        return record

    def send(self, kind: int, user: int, channel: int, data: dict[str, Any], message: Any = None) -> Any:
        """Send one interaction. Return simcord's record of its answer, which comes later."""
        guild = self.backend.get_channel(channel).guild_id
        record, payload = interactions.base_payload(
            self.backend, type=kind, channel_id=channel, guild_id=guild, user_id=user, data=data
        )
        self.pressed[record.token] = data
        record.initial_response_deadline = self.backend.iso_after(self.patience)
        if message is not None:
            record.source_message_id = message.id
            payload["message"] = dict(serializers.message_payload(self.backend, message))
        self.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def slash(self, user: int, channel: int, name: str, **options: Any) -> Any:
        guild = self.backend.get_channel(channel).guild_id
        command = self.backend.find_command(name, guild)
        kinds = {option["name"]: option["type"] for option in command.get("options") or []}
        given = [{"name": key, "type": kinds[key], "value": value} for key, value in options.items()]
        return await self.act(2, user, channel, {"id": command["id"], "name": name, "type": 1, "options": given})

    async def press(self, user: int, channel: int, message: Any, custom_id: str) -> Any:
        return await self.act(3, user, channel, {"component_type": 2, "custom_id": custom_id}, message)

    async def choose(self, user: int, channel: int, message: Any, custom_id: str, value: str) -> Any:
        """Choose one option of a select."""
        return await self.act(
            3, user, channel, {"component_type": 3, "custom_id": custom_id, "values": [value]}, message
        )

    async def quiet(self, seconds: float) -> None:
        """Wait until no request is open, and none has come for that time."""
        count = -1
        while self._open or count != len(self.answered):
            count = len(self.answered)
            await asyncio.sleep(seconds)

    def messages(self, channel: int) -> list[Any]:
        """Return the public messages of a channel, oldest first."""
        return [m for m in self.backend.messages.get(channel, {}).values() if not m.flags & 64]


async def until(true: Callable[[], Any], seconds: float = HUNG) -> bool:
    """Wait until `true()` is true, for at most that time. Return whether it is. The longer that takes, the more rarely
    it is asked: many of these questions read a database.
    """
    end, pause = time.monotonic() + seconds, FIRST_PAUSE
    while not true():
        left = end - time.monotonic()
        if left <= 0:
            return False
        await asyncio.sleep(min(pause, left))
        pause = min(1.25 * pause, MOST_PAUSE)
    return True
