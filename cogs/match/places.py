"""Moves a table to another channel or thread of its server."""

from __future__ import annotations

from dataclasses import replace

from cogs.match.refusals import Reason, Refused, check_seated, check_there
from cogs.match.service import MatchService
from data.records.match import Match, Status


async def move_table(
    service: MatchService, number: int, user: int, place: int, parent: int | None = None, *, manager: bool
) -> Match:
    """Move an open match's table, and all later messages about it, to that channel or thread of its server. `parent`:
    the channel of a public thread.

    In a lobby the person who opened it may do so, later each seated player; a manager of the server always may. Raises
    Refused if the user may not, or if the table is there already. The publisher replaces the message at the old place.
    """
    async with service.deciding(number) as match:
        check_there(match)
        if not match.open:
            raise Refused(Reason(f"is_{match.ending}"))
        if not manager:
            check_seated(match, user)
            if match.status is Status.LOBBY and match.host != user:
                raise Refused(Reason.NOT_HOST_MOVES)
        if match.place == place:
            raise Refused(Reason.HERE_ALREADY)
        wish = match.own_thread and match.status is Status.LOBBY  # a started match opens no second thread
        moved = replace(match, channel=place, place=place, parent=parent, own_thread=wish)
        return await service.save(replace(moved, touched_at=int(service.now())))


async def set_place(service: MatchService, seen: Match, place: int) -> Match:
    """Move the table to a thread of its own, or back to its channel, where it then stays.

    Nothing changes if the table has been moved since `seen`.
    """
    async with service.deciding(seen.id) as match:
        if (match.channel, match.place) != (seen.channel, seen.place):
            return match
        return await service.save(replace(match, place=place, own_thread=place != match.channel))
