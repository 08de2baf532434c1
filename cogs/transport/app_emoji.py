"""The emoji of the bot's application: those of the games, if the operator allows it, which hands use; and the mark by
which the bot notices that a bot with the same token runs on another database.

The name of a game's emoji holds a hash of its picture and of what it stands for. So a start asks Discord once which
there are, uploads those that are missing, and deletes those that an older version has drawn otherwise. Nothing waits
for it, and if it fails, labels keep the signs of their texts.

With two bots of one token Discord gives each press to both, and tells neither of the other. So the bot keeps a mark in
Discord, for which one thing serves that no user sees: an emoji, whose name says which database is in use. Each bot
looks at the mark every ten minutes, and puts its own in the place of another's. Two bots on two databases find each
other's mark, and both say so. The first that finds another's twice in a row ends, and leaves that one: so the bot that
was started last goes on. After a move to another database there is one warning, at the start.

A file may be copied with all that is stored in it, so a file gets another mark at each start. The processes that share
a PostgreSQL database have one mark: a copy of that database has the same, and is not noticed.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256

import discord

from cogs.messages.content import EmojiTable
from cogs.runtime.holdings import Holdings
from cogs.runtime.periodic import Periodic
from cogs.transport.errors import DiscordFailure, OtherDatabase, discord_call
from data.records.key_values import KeyValues
from rendering import emoji
from rendering.core.emoji import parts_of

log = logging.getLogger(__name__)

PREFIX = "sundial_"
"""With this begin the names of these emoji. No other emoji of the application is touched."""
LONGEST = 15
"""Characters of a name between the prefix and the hash: Discord takes 32 in all."""
PAUSE = 1.0
"""Seconds between two uploads."""
STORED = "emoji"
"""The name under which the emoji of the last run are stored: name and id."""
EVERY = 600.0
"""Seconds between two looks."""
MARK = "mark"
"""Key: the mark of this database."""
MARK_PREFIX = "sundialmark_"
"""With this begins the name of the emoji that is the mark."""
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""The picture of the emoji, a PNG."""


class AppEmoji:
    """Keeps the emoji of the application up to date. `table`: what the hands use. Of several processes, the one on duty
    uploads them, and the others use what it has stored.
    """

    def __init__(
        self, client: discord.Client, values: KeyValues, table: EmojiTable, holdings: Holdings | None = None
    ) -> None:
        self._holdings = holdings or Holdings()
        self._client = client
        self._values = values
        self._table = table
        self._wanted: dict[str, tuple[str, str, bytes]] = {}
        """The game, the key and the PNG of each emoji, by its name."""

    async def load(self) -> None:
        """Use the emoji of the last run, so that hands need not be edited after a restart. It asks Discord nothing."""
        if not self._wanted:
            self._wanted = await asyncio.to_thread(wanted)
        stored = await self._values.get(STORED)
        self._use({} if stored is None else json.loads(stored))

    async def keep_up(self) -> float | None:
        """Renew the emoji, or use those of the process on duty. Return the seconds until the next look, or None."""
        wait = await self._holdings.alone(self.renew)
        if wait is not None:
            await self.load()
        return wait

    async def renew(self) -> None:
        """Upload what is missing and delete what is out of date. A failure is logged; call it again later."""
        try:
            await self._renew()
        except DiscordFailure as failure:
            log.warning("the emoji are not all there yet: %s", failure)

    async def _renew(self) -> None:
        async with discord_call():
            there = await self._client.fetch_application_emojis()
        ours = sorted((one for one in there if one.name.startswith(PREFIX)), key=lambda one: one.id)
        found: dict[str, int] = {}
        for one in ours:
            if one.name in self._wanted:
                found.setdefault(one.name, one.id)
        try:
            for name, (_, _, png) in self._wanted.items():
                if name not in found:
                    async with discord_call():
                        found[name] = (await self._client.create_application_emoji(name=name, image=png)).id
                    await asyncio.sleep(PAUSE)
        finally:
            self._use(found)
        await self._values.put(STORED, json.dumps(found))
        for one in ours:
            if found.get(one.name) != one.id:
                async with discord_call():
                    await one.delete()

    def _use(self, found: Mapping[str, int]) -> None:
        """Let hands use these emoji, by name: those of a game only if all of its emoji are there."""
        games: dict[str, dict[str, tuple[str, int]]] = {}
        incomplete = set()
        for name, (slug, key, _) in self._wanted.items():
            if name in found:
                games.setdefault(slug, {})[key] = name, found[name]
            else:
                incomplete.add(slug)
        self._table.known = {slug: known for slug, known in games.items() if slug not in incomplete}


def wanted() -> dict[str, tuple[str, str, bytes]]:
    """Draw all emoji. Return the game, the key and the PNG of each, by its name on Discord."""
    return {name_of(slug, key, png): (slug, key, png) for slug, key, png in emoji()}


def name_of(slug: str, key: str, png: bytes) -> str:
    """Return the name of an emoji: a-z, 0-9 and _, at most 32 of them."""
    texts, seat = parts_of(key)
    words = "_".join(text.rpartition(".")[2] for text in texts) + ("" if seat is None else f"_{seat}")
    words = words.lower()[:LONGEST]
    return f"{PREFIX}{words}_{sha256(f'{slug} {key} '.encode() + png).hexdigest()[:8]}"


class DatabaseMark:
    """The mark of this process's database. `shared`: whether other processes use it too. `end` ends the bot with an
    error.
    """

    def __init__(
        self, client: discord.Client, values: KeyValues, end: Callable[[Exception], object], *, shared: bool
    ) -> None:
        self._client = client
        self._values = values
        self._end = end
        self._shared = shared
        self._mark: str | None = None
        self.task = Periodic("look at the mark of the database", self.look, EVERY)
        self.other = False
        """Whether a bot on another database took the mark away since the last look but one."""

    async def look(self) -> None:
        """Find the mark in Discord, and make it this database's. Say so if another bot has changed it meanwhile; the
        second time in a row, leave it as it is and end the bot.
        """
        begins, known = self._mark is None, await self._values.get(MARK)
        if self._mark is None:
            drawn = MARK_PREFIX + secrets.token_hex(6)
            self._mark = await self._values.first(MARK, drawn) if self._shared else drawn
        try:
            found = await self._marked(self._mark, may_yield=self.other)
        except DiscordFailure as failure:
            log.info("the mark of the database cannot be looked at: %s", failure)
            return
        if not self._shared and known != self._mark:
            await self._values.put(MARK, self._mark)
        changed = found not in (None, self._mark, known)
        ends, self.other = changed and self.other, changed and not begins
        if ends:
            self._end(OtherDatabase())
        elif self.other:
            log.error("another bot with this token runs on another database: end one of them, or reset the token")
        elif changed:
            log.warning("the bot has used another database until now. If a bot still runs on that one, end it")

    async def _marked(self, mark: str, *, may_yield: bool) -> str | None:
        """Set this mark in Discord, or leave another one if it `may_yield`. Return the one that was there, or None.
        Raises DiscordFailure.
        """
        async with discord_call():
            emojis = await self._client.fetch_application_emojis()
        emoji = next((emoji for emoji in emojis if emoji.name.startswith(MARK_PREFIX)), None)
        if emoji is None:
            async with discord_call():
                await self._client.create_application_emoji(name=mark, image=PIXEL)
            return None
        if emoji.name != mark and not may_yield:
            async with discord_call():
                await emoji.edit(name=mark)
        return emoji.name
