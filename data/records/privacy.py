"""All that is stored about one person, to be given to them or deleted; and matches that are old enough to go.

Ids of people stand in their own rows, on seats, lists and moves, in voices, and with the messages that show a hand. A
table that gets a column for them belongs into `_OWN` and `_ERASE`: tests/data/test_privacy.py fails for every column
that it does not know. The chain over the log holds seats and no people, so it is whole after all of this.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from data.records.match import DEPARTED
from data.store.database import Database, NotStored
from data.store.erasure_log import ErasureLog
from data.store.schema import OLDER, know_departures

log = logging.getLogger(__name__)

_OWN = {
    "person": "SELECT * FROM person WHERE user = :user",
    "hours": "SELECT * FROM hours WHERE user = :user",
    "seats": (
        "SELECT match, number AS seat, name, offered, ping, plays_forced, cut, came FROM seat WHERE user = :user"
    ),
    "clocks": (
        "SELECT clock.* FROM clock JOIN seat ON seat.match = clock.match AND seat.number = clock.seat "
        "WHERE seat.user = :user"
    ),
    "seats_left": "SELECT match, seat, removed FROM former WHERE user = :user",
    "waiting": "SELECT match, place, name FROM waiting WHERE user = :user",
    "hosted": "SELECT id AS match FROM match WHERE host = :user",
    "moves": (
        "SELECT match, seat, text, undone_at IS NOT NULL AS taken_back FROM move WHERE user = :user "
        "ORDER BY match, number"
    ),
    "voices": (  # whoever is to be removed is named by their seat, not by their id
        "SELECT vote.match, CASE WHEN choice LIKE 'remove %' THEN 'remove seat ' || coalesce((SELECT number FROM seat "
        "WHERE seat.match = vote.match AND choice = 'remove ' || seat.user), '?') ELSE choice END AS choice "
        "FROM vote WHERE vote.user = :user"
    ),
    "voices_to_remove_you": (
        "SELECT match, count(*) AS count FROM vote WHERE choice = 'remove ' || :user GROUP BY match"
    ),
    "messages": (
        "SELECT match, channel, message FROM post WHERE user = :user "
        "UNION SELECT match, channel, message FROM farewell WHERE user = :user"
    ),
}
"""Without numbers and lengths of a log: they count what others have sealed, which nobody may know."""
_THEIRS = (
    "SELECT match FROM seat WHERE user = :user UNION SELECT match FROM waiting WHERE user = :user "
    "UNION SELECT match FROM former WHERE user = :user UNION SELECT match FROM vote WHERE user = :user "
    "UNION SELECT match FROM vote WHERE choice = 'remove ' || :user "
    "UNION SELECT id AS match FROM match WHERE host = :user"
)
_MATCHES = (
    "SELECT id, game, status, guild, channel, place, opened_at, started_at, ended_at FROM match "  # noqa: S608
    f"WHERE id IN ({_THEIRS} UNION SELECT match FROM move WHERE user = :user) ORDER BY id"
)
_OPEN = f"SELECT id FROM match WHERE status IN ('lobby', 'playing') AND id IN ({_THEIRS}) ORDER BY id"  # noqa: S608
_ERASE = (
    (  # a computer that plays on for them
        "UPDATE seat SET name = :departed WHERE user IS NULL AND EXISTS "
        "(SELECT 1 FROM former WHERE former.match = seat.match AND former.seat = number AND former.user = :user)"
    ),
    "DELETE FROM vote WHERE user = :user OR choice = 'remove ' || :user",
    "DELETE FROM waiting WHERE user = :user",
    "DELETE FROM former WHERE user = :user",
    "DELETE FROM farewell WHERE user = :user AND said",
    "UPDATE farewell SET user = 0 WHERE user = :user",
    (  # a hand that nobody took out of their direct messages
        "INSERT OR IGNORE INTO farewell SELECT match, 0, post.channel, message, 0 FROM post "
        "JOIN match ON match.id = post.match WHERE user = :user AND message IS NOT NULL "
        "AND (status = 'playing' OR shown < version)"
    ),
    "DELETE FROM post WHERE user = :user",
    "UPDATE move SET user = NULL WHERE user = :user",
    (
        "DELETE FROM clock WHERE EXISTS "
        "(SELECT 1 FROM seat WHERE seat.match = clock.match AND number = clock.seat AND user = :user)"
    ),
    "DELETE FROM seat WHERE user = :user AND match IN (SELECT id FROM match WHERE status = 'lobby')",
    (
        "UPDATE seat SET user = NULL, name = :departed, ping = NULL, plays_forced = 0, "
        "offered = (SELECT status = 'playing' FROM match WHERE id = seat.match) WHERE user = :user"
    ),
    (
        "UPDATE match SET host = coalesce((SELECT user FROM seat WHERE match = match.id AND user IS NOT NULL "
        "AND status = 'lobby' ORDER BY number LIMIT 1), 0) WHERE host = :user"
    ),
    "DELETE FROM hours WHERE user = :user",
    "DELETE FROM person WHERE user = :user",
)
"""In this order: seats, lists and hours refer to the person. A hand that is still to be emptied stays, as nobody's."""
_ABANDON = (
    "UPDATE match SET version = version + 1, "
    "status = CASE WHEN EXISTS (SELECT 1 FROM seat WHERE match = match.id AND user IS NOT NULL) THEN status "
    "WHEN status = 'lobby' THEN 'cancelled' ELSE 'stopped' END, "
    "ended_at = CASE WHEN EXISTS (SELECT 1 FROM seat WHERE match = match.id AND user IS NOT NULL) THEN ended_at "
    "ELSE :now END WHERE id = :match"
)
_IN_NO_MATCH = (
    "SELECT user, seen_at FROM person WHERE user NOT IN (SELECT user FROM seat WHERE user IS NOT NULL) "
    "AND user NOT IN (SELECT user FROM waiting) AND user NOT IN (SELECT user FROM former)"
)
_ENDED = "SELECT id FROM match WHERE status NOT IN ('lobby', 'playing') AND ended_at < ?"
_AT_TABLE = (
    "SELECT user FROM seat WHERE match = ?1 AND user IS NOT NULL UNION SELECT user FROM former WHERE match = ?1 "
    "UNION SELECT user FROM waiting WHERE match = ?1"
)
_EVERYBODY = (
    "SELECT user FROM person UNION SELECT user FROM former UNION SELECT user FROM farewell "
    "UNION SELECT host FROM match UNION SELECT user FROM move WHERE user IS NOT NULL "
    "UNION SELECT user FROM post WHERE user IS NOT NULL UNION SELECT user FROM vote"
)
_UNCLEAN = "unclean"
"""The setting that says that something was deleted whose bytes may still be in the file."""


class Privacy:
    """The repository of all that is stored about somebody. `forget`: what empties the memory of other repositories."""

    def __init__(self, database: Database, forget: Sequence[Callable[[], None]], departures: ErasureLog) -> None:
        self._database = database
        self._forget = forget
        self._departures = departures

    async def everything(self, user: int) -> dict[str, Any]:
        """All that is stored about that person, by what it is, as it is stored; no other person's id is in it."""

        def read(c: sqlite3.Connection) -> dict[str, Any]:
            queries = {**_OWN, "matches": _MATCHES}
            return {name: [dict(row) for row in c.execute(sql, {"user": user})] for name, sql in queries.items()}

        return await self._database.read(read)

    async def is_stored(self, user: int) -> bool:
        """Whether anything is stored about that person."""
        return any((await self.everything(user)).values())

    async def note_departure(self, user: int, now: int) -> None:
        """Put that person on the list by which an older backup does not bring them back.

        Before all else that their deletion does: after a kill in between they are still there, and ask again. It takes
        50 ms, in which nobody is to play on for them already.
        """
        try:
            await asyncio.to_thread(self._departures.note, user, now)
        except OSError as error:
            log.error("whoever has their data deleted now comes back with an older backup: %s", error.strerror)

    async def erase(self, user: int, now: int) -> list[int]:
        """Delete that person: what was theirs alone is gone, and what a match needs says that somebody has departed.

        They have left their open matches before. Where that could not be, their seat is a computer's from now on, and
        what has no people any more ends. Gives the open matches in which something has changed. Raises NotStored.

        Nobody else may be on the list who is yet to be deleted: the database knows of all on it from now on.
        """

        def work(c: sqlite3.Connection) -> list[int]:
            facts = {"user": user, "departed": DEPARTED}
            changed = [int(row[0]) for row in c.execute(_OPEN, facts)]
            for sql in _ERASE:
                c.execute(sql, facts)
            for match in changed:
                _close_ranks(c, match)
            c.executemany(_ABANDON, [{"match": match, "now": now} for match in changed])
            c.execute("INSERT OR REPLACE INTO setting VALUES (?, '1')", (_UNCLEAN,))
            if known is not None:
                know_departures(c, known)
            return changed

        known = await self._known_departures()
        changed = await self._database.write(work, lambda _: self._forget_all())
        self._forget_all()  # what was read before and has come back since
        await self.clean()
        return changed

    async def _known_departures(self) -> str | None:
        """The last line of the list; None where that cannot be read: what is on it is then deleted once more."""
        try:
            return await asyncio.to_thread(self._departures.last)
        except OSError as error:
            log.error("the list of those who had their data deleted cannot be read: %s", error.strerror)
            return None

    async def erase_again(self, now: int) -> int:
        """After an older backup was restored: delete those again who have had their data deleted since; their number.

        To be done before anything else is.
        """

        def read(c: sqlite3.Connection) -> tuple[str | None, list[int]]:
            row = c.execute("SELECT value FROM setting WHERE name = ?", (OLDER,)).fetchone()
            return (row[0], [int(found[0]) for found in c.execute(_EVERYBODY)]) if row is not None else (None, [])

        made, users = await self._database.read(read)
        if made is None:
            return 0
        if made.isdigit():
            again = await asyncio.to_thread(self._departures.since, users, int(made))
        else:
            again = await asyncio.to_thread(self._departures.after, users, made)
        for user in again:
            await self.erase(user, now)
        known = await self._known_departures()

        def done(c: sqlite3.Connection) -> None:
            c.execute("DELETE FROM setting WHERE name = ?", (OLDER,))
            if known is not None:
                know_departures(c, known)

        await self._database.write(done)
        return len(again)

    async def erase_ended(self, before: int) -> int:
        """Delete the matches that ended before then, the people who stand in no other, and those who stand in no match
        and were last seen before then; gives how many matches.

        What is deleted is overwritten; the file is not written anew for it, which would happen every hour.
        """

        def work(c: sqlite3.Connection) -> int:
            matches = [tuple(row) for row in c.execute(_ENDED, (before,))]
            people = {user for match in matches for (user,) in c.execute(_AT_TABLE, match)}
            c.executemany("DELETE FROM match WHERE id = ?", matches)
            users = [(user,) for user, seen in c.execute(_IN_NO_MATCH) if user in people or seen < before]
            c.executemany("DELETE FROM hours WHERE user = ?", users)
            c.executemany("DELETE FROM person WHERE user = ?", users)
            return len(matches)

        def due(c: sqlite3.Connection) -> bool:
            ended = c.execute(_ENDED, (before,)).fetchone() is not None
            return ended or any(seen < before for _, seen in c.execute(_IN_NO_MATCH))

        if not await self._database.read(due):
            return 0
        count = await self._database.write(work, lambda _: self._forget_all())
        self._forget_all()
        return count

    async def clean(self) -> bool:
        """Leave no byte of what was deleted in the file or its log. False where that cannot be now: try again later."""
        sql = "SELECT count(*) FROM setting WHERE name = ?"
        if not await self._database.read(lambda c: c.execute(sql, (_UNCLEAN,)).fetchone()[0]):
            return True
        try:
            if not await self._database.clean():
                log.warning("another program reads the database: what was deleted leaves the file later")
                return False
            await self._database.write(
                lambda c: c.execute("DELETE FROM setting WHERE name = ?", (_UNCLEAN,)).rowcount, counts=False
            )
        except NotStored:
            log.warning("what was deleted leaves the file later: there is no room to write it anew")
            return False
        return True

    def _forget_all(self) -> None:
        for forget in self._forget:
            forget()


def _close_ranks(c: sqlite3.Connection, match: int) -> None:
    """Number the seats without gaps, as those of a lobby are that somebody has left."""
    taken = c.execute("SELECT number FROM seat WHERE match = ? ORDER BY number", (match,)).fetchall()
    rows = [(at, match, row["number"]) for at, row in enumerate(taken)]
    c.executemany("UPDATE seat SET number = ? WHERE match = ? AND number = ?", rows)
