"""Discord in memory, as far as the bot uses it. discord.py's own code runs, down to the HTTP request and up from the
gateway's payload. `FakeDiscord.on_ping` is called for each ping: a new direct message, or a mention in a new message.

Simpler than the real one: only a channel's history repeats a message's components, and without pictures.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import aiohttp
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot import Bot
from tests.month.messages import _LINK, ALL, BOT, EPHEMERAL, GUILD, NONCE, SILENT, TOKEN_LIFE, Channel, Message, Press
from tests.month.payloads import _application, _channel, _guild, _member, _readable, _stamp, body_of, refuse
from tests.month.virtual_time import PROCESS_RUN, ProcessRun
from tests.support import apicheck
from tests.support.inside import connection_of


class FakeDiscord:
    """One server with all its channels. `now` gives seconds since 1970; `on_ping(user, match, message)` is
    called for each ping, `on_hand_shown(user, match)` for each hand shown in answer to a press.
    """

    def __init__(self, random: Random, now: Callable[[], float]) -> None:
        self._random = random
        self.now = now
        self._count = 0
        self.channels: dict[int, Channel] = {}
        self.presses: dict[str, Press] = {}
        self.names: dict[int, str] = {}
        self.closed_dms: set[int] = set()
        """Users who take no direct messages."""
        self.ends: dict[int, dict[int, Message]] = {}
        """The messages that tell the end of each match, by id."""
        self.tables: dict[int, Message] = {}
        """The newest public message that shows each match."""
        self.hands: dict[tuple[int, int], Message] = {}
        """The newest direct message by user and match."""
        self.private_hands: dict[tuple[int, int], Message] = {}
        """The newest private hand by user and match: an answer that only that user sees."""
        self.failing = 0.0
        """The fraction of requests that fails."""
        self.connected = self.removed = False
        self.enter: Callable[..., object] = lambda work, *what: work(*what)
        """Runs a function as part of the bot's process."""
        self.bot: Bot | None = None
        self.on_ping: Callable[[int, int | None, Message], None] = lambda user, match, message: None
        self.on_hand_shown: Callable[[int, int], None] = lambda user, match: None
        self.requests = 0
        self.unknown: list[str] = []
        self._nonces: dict[tuple[int, str], tuple[float, Message]] = {}
        self._sent: dict[str, Message] = {}
        self._dms: dict[int, int] = {}

    def snowflake(self) -> int:
        """Return a new id, which has the time in it."""
        self._count += 1
        return (int(self.now() * 1000) - 1_420_070_400_000) << 22 | (self._count & 0x3FFFFF)

    def new_channel(self, parent: int | None = None, number: int | None = None) -> Channel:
        channel = Channel(number or self.snowflake(), parent)
        self.channels[channel.id] = channel
        return channel

    # The gateway.

    def adopt(self, bot: Bot, life: ProcessRun) -> None:
        """Connect the bot to this Discord."""
        self.bot = bot

        async def request(route: Any, *, files: Any = None, form: Any = None, **how: Any) -> Any:
            return await self.request(life, route, body_of(how.get("json"), form), how.get("params") or {})

        async def static_login(token: str) -> Any:
            bot.watch.heard(self.now())  # the answer's header
            return self._user(BOT)

        http: Any = bot.http
        http.request, http.static_login = request, static_login
        adapter: Any = Adapter(self)
        async_context.set(adapter)

    def ready(self) -> None:
        """The gateway's first words after a connection: READY and the server."""
        assert self.bot is not None
        state = connection_of(self.bot)
        guilds = [{"id": str(GUILD), "unavailable": True}]
        application = {"id": str(BOT), "flags": 0}
        ready: Any = {"user": self._user(BOT), "guilds": guilds, "application": application}
        state.parse_ready(ready)
        state.parse_guild_create(_guild())
        self.connected = True

    def resumed(self) -> None:
        assert self.bot is not None
        self.bot.dispatch("resumed")
        self.connected = True

    def lost(self) -> None:
        """The connection breaks."""
        assert self.bot is not None
        self.bot.dispatch("disconnect")
        self.connected = False

    def remove_bot(self) -> None:
        """A manager removes the bot from the server."""
        assert self.bot is not None
        self.removed = True
        connection_of(self.bot).parse_guild_delete({"id": str(GUILD)})

    def set_thread(self, thread: Channel, *, archived: bool, locked: bool = False) -> None:
        """A moderator archives, locks or opens a thread."""
        thread.archived, thread.locked = archived, locked
        if self.connected and self.bot is not None:
            self.enter(connection_of(self.bot).parse_thread_update, _channel(thread))

    def invite_bot(self) -> None:
        assert self.bot is not None
        self.removed = False
        connection_of(self.bot).parse_guild_create(_guild())

    async def interact(self, user: int, channel: int, kind: int, data: Any, source: Message | None = None) -> Press:
        """Send one interaction through the gateway. Return eight seconds later, when it has been answered."""
        press = Press(user, channel, source)
        hears = self.connected and not (self.removed and self.channels[channel].user is None)
        if hears and self.bot is not None:
            number = self.snowflake()
            self.presses[f"token{number}"] = press
            payload = self.interaction(number, press, kind, data)
            self.enter(connection_of(self.bot).parse_interaction_create, payload)
            asyncio.get_running_loop().call_later(TOKEN_LIFE, self.presses.pop, f"token{number}", None)
            await asyncio.sleep(8)
        return press

    async def press(self, user: int, message: Message, custom_id: str, value: str | None = None) -> Press:
        data: dict[str, Any] = {"component_type": apicheck.BUTTON, "custom_id": custom_id}
        if value is not None:
            data |= {"component_type": apicheck.SELECT, "values": [value]}
        return await self.interact(user, message.channel, 3, data, message)

    async def slash(self, user: int, channel: int, command: str, **options: Any) -> Press:
        given = [
            {"name": key, "type": 4 if type(value) is int else 3, "value": value} for key, value in options.items()
        ]
        name, *sub = command.split()
        inside = [{"name": sub[0], "type": 1, "options": given}] if sub else given
        return await self.interact(user, channel, 2, {"id": "1", "name": name, "type": 1, "options": inside})

    def interaction(self, number: int, press: Press, kind: int, data: Any) -> dict[str, Any]:
        channel, user = self.channels[press.channel], self._user(press.user)
        payload: dict[str, Any] = {
            "id": str(number),
            "application_id": str(BOT),
            "type": kind,
            "token": f"token{number}",
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": _channel(channel),
            "locale": "de" if press.user % 3 == 0 else "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "context": 0 if channel.user is None else 1,
            "attachment_size_limit": 26214400,
            "app_permissions": ALL if channel.user is None else "0",
        }
        if channel.user is None:
            facts = {"roles": [], "joined_at": _stamp(0), "deaf": False, "mute": False, "flags": 0}
            member = {**facts, "user": user, "permissions": ALL}
            payload |= {"guild_id": str(GUILD), "member": member, "guild_locale": "en-US"}
        else:
            payload["user"] = user
        if press.source is not None:
            payload["message"] = self._message(press.source)
        return payload

    # HTTP.

    async def request(self, life: ProcessRun | None, route: Any, body: Any, params: Any) -> Any:
        """Carry out one request: it takes some time, may fail, and may succeed while its answer is lost."""
        path, lost = route.url.split("/api/v10", 1)[1].split("?", 1)[0], False
        self.requests += 1
        if not path.startswith("/oauth2"):
            await asyncio.sleep(self._random.uniform(0.05, 0.4))
            if self._random.random() < self.failing:
                lost = self._random.random() < 0.2
                if not lost:
                    self._fail()
        if life is not None and life.dead:
            await asyncio.Event().wait()
        answer = self._answer(route.method, path, body, params)
        if lost:
            self._fail()
        await asyncio.sleep(0.05)
        if isinstance(answer, dict) and (message := self._sent.pop(answer.get("id", ""), None)) is not None:
            message.known = True
        return answer

    def _fail(self) -> None:
        if self._random.random() < 0.5:
            raise aiohttp.ClientConnectionError
        refuse(503, 0)

    def _answer(self, method: str, path: str, body: Any, params: Any) -> Any:
        parts = path.strip("/").split("/")
        match (method, *parts):
            case ("POST", "channels", channel, "messages"):
                return self._message(self._post(self._channel(channel), body))
            case ("PATCH", "channels", channel, "messages", number):
                return self._message(self._edit(self._changeable(self._find(channel, number)), body))
            case ("GET", "channels", channel):
                return _channel(self._channel(channel))
            case ("PATCH", "channels", channel):
                return self._open_thread(self._channel(channel), body)
            case ("DELETE", "channels", channel, "messages", number):
                message = self._changeable(self._find(channel, number))
                del self.channels[message.channel].messages[message.id]
                return None
            case ("GET", "channels", channel, "messages"):
                around, before = int(params.get("around", 0)), int(params.get("before", 1 << 64))
                limit = int(params.get("limit", 50))
                there = [m for m in self._channel(channel).messages.values() if m.id < before]
                if around:
                    later = [m for m in there if m.id >= around][: limit // 2]
                    there = [*(m for m in there if m.id < around), *later]
                newest = there[: -limit - 1 : -1]
                return [{**self._message(m), "components": _readable(m.body.get("components", []))} for m in newest]
            case ("POST", "channels", channel, "messages", number, "threads"):
                if int(number) in self.channels:
                    refuse(400, 160004)
                return _channel(self.new_channel(int(channel), self._find(channel, number).id))
            case ("POST", "users", "@me", "channels"):
                return self._open_dm(int(body["recipient_id"]))
            case ("POST", "interactions", _, token, "callback"):
                return self._acknowledge(self.presses.get(token), body)
            case ("PATCH", "webhooks", _, token, "messages", number) if number != "@original":
                answer = self._answer_with(self.presses.get(token), number)
                answer.show(body)
                return self._message(answer)
            case ("PATCH", "webhooks", _, token, "messages", "@original") | ("POST", "webhooks", _, token):
                return self._message(self._respond(self.presses.get(token), method, body))
            case ("DELETE", "webhooks", _, token, "messages", number):
                self._answer_with(self.presses.get(token), number).deleted = True
                return None
            case ("GET", "oauth2", *_):
                return _application(self._user(BOT))
            case ("GET", "guilds", _):
                return refuse(404, 10004) if self.removed else _guild()
            case ("GET", "guilds", _, "members", user):
                return refuse(404, 10004) if self.removed else _member(self._user(int(user)))
        self.unknown.append(f"{method} {path}")
        return refuse(404, 0)

    def _channel(self, number: str) -> Channel:
        channel: Channel = self.channels.get(int(number)) or refuse(404, 10003)
        return refuse(403, 50001) if self.removed and channel.user is None else channel

    def _find(self, channel: str, number: str) -> Message:
        return self._channel(channel).messages.get(int(number)) or refuse(404, 10008)

    def _open_thread(self, thread: Channel, body: Any) -> Any:
        assert body == {"archived": False}, body
        if thread.locked:
            refuse(403, 50013)
        thread.archived = False
        return _channel(thread)

    def _changeable(self, message: Message) -> Message:
        """The message, if it may be edited and deleted where it stands."""
        channel = self.channels[message.channel]
        if channel.archived:
            refuse(400, 50083)
        return refuse(403, 160005) if channel.locked else message

    def _open_dm(self, user: int) -> Any:
        if user not in self._dms:
            channel = self.new_channel()
            channel.user = user
            self._dms[user] = channel.id
        return {"id": str(self._dms[user]), "type": 1, "recipients": [self._user(user)], "last_message_id": None}

    def _post(self, channel: Channel, body: Any) -> Message:
        if channel.user in self.closed_dms:
            refuse(403, 50007)
        if channel.locked:
            refuse(403, 160005)
        channel.archived = False
        nonce = (channel.id, str(body.get("nonce")))
        then, known = self._nonces.get(nonce, (0.0, None))
        if body.get("enforce_nonce") and known is not None and self.now() - then < NONCE:
            return known
        message = Message(self.snowflake(), channel.id, body, channel.user)
        channel.messages[message.id] = message
        if body.get("enforce_nonce"):
            self._nonces[nonce] = self.now(), message
        self._sent[str(message.id)] = message
        self._noted(message)
        if channel.user is not None and not body.get("flags", 0) & SILENT:
            self.on_ping(channel.user, message.match, message)
        for user in body.get("allowed_mentions", {}).get("users", ()):
            self.on_ping(int(user), self._linked(message), message)
        return message

    def _linked(self, ping: Message) -> int | None:
        """Return the match to whose table the link in a mention leads."""
        if ping.match is not None:  # it tells the end
            return ping.match
        found = _LINK.search(ping.text)
        assert found is not None, ping.text
        place, number = int(found[1]), int(found[2] or 0)
        message = self.channels[place].messages.get(number)
        shown = [m.match for m in self.channels[place].messages.values() if m.match is not None]
        return message.match if message is not None else shown[-1] if shown else None

    def _edit(self, message: Message, body: Any) -> Message:
        if message.viewer in self.closed_dms and not message.ephemeral:
            refuse(403, 50007)
        message.show(body)
        self._noted(message)
        return message

    def _noted(self, message: Message) -> None:
        number = message.match
        if number is None or message.ephemeral:
            return
        if message.viewer is not None:
            self.hands[message.viewer, number] = message
        elif any(custom_id.endswith("/again//end") for custom_id in message.ids):
            self.ends.setdefault(number, {})[message.id] = message
        elif not any("/take/" in custom_id or "/accept/" in custom_id for custom_id in message.ids[:1]):
            # else it is the search for a substitute, or an invitation
            self.tables[number] = message

    # Answers to interactions.

    def _acknowledge(self, press: Press | None, body: Any) -> Any:
        if press is None:
            refuse(404, 10062)
        press.acknowledged = True
        if body["type"] == 5:
            viewer = press.user if body.get("data", {}).get("flags", 0) & EPHEMERAL else None
            press.answer = Message(self.snowflake(), press.channel, {}, viewer, viewer is not None)
            press.loading = True
        return {"interaction": {"id": "1", "type": 3, "response_message_loading": press.loading}}

    def _answer_with(self, press: Press | None, number: str) -> Message:
        if press is None:
            refuse(404, 10015)
        answer = press.answer
        if answer is None or answer.deleted or number not in ("@original", str(answer.id)):
            refuse(404, 10008)
        assert answer is not None
        return answer

    def _respond(self, press: Press | None, method: str, body: Any) -> Message:
        if press is None:
            refuse(404, 10015)
        assert press.acknowledged
        if method == "POST" and not press.loading:
            assert body.get("flags", 0) & EPHEMERAL
            press.answer = Message(self.snowflake(), press.channel, body, press.user, True)
        elif press.loading or method == "POST":
            assert press.answer is not None
            press.loading = False
            press.answer.show(body)
        else:
            assert press.source is not None
            if press.source.deleted:
                refuse(404, 10008)
            press.answer = press.source
            self._edit(press.source, body)
        hand = press.answer.viewer is not None and any("/lookups/" in custom_id for custom_id in press.answer.ids)
        if hand and press.answer.match is not None:
            self.on_hand_shown(press.user, press.answer.match)
            if press.answer.ephemeral:
                self.private_hands[press.user, press.answer.match] = press.answer
        return press.answer

    # Payloads.

    def _user(self, user: int) -> dict[str, Any]:
        name = self.names.get(user, "Sundial")
        facts = {"discriminator": "0", "global_name": name, "avatar": None, "bot": user == BOT}
        return {"id": str(user), "username": name, **facts}

    def _message(self, message: Message) -> dict[str, Any]:
        return {
            "id": str(message.id),
            "channel_id": str(message.channel),
            "author": self._user(BOT),
            "content": message.body.get("content") or "",
            "timestamp": _stamp(self.now()),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "type": 0,
            "flags": EPHEMERAL if message.ephemeral else 0,
        }


class Adapter:
    """Replaces discord.py's webhook adapter, which answers interactions. Its own methods run, down to the request."""

    def __init__(self, fake: FakeDiscord) -> None:
        self._fake = fake

    def __getattr__(self, name: str) -> Any:
        return getattr(AsyncWebhookAdapter, name).__get__(self)

    async def request(self, route: Any, session: Any, *, payload: Any = None, multipart: Any = None, **how: Any) -> Any:
        return await self._fake.request(PROCESS_RUN.get(), route, body_of(payload, multipart), how.get("params") or {})
