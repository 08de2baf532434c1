"""The repository of posts: the messages that show matches, and how far each has shown its match.

What must be shown follows from here: a post that shows an older version than its match is behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from data.lru import Lru
from data.records.leases import ask_for, current_fence
from data.records.match import Conflict
from data.records.post import Invitation, OldTable, Post, Posts, Sending, StaleHand
from data.records.post_merge import doubt, is_unchanged, merged, read_shared, stored
from data.records.post_rows import (
    CALLED,
    INVITED,
    SAVE_POST,
    TABLE,
    place_of,
    post_values,
    read_post,
    user_of,
    withdraw_invitations,
)
from data.store.database import Database
from data.store.engine import Connection

_UNKNOWN = 0
"""Stored in place of a message's id that is not known, of a user whose data was deleted, and of no channel."""
_FAREWELL = (
    "INSERT INTO farewell SELECT id, coalesce((SELECT user FROM person WHERE user = ?2), 0), ?3, ?4, 0 "
    "FROM match WHERE id = ?1 ON CONFLICT DO NOTHING"
)
"""If the player's data has been deleted since, it stores the message without the user."""
_SENDING = "INSERT INTO old_table (match, channel, message, since, named) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_OLD_TABLE = (
    "INSERT INTO old_table (match, channel, message, since, named) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (match, channel, message) DO UPDATE SET since = excluded.since, named = excluded.named"
)
_NO_OLD_TABLE = "DELETE FROM old_table WHERE match = ? AND channel = ? AND message = ?"
_WHICH_POST = "WHERE match = ? AND place = ? AND (user = ? OR user IS NULL AND ? IS NULL)"
_UNSENT = (
    "UPDATE post SET shown = CASE WHEN shown < (SELECT version FROM match WHERE id = post.match) THEN shown "
    "ELSE shown - 1 END, revision = revision + 1 WHERE user = ?1 AND message IS NULL "
    "AND match IN (SELECT id FROM match JOIN seat ON seat.match = id WHERE seat.user = ?1 "
    "AND status IN ('lobby', 'playing')) RETURNING match"
)
_INVITATION = "INSERT INTO invitation (match, channel, message, since) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"


class PostStore:
    """The stored posts. Each method that writes raises NotStored if the database takes nothing. `kept`: of how many
    matches the posts stay in memory.
    """

    def __init__(self, database: Database, kept: int) -> None:
        self._database = database
        self._posts = Lru[int, Posts](kept)

    def drop(self, number: int | None = None) -> None:
        """Drop a match's posts, or all, from memory: in the database's thread, or while nothing is being written."""
        if number is None:
            self._posts.clear()
        else:
            self._posts.pop(number)

    async def of(self, number: int) -> Posts:
        """Return the posts of a match."""

        def read(c: Connection) -> Posts:
            one = read_shared if self._database.shared else read_post
            rows = c.execute("SELECT * FROM post WHERE match = ? ORDER BY place", (number,))
            found = self._posts[number] = Posts(tuple(one(row) for row in rows))
            return found

        known = self._posts.get(number)
        return await self._database.read(read) if known is None else known

    async def note(self, *posts: Post, old: Sequence[OldTable] = (), gone: Sequence[OldTable] = ()) -> None:
        """Store these posts and these `old` messages of tables, and delete the `gone` ones, in one transaction. The
        hand of a player who has left since is stored as a `StaleHand`. Raises LeaseLost.
        """
        await self._note(posts, old, gone)

    async def note_unchanged(self, post: Post, version: int) -> bool:
        """Store this post as `note` does. Return False if another process has changed it since it was read, or if the
        match has not that version any more: what follows from an older version must not be stored after what follows
        from a later one.
        """
        try:
            await self._note([post], unchanged=version)
        except Conflict:
            return False
        return True

    async def _note(
        self,
        posts: Sequence[Post],
        old: Sequence[OldTable] = (),
        gone: Sequence[OldTable] = (),
        unchanged: int | None = None,
    ) -> None:
        fence, shared = current_fence(), self._database.shared
        sql = f"{SAVE_POST}{', revision = revision + 1' if shared else ''} {_WHICH_POST}"

        def work(c: Connection) -> list[tuple[Post, Post]]:
            if fence is not None:
                fence.check(c)
            if unchanged is not None and shared and not all(is_unchanged(c, post, unchanged) for post in posts):
                raise Conflict
            saved = []
            for post in posts:
                p, user = merged(c, post) if shared else post, user_of(post)
                if c.execute(sql, (*post_values(p), p.match, place_of(p), user, user)).rowcount:
                    saved.append((post, p))
                elif p.message is not None and user is not None:
                    c.execute(_FAREWELL, (p.match, user, p.channel, p.message))
            c.executemany(_OLD_TABLE, [_values(table) for table in old])
            c.executemany(_NO_OLD_TABLE, [_values(table)[:3] for table in gone])
            return saved

        def remember(saved: list[tuple[Post, Post]]) -> None:
            for given, post in saved:
                stored(given, post)
                known = self._posts.get(post.match)
                if known is not None and any(o.of == post.of and user_of(o) == user_of(post) for o in known):
                    self._posts[post.match] = known.having(post)

        await self._database.write(work, remember)

    def note_hands_unsent(self, c: Connection, user: int) -> Callable[[], None]:
        """Note, in a transaction, that this user's hands in open matches are behind if no message shows them, and stay
        so if another process notes what it has shown elsewhere. Return what to call after the commit.
        """
        matches = [int(row[0]) for row in c.execute(_UNSENT, (user,))]
        self._ask_for(c, matches)

        def remember() -> None:
            for number in matches:
                self.drop(number)

        return remember

    def _ask_for(self, c: Connection, matches: Sequence[int]) -> None:
        """Ask, in a transaction, for matches that are behind from now on, if another process may hold them."""
        for number in matches if self._database.shared else ():
            ask_for(c, number)

    async def check_storage(self) -> None:
        """Raise NotStored if `note` would."""
        await self._database.check_storage()

    async def behind(self) -> list[int]:
        """Return the numbers of the matches with a post that is behind, with a hand still to be emptied, with an old
        table that does not link to the present one, or not yet compared after a restore.
        """
        sql = (
            "SELECT DISTINCT id FROM match JOIN post ON post.match = match.id WHERE shown < version "
            "UNION SELECT match FROM farewell WHERE said = 0 UNION SELECT id FROM match WHERE doubt = 'unchecked' "
            "UNION SELECT match FROM old_table JOIN match ON match.id = old_table.match WHERE abs(named) <> place"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def doubt(self, number: int) -> None:
        """Store that it is unknown what the messages of a match show: each is edited once more."""

        def work(c: Connection) -> None:
            doubt(c, number)
            self._ask_for(c, [number])

        await self._database.write(work)

    async def stale_hands(self, number: int) -> list[StaleHand]:
        """Return the direct messages with hands of players who have left that match, which are not emptied yet."""
        sql = "SELECT match, user, channel, message FROM farewell WHERE match = ? AND said = 0"
        return await self._database.read(
            lambda c: [
                StaleHand(match, user or None, channel, message if message > 0 else None)
                for match, user, channel, message in c.execute(sql, (number,)).fetchall()
            ]
        )

    async def emptied(self, hand: StaleHand) -> None:
        """Store that this message is emptied, or is not there. A row is deleted that has no message any more, or no
        user, because their data was deleted.
        """
        key, fence = (hand.match, hand.message or -hand.channel), current_fence()

        def work(c: Connection) -> None:
            if fence is not None:
                fence.check(c)
            c.execute("DELETE FROM farewell WHERE match = ? AND message = ? AND (user = 0 OR message < 0)", key)
            c.execute("UPDATE farewell SET said = 1 WHERE match = ? AND message = ?", key)

        await self._database.write(work)

    # Old messages of tables.

    async def old_tables(self, number: int) -> list[OldTable]:
        """Return the messages that have shown the match's table before, the oldest first."""
        sql = "SELECT match, channel, message, since, named FROM old_table WHERE match = ? ORDER BY message"
        return await self._database.read(
            lambda c: [
                OldTable(match, channel, message or None, since, abs(named) or None, refused=named < 0)
                for match, channel, message, since, named in c.execute(sql, (number,))
            ]
        )

    async def begin_sending(self, unknown: OldTable) -> bool:
        """Store that a message of the table will be sent. Return False if an earlier send there is still noted."""
        row, fence = _values(unknown), current_fence()

        def work(c: Connection) -> bool:
            if fence is not None:
                fence.check(c)
            return c.execute(_SENDING, row).rowcount == 1

        return await self._database.write(work)

    async def forget_refusals(self, channel: int | None = None) -> list[int]:
        """Forget that Discord refused to change or delete these old tables, in this channel or in all: the bot tries
        again. Return the numbers of their matches, which are behind from now on.
        """
        refused = "SELECT DISTINCT match FROM old_table WHERE named < 0 AND (?1 IS NULL OR channel = ?1)"

        def read(c: Connection) -> list[int]:
            return [int(row[0]) for row in c.execute(refused, (channel,))]

        def forget(c: Connection) -> list[int]:
            found = read(c)
            c.execute("UPDATE old_table SET named = 0 WHERE named < 0 AND (?1 IS NULL OR channel = ?1)", (channel,))
            self._ask_for(c, found)
            return found

        return await self._database.write(forget) if await self._database.read(read) else []

    # Invitations.

    async def has_invited(self, previous: int) -> bool:
        """Return whether a lobby that followed that match, and was called off, has sent its invitation."""
        sql = (
            "SELECT 1 FROM match JOIN post ON post.match = match.id "
            "WHERE previous = ? AND status = 'cancelled' AND post.place = ? AND pinged IN (?, ?)"
        )
        values = (previous, TABLE, INVITED, f"{INVITED} {CALLED}")
        return await self._database.read(lambda c: c.execute(sql, values).fetchone() is not None)

    async def invitations(self, number: int) -> dict[int, int | Invitation]:
        """Return the message that invited each guest of a lobby, by user: its id, or what stands in its place."""
        sql = "SELECT user, said FROM guest WHERE match = ? AND said IS NOT NULL ORDER BY user"
        return await self._database.read(
            lambda c: {user: said if said > 0 else Invitation(said) for user, said in c.execute(sql, (number,))}
        )

    async def times_invited(self, user: int, host: int, since: int) -> int:
        """Return to how many lobbies of that host, opened since that instant, a message has invited the user."""
        sql = (
            "SELECT count(*) FROM guest JOIN match ON id = match "
            "WHERE user = ? AND said > 0 AND host = ? AND opened_at >= ?"
        )
        values = (user, host, since)
        return await self._database.read(lambda c: int(c.execute(sql, values).fetchone()[0]))

    async def inviting(self, number: int) -> Sending | None:
        """Return the message being sent that invites guests of that match, or None."""
        sql = "SELECT channel, since FROM invitation WHERE match = ? AND message = ?"
        row = await self._database.read(lambda c: c.execute(sql, (number, _UNKNOWN)).fetchone())
        return None if row is None else Sending(*row)

    async def note_invitations(
        self, number: int, users: Sequence[int], message: int | Invitation, channel: int, since: int
    ) -> None:
        """Store that this message invites these guests, or what stands in its place. `channel`: where it is sent; it
        was not sent before `since`. Once the lobby is over it is an old message of the table.
        """
        fence, said = current_fence(), message.value if isinstance(message, Invitation) else message

        def work(c: Connection) -> None:
            if fence is not None:
                fence.check(c)
            c.executemany(
                "UPDATE guest SET said = ? WHERE match = ? AND user = ?", [(said, number, user) for user in users]
            )
            if message is Invitation.SENDING:
                c.execute(_INVITATION, (number, channel, _UNKNOWN, since))
            else:
                c.execute("DELETE FROM invitation WHERE match = ? AND message = ?", (number, _UNKNOWN))
                if message is not Invitation.NONE:
                    c.execute(_INVITATION, (number, channel, message, since))
            withdraw_invitations(c, number)  # the lobby may be over since

        await self._database.write(work)


def _values(table: OldTable) -> tuple[int, int, int, int, int]:
    """Return the columns of an old table."""
    named = table.named or _UNKNOWN
    return table.match, table.channel, table.message or _UNKNOWN, table.since, -named if table.refused else named
