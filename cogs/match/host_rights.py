"""What a lobby's host alone decides: the host invites people, closes it to others, removes a person, hands the host's
part on, chooses the language of the table, and sets a time at which the lobby starts by itself.

Joining is in lobby.py, who may join in admission.py.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cogs.match.admission import MOST_GUESTS, check_may_sit, with_guests
from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused, check_host, check_lobby, check_seated
from cogs.match.seating import numbered
from cogs.match.service import MatchService
from cogs.match.table_options import with_language
from data.records.match import Guest, GuestState, Match, MissedStart, Status

log = logging.getLogger(__name__)

SOONEST, LATEST = 60, 30 * 86_400
"""Seconds from now between which a start time may be."""
REMINDER = 600
"""Seconds before the start at which the players are reminded."""
LATE = 1800
"""Seconds after which a start that the bot has missed, as while it was down, is given up: the players have left."""
TOO_LATE = "late"
"""Stands for the reason of a start that was given up."""


class Door:
    """Changes who may sit down in a lobby, and its language. All but answers to an invitation are the host's alone."""

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
        """Take a person out of the lobby and its lists, for good. Refused: it is the host, or no such person."""

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


class StartTimes:
    """Sets the start times of lobbies and does what is due: reminds the players, and starts the lobby or says why not.

    The time, and what has been done about it, are stored with the lobby, so a restart loses and doubles nothing.
    """

    def __init__(self, service: MatchService, lobby: Lobby) -> None:
        self._service = service
        self._lobby = lobby

    async def set(self, number: int, user: int, at: int | None) -> Match:
        """Let the lobby start by itself at that instant, in seconds since 1970; None: by a press alone. Refused: the
        user is not its host, or the time is too soon or too far away.
        """
        now = int(self._service.now())
        async with self._service.deciding(number) as match:
            check_lobby(match)
            check_host(match, user)
            if at is not None and not now + SOONEST <= at <= now + LATEST:
                raise Refused(Reason.BAD_START, days=LATEST // 86_400, time=f"<t:{at}:F>")
            match = replace(match, starts_at=at, starts_soon=False, missed_start=None, touched_at=now)
            saved = await self._service.save(match)
        if at is not None:
            self._service.announcer.alarm(at - REMINDER)
        return saved

    async def due(self) -> int | None:
        """Do all that is due now. Return when the next thing is due; None: nothing is. A lobby that refuses delays no
        other, nor does a fault in one, which is raised at the end.
        """
        now, fault = int(self._service.now()), None
        for number in await self._service.index.starting(now, REMINDER):
            if self._service.quarantine.holds(number):
                continue
            try:
                await self._look_at(number)
            except Refused as refused:  # by this lobby alone; the next look tries it again
                log.warning("lobby %d is looked at again: %s", number, refused.reason, extra={"match": number})
            except Exception as error:  # raised once the other lobbies have had their turn
                fault = fault or error
        if fault is not None:
            raise fault
        return await self._service.index.next_start(now, REMINDER)

    async def _look_at(self, number: int) -> None:
        """Start that lobby, or store that it starts soon or cannot start."""
        seen, now = await self._service.load(number), int(self._service.now())
        at = seen.starts_at
        if at is None or now < at:
            await self._store(number, at, starts_soon=True)
            return
        why = TOO_LATE
        if now < at + LATE:
            try:
                await self._lobby.start_on_time(number, at)
                return
            except Refused as refused:
                if refused.reason in (Reason.NOT_STORED, Reason.BUSY):
                    raise
                why = refused.reason.value
        missed = MissedStart(at, why)
        # Its players have been waiting for that time: only from now on it is a lobby in which nothing happens.
        await self._store(number, at, starts_at=None, starts_soon=False, missed_start=missed, touched_at=now)

    async def _store(self, number: int, at: int | None, **facts: Any) -> None:
        """Store these facts of a lobby that still starts at that instant."""
        async with self._service.deciding(number) as match:
            if match.status is Status.LOBBY and not match.paused and match.starts_at == at:
                await self._service.save(replace(match, **facts))
