"""SIGTERM: the bot finishes what is under way, turns later presses away, and ends with 0 in time."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from cogs.runtime.logs import FIELDS
from data.content.texts import texts
from tests.process.loopback import until
from tests.process.world import World, match, offered, running_bot
from tests.support.hung import HUNG

RESTARTING = texts("en")["refused.restarting"]
PATIENT = {"PATIENT": "1"}


async def send_sigterm(world: World) -> None:
    """Send SIGTERM, and wait until the bot has received it."""
    world.process.send_signal(signal.SIGTERM)
    assert await until(lambda: "SIGTERM" in world.log())


def whose_move(world: World) -> tuple[int, Any, int]:
    """Return the person that the match waits for, their hand, and the other person."""
    found = world.mover()
    assert found is not None
    return *found, next(person for person in world.people if person != found[0])


async def test_a_press_under_way_is_finished_and_a_later_one_is_turned_away(tmp_path: Path) -> None:
    async with match(tmp_path, "ann", "ben", settings=PATIENT) as world:
        user, hand, other = whose_move(world)
        pressed = Random(1).choice(offered(hand))
        # The move is committed, and its answer on the way.
        world.discord.gate = lambda method, path: (method, path[-9:]) == ("PATCH", "@original")
        direct = world.discord.backend.dm_channels[user]
        press = asyncio.create_task(world.discord.press(user, direct, hand, pressed))
        assert await until(world.discord.stopped.is_set)
        world.discord.gate = lambda method, path: False
        await send_sigterm(world)
        late = await world.discord.press(other, world.channel, world.board, f"1/{world.number}/hand//")
        assert late.ephemeral
        callback = next(body for _, path, body in world.discord.requests if path.endswith(f"/{late.token}/callback"))
        assert callback["data"]["content"] == RESTARTING
        assert world.process.returncode is None
        world.discord.go_on.set()
        assert (await press).responded
        assert await asyncio.wait_for(world.process.wait(), HUNG) == 0
        assert world.moves() == [pressed.rsplit("/", 1)[1]]
        with sqlite3.connect(f"file:{world.database}?mode=ro", uri=True) as reader:
            behind = "SELECT count(*) FROM post JOIN match ON match.id = post.match WHERE shown < version"
            assert reader.execute(behind).fetchone() == (0,), "the table must show the move"


@pytest.mark.long
async def test_while_discord_hangs_it_ends_in_time_and_without_a_fault(tmp_path: Path) -> None:
    """A table that cannot be shown, and a press that cannot be answered."""
    async with match(tmp_path, "ann", "ben") as world:
        user, hand, other = whose_move(world)
        pressed = Random(1).choice(offered(hand))
        world.discord.gate = lambda method, path: path.startswith("/channels/")
        await world.discord.press(user, world.discord.backend.dm_channels[user], hand, pressed)
        assert await until(world.discord.stopped.is_set)
        world.discord.gate = lambda method, path: not path.endswith("/callback")
        answered = len(world.discord.requests)
        await world.discord.press(other, world.channel, world.board, f"1/{world.number}/hand//")
        assert await until(
            lambda: any(path.startswith("/webhooks/") for _, path, _ in world.discord.requests[answered:])
        )
        await send_sigterm(world)
        assert await asyncio.wait_for(world.process.wait(), HUNG) == 0
        assert world.moves() == [pressed.rsplit("/", 1)[1]]


async def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    async with running_bot(tmp_path, "ann", settings=PATIENT) as world:
        guild = world.discord.backend.get_channel(world.channel).guild_id
        assert await until(lambda: world.discord.backend.find_command("help", guild))
        world.discord.gate = lambda method, path: path.endswith("/callback")
        press = asyncio.create_task(world.discord.slash(world.people[0], world.channel, "help"))
        assert await until(world.discord.stopped.is_set)
        await send_sigterm(world)
        world.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(world.process.wait(), HUNG) == 128 + signal.SIGTERM
        press.cancel()


async def test_health_is_served_on_loopback_and_logs_are_json_without_the_token(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = {"LOG_FORMAT": "json", "LOG_LEVEL": "DEBUG", "HEALTH_PORT": str(port)}
    async with (
        running_bot(tmp_path, "ann", settings=told) as world,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as web,
    ):

        async def status(path: str) -> int:
            async with web.get(path) as answer:
                return answer.status

        assert await status("/livez") == 200
        for _ in range(int(HUNG / 0.05)):  # connected a moment after the session began
            if await status("/readyz") == 200:
                break
            await asyncio.sleep(0.05)
        async with web.get("/metrics") as answer:
            text = await answer.text()
        assert "sundial_connected 1" in text
        assert 'sundial_discord_calls_total{class="2xx"}' in text
        assert 'sundial_matches{status="playing"} 0' in text
        world.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(world.process.wait(), HUNG) == 0
        assert await world.process.stdout.read() == b""
        lines = [json.loads(line) for line in world.log().splitlines()]
        assert any(line["message"].startswith("invite link: https://discord.com/") for line in lines)
        assert all(set(line) <= set(FIELDS) for line in lines)
        assert "planted" not in world.log()
