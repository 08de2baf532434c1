"""A Discord on 127.0.0.1: simcord's world behind a real HTTP and WebSocket server, for a bot in its own process.

It adds what simcord lacks and a crash needs: a message that is sent twice with one nonce is one message.
`Loopback.gate` lets a test stop Discord at a request, to kill the bot at that moment, to `go_on` later, or to refuse.
`Loopback.on_applied` is called for each request that was carried out, before its answer.
"""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Callable
from ssl import SSLContext
from types import SimpleNamespace
from typing import Any

from aiohttp import BodyPartReader, WSMsgType, web
from simcord import interactions
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.http import router
from simcord.http import routes as _routes  # noqa: F401  -- registers the routes

PATIENCE = 60.0
"""Seconds until a wait fails: far more than needed, for busy machines."""
MESSAGES = 1 << 9 | 1 << 12
"""The intents that a bot needs to get events of messages."""
SESSION_LIMIT = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}


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


class Loopback:
    """`async with Loopback() as discord:` serves on a free port; `discord.backend` is simcord's state."""

    def __init__(self, encryption: SSLContext | None = None) -> None:
        self.backend = Backend()
        self.origin = ""
        self._encryption = encryption
        self.requests: list[tuple[str, str, Any]] = []
        self.answered: list[tuple[float, str, str]] = []
        self._open = 0
        self.gate: Callable[[str, str], bool] = lambda method, path: False
        self.on_applied: Callable[[str, str, Any, Any, bool], None] = lambda method, path, body, made, known: None
        """Called with a request and its result, and whether a message with this nonce had been made before."""
        self.fails: Callable[[str, str], str | None] = lambda method, path: None
        """How a request fails: "429", "502", "reset", "lost" (it is carried out, and its answer lost), or not at all
        (None).
        """
        self.stopped = asyncio.Event()
        self.go_on = asyncio.Event()
        self.sessions: list[SimpleNamespace] = []
        self._nonces: dict[tuple[str, str], Any] = {}

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
        for session in self.sessions:
            if not event.startswith("MESSAGE_") or session.intents & MESSAGES:
                session.send(0, payload, event)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        session = SimpleNamespace(socket=socket, sequence=0, queue=asyncio.Queue())

        def send(op: int, data: Any = None, event: str | None = None) -> None:
            session.sequence += event is not None
            number = session.sequence if event else None
            session.queue.put_nowait(json.dumps({"op": op, "d": data, "s": number, "t": event}, default=str))

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
        return socket

    def _hear(self, session: SimpleNamespace, packet: dict[str, Any]) -> None:
        if packet["op"] == 1:
            session.send(11)
        elif packet["op"] == 2:
            session.intents = packet["d"]["intents"]
            self.sessions.append(session)
            ready = {
                "v": 10,
                "user": dict(serializers.user_payload(self.backend.bot_user)),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in self.backend.guilds.values()],
                "session_id": f"session {time.monotonic()}",
                "resume_gateway_url": self._gateway_address,
                "shard": [0, 1],
                "application": {"id": str(self.backend.application_id), "flags": 0},
            }
            session.send(0, ready, "READY")
            for guild in self.backend.guilds.values():
                session.send(0, serializers.guild_create_payload(self.backend, guild), "GUILD_CREATE")
        elif packet["op"] == 6:
            session.send(9, False)

    async def _timed(self, request: web.Request) -> web.Response:
        self._open += 1
        try:
            return await self._rest(request)
        finally:  # also if the bot was killed during the request
            self._open -= 1
            self.answered.append((time.perf_counter(), request.method, "/" + request.match_info["path"]))

    async def _rest(self, request: web.Request) -> web.Response:
        path, method = "/" + request.match_info["path"], request.method
        body, files = await self._body(request)
        self.requests.append((method, path, body))
        if self.gate(method, path):
            self.stopped.set()
            await self.go_on.wait()  # most bots are killed here
        failure = self.fails(method, path)
        if failure is not None and failure != "lost":
            return _failed(request, failure)
        if path == "/gateway/bot":
            return _answer({"url": self._gateway_address, "shards": 1, "session_start_limit": SESSION_LIMIT})
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

    # What people do.

    async def act(self, kind: int, user: int, channel: int, data: dict[str, Any], message: Any = None) -> Any:
        """Send one interaction. Return simcord's record of its answer, once it is answered, or after PATIENCE
        seconds.
        """
        guild = self.backend.get_channel(channel).guild_id
        record, payload = interactions.base_payload(
            self.backend, type=kind, channel_id=channel, guild_id=guild, user_id=user, data=data
        )
        if message is not None:
            record.source_message_id = message.id
            payload["message"] = dict(serializers.message_payload(self.backend, message))
        self.backend.emit("INTERACTION_CREATE", payload)
        await until(lambda: record.responded)
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


async def until(true: Callable[[], Any], seconds: float = PATIENCE) -> bool:
    """Wait until `true()` is true, for at most that time. Return whether it is."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.01)
    return True
