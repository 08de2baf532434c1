"""Uploads the games' emoji to the bot's application, if the operator allows it, and tells hands which there are.

An emoji's name holds a hash of its picture and of what it stands for. So a start asks Discord once which there are,
uploads those that are missing, and deletes those that an older version has drawn otherwise. Nothing waits for it, and
if it fails, labels keep the signs of their texts.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from hashlib import sha256

import discord

from cogs.messages.content import EmojiTable
from cogs.runtime.holdings import Holdings
from cogs.transport.errors import DiscordFailure, discord_call
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
