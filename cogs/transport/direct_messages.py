"""Opens direct-message channels to users, slowly: Discord takes a bot that opens many at once for a spammer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import discord

from cogs.runtime.settings import DM_GAP
from cogs.transport.errors import DiscordFailure, Failure, discord_call

DM_PER_MINUTE = 5


class DirectMessages:
    """Opens direct-message channels: at most `DM_PER_MINUTE` for the whole bot, and `gap` seconds apart.

    `clock` counts seconds and never goes back.
    """

    def __init__(self, client: discord.Client, clock: Callable[[], float], gap: float = DM_GAP) -> None:
        self._client = client
        self._clock = clock
        self._gap = gap
        self._turns: deque[float] = deque(maxlen=DM_PER_MINUTE)

    def take_turn(self) -> float:
        """Take the turn to open one channel; 0.0. If it is too early take none, and return the seconds to wait."""
        if (wait := self.wait()) > 0:
            return wait
        self._turns.append(self._clock())
        return 0.0

    def wait(self) -> float:
        """Return the seconds until the next turn is free; 0.0 if it is."""
        now = self._clock()
        wait = self._turns[-1] + self._gap - now if self._turns else 0.0
        if len(self._turns) == DM_PER_MINUTE and self._gap:
            wait = max(wait, self._turns[0] + 60 - now)
        return max(wait, 0.0)

    async def open(self, user: int) -> int:
        """Return the id of the channel to this user, after a turn was taken. Raises DiscordFailure, DM_CLOSED if they
        take no messages.
        """
        async with discord_call():
            try:
                return (await self._client.create_dm(discord.Object(user))).id
            except discord.HTTPException as error:
                # Discord may answer 400 in place of 403, without a code.
                if error.code == 0 and error.status == 400:
                    raise DiscordFailure(Failure.DM_CLOSED) from error
                raise
