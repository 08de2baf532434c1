"""What the bot knows of a user: name and language as last seen, whether direct messages reach them, their settings.

Each user's row holds when their next digest is due. One index finds the earliest, however many matches there are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from data.records.columns import fields_of, readers
from data.records.post import Sending
from data.store.database import Database, NotStored, shielded
from data.store.engine import Connection

Also = Callable[[Connection], Callable[[], None]]
MOST_KNOWN = 10_000
"""The most users that stay in memory, about 2 MB."""
MOST_AT_ONCE = 100
"""The most due digests that one read returns."""
SEEN = 43_200
"""Seconds between two updates of a user's `seen_at`: at most two a day, not one a press."""


class PingPreference(StrEnum):
    """How a player wants to be pinged when a table waits for them. The values are stored."""

    DM = "dm"
    """By direct message; if these fail, by mention at the table."""
    MENTION = "mention"
    """By mention at the table."""
    BOTH = "both"
    NONE = "none"


class PictureWish(StrEnum):
    """What a person wants of pictures. The values are stored."""

    LARGE = "large"
    """Larger cards in hands: large print."""
    PLAIN = "plain"
    """No stage behind the hand, for high contrast."""
    STILL = "still"
    """No picture that moves at any table where they sit."""
    SIGN = "sign"
    """No avatar in pictures; the sign of the seat instead."""


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord user who has used the bot, with their settings for all tables."""

    user: int
    name: str
    dm: int | None = None
    """The channel of their direct messages, once opened."""
    dm_works: bool | None = None
    """None: not tried yet."""
    dm_refused: bool = field(default=False, kw_only=True)
    """Whether they fail since Discord accepts none from the bot, for a reason that the person cannot change."""
    wants_text: bool = False
    """Whether hands and boards say in words what their pictures show."""
    locale: str | None = None
    """Discord's code of their language ("en-GB", "de")."""
    ping: PingPreference = PingPreference.DM
    digest_hours: int = 0
    """Hours between two digests; 0: each turn sends a ping of its own."""
    digest_due: int | None = None
    """When the next digest is due, in seconds since 1970."""
    digest_message: int | None = None
    """The id of the last digest in their direct messages."""
    digest_sending: Sending | None = field(default=None, kw_only=True)
    """The send of a digest that has begun, if its answer is not stored."""
    wants_help: bool = True
    """Whether hands explain a game in the person's first match of it."""
    pictures: frozenset[PictureWish] = frozenset()
    shows_history: bool | None = None
    """Whether others may see their finished matches; None: as each server says."""
    seen_at: int = field(default=0, compare=False)
    """When they last used the bot, in seconds since 1970, up to half a day too early: for the deletion of old data."""

    @property
    def reached(self) -> bool:
        """Whether the bot tries direct messages: their channel is open and none has failed."""
        return bool(self.dm) and self.dm_works is not False

    def shows(self, default: bool) -> bool:
        """Return whether others may see their finished matches in a server with that default."""
        return default if self.shows_history is None else self.shows_history


class People:
    """The repository of users. It keeps those it has read, as each press reads its user; unless other processes do."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._now = now
        self.known: dict[int, Person] = {}

    async def meet(self, user: int, name: str, locale: str | None = None) -> Person:
        """Return the user with this name and, unless None, this locale; store what is new. Raises NotStored if that
        fails, but not if only `seen_at` is new: players can look at their hands while the disk is full.
        """
        known, now = await self.get(user), int(self._now())
        same = known is not None and known.name == name and locale in (None, known.locale)
        if known is not None and same and abs(now - known.seen_at) < SEEN:
            return known
        try:
            return await self._change(user, lambda c: c.execute(_MEET, (user, name, locale, now)))
        except NotStored:
            if known is None or not same:
                raise
            return known

    async def get(self, user: int) -> Person | None:
        """Return the user; None if they have never used the bot."""
        return (await self.several([user])).get(user)

    async def several(self, users: Collection[int]) -> dict[int, Person]:
        """Return those of the users who have used the bot, with one look at the database."""
        found = {user: self.known[user] for user in users if user in self.known}
        unknown = [user for user in users if user not in found]
        if unknown:
            for person in await self._database.read(lambda c: _read(c, *unknown)):
                found[person.user] = self.known.get(person.user, person)  # a value written during the read is newer
                self._remember(found[person.user])
        # A user who was known may be unknown by now, because a write about them is under way.
        return {user: self.known.get(user, found[user]) for user in users if user in found}

    async def change(self, user: int, *, also: Also | None = None, **facts: Any) -> Person:
        """Store these fields of a stored user; the others stay. Return the user. If their data has been deleted since,
        store nothing and return a `Person` with an empty name and no settings. Raises NotStored.

        `also`: what else is stored in the same transaction; what it returns is called after the commit.
        """
        ends = list[Callable[[], None]]()

        def work(c: Connection) -> None:
            for name, value in facts.items():
                c.execute(_SET[name], (" ".join(sorted(value)) if name == "pictures" else value, user))
            ends[:] = () if also is None else (also(c),)

        def then(_: object) -> None:
            for end in ends:
                end()

        return await self._change(user, work, then)

    async def earliest_digest(self) -> int | None:
        """Return when the next digest is due, in seconds since 1970; None if no user wants digests."""
        sql = "SELECT digest_due FROM person WHERE digest_due IS NOT NULL ORDER BY digest_due LIMIT 1"
        found = await self._database.read(lambda c: c.execute(sql).fetchone())
        return None if found is None else int(found[0])

    async def digests_due(self, now: int) -> list[int]:
        """Return the users whose digest is due, the earliest first."""
        sql = "SELECT user FROM person WHERE digest_due <= ? ORDER BY digest_due LIMIT ?"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (now, MOST_AT_ONCE))])

    async def newcomers(self) -> list[tuple[int, int]]:
        """Return the players who want direct messages and have had no first one yet, each with the newest open match
        at a table, the user who has waited longest first.
        """
        sql = (
            "SELECT person.user, max(seat.match) AS newest FROM person JOIN seat ON seat.user = person.user "
            "JOIN match ON match.id = seat.match WHERE status IN ('lobby', 'playing') AND guild <> 0 "
            "AND dm_works IS NULL AND coalesce(seat.ping, person.ping) IN ('dm', 'both') "
            "GROUP BY person.user ORDER BY newest, person.user"
        )
        return await self._database.read(lambda c: [(int(row[0]), int(row[1])) for row in c.execute(sql)])

    async def next_digest(self, before: Person, due: int) -> Person:
        """Store when the next digest is due, after one was sent or put off. If the user has changed the setting since
        `before`, store nothing. Return the user, as `change` does.
        """
        sql = (
            "UPDATE person SET digest_due = ?1 WHERE user = ?2 "
            "AND (digest_due = ?3 OR digest_due IS NULL AND ?3 IS NULL)"
        )
        return await self._change(before.user, lambda c: c.execute(sql, (due, before.user, before.digest_due)))

    def forget(self) -> None:
        """Drop everything from memory."""
        self.known.clear()

    @shielded
    async def _change(
        self, user: int, work: Callable[[Connection], object], then: Callable[[object], None] | None = None
    ) -> Person:
        def changed(c: Connection) -> list[Person]:
            work(c)
            return _read(c, user)

        self.known.pop(user, None)
        found = await self._database.write(changed, then)
        for person in found:
            self._remember(person)
        return found[0] if found else Person(user, "")

    def _remember(self, person: Person) -> None:
        if self._database.shared:
            return
        if len(self.known) >= MOST_KNOWN and person.user not in self.known:
            self.known.clear()
        self.known[person.user] = person


_MEET = (
    "INSERT INTO person (user, name, locale, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT (user) DO UPDATE "
    "SET name = excluded.name, locale = coalesce(excluded.locale, person.locale), seen_at = excluded.seen_at"
)
_CHANGED = (
    *("dm", "dm_works", "dm_refused", "wants_text", "ping", "digest_hours", "digest_due", "digest_message"),
    *("digest_sending", "wants_help", "pictures", "shows_history"),
)
_SET = {name: f"UPDATE person SET {name} = ? WHERE user = ?" for name in _CHANGED}
_GET = f"SELECT user, name, locale, seen_at, {', '.join(_CHANGED)} FROM person WHERE user = ?"


def _wishes(text: str) -> frozenset[PictureWish]:
    return frozenset(wish for wish in PictureWish if wish in text.split())


_READERS = {**readers(Person, [name for name in _CHANGED if name != "pictures"]), "pictures": _wishes}


def _read(c: Connection, *users: int) -> list[Person]:
    """Return those of the users who are stored."""
    found = [c.execute(_GET, (user,)) for user in users]
    return [Person(**fields_of(row, _READERS)) for rows in found for row in rows]
