"""A rolling restart: a bot of the next version joins and adds to the tables. The first gets SIGTERM. Every command is
answered meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import psycopg

from data.records.request_budget import IDENTIFY_GAP
from tests.process.loopback import Loopback, until
from tests.process.world import ROOT
from tests.support.hung import HUNG
from tests.support.next_version import TABLE, add_migration
from tests.support.postgres import Databases

TOTAL = 2


async def start(discord: Loopback, url: str, log: Path, **more: str) -> Any:
    env = {
        "PATH": os.environ["PATH"],
        "DISCORD_TOKEN": "planted",
        "DATABASE_URL": url,
        "WORKERS": "0",
        "EMOJI": "no",
        **more,
    }
    with log.open("ab") as to:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.process.launch", discord.origin), cwd=ROOT, env=env, stderr=to
        )


def held(discord: Loopback) -> list[int]:
    return sorted(session.shard[0] for session in discord.sessions)


def turn(url: str) -> float:
    """Return when the last turn to identify is due that the database has given, in milliseconds since 1970."""
    with psycopg.connect(url) as connection:
        [(free_at,)] = connection.execute("SELECT free_at FROM identify").fetchall()
    return float(free_at) - IDENTIFY_GAP


def waited_for(due: float, discord: Loopback) -> bool:
    """Return whether the last identify came in its turn, and not before. How much later is the machine's affair."""
    came = time.time() - time.monotonic() + discord.identified[-1][0]
    return 1000 * came > due - 10  # the two clocks are not read at once


async def rolling_restart(databases: Databases, folder: Path) -> None:
    """Assert that all commands are answered while the second bot takes over from the first."""
    silent: list[int] = []

    async def ask(discord: Loopback, channel: int, number: int) -> None:
        guild = discord.backend.get_channel(channel).guild_id
        user = discord.backend.make_user(f"person{number}").id
        discord.backend.add_member(guild, user)
        record = await discord.slash(user, channel, "help")
        if not record.responded:
            silent.append(number)

    async with Loopback() as discord:
        discord.shards = TOTAL
        channels = []
        for shard in range(TOTAL):
            guild = discord.backend.create_guild(f"Harbour {shard}", shard_id=shard, shard_count=TOTAL)
            discord.backend.add_member(guild.id, discord.backend.bot_user.id)
            channels.append(discord.backend.create_channel(guild.id, "games").id)
        log = folder / "bots.log"
        with databases.empty() as url:
            first = await start(discord, url, log)
            bots = [first]
            try:
                assert await until(lambda: "ready: 2 servers" in log.read_text()), log.read_text()
                assert waited_for(begun := turn(url), discord)
                asking: set[asyncio.Task[None]] = set()

                async def ask_all() -> None:
                    number = 0
                    while True:
                        for channel in channels:
                            asking.add(asyncio.create_task(ask(discord, channel, number)))
                            number += 1
                        await asyncio.sleep(0.25)

                crowd = asyncio.create_task(ask_all())
                migrations = str(add_migration(folder))
                bots.append(second := await start(discord, url, log, MIGRATIONS=migrations))
                assert await until(lambda: "is taken over" in log.read_text()), log.read_text()
                assert await until(lambda: len(discord.sessions) == TOTAL), "the first gives one shard up"
                first.send_signal(signal.SIGTERM)
                assert await asyncio.wait_for(first.wait(), HUNG) == 0
                before = len(asking)
                assert await until(lambda: len(asking) > before + TOTAL)
                crowd.cancel()
                await asyncio.gather(*asking)
                assert second.returncode is None
                assert waited_for(ended := turn(url), discord)
                assert len(discord.identified) == 2 * TOTAL
                assert ended - begun >= TOTAL * IDENTIFY_GAP, "each shard of the second has waited for its turn"
                assert held(discord) == list(range(TOTAL)), "the second serves all"
                with psycopg.connect(url) as connection:
                    connection.execute(f"SELECT count(*) FROM {TABLE}".encode())  # the second has made it
            finally:
                for one in bots:
                    if one.returncode is None:
                        one.kill()
                        await one.wait()
    assert not silent, silent
    assert not re.search(r"ERROR|CRITICAL|Traceback", log.read_text()), log.read_text()
