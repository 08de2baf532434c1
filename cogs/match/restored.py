"""After a backup was restored: marks that show whether Discord has later moves than the database, and what follows.

Every table's message carries a mark: the number of events that everyone could see, and a hash of what an onlooker sees
now. It is the rest of the id of the button *Fair deal*, so no player has to read it. Both follow from public facts
alone, so a changed seal, which must stay secret, leaves the mark as it is. The number only grows, also when a move is
taken back. A match rests until its players decide if its table carries a later mark, or another hash at the same
number; every other match goes on. A held table (duplicates.py) shows no position, so its mark tells none: it counts the
moves that everyone learned of, as from whose turn it is, and has no hash. A table that shows its position is later than
one that is still held. A match whose table shows its end is stopped, because the end has revealed the secret.
cogs/transport/compare_restored.py reads the tables.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from cogs.match.positions import LoggedEvent
from cogs.match.service import MatchService
from data.records.match import Match, RestoreCheck, Status
from rules.core.game import AnyState

log = logging.getLogger(__name__)

ENDED = ".end"
"""The last part of the rest of an id that carries a mark, if the match has ended there."""
UNTOLD = "0" * 8
"""In place of the hash, in the mark of a held table."""
_REST = re.compile(rf"(\d{{1,9}})\.([0-9a-f]{{8}})(?:{re.escape(ENDED)})?", re.ASCII)


class Mark(NamedTuple):
    """What a table's message says of its position."""

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number} · `{self.hash}`"

    def rest(self, ended: bool) -> str:
        """Return the rest of an id that carries the mark, and whether the match has ended there."""
        return f"{self.number}.{self.hash}{ENDED if ended else ''}"

    @classmethod
    def of_rest(cls, rest: str) -> Mark | None:
        """Return the mark in such a rest; None if it has none."""
        found = _REST.fullmatch(rest)
        return None if found is None else cls(int(found[1]), found[2])

    def is_behind(self, shown: Mark) -> bool:
        """Return whether a table with the mark `shown` shows something that this position lacks."""
        if (self.hash == UNTOLD) != (shown.hash == UNTOLD):  # a table that was released is never held again
            return self.hash == UNTOLD
        return shown.number > self.number or (shown.number == self.number and shown.hash != self.hash)


def mark(match: Match, state: AnyState, story: Sequence[LoggedEvent]) -> Mark:
    """Return the mark of a started match. `story`: its whole history."""
    if match.held:
        return Mark(
            len({logged.move for logged in story if logged.event.seen_by(None) is not None}) + match.branch, UNTOLD
        )
    seen = sum(logged.event.seen_by(None) is not None for logged in story)
    shown = json.dumps([match.ending, state.view(None).to_json()], sort_keys=True, separators=(",", ":"))
    return Mark(seen + match.branch, sha256(shown.encode()).hexdigest()[:8])


async def settle(service: MatchService, number: int, behind: bool, ended: bool) -> Match:
    """Store what the comparison found, unless the match was compared before; return the match as it is stored then.

    `behind`: Discord shows later moves than are stored. `ended`: it shows the end of the match.
    """
    async with service.deciding(number) as match:
        if match.doubt is not RestoreCheck.UNCHECKED:
            return match
        match = match.without_ahead()  # it may have been withdrawn since
        if not behind or match.status is not Status.PLAYING:
            return await service.save(replace(match, doubt=None))
        now, settled = int(service.now()), replace(match, doubt=RestoreCheck.BEHIND, restores=match.restores + 1)
        if ended:
            log.warning("match %d is stopped: Discord shows its end, which the restored backup does not know", number)
            settled = replace(settled, status=Status.STOPPED, ended_at=now, rests_since=None)
        else:
            log.warning(
                "match %d rests: Discord shows later moves than the restored backup knows; its players decide", number
            )
            settled = replace(settled, rests_since=match.rests_since or now)
        return await service.save(settled, votes={})
