"""The figures of a server's finished matches, added up and without names. results.py stores them with each result."""

from __future__ import annotations

from data.store.database import Database
from rules.core.tally import Tally

READ = "SELECT kind, name, of, hits FROM tally WHERE guild = ? AND game = ? ORDER BY kind, name"


class Tallies:
    """The repository of the figures."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, guild: int, game: str) -> tuple[Tally, ...]:
        """Return all figures of a game in a server, by kind and name; () if no match of it was played to its end."""
        return await self._database.read(lambda c: tuple(Tally(*row) for row in c.execute(READ, (guild, game))))
