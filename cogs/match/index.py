"""Finds matches: by player, channel and server, and those for which there is something to do."""

from __future__ import annotations

from data.lru import Lru
from data.records.match import Match
from data.records.matches import Matches

MOST_FIRST = 2_048
"""The most players and matches of which is remembered whether it is their first of the game."""


class MatchIndex:
    """Finds stored matches, quarantined or not."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._first = Lru[tuple[int, int], bool](MOST_FIRST)

    async def of_player(self, user: int) -> list[Match]:
        """Return the open matches in which that player sits, the newest first."""
        return await self._matches.of_player(user)

    async def is_first(self, match: Match, user: int) -> bool:
        """Return whether this started match is that player's first of its game. Each hand asks, so it is remembered."""
        found = self._first.get((match.id, user))
        if found is None:
            found = self._first[match.id, user] = await self._matches.is_first(match, user)
        return found

    async def in_channel(self, channel: int) -> list[Match]:
        """Return the open matches whose table is in that channel or was opened there, the newest first."""
        return await self._matches.in_channel(channel)

    async def open_in(self, guild: int) -> list[int]:
        """Return the numbers of a server's open matches, the oldest first."""
        return await self._matches.open_in(guild)

    async def servers(self) -> list[int]:
        """Return the ids of the servers that have open matches."""
        return await self._matches.guilds()

    async def paused(self) -> list[Match]:
        """Return the paused matches, and those that ended while paused and do not show it yet."""
        found = [await self._matches.get(number) for number in await self._matches.away()]
        return [match for match in found if match is not None]

    async def with_automatic_moves(self) -> list[int]:
        """Return the numbers of the running matches in which the bot may move for a seat."""
        return await self._matches.with_automatic_moves()

    async def played_again(self, number: int) -> int | None:
        """Return the number of the match that follows that one by *Play again*, unless it was called off."""
        return await self._matches.again(number)

    async def untouched_lobbies(self, since: int) -> list[int]:
        """Return the numbers of the lobbies in which no player has done anything since then."""
        return await self._matches.untouched(since)

    async def idle_lessons(self, since: int) -> list[int]:
        """Return the numbers of the lessons, not over, in which no move has been made since that instant."""
        return await self._matches.idle_lessons(since)

    async def without_deadlines(self) -> list[int]:
        """Return the numbers of the running matches whose reminders or votes an older version stored."""
        return await self._matches.without_deadlines()

    async def starting(self, now: int, ahead: int) -> list[int]:
        """Return the numbers of the lobbies whose start times need something done: see `Matches.starting`."""
        return await self._matches.starting(now, ahead)

    async def next_start(self, now: int, ahead: int) -> int | None:
        """Return the earliest instant after `now` at which `starting` finds another lobby; None if there is none."""
        return await self._matches.next_start(now, ahead)
