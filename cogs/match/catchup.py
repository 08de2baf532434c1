"""Finds what a player has missed: the part of the match's history after their own last move.

It counts only what that player's seat saw. A changed seal of another seat is no event, so the offer to catch up does
not reveal it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cogs.match.replay import LoggedEvent
from data.records.match import Match, Status
from rules.core.game import Seat

LONG = 3600
"""Seconds of waiting after which a player who opens their hand may catch up on a single move."""


@dataclass(frozen=True, slots=True)
class Missed:
    """The end of the history since a player's own last move, or since they sat down."""

    since: int
    """The number of moves in the log at that time."""
    story: Sequence[LoggedEvent]
    others: int
    """The number of other seats' moves in it of which the player saw something."""
    for_them: frozenset[int]
    """The numbers of the moves that a computer made for the player meanwhile."""

    def much(self, match: Match) -> bool:
        """Return whether each hand offers to catch up: the player missed as many moves as there are other seats, or a
        computer moved for them.
        """
        if match.status not in (Status.PLAYING, Status.OVER):
            return False
        return bool(self.for_them) or self.others >= max(1, len(match.chairs) - 1)

    def long_ago(self, match: Match, now: int) -> bool:
        """Return whether a move was made and then nothing for LONG: the answer to a press offers to catch up then."""
        waited = match.turn_since is not None and now - match.turn_since >= LONG
        return match.status is Status.PLAYING and self.others > 0 and waited


def missed(match: Match, story: Sequence[LoggedEvent], user: int) -> Missed:
    """Return what that seated player has missed. `story`: the whole history (`MatchService.events_of`)."""
    seat = match.seat_of(user)
    assert seat is not None
    since, first = match.chairs[seat].since, 0
    own = next((at for at in reversed(range(len(story))) if (story[at].seat, story[at].user) == (seat, user)), None)
    if own is not None:
        since, first = story[own].move + 1, own + 1
    elif since:
        first = next((at for at, logged in enumerate(story) if logged.move >= since), len(story))
    tail = story[first:]
    seen = [logged for logged in tail if logged.move >= 0 and logged.event.seen_by(Seat(seat)) is not None]
    others = {logged.move for logged in seen if logged.seat != seat}
    return Missed(since, tail, len(others), frozenset(logged.move for logged in seen if logged.seat == seat))
