"""What is known of a person: name and language as last seen, whether direct messages reach them, their settings.

With each person stands when their next digest is due: one index leads to the earliest, however many matches there are.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from data.store.database import Database, NotStored, shielded

MOST_KNOWN = 10_000
"""People kept in memory: about 2 MB."""
MOST_AT_ONCE = 100
"""Digests that are read at once."""
SEEN = 43_200
"""Seconds after which it is noted again that somebody was seen: not at each press, and twice a day at most."""


class PingPreference(StrEnum):
    """How somebody is called when a table waits for them."""

    DM = "dm"
    """By direct message; where these do not work, by mention."""
    MENTION = "mention"
    """At the table."""
    BOTH = "both"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Person:
    """`dm` is the channel of direct messages, once opened; `dm_works` None: not tried yet. `locale` is Discord's.

    `digest_hours` 0: each turn pings by itself; else one message every so many hours, the next at `digest_due` (seconds
    since 1970), and `digest_message` is the last one in their direct messages. `seen_at`: when they were last met, to
    half a day; nothing that is said of a person depends on it.
    """

    user: int
    name: str
    dm: int | None = None
    dm_works: bool | None = None
    wants_text: bool = False
    locale: str | None = None
    ping: PingPreference = PingPreference.DM
    digest_hours: int = 0
    digest_due: int | None = None
    digest_message: int | None = None
    seen_at: int = field(default=0, compare=False)

    @property
    def reached(self) -> bool:
        """Whether direct messages are to be tried."""
        return bool(self.dm) and self.dm_works is not False


class People:
    """The repository of people. Whoever has been met is kept in memory: every press asks for its person."""

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._now = now
        self._known: dict[int, Person] = {}

    async def meet(self, user: int, name: str, locale: str | None = None) -> Person:
        """The person, made known on first sight, with the name and, where it is given, the locale of now. Raises
        NotStored, but not for when they were seen: a full disk keeps nobody from looking at their hand.
        """
        known, now = await self.get(user), int(self._now())
        same = known is not None and known.name == name and locale in (None, known.locale)
        if known is not None and same and abs(now - known.seen_at) < SEEN:
            return known

        def work(c: sqlite3.Connection) -> None:
            c.execute(
                "INSERT INTO person (user, name, locale, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT (user) DO UPDATE "
                "SET name = excluded.name, locale = coalesce(excluded.locale, locale), seen_at = excluded.seen_at",
                (user, name, locale, now),
            )

        try:
            return await self._change(user, work)
        except NotStored:
            if known is None or not same:
                raise
            return known

    async def get(self, user: int) -> Person | None:
        """None for somebody whom the bot has never met."""
        if user not in self._known:
            for person in await self._database.read(lambda c: _read(c, user)):
                self._remember(self._known.get(user, person))  # what was written in the meantime is newer
        return self._known.get(user)

    async def change(self, user: int, **facts: Any) -> Person:
        """Store some fields of a person who has been met, and leave the others as they are by now. Of somebody whose
        data was deleted in the meantime nothing is stored, and they are nobody: without a name or settings.
        """

        def work(c: sqlite3.Connection) -> None:
            for name, value in facts.items():
                c.execute(_SET[name], (value, user))

        return await self._change(user, work)

    async def earliest_digest(self) -> int | None:
        """When the next digest of anybody is due, in seconds since 1970."""
        sql = "SELECT digest_due FROM person WHERE digest_due IS NOT NULL ORDER BY digest_due LIMIT 1"
        found = await self._database.read(lambda c: c.execute(sql).fetchone())
        return None if found is None else int(found[0])

    async def digests_due(self, now: int) -> list[int]:
        """Those whose digest is due, the earliest first."""
        sql = "SELECT user FROM person WHERE digest_due <= ? ORDER BY digest_due LIMIT ?"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (now, MOST_AT_ONCE))])

    async def next_digest(self, before: Person, due: int) -> Person:
        """The digest of that person has been sent, or put off, and the next one is due then; unless they have set
        something else in the meantime. As `change`.
        """
        sql = "UPDATE person SET digest_due = ? WHERE user = ? AND digest_due IS ?"

        def work(c: sqlite3.Connection) -> None:
            c.execute(sql, (due, before.user, before.digest_due))

        return await self._change(before.user, work)

    def forget(self) -> None:
        """Keep nothing in memory."""
        self._known.clear()

    @shielded
    async def _change(self, user: int, work: Callable[[sqlite3.Connection], None]) -> Person:
        def changed(c: sqlite3.Connection) -> list[Person]:
            work(c)
            return _read(c, user)

        self._known.pop(user, None)
        found = await self._database.write(changed)
        for person in found:
            self._remember(person)
        return found[0] if found else Person(user, "")

    def _remember(self, person: Person) -> None:
        if len(self._known) >= MOST_KNOWN and person.user not in self._known:
            self._known.clear()
        self._known[person.user] = person


_SET = {
    "dm": "UPDATE person SET dm = ? WHERE user = ?",
    "dm_works": "UPDATE person SET dm_works = ? WHERE user = ?",
    "wants_text": "UPDATE person SET wants_text = ? WHERE user = ?",
    "ping": "UPDATE person SET ping = ? WHERE user = ?",
    "digest_hours": "UPDATE person SET digest_hours = ? WHERE user = ?",
    "digest_due": "UPDATE person SET digest_due = ? WHERE user = ?",
    "digest_message": "UPDATE person SET digest_message = ? WHERE user = ?",
}
_GET = (
    "SELECT user, name, dm, dm_works, wants_text, locale, ping, digest_hours, digest_due, digest_message, seen_at "
    "FROM person WHERE user = ?"
)


def _read(c: sqlite3.Connection, user: int) -> list[Person]:
    """One person or none."""
    rows = c.execute(_GET, (user,))
    return [
        Person(
            user, name, dm, None if works is None else bool(works), bool(text), locale, PingPreference(ping), *digest
        )
        for user, name, dm, works, text, locale, ping, *digest in rows
    ]
