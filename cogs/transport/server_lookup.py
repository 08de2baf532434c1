"""Finds a server of the bot, also one of which another process hears, and which is not in this process's cache."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import discord

from cogs.transport.errors import DiscordFailure, Failure, discord_call

log = logging.getLogger(__name__)

KNOWN_FOR = 300.0
"""Seconds for which Discord's answer about a server of another process serves."""
MOST_KNOWN = 1_000
"""Answers that are kept at most."""


class ServerLookup:
    """Looks servers up. `is_mine`: whether this process hears of a server, so that its cache is right."""

    def __init__(
        self,
        client: discord.Client,
        is_mine: Callable[[int], bool],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._steady = steady
        self._known: dict[int, tuple[float, discord.Guild | None]] = {}
        self.is_mine = is_mine

    async def is_there(self, guild: int) -> bool:
        """Return whether the bot is in that server, by what this process hears, or else by Discord's answer. Raises
        DiscordFailure if Discord must be asked and does not say.
        """
        return await self.find(guild) is not None

    async def find(self, guild: int) -> discord.Guild | None:
        """Return that server, or None if the bot is not in it. One that had to be asked for has no channels and roles.
        Raises DiscordFailure if Discord must be asked and does not say.
        """
        if self.is_mine(guild):
            return self._client.get_guild(guild)
        known = self._known.get(guild)
        if known is not None and self._steady() - known[0] < KNOWN_FOR:
            return known[1]
        found = await self.ask(guild)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[guild] = self._steady(), found
        return found

    async def ask(self, guild: int) -> discord.Guild | None:
        """Ask Discord for a server. Return None if the bot is not in it. Raises DiscordFailure if it does not say."""
        try:
            async with discord_call():
                return await self._client.fetch_guild(guild, with_counts=False)
        except DiscordFailure as failure:
            if failure.kind in (Failure.CHANNEL_GONE, Failure.FORBIDDEN):
                return None
            raise
