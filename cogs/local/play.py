"""The entry of `--local`: the real bot on a simulated Discord, played in the browser without account or network."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import discord

from cogs.local.start_page import StartPage
from cogs.local.world import World
from cogs.transport.app_emoji import STORED, wanted
from data.records.key_values import KeyValues
from data.records.matches import Matches
from data.store.backup_files import folder, real
from data.store.database import Database, DatabaseRefusal
from data.store.schema import LOCAL

PORT_TAKEN = 2
IN_USE = 75


async def play_locally(
    make_bot: Callable[[Callable[[], float]], discord.Client],
    database: Path | str,
    port: int,
    players: int,
    fresh: bool,
    *,
    emoji: bool,
) -> int:
    """Play until a signal ends it, and return the exit code. `make_bot` takes the clock, in seconds since 1970.

    `database`: the file that the bot uses, or the URL of a PostgreSQL database; `fresh`: delete what it holds first;
    `emoji`: the bot has its own. Raises DatabaseRefusal.
    """
    if fresh and isinstance(database, Path):
        await _remove(database)
    await prepare(database, fresh=fresh)
    bot = make_bot(lambda: world.now().timestamp())
    world = World(bot)
    if emoji:
        world.add_emoji({name: png for name, (_, _, png) in wanted().items()})
    async with AsyncExitStack() as stack:
        stack.push_async_callback(world.close)
        await world.start()
        stack.enter_context(world.time_context())
        start = StartPage(world, players)
        try:
            runner = await start.open(port)
        except OSError as error:
            print(f"Port {port} cannot be used ({error.strerror}). Choose another with --port.", file=sys.stderr)  # noqa: T201
            return PORT_TAKEN
        stack.push_async_callback(runner.cleanup)
        running = asyncio.create_task(world.run_clock())
        for name in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # Windows: Ctrl-C arrives as KeyboardInterrupt
                asyncio.get_running_loop().add_signal_handler(name, running.cancel)
        print(f"Play at {start.home} in your browser. Ctrl-C ends it; your matches are kept.", flush=True)  # noqa: T201
        with suppress(asyncio.CancelledError):
            await running
    return 0


async def _remove(path: Path) -> None:
    """Delete the database with all that belongs to it. Raises DatabaseRefusal if another bot runs on it."""
    try:
        await (await Database.open(path)).close()
    except DatabaseRefusal as refusal:
        if refusal.code == IN_USE:
            raise
    file = real(path)
    for suffix in ("", "-wal", "-shm", ".lock", ".departed"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    shutil.rmtree(folder(path), ignore_errors=True)
    if file != path:
        file.touch(mode=0o600)  # a link to a missing file is refused


async def prepare(target: Path | str, *, fresh: bool = False) -> None:
    """Forget the messages, commands and emoji of the last run, which the new simulated Discord does not have. `fresh`:
    forget all that a PostgreSQL database holds. One that a bot on Discord uses is refused: raises DatabaseRefusal.
    """
    database = await Database.open(target, owner=LOCAL)
    try:
        if fresh and database.shared:
            from data.store.postgres_schema import clear  # psycopg is only installed if it is used

            await database.write(clear)
        values = KeyValues(database)
        await values.put("commands", "")
        await values.put(STORED, "{}")
        await Matches(database).forget_posts()
    finally:
        await database.close()
