"""Who may sit down at a table: everyone, or, once its lobby is closed to others, its guests alone.

A guest is invited and accepts or declines, or sits there when the lobby is closed. The host can take a guest out of the
lobby, who then cannot come back. After the start the same guests may take seats over, and wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from cogs.match.refusals import Reason, Refused
from data.records.match import Guest, GuestState, Match, Status
from data.store.erasure_log import ErasureLog

MOST_GUESTS = 25
"""The most guests of one lobby; as many as Discord's select offers."""
_WELCOME = (GuestState.INVITED, GuestState.ACCEPTED)


def check_may_sit(match: Match, user: int, *, accepts: bool = False) -> None:
    """Raise Refused if the table's door keeps the user out: the host has removed them, or the lobby is closed and they
    are no guest, or have declined.

    `accepts`: they answer an invitation, so there must be one, and one that they have declined still counts.
    """
    guest = match.guest(user)
    if guest is not None and guest.state is GuestState.REMOVED:
        raise Refused(Reason.REMOVED_HERE)
    if accepts and guest is None:
        raise Refused(Reason.NOT_INVITED)
    if match.closed and not accepts and (guest is None or guest.state not in _WELCOME):
        raise Refused(Reason.INVITED_ONLY)


async def check_not_departed(departures: ErasureLog | None, match: Match, user: int) -> None:
    """Raise Refused if the user's data was deleted while the table needed it. In a match: since it began, so no record
    is left of whether they have seen cards there. In a lobby: since it was opened, if its host has removed a person
    whose data was deleted.

    Call it inside `deciding`. A deletion is listed before it is made. So a user who is not listed, and whose record the
    match as loaded does not have, has never had one.
    """
    removed = match.guest(0) is not None
    since = match.opened_at if removed else match.started_at
    if departures is None or since is None or not await asyncio.to_thread(departures.since, [user], since):
        return
    raise Refused(Reason.DEPARTED_REMOVED if removed else Reason.DEPARTED_SINCE)


def with_states(match: Match) -> Match:
    """Return the lobby with guests who sit there as accepted. If it is closed, all who sit or wait there are guests."""
    if match.status is not Status.LOBBY or not (match.guests or match.closed):
        return match
    seated = {chair.player: chair.name for chair in match.people}
    present = {**{who.user: who.name for who in match.waiting}, **seated}
    guests = {guest.user: guest for guest in match.guests}
    for user, name in present.items() if match.closed else ():
        guests.setdefault(user, Guest(user, name, GuestState.ACCEPTED))
    answered = (
        replace(guest, name=present[guest.user], state=GuestState.ACCEPTED) if guest.user in present else guest
        for guest in guests.values()
    )
    return with_guests(match, answered)


def with_guests(match: Match, changed: Iterable[Guest]) -> Match:
    """Return the match with these guests, each in place of the one with the same user."""
    guests = {guest.user: guest for guest in (*match.guests, *changed)}
    return replace(match, guests=tuple(guests[user] for user in sorted(guests)))


def again(match: Match) -> tuple[Guest, ...]:
    """Return the guests of a lobby that follows a closed match: all who sat there at its end, left it, or could have
    sat down.
    """
    if not match.closed:
        return ()
    seated = [Guest(chair.player, chair.name, GuestState.ACCEPTED) for chair in match.people]
    others = [replace(guest, state=GuestState.ACCEPTED) for guest in match.guests if guest.state in _WELCOME]
    removed = {former.user for former in match.former if former.removed}
    found = {guest.user: guest for guest in (*others, *seated) if guest.user not in removed}
    return tuple(found[user] for user in sorted(found))
