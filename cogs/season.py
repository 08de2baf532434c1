"""`/season`: a server's seasons, and the buttons of their messages."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused
from cogs.match.seasons import MOST_DAYS, MOST_ROUNDS
from cogs.match.time_controls import PRESETS
from cogs.messages.content import Content, id_in, number_in
from cogs.messages.names import MOST, clean, written
from cogs.messages.season import (
    ASK_START,
    FAIR,
    JOIN,
    LAST,
    LEAVE,
    REMOVE,
    ROUND,
    STANDINGS,
    START,
    STOP,
    fair_message,
    remove_question,
    season_picture,
    standings_message,
    start_question,
    stop_question,
)
from cogs.transport.permissions import admit, manages, sees, server_of, server_or_refuse
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import GAME_CHOICES, IN_SERVERS, SAID, TERM_CHOICES
from data.content.texts import DEFAULT, texts
from data.records.seasons import Season, Unfinished
from rules import GAMES

_UNFINISHED = [app_commands.Choice(name=texts(DEFAULT)[f"season.choice.{how}"], value=how.value) for how in Unfinished]
WEEK = 7


class SeasonCommands(AppCog):
    """The commands and presses of all seasons."""

    season = IN_SERVERS(app_commands.Group(name="season", description=SAID["command.season.description"]))

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self._seasons = app.seasons
        self._season_messages = app.season_messages
        app.router.add({"season": GlobalRoute(self._press, Reply.OWN_MESSAGE)})

    # Commands.

    @slash(group=season, game=GAME_CHOICES, clock=TERM_CHOICES, unfinished=_UNFINISHED)
    async def open(
        self,
        interaction: Interaction,
        game: str,
        title: app_commands.Range[str, 1, MOST],
        players: app_commands.Range[int, 2, 8] | None = None,
        rounds: app_commands.Range[int, 1, MOST_ROUNDS] | None = None,
        days: app_commands.Range[int, 1, MOST_DAYS] = WEEK,
        clock: str | None = None,
        unfinished: str = Unfinished.LOSES,
    ) -> Answer:
        """`/season open`: open a season here, which people can join."""
        if game not in GAMES or clock not in (None, *PRESETS) or unfinished not in list(Unfinished):
            raise Refused(Reason.NO_GAME if game not in GAMES else Reason.CLOCK_NOT_HERE)
        guild = server_or_refuse(interaction)
        assert interaction.channel_id is not None
        if not manages(interaction):
            raise Refused(Reason.NEEDS_MANAGE_SERVER)
        labels = self._interactions.labels(interaction)
        await admit(self._service, interaction, GAMES[game], labels, opens=True)
        person = await self._interactions.meet(interaction)
        locale = interaction.guild_locale.value if interaction.guild_locale else interaction.locale.value
        season = await self._seasons.open(
            game,
            guild=guild,
            channel=interaction.channel_id,
            user=person.user,
            name=clean(title),
            locale=locale,
            seats=players,
            rounds=rounds,
            days=days,
            clock=clock,
            unfinished=Unfinished(unfinished),
        )
        self._season_messages.soon()
        return labels.say("season.opened", name=written(season.name))

    @slash(group=season, game=GAME_CHOICES)
    async def standings(self, interaction: Interaction, game: str | None = None) -> Answer:
        """`/season standings`: show the standings of this channel's newest season."""
        return await self._standings(interaction, await self._newest(interaction, game))

    @slash(group=season, game=GAME_CHOICES)
    async def stop(self, interaction: Interaction, game: str | None = None) -> Answer:
        """`/season stop`: stop this channel's newest season; asks first."""
        season = await self._newest(interaction, game)
        self._seasons.check_may_run(season, interaction.user.id, manages=manages(interaction))
        if not season.going_on:
            raise Refused(Reason.SEASON_OVER)
        return stop_question(season, interaction.user.id, self._interactions.labels(interaction))

    @slash(group=season, game=GAME_CHOICES)
    async def remove(self, interaction: Interaction, player: discord.User, game: str | None = None) -> Answer:
        """`/season remove`: take a player out of this channel's newest season; asks first."""
        season = await self._newest(interaction, game)
        self._check_may_remove(interaction, season)
        who = self._seasons.entrant(season, player.id)
        return remove_question(season, who, interaction.user.id, self._interactions.labels(interaction))

    def _check_may_remove(self, interaction: Interaction, season: Season) -> None:
        """Raise Refused unless the user manages the server and does not take part in the season."""
        if not manages(interaction):
            raise Refused(Reason.NEEDS_MANAGE_SERVER)
        if any(who.user == interaction.user.id for who in season.entrants):
            raise Refused(Reason.SEASON_MANAGER_PLAYS)

    async def _newest(self, interaction: Interaction, game: str | None) -> Season:
        season = await self._seasons.stored.newest(interaction.channel_id or 0, game)
        if season is None:
            raise Refused(Reason.NO_SEASON)
        return season

    # Presses.

    async def _press(self, interaction: Interaction, press: Press) -> Answer:
        """Handle a button of a season. The rest of the id says what it does, and the number of the season."""
        what, _, rest = press.rest.partition("/")
        number, _, player = rest.partition("/")
        season = await self._seasons.load(number_in(number))
        if season.guild != server_of(interaction) or not sees(interaction, season.channel):
            raise Refused(Reason.NO_SEASON)
        if what in (STANDINGS, LAST, ROUND):
            return await self._standings(interaction, season)
        user, labels = interaction.user.id, self._interactions.labels(interaction)
        if what == FAIR:
            return fair_message(season, self._service.games[season.game], user, labels)
        if what == JOIN:
            person = await self._interactions.meet(interaction)
            await self._seasons.join(season.id, person.user, person.name)
        elif what == LEAVE:
            await self._seasons.leave(season.id, user)
        elif what == ASK_START:
            season, players = await self._seasons.startable(season.id, user, manages=manages(interaction))
            return start_question(season, players, user, labels)
        elif what == START:
            await self._seasons.start(season.id, user, manages=manages(interaction))
        elif what == REMOVE:
            self._check_may_remove(interaction, season)
            await self._seasons.remove(season.id, id_in(player))
        elif what == STOP:
            await self._seasons.stop(season.id, user, manages=manages(interaction))
        else:
            raise Refused(Reason.UNKNOWN_BUTTON)
        self._season_messages.soon()
        return Content((labels.say(f"season.done.{what}", name=written(season.name)),), user=user)

    async def _standings(self, interaction: Interaction, season: Season) -> Content:
        shown = await season_picture(self._messages, season, interaction.locale.value)
        game, labels = self._service.games[season.game], self._interactions.labels(interaction)
        return standings_message(season, game, interaction.user.id, labels, shown)
