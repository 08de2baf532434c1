"""Pauses a match while the bot is not in its server, lets it go on when the bot is back, and ends it after `PAUSE`."""

from __future__ import annotations

from dataclasses import replace

from cogs.match.positions import going_on
from cogs.match.refusals import paused_until
from cogs.match.service import MatchService
from data.records.match import Match, Status


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
