"""Greets a server that has invited the bot, pauses its matches when it removes the bot, and continues them when the bot
is invited again.

The greeting offers *Play*, *Learn* and *Rules* in a channel in which the bot may write. A server is greeted once.

A paused match ends after 30 days. A server that is only unavailable, as happens now and then, changes nothing.
`look_round` finds what happened while the bot was not running: bot.py calls it at each start, when this process has
taken over servers of another one, and once a day. Each process looks after the servers of its own shards.
"""

from __future__ import annotations

import asyncio
import logging

import discord
from discord.ext import commands

from cogs.app import App, AppCog
from cogs.match.deadlines import end_paused, go_on, pause
from cogs.match.refusals import Refused
from cogs.messages.choices import welcome_message
from cogs.transport.components import offers
from cogs.transport.delivery import deliver
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.senders import nonce, send_public
from data.records.match import Match
from data.records.post import Sending
from data.store.database import OUT_OF_REACH

log = logging.getLogger(__name__)


def channel_to_greet(guild: discord.Guild) -> int | None:
    """Return the channel in which to greet the server: the one for system messages, or else the first one, in which the
    bot may write; None if there is none.
    """
    places = [*([guild.system_channel] if guild.system_channel is not None else []), *guild.text_channels]
    allowed = (place for place in places if place.permissions_for(guild.me).is_superset(_GREETING))
    return next((place.id for place in allowed), None)


_GREETING = discord.Permissions(view_channel=True, send_messages=True)
"""What the bot needs in a channel to greet a server there."""


class Guilds(AppCog):
    """Follows in which servers the bot is."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._bot = app.bot
        self._servers = app.publisher.servers
        self._handles = app.publisher.shown.handles
        self._looking = asyncio.Lock()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause the matches of a server that removed the bot. In an outage Discord sends `on_guild_unavailable`."""
        async with self._looking:
            await self._pause(guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Continue the paused matches of a server that has added the bot again."""
        async with self._looking:
            for match in await self._service.index.paused():
                if match.guild == guild.id:
                    await self._bring_back(match)
            if not await self._service.index.open_in(guild.id):  # the bot is known where people play
                await self.greet(guild)

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server, unless that is done or no channel takes it. If Discord is out of order, the next look round
        tries again.
        """
        server = await self._service.policy.of(guild.id)
        begun, channel = server.greeting, channel_to_greet(guild)
        if server.greeted or (begun is None and channel is None):
            return
        sending = begun or Sending(channel or 0, int(self._service.now()))
        content = welcome_message(guild.preferred_locale.value)

        async def look(begun: Sending) -> int | None:
            return await self._handles.sent_before(guild.id, begun, lambda found: offers(found, 0, "help"))

        async def note(sending: Sending) -> None:
            await self._service.policy.change(guild.id, greeting=sending)

        async def send() -> int:
            where = self._handles.channel(guild.id, sending.channel)
            return (await send_public(where, content, nonce=nonce("greeting", guild.id))).id

        try:
            await deliver(begun, sending, look=look, note=note, send=send)
        except DiscordFailure as failure:
            log.info("a server is not greeted: %s", failure)
            if failure.kind is Failure.LATER:
                return
        await self._service.policy.change(guild.id, greeting=None, greeted=True)

    async def look_round(self) -> None:
        """Pause matches in servers that removed the bot, continue those in servers that invited it again, and end those
        that were paused for 30 days.
        """
        async with self._looking:
            mine = self._servers.is_mine
            for number in await self._service.policy.being_greeted():
                if mine(number) and (found := self._bot.get_guild(number)) is not None:
                    await self.greet(found)
            servers = [guild for guild in await self._service.index.servers() if mine(guild)]
            there = {guild: await self._is_there(guild) for guild in servers}
            for guild, is_there in there.items():
                if is_there is False:
                    await self._pause(guild)
            for match in await self._service.index.paused():
                if not mine(match.guild):
                    continue
                is_there = there.get(match.guild, True)
                if is_there is True:
                    await self._bring_back(match)
                elif self._service.quarantine.holds(match.id):
                    continue
                elif is_there is False and not (await end_paused(self._service, match.id)).open:
                    self._publisher.changed(match.id)  # also a match that ended before and was not published

    async def _is_there(self, guild: int) -> bool | None:
        """Return whether the bot is in that server; None if Discord does not answer now."""
        if self._bot.get_guild(guild) is not None:
            return True
        # The list of servers may be incomplete, so a server that is not on it needs a request of its own.
        try:
            return await self._servers.ask(guild) is not None
        except DiscordFailure as trouble:
            log.warning("cannot tell whether a server is still there: %s", trouble)
            return None

    async def _pause(self, guild: int) -> None:
        for number in await self._service.index.open_in(guild):
            try:
                await pause(self._service, number)
                log.info("match %d pauses: the bot is not in its server", number)
            except Refused as error:  # quarantined, or nothing can be stored: the other matches still pause
                log.warning("match %d does not pause: %s", number, error.reason)

    async def _bring_back(self, match: Match) -> None:
        """Continue a match and post all of it again; if it has ended meanwhile, post how. A failure stops no other
        match, and the next look round tries again.
        """
        if not match.paused or await self._service.quarantine.fault(match) is not None:
            self._publisher.changed(match.id)
            return
        try:
            # In this order: if the process ends in between, the match is still paused, and the next start continues it.
            await self._publisher.shown.forget_shown(match.id)
            await go_on(self._service, match.id)
        except (Refused, *OUT_OF_REACH) as error:
            log.warning("match %d does not go on yet: %s", match.id, type(error).__name__)
            self._publisher.changed(match.id)
