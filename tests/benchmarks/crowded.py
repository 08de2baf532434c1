"""A Discord on this machine with many open matches: `python -m tests.benchmarks.crowded MATCHES [BEHIND]`.

One table of Sea Change is real; the others are rows of the database (tests/benchmarks/crowd.py) in servers that are
there, whose messages are answered for without being kept. Each line on the input is a command of `Crowded`; the answer
is JSON. The bot runs in a process of its own, as it does with its owners.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import signal
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from aiohttp import web
from simcord.backend import serializers

from tests.benchmarks.busy import processor_time
from tests.benchmarks.crowd import fall_behind, fill
from tests.benchmarks.world import NAMES, TARGET, encrypted, quiet
from tests.process.loopback import until
from tests.process.world import World, children, match

SERVERS, CHANNELS = 100, 5
"""Servers that the crowd plays in, and channels of each."""
MESSAGE = re.compile(r"/channels/(\d+)/messages(?:/(\d+))?")
IDLE = 60
"""Seconds in which nothing is pressed."""
A_WHILE = 20
"""Seconds of presses, one a second, after which memory is looked at again."""


class Crowded:
    """The world and what can be asked of it."""

    def __init__(self, world: World, matches: int, behind: int) -> None:
        self._world, self._discord, self._backend = world, world.discord, world.discord.backend
        self._matches, self._behind = matches, behind
        self._keep = world.database.with_name("filled.db")
        self._shown: set[str] = set()
        self._rest, self._discord.answer_rest = self._discord.answer_rest, self._answer

    async def prepare(self) -> None:
        """End the bot, and fill its database."""
        await self._stop()
        backend, places = self._backend, []
        for number in range(SERVERS if self._matches else 0):
            guild = backend.create_guild(f"Server {number}").id
            backend.add_member(guild, backend.bot_user.id)
            places += [(guild, backend.create_channel(guild, f"games {n}").id) for n in range(CHANNELS)]
        await fill(self._world.database, self._matches - 1, places, self._user)
        if self._behind:
            fall_behind(self._world.database, self._behind)
        shutil.copyfile(self._world.database, self._keep)

    async def start(self) -> dict[str, float]:
        """Start the bot on the database as it was filled; seconds until a press at the real table has its hand."""
        await self._stop()
        for name in ("bot.db-wal", "bot.db-shm"):
            self._world.database.with_name(name).unlink(missing_ok=True)
        shutil.copyfile(self._keep, self._world.database)
        self._shown.clear()
        begin = perf_counter()
        await self._world.start()
        await self._look()
        return {"served": perf_counter() - begin}

    async def press(self) -> dict[str, float]:
        begin = perf_counter()
        await self._look()
        return {"hand": 1000 * (perf_counter() - begin)}

    async def a_while(self) -> dict[str, float]:
        """Press now and then for a while; the longest wait for a hand, in milliseconds."""
        waits = []
        for _ in range(A_WHILE):
            await asyncio.sleep(1)
            waits.append((await self.press())["hand"])
        return {"middle": median(waits), "longest": max(waits)}

    async def games(self) -> dict[str, float]:
        """`/games` of one who sits at three tables, in milliseconds."""
        return {"games": await self._timed(lambda: self._discord.slash(self._user, self._world.channel, "games"))}

    async def complete(self) -> dict[str, float]:
        """What `/board` offers to the same person while they type, in milliseconds."""
        command = self._backend.find_command("board", self._backend.get_channel(self._world.channel).guild_id)
        option = {"name": "table", "type": 4, "value": "", "focused": True}
        data = {"id": command["id"], "name": "board", "type": 1, "options": [option]}
        begin = perf_counter()
        record = await self._discord.act(4, self._user, self._world.channel, data)
        assert record.responded
        return {"complete": 1000 * (perf_counter() - begin)}

    async def memory(self) -> dict[str, float]:
        """Resident memory of the bot in MB, now and at most so far; and how much of the crowd it has shown again."""
        kilobytes = _memory(self._world.process.pid)
        now, most = (int(kilobytes[name]) / 1024 for name in ("VmRSS", "VmHWM"))
        return {"now": now, "most": most, "shown": len(self._shown)}

    async def idle(self) -> dict[str, float]:
        """What a bot takes whose matches all wait, once it has shown all again: % of a core, and memory in MB."""
        seen = -1
        while len(self._shown) != seen:
            seen = len(self._shown)
            await asyncio.sleep(IDLE / 4)
        before, begin = self._spent(), perf_counter()
        await asyncio.sleep(IDLE)
        core = 100 * (self._spent() - before) / (perf_counter() - begin)
        return {"core": core, **await self.memory()}

    def _spent(self) -> float:
        bot = self._world.process.pid
        return processor_time(bot) + sum(map(processor_time, children(bot)))

    @property
    def _user(self) -> int:
        return self._world.people[0]

    async def _stop(self) -> None:
        if self._world.process.returncode is None:
            self._world.process.send_signal(signal.SIGTERM)
            await self._world.process.wait()
            await until(lambda: not self._discord.sessions, 5)

    async def _look(self) -> None:
        """Press "Hand" at the real table, until the hand is there."""
        custom_id = f"1/{self._world.number}/hand//"
        world = self._world
        await self._timed(lambda: self._discord.press(self._user, world.channel, world.board, custom_id))

    async def _timed(self, act: Any) -> float:
        """Milliseconds until an interaction is answered in full."""
        begin, seen = perf_counter(), len(self._discord.answered)

        def answered() -> float | None:
            found = self._discord.answered[seen:]
            return next((at for at, _, path in found if "/webhooks/" in path), None)

        await act()
        assert await until(answered, 60)
        at = answered()
        assert at is not None
        return 1000 * (at - begin)

    async def _answer(self, request: web.Request) -> web.Response:
        """Answer for the messages of the crowd: as done."""
        found, method = MESSAGE.search(request.path), request.method
        real = {self._world.channel, *self._backend.dm_channels.values()}
        if found is None or int(found[1]) in real:
            return await self._rest(request)
        await request.read()
        await asyncio.sleep(0)
        if method == "GET" or method == "DELETE":
            return web.json_response([]) if method == "GET" else web.Response(status=204)
        self._shown.add(request.path)
        payload = dict(serializers.message_payload(self._backend, self._world.board))
        payload |= {"id": found[2] or str(self._backend.snowflake()), "channel_id": found[1], "components": []}
        body = json.dumps(payload, default=str).encode()
        return web.Response(body=body, headers={"Content-Type": "application/json"})


def _memory(process: int) -> dict[str, str]:
    """What Linux says of a process's memory, in kB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Vm")}


async def main(matches: int, behind: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        encryption, settings = encrypted(folder)
        settings |= {"EDIT_SECONDS": "1.5", "TABLES_EACH": "0"}
        async with match(folder, *NAMES[:2], target=TARGET, encryption=encryption, settings=settings) as world:
            await quiet(world.discord)
            crowded = Crowded(world, matches, behind)
            await crowded.prepare()
            print("ready", flush=True)
            while command := (await asyncio.to_thread(sys.stdin.readline)).strip():
                print(json.dumps(await getattr(crowded, command)()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
