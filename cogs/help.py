"""`/help`: how to begin, with all games and all commands behind a button each."""

from __future__ import annotations

from cogs.match.refusals import Reason, Refused
from cogs.messages.choices import command_list, lessons_or_rules, list_of_games, welcome_message
from cogs.messages.content import Content
from cogs.transport.app import App, AppCog, slash
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import personal
from rules import LESSONS


class Help(AppCog):
    """The command and its buttons."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        app.router.add({"help": GlobalRoute(self._press, Reply.OWN_MESSAGE)})

    @slash(personal)
    async def help(self, interaction: Interaction) -> Answer:
        """`/help`: explain the bot in one message."""
        return welcome_message(interaction.locale.value, interaction.user.id)

    async def _press(self, interaction: Interaction, press: Press) -> Content:
        """List the games or the commands, or ask which game to learn, or whose rules to read."""
        whom = interaction.user.id, interaction.locale.value
        if press.rest == "games":
            return list_of_games(self._service.games, *whom)
        if press.rest == "commands":
            return command_list(self._service.games, *whom)
        if press.rest == "learn":
            return lessons_or_rules({slug: self._service.games[slug] for slug in LESSONS}, "learn", *whom)
        if press.rest == "rules":
            return lessons_or_rules(self._service.games, "rulebook", *whom)
        raise Refused(Reason.UNKNOWN_BUTTON)
