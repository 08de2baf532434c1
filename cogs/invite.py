"""*Play with*: a member's context menu that opens a table for the two, after a question which game."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.match.refusals import Reason, Refused
from cogs.messages.content import Content, Id, Select, SelectOption, id_in
from cogs.messages.names import written
from cogs.transport.app import App, AppCog
from cogs.transport.errors import DiscordFailure, Failure, discord_call
from cogs.transport.openings import Invited, TableOpening, invited_people
from cogs.transport.permissions import server_of
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction, content_of
from cogs.transport.slash_commands import IN_SERVERS, SAID


class Invite(AppCog):
    """The context menu, and the choice of a game in its answer."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._bot = app.bot
        self._opening = TableOpening(app.service, app.lobby, app.interactions)
        self._menu = IN_SERVERS(app_commands.ContextMenu(name=SAID["menu.play_with"], callback=self._play_with))
        app.router.add({"play_with": GlobalRoute(self._open, Reply.OWN_MESSAGE)})

    async def cog_load(self) -> None:
        """Add the context menu, which discord.py does not do for a cog."""
        self._bot.tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """Remove it."""
        self._bot.tree.remove_command(self._menu.name, type=self._menu.type)

    async def _play_with(self, interaction: Interaction, member: discord.Member) -> None:
        await self._interactions.answer(interaction, lambda: self._question(interaction, member))

    async def _question(self, interaction: Interaction, member: Invited) -> Content:
        """Return the question which game to play. Refused: the member is a bot, or the user themself."""
        ((user, name),) = invited_people(member)
        if user == interaction.user.id:
            raise Refused(Reason.NO_PEOPLE)
        say = self._interactions.labels(interaction).say
        games = sorted(self._service.games.values(), key=lambda game: game.title)
        entries = tuple(SelectOption(game.title, game.slug) for game in games if game.seats[-1] > 1)
        select = Select(Id(0, "play_with", rest=str(user)), say("door.pick_game"), entries[:25])
        return Content((say("door.pick", name=f"**{written(name)}**"),), (select,), interaction.user.id)

    async def _open(self, interaction: Interaction, press: Press) -> Answer:
        """Open the table. The person's name comes from Discord again: the press only names an id."""
        member = await self._member(interaction, id_in(press.rest))
        said = await self._opening.open(interaction, press.chosen, invited_people(member))
        return content_of(said, interaction.user.id)

    async def _member(self, interaction: Interaction, user: int) -> discord.Member:
        if interaction.guild is None or server_of(interaction) is None or not user:
            raise Refused(Reason.NO_PEOPLE)
        try:
            async with discord_call():
                return await interaction.guild.fetch_member(user)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER)
            raise Refused(Reason.NO_PEOPLE) from failure  # they have left the server
