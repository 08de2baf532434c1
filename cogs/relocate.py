"""`/relocate`: a table moves to another channel or thread of its server, also when its own was deleted."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused
from cogs.match.table_options import move_table
from cogs.messages.content import exact
from cogs.transport.permissions import (
    admit,
    check_permissions,
    manages,
    public_thread_parent,
    server_of,
    server_or_refuse,
)
from cogs.transport.router import GlobalRoute, Press
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import IN_SERVERS
from data.records.match import Match
from data.records.servers import Threads

REST = 60
"""Seconds between two moves of a table, unless a manager moves it."""


class Relocate(AppCog):
    """The command that moves tables."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        app.router.add({"relocate": GlobalRoute(self._press)})
        self.moved: dict[int, float] = {}
        """When each table was moved last, for moves less than `REST` ago."""

    @slash(IN_SERVERS)
    async def relocate(self, interaction: Interaction, table: int | None = None) -> Answer:
        """`/relocate`: move a table to this channel or thread."""
        found = await self._find(interaction, table)
        if len(found) > 1:
            return self._finder.ask_which(interaction, found, "relocate")
        return await self._relocate(interaction, found[0])

    @relocate.autocomplete("table")
    async def _complete_table(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        return await self._interactions.complete(interaction, lambda: self._choices(interaction, typed))

    @commands.Cog.listener()
    async def on_raw_thread_update(self, update: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been unlocked, in which an old table could not say where the table is now."""
        if not update.data["thread_metadata"].get("locked"):
            await self._publisher.opened(update.thread_id)

    async def _choices(self, interaction: Interaction, typed: str) -> list[tuple[int, str]]:
        found = {match.id: match for match in await self._own(interaction)}
        guild = server_of(interaction)
        if manages(interaction) and guild is not None:
            for number in await self._service.index.open_in(guild):
                match = await self._service.find(number)  # also a quarantined one
                if match is not None:
                    found.setdefault(number, match)
        elsewhere = [match for match in found.values() if match.place != interaction.channel_id]
        named = [(match.id, self._finder.title(interaction, match)) for match in elsewhere]
        return [(number, name) for number, name in named if typed.lower() in name.lower()]

    async def _own(self, interaction: Interaction) -> list[Match]:
        return [m for m in await self._finder.candidates(interaction) if m.guild == server_of(interaction)]

    async def _find(self, interaction: Interaction, number: int | None) -> list[Match]:
        """Return the table of that number; without a number, the user's tables in other channels, at least one."""
        if number is not None:
            match = await self._service.find(number)
            if match is not None and match.guild == server_of(interaction) and manages(interaction):
                await self._service.quarantine.check(match)
                return [match]
            return [await self._finder.match(interaction, number)]
        own = await self._own(interaction)
        elsewhere = [match for match in own if match.place != interaction.channel_id]
        if not elsewhere:
            raise Refused(Reason.HERE_ALREADY if own else Reason.NO_TABLE)
        return elsewhere

    async def _press(self, interaction: Interaction, press: Press) -> Answer:
        """Move the table of a button that `/relocate` has shown."""
        server_or_refuse(interaction)
        (match,) = await self._find(interaction, press.match)
        return await self._relocate(interaction, match)

    async def _relocate(self, interaction: Interaction, match: Match) -> Answer:
        if server_of(interaction) != match.guild or interaction.channel_id is None:
            raise Refused(Reason.OTHER_SERVER)
        labels, manager = self._interactions.labels(interaction), manages(interaction)
        await admit(self._service, interaction, self._service.game(match), labels, opens=False)
        # A move opens no thread; a lobby may get one when its match begins.
        check_permissions(interaction, Threads.NEVER, labels)
        now = self._service.now()
        self.moved = {number: at for number, at in self.moved.items() if 0 <= now - at < REST}
        if match.open and match.id in self.moved and not manager:
            raise Refused(Reason.JUST_MOVED, until=exact(int(self.moved[match.id]) + REST))
        there = interaction.channel_id, public_thread_parent(interaction)
        moved = await move_table(self._service, match.id, interaction.user.id, *there, manager=manager)
        self.moved[match.id] = now
        labels = self._messages.labels(moved, interaction.locale.value)
        return labels.say("done.relocated", table=self._messages.link(moved, labels))
