"""The votes of a table: who started each, until when it is open, and who is against it. Written with their match.

The votes in favour are apart from it (`Matches.votes`), as each player is in favour of one proposal at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from data.store.engine import Connection, Row


class VoteEnd(StrEnum):
    """Why a vote closed without a decision. The values are stored."""

    REFUSED = "refused"
    """So many are against it that it can no longer pass."""
    EXPIRED = "expired"
    """It was open for too long."""


@dataclass(frozen=True, slots=True)
class TableVote:
    """A vote that is open, or that has closed without a decision and is still shown. Instants: seconds since 1970."""

    choice: str
    """What it is about, as `Choice` (cogs/match/votes.py) writes it."""
    starter: int
    """The user who started it; 0 if their data was deleted."""
    since: int
    due: int | None = None
    """When it closes, or, once it has closed, when the table says so no longer. None: not by itself."""
    ended: VoteEnd | None = None
    """Why it closed; None while it is open."""
    against: tuple[int, ...] = ()
    """The users who are against it, in the order of their ids."""


READ_PROPOSALS = (
    "SELECT choice, starter, since, due, ended FROM proposal WHERE match = ? ORDER BY choice",
    "SELECT user, choice FROM refusal WHERE match = ? ORDER BY user",
)


def proposals_of(rows: Iterable[Row], refusals: Iterable[Row]) -> tuple[TableVote, ...]:
    """Return the votes of a match, by choice, from the rows of READ_PROPOSALS."""
    against: dict[str, list[int]] = {}
    for user, choice in refusals:
        against.setdefault(choice, []).append(user)
    return tuple(
        TableVote(
            choice, starter, since, due, None if ended is None else VoteEnd(ended), tuple(against.get(choice, ()))
        )
        for choice, starter, since, due, ended in rows
    )


def write_proposals(c: Connection, match: int, before: Sequence[TableVote] | None, after: Sequence[TableVote]) -> None:
    """Store the votes if they have changed, in the caller's transaction. `before` None: not known."""
    if before is not None and tuple(before) == tuple(after):
        return
    c.execute("DELETE FROM proposal WHERE match = ?", (match,))
    c.execute("DELETE FROM refusal WHERE match = ?", (match,))
    c.executemany(
        "INSERT INTO proposal (match, choice, starter, since, due, ended) VALUES (?, ?, ?, ?, ?, ?)",
        [(match, v.choice, v.starter, v.since, v.due, None if v.ended is None else v.ended.value) for v in after],
    )
    c.executemany(
        "INSERT INTO refusal (match, user, choice) VALUES (?, ?, ?)",
        [(match, user, vote.choice) for vote in after for user in vote.against],
    )
