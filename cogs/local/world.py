"""The simulated Discord of `--local`: its server, its people and its clock.

simcord holds a Discord in memory, above discord.py's HTTP and gateway. Its "preview" shows one channel as one person
sees it, with the slash picker and working components; here each person and each channel has one (preview.py).

simcord forgets everything when it ends; the bot's own database does not. simcord takes ids from its clock, so the
server and its people are made at the clock's beginning and are the same in every run. Then the clock is set to the
present: no message gets the id of one from an earlier run, and the bot posts its open tables again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import discord
import simcord
from simcord.backend.cdn import CDN_BASE
from simcord.preview import Preview

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
"""All people, in the order in which they get their ids; `--players N` shows the first N on the start page."""
TICK = 0.1
"""Seconds between two steps of the clock."""
KEPT = 60.0
"""Seconds for which a file is kept after the last message that shows it: a page may still load it."""
PATIENCE = 60.0
"""Seconds that the bot may work on one press or one step of the clock before simcord calls it stuck."""


class World(simcord.Env):
    """A simulated Discord whose clock runs: the bot's timers fire when `run_clock` moves it, and never by themselves.

    A press is therefore answered as soon as the bot has done its work, without waiting for a computer's pause. Presses
    and steps of the clock take turns, since simcord does one thing at a time.
    """

    def __init__(self, bot: discord.Client) -> None:
        super().__init__(bot, check_errors=False, settle_timeout=PATIENCE)
        self.turn = asyncio.Lock()
        self.previews: dict[tuple[int, int], Preview] = {}
        """The open previews, by person and channel."""
        self.emoji: dict[str, tuple[str, bytes]] = {}
        """The names and contents of the files that previews show as emoji, by their address."""
        self._events = 0
        self._shown = set[str]()
        self.backend.bot_user.name = "Sundial"
        users = [self.create_user(name.lower(), global_name=name) for name in NAMES]
        self.names = {user.id: name for user, name in zip(users, NAMES, strict=True)}
        self.messages = {user.id: user.dm_channel for user in users}
        self.server = self.create_guild("Game night", owner=users[0])
        self.channel = self.server.create_text_channel("games", topic="Type /play to open a table.")
        self.people = {user.id: self.server.add_member(user) for user in users}
        self.backend.advance_clock(max(0.0, time.time() - self.now().timestamp()))

    def add_emoji(self, pictures: Mapping[str, bytes]) -> None:
        """Put emoji on the bot's application, as if an earlier run had uploaded them: PNGs by name. From an upload
        simcord would keep the name alone.
        """
        for name, png in pictures.items():
            emoji = self.backend.create_application_emoji(name)
            self.emoji[f"{CDN_BASE}/emojis/{emoji.id}.png"] = f"{name}.png", png

    def _schedule_timer(self, *_: Any) -> None:
        """Do nothing: no timer of the bot fires by itself."""

    async def _settle_internal(self, *, timeout: float | None = None, **how: Any) -> None:  # noqa: ASYNC109
        """Allow `PATIENCE` for everything: simcord's five seconds are too short for a start with many tables."""
        await super()._settle_internal(**how)

    def _mark_mutation(self) -> None:
        """Tell every preview, since simcord tells only one. Each preview knows whether the action is its own."""
        for preview in self.previews.values():
            preview._mark_action_dispatched()

    def stamp(self) -> tuple[int, int]:
        """Return a value that changes after every event, and every 20 s for texts like "2 minutes ago"."""
        return self._events + len(self.backend.transcript), int(self.now().timestamp() // 20)

    def forget(self) -> None:
        """Drop what simcord would keep to the end: records, and pictures in no message at this call and the last."""
        self._events += len(self.backend.transcript)
        self.backend.transcript.clear()
        self.backend.http_requests.clear()
        messages = (message for channel in self.backend.messages.values() for message in channel.values())
        shown = {str(file["url"]) for message in messages for file in message.attachments}
        files = self.backend.cdn._blobs
        for url in [url for url in files if "/attachments/" in url and url not in shown | self._shown]:
            del files[url]
        self._shown = shown

    async def run_clock(self) -> None:
        """Move the clock at the pace of the real one, until cancelled."""
        loop = asyncio.get_running_loop()
        before = forgotten = loop.time()
        while True:
            await asyncio.sleep(TICK)
            async with self.turn:
                now = loop.time()
                if now - forgotten >= KEPT:
                    forgotten = now
                    self.forget()
                await self.advance_time(now - before)
                before = now

    async def close(self) -> None:
        """End the previews, then the bot, then the simulation."""
        for preview in self.previews.values():
            await preview.close()
        async with self.turn:
            await self.bot.close()
        await self.shutdown()
