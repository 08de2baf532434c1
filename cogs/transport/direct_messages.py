"""Opens direct-message channels to users, slowly: Discord takes a bot that opens many at once for a spammer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import discord

from cogs.runtime.settings import DM_GAP
from cogs.transport.errors import FAILURES, DiscordFailure, Failure, discord_call, is_locked_out

DM_PER_MINUTE = 5


class DirectMessages:
    """Opens direct-message channels: at most `DM_PER_MINUTE` for the whole bot, and `gap` seconds apart.

    `clock` counts seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float], gap: float = DM_GAP) -> None:
        self._clock = clock
        self._gap = gap
        self._opened: deque[float] = deque(maxlen=DM_PER_MINUTE)
        self._gate = asyncio.Lock()

    async def open(self, user: discord.abc.User) -> int:
        """Return the id of the channel to this user. Raises DiscordFailure, DM_CLOSED if they take no messages."""
        assert isinstance(user, discord.User | discord.Member)
        if user.dm_channel is not None:
            return user.dm_channel.id
        async with self._gate:
            now = self._clock()
            wait = self._opened[-1] + self._gap - now if self._opened else 0.0
            if len(self._opened) == DM_PER_MINUTE and self._gap:
                wait = max(wait, self._opened[0] + 60 - now)
            if wait > 0:
                await asyncio.sleep(wait)
            self._opened.append(self._clock())
            async with discord_call():
                try:
                    return (await user.create_dm()).id
                except discord.HTTPException as error:
                    # Discord may answer 400 in place of 403.
                    if error.status in (400, 403) and error.code not in FAILURES and not is_locked_out(error):
                        raise DiscordFailure(Failure.DM_CLOSED, error.code) from error
                    raise
