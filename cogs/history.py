"""`/history`, `/profile`, `/leaderboard` and `/stats`: what is remembered of finished matches. Only who asks sees the
answers.

What a press shows depends on the person who presses, on the server, and on the channels that they can read there, so
the ids of buttons may say what they like.
"""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.app import App, AppCog, slash
from cogs.match.refusals import Reason, Refused
from cogs.messages import profile as profile_texts
from cogs.messages import statistics as statistics_texts
from cogs.messages.content import Content, number_in
from cogs.messages.history import MOST, Listed, Turn, history_message
from cogs.messages.leaderboard import EVER, leaderboard_message, month_of, periods_like
from cogs.messages.leaderboard import MOST as MOST_LINES
from cogs.messages.typed_moves import words_of
from cogs.transport.permissions import reads, server_of, server_or_refuse
from cogs.transport.router import GlobalRoute, Press, Reply
from cogs.transport.senders import Answer, Interaction
from cogs.transport.slash_commands import EVERYWHERE, GAME_CHOICES, IN_SERVERS, personal
from data.records.histories import NO_MATCHES
from data.records.visibility import Sought
from rules import GAMES

ASKED = 600.0
"""Seconds for which Discord's answer serves that a user on an earlier page has left the server."""
MOST_ASKED = 100
"""Of so many users a page of a leaderboard asks whether they are members. It lists no others: nearly all have left."""
AnyUser = discord.Member | discord.User


class History(AppCog):
    """The commands and the buttons in their answers."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.histories, self._tallies = app.store.histories, app.store.tallies
        self._members = app.publisher.members
        app.router.add(
            {
                "history": GlobalRoute(self._turn_page, Reply.OWN_MESSAGE),
                "ranks": GlobalRoute(self._turn_board, Reply.OWN_MESSAGE),
            }
        )

    @slash(personal, game=GAME_CHOICES)
    async def history(
        self,
        interaction: Interaction,
        player: AnyUser | None = None,
        game: str | None = None,
        with_: AnyUser | None = None,
    ) -> Answer:
        """`/history`: list the finished matches of a person, the user's own if none is named."""
        turn = Turn((player or interaction.user).id, with_.id if with_ is not None else 0, game or "")
        return await self._history(interaction, turn)

    @slash(personal)
    async def profile(self, interaction: Interaction, player: AnyUser | None = None) -> Answer:
        """`/profile`: tell what the finished matches of a person amount to, the user's own if none is named."""
        viewer, user = interaction.user.id, (player or interaction.user).id
        guild = server_of(interaction)
        channels = await self._channels(interaction, guild)
        found = None
        if not await self.has_left(interaction, guild, user):
            found = await self.histories.profile(viewer, guild, user, channels)
        return await profile_texts.profile_message(self._messages, found, user, viewer, interaction.locale.value)

    @slash(IN_SERVERS, game=GAME_CHOICES)
    async def leaderboard(self, interaction: Interaction, game: str, period: str = EVER) -> Answer:
        """`/leaderboard`: list the players of this server by their rating in a game."""
        if month_of(period) is None and len("".join(words_of(period))) > 2:
            like = periods_like(period, self._service.now(), self._interactions.labels(interaction))
            period = like[0][0] if like else period
        return await self._board(interaction, game, period, 0)

    @slash(EVERYWHERE, game=GAME_CHOICES)
    async def stats(self, interaction: Interaction, game: str) -> Answer:
        """`/stats`: show the statistics of a game in this server."""
        guild = server_or_refuse(interaction, Reason.SETUP_IN_SERVERS)
        if game not in GAMES:
            raise Refused(Reason.NO_GAME)
        tallies = await self._tallies.of(guild, game)
        user = interaction.user.id
        person = await self._service.people.get(user)
        return await statistics_texts.statistics_message(
            self._messages, game, tallies, user, person, interaction.locale.value
        )

    @leaderboard.autocomplete("period")
    async def _complete_period(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        async def offered() -> list[tuple[str, str]]:
            return periods_like(typed, self._service.now(), self._interactions.labels(interaction))

        return await self._interactions.complete(interaction, offered)

    async def _turn_page(self, interaction: Interaction, press: Press) -> Content:
        """Show the page that the button leads to; `press.rest` is a `Turn`."""
        turn = Turn.parse(press.rest)
        if turn is None:
            raise Refused(Reason.UNKNOWN_BUTTON)
        return await self._history(interaction, turn)

    async def _turn_board(self, interaction: Interaction, press: Press) -> Content:
        """Show another page of a leaderboard; `press.rest` is the game's slug, the period, and the line before it."""
        game, _, rest = press.rest.partition("/")
        period, _, after = rest.partition("/")
        return await self._board(interaction, game, period, number_in(after))

    async def _history(self, interaction: Interaction, turn: Turn) -> Content:
        if turn.game and turn.game not in GAMES:
            raise Refused(Reason.NO_GAME)
        viewer, guild = interaction.user.id, server_of(interaction)
        both = bool(turn.user and turn.other and turn.other != turn.user)
        channels = await self._channels(interaction, guild)
        sought = Sought(viewer, guild, turn.user or None, turn.game or None, turn.other if both else None, channels)
        if await self.has_left(interaction, guild, turn.user) or await self.has_left(interaction, guild, turn.other):
            return history_message(Listed(sought, NO_MATCHES), turn, interaction.locale.value)
        page = await self.histories.page(sought, turn.key, newer=turn.way == "n", most=MOST)
        between = await self.histories.between(sought) if both else None
        return history_message(Listed(sought, page, between), turn, interaction.locale.value)

    async def has_left(self, interaction: Interaction, guild: int | None, user: int) -> bool:
        """Return whether another user is no member of the server any more; 0 is none."""
        if guild is None or user in (0, interaction.user.id):
            return False
        return await self._members.is_gone(guild, user)

    async def _channels(self, interaction: Interaction, guild: int | None) -> list[int]:
        """Return the channels with finished matches that the user can read now; none outside a server."""
        found = [] if guild is None else await self.histories.channels(guild)
        return [channel for channel in found if reads(interaction, channel)]

    async def _board(self, interaction: Interaction, game: str, period: str, after: int) -> Content:
        guild = server_or_refuse(interaction, Reason.UNKNOWN_BUTTON)
        if game not in GAMES:
            raise Refused(Reason.NO_GAME)
        month = month_of(period)
        if month is None:
            raise Refused(Reason.NO_PERIOD)
        viewer, channels = interaction.user.id, await self._channels(interaction, guild)
        # The pages before this one have asked about the players on them.
        gone = self._members.departed(guild, ASKED) - {viewer} if after else frozenset[int]()
        asked = {viewer, *gone}
        while True:
            board = await self.histories.leaderboard(
                viewer, guild, game, month, after, MOST_LINES, channels=channels, gone=gone
            )
            listed = {line.user for line in board.lines} - asked
            asked |= listed
            left = await self._members.gone(guild, listed) if len(asked) <= MOST_ASKED else listed
            if not left:
                break
            gone |= left
        return leaderboard_message(board, game, period, after, viewer, interaction.locale.value)
