"""The messages of seasons in their channels, and the task that lets seasons go on.

Each look advances every season (cogs/match/seasons.py) and shows those whose messages are behind. What it was due while
the bot was down, it does at the first look. Of several processes the one on duty looks (cogs/runtime/holdings.py), more
often, because a person may change a season in another process.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from math import inf

import discord

from cogs.match.seasons import Seasons
from cogs.messages.content import Content
from cogs.messages.presenter import Presenter
from cogs.messages.season import last_message, season_message, season_picture, standings_id
from cogs.runtime.holdings import Holdings
from cogs.runtime.logs import log_failure
from cogs.runtime.periodic import Periodic
from cogs.transport.components import offered_in
from cogs.transport.delivery import Said, deliver
from cogs.transport.errors import DiscordFailure, Failure, Troubles
from cogs.transport.senders import Handles, edit, nonce, send_public
from cogs.transport.server_lookup import ServerLookup
from data.content.texts import language, texts
from data.records.post import Sending
from data.records.seasons import Season, SeasonStatus
from rendering.core.labels import Labels

log = logging.getLogger(__name__)

EVERY, NEVER_SOON = 60.0, 3600.0
"""Seconds between two looks, while a season or a match of one goes on and while none does."""
SHARED = 3.0
"""Seconds between two looks, if there may be several processes."""


class SeasonMessages:
    """Advances and shows all seasons."""

    def __init__(
        self,
        client: discord.Client,
        seasons: Seasons,
        messages: Presenter,
        servers: ServerLookup,
        holdings: Holdings | None = None,
    ) -> None:
        self._holdings = holdings or Holdings()
        self._servers = servers
        self._service = messages.service
        self._seasons = seasons
        self._messages = messages
        self._handles = Handles(client)
        self._troubles = Troubles(log, "what seasons show")
        self._refused: dict[int, int] = {}  # the version of a season that Discord does not let us show
        self.task = Periodic("clock: seasons", partial(self._holdings.alone, self.look), EVERY)
        self._compared = set[tuple[int, int]]()  # seasons of restored backups, with their number of restores
        self._advanced = -inf

    def soon(self) -> None:
        """Look now: a person has changed a season."""
        self.task.run_by(-inf)  # not by the clock: in `make play` a press has another one than the task

    async def look(self) -> float:
        """Do all that is due. Return the seconds until the next look. It tries again what failed for a season."""
        going_on = await self._seasons.stored.going_on()
        due = going_on
        if self._holdings.shared and time.monotonic() - self._advanced < EVERY:
            behind = set(await self._seasons.stored.behind())
            due = [number for number in going_on if number in behind]
        else:
            self._advanced = time.monotonic()
        done = [await self._attempt(self._advance, number, "season %d does not go on: %s") for number in due]
        unshown = await self._seasons.stored.behind()
        done += [await self._attempt(self._show, number, "season %d cannot be shown: %s") for number in unshown]
        if done and all(done):
            self._troubles.over()
        after = EVERY if going_on or await self._seasons.stored.keeps_secret() else NEVER_SOON
        return min(after, SHARED) if self._holdings.shared else after

    async def _attempt(self, doing: Callable[[int], Awaitable[None]], number: int, trouble: str) -> bool:
        """Do that for a season. Return False, and log it, if it failed: the next look tries again."""
        try:
            await doing(number)
        except DiscordFailure as failure:
            self._troubles.tell(failure, trouble, number)
        except Exception as error:
            log_failure(log, trouble, number, error=error)
        else:
            return True
        return False

    async def _advance(self, number: int) -> None:
        season = await self._seasons.stored.get(number)
        if season is None:
            return
        is_there = await self._servers.is_there(season.guild)
        if is_there and await self._has_told_end(season):
            log.warning("season %d stops: its end was told before the backup was restored", number)
            await self._seasons.stored.stop(number, int(self._service.now()))
            return
        await self._seasons.advance(number, is_there=is_there)

    async def _has_told_end(self, season: Season) -> bool:
        """Return whether a restored backup has brought the season back from after its end: then its secret may be
        known, and its tables to come must not be dealt from it. Raises DiscordFailure.
        """
        known = (season.id, season.restores)
        if not season.restores or season.status is not SeasonStatus.PLAYING or known in self._compared:
            return False
        found = await self._sent_before(replace(season, status=SeasonStatus.OVER), tells=True)
        self._compared.add(known)
        return found is not None

    async def _sent_before(self, season: Season, *, tells: bool, after: int = 0) -> int | None:
        sought = standings_id(season, tells=tells)
        return await self._handles.sent_before(
            season.guild,
            Sending(season.channel, 0),
            lambda there: sought in offered_in(there, 0),
            after=after,
        )

    async def _show(self, number: int) -> None:
        """Bring the messages of a season up to date. If its channel is gone, it stops. Raises DiscordFailure."""
        season = await self._seasons.stored.get(number)
        if season is None or self._refused.get(number) == season.version:
            return
        if not await self._servers.is_there(season.guild):
            return
        try:
            await self._show_in_channel(season)
        except DiscordFailure as failure:
            failure.raise_if(Failure.LATER, Failure.OLD)
            self._refused[number] = season.version
            if failure.kind is Failure.CHANNEL_GONE:
                await self._seasons.stored.stop(number, int(self._service.now()))
            log.warning("season %d is not shown until it changes: %s", number, failure)

    async def _show_in_channel(self, season: Season) -> None:
        labels, game = Labels((), texts(language(season.locale))), self._service.games[season.game]
        numbers = [table.match for table in season.in_round(season.round) if table.match is not None]
        found = [await self._service.find(number) for number in numbers]
        matches = {match.id: match for match in found if match is not None}
        picture = await season_picture(self._messages, season, season.locale)
        shown = await self._shown(season, season.message, season_message(season, game, matches, labels, picture))
        season = replace(season, message=shown)
        if season.ended_round > season.told or season.last_message is not None:
            season = await self._tell(season, last_message(season, game, labels, picture))
        await self._seasons.stored.note(replace(season, shown=season.version))

    async def _tell(self, season: Season, content: Content) -> Season:
        """Bring the message up to date that tells the end of the last round or of the season. A new end has a new
        message, which takes the place of the one before.
        """
        if season.ended_round == season.told:
            return replace(season, last_message=await self._shown(season, season.last_message, content, tells=True))
        await self._seasons.stored.note(season)  # the first is stored before the second is sent
        told = await self._shown(season, None, content, tells=True)
        if season.last_message not in (None, told):
            await self._handles.delete(season.guild, season.channel, season.last_message, insist=True)
        return replace(season, last_message=told, told=season.ended_round)

    async def _shown(self, season: Season, message: int | None, content: Content, *, tells: bool = False) -> int:
        """Show the content in that message, or in a new one if there is none, or if it is gone or its thread archived.
        Return the message. One that `tells` an end is sent once, even if it is deleted.
        """
        while True:
            if message is not None:
                try:
                    await edit(self._handles.message(season.guild, season.channel, message), content)
                    return message
                except DiscordFailure as failure:
                    if failure.kind not in (Failure.MESSAGE_GONE, Failure.ARCHIVED):
                        raise
                    if tells:
                        return message
            said = await self._say(season, content, tells, message)
            if not said.found:
                return said.message
            message = said.message  # it may say something older

    async def _say(self, season: Season, content: Content, tells: bool, after: int | None) -> Said:
        async def send() -> int:
            channel = self._handles.channel(season.guild, season.channel)
            once = nonce("season", season.id, standings_id(season, tells=tells), after)
            return (await send_public(channel, content, nonce=once)).id

        async def nothing(_: Sending) -> None:
            """A season without a message always looks first, so it needs no note."""

        async def look(_: Sending) -> int | None:
            return await self._sent_before(season, tells=tells, after=after or 0)

        here = Sending(season.channel, 0)
        return await deliver(here, here, look=look, note=nothing, send=send)
