"""Opens direct-message channels to users, slowly: Discord takes a bot that opens many at once for a spammer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

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
        self._opened: deque[float] = deque(maxlen=DM_PER_MINUTE)
        self._gate = asyncio.Lock()

    @property
    def is_free(self) -> bool:
        """Whether a channel can be opened now, without a wait."""
        return not self._gate.locked() and self._wait() <= 0

    async def open(self, user: int, known: Callable[[], Awaitable[int | None]]) -> int:
        """Return the id of the channel to this user. `known` returns it if it was opened before; it is asked again
        after the wait, because a channel that is known by then takes no place. Raises DiscordFailure, DM_CLOSED if they
        take no messages.
        """
        if (channel := await known()) is not None:
            return channel
        async with self._gate:
            if (wait := self._wait()) > 0:
                await asyncio.sleep(wait)
            if (channel := await known()) is not None:
                return channel
            self._opened.append(self._clock())
            async with discord_call():
                try:
                    return (await self._client.create_dm(discord.Object(user))).id
                except discord.HTTPException as error:
                    # Discord may answer 400 in place of 403, without a code.
                    if error.code == 0 and error.status == 400:
                        raise DiscordFailure(Failure.DM_CLOSED) from error
                    raise

    def _wait(self) -> float:
        """Return the seconds until the next channel may be opened; not above 0 if that is now."""
        now = self._clock()
        wait = self._opened[-1] + self._gap - now if self._opened else 0.0
        if len(self._opened) == DM_PER_MINUTE and self._gap:
            wait = max(wait, self._opened[0] + 60 - now)
        return wait
