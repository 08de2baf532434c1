"""The repository of seasons: who takes part, at which tables they play in each round, and what points they get."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from data.store.database import Database
from data.store.engine import Connection

_FIELDS = (
    *("guild", "channel", "opener", "game", "name", "locale", "seats", "rounds", "days", "clock", "secret", "status"),
    *("version", "round", "round_ends", "touched_at", "ended_at", "message", "shown", "last_message", "unfinished"),
    *("restores", "told"),
)
_ADD = (
    f"INSERT INTO season ({', '.join(_FIELDS)}) VALUES ({', '.join('?' * len(_FIELDS))}) "
    "ON CONFLICT DO NOTHING RETURNING id"
)
_READ = f"SELECT id, {', '.join(_FIELDS)} FROM season WHERE id = ?"
_TOUCH = "UPDATE season SET version = version + 1, touched_at = ? WHERE id = ? AND status = 'open'"
_BEGIN = (
    "UPDATE season SET version = version + 1, status = 'playing', round = 1, rounds = ?, round_ends = ? "
    "WHERE id = ? AND version = ? AND status = 'open'"
)
_END_ROUND = (
    "UPDATE season SET version = version + 1, round = CASE WHEN round < rounds THEN round + 1 ELSE rounds END, "
    "round_ends = CASE WHEN round < rounds THEN ?1 ELSE round_ends END, "
    "status = CASE WHEN round < rounds THEN 'playing' ELSE 'over' END, "
    "ended_at = CASE WHEN round < rounds THEN NULL ELSE ?2 END "
    "WHERE id = ?3 AND round = ?4 AND status = 'playing'"
)
_PROLONG = (
    "UPDATE season SET version = version + 1, round_ends = ? "
    "WHERE id = ? AND round = ? AND round_ends = ? AND status = 'playing'"
)
_STOP = (
    "UPDATE season SET version = version + 1, status = 'stopped', ended_at = ? "
    "WHERE id = ? AND status IN ('open', 'playing')"
)
_LINK = "UPDATE season_table SET match = ? WHERE season = ? AND round = ? AND number = ? AND match IS NULL"
_COUNT = (
    "UPDATE season_table SET points = ?, winners = ? WHERE season = ? AND round = ? AND number = ? AND points IS NULL"
)
_VOID = "UPDATE season_table SET points = '', winners = '' WHERE season = ? AND round = ? AND points IS NULL"
_UNDER_WAY = (
    "SELECT 1 FROM season_table JOIN match ON match.id = season_table.match "
    "WHERE season_table.season = ? AND match.status IN ('lobby', 'playing')"
)
_CHANGED = "UPDATE season SET version = version + 1 WHERE id = ? AND status = 'playing'"


class SeasonStatus(StrEnum):
    """How far a season is. The values are stored."""

    OPEN = "open"
    """People join."""
    PLAYING = "playing"
    OVER = "over"
    """All rounds were played."""
    STOPPED = "stopped"


class Unfinished(StrEnum):
    """How a table counts that is open when its round ends. The values are stored."""

    LOSES = "loses"
    """The player for whom it has waited longest is last, and all others share the first place."""
    PLAYED_ON = "played_on"
    """That player is last, and the others are ranked as if computers played on for all."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who takes part. `user` None: their data was deleted, and `name` is empty."""

    number: int
    """From 0, in the order in which they joined."""
    user: int | None
    name: str
    removed: bool = False
    """Whether a manager has taken them out."""

    @property
    def out(self) -> bool:
        """Whether they take part no more: computers play at their tables to come."""
        return self.user is None or self.removed


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A table of a season."""

    round: int
    """From 1."""
    number: int
    places: tuple[int, ...]
    """The numbers of its players, in the order of its lobby."""
    match: int | None = None
    """None: it is not opened yet."""
    points: tuple[int, ...] | None = None
    """Twice the points of each of these players; None: not counted yet; empty: the table does not count."""
    winners: tuple[int, ...] = ()
    """The numbers of the players who won."""


@dataclass(frozen=True, slots=True)
class Season:
    """A season as stored. Instants are seconds since 1970. No user sees `secret` before the end."""

    id: int
    guild: int
    channel: int
    opener: int
    """0: that user's data was deleted."""
    game: str
    name: str
    locale: str
    seats: int
    """Players wished at a table."""
    rounds: int
    """0: as many as it takes to meet all others. The start settles it."""
    days: int
    """How long a round lasts at most."""
    clock: str
    secret: str = field(repr=False)
    status: SeasonStatus
    touched_at: int
    """When a person last did something before the start."""
    version: int = 1
    round: int = 0
    """The round under way, from 1; of a season that has ended, its last one."""
    round_ends: int | None = None
    ended_at: int | None = None
    message: int | None = None
    shown: int = 0
    """The version that the message shows."""
    last_message: int | None = None
    """The message that tells the end of the round `told`, and with it the season's if that was the last one."""
    unfinished: Unfinished = Unfinished.LOSES
    restores: int = 0
    """How often a backup was restored while it was played."""
    told: int = 0
    """The last round whose end the channel was told; 0: none."""
    under_way: bool = False
    """Whether a match of one of its tables has not ended, which may be so after the season's own end."""
    entrants: tuple[Entrant, ...] = ()
    tables: tuple[SeasonTable, ...] = ()
    """Of all rounds, once it is drawn."""

    @property
    def going_on(self) -> bool:
        """Whether it has not ended."""
        return self.status in (SeasonStatus.OPEN, SeasonStatus.PLAYING)

    @property
    def ended_round(self) -> int:
        """The last round that has ended, or with which the season has; 0: none."""
        return self.round - 1 if self.status is SeasonStatus.PLAYING else self.round

    @property
    def tells_secret(self) -> bool:
        """Whether anyone may know the secret: no match is dealt from it now or later."""
        return not self.going_on and not self.under_way

    def in_round(self, number: int) -> tuple[SeasonTable, ...]:
        """Return the tables of that round."""
        return tuple(table for table in self.tables if table.round == number)


class StoredSeasons:
    """The repository. Each method that writes raises NotStored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, season: Season) -> Season | None:
        """Store a new season; its `id` is not used. Return it with its id; None if one of its game goes on there."""
        values = tuple(getattr(season, name) for name in _FIELDS)

        def work(c: Connection) -> Season | None:
            row = c.execute(_ADD, values).fetchone()
            return None if row is None else _read(c, row[0])

        return await self._database.write(work)

    async def get(self, number: int) -> Season | None:
        """Return that season, or None."""
        return await self._database.read(lambda c: _read(c, number))

    async def of_match(self, match: int) -> tuple[Season, SeasonTable] | None:
        """Return the season and the table of which that is the match; None if it belongs to no season."""

        def work(c: Connection) -> tuple[Season, SeasonTable] | None:
            row = c.execute("SELECT season FROM season_table WHERE match = ?", (match,)).fetchone()
            season = None if row is None else _read(c, row[0])
            if season is None:
                return None
            return season, next(table for table in season.tables if table.match == match)

        return await self._database.read(work)

    async def newest(self, channel: int, game: str | None) -> Season | None:
        """Return the newest season of a channel, of that game if one is given, or None."""
        sql = "SELECT max(id) FROM season WHERE channel = ?1 AND (?2 IS NULL OR game = ?2)"
        return await self._database.read(lambda c: _read(c, c.execute(sql, (channel, game)).fetchone()[0] or 0))

    async def going_on(self) -> list[int]:
        """Return the numbers of the seasons that have not ended."""
        sql = "SELECT id FROM season WHERE status IN ('open', 'playing') ORDER BY id"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def keeps_secret(self) -> bool:
        """Return whether a season has ended while a match of its tables goes on: its secret is not told yet."""
        sql = (
            "SELECT 1 FROM season JOIN season_table AS its ON its.season = season.id "
            "JOIN match ON match.id = its.match "
            "WHERE season.status IN ('over', 'stopped') AND match.status IN ('lobby', 'playing')"
        )
        return await self._database.read(lambda c: c.execute(sql).fetchone() is not None)

    async def behind(self) -> list[int]:
        """Return the numbers of the seasons whose messages are not up to date."""
        sql = "SELECT id FROM season WHERE shown < version ORDER BY id"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def join(self, number: int, user: int, name: str, now: int, most: int) -> bool:
        """Add a person to an open season with fewer than `most`. Return whether that was possible."""
        sql = (
            "INSERT INTO entrant (season, number, user, name) "
            "SELECT id, (SELECT coalesce(max(number) + 1, 0) FROM entrant WHERE season = id), ?2, ?3 FROM season "
            "WHERE id = ?1 AND status = 'open' AND EXISTS (SELECT 1 FROM person WHERE user = ?2) "
            "AND (SELECT count(*) FROM entrant WHERE season = id AND removed = 0) < ?4 ON CONFLICT DO NOTHING"
        )
        values, touch = (number, user, name, most), (now, number)
        return await self._database.write(
            lambda c: c.execute(sql, values).rowcount == 1 and c.execute(_TOUCH, touch).rowcount == 1
        )

    async def leave(self, number: int, user: int, now: int) -> bool:
        """Remove a person from an open season. Return whether that was possible."""
        sql = (
            "DELETE FROM entrant WHERE season = ?1 AND user = ?2 AND removed = 0 "
            "AND (SELECT status FROM season WHERE id = ?1) = 'open'"
        )
        return await self._database.write(
            lambda c: c.execute(sql, (number, user)).rowcount == 1 and c.execute(_TOUCH, (now, number)).rowcount == 1
        )

    async def remove(self, number: int, user: int) -> bool:
        """Take a person out of a season that has not ended, for good. Return whether that was possible."""
        sql = "UPDATE entrant SET removed = 1 WHERE season = ? AND user = ? AND removed = 0"
        changed = "UPDATE season SET version = version + 1 WHERE id = ? AND status IN ('open', 'playing')"
        return await self._database.write(
            lambda c: c.execute(changed, (number,)).rowcount == 1 and c.execute(sql, (number, user)).rowcount == 1
        )

    async def begin(self, season: Season, rounds: Sequence[Sequence[Sequence[int]]], ends: int) -> bool:
        """Begin an open season with these tables of each round. Return False if it has changed since it was read."""
        rows = [
            (season.id, at, number, _text(places))
            for at, tables in enumerate(rounds, 1)
            for number, places in enumerate(tables)
        ]

        def work(c: Connection) -> bool:
            if not c.execute(_BEGIN, (len(rounds), ends, season.id, season.version)).rowcount:
                return False
            c.execute("DELETE FROM entrant WHERE season = ?", (season.id,))  # players who left have left gaps
            here = [who for who in season.entrants if not who.removed]
            people = [(season.id, at, who.user, who.name) for at, who in enumerate(here)]
            c.executemany("INSERT INTO entrant (season, number, user, name) VALUES (?, ?, ?, ?)", people)
            c.executemany("INSERT INTO season_table (season, round, number, places) VALUES (?, ?, ?, ?)", rows)
            return True

        return await self._database.write(work)

    def link(self, season: int, table: SeasonTable) -> Callable[[Connection, int], bool]:
        """Return what stores, in the transaction that opens a match, that it is this table's; False: it has one."""

        def work(c: Connection, match: int) -> bool:
            linked = c.execute(_LINK, (match, season, table.round, table.number)).rowcount == 1
            return linked and c.execute(_CHANGED, (season,)).rowcount == 1

        return work

    async def count(self, season: int, table: SeasonTable, points: Sequence[int], winners: Sequence[int]) -> None:
        """Store the points of a table, unless it is counted already."""
        values = (_text(points), _text(winners), season, table.round, table.number)

        def work(c: Connection) -> None:
            if c.execute(_CHANGED, (season,)).rowcount:
                c.execute(_COUNT, values)

        await self._database.write(work)

    async def end_round(self, number: int, at: int, ends: int, now: int) -> None:
        """End round `at` of a season that is played, unless it has ended: tables that are not counted do not count. The
        next round ends at `ends`; after the last round the season is over.
        """

        def work(c: Connection) -> None:
            if c.execute(_END_ROUND, (ends, now, number, at)).rowcount:
                c.execute(_VOID, (number, at))

        await self._database.write(work)

    async def prolong(self, number: int, at: int, ends: int, new: int) -> None:
        """Let round `at`, which was to end at `ends`, end at `new`. A second call changes nothing."""
        await self._database.write(lambda c: c.execute(_PROLONG, (new, number, at, ends)).rowcount)

    async def stop(self, number: int, now: int) -> bool:
        """Stop a season. Return False if it had ended."""
        return await self._database.write(lambda c: c.execute(_STOP, (now, number)).rowcount == 1)

    async def note(self, season: Season) -> None:
        """Store the season's messages, the version that they show and the round whose end they tell."""
        sql = "UPDATE season SET message = ?, last_message = ?, shown = ?, told = ? WHERE id = ?"
        values = (season.message, season.last_message, season.shown, season.told, season.id)
        await self._database.write(lambda c: c.execute(sql, values).rowcount, counts=False)


def _read(c: Connection, number: int) -> Season | None:
    row = c.execute(_READ, (number,)).fetchone()
    if row is None:
        return None
    people = c.execute("SELECT number, user, name, removed FROM entrant WHERE season = ? ORDER BY number", (number,))
    tables = c.execute(
        "SELECT round, number, places, match, points, winners FROM season_table WHERE season = ? "
        "ORDER BY round, number",
        (number,),
    )
    return Season(
        **{**dict(row), "status": SeasonStatus(row["status"]), "unfinished": Unfinished(row["unfinished"])},
        under_way=c.execute(_UNDER_WAY, (number,)).fetchone() is not None,
        entrants=tuple(Entrant(at, user, name, bool(removed)) for at, user, name, removed in people),
        tables=tuple(
            SeasonTable(
                at,
                table,
                _numbers(places),
                match,
                None if points is None else _numbers(points),
                _numbers(winners or ""),
            )
            for at, table, places, match, points, winners in tables
        ),
    )


def _text(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
