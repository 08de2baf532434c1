"""Whether a rated table's match counts for the ratings of its server, if not why, and who has not played it to its end.

It is decided when the match begins, and stored with it: nothing that a player does later changes it. A player who began
the match and is not there at its end is last (data/records/ratings.py): they have left, were removed, a substitute
took over, or their time ran out and a computer played for them. A player who comes back is as if they had never been
away, if they have made nine in ten of their seat's decisions themselves, or all but one, and have left of their own
accord once at most; otherwise they are last too: they could else leave each hard decision to a computer.

No manager of the server can cancel a match that counts. If it ends early, because the players who are there end it or
the bot's pause lasts too long, these share first place; if no player is gone then, it changes no rating.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations

from cogs.match.clocks import absent
from cogs.match.positions import LoggedStep
from data.records.match import DEPARTED, Match, SeatChangeKind, Status
from data.records.match_index import MatchIndex
from rules.core.game import Seat

FEWEST = 2
"""Players that a rated match needs."""
MOST_TOGETHER, TOGETHER_WITHIN = 3, 86_400
"""So many matches of a game that the same two people begin together count in so many seconds: they could else play one
another up without end, each time with another third person.
"""
FREE_RETURNS = 1
"""How often a player may leave a rated match of their own accord, and return as if they had not."""
FREE_DECISIONS, OWN_FOR_EACH = 1, 10
"""How many of a player's decisions others may make: one, or one in ten."""
OWN_ACCORD = (SeatChangeKind.LEFT, SeatChangeKind.HANDED_OVER)  # a kick from the server is not one's own
DELETED = 0
"""Stands for a player whose data was deleted."""


class Uncounted(StrEnum):
    """Why a rated table's match does not count. The values are stored. Its text: `rated.<value>` in common.toml."""

    COMPUTERS = "computers"
    ALONE = "alone"
    OFTEN = "often"
    DUPLICATE = "duplicate"
    """Other tables have the same deals: a friend of a player may see there what another player holds."""
    AGREED = "agreed"
    """All players were there, and ended it together. Stored only with matches that ended under older versions."""
    AWAY = "away"
    """All players were there when it paused, and the bot was not added to its server again in time. Never stored."""


NO_RESULT = {"stopped": Uncounted.AGREED, "away": Uncounted.AWAY}
"""By `Match.ending`: why a match that counts changes no rating if no player was gone."""


async def uncounted(index: MatchIndex, match: Match, now: int) -> Uncounted | None:
    """Return why a lobby's match would not count if it began at that instant; None if it would. A line a reason."""
    if match.duplicate is not None:
        return Uncounted.DUPLICATE
    return _too_few(match) or await _too_often(index, match, now)


async def _too_often(index: MatchIndex, match: Match, now: int) -> Uncounted | None:
    """Return OFTEN if two of these people have begun enough matches of the game together lately that count. One who has
    deleted their data since may be any of them.
    """
    people, since = [chair.player for chair in match.chairs], now - TOGETHER_WITHIN
    lately: dict[int, Match] = {}
    for user in people:
        lately |= {other.id: other for other in await index.rated_since(user, match.guild, match.game, since)}
    together = Counter[tuple[int, int]]()
    for other in lately.values():
        if other.id != match.id and _told(other):
            together.update(combinations(sorted(_beginners(other).intersection({*people, DELETED})), 2))
    return Uncounted.OFTEN if max(together.values(), default=0) >= MOST_TOGETHER else None


def _beginners(match: Match) -> set[int]:
    return {user for chair in match.chairs if (user := beginner(match, chair.number)) is not None}


def _told(match: Match) -> bool:
    """Return whether the match changes ratings, or may yet."""
    return counts(match) and (match.status in (Status.PLAYING, Status.OVER) or ended_without(match))


def _too_few(match: Match) -> Uncounted | None:
    if any(chair.user is None for chair in match.chairs):
        return Uncounted.COMPUTERS
    return Uncounted.ALONE if len(match.chairs) < FEWEST else None


def beginner(match: Match, seat: int) -> int | None:
    """Return the user who sat there when the match began; `DELETED` if their data was deleted; None: a computer."""
    first = next((change for change in match.seat_changes if change.seat == seat), None)
    if first is not None:
        return (first.user or DELETED) if first.kind.leaves else None
    chair = match.chairs[seat]
    return DELETED if chair.user is None and chair.name == DEPARTED else chair.user


def why_uncounted(match: Match) -> str | None:
    """Return why a match of a rated table that has begun does not count; None: it does, or the table is not rated."""
    if not match.rated or match.uncounted is not None:
        return match.uncounted if match.rated else None
    # A match that began in version 0.2.0 has no reason stored.
    began = [beginner(match, chair.number) for chair in match.chairs]
    return Uncounted.COMPUTERS if None in began else Uncounted.ALONE if len(began) < FEWEST else None


def counts(match: Match) -> bool:
    """Return whether the match, which has begun, counts for the ratings."""
    return match.rated and match.started_at is not None and why_uncounted(match) is None


def matters(match: Match) -> bool:
    """Return whether the match, which has begun, counts for the ratings or for a season: then those who are behind may
    not outvote the others, and a manager with a part in it has no say in it.
    """
    return counts(match) or (match.season and match.started_at is not None)


def has_part(match: Match, user: int) -> bool:
    """Return whether the user plays in that match, or has played in it."""
    return match.seat_of(user) is not None or match.former_seat(user) is not None


def not_there(match: Match) -> frozenset[int]:
    """Return the seats whose players began the match and are not there now. If none is there, the last of them to leave
    is not among them: they have ended the match for themselves, since all others had gone.
    """
    away = {chair.number for chair in absent(match)}
    found = set[int]()
    for chair in match.chairs:
        began = beginner(match, chair.number)
        if began is not None and (began != chair.user or chair.number in away):
            found.add(chair.number)
    if len(found) == len(match.chairs) and not match.people:
        left = (change for change in reversed(match.seat_changes) if change.kind.leaves)
        last = next((change for change in left if (change.user or DELETED) == beginner(match, change.seat)), None)
        found -= {last.seat} if last is not None else set()
    return frozenset(found)


def left_often(match: Match) -> frozenset[int]:
    """Return the seats whose players began the match and have left it of their own accord more than once. Else a player
    could leave each hard decision to a computer, and return for the next one.
    """
    return frozenset(seat for seat, times in _times_left(match).items() if times > FREE_RETURNS)


def _times_left(match: Match) -> Counter[int]:
    """Return how often the player who began in each seat has left it of their own accord."""
    return Counter(
        change.seat
        for change in match.seat_changes
        if change.kind in OWN_ACCORD and (change.user or DELETED) == beginner(match, change.seat)
    )


def may_not_leave_again(match: Match, seat: int) -> bool:
    """Return whether that seat's player, who began a match that counts, comes last if they leave once more."""
    return _times_left(match)[seat] >= FREE_RETURNS


def gone(match: Match, played: Iterable[LoggedStep]) -> frozenset[int]:
    """Return the seats whose players began the match and would be last if it ended now: they are not there, have left
    more than once, or have let others make more than one decision, and more than one in ten. `played`: the
    match so far without the moves taken back. To seal again is no decision of its own, so that no player makes more of
    them.
    """
    makers: dict[int, list[int | None]] = {chair.number: [] for chair in match.chairs}
    for move, before, *_ in played:
        made = makers[move.seat]
        if made and Seat(move.seat) not in before.to_move():
            made.pop()
        made.append(move.user)
    began = {seat: beginner(match, seat) for seat in makers}
    by_others = {seat: sum(user != began[seat] for user in made) for seat, made in makers.items()}
    played_for = {
        seat
        for seat, made in makers.items()
        if began[seat] is not None and by_others[seat] > max(FREE_DECISIONS, len(made) / OWN_FOR_EACH)
    }
    return not_there(match) | left_often(match) | played_for


def ended_without(match: Match) -> bool:
    """Return whether a match that counts has ended without an outcome while some of its players were gone, and others
    were there. Then those who were there share the first place.
    """
    if match.ending not in NO_RESULT or not counts(match):
        return False
    return 0 < len(not_there(match)) < len(match.chairs)


def why_no_rating(match: Match) -> str | None:
    """Return why an ended match of a rated table changes no rating; None: it does, or the table is not rated."""
    how = NO_RESULT.get(match.ending)
    return how if how is not None and counts(match) and not ended_without(match) else why_uncounted(match)
