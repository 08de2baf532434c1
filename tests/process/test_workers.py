"""Workers draw and think for a match of a person and a computer while workers are killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.match.service import MatchService
from data.records.match import Status
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from rules import GAMES
from rules.core.computer import choose, decision_seed
from rules.core.game import Seat
from tests.process.loopback import until
from tests.process.world import World, children, match, offered
from tests.support.hung import HUNG

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked at in /proc")

SETTINGS = {"COMPUTER_SECONDS": "0.05", "BACKUP_MINUTES": "0", "PATIENT": "1"}
PATIENCE = HUNG
"""Seconds until what ought to happen has not, on a busy machine whose workers are killed."""
NO_FAULT = re.compile(r"ERROR|CRITICAL|Traceback|default move")


def workers(world: World) -> list[int]:
    """Return the processes that the bot has started and that still run."""
    return children(world.process.pid)


def memory_of(pid: int) -> str:
    """What the kernel tells of a process's start: its environment and its arguments; nothing once it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return "".join(Path(f"/proc/{pid}/{name}").read_text(errors="replace") for name in ("environ", "cmdline"))
    return ""


def is_over(world: World) -> bool:
    with closing(sqlite3.connect(f"file:{world.database}?mode=ro", uri=True)) as reader:
        return bool(reader.execute("SELECT 1 FROM match WHERE id = ? AND status = 'over'", (world.number,)).fetchone())


async def play_to_the_end(world: World, random: Random) -> None:
    """Let the person press a random move whenever it is their turn."""
    while True:
        assert await until(lambda: is_over(world) or world.mover(), PATIENCE), world.log()
        found = world.mover()
        if found is None:
            return
        user, hand = found
        record = await world.discord.press(
            user, world.discord.backend.dm_channels[user], hand, random.choice(offered(hand))
        )
        assert record.responded
        assert await until(lambda old=hand: is_over(world) or (now := world.mover()) is None or now[1] != old, PATIENCE)


async def as_thought(database: Path, number: int) -> int:
    """Check that each computer's move in the log follows from the secret; return how many there are."""
    opened = await Database.open(database)
    try:
        service = MatchService(Matches(opened), People(opened), GAMES)
        found, log = (
            await service.load(number),
            await service.log(number),
        )  # `load` checks that the log leads to the stored position
        assert found.status is Status.OVER
        assert len({(move.seat, move.turn) for move in log}) == len(log), "a decision was made twice"
        thought = 0
        for move in log:
            if move.user is None:
                state, seat = await service.position(found, move.number), Seat(move.seat)
                seed = decision_seed(found.seed, seat, move.turn)
                chosen = choose(service.game(found), state, seat, seed, found.level_of(move.seat))
                assert move.text == str(chosen)
                thought += 1
        return thought
    finally:
        await opened.close()


def pictures(world: World) -> list[Any]:
    """Return the shown messages with a gallery of pictures."""
    backend = world.discord.backend
    places = [world.channel, *backend.dm_channels.values()]
    return [m for place in places for m in world.discord.messages(place) if "'type': 12" in str(m.components)]


async def whole_match(folder: Path, count: int, seed: str) -> None:
    """Let a person and a computer play a match with so many workers, which are killed one after the other."""
    random, over, killed = Random(seed), asyncio.Event(), 0
    print(f"seed {seed!r}")
    settings = {**SETTINGS, "WORKERS": str(count)}
    async with match(folder, "ann", target=1, computers=1, settings=settings) as world:
        assert await until(lambda: workers(world))

        async def kill() -> None:
            nonlocal killed
            while not over.is_set():
                before = len(world.moves())
                if found := workers(world):
                    with suppress(ProcessLookupError):
                        os.kill(random.choice(found), signal.SIGKILL)
                        killed += 1
                # So that no job meets so many kills that the pool gives it up, however slow the machine is.
                await until(lambda before=before: over.is_set() or len(world.moves()) > before + 1, PATIENCE)
                await asyncio.sleep(random.uniform(0.0, 2.0))

        killing = asyncio.create_task(kill())
        await play_to_the_end(world, random)
        over.set()
        await killing
        assert killed
        for pid in workers(world):
            assert "planted" not in memory_of(pid), "the token"
        assert len(workers(world)) <= max(2, count), "beside a single worker a process thinks"
        assert await until(lambda: all(shown.attachments for shown in pictures(world)))
        assert pictures(world)
        world.process.send_signal(signal.SIGTERM)
        begun = workers(world)
        assert await asyncio.wait_for(world.process.wait(), HUNG) == 0
        assert await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in begun))
        assert not NO_FAULT.search(world.log()), world.log()
        number = world.number
    assert await as_thought(folder / "bot.db", number)


@pytest.mark.long
async def test_workers_killed_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    await whole_match(tmp_path, 1, "killed")


@pytest.mark.long
async def test_one_of_two_workers_killed_at_random_moments_loses_nothing(tmp_path: Path) -> None:
    await whole_match(tmp_path, 2, "long")


async def test_workers_end_with_a_bot_that_is_killed(tmp_path: Path) -> None:
    async with match(tmp_path, "ann", computers=1, settings={**SETTINGS, "WORKERS": "1"}) as world:
        assert await until(lambda: workers(world))
        begun = workers(world)
        await world.kill()
        assert await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in begun))
