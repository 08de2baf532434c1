"""A run of the bot's process in virtual time, on a Discord in memory; and settings that make it fast."""

from __future__ import annotations

import asyncio
import gc
import resource
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import copy_context
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import bot as program
import cogs.match.quarantine
import cogs.messages.drawing
import data.store.sqlite
import rules.core.coach
import rules.core.computer
from bot import Bot, Settings, create_bot
from data.store.backup_files import folder
from rendering import renderer
from rules import GAMES
from tests.month.fake_discord import FakeDiscord
from tests.month.virtual_time import PROCESS_RUN, Connection, ProcessRun
from tests.support.hasty import HASTY_COACH, hasty_levels
from tests.support.inside import database_of
from tests.support.pixels import either, pixel, plain_pictures

OURS = {"bot", "cogs", "data", "discord", "rendering", "rules"}


class Process:
    """One process, from the login until it is stopped or killed. `now`: the system clock, in seconds since 1970."""

    def __init__(self, settings: Settings, discord: FakeDiscord, now: Callable[[], float]) -> None:
        self._discord, self._life, self.context = discord, ProcessRun(), copy_context()
        self.context.run(PROCESS_RUN.set, self._life)
        self.bot: Bot = create_bot(settings, now, asyncio.get_running_loop().time)
        self.context.run(discord.adopt, self.bot, self._life)
        discord.enter = self.context.run

    @classmethod
    async def start(cls, settings: Settings, discord: FakeDiscord, now: Callable[[], float]) -> Process:
        process = cls(settings, discord, now)
        await asyncio.create_task(process.bot.login("token"), context=process.context)
        discord.enter(discord.ready)
        return process

    @property
    def over(self) -> bool:
        return self._life.dead

    async def stop(self) -> None:
        """Stop the process as SIGTERM does."""
        self._discord.connected = False
        await asyncio.create_task(self.bot.close(), context=self.context)
        await self._life.end()

    def holds(self, database: Path) -> Counter[str]:
        """Return what the process holds now: tasks, open files, files beside its database, backups, the database's rows
        by table, and MB of memory, which the simulated Discord takes too.
        """
        held = Counter({"tasks": sum(not task.done() for task in self._life.tasks)})
        held["open files"] = len(list(Path("/proc/self/fd").iterdir()))
        held["backups"] = len(list(folder(database).glob("*")))
        held["files"] = sum(path.is_file() for path in database.parent.rglob("*")) - held["backups"]
        held["MB"] = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (table,) in tables:
                held[f"rows: {table}"] = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        return held

    async def kill(self) -> None:
        """Kill the process as `kill -9` does. What was written stays."""
        assert self.bot.app is not None and database_of(self.bot) is not None
        self._discord.connected = False
        await self._life.die()
        self.bot.app.messages.drawing.close()
        lock = database_of(self.bot).engine.lock_file
        assert lock is not None
        lock.close()


def objects() -> int:
    """Return how many of the product's and of discord.py's objects are in memory."""
    gc.collect()
    return sum(str(type(found).__module__).partition(".")[0] in OURS for found in gc.get_objects())


@contextmanager
def fast_settings(seed: str, pictures: Callable[[], bool] = bool) -> Iterator[pytest.MonkeyPatch]:
    """Make the bot fast: shrink or skip what costs time and is tested elsewhere. Secrets follow from the seed. Pictures
    are drawn while `pictures` returns true; else each is one pixel whose colour follows from the view and its labels.
    """
    luck = Random(f"{seed} luck")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "gc", SimpleNamespace(unfreeze=int, collect=int, freeze=int))
        patch.setattr(rules.core.computer, "LEVELS", hasty_levels(1))
        for name, few in HASTY_COACH.items():
            patch.setattr(rules.core.coach, name, few)
        patch.setattr(secrets, "token_hex", lambda size=8: luck.randbytes(size).hex())
        patch.setattr(cogs.messages.drawing, "_prewarmed", set(GAMES))
        patch.setattr(cogs.match.quarantine, "time", SimpleNamespace(sleep=float, perf_counter=time.perf_counter))
        patch.setattr(data.store.sqlite.aiosqlite, "connect", Connection)
        patch.setattr(data.store.sqlite, "SETTINGS", (*data.store.sqlite.SETTINGS, "synchronous=OFF"))
        patch.setattr(Bot, "sync_commands", _all_known)
        plain_pictures(patch, pictures)
        for slug in GAMES:
            patch.setattr(renderer(slug), "last", either(pictures, renderer(slug).last, _last))
        yield patch


async def _all_known(bot: Bot, facts: object) -> None:
    """Skip the registration of the commands at Discord."""


def _last(view: object, labels: Any) -> tuple[bytes, str]:
    return pixel(view, labels), "The last of it."
