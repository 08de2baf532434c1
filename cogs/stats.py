"""`/stats`: what a server has played of a game, shown to the user alone. Running matches do not count."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.match.refusals import Reason, Refused
from cogs.messages import statistics as statistics_texts
from cogs.transport.app import App
from cogs.transport.permissions import server_of
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import EVERYWHERE, SAID
from rules import GAMES

_GAME_CHOICES = [app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]


class Stats(commands.Cog):
    """The command."""

    def __init__(self, app: App) -> None:
        self._people = app.people
        self._messages = app.messages
        self._interactions = app.interactions
        self._tallies = app.store.tallies

    @app_commands.command(description=SAID["command.stats.description"])
    @app_commands.describe(game=SAID["command.stats.game.description"])
    @app_commands.choices(game=_GAME_CHOICES)
    @EVERYWHERE
    async def stats(self, interaction: Interaction, game: str) -> None:
        """`/stats`: show the statistics of a game in this server."""

        async def show() -> Answer:
            guild = server_of(interaction)
            if guild is None:
                raise Refused(Reason.SETUP_IN_SERVERS)
            if game not in GAMES:
                raise Refused(Reason.NO_GAME)
            tallies = await self._tallies.of(guild, game)
            user = interaction.user.id
            person = await self._people.get(user)
            return await statistics_texts.statistics_message(
                self._messages, game, tallies, user, person, interaction.locale.value
            )

        await self._interactions.answer(interaction, show)
