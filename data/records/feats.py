"""What the results before it say about a match, as everyone may know it: wins in a row, and that none was closer.

It is posted in the match's channel, so only matches of that channel and its public threads count: those who read it
there can see them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from data.records import histories, visibility
from data.store.engine import Connection, Row

NO_USER = 0
"""The viewer of what everyone may see."""
ENOUGH = 5
"""Earlier matches without which none is called the closest."""
MOST_IN_A_ROW = 1_000
"""A row of wins is looked for in so many matches of a player, the newest."""

_THIS = (
    "SELECT number, result.guild, result.game, result.ended_at, coalesce(parent, channel) AS channel FROM result "
    "CROSS JOIN match WHERE match.id = result.match AND result.match = :match"
)
_HERE = "(SELECT coalesce(match.parent, match.channel) FROM match WHERE match.id = at.match) = :channel"
_WINNERS = (
    "SELECT standing.seat, standing.player FROM result AS at CROSS JOIN standing CROSS JOIN player "
    "WHERE standing.match = at.match AND player.id = standing.player AND at.number = :number AND standing.rank = 1 "
    "AND (standing.gone = 0 OR standing.beginner IS NOT NULL) AND player.user IS NOT NULL "
    f"AND {visibility.SHOWN} ORDER BY standing.seat"
)
_ROW = (
    f"SELECT {histories.OWN_RANK} FROM "
    "(SELECT match, rank, gone, beginner FROM standing WHERE player = :player OR beginner = :player "
    "ORDER BY match DESC LIMIT :most) AS own CROSS JOIN result AS at "
    "WHERE at.match = own.match AND at.guild = :guild AND at.game = :game "
    f"AND (at.ended_at, at.number) <= (:ended_at, :number) AND {_HERE} ORDER BY at.ended_at DESC, at.number DESC"
)
_SOMEBODY_HIDES = (
    "SELECT 1 FROM result AS at CROSS JOIN standing CROSS JOIN player "
    "WHERE standing.match = at.match AND player.id = standing.player AND at.number = :number "
    f"AND (player.user IS NULL OR NOT {visibility.SHOWN})"
)
_MARGIN = (  # of a match with several winners: none; of one without losers or winners: NULL
    "CASE WHEN (SELECT count(DISTINCT side) FROM standing WHERE match = at.match AND rank = 1) > 1 THEN 0 ELSE "
    "abs((SELECT max(score) FROM standing WHERE match = at.match AND rank = 1) - "
    "(SELECT score FROM standing WHERE match = at.match AND rank > 1 ORDER BY rank LIMIT 1)) END"
)
_MARGINS = {
    "this": f"SELECT CASE WHEN at.early <> 0 THEN NULL ELSE {_MARGIN} END FROM result AS at WHERE at.number = :number",
    "earlier": (
        f"SELECT {_MARGIN} FROM result AS at WHERE at.guild = :guild AND at.game = :game AND at.early = 0 "
        f"AND (at.ended_at, at.number) < (:ended_at, :number) AND {_HERE} ORDER BY at.ended_at DESC, at.number DESC"
    ),
}


@dataclass(frozen=True, slots=True)
class Feats:
    """What the results before it say about a match: wins in a row by winning seat, and whether none was closer."""

    in_a_row: Mapping[int, int] = field(default_factory=dict)
    closest: bool = False


def feats(c: Connection, match: int) -> Feats:
    """Return what everyone may know of how that match compares with those before it in its channel and game."""
    row = c.execute(_THIS, {"match": match}).fetchone()
    if row is None or not row["channel"]:  # private matches have no channel in common
        return Feats()
    facts = {**dict(row), "viewer": NO_USER, "most": MOST_IN_A_ROW}
    rows = {
        seat: _wins(list(c.execute(_ROW, {**facts, "player": player})))
        for seat, player in c.execute(_WINNERS, facts).fetchall()
    }
    return Feats(rows, closest=c.execute(_SOMEBODY_HIDES, facts).fetchone() is None and _is_closest(c, facts))


def _wins(ranks: Sequence[Row]) -> int:
    """Return how many of the newest matches, which come first, were won in a row."""
    return next((count for count, (rank,) in enumerate(ranks) if rank != 1), len(ranks))


def _is_closest(c: Connection, facts: Mapping[str, object]) -> bool:
    """Return whether all earlier matches had a larger margin. The first that had not ends the search."""
    ((this,),) = c.execute(_MARGINS["this"], facts).fetchall()
    earlier = 0
    for (margin,) in c.execute(_MARGINS["earlier"], facts) if this is not None else ():
        if margin is not None and margin <= this:
            return False
        earlier += margin is not None
    return earlier >= ENOUGH
