"""What is known of a person: the name last seen, whether direct messages reach them, their personal settings."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from data.database import Database


@dataclass(frozen=True, slots=True)
class Person:
    """`dm` is the channel of direct messages, once opened; `dm_works` None: not tried yet."""

    user: int
    name: str
    dm: int | None = None
    dm_works: bool | None = None
    plays_forced: bool = False
    wants_text: bool = False


class People:
    """The repository of people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def meet(self, user: int, name: str) -> Person:
        """The person, made known on first sight, under the name that they have now."""

        known = await self.get(user)
        if known is not None and known.name == name:
            return known

        def work(c: sqlite3.Connection) -> Person:
            c.execute(
                "INSERT INTO person (user, name) VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET name = excluded.name",
                (user, name),
            )
            person = _read(c, user)
            assert person is not None
            return person

        return await self._database.write(work)

    async def get(self, user: int) -> Person | None:
        return await self._database.read(lambda c: _read(c, user))

    async def save(self, person: Person) -> None:
        """Store a person's settings and how direct messages fare; the person is known already."""
        works = None if person.dm_works is None else int(person.dm_works)
        values = (person.dm, works, int(person.plays_forced), int(person.wants_text), person.user)
        sql = "UPDATE person SET dm = ?, dm_works = ?, plays_forced = ?, wants_text = ? WHERE user = ?"

        def work(c: sqlite3.Connection) -> None:
            c.execute(sql, values)

        await self._database.write(work)


def _read(c: sqlite3.Connection, user: int) -> Person | None:
    row = c.execute(
        "SELECT user, name, dm, dm_works, plays_forced, wants_text FROM person WHERE user = ?", (user,)
    ).fetchone()
    if row is None:
        return None
    works = row["dm_works"]
    return Person(
        row["user"],
        row["name"],
        row["dm"],
        None if works is None else bool(works),
        bool(row["plays_forced"]),
        bool(row["wants_text"]),
    )
