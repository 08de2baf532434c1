"""Who may sit down at a table, by its door, by its server, and by the other tables of the same deals.

The door is open to everyone, or, once the lobby is closed to others, to its guests alone. A guest is invited and
accepts or declines, or sits there when the lobby is closed. The host can take a guest out of the lobby, who then cannot
come back. After the start the same guests may take seats over, and wait. The managers of a server say which games it
allows, and how many open tables it and each player may have. How fast tables are opened has a limit too.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Protocol

from cogs.match.refusals import Reason, Refused, stored
from data.records.match import Guest, GuestState, Match, Status
from data.records.match_index import MatchIndex
from data.records.post import Sending
from data.records.servers import Server, Servers
from data.store.erasure_log import ErasureLog

MOST_GUESTS = 25
"""The most guests of one lobby; as many as Discord's select offers."""
_WELCOME = (GuestState.INVITED, GuestState.ACCEPTED)


def check_may_sit(match: Match, user: int, *, accepts: bool = False) -> None:
    """Raise Refused if the table's door keeps the user out: the host has removed them, or the lobby is closed and they
    are no guest, or have declined.

    `accepts`: they answer an invitation, so there must be one, and one that they have declined still counts.
    """
    guest = match.guest(user)
    if guest is not None and guest.state is GuestState.REMOVED:
        raise Refused(Reason.REMOVED_HERE)
    if accepts and guest is None:
        raise Refused(Reason.NOT_INVITED)
    if match.closed and not accepts and (guest is None or guest.state not in _WELCOME):
        raise Refused(Reason.INVITED_ONLY)


async def check_not_departed(departures: ErasureLog | None, match: Match, user: int) -> None:
    """Raise Refused if the user's data was deleted while the table needed it. In a match: since it began, so no record
    is left of whether they have seen cards there. In a lobby: since it was opened, if its host has removed a person
    whose data was deleted.

    Call it inside `deciding`. A deletion is listed before it is made. So a user who is not listed, and whose record the
    match as loaded does not have, has never had one.
    """
    removed = match.guest(0) is not None
    since = match.opened_at if removed else match.started_at
    if departures is None or since is None or not await asyncio.to_thread(departures.since, [user], since):
        return
    raise Refused(Reason.DEPARTED_REMOVED if removed else Reason.DEPARTED_SINCE)


def with_states(match: Match) -> Match:
    """Return the lobby with guests who sit there as accepted. If it is closed, all who sit or wait there are guests."""
    if match.status is not Status.LOBBY or not (match.guests or match.closed):
        return match
    seated = {chair.player: chair.name for chair in match.people}
    present = {**{who.user: who.name for who in match.waiting}, **seated}
    guests = {guest.user: guest for guest in match.guests}
    for user, name in present.items() if match.closed else ():
        guests.setdefault(user, Guest(user, name, GuestState.ACCEPTED))
    answered = (
        replace(guest, name=present[guest.user], state=GuestState.ACCEPTED) if guest.user in present else guest
        for guest in guests.values()
    )
    return with_guests(match, answered)


def with_guests(match: Match, changed: Iterable[Guest]) -> Match:
    """Return the match with these guests, each in place of the one with the same user."""
    guests = {guest.user: guest for guest in (*match.guests, *changed)}
    return replace(match, guests=tuple(guests[user] for user in sorted(guests)))


def again(match: Match) -> tuple[Guest, ...]:
    """Return the guests of a lobby that follows a closed match: all who sat there, left it, or could have sat down."""
    if not match.closed:
        return ()
    seated = [Guest(chair.player, chair.name, GuestState.ACCEPTED) for chair in match.people]
    others = [replace(guest, state=GuestState.ACCEPTED) for guest in match.guests if guest.state in _WELCOME]
    removed = {former.user for former in match.former if former.removed}
    found = {guest.user: guest for guest in (*others, *seated) if guest.user not in removed}
    return tuple(found[user] for user in sorted(found))


async def check_no_other(index: MatchIndex, match: Match, user: int, departures: ErasureLog | None) -> None:
    """Raise Refused if the user sits or has sat at another table of the group, or may have: their data was deleted
    since one began. Call it inside `policy.seating`, so that they cannot sit down at two tables at once.
    """
    for table in await index.duplicates_of(match):
        if _has_sat(table, user):
            raise Refused(Reason.OTHER_TABLE, number=table.id)
        if table.started_at is not None:
            await check_not_departed(departures, table, user)


async def seated_elsewhere(index: MatchIndex, match: Match) -> frozenset[int]:
    """Return the users on the match's waiting list who sit or have sat at another table of its group."""
    tables = await index.duplicates_of(match) if match.waiting else []
    return frozenset(who.user for who in match.waiting if any(_has_sat(table, who.user) for table in tables))


def _has_sat(match: Match, user: int) -> bool:
    return match.seat_of(user) is not None or match.former_seat(user) is not None


class Pace(Protocol):
    """How fast tables are opened. `guild` None: it is a match alone."""

    def until_open(self, user: int, guild: int | None) -> float:
        """Return the seconds until this user may open another table there; 0.0: now."""

    def opened(self, user: int, guild: int | None) -> None:
        """Count a table that has been opened."""


class ServerPolicy:
    """Reads and enforces the settings of all servers. `servers` None: every server allows everything.

    `tables_each`: the limit on the open tables of one player in servers that have chosen none; None: any number. `now`:
    as in MatchService.
    """

    def __init__(
        self, index: MatchIndex, servers: Servers | None, tables_each: int | None, now: Callable[[], float]
    ) -> None:
        self._index = index
        self._servers = servers
        self._now = now
        self.pace: Pace | None = None
        """The limit on how fast tables are opened, once there is one."""
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

    async def note_role_ping(self, guild: int, before: Sending | None, ping: Sending) -> bool:
        """Store a ping of the server's role if the last one is `before`; return whether it was. Raises NotStored."""
        assert self._servers is not None
        return await self._servers.note_role_ping(guild, before, ping)

    async def being_greeted(self) -> list[int]:
        """Return the servers whose greeting was begun and is not known to be there."""
        return [] if self._servers is None else await self._servers.being_greeted()

    @asynccontextmanager
    async def seating(self, guild: int, user: int | None, *, new: bool = False) -> AsyncIterator[None]:
        """Serialise seating: no other player sits down anywhere until the block ends. Enter it inside `deciding`.

        Refused if the server has no room for a `new` table or too many were opened just now, or `user` sits at as many
        of its tables as it allows. `user` None: no particular user.
        """
        async with self._seating:
            server = await self.of(guild)
            if new and server.most_open is not None and len(await self._index.open_in(guild)) >= server.most_open:
                raise Refused(Reason.SERVER_FULL, count=server.most_open)
            if user is not None and await self._is_full(server, user):
                raise Refused(Reason.PERSON_FULL if guild else Reason.ALONE_FULL, count=self.most_each(server))
            if new and user is not None:
                self.check_pace(guild, user)
            yield

    def check_pace(self, guild: int, user: int) -> None:
        """Raise Refused if this user, or the server, has opened many tables just now. Call it inside `seating`, and
        `count_opened` once the table is stored: what is refused, or goes on, counts for nothing.
        """
        if self.pace is None:
            return
        own, wait = self.pace.until_open(user, None), self.pace.until_open(user, guild or None)
        if wait:
            reason = Reason.SERVER_OPENED_MANY if wait > own else Reason.OPENED_MANY
            raise Refused(reason, until=f"<t:{math.ceil(self._now() + wait)}:R>")

    def count_opened(self, guild: int, user: int) -> None:
        """Count a table that this user has opened in that server; 0: alone."""
        if self.pace is not None:
            self.pace.opened(user, guild or None)

    def most_each(self, server: Server) -> int | None:
        """Return the most open tables of that server at which one player may sit; None: any number."""
        if server.most_each is not None:
            return server.most_each or None
        return self.tables_each

    async def _is_full(self, server: Server, user: int) -> bool:
        """Return whether the user sits at as many tables of that server as it allows; of server 0, whether they have as
        many private matches open. Lessons do not count: a player has at most one of each game.
        """
        most = self.most_each(server)
        if most is None:
            return False
        found = await self._index.of_player(user)
        return sum(match.guild == server.guild and not match.lesson for match in found) >= most

    async def barred(self, match: Match) -> frozenset[int]:
        """Return the waiting users whom the server's settings do not let sit down now."""
        server = await self.of(match.guild)
        if not server.allows_game(match.game):
            return frozenset(who.user for who in match.waiting)
        return frozenset([who.user for who in match.waiting if await self._is_full(server, who.user)])
