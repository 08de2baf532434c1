"""Players at tables of all games, on the real database and match service: they press, and write the history."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from cogs.match.lobby import Lobby
from cogs.match.refusals import Reason, Refused
from cogs.match.service import MatchService, Played
from cogs.match.undo import undo_alone
from data.records.match import LoggedMove, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.terms import Terms
from data.store.database import Database
from rules import GAMES
from rules.core.game import Game
from tests.reliability.history import UNDO, Answer, Press, answer_line, press_line
from tests.reliability.seeded_bugs import Bug, open_database, pragma
from tests.support.inside import stored_matches

GUILD, CHANNEL, NOON = 1, 2, 1_800_000_000
CHECKPOINT = 60
"""Pages after which SQLite makes a checkpoint of the WAL: few, so that short trials meet one."""
PEOPLE = {101: "Ann", 102: "Ben", 103: "Cem", 104: "Dora"}


class StorePlayers:
    """Players whose presses follow from `random`. `write_line` gets each line before anything else is done."""

    def __init__(
        self,
        database: Database,
        random: Random,
        write_line: Callable[[str], object],
        bug: Bug = Bug.NONE,
        games: Sequence[str] = tuple(GAMES),
    ) -> None:
        self.database = database
        self.service = MatchService(Matches(database), People(database), GAMES, now=lambda: NOON)
        self._random, self._write_line, self._bug, self._games = random, write_line, bug, games
        self._lobby = Lobby(self.service)
        self.tables: dict[str, int] = {}

    @classmethod
    @asynccontextmanager
    async def opened(
        cls,
        path: Path | str,
        random: Random,
        write_line: Callable[[str], object],
        bug: Bug = Bug.NONE,
        games: Sequence[str] = tuple(GAMES),
    ) -> AsyncIterator[StorePlayers]:
        """Open the database, with players of these games. Raises DatabaseRefusal."""
        database = await open_database(path, bug)
        try:
            if not database.shared:
                await pragma(database, f"wal_autocheckpoint={CHECKPOINT}")
            yield cls(database, random, write_line, bug, games)
        finally:
            await database.close()

    async def sit_down(self) -> None:
        """Continue the open match of each game; if there is none, begin one."""
        for user, name in PEOPLE.items():
            await self.service.people.meet(user, name)
        self.tables = {}
        for number in await stored_matches(self.service).index.open_in(GUILD):
            match = await self.service.load(number)
            self.tables[match.game] = number
        for slug in self._games:
            await self._sit_down_at(slug)

    async def _sit_down_at(self, slug: str) -> None:
        if slug not in self.tables:
            self.tables[slug] = await self._open(GAMES[slug])
        match = await self.service.load(self.tables[slug])
        if match.status is Status.PLAYING:
            return
        assert match.wanted is not None
        for user in list(PEOPLE)[: match.wanted]:
            if match.seat_of(user) is None:
                await self._lobby.join(match.id, user, PEOPLE[user])
        await self._lobby.start(match.id, match.host)

    async def _open(self, game: Game) -> int:
        service = next(iter(PEOPLE))
        match = await self._lobby.open(
            game.slug,
            guild=GUILD,
            channel=CHANNEL,
            user=service,
            name=PEOPLE[service],
            terms=Terms(locale="en", wanted=max(game.seats[0], 2), clock=self._random.choice(("none", "live_5"))),
            secret=self._random.randbytes(32).hex(),
        )
        return match.id

    async def draw_press(self, slug: str) -> Press:
        """Draw a legal press in the match of that game. If the match is over, begin a new one."""
        match = await self.service.load(self.tables[slug])
        if match.status is not Status.PLAYING:
            del self.tables[slug]
            await self._sit_down_at(slug)
            match = await self.service.load(self.tables[slug])
        state = self.service.state(match)
        seat = self._random.choice(sorted(state.to_move()))
        user, turn = match.chairs[seat].user, self.service.turn(match, seat)
        assert user is not None
        if self.service.seat_may_take_back(match, seat) and self._random.random() < 0.2:
            return Press(match.id, user, turn, UNDO)
        return Press(match.id, user, turn, str(self._random.choice(state.legal_moves(seat))))

    async def press(self, press: Press) -> None:
        """Press for the first time. Raises Refused, or what the database raises, as the match service does."""
        self._write_line(press_line(press))
        if self._bug is Bug.EARLY:
            self._write_line(answer_line(Answer(press, (await self.service.load(press.match)).version + 1)))
        played = await self._do(press)
        if self._bug is not Bug.EARLY:
            self._write_line(answer_line(Answer(press, played.match.version)))

    async def press_again(self, press: Press) -> None:
        """Repeat a press: the answer is that it is recorded, now or before. On PostgreSQL the first one may be recorded
        at the same moment, as the server ends what a killed process has asked for. Then the player presses once more.
        """
        try:
            await self._press_again(press)
        except Refused as refused:
            if not self.database.shared or refused.reason != Reason.BUSY:
                raise
            await self._press_again(press)

    async def _press_again(self, press: Press) -> None:
        if self._bug is Bug.KEYLESS:
            await self._apply_twice(press)
            return
        try:
            played = await self._do(press)
        except Refused as refused:
            match = await self.service.load(press.match)
            # A repeated undo is refused as "undone": its button belongs to a position that has been taken back.
            if press.text != UNDO or refused.reason != "undone" or not match.undone:
                raise
        else:
            match = played.match
        self._write_line(answer_line(Answer(press, match.version)))

    async def record_shown(self, slug: str) -> None:
        """Record that the table shows the current version, as the bot does after each move. Raises NotStored."""
        match = await self.service.load(self.tables[slug])
        post = (await stored_matches(self.service).posts.of(match.id)).table
        await stored_matches(self.service).posts.note(replace(post, shown=match.version, message=match.version))

    async def _do(self, press: Press) -> Played:
        if press.text == UNDO:
            return await undo_alone(self.service, press.match, press.user, press.turn)
        return await self.service.play(press.match, press.user, press.turn, press.text)

    async def _apply_twice(self, press: Press) -> None:
        match = await self.service.load(press.match)
        seat = match.seat_of(press.user)
        if match.status is Status.PLAYING and seat is not None and press.text != UNDO:
            move = LoggedMove(match.moves, seat, f"{press.turn}.{match.moves}", press.text, press.user)
            await stored_matches(self.service).save(replace(match, moves=match.moves + 1), move)
