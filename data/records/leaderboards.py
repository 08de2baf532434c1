"""The leaderboards of servers, as one viewer may see them: ratings.py computes the points."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from data.records import visibility
from data.records.ratings import ALL_TIME, bounds_of
from data.records.visibility import Sought, facts_of, listed, name_of
from data.store.engine import Connection

MOST_OTHERS = 3
"""So many others a player must have met in rated matches for a place; all, if the server has fewer."""

_COUNTED = (
    f"SELECT at.match, CASE WHEN {visibility.SEEN} THEN 1 ELSE 0 END AS seen FROM result AS at WHERE at.guild = :guild "
    "AND at.game = :game AND at.rated <> 0 AND at.ended_at >= :since AND at.ended_at < :until"
)
# Of each player of these matches: how many others they have met whose data is there, and whether the viewer sees one.
_FACED = (
    "SELECT coalesce(own.beginner, own.player) AS player, max(at.seen) AS seen, "
    f"count(DISTINCT CASE WHEN player.user IS NOT NULL THEN player.id END) AS people FROM ({_COUNTED}) AS at "
    "CROSS JOIN standing AS own CROSS JOIN standing AS theirs "
    "JOIN player ON player.id = coalesce(theirs.beginner, theirs.player) "
    "WHERE own.match = at.match AND theirs.match = at.match "
    "AND own.points IS NOT NULL AND theirs.points IS NOT NULL "
    "AND coalesce(theirs.beginner, theirs.player) <> coalesce(own.beginner, own.player) "
    "GROUP BY coalesce(own.beginner, own.player)"
)
_GOAL = (
    "SELECT CASE WHEN count(*) > :others THEN :others ELSE count(*) - 1 END AS people FROM rating AS rated "
    "JOIN player ON player.id = rated.player AND player.user IS NOT NULL "
    "WHERE rated.guild = :guild AND rated.game = :game AND rated.month = :month"
)
_LINES = (
    "SELECT rated.player, player.user, rated.points, rated.matches, rated.wins, "
    "CASE WHEN coalesce(faced.people, 0) < goal.people THEN goal.people - coalesce(faced.people, 0) ELSE 0 END "
    "AS missing FROM rating AS rated CROSS JOIN player "
    f"CROSS JOIN (SELECT CAST(:guild AS bigint) AS guild) AS at CROSS JOIN ({_GOAL}) AS goal "
    f"LEFT JOIN ({_FACED}) AS faced ON faced.player = rated.player "
    "WHERE player.id = rated.player AND rated.guild = :guild AND rated.game = :game AND rated.month = :month "
    f"AND player.user IS NOT NULL AND {visibility.SHOWN} AND NOT :gone LIKE '% ' || CAST(player.user AS text) || ' %' "
    "AND (player.user = :viewer OR faced.seen = 1)"
)
_RANKED = (
    "SELECT lines.player, lines.user, points, matches, wins, missing, "
    "rank() OVER (ORDER BY CASE WHEN missing > 0 THEN 1 ELSE 0 END, points DESC) AS place, "
    "row_number() OVER (ORDER BY CASE WHEN missing > 0 THEN 1 ELSE 0 END, points DESC, lines.player) AS line, "
    f"count(*) OVER () AS of FROM ({_LINES}) AS lines"
)
_BOARD = (
    f"SELECT * FROM ({_RANKED}) AS ranked "
    "WHERE line > :after AND line <= :after + :most OR user = :viewer ORDER BY line"
)
_RATED_GAMES = (
    "SELECT game FROM rating WHERE player = :player AND guild = :guild AND month = :month ORDER BY matches DESC, game"
)
_RATING = f"SELECT * FROM ({_RANKED}) AS ranked WHERE player = :player"


@dataclass(frozen=True, slots=True)
class Rated:
    """A user's all-time rating in a game. `place`: on the leaderboard; None: it is provisional."""

    game: str
    points: int
    matches: int
    place: int | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of a leaderboard. Those with equal points share a place. `missing`: how many more people they must meet in
    rated matches before they have a place; the lines with 0 come first.
    """

    user: int
    name: str | None
    """None: no match of theirs is stored any more."""
    points: int
    matches: int
    wins: int
    place: int
    line: int
    missing: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A part of a leaderboard of `of` lines, and the viewer's own line, if they have one."""

    lines: tuple[Ranked, ...]
    own: Ranked | None
    of: int


def board(c: Connection, sought: Sought, month: str, gone: Collection[int], after: int, most: int) -> Leaderboard:
    """Return `most` lines after that line, and the viewer's own. `gone`: users who are not listed."""
    assert sought.guild is not None
    facts = _facts(sought, month, gone)
    rows = c.execute(_BOARD, {**facts, "after": after, "most": most}).fetchall()
    lines = [
        Ranked(row["user"], name_of(c, row["player"], facts), *(row[name] for name in Ranked.__slots__[2:]))
        for row in rows
    ]
    own = next((line for line in lines if line.user == sought.viewer), None)
    shown = tuple(line for line in lines if after < line.line <= after + most)
    return Leaderboard(shown, own, rows[0]["of"] if rows else 0)


def _facts(sought: Sought, month: str, gone: Collection[int]) -> dict[str, object]:
    since, until = bounds_of(month)
    rest = {"month": month, "since": since, "until": until, "others": MOST_OTHERS, "gone": listed(gone)}
    return {**facts_of(sought), **rest}


def ratings_of(c: Connection, sought: Sought, player: int) -> Iterator[Rated]:
    """Yield a player's all-time ratings in the games on whose leaderboard the viewer sees them."""
    facts = {"player": player, "guild": sought.guild, "month": ALL_TIME}
    for (game,) in c.execute(_RATED_GAMES, facts).fetchall():
        board = _facts(replace(sought, game=game), ALL_TIME, ())
        row = c.execute(_RATING, {**board, "player": player}).fetchone()
        if row is not None:
            yield Rated(game, row["points"], row["matches"], None if row["missing"] else row["place"])
