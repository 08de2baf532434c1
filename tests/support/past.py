"""Finished matches for tests: stored with their results and ratings, as if they had been played."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from data.records.results import Result, Results, Standing
from data.store.database import Connection, Database

GUILD, CHANNEL = 1, 10
DAY = 86_400
START = 1_790_000_000
"""When the first of these matches ended."""


class Past:
    """Stores finished matches in a server, each a day after the one before."""

    def __init__(self, database: Database, guild: int = GUILD, channel: int = CHANNEL) -> None:
        self._database = database
        self._guild, self._channel = guild, channel
        self._results = Results(database)
        self.matches = 0
        self.names: dict[int, str] = {}
        """The name of each user; "user <id>" for others."""

    async def played(
        self,
        *users: int | None,
        ranks: Sequence[int] = (),
        scores: Sequence[int] = (),
        sides: Sequence[int] = (),
        game: str = "full_sun",
        guild: int | None = None,
        rated: bool = True,
        honours: Sequence[str] = (),
        took: tuple[int, int] = (0, 0),
        ended_at: int | None = None,
        channel: int | None = None,
        parent: int | None = None,
        gone: Collection[int] = (),
        began: Mapping[int, int] | None = None,
        early: bool = False,
    ) -> Result:
        """Store a match of these users, by seat; None is a computer. The first one wins unless `ranks` says otherwise.
        It is rated if only players sit there and `rated` allows it. `honours`: those of the first seat; `took`: the
        decisions of each player and their seconds; `channel` and `parent`: of the table; `gone`: the seats whose
        beginners were not there at the end; `began`: those of them who sit there no more.
        """
        self.matches += 1
        channel = self._channel if channel is None else channel
        ended_at = START + self.matches * DAY if ended_at is None else ended_at
        guild = self._guild if guild is None else guild
        rated = (
            rated and len(users) > 1 and {seat for seat, user in enumerate(users) if user is None} <= {*(began or {})}
        )
        ranks = ranks or range(1, len(users) + 1)
        scores = scores or [30 - 2 * rank for rank in ranks]
        number = await self._database.write(lambda c: self._match(c, users, game, guild, ended_at, channel, parent))
        await self._database.write(lambda c: self._left(c, number, began or {}))
        decisions, seconds = took
        standings = tuple(
            Standing(
                *(seat, user, sides[seat] if sides else seat, ranks[seat], scores[seat]),
                decisions=0 if user is None else decisions,
                seconds=0 if user is None else seconds,
                honours=tuple(honours) if seat == 0 else (),
                gone=seat in gone,
                beginner=(began or {}).get(seat),
            )
            for seat, user in enumerate(users)
        )
        facts = (number, guild, game, ended_at, len(users), 9, rated, standings)
        result = await self._results.record(Result(*facts, early=early))
        assert result is not None
        return result

    def _left(self, c: Connection, number: int, began: Mapping[int, int]) -> int:
        """Note that these users have left their seats."""
        name = self.names.get
        left = [(number, at, seat, who, name(who, f"user {who}")) for at, (seat, who) in enumerate(began.items())]
        sql = (
            "INSERT INTO seat_change (match, number, moves, seat, kind, user, name, computer) "
            "VALUES (?, ?, 3, ?, 'left', ?, ?, 'Ada')"
        )
        c.executemany(sql, left)
        return len(left)

    def _match(
        self,
        c: Connection,
        users: Sequence[int | None],
        game: str,
        guild: int,
        ended_at: int,
        channel: int,
        parent: int | None,
    ) -> int:
        """Store the match with its seats and the message that tells its end. Return its number."""
        number = c.execute(
            "INSERT INTO match (game, status, guild, channel, place, parent, host, locale, options, secret, "
            "opened_at, started_at, ended_at, rated) VALUES (?, 'over', ?, ?, ?, ?, 0, 'en', '{}', 'ff', ?, ?, ?, 1) "
            "RETURNING id",
            (game, guild, channel, channel, parent, ended_at - 600, ended_at - 600, ended_at),
        ).fetchone()[0]
        for seat, user in enumerate(users):
            name = "Ada" if user is None else self.names.get(user, f"user {user}")
            if user is not None:
                person = (user, name, ended_at)
                c.execute(
                    "INSERT INTO person (user, name, locale, seen_at) VALUES (?, ?, 'en', ?) ON CONFLICT DO NOTHING",
                    person,
                )
            c.execute("INSERT INTO seat (match, number, user, name) VALUES (?, ?, ?, ?)", (number, seat, user, name))
        c.execute(
            "INSERT INTO post (match, place, channel, message) VALUES (?, -3, ?, ?)", (number, channel, 9000 + number)
        )
        return int(number)
