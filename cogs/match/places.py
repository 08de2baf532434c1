"""Where a table stands: moving it to another channel or thread of its server, and the line that stays behind."""

from __future__ import annotations

from dataclasses import replace

from cogs.match.refusals import Refused, check_seated, check_there
from cogs.match.service import MatchService
from cogs.messages.content import Content
from data.records.match import Match, Status
from rendering.core.labels import Labels


async def move_table(host: MatchService, number: int, user: int, place: int, *, manager: bool) -> Match:
    """Move an open match's table, and all that is said of it from now on, to that channel or thread of its server.

    In the lobby its host may, later whoever sits there; a manager of the server always. Refused otherwise, and where it
    stands there already. What is left behind is the publisher's to replace.
    """
    async with host.deciding(number) as match:
        check_there(match)
        if not match.open:
            raise Refused(f"is_{match.ending}")
        if not manager:
            check_seated(match, user)
            if match.status is Status.LOBBY and match.host != user:
                raise Refused("not_host_moves")
        if match.place == place:
            raise Refused("here_already")
        wish = match.own_thread and match.status is Status.LOBBY  # a running one does not open a thread a second time
        moved = replace(match, channel=place, place=place, own_thread=wish, touched_at=int(host.now()))
        return await host.save(moved)


def left_behind(match: Match, title: str, labels: Labels) -> Content:
    """What stands where a table stood: where it went."""
    return Content((f"## {title}\n{labels.say('table_moved', place=f'<#{match.place}>')}",))
