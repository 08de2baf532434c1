"""What becomes of matches when the bot is removed from a server, and when it is invited again.

A match pauses when the bot is removed, and goes on when it is invited again; 30 days later it ends. A server that is
merely unavailable, as they are now and then, changes nothing. What happened while the bot was not running is found by
`look_round`: at the start, and once a day.
"""

from __future__ import annotations

import asyncio
import logging

import discord
from discord.ext import commands

from cogs.match.pausing import end_paused, go_on, pause
from cogs.match.refusals import Refused
from cogs.transport.app import App
from cogs.transport.senders import DiscordFailure, Failure, discord_call
from data.records.match import Match
from data.store.database import NotStored

log = logging.getLogger(__name__)


class Guilds(commands.Cog):
    """Watches in which servers the bot is."""

    def __init__(self, bot: commands.Bot, app: App) -> None:
        self._bot = bot
        self._service = app.service
        self._publisher = app.publisher
        self._looking = asyncio.Lock()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Discord says that the bot was removed; of an outage it says `on_guild_unavailable`, which means nothing."""
        async with self._looking:
            await self._pause(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        async with self._looking:
            for match in await self._service.paused():
                if match.guild == guild.id:
                    await self._bring_back(match)

    async def look_round(self) -> None:
        """Pause matches in servers that the bot is in no more, let those go on where it is back, end those that have
        waited for as long as they may.
        """
        async with self._looking:
            there = {guild: await self._is_there(guild) for guild in await self._service.servers()}
            for guild, is_there in there.items():
                if is_there is False:
                    await self._pause(guild)
            for match in await self._service.paused():
                is_there = there.get(match.guild, True)
                if is_there is True:
                    await self._bring_back(match)
                elif self._service.quarantine.holds(match.id):
                    continue
                elif is_there is False and not (await end_paused(self._service, match.id)).open:
                    self._publisher.changed(match.id)  # also one that ended before and is not shown yet

    async def _is_there(self, guild: int) -> bool | None:
        """Whether the bot is in that server; None where that cannot be told now."""
        if self._bot.get_guild(guild) is not None:
            return True
        # Its absence from a list that may be incomplete is no proof: Discord says so of each by its number.
        try:
            async with discord_call():
                await self._bot.fetch_guild(guild, with_counts=False)
        except DiscordFailure as trouble:
            if trouble.kind in (Failure.CHANNEL_GONE, Failure.FORBIDDEN):
                return False
            log.warning("cannot tell whether a server is still there: %s", trouble)
            return None
        return True

    async def _pause(self, guild: int) -> None:
        for number in await self._service.open_in(guild):
            try:
                await pause(self._service, number)
                log.info("match %d pauses: the bot is not in its server", number)
            except Refused as error:  # it is held, or nothing can be stored: the others pause all the same
                log.warning("match %d does not pause: %s", number, error.key)

    async def _bring_back(self, match: Match) -> None:
        """Let a match go on, and show all of it anew; of one that has ended meanwhile, how it ended. What cannot go on
        now keeps no other match from it, and is looked at again with the next look round.
        """
        if not match.paused or await self._service.quarantine.fault(match) is not None:
            self._publisher.changed(match.id)
            return
        try:
            # In this order: where the bot ends in between, the match still pauses, and is brought back at the start.
            await self._publisher.forget_shown(match.id)
            await go_on(self._service, match.id)
        except (Refused, NotStored) as error:
            log.warning("match %d does not go on yet: %s", match.id, type(error).__name__)
            self._publisher.changed(match.id)
