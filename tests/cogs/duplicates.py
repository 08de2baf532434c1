"""Groups of tables that are dealt alike, and the people at them."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.match.duplicates import Duplicates
from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from data.records.match import Match
from tests.support.matches import lobby
from tests.support.table import fewest_seats, shortest_options

ANN, BEN, CEM, DIA, EVA, FIN, GIL = range(100, 107)


async def people(service: MatchService) -> None:
    for user in range(ANN, ANN + 40):
        await service.people.meet(user, f"P{user - ANN}")


async def lobby_for(service: MatchService, slug: str, users: Sequence[int], seats: int | None = None) -> Match:
    """Return a lobby in which these users sit, for exactly as many players."""
    await people(service)
    count, names = seats or len(users), {user: f"P{user - ANN}" for user in users}
    options = shortest_options(slug, count) | {"seats": str(count)}
    return await lobby(service, *users, game=slug, options=options, names=names)


async def duplicated(service: MatchService, match: Match) -> Match:
    return await Duplicates(service, Lobby(service)).open(match.id, match.host, "host")


async def seated(service: MatchService, match: Match, users: Sequence[int]) -> Match:
    for user in users:
        match = await Lobby(service).join(match.id, user, f"P{user - ANN}")
    return match


async def tables_of(service: MatchService, slug: str = "sea_change", tables: int = 2) -> list[Match]:
    """Return tables of a group, all of them started."""
    seats = fewest_seats(slug)
    users = [[ANN + 10 * table + seat for seat in range(seats)] for table in range(tables)]
    first = await lobby_for(service, slug, users[0])
    lobbies = [first, *[await duplicated(service, first) for _ in users[1:]]]
    for match, those in zip(lobbies[1:], users[1:], strict=True):
        await seated(service, match, those)
    started = [await Lobby(service).start(match.id, those[0]) for match, those in zip(lobbies, users, strict=True)]
    return [await service.load(match.id) for match in started]
