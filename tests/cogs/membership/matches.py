"""The clock of these tests, and matches that are over."""

from __future__ import annotations

from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.service import MatchService
from data.records.deadlines import SeatClock
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from rules import GAMES
from tests.support.inside import service_of
from tests.support.matches import begun

LONG_AGO = 1_000_000.0


class Clock:
    def __init__(self) -> None:
        self.seconds = LONG_AGO

    def __call__(self) -> float:
        return self.seconds


def reopened(base: Database) -> Membership:
    """One that remembers nothing but what is stored."""
    service = MatchService(Matches(base), People(base), GAMES)
    return Membership(service, Lobby(service))


async def ended(membership: Membership, *users: int, **how: Any) -> Match:
    match = await begun(service_of(membership), *users, **how)
    for user in users:
        if match.status is Status.PLAYING:
            match = (await membership.vote(match.id, user, "end")).match
    assert match.status is Status.STOPPED
    return match


def users(match: Match) -> list[int | None]:
    return [chair.user for chair in match.chairs]


def running(match: Match) -> SeatClock:
    (clock,) = (clock for clock in match.clocks if clock.due is not None)
    return clock
