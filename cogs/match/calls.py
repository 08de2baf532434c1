"""Which ping each seat is owed, and whether its player is the last one still to move."""

from __future__ import annotations

from cogs.match.automatic_moves import is_forced
from cogs.match.clocks import clock_of
from cogs.match.reminders import reminder_of
from cogs.match.service import MatchService
from data.records.match import Match
from data.records.pings import THE_END, Ping
from rules.core.game import Seat


def ping_owed(service: MatchService, match: Match, seat: int) -> Ping | None:
    """Return the ping that the seat's player should have had by now; None: no ping.

    A player is pinged for their turn, for each reminder and nudge, if a computer plays for them, and when the match has
    ended. There is no ping for a seat whose move the bot makes, nor in a lesson.
    """
    if match.tells_end:
        return THE_END
    if not match.running or match.lesson:
        return None
    clock = clock_of(match, seat)
    if clock is not None and clock.away is not None:
        return Ping("", away=clock.away)
    state = service.state(match)
    if Seat(seat) not in state.to_move() or is_forced(service, match, Seat(seat)):
        return None
    turn = state.turn(Seat(seat))
    if match.undone:  # the same turn once more is another ping
        turn = f"{turn}-{match.undone}"
    reminder = reminder_of(match, seat)
    if reminder is not None:
        return Ping(turn, nudges=reminder.pings)
    return Ping(turn, nudges=0 if clock is None else clock.called)


def is_last(service: MatchService, match: Match, seat: int) -> bool:
    """Return whether the table waits for this seat alone: all others who decide at the same time have decided."""
    if not match.running or not match.alone or (owed := ping_owed(service, match, seat)) is None:
        return False
    return owed.away is None and match.alone == service.state(match).turn(Seat(seat))
