"""How long a table without a time limit has waited for each player, and when it reminds them. Stored with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter

from data.records.columns import column, fields_of, readers
from data.records.hours import Hours
from data.store.engine import Connection, Row

WAITS = (86_400, 3 * 86_400)
"""Seconds of waiting after which the bot reminds a player."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """The reminders of a player who is to move. Instants are seconds since 1970."""

    seat: int
    turn: str
    """The seat's turn token."""
    since: int
    """The wait counts from this instant on."""
    due: int | None = None
    """When the next reminder is due; None: none comes, or the match pauses."""
    sent: int = 0
    """How many reminders this turn has had."""
    pings: int = 0
    """How many pings this turn has had after the first: its reminders and the other players' nudges."""
    nudger: int | None = None
    """The seat whose player nudged last; None: no player did, or a reminder came later."""
    hours: Hours | None = None
    """The hours by which the wait counts, once the player has set others; None: those that they have now."""


_values = attrgetter(*(field.name for field in fields(Reminder)))
_READERS = readers(Reminder, ("hours",))


READ_REMINDERS = "SELECT seat, turn, since, due, sent, pings, nudger, hours FROM reminder WHERE match = ? ORDER BY seat"


def reminders_of(rows: Iterable[Row]) -> tuple[Reminder, ...]:
    """Return the reminders of a match, by seat, from the rows of READ_REMINDERS."""
    return tuple(Reminder(**fields_of(row, _READERS)) for row in rows)


def write_reminders(c: Connection, match: int, before: Sequence[Reminder] | None, after: Sequence[Reminder]) -> None:
    """Store the reminders that have changed, in the caller's transaction. `before` None: not known."""
    if before is not None and tuple(before) == tuple(after):
        return
    if before is None:
        c.execute("DELETE FROM reminder WHERE match = ?", (match,))
        before = ()
    gone = {reminder.seat for reminder in before} - {reminder.seat for reminder in after}
    c.executemany("DELETE FROM reminder WHERE match = ? AND seat = ?", [(match, seat) for seat in gone])
    changed = [(match, *_values(reminder)[:-1], column(reminder.hours)) for reminder in after if reminder not in before]
    c.executemany(
        "INSERT INTO reminder (match, seat, turn, since, due, sent, pings, nudger, hours) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (match, seat) DO UPDATE SET turn = excluded.turn, since = excluded.since, due = excluded.due, "
        "sent = excluded.sent, pings = excluded.pings, nudger = excluded.nudger, hours = excluded.hours",
        changed,
    )
