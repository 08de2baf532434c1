"""The parts that seasons need, on one database, and seasons to play."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.records import Records
from cogs.match.seasons import Seasons
from cogs.match.service import MatchService
from cogs.messages.end import honours
from data.records.match import Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.records.results import Results
from data.records.seasons import Season, SeasonTable, StoredSeasons
from data.records.servers import Servers
from data.store.database import Database
from data.store.erasure_log import ErasureLog
from rules import GAMES
from rules.core.game import Seat

GUILD, CHANNEL, OPENER = 1, 10, 1398712347623000100
GAME = "sea_change"


@dataclass
class World:
    """The parts that seasons need, on one database; `restart` makes new ones, as a start of the program does."""

    base: Database
    now: float = 1_000_000.0
    random: Random = field(default_factory=lambda: Random("a season"))

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.matches, self.people = Matches(self.base), People(self.base, lambda: self.now)
        self.service = MatchService(self.matches, self.people, GAMES, lambda: self.now, Servers(self.base))
        self.lobby = Lobby(self.service)
        self.membership = Membership(self.service, self.lobby)
        records = Records(self.service, Results(self.base), honours)
        self.seasons = Seasons(self.service, self.lobby, records, StoredSeasons(self.base))
        self.privacy = Privacy(self.base, [self.matches.forget, self.people.forget], ErasureLog(None))

    async def open(self, players: int, **options: Any) -> Season:
        """Open a season in which so many people take part."""
        wanted = {"seats": None, "rounds": None, "days": 7, "clock": None, **options}
        game = wanted.pop("game", GAME)
        season = await self.seasons.open(
            game, guild=GUILD, channel=CHANNEL, user=OPENER, name="Cup", locale="en", **wanted
        )
        for user in range(OPENER, OPENER + players):
            await self.people.meet(user, f"P{user}")
            await self.seasons.join(season.id, user, f"P{user}")
        return await self.seasons.load(season.id)

    async def begin(self, players: int, **options: Any) -> Season:
        """Open a season, start it, and do what is due."""
        season = await self.open(players, **options)
        await self.seasons.start(season.id, OPENER, manages=False)
        return await self.advance(season.id)

    async def advance(self, number: int = 1, *, is_there: bool = True) -> Season:
        await self.seasons.advance(number, is_there=is_there)
        return await self.seasons.load(number)

    async def match(self, number: int) -> Match:
        match = await self.matches.get(number)
        assert match is not None
        return match

    async def play(self, number: int, *, last_move: bool = True) -> Match:
        """Play a match to its end, or to its last move, by random moves, also for computers."""
        while (match := await self.match(number)).status is Status.PLAYING:
            state = self.service.state(match)
            seat = Seat(min(state.to_move()))
            if not last_move and any(state.apply(move)[0].outcome() for move in state.legal_moves(seat)):
                break
            move, user = self.random.choice(state.legal_moves(seat)), match.chairs[seat].user
            if user is None:
                async with self.service.deciding(number) as match:
                    await self.service.make(match, move, computer="friend 1")
            else:
                await self.service.play(number, user, self.service.turn(match, seat), str(move))
        return match

    async def play_round(self, season: Season) -> Season:
        for table in season.in_round(season.round):
            assert table.match is not None
            await self.play(table.match)
        return await self.advance(season.id)


async def count(base: Database, table: str) -> int:
    return await base.read(lambda c: int(c.execute(f"SELECT count(*) FROM {table}").fetchone()[0]))


# Standings.


def table(places: tuple[int, ...], points: tuple[int, ...], winners: tuple[int, ...], number: int = 0) -> SeasonTable:
    return SeasonTable(1, number, places, None, points, winners)
