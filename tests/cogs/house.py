"""A service with all that remembers its matches, for tests of results and ratings."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.records import Records
from cogs.match.service import MatchService
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.results import Result, Results
from data.records.servers import Servers
from data.store.database import Database
from rules import GAMES
from rules.core.game import Seat
from tests.support.matches import begun
from tests.support.table import shortest_options

GUILD = 1
NAMES = {100: "Ann", 101: "Ben", 102: "Cleo", 103: "Dora"}
ANN, BEN, CLEO, DORA = NAMES
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class House:
    """A service with all that remembers its matches. `now` is its time."""

    def __init__(self, base: Database) -> None:
        self.base = base
        self.now = NOON.timestamp()
        self.service = MatchService(Matches(base), People(base), GAMES, lambda: self.now, Servers(base))
        self.lobby = Lobby(self.service)
        self.membership = Membership(self.service, self.lobby)
        self.results = Results(base)
        self.records = Records(self.service, self.results, lambda match, end, events: {0: ("tall", "bold")})
        self.random = Random("records")

    async def begun(
        self,
        game: str = "sea_change",
        people: int = 2,
        *,
        computers: int = 0,
        rated: bool = True,
        options: dict[str, str] | None = None,
    ) -> Match:
        chosen = shortest_options(game, people + computers) | (options or {}) | {"rated": "on" if rated else "off"}
        how: dict[str, Any] = {"computers": computers, "options": chosen, "names": NAMES}
        return await begun(self.service, *list(NAMES)[:people], game=game, **how)

    async def first_round(self) -> Match:
        """Begin a match of Photosynthesis, and place all trees."""
        match = await self.begun("photosynthesis")
        while "end" not in map(str, self.service.state(match).legal_moves(min(self.service.state(match).to_move()))):
            match = await self.move(match)
        return match

    async def move(self, match: Match, seat: Seat | None = None, seconds: int = 0, but: str = "") -> Match:
        """Make a move of that seat, or of the first that is to move, so many seconds later; not the move `but`."""
        self.now += seconds
        state = self.service.state(match)
        seat = min(state.to_move()) if seat is None else seat
        move = self.random.choice([move for move in state.legal_moves(seat) if str(move) != but])
        user = match.chairs[seat].user
        if user is not None:
            return (await self.service.play(match.id, user, None, str(move))).match
        async with self.service.deciding(match.id) as locked:
            return (await self.service.make(locked, move, computer="friend 1")).match

    async def played(self, match: Match, moves: int = 5000) -> Match:
        """Play so many moves, or to the end."""
        for _ in range(moves):
            if match.status is not Status.PLAYING:
                break
            match = await self.move(match)
        return match

    async def recorded(self, match: Match) -> Result:
        found = await self.records.record(match)
        assert found is not None
        return found


async def rows(house: House, sql: str) -> list[tuple[Any, ...]]:
    return await house.base.read(lambda c: [tuple(row) for row in c.execute(sql)])
