"""The whole bot on the month's Discord (tests/month/fake_discord.py), in virtual time, in one thread: what it asks of
Discord is recorded, with the eyes that it is for.

Ids follow from what happens in their own channel or to their own person alone, and every request takes equally long:
two bots that do the same for somebody do it with the same ids at the same instant, whatever else they do.
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

from discord.webhook.async_ import AsyncWebhookAdapter, async_context

import bot as program
from bot import Bot, Settings
from cogs.runtime.metrics import Metrics
from cogs.transport.interactions import Interactions
from rules import GAMES
from rules.core.game import Game
from tests.month import fake_discord
from tests.month.fake_discord import FakeDiscord, Message, Press, refuse
from tests.month.process import Process
from tests.month.virtual_time import Life, VirtualLoop

T = TypeVar("T")
MONDAY = 1_780_300_800
"""When every bot begins: the first of June 2026, eight in the morning in UTC."""
ACKNOWLEDGED_BEFORE = 40060


@dataclass(frozen=True, slots=True)
class Call:
    """A request that the bot made. `eyes`: whose alone it is for; None: everybody's in the channel."""

    at: float
    eyes: int | None
    method: str
    path: str
    body: Any
    files: tuple[tuple[str, str], ...] = ()
    """Names of the files, and hashes of their bytes."""

    def __str__(self) -> str:
        return f"{self.at:.1f} {self.method} {self.path} {json.dumps(self.body, sort_keys=True)} {self.files}"


class Even:
    """Chance without chance: each request takes equally long, and fails wholly or not at all."""

    def uniform(self, least: float, most: float) -> float:
        return 0.1

    def random(self) -> float:
        return 0.5


class Recording(FakeDiscord):
    """A Discord that remembers what was asked of it, and takes no second answer for one interaction."""

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(Even(), now)  # type: ignore[arg-type]
        self.calls: list[Call] = []
        self.down = False
        """Whether messages cannot be sent, edited or deleted. Presses are answered all the same."""
        self.silent = False
        """Whether such requests are taken and never answered."""
        self.scope = 0
        self._scopes: dict[int, int] = {}
        self._counts: Counter[tuple[int, int]] = Counter()

    def snowflake(self) -> int:
        """With the time, whose it is, and a count."""
        at = int(self._now() * 1000) - 1_420_070_400_000
        scope = self._scopes.setdefault(self.scope, len(self._scopes))
        self._counts[scope, at] += 1
        assert scope < 1 << 14 and self._counts[scope, at] < 1 << 8
        return at << 22 | scope << 8 | self._counts[scope, at]

    def know(self, user: int, name: str) -> int:
        """Somebody who can be written to; gives the channel of their direct messages."""
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
        """A payload as it is, also one that was delivered before."""
        assert self.bot is not None
        self.presses.setdefault(str(payload["token"]), press)
        self.enter(self.bot._connection.parse_interaction_create, payload)

    def adopt(self, bot: Bot, life: Life) -> None:
        super().adopt(bot, life)
        inner = bot.http.request

        async def request(route: Any, *, files: Any = None, form: Any = None, **how: Any) -> Any:
            self._note(route, fake_discord._body(how.get("json"), form), form)
            return await inner(route, files=files, form=form, **how)

        bot.http.request = request  # type: ignore[method-assign]
        async_context.set(_Adapter(self))  # type: ignore[arg-type]

    def _note(self, route: Any, body: Any, form: Any) -> None:
        path = route.url.split("/api/v10", 1)[1].split("?", 1)[0]
        eyes = self._eyes(path, body)
        self.calls.append(Call(self._now(), eyes, route.method, path, body, tuple(_files(form))))

    async def _request(self, life: Life | None, route: Any, body: Any, params: Any) -> Any:
        if self.silent and "/channels/" in route.url:
            await asyncio.Event().wait()
        if self.down and "/channels/" in route.url:
            await asyncio.sleep(0.1)
            refuse(503, 0)
        return await super()._request(life, route, body, params)

    def _eyes(self, path: str, body: Any) -> int | None:
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
                edits = bool(rest) and not press.loading and press.source is not None
                return press.source.eyes if edits and press.source is not None else self._answered_to(press, body)
            case ["users", "@me", "channels"]:
                return int(body["recipient_id"])
        return 0

    def _answered_to(self, press: Press, body: Any) -> int | None:
        """Whose eyes a follow-up is for."""
        if press.loading:
            return press.user if press.answer is None else press.answer.eyes
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


class _Adapter(fake_discord._Adapter):
    """Answers to interactions are recorded as other requests are."""

    _fake: Recording

    def __getattr__(self, name: str) -> Any:
        return getattr(AsyncWebhookAdapter, name).__get__(self)

    async def request(self, route: Any, session: Any, *, payload: Any = None, multipart: Any = None, **how: Any) -> Any:
        self._fake._note(route, fake_discord._body(payload, multipart), multipart)
        return await super().request(route, session, payload=payload, multipart=multipart, **how)


def _files(form: Any) -> Iterator[tuple[str, str]]:
    for part in form or ():
        if part["name"] != "payload_json":
            at = part["value"].tell()
            yield str(part.get("filename")), sha256(part["value"].read()).hexdigest()[:16]
            part["value"].seek(at)


class Running:
    """A bot that runs, until it is closed. `games`: the rules that it plays by; `discord`: what it runs on."""

    def __init__(
        self, folder: Path, games: Mapping[str, Game] = GAMES, discord: Callable[..., Recording] = Recording
    ) -> None:
        self.games = games
        self._runner = asyncio.Runner(loop_factory=VirtualLoop)
        self.loop = self._runner.get_loop()
        self.loop.set_exception_handler(lambda loop, context: logging.getLogger("loop").error("%s", context["message"]))
        self.discord = discord(self.now)
        folder.mkdir(parents=True, exist_ok=True)
        self.settings = Settings(
            database=f"{folder}/sundial.db", backup_minutes=0, dm_seconds=0, beat_seconds=3600, limited=False
        )
        self.run(self.start())

    def now(self) -> float:
        return MONDAY + self.loop.time()

    @property
    def bot(self) -> Bot:
        return self._process.bot

    @property
    def app(self) -> Interactions:
        assert self.bot.app is not None
        return self.bot.app

    @property
    def metrics(self) -> Metrics:
        return self.bot.metrics

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        # Not through the runner, which takes the signals for each of them: thousands are short.
        return self.loop.run_until_complete(work)

    def run_inside(self, work: Coroutine[Any, Any, T]) -> T:
        """As a part of the bot's process: what it sets going dies with that."""
        return self.loop.run_until_complete(self.loop.create_task(work, context=self._process._context))

    def pass_time(self, seconds: float) -> None:
        self.run(asyncio.sleep(seconds))

    async def start(self) -> None:
        """A new process on the same file."""
        usual, program.GAMES = program.GAMES, dict(self.games)
        try:
            self._process = await Process.start(self.settings, self.discord, self.now)
        finally:
            program.GAMES = usual

    def forget_pictures(self) -> None:
        """Have each drawn anew."""
        self.app.messages.drawing._pictures.clear()

    async def stop(self, crash: bool = False) -> None:
        """End it properly, or as `kill -9` does."""
        await (self._process.kill() if crash else self._process.stop())

    def close(self) -> None:
        self.run(self.stop())
        self._runner.close()
