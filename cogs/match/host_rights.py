"""What a lobby's host alone decides: the host invites people, closes it to others, removes a person, hands the host's
part on, and chooses the language of the table.

Each change is one of `Lobby.change`. Joining is in lobby.py, who may join in admission.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from cogs.match.admission import MOST_GUESTS, check_may_sit, with_guests
from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused, check_host, check_seated
from cogs.match.seating import numbered
from cogs.match.table_options import with_language
from data.records.match import Guest, GuestState, Match


class Door:
    """Changes who may sit down in a lobby, and its language. All but answers to an invitation are the host's: Refused
    for others.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    async def invite(self, number: int, user: int, people: Sequence[tuple[int, str]]) -> Match:
        """Invite people, given as id and name. Those who sit there, wait, or have an invitation keep what they have.

        Refused: one of them was removed from the lobby, or it would have too many guests.
        """

        def invite(match: Match) -> Match:
            here = {chair.user for chair in match.chairs} | {who.user for who in match.waiting}
            new = []
            for invited, name in people:
                guest = match.guest(invited)
                if guest is not None and guest.state is GuestState.REMOVED:
                    raise Refused(Reason.WAS_REMOVED, name=name)
                if guest is None and invited not in here:
                    new.append(Guest(invited, name, GuestState.INVITED))
            if len(match.guests) + len(new) > MOST_GUESTS:
                raise Refused(Reason.GUESTS_FULL, count=MOST_GUESTS)
            return with_guests(match, new)

        return await self._as_host(number, user, invite)

    async def decline(self, number: int, user: int) -> Match:
        """Decline an invitation, and leave the waiting list. Refused: not invited, seated, removed."""

        def decline(match: Match) -> Match:
            if match.seat_of(user) is not None:
                raise Refused(Reason.SEATED)
            check_may_sit(match, user, accepts=True)
            guest = match.guest(user)
            assert guest is not None
            waiting = tuple(who for who in match.waiting if who.user != user)
            return with_guests(replace(match, waiting=waiting), [replace(guest, state=GuestState.DECLINED)])

        return await self._lobby.change(number, decline)

    async def close(self, number: int, user: int, closed: bool) -> Match:
        """Close the lobby to all but its guests, or open it to everyone. All who sit or wait there are guests then."""
        return await self._as_host(number, user, lambda match: replace(match, closed=closed))

    async def expel(self, number: int, user: int, about: int) -> Match:
        """Take a person out of the lobby, its waiting list and its guests. They cannot come back to it. Refused: it is
        the host, or nobody of that id is there.
        """

        def expel(match: Match) -> Match:
            if about == user:
                raise Refused(Reason.NOT_YOURSELF)
            known = [(chair.player, chair.name) for chair in match.people]
            known += [(who.user, who.name) for who in match.waiting]
            known += [(guest.user, guest.name) for guest in match.guests]
            name = next((name for who, name in known if who == about), None)
            if name is None:
                raise Refused(Reason.NOT_THERE)
            chairs = numbered([chair for chair in match.chairs if chair.user != about])
            waiting = tuple(who for who in match.waiting if who.user != about)
            return with_guests(replace(match, chairs=chairs, waiting=waiting), [Guest(about, name, GuestState.REMOVED)])

        return await self._as_host(number, user, expel)

    async def hand_on(self, number: int, user: int, heir: int) -> Match:
        """Make another seated player the host. Refused: that user does not sit there."""

        def hand_on(match: Match) -> Match:
            if match.seat_of(heir) is None:
                raise Refused(Reason.NOT_THERE)
            return replace(match, host=heir)

        return await self._as_host(number, user, hand_on)

    async def choose_language(self, number: int, user: int, code: str) -> Match:
        """Choose the language of all that everyone reads at the table. Refused: there is no such language."""
        return await self._as_host(number, user, lambda match: with_language(match, code))

    async def _as_host(self, number: int, user: int, change: Callable[[Match], Match]) -> Match:
        def checked(match: Match) -> Match:
            check_seated(match, user)
            check_host(match, user)
            return change(match)

        return await self._lobby.change(number, checked)
