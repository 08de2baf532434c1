"""Tables without a time limit: the bot reminds the players whom the table waits for, and the others may nudge them.

The bot reminds a player once after each of the waits in `WAITS`; quiet hours and days off put a reminder off if the
player had set them before the wait began, by three days in all (time_controls.py). A player who is not to move may
nudge all who are, once a day for the whole table. A wait belongs to one turn token, and begins with the position
(positions.py). The time in which a match rests, or in which the bot was out of reach for long, counts for no wait.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from cogs.match.clocks import time_control_of
from cogs.match.refusals import Reason, Refused
from cogs.match.time_controls import DAY, HOUR, MINUTE, MOST_HELD_UP, ClockKind, bounded, moves_from
from data.records.hours import Hours
from data.records.match import Match
from data.records.reminders import WAITS, Reminder

BETWEEN = DAY
"""The fewest seconds from one reminder or nudge to the next reminder."""
NUDGE_AFTER = HOUR
"""Seconds of waiting before which a player is not nudged."""
NUDGE_EVERY = DAY
"""Seconds from one nudge at a table to the next."""
SHORT_OUTAGE = HOUR
"""Seconds that the bot may be out of reach without a credit: each credit writes every running match."""
SPREAD = 6 * HOUR
"""The first reminders of matches that an older version stored are spread over these seconds."""

HoursOf = Callable[[int], Awaitable[Hours]]


def reminder_of(match: Match, seat: int) -> Reminder | None:
    """Return the reminders of that seat's player; None if a table without a time limit does not wait for them."""
    return next((reminder for reminder in match.reminders if reminder.seat == seat), None)


def nudge_from(match: Match) -> int:
    """Return the instant from which players may nudge at a table without a time limit that waits for others."""
    first = min(reminder.since for reminder in match.reminders) + NUDGE_AFTER
    return first if match.nudged_at is None else max(first, match.nudged_at + NUDGE_EVERY)


def may_nudge(match: Match, now: float) -> bool:
    """Return whether a table waits for players whom the others may nudge now."""
    return match.running and bool(match.reminders) and now >= nudge_from(match)


def was_reminded(match: Match) -> bool:
    """Return whether the bot has reminded a player whom the table still waits for."""
    return any(reminder.sent for reminder in match.reminders)


def _due(reminder: Reminder, now: int, hours: Hours, not_before: int = 0) -> Reminder:
    """Return the reminder with the instant at which it is due next, outside the player's quiet hours."""
    if reminder.sent >= len(WAITS):
        return replace(reminder, due=None)
    return replace(reminder, due=moves_from(max(reminder.since + WAITS[reminder.sent], now, not_before), hours))


async def on_deadline(match: Match, seat: int, turn: str, now: int, hours: HoursOf) -> Match | None:
    """Return the match after the player of that seat was reminded, or after the reminder was put off since they have
    quiet hours now; None if it has no effect: it comes too early, too late or a second time.
    """
    reminder, user = reminder_of(match, seat), match.chairs[seat].user if seat < len(match.chairs) else None
    if reminder is None or user is None or not match.running or reminder.turn != turn:
        return None
    if reminder.due is None or now < reminder.due:
        return None
    theirs = await _counted(reminder, user, hours)
    awake = moves_from(now, theirs)
    if awake > now:
        return _with(match, replace(reminder, due=awake))
    reminded = replace(reminder, sent=reminder.sent + 1, pings=reminder.pings + 1, nudger=None)
    return _with(match, _due(reminded, now, theirs, now + BETWEEN))


async def credit(match: Match, until: int, now: int, hours: HoursOf) -> Match | None:
    """Return the match in which the time since `until` counts for no wait; None if nothing changes, as after a short
    outage. What has been credited is not credited again: a long outage has many credits, and two may overlap.

    `until`, or the beginning of a wait, may be later than now, if the system clock was set back.
    """
    set_back = any(reminder.since > now for reminder in match.reminders)
    if (now - until < SHORT_OUTAGE and not set_back) or all(reminder.due is None for reminder in match.reminders):
        return None
    out, found = max(0, now - max(until, match.credited)), []
    for reminder in match.reminders:
        user = match.chairs[reminder.seat].user
        if reminder.due is not None and user is not None:
            later = replace(reminder, since=min(reminder.since + out, now))
            due = max(reminder.due + later.since - reminder.since, now)
            reminder = replace(later, due=moves_from(due, await _counted(later, user, hours)))
        found.append(reminder)
    turn_since = None if match.turn_since is None else min(match.turn_since + out, now)
    changed = replace(match, reminders=tuple(found), turn_since=turn_since, credited=now)
    return None if changed == match else changed


async def _counted(reminder: Reminder, user: int, hours: HoursOf) -> Hours:
    """Return the hours of the player by which that wait counts."""
    return bounded(reminder.hours or await hours(user), reminder.since, MOST_HELD_UP)


async def with_hours(match: Match, hours: HoursOf) -> Match:
    """Return the match whose waits keep the hours by which they count now: new ones begin with the next turn."""
    found = []
    for reminder in match.reminders:
        user = match.chairs[reminder.seat].user
        if reminder.hours is None and user is not None:
            reminder = replace(reminder, hours=await hours(user))
        found.append(reminder)
    return replace(match, reminders=tuple(found))


def spread(match: Match) -> Match:
    """Return the match with its first reminders put off by a part of `SPREAD` that its number decides, so that not all
    old matches remind their players at one instant.
    """
    later = match.id * 7 * MINUTE % SPREAD
    return replace(
        match,
        reminders=tuple(
            reminder if reminder.due is None else replace(reminder, due=reminder.due + later)
            for reminder in match.reminders
        ),
    )


def nudged(match: Match, seat: int, now: int) -> Match:
    """Return the match once the player of that seat has nudged all players whom the table has waited for long enough.
    Refused: the match rests or has a time limit, it is the player's own turn, there was a nudge within a day, or
    no player has been waited for long enough.
    """
    if match.rests_since is not None:
        raise Refused(Reason.RESTS)
    if time_control_of(match).kind is not ClockKind.NONE:
        raise Refused(Reason.NUDGE_TIMED)
    if reminder_of(match, seat) is not None:
        raise Refused(Reason.NUDGE_YOURS)
    if not match.reminders:
        raise Refused(Reason.NUDGE_NONE)
    if now < (first := nudge_from(match)):
        lately = match.nudged_at is not None and now < match.nudged_at + NUDGE_EVERY
        raise Refused(Reason.NUDGED if lately else Reason.NUDGE_EARLY, until=f"<t:{first}:f>")
    reminders = tuple(
        replace(
            reminder,
            pings=reminder.pings + 1,
            nudger=seat,
            # A day later at most: only after a reminder may the others remove the player.
            due=reminder.due and max(reminder.due, min(now, reminder.since + WAITS[reminder.sent]) + BETWEEN),
        )
        if now >= reminder.since + NUDGE_AFTER
        else reminder
        for reminder in match.reminders
    )
    return replace(match, reminders=reminders, nudged_at=now)


def _with(match: Match, reminder: Reminder) -> Match:
    return replace(
        match, reminders=tuple(reminder if other.seat == reminder.seat else other for other in match.reminders)
    )
