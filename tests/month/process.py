"""A run of the bot's process in virtual time, on a Discord in memory; and what of it is small, so that it is quick."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import bot as program
import cogs.match.quarantine
import cogs.messages.drawing
import data.store.database
import rules.core.computer
from bot import Bot, Settings, create_bot
from rendering import renderer
from rules import GAMES
from tests.month.fake_discord import FakeDiscord
from tests.month.virtual_time import PROCESS_RUN, Connection, ProcessRun
from tests.support.pixels import either, pixel, plain_pictures


class Process:
    """From the login until it is stopped or killed. `now` gives seconds since 1970 as the host's clock has them."""

    def __init__(self, settings: Settings, discord: FakeDiscord, now: Callable[[], float]) -> None:
        self._discord, self._life, self._context = discord, ProcessRun(), copy_context()
        self._context.run(PROCESS_RUN.set, self._life)
        self.bot: Bot = create_bot(settings, now, asyncio.get_running_loop().time)
        self._context.run(discord.adopt, self.bot, self._life)
        discord.enter = self._context.run

    @classmethod
    async def start(cls, settings: Settings, discord: FakeDiscord, now: Callable[[], float]) -> Process:
        """A new one, which finds Discord there."""
        process = cls(settings, discord, now)
        await asyncio.create_task(process.bot.login("token"), context=process._context)
        discord.enter(discord.ready)
        return process

    @property
    def over(self) -> bool:
        return self._life.dead

    async def stop(self) -> None:
        """SIGTERM."""
        self._discord.connected = False
        await asyncio.create_task(self.bot.close(), context=self._context)
        await self._life.end()

    async def kill(self) -> None:
        """As by `kill -9`. What was written stays written."""
        assert self.bot.app is not None and self.bot._database is not None
        self._discord.connected = False
        await self._life.die()
        self.bot.app.messages.close()
        lock = self.bot._database._lock_file
        assert lock is not None
        lock.close()


@contextmanager
def fast_settings(seed: str, pictures: Callable[[], bool] = bool) -> Iterator[pytest.MonkeyPatch]:
    """What costs time and is tested elsewhere is small; luck follows from the seed. Where `pictures` says so they are
    drawn; else each is one pixel whose colour is that of the view and its labels.
    """
    luck = Random(f"{seed} luck")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "gc", SimpleNamespace(unfreeze=int, collect=int, freeze=int))
        patch.setattr(rules.core.computer, "PLIES", 10)
        patch.setattr(secrets, "token_hex", lambda size=8: luck.randbytes(size).hex())
        patch.setattr(cogs.messages.drawing, "_rehearsed", set(GAMES))
        patch.setattr(cogs.match.quarantine, "time", SimpleNamespace(sleep=float, perf_counter=time.perf_counter))
        patch.setattr(data.store.database.aiosqlite, "connect", Connection)
        patch.setattr(data.store.database, "SETTINGS", (*data.store.database.SETTINGS, "synchronous=OFF"))
        patch.setattr(Bot, "_sync_commands", _all_known)
        plain_pictures(patch, pictures)
        for slug in GAMES:
            patch.setattr(renderer(slug), "last", either(pictures, renderer(slug).last, _last))
        yield patch


async def _all_known(bot: Bot, facts: object) -> None:
    """Discord has been told of the commands."""


def _last(view: object, labels: Any) -> tuple[bytes, str]:
    return pixel(view, labels), "The last of it."
