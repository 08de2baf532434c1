"""Fetches people's avatars, if the operator allows it, so that discs show them. Nothing waits for one: until it is
there, and whenever it cannot be had, the sign of the seat stands in.
"""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord

from cogs.match.service import MatchService
from cogs.messages.drawing import Drawing
from cogs.runtime.periodic import end_tasks
from cogs.workers.jobs import Job
from data.lru import Lru
from data.records.people import PictureWish
from data.records.portraits import NONE, Portraits
from data.store.database import NotStored

log = logging.getLogger(__name__)

SIZE = 128
"""The pixels across for which Discord is asked."""
PATIENCE = 10.0
"""Seconds for an avatar to arrive."""
MOST_AT_ONCE = 4
UNKNOWN = "?"
"""Stands for the avatar of a user at whose one the bot has to look again."""
MOST_ASKED = 10_000
"""The most users of whom the bot remembers that it has looked."""


class Avatars:
    """Keeps the portraits of those whom the bot meets up to date."""

    def __init__(self, service: MatchService, portraits: Portraits, drawing: Drawing) -> None:
        self._service = service
        self._portraits = portraits
        self._drawing = drawing
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._asked = Lru[int, str](MOST_ASKED)
        self.tasks: set[asyncio.Task[None]] = set()

    def met(self, user: discord.User | discord.Member) -> None:
        """Look in the background whether the user has another avatar than the stored one."""
        key = "" if user.avatar is None else user.avatar.key
        if self._asked.get(user.id) == key:
            return
        self._asked[user.id] = key
        task = asyncio.create_task(self._renew(user.id, user.avatar), name="fetch an avatar")
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def wished(self, user: int) -> None:
        """Drop the user's portrait: whether they want one may have changed, and the next press shows it again if so."""
        self._asked[user] = UNKNOWN
        await self._portraits.put(user, NONE)

    def forget(self) -> None:
        """Forget whose avatars were looked at: the next time that the bot meets them it looks again."""
        self._asked = Lru(MOST_ASKED)

    async def close(self) -> None:
        """Stop what is under way."""
        await end_tasks(*self.tasks)

    async def _renew(self, user: int, avatar: discord.Asset | None) -> None:
        async with self._room:
            unwanted = await self._unwanted(user)
            known, key = (await self._portraits.get(user))[0], "" if unwanted or avatar is None else avatar.key
            if key == known:
                return
            face = None if unwanted or avatar is None else await self._fetch(avatar)
            if await self._unwanted(user):  # the user may have changed the setting meanwhile
                face = None
            try:
                await self._portraits.put(user, NONE if face is None else (key, face))
            except NotStored:
                self.forget()
                return
            for match in await self._service.index.of_player(user):
                self._service.listener.later(match.id)

    async def _unwanted(self, user: int) -> bool:
        person = await self._service.people.get(user)
        return person is None or PictureWish.SIGN in person.pictures

    async def _fetch(self, avatar: discord.Asset) -> bytes | None:
        """Return the face, or None if it cannot be had."""
        try:
            asked = avatar.replace(size=SIZE, format="png", static_format="png")
            data = await asyncio.wait_for(asked.read(), PATIENCE)
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            log.info("an avatar could not be fetched: %s", type(error).__name__)
            return None
        face = await self._drawing.done(Job("face", (data,)))
        assert face is None or isinstance(face, bytes)
        return face
