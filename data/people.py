"""What is known of a person: name and language as last seen, whether direct messages reach them, their settings."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from data.database import Database, unbroken

MOST_KNOWN = 10_000
"""People kept in memory: about 2 MB."""


@dataclass(frozen=True, slots=True)
class Person:
    """`dm` is the channel of direct messages, once opened; `dm_works` None: not tried yet. `locale` is Discord's."""

    user: int
    name: str
    dm: int | None = None
    dm_works: bool | None = None
    plays_forced: bool = False
    wants_text: bool = False
    locale: str | None = None


class People:
    """The repository of people. Whoever has been met is kept in memory: every press asks for its person."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, Person] = {}

    async def meet(self, user: int, name: str, locale: str | None = None) -> Person:
        """The person, made known on first sight, with the name and, where it is given, the locale of now."""
        known = await self.get(user)
        if known is not None and known.name == name and locale in (None, known.locale):
            return known

        def work(c: sqlite3.Connection) -> Person:
            c.execute(
                "INSERT INTO person (user, name, locale) VALUES (?, ?, ?) ON CONFLICT (user) DO UPDATE "
                "SET name = excluded.name, locale = coalesce(excluded.locale, locale)",
                (user, name, locale),
            )
            return _read(c, user)[0]

        return await self._change(user, work)

    async def get(self, user: int) -> Person | None:
        """None for somebody whom the bot has never met."""
        if user not in self._known:
            for person in await self._database.read(lambda c: _read(c, user)):
                self._remember(self._known.get(user, person))  # what was written in the meantime is newer
        return self._known.get(user)

    async def change(self, user: int, **facts: Any) -> Person:
        """Store some fields of a person who has been met, and leave the others as they are by now."""

        def work(c: sqlite3.Connection) -> Person:
            for name, value in facts.items():
                c.execute(_SET[name], (value, user))
            return _read(c, user)[0]

        return await self._change(user, work)

    @unbroken
    async def _change(self, user: int, work: Callable[[sqlite3.Connection], Person]) -> Person:
        self._known.pop(user, None)
        person = await self._database.write(work)
        self._remember(person)
        return person

    def _remember(self, person: Person) -> None:
        if len(self._known) >= MOST_KNOWN and person.user not in self._known:
            self._known.clear()
        self._known[person.user] = person


_SET = {
    "dm": "UPDATE person SET dm = ? WHERE user = ?",
    "dm_works": "UPDATE person SET dm_works = ? WHERE user = ?",
    "plays_forced": "UPDATE person SET plays_forced = ? WHERE user = ?",
    "wants_text": "UPDATE person SET wants_text = ? WHERE user = ?",
}
_GET = "SELECT user, name, dm, dm_works, plays_forced, wants_text, locale FROM person WHERE user = ?"


def _read(c: sqlite3.Connection, user: int) -> list[Person]:
    """One person or none."""
    rows = c.execute(_GET, (user,))
    return [
        Person(user, name, dm, None if works is None else bool(works), bool(forced), bool(text), locale)
        for user, name, dm, works, forced, text, locale in rows
    ]
