"""kill -9 in the middle of a match, start again: the old buttons work, nothing is lost, nothing is shown twice."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import GAMES
from tests.process.loopback import Loopback, until

ROOT = Path(__file__).resolve().parents[2]
MOVE = re.compile(r"1/\d+/move/")


@dataclass
class World:
    """A channel, two people, and the bot as a process."""

    discord: Loopback
    database: Path
    channel: int = 0
    people: list[int] = field(default_factory=list)
    process: Any = None

    async def start(self) -> None:
        env = {"PATH": os.environ["PATH"], "DISCORD_TOKEN": "planted", "DATABASE": str(self.database)}
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.process.launch", str(self.discord.port)),
            cwd=ROOT,
            env={**env, "EDIT_SECONDS": "0.05"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        ready = len(self.discord.sessions)
        assert await until(lambda: len(self.discord.sessions) > ready or self.process.returncode is not None, 20)
        assert self.process.returncode is None, (await self.process.stderr.read()).decode()

    async def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        self.discord.gate = lambda method, path: False
        await until(lambda: not self.discord.sessions, 5)

    @property
    def board(self) -> Any:
        """The table's message: the newest in the channel with components."""
        return [m for m in self.discord.messages(self.channel) if m.components][-1]

    def hands(self, user: int) -> list[Any]:
        """The messages of a person's DMs that offer moves."""
        direct = self.discord.backend.dm_channels.get(user)
        return [m for m in self.discord.messages(direct or 0) if offered(m)]

    def moves(self) -> list[str]:
        """The log of the match, read from the file."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            return [row[0] for row in reader.execute("SELECT text FROM move ORDER BY number")]

    def mover(self) -> tuple[int, Any] | None:
        """The person that the stored match waits for and the hand that offers their moves, once it is shown."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            row = reader.execute("SELECT state FROM match WHERE status = 'playing'").fetchone()
            seats = dict(reader.execute("SELECT number, user FROM seat"))
        if row is None:
            return None
        state = GAMES["sea_change"].from_json(json.loads(row[0]))
        (seat,) = state.to_move()
        token = f"/move/{state.turn(seat)}/"
        hands = [hand for hand in self.hands(seats[seat]) if token in offered(hand)[0]]
        return (seats[seat], hands[-1]) if hands else None

    async def play(self, random: Random) -> None:
        """One move by the person that the match waits for, through the buttons of their hand."""
        assert await until(self.mover, 10), "nobody has a move"
        found, before = self.mover(), len(self.moves())
        assert found is not None
        user, hand = found
        direct = self.discord.backend.dm_channels[user]
        record = await self.discord.press(user, direct, hand, random.choice(offered(hand)))
        assert record.responded
        assert await until(lambda: len(self.moves()) == before + 1, 10), "the move was not recorded"


def offered(message: Any) -> list[str]:
    """The custom ids of the moves that a message offers."""
    return [i for i in re.findall(r"'custom_id': '([^']*)'", str(message.components)) if MOVE.match(i)]


@asynccontextmanager
async def match(tmp_path: Path) -> AsyncIterator[World]:
    """A match of Sea Change between two people that has begun."""
    async with Loopback() as discord:
        backend = discord.backend
        guild = backend.create_guild("Harbour")
        world = World(discord, tmp_path / "bot.db", backend.create_channel(guild.id, "games").id)
        for name in ("ann", "ben"):
            user = backend.make_user(name)
            backend.add_member(guild.id, user.id)
            world.people.append(user.id)
        backend.add_member(guild.id, backend.bot_user.id)
        await world.start()
        try:
            ann, ben = world.people
            assert await until(lambda: backend.find_command("play", guild.id), 10)
            await discord.slash(ann, world.channel, "play", game="sea_change")
            assert await until(lambda: any(m.components for m in discord.messages(world.channel)), 10)
            await discord.press(ben, world.channel, world.board, "1/1/join//")
            assert await until(lambda: len(backend.dm_channels) == 2, 10)
            await discord.press(ann, world.channel, world.board, "1/1/start//")
            assert await until(world.mover, 10)
            yield world
        finally:
            if world.process.returncode is None:
                await world.kill()


MOMENTS = {
    "before the acknowledgement": lambda m, path: path.endswith("/callback"),
    "after the commit, before the player is told": lambda m, path: (m, path[-9:]) == ("PATCH", "@original"),
    "while the table is edited": lambda m, path: m == "PATCH" and re.search(r"/channels/\d+/messages/\d+$", path),
    "while the next hand is sent": lambda m, path: m == "POST" and re.search(r"/channels/\d+/messages$", path),
    "while the last hand is deleted": lambda m, path: m == "DELETE",
}


@pytest.mark.parametrize("moment", MOMENTS)
async def test_killed_at_that_moment_the_match_goes_on(tmp_path: Path, moment: str) -> None:
    random = Random(moment)
    async with match(tmp_path) as world:
        for _ in range(3):
            await world.play(random)
        for _ in range(8):  # not each move leads to each moment: who takes the trick needs no new hand
            assert await until(world.mover, 10)
            found = world.mover()
            assert found is not None
            user, hand = found
            pressed, before = random.choice(offered(hand)), world.moves()
            world.discord.gate = lambda method, path: bool(MOMENTS[moment](method, path))
            press = asyncio.create_task(
                world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed)
            )
            if await until(world.discord.stopped.is_set, 3):
                break
            await press
        assert world.discord.stopped.is_set(), "that moment never came"
        await world.kill()
        press.cancel()
        recorded = world.moves()
        assert recorded in (before, [*before, pressed.rsplit("/", 1)[1]])
        old_board = world.board

        await world.start()
        # The old board's button works.
        answer = await world.discord.press(user, world.channel, old_board, "1/1/hand//")
        assert answer.responded
        assert answer.ephemeral
        # The press that got no answer, again: it is recorded once, whether it was before or is only now.
        await world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed)
        assert await until(lambda: world.moves() == [*before, pressed.rsplit("/", 1)[1]], 10)
        for _ in range(3):
            await world.play(random)
        tables = [m for m in world.discord.messages(world.channel) if m.components]
        assert len(tables) == 1, "the table is shown once"
        assert await until(lambda: sum(len(world.hands(user)) for user in world.people) == 1, 10), "one hand has moves"


async def test_killed_again_and_again_no_move_is_lost_or_doubled(tmp_path: Path) -> None:
    seed = int(os.environ.get("KILL_SEED", "7"))
    print("seed", seed)
    random, made = Random(seed), 0
    async with match(tmp_path) as world:
        for _ in range(4):
            for _ in range(random.randrange(1, 4)):
                await world.play(random)
                made += 1
            await asyncio.sleep(random.random() * 0.05)
            await world.kill()
            await world.start()
        assert len(world.moves()) == made


async def test_a_signal_ends_the_bot_well(tmp_path: Path) -> None:
    async with match(tmp_path) as world:
        world.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(world.process.wait(), 20) == 0
