"""What the managers of each server allow: channels, games, threads, limits, a role, clocks. The default allows all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from data.records.columns import column, fields_of, readers
from data.records.post import Sending
from data.store.database import Database, shielded
from data.store.engine import Connection

MOST_KNOWN = 10_000
"""The most servers whose settings stay in memory."""


class Threads(StrEnum):
    """Whether a table gets a thread of its own. The values are stored."""

    ALLOWED = "allowed"
    """Each table chooses."""
    NEVER = "never"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Server:
    """The settings of one server. An empty tuple allows all; `most_open` None allows any number."""

    guild: int
    channels: tuple[int, ...] = ()
    """The channels in which tables may be."""
    games: tuple[str, ...] = ()
    """The games that tables may play, by slug."""
    threads: Threads = Threads.ALLOWED
    most_open: int | None = None
    """The most open matches in the server."""
    most_each: int | None = None
    """The most open matches in the server at which one player may sit; 0: any number. None: the bot's default."""
    role: int | None = None
    """The role whose members may open tables; None: all members may."""
    clocks: tuple[str, ...] = ()
    """The time controls that a table may choose, by name."""
    first_clock: str | None = None
    """The time control with which a new table begins, if it is allowed; None: no clock."""
    events: bool = False
    """Whether a lobby with a start time becomes an event of the server."""
    motion: bool = True
    """Whether tables may show pictures that move."""
    shows_history: bool = True
    """Whether others may see a member's finished matches, if the member has not chosen."""
    members_only: bool = True
    """Whether players who leave the server, or are banned from it, leave its matches."""
    ping_role: int | None = None
    """The role that a new open table pings; None: none."""
    role_ping: Sending | None = None
    """The last ping of that role; while it is being sent, `what` is the number of its table."""
    greeting: Sending | None = None
    """The bot's greeting of the server that is being sent."""
    greeted: bool = False
    """Whether the bot has greeted the server."""

    def allows_channel(self, *channels: int | None) -> bool:
        """Return whether tables may be in one of these channels. For a thread, give it and its parent channel."""
        return not self.channels or not set(self.channels).isdisjoint(channels)

    def allows_game(self, slug: str) -> bool:
        """Return whether tables may play the game with this slug."""
        return not self.games or slug in self.games

    def allows_clock(self, name: str) -> bool:
        """Return whether a table may choose the time control of this name."""
        return not self.clocks or name in self.clocks

    def clock_at_first(self, wished: str | None = None) -> str:
        """Return a new table's time control: the first allowed of `wished`, `first_clock` and "none", or of all."""
        for name in (wished, self.first_clock, "none"):
            if name is not None and self.allows_clock(name):
                return name
        return self.clocks[0]

    def own_thread(self, wished: bool) -> bool:
        """Return whether a table gets a thread of its own. `wished`: its lobby chose one."""
        return wished if self.threads is Threads.ALLOWED else self.threads is Threads.ALWAYS


class Servers:
    """The repository of servers' settings. It keeps in memory what it has read, unless other processes write too."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, Server] = {}

    async def get(self, guild: int) -> Server:
        """Return the settings of that server; the default ones if its managers have set none."""
        if guild not in self._known:
            found = await self._database.read(lambda c: _read(c, guild))
            if self._database.shared:
                return found
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known.setdefault(guild, found)  # a value written during the read is newer
        return self._known[guild]

    async def being_greeted(self) -> list[int]:
        """Return the servers whose greeting was begun and is not known to be there."""
        sql = "SELECT guild FROM server WHERE greeting IS NOT NULL ORDER BY guild"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    @shielded
    async def note_role_ping(self, guild: int, before: Sending | None, ping: Sending) -> bool:
        """Store a ping of the role, if the last one stored is `before`. Return whether it is. Raises NotStored."""
        sql = "UPDATE server SET role_ping = ? WHERE guild = ? AND coalesce(role_ping, '') = ?"
        facts = (str(ping), guild, "" if before is None else str(before))
        noted = await self._database.write(lambda c: c.execute(sql, facts).rowcount == 1)
        self._known.pop(guild, None)  # now, because a read during the write may have kept what was stored before
        return noted

    @shielded
    async def change(self, guild: int, **facts: Any) -> Server:
        """Store these settings; the others stay. Return all. Raises NotStored."""

        def work(c: Connection) -> Server:
            c.execute(_MAKE, (guild,))
            for name, value in facts.items():
                c.execute(_SET[name], (column(value), guild))
            return _read(c, guild)

        self._known.pop(guild, None)
        server = await self._database.write(work)
        if not self._database.shared:
            self._known[guild] = server
        return server


_MAKE = "INSERT INTO server (guild, channels, games, threads) VALUES (?, '[]', '[]', 'allowed') ON CONFLICT DO NOTHING"
_FIELDS = (
    *("channels", "games", "threads", "most_open", "most_each", "role", "clocks", "first_clock"),
    *("events", "motion", "shows_history", "members_only", "greeting", "greeted"),
    *("ping_role", "role_ping"),
)
_SET = {name: f"UPDATE server SET {name} = ? WHERE guild = ?" for name in _FIELDS}
_READ = f"SELECT guild, {', '.join(_FIELDS)} FROM server WHERE guild = ?"
_READERS = readers(Server, _FIELDS)


def _read(c: Connection, guild: int) -> Server:
    row = c.execute(_READ, (guild,)).fetchone()
    return Server(guild) if row is None else Server(**fields_of(row, _READERS))
