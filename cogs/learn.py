"""`/learn`: a first lesson of a game, alone against computers, in direct messages or in a private answer. A lesson is a
match without a table (cogs/match/lessons.py): its learner's hand is played like any other.
"""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from cogs.messages.content import Button, Content
from cogs.messages.lesson import AGAIN
from cogs.transport.app import App
from cogs.transport.interactions import is_ephemeral
from cogs.transport.newcomers import Reach
from cogs.transport.permissions import server_of
from cogs.transport.pings import by_dm
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import EVERYWHERE, SAID
from cogs.transport.table_opening import TableOpening
from data.lru import Lru
from data.records.match import Match
from data.records.people import Person, PingPreference
from rules import GAMES, LESSONS

_GAME_CHOICES = [app_commands.Choice(name=GAMES[slug].title, value=slug) for slug in LESSONS]


MOST_KNOWN = 4_096
"""The most users of whom is remembered where they last began a lesson."""


class Learn(commands.Cog):
    """The command, and the buttons at the end of a lesson."""

    def __init__(self, app: App) -> None:
        self._service = app.service
        self._lessons = app.lessons
        self._messages = app.messages
        self._interactions = app.interactions
        self._hands = app.hands
        self._opening = TableOpening(app.service, app.lobby, app.interactions)
        self._came_from = Lru[int, str](MOST_KNOWN)
        """The address of the channel in which a user last began a lesson, until the bot ends. It is stored nowhere."""
        app.router.add(
            {
                "learn": GlobalRoute(self._press, Reply.IN_PLACE, "open"),
                "open": GlobalRoute(self._open, rate="open"),
            }
        )

    @app_commands.command(description=SAID["command.learn.description"])
    @app_commands.describe(game=SAID["command.learn.game.description"])
    @app_commands.choices(game=_GAME_CHOICES)
    @EVERYWHERE
    async def learn(self, interaction: Interaction, game: str) -> None:
        """`/learn`: begin a first lesson of this game, or go on with it."""

        async def begin() -> Answer | None:
            return await self._begin(interaction, game)

        await self._interactions.answer(interaction, begin)

    async def _press(self, interaction: Interaction, press: Press) -> Answer | None:
        """Begin a lesson, go on with it, or begin it again from the start. `press.rest` is the game's slug, or "again"
        and the slug.
        """
        again, _, slug = press.rest.rpartition("/")
        return await self._begin(interaction, slug, again=again == AGAIN)

    async def _open(self, interaction: Interaction, press: Press) -> Answer:
        """Open a table for a whole match; from direct messages, lead back to the channel from which the learner came.
        `press.rest` is the game's slug.
        """
        if server_of(interaction) is None and press.rest in GAMES:
            text = self._interactions.labels(interaction).say("lesson.where", game=GAMES[press.rest].title)
            back = self._came_from.get(interaction.user.id)
            label = self._interactions.labels(interaction).say("lesson.back")
            rows = ((Button(label, url=back),),) if back is not None else ()
            return Content((text,), rows, interaction.user.id)
        return await self._opening.open(interaction, press.rest)

    async def _begin(self, interaction: Interaction, slug: str, *, again: bool = False) -> Answer | None:
        """Begin the user's lesson, or show it as it is. It comes by direct message if the user wants direct messages
        and they arrive, otherwise in the answer.
        """
        self._lessons.lesson(slug)
        guild = server_of(interaction)
        if guild is not None:
            where = f"https://discord.com/channels/{guild}/{interaction.channel_id}"
            self._came_from[interaction.user.id] = where
        person = await self._interactions.meet(interaction)
        by_message = not is_ephemeral(interaction) and await self._takes_messages(interaction, person, slug)
        locale = interaction.locale.value
        match, new = await self._lessons.begin(slug, person.user, person.name, locale, again=again)
        person = await self._interactions.meet(interaction)
        if by_message and (where := await self._where(match, person, new=new)):
            labels = self._messages.labels(match, locale)
            key = "lesson.begun" if new else "lesson.goes_on"
            text = labels.say(key, lesson=self._messages.title(match, labels))
            return Content((text,), ((Button(labels.say("lesson.there"), url=where),),), person.user)
        await self._hands.look(interaction, match, person, is_ephemeral(interaction))
        return None

    async def _takes_messages(self, interaction: Interaction, person: Person, slug: str) -> bool:
        """Return whether direct messages reach the user now."""
        if person.ping in (PingPreference.MENTION, PingPreference.NONE):
            return False
        if await self._service.clocks.quiet_until(person.user) is not None:
            return False
        labels = self._interactions.labels(interaction)
        hello = labels.say("lesson.hello", game=GAMES[slug].title)
        return await self._interactions.open_dm(interaction, person, hello) is Reach.WORKS

    async def _where(self, match: Match, person: Person, *, new: bool) -> str:
        """Return the address of the lesson in the player's direct messages; "" if it is not there."""
        chair = match.chairs[match.seat_of(person.user) or 0]
        post = (await self._service.posts.of(match.id)).hands.get(chair.number)
        if not by_dm(chair, person) or post is None:
            return ""
        if post.message is not None:
            return f"https://discord.com/channels/@me/{post.channel}/{post.message}"
        return f"https://discord.com/channels/@me/{person.dm}" if new else ""
