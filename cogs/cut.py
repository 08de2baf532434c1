"""Cutting the deck: a button of the lobby, its form with one line of text, and the answer."""

from __future__ import annotations

from cogs.match.refusals import check_may_cut
from cogs.messages.content import Form, Id
from cogs.messages.names import MOST, clean, written
from cogs.transport.app import App, AppCog
from cogs.transport.router import Press, Reply, Route, at_table
from cogs.transport.senders import Interaction, Lasting
from data.records.match import Match
from rules.core.chance import commitment


class Cuts(AppCog):
    """The presses with which players mix a text of their own into the deal."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        app.router.add({"cut": Route(at_table(self._form), Reply.FORM), "cut_with": Route(self._cut, Reply.SILENT)})

    async def _form(self, interaction: Interaction, match: Match) -> Form:
        check_may_cut(match, interaction.user.id)
        say = self._messages.labels(match, interaction.locale.value).say
        title = say("lobby.cut" if self._service.game(match).deals else "lobby.cut_seats")
        return Form(Id(match.id, "cut_with"), title, say("cut.label"), say("cut.hint"), MOST)

    async def _cut(self, interaction: Interaction, match: Match, press: Press) -> Lasting:
        """Cut with the text typed or, if it is empty, with the number that Discord gave to this press.

        The answer shows the commitment to the secret, which cannot be changed any more.
        """
        typed = (clean(press.value) if press.value.strip() else "") or str(interaction.id)
        match = await self._lobby.cut(match.id, interaction.user.id, typed)
        say = self._messages.labels(match, interaction.locale.value).say
        return Lasting(say("cut.done", cut=written(typed), fingerprint=commitment(match.secret)))
