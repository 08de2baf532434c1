"""What a viewer may know of finished matches: which of them exist for them, and whom they name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from data.store.engine import Connection

SHOWN = (
    "(player.user = :viewer OR coalesce((SELECT shows_history FROM person WHERE person.user = player.user), "
    "(SELECT shows_history FROM server WHERE server.guild = at.guild), 1) <> 0)"
)
"""Whether the viewer may know that `player` took part in matches of the server of the row `at`."""
SEEN = (
    "(:channels IS NULL OR EXISTS (SELECT 1 FROM match WHERE match.id = at.match AND :channels LIKE "
    "'% ' || CAST(coalesce(match.parent, match.channel) AS text) || ' %') OR EXISTS (SELECT 1 FROM standing AS sat "
    "CROSS JOIN player AS me WHERE me.user = :viewer AND sat.match = at.match AND (sat.player = me.id "
    "OR sat.beginner = me.id)))"
)
"""Whether the viewer may know of the match of the result `at`. `channels`: as `listed` returns it."""
CHANNELS = (
    "SELECT DISTINCT coalesce(match.parent, match.channel) FROM result AS at CROSS JOIN match "
    "WHERE at.guild = ? AND match.id = at.match"
)
_NAME = (
    "SELECT seat.name FROM standing CROSS JOIN result AS at CROSS JOIN seat "
    "WHERE at.match = standing.match AND seat.match = standing.match AND seat.number = standing.seat "
    "AND standing.player = :player AND (:guild IS NULL OR at.guild = :guild) "
    f"AND {SEEN} ORDER BY standing.match DESC LIMIT 1"
)
_NAME_LEFT = (
    "SELECT change.name FROM standing CROSS JOIN result AS at CROSS JOIN player AS began "
    "CROSS JOIN seat_change AS change WHERE at.match = standing.match AND began.id = standing.beginner "
    "AND change.match = standing.match AND change.seat = standing.seat AND change.user = began.user "
    "AND standing.beginner = :player AND (:guild IS NULL OR at.guild = :guild) "
    f"AND {SEEN} ORDER BY standing.match DESC, change.number LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Sought:
    """Which matches are wanted. None: all that the viewer may see."""

    viewer: int
    guild: int | None
    """None: in direct messages."""
    user: int | None
    game: str | None = None
    other: int | None = None
    """Only matches in which this user sat as well. Without `user` it means nothing."""
    channels: Collection[int] | None = None
    """The channels of the server that the viewer can read now; None: all."""


def listed(numbers: Collection[int] | None) -> str | None:
    """Return numbers as a text in which each has a blank on both sides; None for None."""
    return None if numbers is None else f" {' '.join(map(str, sorted(numbers)))} "


def facts_of(sought: Sought) -> dict[str, object]:
    """Return what the queries need to know of what is sought."""
    channels = listed(sought.channels)
    return {"viewer": sought.viewer, "guild": sought.guild, "game": sought.game, "channels": channels}


def name_of(c: Connection, player: int, facts: Mapping[str, object]) -> str | None:
    """Return the name of a player in the newest match of theirs that the viewer sees, or, if they have left all of
    these, in the newest one that they left; None if the viewer sees none.
    """
    facts = {**facts, "player": player}
    row = c.execute(_NAME, facts).fetchone() or c.execute(_NAME_LEFT, facts).fetchone()
    return None if row is None else str(row[0])
