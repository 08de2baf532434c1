"""A server with the real bot, on simcord: people who press, type and read, and a record of all that the bot showed.

Tests of cogs/ use a `Simulation`. Everything that a person can see is a `Shown`. It is taken from the bot's requests,
so tests also see texts that the bot replaced a moment later.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import discord
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

import cogs.match.lobby
import cogs.match.service
import cogs.transport.interactions
import cogs.transport.router
from bot import Bot, Settings, create_bot
from cogs.app import App
from cogs.match.service import MatchService
from cogs.transport.request_budget import PublishTiming
from cogs.transport.server_lookup import Members
from data.records.match import Match
from data.records.matches import Matches
from data.store.database import Database
from rules.core.game import AnyState
from tests.support import apicheck, quick_schema, quick_simcord
from tests.support.hung import HUNG
from tests.support.inside import database_of, files_of, interaction_of, stored_matches
from tests.support.matches import MOST_MOVES, play_on
from tests.support.shown import BUTTON, SELECT, Shown, controls, raw, words
from tests.support.shown import Offer as Offer
from tests.support.shown import offers as offers
from tests.support.virtual_env import VirtualTimeEnv

T = TypeVar("T")
PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank", "gina", "hugo", "ida")
NAMED = re.compile(rf"\b({'|'.join(PEOPLE)})\b")
ANSWER, FORM = 4, 9
"""Kinds of answers to an interaction: a new message, and a form."""

# A simulation waits for nothing outside; with the default of 50 ms every press would take that long.
_settle: Any = Env._settle_internal
_settle.__kwdefaults__["idle"] = 0.002
quick_simcord.install()
quick_schema.install()
# What a press waits for in vain before its acknowledgement, or for Discord, may take long on a busy machine.
for module in (cogs.transport.interactions, cogs.transport.router):
    vars(module)["READ_PATIENCE"] = HUNG
Members.is_gone.__defaults__ = (0.0, HUNG)


class Simulation:
    """One server, one channel, the bot, and people: `people["alice"]` and so on, or `someone(0)` by number."""

    def __init__(self, env: Env, settings: Settings) -> None:
        self.env = env
        self.settings = settings
        self.guild: GuildHandle = env.create_guild("Forest")
        self.channel: ChannelHandle = self.guild.create_text_channel("games")
        self.people: dict[str, MemberActor] = {}
        self._checked = 0

    # The bot.

    @property
    def bot(self) -> Bot:
        assert isinstance(self.env.bot, Bot)
        return self.env.bot

    @property
    def app(self) -> App:
        assert self.bot.app is not None
        return self.bot.app

    @property
    def service(self) -> MatchService:
        """What takes the moves."""
        return self.app.service

    host = service
    """Its name in scripts that were written for older versions."""

    @property
    def matches(self) -> Matches:
        """The stored matches, for what must be seen or damaged beside the bot."""
        return stored_matches(self.service)

    @property
    def database(self) -> Database:
        return database_of(self.bot)

    @property
    def files(self) -> dict[str, bytes]:
        """All files that Discord keeps, by address."""
        return files_of(self.env)

    async def restart(self, down: float = 0.0) -> None:
        """End the bot properly and start another on the same database, `down` seconds later."""
        await self.env.settle()
        await self.bot.close()
        self.env.backend.advance_clock(down)
        await self.start_bot()
        await self.env.settle()

    async def start_bot(self) -> None:
        """Start another bot in place of the one that has ended."""
        await self.env.restart_bot(create_bot(self.settings, self.now, self.steady))

    def set_timing(self, timing: PublishTiming) -> None:
        """Set how fast the bot shows tables and moves for computers from now on."""
        publisher = self.app.publisher
        publisher.timing = publisher.computers.timing = publisher.replies.timing = publisher.answers.timing = timing

    async def caught_up(self) -> None:
        """Wait until the bot has shown all matches. A test needs it if it changed one without a press: the simulated
        Discord waits only for the effects of its own presses.
        """
        for _ in range(int(HUNG * 1000)):
            if not self.app.publisher.behind()[0]:
                return await self.env.settle()
            await asyncio.sleep(0.001)
        raise AssertionError("the matches are not shown")

    async def greeted(self) -> None:
        """Let time pass until the bot has opened direct messages to all who want them, each in turn, and until it can
        open the next ones without a wait.
        """
        await self.env.settle()
        newcomers = self.app.publisher.newcomers
        while len(newcomers) or newcomers.direct.wait():
            await self.env.advance_time(newcomers.direct.wait() or 1)
            await self.caught_up()

    jumped: float = 0.0
    """Seconds by which the clock of the bot's machine is wrong."""

    def now(self) -> float:
        return self.env.now().timestamp() + self.jumped

    def steady(self) -> float:
        return self.env.now().timestamp()

    _now, _steady = now, steady
    """Their names in scripts that were written for older versions."""

    async def match(self, number: int = 1) -> Match:
        match = await self.matches.get(number)
        assert match is not None
        return match

    async def state(self, number: int = 1) -> AnyState:
        return self.service.state(await self.match(number))

    # People.

    def join_server(self, *names: str, **how: Any) -> list[MemberActor]:
        for name in names:
            self.people[name] = self.guild.add_member(self.env.create_user(name), **how)
        return [self.people[name] for name in names]

    async def lobby(
        self, *people: MemberActor | str, game: str = "sea_change", channel: ChannelHandle | None = None
    ) -> list[MemberActor]:
        """Let the first of these people open a table, and the others join. Those who are given by name become members
        of the server before. Return all.
        """
        found = [self.join_server(person)[0] if isinstance(person, str) else person for person in people]
        await self.slash(found[0], "play", channel, game=game)
        for person in found[1:]:
            await self.press(person, self.board(channel), "Join")
        return found

    async def play_on(self, number: int = 1, most: int = MOST_MOVES, **how: Any) -> Match:
        """Let players make moves without messages, as `play_on` of `matches` says, and wait until all is shown."""
        match = await play_on(self.service, number, most, **how)
        self.app.publisher.changed(number)
        await self.caught_up()
        return match

    def by_id(self, user: int) -> MemberActor:
        return next(person for person in self.people.values() if person.id == user)

    def close_dms(self, *people: MemberActor) -> None:
        """Let these people take no direct messages from now on."""
        for person in people:
            self.env.inject_error(
                "POST", f"/channels/{person.user.dm_channel.id}/messages", status=403, code=50007, times=None
            )

    # Messages.

    def dms(self, person: MemberActor) -> list[discord.Message]:
        return person.user.dm_channel.history()

    def hand(self, person: MemberActor) -> discord.Message:
        """Return the bot's newest message with controls in this person's direct messages."""
        return [message for message in self.dms(person) if message.components and controls(raw(message))][-1]

    def board(self, channel: ChannelHandle | None = None) -> discord.Message:
        """Return the newest public message with controls: a lobby or a table."""
        found = [m for m in (channel or self.channel).history() if not m.flags.ephemeral and controls(raw(m))]
        return found[-1]

    def visible(self, person: MemberActor) -> Iterator[str]:
        """Yield every message that this person can see now in any channel: texts, alt texts, controls."""
        backend, own = self.env.backend, person.user.dm_channel.id
        for channel in backend.channels.values():
            if channel.guild_id is None and channel.id != own:
                continue
            for message in backend.messages.get(channel.id, {}).values():
                if message.visible_to(person.id):
                    body = {"content": message.content, "components": message.components}
                    yield "\n".join([*words(body), *controls(body), *(a["description"] for a in message.attachments)])

    # Presses.

    async def press(self, person: MemberActor, message: Any, what: str, value: str | None = None) -> InteractionResult:
        """Press a button by its label or custom_id, or choose a value in a select, as a client allows it. What a lobby
        does not show itself is pressed behind its *More …* and *Options …*, if this person may open these.
        """
        shown = controls(raw(message)) if isinstance(message, discord.Message) else [what]
        more = next((control for control in shown if control.endswith("/more//")), None)
        if what not in shown and more is not None:
            opened = await person.click(message, custom_id=more)
            if opened.response is None:
                return opened
            message, shown = opened.response, controls(raw(opened.response.message))
            options = next((control for control in shown if control.endswith("/options//")), None)
            if what not in shown and options is not None:
                opened = await person.click(message, custom_id=options)
                shown = controls(raw(message.message))
            if what not in shown:
                return opened
        private = message.channel_id == person.user.dm_channel.id if hasattr(message, "channel_id") else None
        if private is None:
            private = message.channel.id == person.user.dm_channel.id
        actor = person.user if private else person
        if value is not None:
            return await actor.select(message, [value], custom_id=what)
        key = "custom_id" if what.startswith("1/") else "label"
        return await actor.click(message, **{key: what})

    async def more(self, person: MemberActor, channel: ChannelHandle | None = None) -> ResponseMessage:
        """Press a lobby's *More …*. Return the private message that this opens; it shows later edits too."""
        opened = await self.press(person, self.board(channel), "More …")
        assert opened.response is not None and opened.response.ephemeral
        return opened.response

    def raw_press(
        self,
        person: MemberActor,
        custom_id: str,
        *,
        message: int,
        channel: int | None = None,
        values: Sequence[str] | None = None,
    ) -> InteractionResult:
        """Send a press that no client makes: forged, old, or with others at once. Call `settle` then."""
        backend = self.env.backend
        place = backend.get_channel(channel or self.channel.id)
        data: dict[str, Any] = {"component_type": BUTTON, "custom_id": custom_id}
        if values is not None:
            data |= {"component_type": SELECT, "values": list(values)}
        record, payload = interactions.base_payload(
            backend, type=3, channel_id=place.id, guild_id=place.guild_id, user_id=person.id, data=data
        )
        payload["message"] = dict(serializers.message_payload(backend, backend.get_message(place.id, message)))
        record.source_message_id = message
        backend.emit("INTERACTION_CREATE", payload)
        return InteractionResult(self.env, record)

    async def forge(self, person: MemberActor, custom_id: str, **where: Any) -> str:
        """Send a forged press at the table and return the answer."""
        where = where if "message" in where else {"message": self.board().id, **where}
        result = self.raw_press(person, custom_id, **where)
        await self.env.settle()
        return self.said(result)

    async def slash(self, person: MemberActor, command: str, channel: Any = None, **options: Any) -> str:
        """Send a command in the channel and return the answer, which only that person sees."""
        return self.said(await person.slash(channel or self.channel, command, **options))

    async def cancel(self, person: MemberActor, table: int, channel: Any = None) -> str:
        """Send `/cancel`, press the button that it offers, and return both answers."""
        where = channel or self.channel
        asked = await person.slash(where, "cancel", table=table)
        said = self.said(asked)
        pressed = [custom_id for shown in self.answers(asked) for custom_id in controls(shown.body)]
        if not {f"1/{table}/cancel//sure", f"1/{table}/cancel//lobby"} & {*pressed}:
            return said
        assert asked.response is not None
        return said + self.said(await person.click(asked.response, label="Yes, cancel it"))

    def answers(self, result: InteractionResult) -> list[Shown]:
        """Return all answers to one interaction, the last one at the end."""
        token = interaction_of(result).token
        found = [self._shown(entry) for entry in self.env.http_requests if token in entry.path]
        return [shown for shown in found if shown is not None and shown.body.get("token") == token]

    def said(self, result: InteractionResult) -> str:
        """Return the answer to one interaction. Check that it was acknowledged and that only its user sees it."""
        assert result.acknowledged
        answers = self.answers(result)
        assert all(answer.viewer == interaction_of(result).user_id for answer in answers), answers
        return "\n".join(answer.text for answer in answers)

    # The record.

    @property
    def cursor(self) -> int:
        """Return the current end of the record of requests, for `shown(since)`."""
        return len(self.env.http_requests)

    def shown(self, since: int = 0) -> list[Shown]:
        """Return what the bot showed after a cursor."""
        return [shown for entry in self.env.http_requests[since:] if (shown := self._shown(entry)) is not None]

    def public(self, since: int = 0) -> list[Shown]:
        return [shown for shown in self.shown(since) if shown.viewer is None]

    def pings(self, since: int = 0) -> list[int]:
        """Return the users who got a notification: by a new direct message or a mention."""
        found = []
        for shown in self.shown(since):
            if shown.method != "POST" or "token" in shown.body:
                continue
            if shown.viewer is not None:
                found += [] if shown.body.get("flags", 0) & apicheck.SILENT else [shown.viewer]
            else:
                found += [int(user) for user in shown.body.get("allowed_mentions", {}).get("users", ())]
        return found

    def _shown(self, entry: Any) -> Shown | None:
        backend = self.env.backend
        if found := re.fullmatch(r"/interactions/\d+/([^/]+)/callback", entry.path):
            said = entry.json.get("data") if isinstance(entry.json, dict) else None
            if not isinstance(said, dict) or not ({"content", "components"} & said.keys()):
                return None
            record = backend.interactions[backend.interaction_tokens[found[1]]]
            viewer = self._viewer_of(record, said, new=entry.json["type"] == ANSWER, form=entry.json["type"] == FORM)
            return Shown(viewer, entry.method, record.channel_id, {**said, "token": found[1]})
        if not isinstance(entry.json, dict) or not ({"content", "components"} & entry.json.keys()):
            return None
        if found := re.fullmatch(r"/channels/(\d+)/messages(?:/\d+)?", entry.path):
            channel = backend.channels.get(int(found[1]))
            viewer = None
            if channel is not None and channel.guild_id is None:
                viewer = next(user for user, dm in backend.dm_channels.items() if dm == channel.id)
            return Shown(viewer, entry.method, int(found[1]), entry.json)
        if found := re.fullmatch(r"/webhooks/\d+/([^/]+)(/messages/[^/]+)?", entry.path):
            record = backend.interactions[backend.interaction_tokens[found[1]]]
            body = {**entry.json, "token": found[1]}
            viewer = self._viewer_of(record, entry.json, new=entry.method == "POST")
            return Shown(viewer, entry.method, record.channel_id, body)
        return None

    def _viewer_of(self, record: Any, said: dict[str, Any], *, new: bool, form: bool = False) -> int | None:
        """Return the only user who sees an answer (direct message, form, or ephemeral); None if all members do."""
        if record.guild_id is None or form:
            return int(record.user_id)
        if new:
            private = bool(said.get("flags", 0) & apicheck.EPHEMERAL)
        else:
            source = self.env.backend.messages[record.channel_id].get(record.source_message_id)
            private = record.ephemeral or (source is not None and source.is_ephemeral)
        return int(record.user_id) if private else None

    def check(self) -> None:
        """Check that every request since the last check, and every picture, keeps to Discord's limits."""
        entries = self.env.http_requests[self._checked :]
        self._checked = len(self.env.http_requests)
        found = [
            f"{entry.method} {entry.path}: {fault}"
            for entry in entries
            for fault in apicheck.faults(entry.method, entry.path, entry.json)
        ]
        for url, data in self.files.items():
            found += apicheck.file_faults(url, data)
        assert not found, "\n".join(found)


class ErrorLog(logging.Handler):
    """Remember errors from the log: if a callback fails, discord.py logs it and reports it nowhere else. A line that
    names a person is one too: operators need not know who plays.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        if record.levelno >= logging.ERROR or NAMED.search(line):
            self.lines.append(line)


def background(sim: Simulation, kind: type[T]) -> list[T]:
    return [part for part in sim.bot.background if isinstance(part, kind)]


def seed_secrets(monkeypatch: Any, seed: str) -> None:
    """Derive the secrets of matches from a seed, so that a run can be repeated."""
    random = Random(seed)
    luck = SimpleNamespace(token_hex=lambda size: random.randbytes(size).hex())
    monkeypatch.setattr(cogs.match.lobby, "secrets", luck)


async def simulate(folder: Path, name: str = "sundial.db", **how: Any) -> Simulation:
    """Return a running simulation; `finish` ends it. `how`: settings that are different."""
    settings = Settings(
        database=str(folder / name),
        backup_minutes=0,
        edit_seconds=0,
        computer_seconds=0,
        beat_seconds=3600,
        limited=False,
        workers=0,
        tables_each=0,
        emoji=False,
    )
    settings = replace(settings, **how)
    held: list[Simulation] = []
    bot = create_bot(settings, lambda: held[0].now(), lambda: held[0].steady())
    env = VirtualTimeEnv(bot, check_errors=False, settle_timeout=HUNG)
    held.append(Simulation(env, settings))
    await env.start()
    return held[0]


async def finish(simulation: Simulation) -> None:
    await simulation.bot.close()
    await simulation.env.shutdown()
