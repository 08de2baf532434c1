"""A table of Sea Change on a local Discord, with the bot in its own process."""

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
from ssl import SSLContext
from typing import Any

from rules import GAMES
from tests.process.loopback import Loopback, until
from tests.support import chance

ROOT = Path(__file__).resolve().parents[2]
MOVE = re.compile(r"1/\d+/move/")


@dataclass
class World:
    """A channel, people, and the bot as a process. `program`: a module that takes this Discord's origin."""

    discord: Loopback
    database: Path
    program: str = "tests.process.launch"
    channel: int = 0
    people: list[int] = field(default_factory=list)
    number: int = 0
    """The number of the match."""
    settings: dict[str, str] = field(default_factory=dict)
    """Environment variables of the process, besides those that it needs."""
    process: Any = None

    async def start(self) -> None:
        env = {
            **{name: os.environ[name] for name in ("PATH", chance.SEED) if name in os.environ},
            "DISCORD_TOKEN": "planted",
            "DATABASE": str(self.database),
            "WORKERS": "0",
            "EMOJI": "no",
        }
        with self._log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", self.program, self.discord.origin),
                cwd=ROOT,
                env={**env, "EDIT_SECONDS": "0.05", "TABLES_EACH": "0", **self.settings},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        ready = len(self.discord.sessions)
        assert await until(lambda: len(self.discord.sessions) > ready or self.process.returncode is not None)
        assert self.process.returncode is None, self.log()

    def log(self) -> str:
        """Return what all processes of the bot have logged so far. A kill may have cut a line off."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def _log(self) -> Path:
        return self.database.with_suffix(".log")

    async def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        self.discord.gate = lambda method, path: False
        self.discord.stopped.clear()
        assert await until(lambda: not self.discord.sessions)

    @property
    def board(self) -> Any:
        """The table's message: the newest in the channel with components."""
        return self.tables[-1]

    @property
    def tables(self) -> list[Any]:
        return [m for m in self.discord.messages(self.channel) if m.components]

    def hands(self, user: int) -> list[Any]:
        """Return the messages of a person's DMs that offer moves."""
        direct = self.discord.backend.dm_channels.get(user)
        return [m for m in self.discord.messages(direct or 0) if offered(m)]

    def moves(self) -> list[str]:
        """Return the log of the match, read from the file."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            return [
                row[0]
                for row in reader.execute("SELECT text FROM move WHERE match = ? ORDER BY number", (self.number,))
            ]

    def mover(self) -> tuple[int, Any] | None:
        """Return the person that the match waits for and their hand with moves, or None until that is shown."""
        mine = (self.number,)
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            row = reader.execute("SELECT state FROM match WHERE id = ? AND status = 'playing'", mine).fetchone()
            seats = dict(reader.execute("SELECT number, user FROM seat WHERE match = ?", mine))
        if row is None:
            return None
        state = GAMES["sea_change"].from_json(json.loads(row[0]))
        (seat,) = state.to_move()
        token = f"/move/{state.turn(seat)}/"
        hands = [hand for hand in self.hands(seats[seat]) if token in offered(hand)[0]]
        return (seats[seat], hands[-1]) if hands else None

    def lobby(self) -> tuple[int, int]:
        """Return the target that the lobby has chosen, and how many sit there, read from the file."""
        chosen = "SELECT options, (SELECT count(*) FROM seat WHERE match = id) FROM match WHERE id = ?"
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            options, seats = reader.execute(chosen, (self.number,)).fetchone()
        return int(json.loads(options).get("target", 3)), seats

    async def begin(self, target: int = 3, computers: int = 0) -> None:
        """Begin a match of these people, up to the first hand. One person plays against the game's own opponent."""
        discord, backend = self.discord, self.discord.backend
        host, *others = self.people
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            self.number = 1 + reader.execute("SELECT coalesce(max(id), 0) FROM match").fetchone()[0]
        assert await until(lambda: backend.find_command("play", backend.get_channel(self.channel).guild_id))
        await discord.slash(host, self.channel, "play", game="sea_change")
        assert await until(lambda: any(f"1/{self.number}/start" in str(m.components) for m in self.tables))
        for person in others:
            await discord.press(person, self.channel, self.board, f"1/{self.number}/join//")
        assert await until(lambda: len(backend.dm_channels) == len(self.people))
        await discord.choose(host, self.channel, self.board, f"1/{self.number}/option//target", str(target))
        for _ in range(computers):
            await discord.press(host, self.channel, self.board, f"1/{self.number}/add//")
        # A press is answered before its work is done.
        assert await until(lambda: self.lobby() == (target, len(self.people) + computers))
        await discord.press(host, self.channel, self.board, f"1/{self.number}/start//")
        assert await until(self.mover)

    async def play(self, random: Random) -> None:
        """Make one move, by the buttons of the hand of the person that the match waits for."""
        assert await until(self.mover), "no hand offers a move"
        found, before = self.mover(), len(self.moves())
        assert found is not None
        user, hand = found
        direct = self.discord.backend.dm_channels[user]
        record = await self.discord.press(user, direct, hand, random.choice(offered(hand)))
        assert record.responded
        assert await until(lambda: len(self.moves()) == before + 1), "the move was not recorded"


def children(pid: int) -> list[int]:
    """Return the processes that this one has started and that still run; none once it has ended."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def offered(message: Any) -> list[str]:
    return [i for i in re.findall(r"'custom_id': '([^']*)'", str(message.components)) if MOVE.match(i)]


@asynccontextmanager
async def running_bot(
    folder: Path,
    *names: str,
    program: str = World.program,
    encryption: SSLContext | None = None,
    settings: dict[str, str] | None = None,
) -> AsyncIterator[World]:
    """The bot in a channel with these people, and no match. At the end its log must have no fault."""
    async with Loopback(encryption) as discord:
        backend = discord.backend
        guild = backend.create_guild("Harbour")
        channel = backend.create_channel(guild.id, "games").id
        world = World(discord, folder / "bot.db", program, channel, settings=settings or {})
        for name in names:
            user = backend.make_user(name)
            backend.add_member(guild.id, user.id)
            world.people.append(user.id)
        backend.add_member(guild.id, backend.bot_user.id)
        await world.start()
        try:
            yield world
        finally:
            if world.process.returncode is None:
                await world.kill()
        assert not re.search(r"ERROR|CRITICAL|Traceback", world.log()), world.log()


@asynccontextmanager
async def match(folder: Path, *names: str, target: int = 3, computers: int = 0, **how: Any) -> AsyncIterator[World]:
    """`running_bot`, with a match of Sea Change that has begun: see `World.begin`."""
    async with running_bot(folder, *names, **how) as world:
        await world.begin(target, computers)
        yield world
