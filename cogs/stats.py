"""`/stats`: what a server has played of a game, shown to the user alone. Running matches do not count."""

from __future__ import annotations

from cogs.match.refusals import Reason, Refused
from cogs.messages import statistics as statistics_texts
from cogs.transport.app import App, AppCog, slash
from cogs.transport.permissions import server_of
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import EVERYWHERE, GAME_CHOICES
from rules import GAMES


class Stats(AppCog):
    """The command."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._tallies = app.store.tallies

    @slash(EVERYWHERE, game=GAME_CHOICES)
    async def stats(self, interaction: Interaction, game: str) -> Answer:
        """`/stats`: show the statistics of a game in this server."""
        guild = server_of(interaction)
        if guild is None:
            raise Refused(Reason.SETUP_IN_SERVERS)
        if game not in GAMES:
            raise Refused(Reason.NO_GAME)
        tallies = await self._tallies.of(guild, game)
        user = interaction.user.id
        person = await self._service.people.get(user)
        return await statistics_texts.statistics_message(
            self._messages, game, tallies, user, person, interaction.locale.value
        )
