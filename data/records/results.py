"""Results of matches that were played to their end: what is remembered of each, once. histories.py finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.records import ratings
from data.records.feats import Feats, feats
from data.records.ratings import Gain, Part
from data.store.database import Database, shielded
from data.store.engine import Connection
from rules.core.tally import Tally

_RESULT = (
    "INSERT INTO result (match, guild, game, ended_at, seats, moves, rated, early) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
_STANDING = (
    "INSERT INTO standing "
    "(match, seat, player, side, rank, score, decisions, seconds, points, gain, honours, beginner, gone) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TALLY = (
    "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (guild, game, kind, name) DO UPDATE "
    "SET of = tally.of + excluded.of, hits = tally.hits + excluded.hits"
)
_READ = "SELECT match, guild, game, ended_at, seats, moves, rated, early FROM result WHERE match = ?"
_READ_STANDINGS = (
    "SELECT seat, player.user AS user, side, rank, score, decisions, seconds, points, gain, honours, "
    "CASE WHEN beginner IS NULL THEN NULL ELSE coalesce(began.user, 0) END AS beginner, gone FROM standing "
    "LEFT JOIN player ON player.id = player LEFT JOIN player AS began ON began.id = beginner "
    "WHERE match = ? ORDER BY seat"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat ended."""

    seat: int
    user: int | None
    """Who sat there at the end. None: a computer, or a user whose data was deleted."""
    side: int
    """The same for the seats of a team."""
    rank: int
    """1 for all who won."""
    score: int
    decisions: int = 0
    """How many of the user's moves have a known time."""
    seconds: int = 0
    """How long these took together."""
    points: int | None = None
    """The rating after the match of who is rated for the seat; None: it is not rated."""
    gain: int | None = None
    """By how many points the match changed it."""
    honours: tuple[str, ...] = ()
    """The keys of what the seat did best."""
    beginner: int | None = None
    """Who is rated for the seat, having begun there; None: `user`, or it is unrated. 0: their data was deleted."""
    gone: bool = False
    """Whether who began there was not there at the end: for the ratings they are last."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended that was played to its end, or that counts though it was not."""

    match: int
    guild: int
    game: str
    ended_at: int
    """Seconds since 1970."""
    seats: int
    moves: int
    """Without those that were taken back."""
    rated: bool
    standings: tuple[Standing, ...]
    early: bool = False
    """Whether those who were left have ended it, the others being gone: no seat has a score."""


class Results:
    """The repository of results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @shielded
    async def record(self, result: Result, tallies: Sequence[Tally] = ()) -> Result | None:
        """Store a result, its ratings and its tallies, unless it is stored already. Return it as it is stored; None if
        the match was deleted meanwhile. Raises NotStored.
        """

        def work(c: Connection) -> Result | None:
            if c.execute("SELECT 1 FROM match WHERE id = ?", (result.match,)).fetchone() is None:
                return None
            facts = (result.match, result.guild, result.game, result.ended_at, result.seats, result.moves)
            if c.execute(_RESULT, (*facts, int(result.rated), int(result.early))).rowcount:
                _store(c, result)
                key = (result.guild, result.game)
                c.executemany(_TALLY, [(*key, tally.kind, tally.name, tally.of, tally.hits) for tally in tallies])
            return read(c, result.match)

        return await self._database.write(work)

    async def of(self, match: int) -> Result | None:
        """Return the result of that match, or None."""
        return await self._database.read(lambda c: read(c, match))

    async def feats(self, match: int) -> Feats:
        """Return what everyone may know of how that match compares with those before it in its channel and game."""
        return await self._database.read(lambda c: feats(c, match))

    async def missing(self, most: int) -> list[int]:
        """Return the numbers of at most so many matches that were played to their end and have no result, the oldest
        first, and of rated ones that may have ended early while some players were gone. Those that are
        held wait.
        """
        sql = (
            "SELECT id FROM match WHERE (status = 'over' OR status = 'stopped' AND rated <> 0 AND uncounted IS NULL "
            "AND (EXISTS (SELECT 1 FROM seat_change WHERE match = id) "
            "OR EXISTS (SELECT 1 FROM clock WHERE match = id))) AND lesson = 0 AND held = 0 "
            "AND NOT EXISTS (SELECT 1 FROM result WHERE match = id) ORDER BY ended_at, id LIMIT ?"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (most,))])


def _store(c: Connection, result: Result) -> None:
    """Store the standings of a new result, and rate it."""
    players = {at.user: _player(c, at.user) for at in result.standings if at.user is not None}
    began: dict[int, int] = {}
    gains: dict[int, Gain] = {}
    if result.rated:
        began = {at.seat: _player(c, at.beginner) for at in result.standings if at.beginner is not None}
        rated = {at.seat: began.get(at.seat) or players[at.user or 0] for at in result.standings}
        parts = [Part(rated[at.seat], at.side, at.rank, at.gone) for at in result.standings]
        found = ratings.rate(c, result.guild, result.game, result.ended_at, parts)
        gains = {seat: found[player] for seat, player in rated.items()}
    for at in result.standings:
        player = None if at.user is None else players[at.user]
        facts = (at.side, at.rank, at.score, at.decisions, at.seconds, *gains.get(at.seat, (None, None)))
        later = (" ".join(at.honours), began.get(at.seat), int(at.gone))
        c.execute(_STANDING, (result.match, at.seat, player, *facts, *later))


def _player(c: Connection, user: int) -> int:
    """Return the player that stands for this user; a new one that stands for none, if their data was deleted (0)."""
    if not user:
        return int(c.execute("INSERT INTO player (user) VALUES (NULL) RETURNING id").fetchone()[0])
    c.execute("INSERT INTO player (user) VALUES (?) ON CONFLICT DO NOTHING", (user,))
    (found,) = c.execute("SELECT id FROM player WHERE user = ?", (user,)).fetchone()
    return int(found)


def read(c: Connection, match: int) -> Result | None:
    """Return the stored result of that match, or None."""
    row = c.execute(_READ, (match,)).fetchone()
    if row is None:
        return None
    standings = [
        Standing(**{**dict(at), "honours": tuple(at["honours"].split()), "gone": bool(at["gone"])})
        for at in c.execute(_READ_STANDINGS, (match,))
    ]
    facts = dict(row)
    flags = {name: bool(facts[name]) for name in ("rated", "early")}
    return Result(**{**facts, **flags}, standings=tuple(standings))
