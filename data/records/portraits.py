"""People's avatars as pictures show them: small and in grey, by user. Stored, so that a restart changes no picture."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from data.lru import Lru
from data.store.database import Database, shielded
from data.store.engine import Connection

MOST_KNOWN = 2_000
"""The most users whose portraits stay in memory, about 18 MB."""

Portrait = tuple[str, bytes]
"""Discord's name of the avatar, and its levels of grey; ("", b"") if the user has none."""
NONE: Portrait = ("", b"")


class Portraits:
    """The repository of portraits."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._most = 0 if database.shared else MOST_KNOWN
        self._known = Lru[int, Portrait](self._most)

    async def get(self, user: int) -> Portrait:
        """Return the user's portrait."""
        return (await self.several([user]))[user]

    async def several(self, users: Collection[int]) -> dict[int, Portrait]:
        """Return the users' portraits, with one look at the database."""
        kept = self._known  # a read that began before a change fills the old cache, which is no longer used
        found = {user: known for user in users if (known := kept.get(user)) is not None}
        unknown = [user for user in users if user not in found]

        def read(c: Connection) -> list[Any]:
            asked = [c.execute("SELECT hash, face FROM portrait WHERE user = ?", (user,)) for user in unknown]
            return [rows.fetchone() for rows in asked]

        for user, row in zip(unknown, await self._database.read(read) if unknown else [], strict=True):
            found[user] = kept[user] = NONE if row is None else (str(row[0]), bytes(row[1]))
        return found

    @shielded
    async def put(self, user: int, portrait: Portrait) -> None:
        """Store the user's portrait in place of the old one; none once their data is deleted. Raises NotStored."""

        def work(c: Connection) -> None:
            c.execute("DELETE FROM portrait WHERE user = ?", (user,))
            if portrait != NONE:
                c.execute("INSERT INTO portrait SELECT user, ?, ? FROM person WHERE user = ?", (*portrait, user))

        await self._database.write(work)
        self.forget()

    def forget(self) -> None:
        """Drop everything from memory."""
        self._known = Lru(self._most)
