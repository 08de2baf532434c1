"""Whether a rated table's match counts for the ratings of its server, and if not, why.

The lobby tells what would follow if the match began now; records.py asks once the match is over.
"""

from __future__ import annotations

from enum import StrEnum

from cogs.match.service import MatchService
from data.records.match import Match

FEWEST = 2
"""Players that a rated match needs."""


class Uncounted(StrEnum):
    """Why a rated table's match does not count. The text is `rated.<value>` in data/locales/<language>/common.toml."""

    LEFT = "left"
    COMPUTERS = "computers"
    ALONE = "alone"
    HIDDEN = "hidden"


async def uncounted(service: MatchService, match: Match) -> Uncounted | None:
    """Return why a rated table's match would not count if it were played to its end as things are; None if it would.

    It counts if only players sit there from its beginning to its end, at least two, and all show their finished
    matches.
    """
    if any(change.kind.leaves for change in match.seat_changes):
        return Uncounted.LEFT
    if len(match.people) < len(match.chairs):
        return Uncounted.COMPUTERS
    if len(match.chairs) < FEWEST:
        return Uncounted.ALONE
    default = (await service.policy.of(match.guild)).shows_history
    for chair in match.people:
        person = await service.people.get(chair.player)
        if not (default if person is None else person.shows(default)):
            return Uncounted.HIDDEN
    return None
