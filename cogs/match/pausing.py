"""What becomes of a match whose server the bot has been removed from: it waits, goes on, or ends after a while."""

from __future__ import annotations

from dataclasses import replace

from cogs.match.positions import going_on
from cogs.match.refusals import paused_until
from cogs.match.service import MatchService
from data.records.match import Match, Status


async def pause(host: MatchService, number: int) -> Match:
    """The bot is in the match's server no more: from now on nobody is asked for anything."""
    async with host.deciding(number) as match:
        if match.paused or not match.open:
            return match
        return await host.save(replace(match, paused_at=int(host.now())))


async def go_on(host: MatchService, number: int) -> Match:
    """The bot is back in the server."""
    async with host.deciding(number) as match:
        if match.paused_at is None or not match.open:
            return match
        now, touched = int(host.now()), match.touched_at - match.paused_at
        back = replace(match, paused_at=None, touched_at=now + touched)
        if match.rests_since is None:  # else all of it is the rest's
            back = going_on(back, match.paused_at, now)
        return await host.save(back)


async def end_paused(host: MatchService, number: int) -> Match:
    """End a match that has waited for as long as it may; one that has not stays as it is."""
    async with host.deciding(number) as match:
        now = int(host.now())
        if not match.paused or paused_until(match) > now:
            return match
        status = Status.CANCELLED if match.status is Status.LOBBY else Status.STOPPED
        return await host.save(replace(match, status=status, ended_at=now))
