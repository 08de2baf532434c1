"""Notices that a bot with the same token runs on another database.

Discord gives each press to both bots, and tells neither of the other. So the bot keeps a mark in Discord, for which one
thing serves that no user sees: an emoji of the application, whose name says which database is in use. Each bot looks at
the mark every ten minutes, and puts its own in the place of another's. Two bots on two databases find each other's
mark, and both say so. The first that finds another's twice in a row ends, and leaves that one: so the bot that was
started last goes on. After a move to another database there is one warning, at the start.

A file may be copied with all that is stored in it, so a file gets another mark at each start. The processes that share
a PostgreSQL database have one mark: a copy of that database has the same, and is not noticed.
"""

from __future__ import annotations

import base64
import logging
import secrets
from collections.abc import Callable

import discord

from cogs.runtime.periodic import Periodic
from cogs.transport.errors import DiscordFailure, OtherDatabase, discord_call
from data.records.key_values import KeyValues

log = logging.getLogger(__name__)

EVERY = 600.0
"""Seconds between two looks."""
MARK = "mark"
"""Key: the mark of this database."""
PREFIX = "sundialmark_"
"""With this begins the name of that emoji. Games' emoji begin otherwise (app_emoji.py)."""
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""The picture of the emoji, a PNG."""


class DatabaseMark:
    """The mark of this process's database. `shared`: other processes use it too. `end` ends the bot with an error."""

    def __init__(
        self, client: discord.Client, values: KeyValues, end: Callable[[Exception], object], *, shared: bool
    ) -> None:
        self._client = client
        self._values = values
        self._end = end
        self._shared = shared
        self._mark: str | None = None
        self.task = Periodic("look at the mark of the database", self.look, EVERY)
        self.other = False
        """Whether a bot on another database took the mark away since the last look but one."""

    async def look(self) -> None:
        """Find the mark in Discord, and make it this database's. Say so if another bot has changed it meanwhile; the
        second time in a row, leave it as it is and end the bot.
        """
        begins, known = self._mark is None, await self._values.get(MARK)
        if self._mark is None:
            drawn = PREFIX + secrets.token_hex(6)
            self._mark = await self._values.first(MARK, drawn) if self._shared else drawn
        try:
            found = await self._marked(self._mark, may_yield=self.other)
        except DiscordFailure as failure:
            log.info("the mark of the database cannot be looked at: %s", failure)
            return
        if not self._shared and known != self._mark:
            await self._values.put(MARK, self._mark)
        changed = found not in (None, self._mark, known)
        ends, self.other = changed and self.other, changed and not begins
        if ends:
            self._end(OtherDatabase())
        elif self.other:
            log.error("another bot with this token runs on another database: end one of them, or reset the token")
        elif changed:
            log.warning("the bot has used another database until now. If a bot still runs on that one, end it")

    async def _marked(self, mark: str, *, may_yield: bool) -> str | None:
        """Set this mark, or leave another if it `may_yield`. Return the former one, or None. Raises DiscordFailure."""
        async with discord_call():
            emojis = await self._client.fetch_application_emojis()
        emoji = next((emoji for emoji in emojis if emoji.name.startswith(PREFIX)), None)
        if emoji is None:
            async with discord_call():
                await self._client.create_application_emoji(name=mark, image=PIXEL)
            return None
        if emoji.name != mark and not may_yield:
            async with discord_call():
                await emoji.edit(name=mark)
        return emoji.name
