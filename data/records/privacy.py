"""Exports and deletes everything stored about one user, and deletes old matches.

Users' ids are in their own rows, on seats, lists and moves, in votes, and with the messages that show hands. If a
database table gets a column for a user, add it to `_OWN` and `_ERASE`: tests/data/test_privacy.py fails for every
column that it does not know. The hash chain over the log covers seats and no users, so it stays whole.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any

from data.records import ratings
from data.records.match import DEPARTED
from data.records.post_rows import unknown_hands, withdraw_invitations
from data.records.terms import TERMS
from data.store import schema
from data.store.database import Database, NotStored
from data.store.engine import Connection, Row
from data.store.erasure_log import ErasureLog
from data.store.schema import OLDER, know_departures

log = logging.getLogger(__name__)

_CHOICE = (  # a vote to remove a player names their seat, not their id
    "CASE WHEN choice LIKE 'remove %' THEN 'remove seat ' || coalesce((SELECT CAST(number AS text) FROM seat "
    "WHERE seat.match = voted.match AND choice = 'remove ' || seat.user), '?') ELSE choice END AS choice"
)
_LEFT_BY_THEM = (  # the clock of a seat that they left to a computer waits for them
    "(seat.user IS NULL AND EXISTS (SELECT 1 FROM former "
    "WHERE former.match = clock.match AND former.seat = clock.seat AND former.user = :user))"
)
_OWN = {
    "person": "SELECT * FROM person WHERE user = :user",
    "hours": "SELECT * FROM hours WHERE user = :user",
    "portrait": "SELECT hash, face FROM portrait WHERE user = :user",
    "seats": (
        "SELECT match, number AS seat, name, offered, ping, plays_forced, cut, came, sat, ready, team, hints, hinted, "
        "ltrim(ahead, '0123456789 ') AS ahead FROM seat WHERE user = :user"
    ),
    "clocks": (
        "SELECT clock.* FROM clock JOIN seat ON seat.match = clock.match AND seat.number = clock.seat "
        f"WHERE seat.user = :user OR {_LEFT_BY_THEM}"
    ),
    "seats_left": "SELECT match, seat, removed, hints, hinted FROM former WHERE user = :user",
    "seat_changes": "SELECT match, seat, kind, name FROM seat_change WHERE user = :user ORDER BY match, number",
    "waiting": "SELECT match, place, name FROM waiting WHERE user = :user",
    "guest_at": "SELECT match, name, state, said AS invitation FROM guest WHERE user = :user",
    "hosted": f"SELECT id AS match, {', '.join(TERMS)} FROM match WHERE host = :user",
    "moves": (
        "SELECT match, seat, text, CASE WHEN undone_at IS NULL THEN 0 ELSE 1 END AS taken_back, took FROM move "
        "WHERE user = :user ORDER BY match, number"
    ),
    "voices": f"SELECT voted.match, {_CHOICE} FROM vote AS voted WHERE voted.user = :user",
    "votes_started": (f"SELECT voted.match, {_CHOICE}, since, ended FROM proposal AS voted WHERE starter = :user"),
    "votes_against": f"SELECT voted.match, {_CHOICE} FROM refusal AS voted WHERE voted.user = :user",
    "reminders": (
        "SELECT reminder.match, seat, reminder.since, due, sent, pings, hours FROM reminder JOIN seat "
        "ON seat.match = reminder.match AND seat.number = reminder.seat WHERE seat.user = :user"
    ),
    "voices_to_remove_you": (
        "SELECT match, count(*) AS count FROM vote WHERE choice = 'remove ' || :user GROUP BY match"
    ),
    "results": (
        "SELECT match, seat, rank, score, decisions, seconds, CASE WHEN beginner IS NULL THEN points END AS points, "
        "CASE WHEN beginner IS NULL THEN gain END AS gain, honours, gone FROM standing "
        "JOIN player ON player.id = player WHERE user = :user ORDER BY match"
    ),
    "results_after_leaving": (
        "SELECT match, seat, points, gain FROM standing JOIN player ON player.id = beginner "
        "WHERE user = :user ORDER BY match"
    ),
    "ratings": (
        "SELECT guild, game, month, points, matches, wins FROM rating JOIN player ON player.id = player "
        "WHERE user = :user"
    ),
    "seasons_opened": "SELECT id AS season, guild, channel, game, name FROM season WHERE opener = :user",
    "seasons": (
        "SELECT season, guild, channel, game, season.name, number, entrant.name AS own_name, removed FROM entrant "
        "JOIN season ON season.id = season WHERE user = :user"
    ),
    "season_tables": (
        "SELECT season_table.season, round, match, places, points, winners FROM season_table "
        "JOIN entrant ON entrant.season = season_table.season WHERE user = :user "
        "AND ' ' || places || ' ' LIKE '% ' || entrant.number || ' %'"
    ),
    "messages": (
        "SELECT match, channel, message FROM post WHERE user = :user "
        "UNION SELECT match, channel, message FROM farewell WHERE user = :user AND message > 0"
    ),
}
"""The queries of an export, by heading; without move numbers and lengths of logs, which count sealed decisions."""
_THEIRS = (
    "SELECT match FROM seat WHERE user = :user UNION SELECT match FROM waiting WHERE user = :user "
    "UNION SELECT match FROM former WHERE user = :user UNION SELECT match FROM vote WHERE user = :user "
    "UNION SELECT match FROM proposal WHERE starter = :user OR choice = 'remove ' || :user "
    "UNION SELECT match FROM refusal WHERE user = :user "
    "UNION SELECT match FROM seat_change WHERE user = :user "
    "UNION SELECT match FROM guest WHERE user = :user "
    "UNION SELECT match FROM vote WHERE choice = 'remove ' || :user "
    "UNION SELECT id AS match FROM match WHERE host = :user"
)
_MATCHES = (
    "SELECT id, game, status, lesson, rated, guild, channel, place, opened_at, started_at, ended_at FROM match "
    f"WHERE id IN ({_THEIRS} UNION SELECT match FROM move WHERE user = :user) ORDER BY id"
)
_OPEN = f"SELECT id FROM match WHERE status IN ('lobby', 'playing') AND id IN ({_THEIRS}) ORDER BY id"
_SENDING = (
    "SELECT match, 0, post.sending FROM post JOIN match ON match.id = post.match "
    "WHERE user = :user AND (status = 'playing' OR shown < version)"
)
"""Hands that may be in their direct messages: the answers to the sends never came."""
_ERASE = (
    (  # the seat of a computer that plays on for them bears no name of theirs
        "UPDATE seat SET name = :departed WHERE user IS NULL AND EXISTS "
        "(SELECT 1 FROM former WHERE former.match = seat.match AND former.seat = number AND former.user = :user)"
    ),
    "UPDATE seat_change SET user = NULL, name = :departed WHERE user = :user",
    "DELETE FROM vote WHERE user = :user OR choice = 'remove ' || :user",
    "DELETE FROM refusal WHERE user = :user OR choice = 'remove ' || :user",
    (  # a vote that no other player is for is over
        "DELETE FROM proposal WHERE choice = 'remove ' || :user OR (starter = :user AND NOT EXISTS "
        "(SELECT 1 FROM vote WHERE vote.match = proposal.match AND vote.choice = proposal.choice))"
    ),
    "UPDATE proposal SET starter = 0 WHERE starter = :user",
    (
        "DELETE FROM reminder WHERE EXISTS "
        "(SELECT 1 FROM seat WHERE seat.match = reminder.match AND number = reminder.seat AND user = :user)"
    ),
    "DELETE FROM waiting WHERE user = :user",
    (
        "UPDATE clock SET hours = NULL WHERE EXISTS (SELECT 1 FROM seat "
        f"WHERE seat.match = clock.match AND seat.number = clock.seat AND {_LEFT_BY_THEM})"
    ),
    "DELETE FROM former WHERE user = :user",
    # That the host removed a person stays, without who: none of those whose data was deleted may sit down there.
    (
        "DELETE FROM guest WHERE user = 0 AND EXISTS (SELECT 1 FROM guest AS theirs "
        "WHERE theirs.match = guest.match AND theirs.user = :user AND theirs.state = 'removed')"
    ),
    "UPDATE guest SET user = 0, name = '', said = NULL WHERE user = :user AND state = 'removed'",
    "DELETE FROM guest WHERE user = :user",
    "DELETE FROM farewell WHERE user = :user AND said <> 0",
    "UPDATE farewell SET user = 0 WHERE user = :user",
    (  # a hand that is still in their direct messages
        "INSERT INTO farewell SELECT match, 0, post.channel, message, 0 FROM post "
        "JOIN match ON match.id = post.match WHERE user = :user AND message IS NOT NULL "
        "AND (status = 'playing' OR shown < version) ON CONFLICT DO NOTHING"
    ),
    "DELETE FROM post WHERE user = :user",
    "UPDATE move SET user = NULL WHERE user = :user",
    "UPDATE player SET user = NULL WHERE user = :user",  # others' ratings follow from their results too
    (
        "DELETE FROM clock WHERE EXISTS "
        "(SELECT 1 FROM seat WHERE seat.match = clock.match AND number = clock.seat AND user = :user)"
    ),
    "DELETE FROM seat WHERE user = :user AND match IN (SELECT id FROM match WHERE status = 'lobby')",
    (
        "UPDATE seat SET user = NULL, name = :departed, ping = NULL, plays_forced = 0, ready = 0, hints = 0, "
        "hinted = NULL, ahead = NULL, "
        "offered = (SELECT CASE WHEN status = 'playing' THEN 1 ELSE 0 END FROM match WHERE id = seat.match) "
        "WHERE user = :user"
    ),
    (
        "UPDATE match SET host = coalesce((SELECT user FROM seat WHERE match = match.id AND user IS NOT NULL "
        "AND status = 'lobby' ORDER BY number LIMIT 1), 0) WHERE host = :user"
    ),
    (
        "UPDATE season SET version = version + 1, opener = CASE WHEN opener = :user THEN 0 ELSE opener END "
        "WHERE opener = :user OR id IN (SELECT season FROM entrant WHERE user = :user)"
    ),
    "DELETE FROM entrant WHERE user = :user AND season IN (SELECT id FROM season WHERE status = 'open')",
    "UPDATE entrant SET user = NULL, name = '' WHERE user = :user",
    "DELETE FROM hours WHERE user = :user",
    "DELETE FROM portrait WHERE user = :user",
    "DELETE FROM person WHERE user = :user",
)
"""In this order, as seats, lists and hours refer to the user's row. A hand still to be emptied stays, as user 0."""
_ABANDON = (
    "UPDATE match SET version = version + 1, "
    "status = CASE WHEN EXISTS (SELECT 1 FROM seat WHERE match = match.id AND user IS NOT NULL) THEN status "
    "WHEN status = 'lobby' THEN 'cancelled' ELSE 'stopped' END, "
    "ended_at = CASE WHEN EXISTS (SELECT 1 FROM seat WHERE match = match.id AND user IS NOT NULL) THEN ended_at "
    "ELSE :now END WHERE id = :match"
)
_IN_NO_MATCH = (
    "SELECT user, seen_at FROM person WHERE user NOT IN (SELECT user FROM seat WHERE user IS NOT NULL) "
    "AND user NOT IN (SELECT user FROM waiting) AND user NOT IN (SELECT user FROM former) "
    "AND user NOT IN (SELECT user FROM entrant WHERE user IS NOT NULL)"
)
_ENDED = "SELECT id FROM match WHERE status NOT IN ('lobby', 'playing') AND ended_at < ?"
_ENDED_SEASONS = "SELECT id FROM season WHERE ended_at < ?"
_AT_TABLE = (
    "SELECT user FROM seat WHERE match = ?1 AND user IS NOT NULL UNION SELECT user FROM former WHERE match = ?1 "
    "UNION SELECT user FROM waiting WHERE match = ?1"
)
_IN_SEASON = "SELECT user FROM entrant WHERE season = ? AND user IS NOT NULL"
_EVERYBODY = (
    "SELECT user FROM person UNION SELECT user FROM former UNION SELECT user FROM farewell "
    "UNION SELECT user FROM guest "
    "UNION SELECT user FROM entrant WHERE user IS NOT NULL UNION SELECT opener FROM season "
    "UNION SELECT host FROM match UNION SELECT user FROM move WHERE user IS NOT NULL "
    "UNION SELECT user FROM post WHERE user IS NOT NULL UNION SELECT user FROM vote "
    "UNION SELECT user FROM refusal UNION SELECT starter FROM proposal "
    "UNION SELECT user FROM seat_change WHERE user IS NOT NULL UNION SELECT user FROM player WHERE user IS NOT NULL"
)
_UNCLEAN = "unclean"
"""Key in `setting`: bytes of deleted data may still be in the file."""


class Privacy:
    """Exports and deletes users' data. `forget`: functions that empty the memory of the other repositories;
    `departures`: the list of users whose data was deleted.
    """

    def __init__(self, database: Database, forget: Sequence[Callable[[], None]], departures: ErasureLog) -> None:
        self._database = database
        self._forget = forget
        self._departures = departures

    async def everything(self, user: int) -> dict[str, Any]:
        """Return everything stored about that user: rows as dicts, by heading. No other user's id is in it."""
        queries = {**_OWN, "matches": _MATCHES}
        facts = {"user": user}
        return await self._database.read(
            lambda c: {name: [_exported(row) for row in c.execute(sql, facts)] for name, sql in queries.items()}
        )

    async def is_stored(self, user: int) -> bool:
        """Return whether anything is stored about that user."""
        return any((await self.everything(user)).values())

    async def note_departure(self, user: int, now: int) -> None:
        """Put that user on the list of deleted users, which `erase_again` reads after an older backup is restored.

        This is the first step of a deletion: if the bot is killed after it, the user's data is still there and they ask
        again. It takes 50 ms, in which no computer must play on for them yet. If the list cannot be written, the
        deletion goes on and the error is logged.
        """
        try:
            await asyncio.to_thread(self._departures.note, user, now)
        except OSError as error:
            log.error(
                "the list of deleted users cannot be written, an older backup would bring one back: %s", error.strerror
            )

    async def erase(self, user: int, now: int) -> list[int]:
        """Delete that user's data. What was theirs alone goes; what a match needs stays, with the name DEPARTED.

        The user has left their open matches before. If that failed, a computer has their seat from now on, and a match
        without players ends. Return the numbers of the open matches that have changed. Raises NotStored.

        The rows are gone at once, and SQLite overwrites them in the file. `clean` makes sure of their bytes: once for
        all deletions since the last time, because it rewrites the whole file. It is noted that this is to be done.

        No other user on the list may be left to delete: afterwards the database takes all users on it for deleted.
        """

        def work(c: Connection) -> list[int]:
            facts = {"user": user, "departed": DEPARTED}
            changed = [int(row[0]) for row in c.execute(_OPEN, facts)]
            unknown_hands(c, c.execute(_SENDING, facts).fetchall())
            for sql in _ERASE:
                c.execute(sql, facts)
            for match in changed:
                _close_ranks(c, match)
            c.executemany(_ABANDON, [{"match": match, "now": now} for match in changed])
            for match in changed:
                withdraw_invitations(c, match)
            c.execute(schema.PUT_SETTING, (_UNCLEAN, "1"))
            if known is not None:
                know_departures(c, known)
            return changed

        known = await self._known_departures()
        changed = await self._database.write(work, lambda _: self._forget_all())
        self._forget_all()  # also what a reader put back after the first time
        return changed

    async def _known_departures(self) -> str | None:
        """Return the list's last line. None if it cannot be read; the users on it are then deleted once more."""
        try:
            return await asyncio.to_thread(self._departures.last)
        except OSError as error:
            log.error("the list of deleted users cannot be read: %s", error.strerror)
            return None

    async def erase_again(self, now: int) -> int:
        """After an older backup is restored, delete the users again whose data was deleted since. Return how many.

        The bot does this before anything else.
        """

        def read(c: Connection) -> tuple[str | None, list[int]]:
            made = schema.setting(c, OLDER)
            return made, [int(found[0]) for found in c.execute(_EVERYBODY)] if made is not None else []

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

        def done(c: Connection) -> None:
            c.execute("DELETE FROM setting WHERE name = ?", (OLDER,))
            if known is not None:
                know_departures(c, known)

        await self._database.write(done)
        return len(again)

    async def erase_ended(self, before: int) -> int:
        """Delete the matches and seasons that ended before that instant, their users who are in no other, and the users
        in none who were last seen before it. Return the number of matches deleted.

        SQLite overwrites the deleted bytes in place. `clean` would rewrite the whole file, every hour.
        """

        def work(c: Connection) -> int:
            matches = [tuple(row) for row in c.execute(_ENDED, (before,))]
            people = {user for match in matches for (user,) in c.execute(_AT_TABLE, match)}
            ended = [tuple(row) for row in c.execute(_ENDED_SEASONS, (before,))]
            people |= {user for season in ended for (user,) in c.execute(_IN_SEASON, season)}
            c.executemany("DELETE FROM season WHERE id = ?", ended)
            ratings.delete(c, [number for (number,) in matches])
            c.executemany("DELETE FROM match WHERE id = ?", matches)
            users = [(user,) for user, seen in c.execute(_IN_NO_MATCH) if user in people or seen < before]
            c.executemany("DELETE FROM hours WHERE user = ?", users)
            c.executemany("UPDATE player SET user = NULL WHERE user = ?", users)
            c.executemany("DELETE FROM person WHERE user = ?", users)
            return len(matches)

        def due(c: Connection) -> bool:
            ended = any(c.execute(sql, (before,)).fetchone() is not None for sql in (_ENDED, _ENDED_SEASONS))
            return ended or any(seen < before for _, seen in c.execute(_IN_NO_MATCH))

        if not await self._database.read(due):
            return 0
        count = await self._database.write(work, lambda _: self._forget_all())
        self._forget_all()
        return count

    async def clean(self) -> bool:
        """Leave no byte of deleted data in the file or its log. Return False if that must be tried again later."""
        if await self._database.read(lambda c: schema.setting(c, _UNCLEAN)) is None:
            return True
        try:
            if not await self._database.clean():
                log.warning("another program reads the database: deleted data leaves the file later")
                return False
            await self._database.write(
                lambda c: c.execute("DELETE FROM setting WHERE name = ?", (_UNCLEAN,)).rowcount, counts=False
            )
        except NotStored:
            log.warning("deleted data leaves the file later: there is no room to rewrite it")
            return False
        return True

    def _forget_all(self) -> None:
        for forget in self._forget:
            forget()


def _exported(row: Row) -> dict[str, Any]:
    """Return a row as a dict, with bytes as hexadecimal digits."""
    return {name: value.hex().upper() if isinstance(value, bytes) else value for name, value in dict(row).items()}


def _close_ranks(c: Connection, match: int) -> None:
    """Number the seats of a match without gaps, after a player has left its lobby."""
    taken = c.execute("SELECT number FROM seat WHERE match = ? ORDER BY number", (match,)).fetchall()
    rows = [(at, match, row["number"]) for at, row in enumerate(taken)]
    c.executemany("UPDATE seat SET number = ? WHERE match = ? AND number = ?", rows)
