"""Finds matches: by player, channel and server, and those for which there is something to do."""

from __future__ import annotations

from data.lru import Lru
from data.records import match_rows
from data.records.match import Match, Status
from data.store import schema
from data.store.database import Database
from data.store.engine import Connection

MOST_FIRST = 2_048
"""The most players and matches of which is remembered whether it is their first of the game."""


class MatchIndex:
    """Finds stored matches, quarantined or not, as last committed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._first = Lru[tuple[int, int], bool](MOST_FIRST)

    async def is_lost(self, number: int) -> bool:
        """Return whether there is no match of that number because an older backup was restored."""
        return await self._database.read(lambda c: schema.is_lost(c, number))

    async def of_player(self, user: int, known: Match | None = None) -> list[Match]:
        """Return the open matches in which that player sits, the newest first. `known`: one of them, if the caller has
        it, which comes first and is not read.
        """
        where = (
            "WHERE id IN (SELECT match FROM seat WHERE user = ?) AND status IN ('lobby', 'playing') AND id <> ? "
            "ORDER BY id DESC"
        )
        found = await self._database.read(lambda c: match_rows.read(c, where, (user, 0 if known is None else known.id)))
        return found if known is None else [known, *found]

    async def is_first(self, match: Match, user: int) -> bool:
        """Return whether that player sat in no match of the game before, but lessons. Remembered, as each hand asks."""
        sql = (
            "SELECT 1 FROM match WHERE id IN (SELECT match FROM seat WHERE user = ?1 "
            "UNION SELECT match FROM former WHERE user = ?1) AND game = ?2 AND id <> ?3 AND started_at IS NOT NULL "
            "AND lesson = 0 AND (started_at < ?4 OR started_at = ?4 AND id < ?3) LIMIT 1"
        )
        values = (user, match.game, match.id, match.started_at)
        found = self._first.get((match.id, user))
        if found is None:
            row = await self._database.read(lambda c: c.execute(sql, values).fetchone())
            found = self._first[match.id, user] = row is None
        return found

    async def has_finished(self, user: int, game: str) -> bool:
        """Return whether that player sat in a match of the game at its end; lessons do not count."""
        sql = (
            "SELECT 1 FROM match WHERE id IN (SELECT match FROM seat WHERE user = ?) AND game = ? AND status = 'over' "
            "AND lesson = 0 LIMIT 1"
        )
        return await self._database.read(lambda c: c.execute(sql, (user, game)).fetchone() is not None)

    async def rated_since(self, user: int, guild: int, game: str, since: int) -> list[Match]:
        """Return that game's rated matches in that server begun after that instant, where the player sits or sat."""
        where = (
            "WHERE id IN (SELECT match FROM seat WHERE user = ?1 UNION SELECT match FROM former WHERE user = ?1) "
            "AND guild = ?2 AND game = ?3 AND rated <> 0 AND started_at > ?4 ORDER BY id"
        )
        return await self._database.read(lambda c: match_rows.read(c, where, (user, guild, game, since)))

    async def in_channel(self, channel: int) -> list[Match]:
        """Return the open matches whose table is in that channel or was opened there, the newest first."""
        # Two index searches: an OR of them would read all open matches.
        where = (
            "WHERE id IN (SELECT id FROM match WHERE channel = ? AND status IN ('lobby', 'playing') "
            "UNION SELECT id FROM match WHERE place = ? AND status IN ('lobby', 'playing')) ORDER BY id DESC"
        )
        return await self._database.read(lambda c: match_rows.read(c, where, (channel, channel)))

    async def last_in(self, channel: int) -> Match | None:
        """Return the match opened last in that channel that has begun and is of no season, or None."""
        where = "WHERE id = (SELECT MAX(id) FROM match WHERE channel = ? AND started_at IS NOT NULL AND season = 0)"
        return next(iter(await self._database.read(lambda c: match_rows.read(c, where, (channel,)))), None)

    async def open_in(self, guild: int) -> list[int]:
        """Return the numbers of a server's open matches, the oldest first."""
        sql = "SELECT id FROM match WHERE guild = ? AND status IN ('lobby', 'playing') ORDER BY id"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (guild,))])

    async def servers(self) -> list[int]:
        """Return the ids of the servers that have open matches."""
        sql = "SELECT DISTINCT guild FROM match WHERE status IN ('lobby', 'playing') AND guild <> 0 ORDER BY guild"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def paused(self) -> list[Match]:
        """Return the paused matches, and those that ended while paused and do not show it yet."""
        where = (
            "WHERE paused_at IS NOT NULL AND (status IN ('lobby', 'playing') "
            "OR EXISTS (SELECT 1 FROM post WHERE post.match = match.id AND shown < version)) ORDER BY id"
        )
        return await self._database.read(lambda c: match_rows.read(c, where, ()))

    async def still_open(self) -> list[tuple[int, int]]:
        """Return the numbers of all open matches, each with its server, the newest first."""
        sql = "SELECT id, guild FROM match WHERE status IN ('lobby', 'playing') ORDER BY id DESC"
        return await self._database.read(lambda c: [(int(row[0]), int(row[1])) for row in c.execute(sql)])

    async def with_automatic_moves(self) -> list[int]:
        """Return the numbers of the running matches in which the bot may move for a seat: a computer's, or that of a
        player who is away, has `plays_forced` set or has named a move ahead.
        """
        sql = (
            "SELECT DISTINCT match.id FROM match JOIN seat ON seat.match = match.id "
            "LEFT JOIN clock ON clock.match = seat.match AND clock.seat = seat.number "
            "WHERE status = 'playing' AND (seat.user IS NULL OR plays_forced <> 0 OR ahead IS NOT NULL "
            "OR away IS NOT NULL)"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def nudged_since(self, since: int) -> list[int]:
        """Return the numbers of the running matches whose players nudged after that instant."""
        sql = "SELECT id FROM match WHERE status = 'playing' AND nudged_at > ?"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (since,))])

    async def played_again(self, number: int) -> int | None:
        """Return the number of the match that follows that one by *Play again* and was not called off, or None."""
        sql = "SELECT id FROM match WHERE previous = ? AND status <> 'cancelled'"
        row = await self._database.read(lambda c: c.execute(sql, (number,)).fetchone())
        return None if row is None else int(row[0])

    async def of_group(self, group: int) -> list[Match]:
        """Return the tables of a group of duplicates, the oldest first; without lobbies that were called off."""
        where = "WHERE duplicate = ? AND NOT (status = 'cancelled' AND started_at IS NULL) ORDER BY id"
        return await self._database.read(lambda c: match_rows.read(c, where, (group,)))

    async def duplicates_of(self, match: Match) -> list[Match]:
        """Return the other tables of the match's group, the oldest first; without lobbies that were called off."""
        if match.duplicate is None:
            return []
        return [table for table in await self.of_group(match.duplicate) if table.id != match.id]

    async def held_groups(self) -> list[int]:
        """Return the groups of duplicates in which a table is held, the oldest first."""
        sql = (
            "SELECT DISTINCT duplicate FROM match WHERE held <> 0 "
            "AND NOT (status = 'cancelled' AND started_at IS NULL) ORDER BY duplicate"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def in_season(self, number: int) -> bool:
        """Return whether that match is a table of a season."""
        sql = "SELECT 1 FROM season_table WHERE match = ?"
        return await self._database.read(lambda c: c.execute(sql, (number,)).fetchone() is not None)

    async def untouched_lobbies(self, since: int) -> list[int]:
        """Return the lobbies, not paused and without a start time, in which nothing was done since that instant."""
        sql = (
            "SELECT id FROM match WHERE status = 'lobby' AND touched_at < ? AND paused_at IS NULL AND starts_at IS NULL"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (since,))])

    async def idle_private(self, since: int) -> list[int]:
        """Return the numbers of the running private matches in which no move has been made since that instant."""
        sql = "SELECT id FROM match WHERE status = 'playing' AND guild = 0 AND turn_since < ?"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (since,))])

    async def without_deadlines(self) -> list[int]:
        """Return the running matches whose reminders or votes may lack deadlines: an older version stored them."""
        sql = (
            "SELECT id FROM match WHERE status = 'playing' AND paused_at IS NULL AND rests_since IS NULL "
            "AND clock = 'none' AND guild <> 0 AND NOT EXISTS (SELECT 1 FROM reminder WHERE reminder.match = match.id) "
            "UNION SELECT match FROM proposal JOIN match ON match.id = proposal.match "
            "WHERE status = 'playing' AND due IS NULL"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def starting(self, now: int, ahead: int) -> list[int]:
        """Return the numbers of the lobbies, not paused, that start by themselves by `now`, or within `ahead` seconds
        and have not been announced as starting soon.
        """
        sql = (
            "SELECT id FROM match WHERE starts_at <= ?1 + ?2 AND status = 'lobby' AND paused_at IS NULL "
            "AND (starts_at <= ?1 OR starts_soon = 0) ORDER BY starts_at"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (now, ahead))])

    async def next_start(self, now: int, ahead: int) -> int | None:
        """Return the earliest instant after `now` at which `starting` finds another lobby; None if there is none."""
        sql = (
            "SELECT min(due) FROM (SELECT starts_at - CASE WHEN starts_soon <> 0 THEN 0 ELSE ?2 END AS due FROM match "
            "WHERE starts_at IS NOT NULL AND status = 'lobby' AND paused_at IS NULL) AS starting WHERE due > ?1"
        )
        found = await self._database.read(lambda c: c.execute(sql, (now, ahead)).fetchone()[0])
        return None if found is None else int(found)

    async def counts(self) -> dict[str, int]:
        """Return the number of matches of each status, 0 included."""

        def read(c: Connection) -> dict[str, int]:
            found = dict(c.execute("SELECT status, count(*) FROM match GROUP BY status").fetchall())
            return {status.value: found.get(status.value, 0) for status in Status}

        return await self._database.read(read)
