"""Enforces what the managers of each server allow, and how many open tables a server and each player may have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from cogs.match.refusals import Reason, Refused, stored
from data.records.match import Match
from data.records.match_index import MatchIndex
from data.records.servers import Server, Servers


class ServerPolicy:
    """Reads and enforces the settings of all servers. `servers` None: every server allows everything.

    `tables_each`: the limit on the open tables of one player in servers that have chosen none; None: any number.
    """

    def __init__(self, index: MatchIndex, servers: Servers | None, tables_each: int | None = None) -> None:
        self._index = index
        self._servers = servers
        self.tables_each = tables_each or None
        self._seating = asyncio.Lock()  # two players must not take the last place at once

    async def of(self, guild: int) -> Server:
        """Return the settings of that server."""
        return Server(guild) if self._servers is None else await self._servers.get(guild)

    async def change(self, guild: int, **facts: Any) -> Server:
        """Change these settings. Open matches go on as they are. Refused if they cannot be stored."""
        assert self._servers is not None
        with stored():
            return await self._servers.change(guild, **facts)

    @asynccontextmanager
    async def seating(self, guild: int, user: int | None, *, new: bool = False) -> AsyncIterator[None]:
        """Serialise seating: no other player sits down anywhere until the block ends. Enter it inside `deciding`.

        Refused if the server has no room for a `new` table, or `user` sits at as many of its tables as it allows.
        `user` None: no particular user.
        """
        async with self._seating:
            server = await self.of(guild)
            if new and server.most_open is not None and len(await self._index.open_in(guild)) >= server.most_open:
                raise Refused(Reason.SERVER_FULL, count=server.most_open)
            if user is not None and await self._is_full(server, user):
                raise Refused(Reason.PERSON_FULL, count=self.most_each(server))
            yield

    def most_each(self, server: Server) -> int | None:
        """Return the most open tables of that server at which one player may sit; None: any number."""
        if server.most_each is not None:
            return server.most_each or None
        return self.tables_each if server.guild else None  # lessons in direct messages are in no server

    async def _is_full(self, server: Server, user: int) -> bool:
        """Return whether the user sits at as many tables of that server as it allows."""
        most = self.most_each(server)
        if most is None:
            return False
        return sum(match.guild == server.guild for match in await self._index.of_player(user)) >= most

    async def barred(self, match: Match) -> frozenset[int]:
        """Return the waiting users whom the server's settings do not let sit down now."""
        server = await self.of(match.guild)
        if not server.allows_game(match.game):
            return frozenset(who.user for who in match.waiting)
        return frozenset([who.user for who in match.waiting if await self._is_full(server, who.user)])
