"""What a lobby's host alone decides: the host invites people, closes it to others, removes a person, hands the host's
part on, chooses the language of the table, sets a time at which the lobby starts by itself, and opens duplicates of it.

Joining is in lobby.py, who may join in admission.py.

Duplicate tables are dealt from one secret, with one game and the same options, and compared once all have ended. Until
then each of them is held: only its players see its position, since others could use what it tells about deals that they
still play. Whether a match is held is stored. `release` stores that one is held no more. It can be called at any time
and again: after each end, at the start, and every hour, so a crash in between delays it only.

A lobby that never begins holds no table that has ended: one in which no player sits is called off, and any other gets
its own deals a day (`GRACE`) after the last end, before the deals of its group are shown.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from cogs.match.admission import MOST_GUESTS, check_may_sit, with_guests
from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused, check_host, check_lobby, check_seated
from cogs.match.seating import numbered
from cogs.match.service import MatchService
from cogs.match.table_options import with_language
from data.records.match import Guest, GuestState, Match, MissedStart, Status
from rules.core.chance import without_table
from rules.core.game import BadOption, chosen_options

log = logging.getLogger(__name__)

SOONEST, LATEST = 60, 30 * 86_400
"""Seconds from now between which a start time may be."""
REMINDER = 600
"""Seconds before the start at which the players are reminded."""
LATE = 1800
"""Seconds after which a start that the bot has missed, as while it was down, is given up: the players have left."""
TOO_LATE = "late"
"""Stands for the reason of a start that was given up."""
MOST_TABLES = 4
"""The most tables of a group."""
GRACE = 86_400
"""Seconds for which the players of a lobby may still begin it after all other tables of its group have ended."""


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
        the host, or no person of that id is there.
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


class Duplicates:
    """Opens the duplicates of a service's lobbies."""

    def __init__(self, service: MatchService, lobby: Lobby) -> None:
        self._service = service
        self._lobby = lobby

    async def open(self, number: int, user: int, name: str) -> Match:
        """Open a further lobby with the deals of that one, and return it. No player sits there yet; the first one who
        joins becomes its host. Every cut is taken back, since the deals must follow from the secret alone.

        Refused: the user is not the lobby's host, a table of the group has begun, the group has `MOST_TABLES`, the
        options do not fit the number of seats, the match belongs to a season, or the server or the user has no room for
        a table.
        """
        match = await self._service.load(number)
        if await self._service.index.in_season(number):
            raise Refused(Reason.NOT_DUPLICATED)
        first = match.duplicate or match.id
        try:
            async with AsyncExitStack() as locks:
                await locks.enter_async_context(self._service.deciding(first))
                # In the order of their numbers: so two openings never wait for each other.
                for table in await self._service.index.of_group(first):
                    if table.id != first:
                        await locks.enter_async_context(self._service.deciding(table.id))
                return await self._open(await self._service.load(number), first, user, name)
        except Refused:
            await release(self._service, first)  # the lobby is no duplicate if it is left alone
            raise

    async def _open(self, match: Match, first: int, user: int, name: str) -> Match:
        """Do what `open` does, with all tables of the group locked."""
        check_lobby(match)
        check_host(match, user)
        if (match.duplicate or match.id) != first:  # its group has changed since
            raise Refused(Reason.BUSY)
        group = [match, *await self._service.index.duplicates_of(match)]
        if any(table.status is not Status.LOBBY for table in group):
            raise Refused(Reason.DUPLICATES_BEGUN)
        if len(group) >= MOST_TABLES:
            raise Refused(Reason.DUPLICATES_FULL, count=MOST_TABLES)
        game = self._service.game(match)
        wanted = match.wanted or game.seats[-1]
        try:
            chosen_options(game, wanted, match.options)
        except BadOption as error:
            raise Refused(Reason.OPTIONS_DO_NOT_FIT, count=wanted) from error
        async with self._service.policy.seating(match.guild, user, new=True):
            pass  # refused before anything changes
        options = {"deck": dict(self._lobby.deck(match.game)), **match.options}
        secret = without_table(match.secret)  # only one lobby follows another match, so the seats of all are drawn
        for table in group:
            chairs = tuple(replace(chair, cut=None, ready=False) for chair in table.chairs)
            grouped = replace(table, duplicate=first, held=True, wanted=wanted, options=options, chairs=chairs)
            await self._service.save(replace(grouped, secret=secret))
        return await self._lobby.open(
            match.game,
            guild=match.guild,
            channel=match.place,
            parent=match.parent,
            user=user,
            name=name,
            terms=replace(match.terms, options=options, wanted=wanted, closed=False),
            chairs=(),
            secret=secret,
            duplicate=first,
            held=True,
        )


async def release(service: MatchService, group: int) -> None:
    """Store of each table of the group whether it is held no more: all others have ended, or cannot be played on
    (quarantine.py). A table that is left alone in its lobby or match is no duplicate any more.
    """
    await _part_with_lobbies(service, await service.index.of_group(group))
    for table in await service.index.of_group(group):
        if not table.held or await service.quarantine.fault(table) is not None:
            continue
        if await _goes_on(service, await service.index.duplicates_of(table)):
            continue
        async with service.deciding(table.id) as match:
            others = await service.index.duplicates_of(match)  # a further table may have been opened meanwhile
            if not match.held or await _goes_on(service, others):
                continue
            alone = match.open and not others
            group_now, apart = None if alone else match.duplicate, alone and match.status is Status.PLAYING
            await service.save(replace(match, duplicate=group_now, held=False, dissolved=apart))


async def _part_with_lobbies(service: MatchService, tables: Sequence[Match]) -> None:
    """If all tables of a group have ended but lobbies that have had their time to begin, call off those of the lobbies
    in which no player sits, and give each other one its own secret.
    """
    lobbies = [table for table in tables if table.status is Status.LOBBY]
    begun = [table for table in tables if table.status is not Status.LOBBY]
    if await _goes_on(service, begun):
        return
    now = int(service.now())
    late = now >= max((table.ended_at or 0 for table in begun), default=now) + GRACE
    if not begun or (not late and any(table.people for table in lobbies)):
        return
    for table in lobbies:
        async with service.deciding(table.id) as match:
            if match.status is not Status.LOBBY or match.duplicate is None:
                continue
            if not match.people:
                await service.save(replace(match, status=Status.CANCELLED, ended_at=now))
            elif late:  # otherwise a player has sat down meanwhile
                own = secrets.token_hex(32)
                await service.save(replace(match, secret=own, duplicate=None, held=False, dissolved=True))


async def release_all(service: MatchService) -> None:
    """Do the same for all groups."""
    for group in await service.index.held_groups():
        await release(service, group)


async def _goes_on(service: MatchService, tables: Sequence[Match]) -> bool:
    """Return whether one of these tables can still be played on."""
    for table in tables:
        if table.open and await service.quarantine.fault(table) is None:
            return True
    return False
