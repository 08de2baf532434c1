"""Calling a match off: `/cancel`, the button of a lobby, and the question that comes first, with a way to keep it."""

from __future__ import annotations

from cogs.app import App, AppCog, slash
from cogs.match.votes import check_may_vote
from cogs.messages.content import Button, Content, Id
from cogs.messages.players import end_question
from cogs.transport.permissions import server_of
from cogs.transport.router import Reply, Route, at_table
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import IN_SERVERS
from data.records.match import Match, Status

LOBBY = "lobby"
"""In the id of the button that cancels a lobby, not the match that it becomes."""


class Cancel(AppCog):
    """The command and the presses that call a match off."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._question = ask = app.finder.live(self._ask)
        app.router.add(
            {
                "cancel": Route(at_table(ask)),
                "cancel/sure": Route(at_table(self._cancel), Reply.OWN_MESSAGE),
                f"cancel/{LOBBY}": Route(at_table(self._cancel_lobby), Reply.OWN_MESSAGE),
                "cancel/keep": Route(at_table(self._keep), Reply.OWN_MESSAGE),
            }
        )

    @slash(IN_SERVERS)
    async def cancel(self, interaction: Interaction, table: int | None = None) -> Answer | None:
        """`/cancel`: call off an open match; asks first."""
        return await self._finder.at(interaction, table, self._question, lambda m: m.open, "cancel", here=True)

    async def _ask(self, interaction: Interaction, match: Match) -> Content:
        """Return the question, if the user may call the match off; nothing has happened yet. A player alone ends it."""
        labels, title = self._messages.labels(match, interaction.locale.value), self._finder.title(interaction, match)
        if match.private and match.status is Status.PLAYING:
            check_may_vote(match, "end")
            return end_question(match, interaction.user.id, title, labels)
        await self._lobby.check_may_cancel(match, interaction.user.id, _manages(interaction, match))
        key, sure = ("ask", LOBBY) if match.status is Status.LOBBY else ("ask_running", "sure")
        row = (
            Button(labels.say("cancel.sure"), Id(match.id, "cancel", rest=sure), "danger"),
            Button(labels.say("cancel.keep"), Id(match.id, "cancel", rest="keep")),
        )
        return Content((labels.say(f"cancel.{key}", table=title),), (row,), interaction.user.id)

    async def _cancel(self, interaction: Interaction, match: Match) -> Content:
        person = await self._interactions.meet(interaction)
        match = await self._lobby.cancel(match.id, person.user, _manages(interaction, match), person.name)
        return Content((self._finder.say(interaction, match, "cancelled"),), user=interaction.user.id)

    async def _cancel_lobby(self, interaction: Interaction, match: Match) -> Answer:
        """Cancel what was asked about as a lobby; once it has begun, ask about the running match first."""
        if match.status is Status.PLAYING:
            return await self._question(interaction, match)
        return await self._cancel(interaction, match)

    async def _keep(self, interaction: Interaction, match: Match) -> Content:
        return Content((self._finder.say(interaction, match, "not_cancelled"),), user=interaction.user.id)


def _manages(interaction: Interaction, match: Match) -> bool:
    """Return whether the user manages the match's server, and sends this from there."""
    return server_of(interaction) == match.guild and interaction.permissions.manage_guild
