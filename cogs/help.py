"""`/help`: how to begin, with all games and all commands behind a button each. `/learn`: a first lesson of a game,
alone against computers, in direct messages or in a private answer. A lesson is a match without a table
(cogs/match/alone.py): its learner's hand is played like any other.
"""

from __future__ import annotations

from functools import partial

from discord import app_commands

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused
from cogs.messages.choices import command_list, lessons_or_rules, list_of_games, welcome_message
from cogs.messages.content import Content
from cogs.messages.lesson import AGAIN
from cogs.transport.openings import or_ask_again
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import personal
from rules import GAMES, LESSONS

_GAME_CHOICES = [app_commands.Choice(name=GAMES[slug].title, value=slug) for slug in LESSONS]


class Help(AppCog):
    """The commands and their buttons."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._lessons, self._opening = app.lessons, app.private
        app.router.add(
            {
                "help": GlobalRoute(self._press, Reply.OWN_MESSAGE),
                "learn": GlobalRoute(self._press_learn, Reply.IN_PLACE),
            }
        )

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

    @slash(personal, game=_GAME_CHOICES)
    async def learn(self, interaction: Interaction, game: str) -> Answer | None:
        """`/learn`: begin a first lesson of this game, or go on with it."""
        return await self._begin(interaction, game)

    async def _press_learn(self, interaction: Interaction, press: Press) -> Answer | None:
        """Begin a lesson, go on with it, or begin it again. `press.rest`: the game's slug, or "again" and the slug."""
        again, _, slug = press.rest.rpartition("/")
        beginning = self._begin(interaction, slug, again=again == AGAIN)
        return await or_ask_again(self._interactions, interaction, beginning, partial(self._which_game, interaction))

    async def _which_game(self, interaction: Interaction) -> Content:
        games = {slug: self._service.games[slug] for slug in LESSONS}
        return lessons_or_rules(games, "learn", interaction.user.id, interaction.locale.value)

    async def _begin(self, interaction: Interaction, slug: str, *, again: bool = False) -> Answer | None:
        """Begin the user's lesson, or show it as it is. It comes by direct message if the user wants direct messages
        and they arrive, otherwise in the answer.
        """
        self._lessons.lesson(slug)
        person = await self._interactions.meet(interaction)
        hello = self._interactions.labels(interaction).say("lesson.hello", game=GAMES[slug].title)
        by_message = await self._opening.reaches(interaction, person, hello)
        match, new = await self._lessons.begin(slug, person.user, person.name, interaction.locale.value, again=again)
        return await self._opening.shown(interaction, match, new=new, by_message=by_message)
