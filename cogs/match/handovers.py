"""A seat of a running match changes hands: what stays with it, who may take it over, and what the match tells of it.

The table waits once for a substitute as for a player whose turn begins. If that substitute hands the seat on before
they have finished a turn, the next one gets what is left, and at least a SHORT_WHILE: else a chain of substitutes could
make the table wait for ever.

`Membership` locks the match, and saves what comes out. A manager of the server may give a seat to a computer; the match
tells who did it.
"""

from __future__ import annotations

from dataclasses import replace

from cogs.match.clocks import clock_of, time_control_of, with_clock
from cogs.match.positions import same_wait
from cogs.match.rated import has_part, matters
from cogs.match.refusals import Reason, Refused, check_at_table
from cogs.match.reminders import reminder_of
from cogs.match.seating import free_names
from cogs.match.service import MatchService
from cogs.match.time_controls import HOUR
from cogs.match.votes import REMOVABLE_AFTER, is_removable
from data.records.hours import Hours
from data.records.match import Chair, Former, Match, SeatChange, SeatChangeKind
from data.records.reminders import Reminder
from rules.core.game import Seat

SHORT_WHILE = HOUR
"""Seconds that a substitute has at least, whatever is left of the turn; or the extension, if it is shorter."""


async def replaced(
    service: MatchService,
    match: Match,
    seat: int,
    user: int | None,
    name: str = "",
    how: SeatChangeKind = SeatChangeKind.LEFT,
) -> Match:
    """Return the match with a user on that seat, or with a computer (None), whose seat substitutes may take. The
    player's settings for the table go; the cut, the place in the lobby and the team chosen there, from which the
    seats and the deal follow, stay.

    `how` a player left the seat, if a computer sits down.
    """
    before, keeps = match.chairs[seat], user is None or match.former_seat(user) is not None
    next_one = not keeps and await _is_handed_on(service, match, seat)
    waited = reminder_of(match, seat)
    # The table has not yet waited for the next holder of the seat, unless they return to a turn that has begun.
    reminders = [waits for waits in match.reminders if waits.seat != seat]
    # Nor has that one nudged.
    reminders = [replace(waits, nudger=None) if waits.nudger == seat else waits for waits in reminders]
    match = replace(match, reminders=tuple(reminders))
    if user is not None and keeps and Seat(seat) in service.state(match).to_move():
        match = same_wait(match, seat, service.turn(match, Seat(seat)), match.waits_since)
    elif next_one and waited is not None:
        since = max(waited.since, int(service.now()) - REMOVABLE_AFTER + SHORT_WHILE)
        match = replace(match, reminders=(*match.reminders, Reminder(seat, waited.turn, since, hours=Hours())))
    match = await service.clocks.transfer(match, seat, keeps=keeps or next_one)
    clock = clock_of(match, seat)
    if next_one and clock is not None:
        least = min(SHORT_WHILE, time_control_of(match).extension)
        match = with_clock(match, replace(clock, left=max(clock.left, least)))
    if user is None:
        name = next(free_names(chair.name for chair in match.chairs if chair.number != seat))
    known = None if user is None else match.former_seat(user)
    hints, hinted = (0, None) if known is None else (known.hints, known.hinted)
    chair = Chair(
        number=seat,
        user=user,
        name=name,
        since=match.moves,
        offered=user is None,
        cut=before.cut,
        came=before.came,
        sat=before.sat,
        team=before.team,
        level=match.level if user is None else None,
        hints=hints,
        hinted=hinted,
    )
    changes = (*match.seat_changes, *_changes(match, before, chair, how))
    former = [who for who in match.former if who.user != user]
    if before.user is not None:
        removed = how in (SeatChangeKind.REMOVED, SeatChangeKind.GIVEN)
        former.append(Former(before.user, seat, removed, before.hints, before.hinted))
    chairs = tuple(chair if c.number == seat else c for c in match.chairs)
    waiting = tuple(who for who in match.waiting if who.user != user)
    return replace(match, chairs=chairs, former=tuple(former), waiting=waiting, seat_changes=changes)


async def _is_handed_on(service: MatchService, match: Match, seat: int) -> bool:
    """Return whether a substitute has taken that seat and not finished a turn since: other seats have not moved after
    it, and it must decide now.
    """
    taken = (seat, SeatChangeKind.TOOK_OVER)
    came = [change.moves for change in match.seat_changes if (change.seat, change.kind) == taken]
    if not came or Seat(seat) not in service.state(match).to_move():
        return False
    log = await service.log(match.id)
    movers = [move.seat for move in log if move.number >= came[-1] and move.undone_at is None]
    return seat not in movers or set(movers[movers.index(seat) :]) == {seat}


def check_may_give(match: Match, manager: int) -> None:
    """Raise Refused unless a manager of the server may give seats of that match to computers."""
    check_at_table(match)
    if (match.rated or match.season) and has_part(match, manager):
        raise Refused(Reason.MANAGER_PLAYS)


def check_may_give_seat(match: Match, manager: int, user: int, now: int, *, is_gone: bool) -> None:
    """Raise Refused unless a manager of the server may give that player's seat to a computer: the match runs, the user
    sits there, and, if it is rated or a season's, the manager has no part in it, and the player keeps the table waiting
    or `is_gone` from the server. Else the manager could get rid of a friend's opponent, who would be last.
    """
    check_may_give(match, manager)
    if match.seat_of(user) is None:
        raise Refused(Reason.SEAT_GIVEN)
    if not is_gone and not is_removable(match, user, now):
        raise Refused(Reason.GIVE_COUNTED)


def free(match: Match, chair: Chair, user: int) -> bool:
    """Return whether that user can take over that seat: offered or a computer's, and not kept for another player."""
    former = match.former_seat(user)
    own = former is not None and former.seat == chair.number
    return (chair.offered or chair.user is None) and (own or not is_kept(match, chair.number))


def is_kept(match: Match, seat: int) -> bool:
    """Return whether a match that matters keeps a computer's seat for its player, who was away or has left the server:
    an opponent could else have a friend take the seat, and see that hand.
    """
    last = next((change for change in reversed(match.seat_changes) if change.seat == seat), None)
    away = last is not None and last.kind in (SeatChangeKind.REPLACED, SeatChangeKind.GONE)
    return away and matters(match)


def _changes(match: Match, before: Chair, after: Chair, how: SeatChangeKind) -> list[SeatChange]:
    """Return the changes to log if `after` takes the place of `before`; `how` a player left it to a computer."""
    found, computer = [], before.name if before.user is None else ""
    if before.user is not None:
        left = how if after.user is None else SeatChangeKind.HANDED_OVER
        came = after.name if after.user is None else ""
        found.append(SeatChange(match.moves, before.number, left, before.user, before.name, came))
    if after.user is not None:
        known = match.former_seat(after.user) is not None
        kind = SeatChangeKind.CAME_BACK if known else SeatChangeKind.TOOK_OVER
        found.append(SeatChange(match.moves, before.number, kind, after.user, after.name, computer))
    return found
