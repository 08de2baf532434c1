"""Which table somebody means, and who may mean it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord
from discord import app_commands

from cogs.match.refusals import Reason, Refused, unseated
from cogs.match.service import MatchService
from cogs.messages.content import shortened
from cogs.messages.messages import Messages
from data.records.match import Match, Status
from rules.core.game import Seat

Interaction = discord.Interaction[Any]
T = TypeVar("T")


class TableFinder:
    """Finds tables by number, person and place, and says their names."""

    def __init__(self, service: MatchService, messages: Messages) -> None:
        self._service = service
        self._messages = messages

    def at(
        self,
        interaction: Interaction,
        number: int | None,
        work: Callable[[Interaction, Match], Awaitable[T]],
        fits: Callable[[Match], bool],
        *,
        here: bool = False,
    ) -> Callable[[], Awaitable[T]]:
        """`work` at the table of that number; without one, at the only one that fits.

        The person's own tables come first, those in this channel before others; `here`: then anybody's in this
        channel.
        """

        async def found() -> T:
            if number is not None:
                return await work(interaction, await self.match(interaction, number))
            matches = [m for m in await self.candidates(interaction, here=here) if fits(m)]
            mine = [m for m in matches if m.seat_of(interaction.user.id) is not None]
            near = [m for m in mine or matches if interaction.channel_id in (m.place, m.channel)]
            chosen = near or mine or matches
            if len(chosen) > 1:
                raise Refused(Reason.WHICH_TABLE, tables=", ".join(self.title(interaction, m) for m in chosen[:10]))
            if not chosen:
                raise Refused(Reason.NO_TABLE) if here else await self._none(interaction)
            return await work(interaction, await self._service.load(chosen[0].id))

        return found

    async def _none(self, interaction: Interaction) -> Refused:
        """Why none of one's own tables fits: the only one that is played here is others', or there is none."""
        near = [m for m in await self.candidates(interaction, here=True) if is_playing(m)]
        user = interaction.user.id
        alone = len(near) == 1 and near[0].seat_of(user) is None
        return unseated(near[0], user) if alone else Refused(Reason.NO_TABLE)

    async def candidates(self, interaction: Interaction, *, here: bool = False) -> list[Match]:
        """The open tables that somebody may mean: their own, and `here` those in this channel."""
        mine = await self._service.of_player(interaction.user.id)
        if not here or interaction.channel_id is None or interaction.guild_id is None:
            return mine
        seen = {match.id for match in mine}
        return mine + [m for m in await self._service.in_channel(interaction.channel_id) if m.id not in seen]

    async def match(self, interaction: Interaction, number: int) -> Match:
        """The match of that number, for those who sit at it and for whoever is where its table is."""
        match = await self._service.find(number)
        if match is None:
            raise Refused(Reason.NO_MATCH)
        user = interaction.user.id
        if match.seat_of(user) is None and interaction.channel_id not in (match.place, match.channel):
            raise Refused(Reason.NO_MATCH) if match.former_seat(user) is None else unseated(match, user)
        await self._service.quarantine.check(match)
        return match

    async def choices(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
        """The tables that the asker may mean, for a command's list."""
        choices = []
        for match in await self.candidates(interaction, here=True):
            name = self.title(interaction, match)
            if typed.lower() in name.lower():
                choices.append(app_commands.Choice(name=shortened(name, 100), value=match.id))
        return choices[:25]

    def title(self, interaction: Interaction, match: Match) -> str:
        """A table's name in the person's own language."""
        return self._messages.title(match, self._messages.labels(match, interaction.locale.value))

    def link(self, interaction: Interaction, match: Match) -> str:
        """The same, leading to where the table stands."""
        return self._messages.link(match, self._messages.labels(match, interaction.locale.value))

    def say(self, interaction: Interaction, match: Match, key: str, **facts: object) -> str:
        """A sentence about what has been done at a table."""
        labels = self._messages.labels(match, interaction.locale.value)
        return labels.say(f"done.{key}", table=self.title(interaction, match), **facts)

    def awaited(self, match: Match, user: int) -> bool:
        """Whether the table waits for this person."""
        seat = match.seat_of(user)
        if self._service.quarantine.holds(match.id):
            return False
        return match.running and seat is not None and Seat(seat) in self._service.state(match).to_move()


def is_playing(match: Match) -> bool:
    return match.status is Status.PLAYING
