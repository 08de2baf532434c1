"""A player's open matches in the order in which to list them: first those that wait for the player, by time left."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from cogs.match.clocks import clock_of
from cogs.match.service import MatchService
from data.records.match import Match, Status
from rules.core.game import Seat


class Attention(IntEnum):
    """What a match needs from one player, in the order in which matches are listed."""

    YOURS = 0
    """It waits for the player."""
    AWAY = 1
    """A computer plays for the player until they are back."""
    OTHERS = 2
    """It waits for other players."""
    LOBBY = 3
    """It has not begun."""
    RESTING = 4
    """No moves are possible until it goes on."""


def attention(service: MatchService, match: Match, user: int) -> Attention:
    """Return what an open match needs from a player who sits there."""
    seat = match.seat_of(user)
    if seat is None or match.paused or match.rests_since is not None or service.quarantine.holds(match.id):
        return Attention.RESTING
    if match.status is Status.LOBBY:
        return Attention.LOBBY
    clock = clock_of(match, seat)
    if clock is not None and clock.away is not None:
        return Attention.AWAY
    return Attention.YOURS if Seat(seat) in service.state(match).to_move() else Attention.OTHERS


def in_order(service: MatchService, matches: Iterable[Match], user: int) -> list[Match]:
    """Return the matches ordered by attention, then by the end of the time, then by the longest wait."""

    def key(match: Match) -> tuple[int, bool, int, int]:
        how = attention(service, match, user)
        ends = _ends(service, match, user, how)
        return how, ends is None, match.waits_since if ends is None else ends, match.id

    return sorted(matches, key=key)


async def open_of(service: MatchService, user: int) -> list[Match]:
    """Return the open matches of a user. Each has been verified, so `quarantine.holds` knows them all."""
    matches = await service.index.of_player(user)
    for match in matches:
        await service.quarantine.fault(match)
    return matches


async def waiting_for(service: MatchService, user: int) -> list[Match]:
    """Return the matches that wait for a user, in order; no lessons, since no other player waits in them."""
    matches = [match for match in await open_of(service, user) if not match.lesson]
    return in_order(service, [m for m in matches if attention(service, m, user) is Attention.YOURS], user)


def others_than(number: int, waiting: list[Match]) -> list[Match]:
    """Return the other matches, beginning after that one, so that going from each to the next visits all of them."""
    at = next((at for at, match in enumerate(waiting) if match.id == number), None)
    return waiting if at is None else waiting[at + 1 :] + waiting[:at]


def _ends(service: MatchService, match: Match, user: int, how: Attention) -> int | None:
    """Return when the time of the players that the match waits for runs out; None without a clock."""
    if how not in (Attention.YOURS, Attention.OTHERS):
        return None
    seats = service.state(match).to_move() if how is Attention.OTHERS else {match.seat_of(user)}
    clocks = (clock_of(match, seat) for seat in seats if seat is not None)
    return min((clock.ends for clock in clocks if clock is not None and clock.ends is not None), default=None)
