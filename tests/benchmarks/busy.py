"""200 matches played at once: how long the slowest presses wait. `python -m tests.benchmarks.busy` is that world.

All five games, two people at each table and a computer where the rules want a third; everybody sits at four. In each
match somebody presses a move about every twenty seconds, as a forged press of a legal one, without going through its
steps. Each line on the input is a slice of presses; the answer is JSON. The bot runs in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from rules import GAMES
from tests.benchmarks.pairs import Row
from tests.benchmarks.presses import World as Asked
from tests.benchmarks.world import encrypted, quiet
from tests.process.loopback import Loopback, until
from tests.process.world import World

MATCHES, PEOPLE = 200, 100
BETWEEN = 20.0
"""Seconds between two presses in a match, on the average."""
SLICE = 300
"""Presses of a slice: three of them are slower than its p99."""
MOST = 300
"""Milliseconds that we aim at."""
TOKEN = re.compile(r"/(?:interactions|webhooks)/\d+/([^/]+)")


class Busy:
    """The world and its people."""

    def __init__(self, world: World) -> None:
        self._world, self._discord, self._random = world, world.discord, Random("busy")
        self._begun: dict[int, float] = {}
        """Who waits for an answer, and since when: they have one finger."""
        self._waits: dict[str, list[float]] = {"acknowledged": [], "answered": []}
        self._discord.on_applied = self._applied

    async def sit_down(self) -> None:
        """The matches have begun, and no bot has shown them yet."""
        backend = self._discord.backend
        guild = backend.create_guild("Harbour").id
        backend.add_member(guild, backend.bot_user.id)
        channels = [backend.create_channel(guild, f"games {number}").id for number in range(20)]
        users = [backend.make_user(f"person{number}").id for number in range(PEOPLE)]
        database = await Database.open(self._world.database)
        people, matches = People(database), Matches(database)
        lobby = Lobby(MatchService(matches, people, GAMES))
        for user in users:
            backend.add_member(guild, user)
            await people.meet(user, backend.users[user].name, "en-US")
            await people.change(user, dm=backend.get_dm_channel(user).id, dm_works=True)
        games = cycle(GAMES.values())
        for number in range(MATCHES):
            game, channel = next(games), channels[number % len(channels)]
            first, second = (users[(2 * number + at) % PEOPLE] for at in (0, 1))
            opened = await lobby.open(
                game.slug, guild=guild, channel=channel, user=first, name="One", locale="en-US", clock="none"
            )
            await lobby.join(opened.id, second, "Two")
            if 2 not in game.seats:
                await lobby.add_computer(opened.id, first)
            await lobby.start(opened.id, first)
        await database.close()

    def _applied(self, method: str, path: str, body: Any, made: Any, known: bool) -> None:
        found, backend = TOKEN.search(path), self._discord.backend
        if found is not None:
            kind = "acknowledged" if path.endswith("/callback") else "answered"
            user = backend.interactions[backend.interaction_tokens[found[1]]].user_id
            self._waits[kind].append(1000 * (perf_counter() - self._begun[user]))
            if kind == "answered":
                del self._begun[user]

    async def press(self) -> dict[str, float]:
        """A slice of presses: milliseconds to the acknowledgement and to the answer, that of 99 in a hundred."""
        for waits in self._waits.values():
            waits.clear()
        matches = [asyncio.create_task(self._play(number + 1)) for number in range(MATCHES)]
        await until(lambda: len(self._waits["answered"]) >= SLICE, 600)
        for match in matches:
            match.cancel()
        await asyncio.gather(*matches, return_exceptions=True)
        return {kind: sorted(waits)[int(0.99 * len(waits))] for kind, waits in self._waits.items()}

    async def _play(self, number: int) -> None:
        await asyncio.sleep(self._random.uniform(0, BETWEEN))
        while True:
            if (asked := self._asked(number)) is not None:
                user, hand, custom_id = asked
                self._begun[user] = perf_counter()
                await self._discord.press(user, hand.channel_id, hand, custom_id)
            await asyncio.sleep(self._random.uniform(0, 2 * BETWEEN))

    def _asked(self, number: int) -> tuple[int, Any, str] | None:
        """Whose move it is in that match, their hand, and a move."""
        with closing(sqlite3.connect(f"file:{self._world.database}?mode=ro", uri=True)) as reader:
            row = reader.execute(
                "SELECT game, state FROM match WHERE id = ? AND status = 'playing'", (number,)
            ).fetchone()
            hands = reader.execute(
                "SELECT place, user, channel, message FROM post WHERE match = ? AND place >= 0", (number,)
            ).fetchall()
        state = GAMES[row[0]].from_json(json.loads(row[1])) if row is not None else None
        for place, user, channel, message in hands if state is not None else ():
            hand = self._discord.backend.messages.get(channel, {}).get(message)
            free = hand is not None and user not in self._begun
            if state is not None and place in state.to_move() and free:
                move = self._random.choice(state.legal_moves(place))
                return user, hand, f"1/{number}/move/{state.turn(place)}/{move}"
        return None


async def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        encryption, settings = encrypted(folder)
        async with Loopback(encryption) as discord:
            world = World(discord, folder / "bot.db", settings=settings | {"EDIT_SECONDS": "1.5"})
            busy = Busy(world)
            await busy.sit_down()
            await world.start()
            await quiet(discord)
            await until(lambda: len(discord.answered) > 3 * MATCHES, 600)
            await quiet(discord)
            print("ready", flush=True)
            while (await asyncio.to_thread(sys.stdin.readline)).strip():
                print(json.dumps(await busy.press()), flush=True)
            await world.kill()


@contextmanager
def rows() -> Iterator[list[Row]]:
    """The world lives as long as the context. Each figure has slices of its own."""
    with Asked(module="tests.benchmarks.busy") as busy:
        yield [
            Row(
                f"99 of 100 presses are {what} after, {MATCHES} matches played at once",
                f"{MOST} ms",
                1,
                "ms",
                busy.asked("press", what),
                lambda: float(MOST),
                True,
                rounds=3,
            )
            for what in ("acknowledged", "answered")
        ]


if __name__ == "__main__":
    asyncio.run(main())
