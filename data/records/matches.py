"""The repository of matches with their seats, moves, votes and posts. Its methods speak of matches and hide the SQL.

A match, its votes and its posts are kept in memory together: one write may change all three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from data.lru import Lru
from data.records import match_rows
from data.records.deadlines import write_clocks
from data.records.match import Conflict, LoggedMove, Match
from data.records.match_index import MatchIndex
from data.records.post_store import PostStore
from data.records.proposals import write_proposals
from data.records.reminders import write_reminders
from data.store.database import Busy, Database
from data.store.engine import Connection
from data.store.hash_chain import read_lossy

T = TypeVar("T")
Link = Callable[[Connection, int], bool]
"""Stores to what a new match of that number belongs. False: it may not be opened."""

_LOCK = "SELECT 1 FROM match WHERE id = ? FOR NO KEY UPDATE"
"""As an update of the match locks it: rows of other tables that refer to the match may be added meanwhile."""
_STOP_CLOCKS = (
    "UPDATE clock SET due = NULL, ends = NULL WHERE match = ? AND (due IS NOT NULL OR ends IS NOT NULL)",
    "UPDATE reminder SET due = NULL WHERE match = ? AND due IS NOT NULL",
    "UPDATE proposal SET due = NULL WHERE match = ? AND due IS NOT NULL",
)
MOST_KEPT = 512
"""The most matches that stay in memory, about 10 MB."""


class Matches:
    """The repository of matches. Each method that writes raises NotStored if the database takes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.index = MatchIndex(database)
        # The committed state of the matches used last. A press reads its match several times, and each hop to the
        # database's thread costs more than the work on the result. Only that thread fills them, in the order of its
        # reads and writes, so they are never older than the file, even if the caller was cancelled. If other processes
        # write too, a match stays in memory with its version, which each read compares; posts and votes do not stay.
        alone = 0 if database.shared else MOST_KEPT
        self._matches = Lru[int, Match](MOST_KEPT)
        self._votes = Lru[int, dict[int, str]](alone)
        self.posts = PostStore(database, alone)

    async def open(self, match: Match, link: Link | None = None) -> Match:
        """Store a new match; its `id` is not used. Return it with its id and version 1. `link` runs in the same
        transaction; if it returns False, nothing is stored. Then raises Conflict, also if another match follows the
        same one already.
        """

        def work(c: Connection) -> Match:
            new = match_rows.add(c, replace(match, version=1, chain=match_rows.chained(match, None)))
            if link is not None and not link(c, new.id):
                raise Conflict
            return new

        try:
            return await self._database.write(work)
        except Busy as error:
            raise Conflict from error

    async def save(self, match: Match, move: LoggedMove | None = None, votes: dict[int, str] | None = None) -> Match:
        """Store a changed match and the move that changed it, in one transaction. Return it with the next version.

        `match` carries the version that was read. Raises Conflict if that is no longer the stored one, if the seat has
        already decided in that turn, or if other processes keep changing the match. A move with `undone_at` is in the
        log already and is only marked there.
        `votes`, by user, replaces the table's votes; None: they stay.
        """

        new = match.next(match_rows.chained(match, move))
        known = self._matches.get(match.id)
        before = known if known is not None and known.version == match.version else None

        def work(c: Connection) -> Match:
            if self._database.shared:  # first of all, so that two saves never wait for each other in a circle
                c.execute(_LOCK, (match.id,))
            if move is None:
                match_rows.save(c, new)
            else:
                match_rows.save_move(c, new, move, before)
            write_clocks(c, new.id, None if before is None else before.clocks, new.clocks)
            write_reminders(c, new.id, None if before is None else before.reminders, new.reminders)
            write_proposals(c, new.id, None if before is None else before.proposals, new.proposals)
            if votes is not None:
                c.execute("DELETE FROM vote WHERE match = ?", (match.id,))
                c.executemany("INSERT INTO vote VALUES (?, ?, ?)", [(match.id, u, v) for u, v in votes.items()])
            return new

        def remember(saved: Match) -> None:
            self._matches[saved.id] = saved
            if votes is not None:
                self._votes[saved.id] = dict(votes)
            if move is None or not saved.open:  # people may have come or gone, and their posts with them; or the end
                self.posts.drop(saved.id)

        try:
            return await self._database.write(work, remember)
        except Busy as error:
            raise Conflict from error

    def forget(self) -> None:
        """Drop everything from memory. Call it in the database's thread, or while nothing is being written."""
        self._matches.clear()
        self._votes.clear()
        self.posts.drop()

    async def get(self, number: int) -> Match | None:
        """Return the match as last committed, or None."""

        known = self._matches.get(number)

        def read(c: Connection) -> Match | None:
            # The deletion of a person changes the version of the matches that are open, and of no others.
            if known is not None and known.open:
                row = c.execute("SELECT version FROM match WHERE id = ?", (number,)).fetchone()
                if row is not None and row[0] == known.version:
                    return known
            found = match_rows.read(c, "WHERE id = ?", (number,))
            if not found:
                return None
            self._matches[number] = found[0]
            return found[0]

        return known if known is not None and not self._database.shared else await self._database.read(read)

    async def whole(self, number: int) -> tuple[Match, list[LoggedMove], bool] | None:
        """Read a match and its whole log in one transaction. Return both, and whether the log fits its hash chain; None
        if there is no such match. Nothing stays in memory.
        """

        return await self._database.read(lambda c: match_rows.whole(c, number))

    async def stop_clocks(self, number: int) -> None:
        """Delete the deadlines of that match; the time that each seat has left stays, and so do its votes. If other
        processes may have it in memory, a match with deadlines gets the next version, so that they read it again.
        """

        def work(c: Connection) -> None:
            stopped = sum([c.execute(sql, (number,)).rowcount for sql in _STOP_CLOCKS])
            if stopped and self._database.shared:
                c.execute("UPDATE match SET version = version + 1 WHERE id = ?", (number,))

        def forget(_: None) -> None:
            self._matches.pop(number)

        await self._database.write(work, forget)

    async def moves(self, number: int) -> list[LoggedMove]:
        """Return the whole log, from the first move on, including moves that were taken back."""
        return await self._database.read(
            lambda c: [
                LoggedMove(**row) for row in read_lossy(c, f"{match_rows.READ_MOVES} ORDER BY number", (number,))
            ]
        )

    async def decision(self, number: int, seat: int, turn: str) -> LoggedMove | None:
        """Return the seat's move in that turn; None if it has made none or has taken it back."""
        sql = f"{match_rows.READ_MOVES} AND seat = ? AND turn = ? AND undone_at IS NULL"
        row = await self._database.read(lambda c: c.execute(sql, (number, seat, turn)).fetchone())
        return LoggedMove(**row) if row else None

    async def decided(self, number: int, seat: int, phase: str) -> tuple[int, int]:
        """Return how many decisions of that seat in a phase the log holds, and how many of them were taken back."""
        # A token is the phase, perhaps followed by "." or "-" and more (match/positions.py); "/" is the next character.
        sql = "SELECT count(*), count(undone_at) FROM move WHERE match = ? AND seat = ? AND turn >= ? AND turn < ?"
        values = (number, seat, phase, f"{phase}/")
        count, undone = await self._database.read(lambda c: c.execute(sql, values).fetchone())
        return count, undone

    async def votes(self, number: int) -> dict[int, str]:
        """Return the stored vote of each voter, by user."""

        def read(c: Connection) -> dict[int, str]:
            found = dict(c.execute("SELECT user, choice FROM vote WHERE match = ? ORDER BY user", (number,)).fetchall())
            self._votes[number] = found
            return found

        known = self._votes.get(number)
        return dict(await self._database.read(read) if known is None else known)

    async def forget_posts(self) -> None:
        """Forget every message and thread of open matches, so that the bot sends new ones."""

        def work(c: Connection) -> None:
            # A running match opens no second thread.
            c.execute("UPDATE match SET place = channel, own_thread = 0 WHERE status = 'playing'")
            c.execute("DELETE FROM old_table")
            c.execute("DELETE FROM invitation")
            c.execute(
                "UPDATE post SET message = NULL, shown = 0, digest = '', pinged = '', ping = NULL, "
                "mentioned = '', reminded = NULL, sending = NULL "
                "WHERE match IN (SELECT id FROM match WHERE status IN ('lobby', 'playing'))"
            )

        def forget(_: None) -> None:
            self._matches.clear()
            self.posts.drop()

        await self._database.write(work, forget)
