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
    "INSERT INTO result (match, guild, game, ended_at, seats, moves, rated) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
_STANDING = (
    "INSERT INTO standing (match, seat, player, side, rank, score, decisions, seconds, points, gain, honours) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_TALLY = (
    "INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (guild, game, kind, name) DO UPDATE "
    "SET of = tally.of + excluded.of, hits = tally.hits + excluded.hits"
)
_READ = "SELECT match, guild, game, ended_at, seats, moves, rated FROM result WHERE match = ?"
_READ_STANDINGS = (
    "SELECT seat, user, side, rank, score, decisions, seconds, points, gain, honours FROM standing "
    "LEFT JOIN player ON player.id = player WHERE match = ? ORDER BY seat"
)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a seat ended."""

    seat: int
    user: int | None
    """None: a computer, or a user whose data was deleted."""
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
    """The user's rating after the match; None: it is not rated."""
    gain: int | None = None
    """By how many points the match changed it."""
    honours: tuple[str, ...] = ()
    """The keys of what the seat did best."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended that was played to its end."""

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
            if c.execute(_RESULT, (*facts, int(result.rated))).rowcount:
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
        """Return the numbers of at most so many matches that were played to their end in a server and have no result,
        the oldest first. Those that are held wait.
        """
        sql = (
            "SELECT id FROM match WHERE status = 'over' AND guild <> 0 AND lesson = 0 AND held = 0 "
            "AND NOT EXISTS (SELECT 1 FROM result WHERE match = id) ORDER BY ended_at, id LIMIT ?"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (most,))])


def _store(c: Connection, result: Result) -> None:
    """Store the standings of a new result, and rate it."""
    players = {at.user: _player(c, at.user) for at in result.standings if at.user is not None}
    gains: dict[int, Gain] = {}
    if result.rated:
        parts = [Part(players[at.user], at.side, at.rank) for at in result.standings if at.user is not None]
        gains = ratings.rate(c, result.guild, result.game, result.ended_at, parts)
    for at in result.standings:
        player = None if at.user is None else players[at.user]
        gain = (None, None) if player is None else gains.get(player, (None, None))
        facts = (at.side, at.rank, at.score, at.decisions, at.seconds, *gain, " ".join(at.honours))
        c.execute(_STANDING, (result.match, at.seat, player, *facts))


def _player(c: Connection, user: int) -> int:
    """Return the player that stands for this user."""
    c.execute("INSERT INTO player (user) VALUES (?) ON CONFLICT DO NOTHING", (user,))
    (found,) = c.execute("SELECT id FROM player WHERE user = ?", (user,)).fetchone()
    return int(found)


def read(c: Connection, match: int) -> Result | None:
    """Return the stored result of that match, or None."""
    row = c.execute(_READ, (match,)).fetchone()
    if row is None:
        return None
    standings = [
        Standing(**{**dict(at), "honours": tuple(at["honours"].split())}) for at in c.execute(_READ_STANDINGS, (match,))
    ]
    facts = dict(row)
    return Result(**{**facts, "rated": bool(facts["rated"])}, standings=tuple(standings))
