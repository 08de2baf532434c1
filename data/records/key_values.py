"""A key-value store: short texts that the bot keeps between two starts, by name."""

from __future__ import annotations

from data.store import schema
from data.store.database import Database
from data.store.engine import Connection


class KeyValues:
    """The repository of these texts, in the table `setting`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, name: str) -> str | None:
        """Return the text of that name, or None."""
        return await self._database.read(lambda c: schema.setting(c, name))

    async def first(self, name: str, value: str) -> str:
        """Store a text if there is none of that name yet. Return the stored one, for all processes the same. Raises
        NotStored.
        """

        def work(c: Connection) -> str:
            c.execute("INSERT INTO setting VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
            return str(schema.setting(c, name))

        return await self._database.write(work, counts=False)

    async def put(self, name: str, value: str) -> None:
        """Store a text, in place of the one of that name. Raises NotStored."""
        await self._database.write(lambda c: c.execute(schema.PUT_SETTING, (name, value)).rowcount, counts=False)
