"""What time does to a match: what happens when a deadline is due, and credit for lost time. Also nudges, and pauses: a
match waits while the bot is not in its server, goes on when the bot is back, and ends after `PAUSE`.

Each function locks the match, decides and saves.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from cogs.match import reminders
from cogs.match.positions import going_on, with_reminders
from cogs.match.refusals import Refused, check_at_table, paused_until, seat_or_refuse
from cogs.match.service import MatchService, again_if_busy
from cogs.match.votes import kept, settled
from data.records.match import Match, Status


async def ring(service: MatchService, number: int, seat: int, turn: str) -> bool:
    """Act on a deadline of a seat's turn. Return False if it has no effect any more."""
    async with service.deciding(number) as match:
        return await _saved(service, await service.clocks.on_deadline(match, seat, turn))


async def remind(service: MatchService, number: int, seat: int, turn: str) -> bool:
    """Remind the player of a seat whose turn the table waits for. Return False if it has no effect any more."""
    async with service.deciding(number) as match:
        return await _saved(
            service, await reminders.on_deadline(match, seat, turn, int(service.now()), service.hours_of)
        )


async def nudge(service: MatchService, number: int, user: int) -> Match:
    """Nudge the players whom the table waits for. Refused: not seated, or as by `reminders.nudged`."""
    async with service.deciding(number) as match:
        check_at_table(match)
        return await service.save(reminders.nudged(match, seat_or_refuse(match, user), int(service.now())))


async def give_back(service: MatchService, number: int, until: int, *, soon: bool = True) -> bool:
    """Credit every clock for the time since `until`. Return False if nothing changed. `soon` as in `save`."""
    async with service.deciding(number) as match:
        credited = await reminders.credit(match, until, int(service.now()), service.hours_of)
        return await _saved(service, await service.clocks.credit(credited or match, until) or credited, soon=soon)


async def keep_hours(service: MatchService, number: int) -> None:
    """Let the running turns of a match keep the hours by which they count, before a player sets others. A turn that
    began in version 0.2.0 or before has none yet.
    """

    async def kept_now() -> bool:
        async with service.deciding(number) as match:
            kept = await reminders.with_hours(await service.clocks.with_hours(match), service.hours_of)
            return await _saved(service, None if kept == match else kept, soon=False)

    await again_if_busy(kept_now)


async def close_votes(service: MatchService, number: int) -> bool:
    """Close the votes that have been open for too long. Return False if there is none."""
    async with service.deciding(number) as match:
        closed, left = settled(match, await service.votes(number), int(service.now()), overdue=True)
        if closed.proposals == match.proposals:
            return False
        await service.save(closed, votes=left)
        return True


async def add_deadlines(service: MatchService) -> None:
    """Give the reminders and the votes that an older version stored their deadlines. A second call changes nothing.

    A wait counts from now on, so an old match reminds no one at once.
    """
    for number in await service.index.without_deadlines():
        if service.quarantine.holds(number):
            continue
        with suppress(Refused):  # it is quarantined now, or cannot be stored: the next start tries again
            async with service.deciding(number) as match:
                votes = await service.votes(number)
                waits = reminders.spread(with_reminders(match, service.state(match), int(service.now())))
                changed = kept(waits, votes, int(service.now()))
                if changed != match:
                    await service.save(changed, votes=votes, soon=False)


async def pause(service: MatchService, number: int) -> Match:
    """Pause an open match whose server the bot has been removed from: no player can move, and no clock runs."""
    async with service.deciding(number) as match:
        if match.paused or not match.open:
            return match
        return await service.save(replace(match, paused_at=int(service.now())))


async def go_on(service: MatchService, number: int) -> Match:
    """Let a paused match go on, since the bot is back in its server. The pause counts for no clock."""
    async with service.deciding(number) as match:
        if match.paused_at is None or not match.open:
            return match
        now, touched = int(service.now()), match.touched_at - match.paused_at
        back = replace(match, paused_at=None, touched_at=now + touched)
        if match.rests_since is None:  # otherwise the end of the rest credits the whole time
            back = going_on(back, match.paused_at, now)
        return await service.save(back)


async def end_paused(service: MatchService, number: int) -> Match:
    """End a match that has been paused for `PAUSE` seconds; any other stays as it is."""
    async with service.deciding(number) as match:
        now = int(service.now())
        if not match.paused or paused_until(match) > now:
            return match
        status = Status.CANCELLED if match.status is Status.LOBBY else Status.STOPPED
        return await service.save(replace(match, status=status, ended_at=now))


async def _saved(service: MatchService, changed: Match | None, *, soon: bool = True) -> bool:
    """Save what has changed; return False if nothing has."""
    if changed is not None:
        await service.save(changed, soon=soon)
    return changed is not None
