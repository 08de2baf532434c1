"""Somebody's matches in the order in which they want to see them: those that wait for them first, by the time left."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from cogs.match.clocks import clock_of
from cogs.match.service import MatchService
from data.records.match import Match, Status
from rules.core.game import Seat


class Attention(IntEnum):
    """How a match stands for one person, in the order in which they are listed."""

    YOURS = 0
    """It waits for them."""
    AWAY = 1
    """A computer plays for them until they are back."""
    OTHERS = 2
    LOBBY = 3
    RESTING = 4
    """No moves are made in it until it goes on."""


def attention(host: MatchService, match: Match, user: int) -> Attention:
    """How an open match stands for somebody who sits there."""
    seat = match.seat_of(user)
    held = host.quarantine.holds(match.id)
    if seat is None or match.paused or match.rests_since is not None or held:
        return Attention.RESTING
    if match.status is Status.LOBBY:
        return Attention.LOBBY
    clock = clock_of(match, seat)
    if clock is not None and clock.away is not None:
        return Attention.AWAY
    return Attention.YOURS if Seat(seat) in host.state(match).to_move() else Attention.OTHERS


def in_order(host: MatchService, matches: Iterable[Match], user: int) -> list[Match]:
    """Whose time ends first stands first; after those with a clock whoever has been waited for longest."""

    def key(match: Match) -> tuple[int, bool, int, int]:
        how = attention(host, match, user)
        ends = _ends(host, match, user, how)
        since = match.turn_since if match.turn_since is not None else match.opened_at
        return how, ends is None, since if ends is None else ends, match.id

    return sorted(matches, key=key)


async def open_of(host: MatchService, user: int) -> list[Match]:
    """The open matches of somebody, each of them looked through: what is held is known to be."""
    matches = await host.of_player(user)
    for match in matches:
        await host.quarantine.held(match)
    return matches


async def waiting_for(host: MatchService, user: int) -> list[Match]:
    """The matches that wait for somebody, in order."""
    matches = await open_of(host, user)
    return in_order(host, [m for m in matches if attention(host, m, user) is Attention.YOURS], user)


def others_than(number: int, waiting: list[Match]) -> list[Match]:
    """The others of those, the one that comes after that match first: whoever goes from one to the next meets all."""
    at = next((at for at, match in enumerate(waiting) if match.id == number), None)
    return waiting if at is None else waiting[at + 1 :] + waiting[:at]


def _ends(host: MatchService, match: Match, user: int, how: Attention) -> int | None:
    """When the time of whoever is waited for runs out; None without a clock."""
    if how not in (Attention.YOURS, Attention.OTHERS):
        return None
    seats = host.state(match).to_move() if how is Attention.OTHERS else {match.seat_of(user)}
    clocks = (clock_of(match, seat) for seat in seats if seat is not None)
    return min((clock.ends for clock in clocks if clock is not None and clock.ends is not None), default=None)
