"""The whole bot in virtual time, in one thread, on the fake Discord of tests/month, which records every request.

An id depends only on what happened before in its channel, or to its user, and each request takes equally long. So two
bots that do the same for a user do it with the same ids at the same instants, even if they differ for others.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from discord.webhook.async_ import async_context

from bot import Bot, Settings
from cogs import app as parts
from cogs.runtime.metrics import Metrics
from cogs.transport.interactions import Interactions
from rules import GAMES
from rules.core.game import Game
from tests.month import fake_discord
from tests.month.fake_discord import FakeDiscord
from tests.month.messages import Message, Press
from tests.month.payloads import refuse
from tests.month.process import Process
from tests.month.virtual_time import ProcessRun, VirtualLoop
from tests.support import quick_schema
from tests.support.inside import connection_of

quick_schema.install()

T = TypeVar("T")
MONDAY = 1_780_300_800
"""The time at which each bot starts: 1 June 2026, 8:00 UTC."""
ACKNOWLEDGED_BEFORE = 40060


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the bot. `viewer`: the only user who sees its effect; None: all members of the channel."""

    at: float
    viewer: int | None
    method: str
    path: str
    body: Any
    files: tuple[tuple[str, str], ...] = ()
    """Names of the files, and hashes of their bytes."""

    def __str__(self) -> str:
        return f"{self.at:.1f} {self.method} {self.path} {json.dumps(self.body, sort_keys=True)} {self.files}"


class FixedChance:
    """Replaces Random: each request takes equally long, and either all requests fail or none."""

    def uniform(self, least: float, most: float) -> float:
        return 0.1

    def random(self) -> float:
        return 0.5


class RecordingDiscord(FakeDiscord):
    """A fake Discord that records requests, and refuses a second acknowledgement of an interaction."""

    def __init__(self, now: Callable[[], float]) -> None:
        chance: Any = FixedChance()
        super().__init__(chance, now)
        self.recorded: list[Request] = []
        self.down = False
        """Whether all requests to send, edit or delete messages fail. Answers to presses still work."""
        self.silent = False
        """Whether Discord takes such requests and never answers."""
        self.scope = 0
        self._scopes: dict[int, int] = {}
        self._counts: Counter[tuple[int, int]] = Counter()

    def snowflake(self) -> int:
        """Return a new id, made of the time, its channel or user, and a count."""
        at = int(self.now() * 1000) - 1_420_070_400_000
        scope = self._scopes.setdefault(self.scope, len(self._scopes))
        self._counts[scope, at] += 1
        assert scope < 1 << 14 and self._counts[scope, at] < 1 << 8
        return at << 22 | scope << 8 | self._counts[scope, at]

    def know(self, user: int, name: str) -> int:
        """Add a user who takes direct messages. Return the channel of these."""
        self.names[user] = name
        channel = self.new_channel(number=user * 1000)
        channel.user = user
        self._dms[user] = channel.id
        for scope in (user, channel.id):
            self._scopes.setdefault(scope, len(self._scopes))
        return channel.id

    async def interact(self, user: int, channel: int, kind: int, data: Any, source: Message | None = None) -> Press:
        self.scope = user
        return await super().interact(user, channel, kind, data, source)

    async def deliver(self, press: Press, payload: Mapping[str, Any]) -> None:
        """Deliver a payload unchanged. It may have been delivered before."""
        assert self.bot is not None
        self.presses.setdefault(str(payload["token"]), press)
        self.enter(connection_of(self.bot).parse_interaction_create, payload)

    def adopt(self, bot: Bot, life: ProcessRun) -> None:
        super().adopt(bot, life)
        inner = bot.http.request

        async def request(route: Any, *, files: Any = None, form: Any = None, **how: Any) -> Any:
            self.note(route, fake_discord.body_of(how.get("json"), form), form)
            return await inner(route, files=files, form=form, **how)

        http: Any = bot.http
        http.request = request
        adapter: Any = _Adapter(self)
        async_context.set(adapter)

    def note(self, route: Any, body: Any, form: Any) -> None:
        path = route.url.split("/api/v10", 1)[1].split("?", 1)[0]
        viewer = self._viewer_of(path, body)
        self.recorded.append(Request(self.now(), viewer, route.method, path, body, tuple(_files(form))))

    async def request(self, life: ProcessRun | None, route: Any, body: Any, params: Any) -> Any:
        if self.silent and "/channels/" in route.url:
            await asyncio.Event().wait()
        if self.down and "/channels/" in route.url:
            await asyncio.sleep(0.1)
            refuse(503, 0)
        return await super().request(life, route, body, params)

    def _viewer_of(self, path: str, body: Any) -> int | None:
        match path.strip("/").split("/"):
            case ["channels", channel, *_]:
                found = self.channels.get(int(channel))
                return None if found is None else found.user
            case ["interactions", _, token, "callback"]:
                press = self.presses.get(token)
                return 0 if press is None else press.user
            case ["webhooks", _, token, *rest]:
                press = self.presses.get(token)
                if press is None:
                    return 0
                if rest and rest[-1] != "@original":
                    return press.user if press.answer is None else press.answer.viewer
                edits = bool(rest) and not press.loading and press.source is not None
                return press.source.viewer if edits and press.source is not None else self._answered_to(press, body)
            case ["users", "@me", "channels"]:
                return int(body["recipient_id"])
        return 0

    def _answered_to(self, press: Press, body: Any) -> int | None:
        """Return the only user who sees a follow-up, or None."""
        if press.loading:
            return press.user if press.answer is None else press.answer.viewer
        private = (body or {}).get("flags", 0) & fake_discord.EPHEMERAL or self.channels[press.channel].user is not None
        return press.user if private else None

    def _answer(self, method: str, path: str, body: Any, params: Any) -> Any:
        parts = path.strip("/").split("/")
        self.scope = int(parts[1]) if parts[0] == "channels" else 0
        if parts[0] == "webhooks" and (press := self.presses.get(parts[2])) is not None:
            self.scope = press.user
        return super()._answer(method, path, body, params)

    def _acknowledge(self, press: Press | None, body: Any) -> Any:
        if press is not None:
            if press.acknowledged:
                refuse(400, ACKNOWLEDGED_BEFORE)
            self.scope = press.user
        return super()._acknowledge(press, body)


class _Adapter(fake_discord.Adapter):
    """Records answers to interactions like other requests."""

    _fake: RecordingDiscord

    async def request(self, route: Any, session: Any, *, payload: Any = None, multipart: Any = None, **how: Any) -> Any:
        self._fake.note(route, fake_discord.body_of(payload, multipart), multipart)
        return await super().request(route, session, payload=payload, multipart=multipart, **how)


def _files(form: Any) -> Iterator[tuple[str, str]]:
    for part in form or ():
        if part["name"] != "payload_json":
            at = part["value"].tell()
            yield str(part.get("filename")), sha256(part["value"].read()).hexdigest()[:16]
            part["value"].seek(at)


class RunningBot:
    """A running bot, until `close`. `games`: its rules; `discord`: the class of its fake Discord."""

    def __init__(
        self,
        folder: Path,
        games: Mapping[str, Game] = GAMES,
        discord: Callable[..., RecordingDiscord] = RecordingDiscord,
    ) -> None:
        self.games = games
        self._runner = asyncio.Runner(loop_factory=VirtualLoop)
        self.loop = self._runner.get_loop()
        self.loop.set_exception_handler(lambda loop, context: logging.getLogger("loop").error("%s", context["message"]))
        self.discord = discord(self.now)
        folder.mkdir(parents=True, exist_ok=True)
        self.settings = Settings(
            database=f"{folder}/sundial.db",
            backup_minutes=0,
            dm_seconds=0,
            beat_seconds=3600,
            limited=False,
            workers=0,
            tables_each=0,
            emoji=False,
        )
        self.run(self.start())

    def now(self) -> float:
        return MONDAY + self.loop.time()

    @property
    def bot(self) -> Bot:
        return self.process.bot

    @property
    def app(self) -> Interactions:
        assert self.bot.app is not None
        return self.bot.app

    @property
    def metrics(self) -> Metrics:
        return self.bot.metrics

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        # Not through the runner: it installs a signal handler for each of thousands of short runs.
        return self.loop.run_until_complete(work)

    def run_inside(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` as part of the bot's process: the tasks that it starts die with the process."""
        return self.loop.run_until_complete(self.loop.create_task(work, context=self.process.context))

    def pass_time(self, seconds: float) -> None:
        self.run(asyncio.sleep(seconds))

    async def start(self) -> None:
        """Start a new process on the same file."""
        usual, parts.GAMES = parts.GAMES, dict(self.games)
        try:
            self.process = await Process.start(self.settings, self.discord, self.now)
        finally:
            parts.GAMES = usual

    def forget_pictures(self) -> None:
        """Empty the cache of pictures."""
        self.app.messages.drawing.pictures.clear()

    async def stop(self, crash: bool = False) -> None:
        """Stop the process in order, or as `kill -9` does."""
        await (self.process.kill() if crash else self.process.stop())

    def close(self) -> None:
        self.run(self.stop())
        self._runner.close()
