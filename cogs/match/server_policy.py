"""What the owners of each server allow there, and how many tables a server and a person have open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from cogs.match.refusals import Reason, Refused, stored
from data.records.match import Match
from data.records.matches import Matches
from data.records.servers import Server, Servers


class ServerPolicy:
    """The settings of all servers, kept to. `servers` None: every server allows everything."""

    def __init__(self, matches: Matches, servers: Servers | None) -> None:
        self._matches = matches
        self._servers = servers
        self._seating = asyncio.Lock()  # no two at once sit down where there is room for one

    async def of(self, guild: int) -> Server:
        """What the owners of that server have set."""
        return Server(guild) if self._servers is None else await self._servers.get(guild)

    async def change(self, guild: int, **facts: Any) -> Server:
        """Change some of these settings. Open matches go on as they are."""
        assert self._servers is not None
        with stored():
            return await self._servers.change(guild, **facts)

    @asynccontextmanager
    async def seating(self, guild: int, user: int | None, *, new: bool = False) -> AsyncIterator[None]:
        """Let nobody else sit down until this person does, or it is known that they do not; inside `deciding`, where
        both are needed. Refused where the server has as many tables as may be (`new`: it takes another), or the person
        sits at as many. None: nobody is certain to sit down.
        """
        async with self._seating:
            server = await self.of(guild)
            if new and server.most_open is not None and len(await self._matches.open_in(guild)) >= server.most_open:
                raise Refused(Reason.SERVER_FULL, count=server.most_open)
            if user is not None and await self._is_full(server, user):
                raise Refused(Reason.PERSON_FULL, count=server.most_each)
            yield

    async def _is_full(self, server: Server, user: int) -> bool:
        """Whether the person sits at as many tables of that server as may be."""
        if server.most_each is None:
            return False
        return sum(match.guild == server.guild for match in await self._matches.of_player(user)) >= server.most_each

    async def kept_out(self, match: Match) -> frozenset[int]:
        """Those who wait and may not sit down now, for what the server allows."""
        server = await self.of(match.guild)
        if not server.allows_game(match.game):
            return frozenset(who.user for who in match.waiting)
        return frozenset([who.user for who in match.waiting if await self._is_full(server, who.user)])
