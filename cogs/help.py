"""`/help`: the bot in ten lines, and its games behind a button."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.match.refusals import Reason, Refused
from cogs.messages.choices import help_message, list_of_games
from cogs.messages.content import Content
from cogs.transport.app import App
from cogs.transport.router import GlobalRoute, Press
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import SAID, personal


class Help(commands.Cog):
    """The command and its button."""

    def __init__(self, app: App) -> None:
        self._games = app.service.games
        self._interactions = app.interactions
        app.router.add({"help": GlobalRoute(self._press)})

    @app_commands.command(description=SAID["command.help.description"])
    @personal
    async def help(self, interaction: Interaction) -> None:
        """`/help`: explain the bot in one message."""

        async def show() -> Answer:
            return help_message(self._games, interaction.user.id, interaction.locale.value)

        await self._interactions.answer(interaction, show)

    async def _press(self, interaction: Interaction, press: Press) -> Content:
        """List the games."""
        if press.rest != "games":
            raise Refused(Reason.UNKNOWN_BUTTON)
        return list_of_games(self._games, interaction.user.id, interaction.locale.value)
