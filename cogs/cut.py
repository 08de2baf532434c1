"""Cutting the deck: a button of the lobby, a form with one line for whatever somebody likes, and what comes of it."""

from __future__ import annotations

from discord.ext import commands

from cogs.match.refusals import Refused, check_may_cut
from cogs.messages.content import Form, Id
from cogs.messages.names import MOST, clean, written
from cogs.transport.interactions import Answer, GlobalRoute, House, Interaction, Route
from data.records.match import Match
from rules.core.chance import commitment


class Cuts(commands.Cog):
    """The presses that mix something of the players into the deal."""

    def __init__(self, bot: commands.Bot, house: House) -> None:
        self.bot = bot
        self.house = house
        house.routes.update({"cut": GlobalRoute(self._ask), "cut_with": Route(self._cut, silent=True)})

    async def _ask(self, interaction: Interaction, pressed: Id, _: list[str]) -> None:
        """Answer with the form, before anything else can be answered; whoever may not cut is told so instead."""

        async def refuse() -> Answer:
            raise refused

        try:
            match = await self.house.which.match(interaction, pressed.match)
            check_may_cut(match, interaction.user.id)
        except Refused as error:
            refused = error
            await self.house.answer(interaction, refuse, silent=True)
            return
        say = self.house.desk.labels(match, interaction.locale.value).say
        title = say("lobby.cut" if self.house.host.game(match).deals else "lobby.cut_seats")
        await self.house.ask(
            interaction, Form(Id(match.id, "cut_with"), title, say("cut.label"), say("cut.hint"), MOST)
        )

    async def _cut(self, interaction: Interaction, match: Match, pressed: Id) -> str:
        """What was typed; where that is nothing, the number that Discord gave to this very press.

        The answer says what it was mixed into: unlike the lobby, it is never edited.
        """
        typed = (clean(pressed.rest) if pressed.rest.strip() else "") or str(interaction.id)
        match = await self.house.lobby.cut(match.id, interaction.user.id, typed)
        self.house.publisher.changed(match.id)
        say = self.house.desk.labels(match, interaction.locale.value).say
        return say("cut.done", cut=written(typed), hash=commitment(match.secret))
