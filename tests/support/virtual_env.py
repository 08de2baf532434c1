"""simcord's Discord in virtual time."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from simcord.env import Env

from bot import Bot
from cogs.transport.newcomers import TASK
from cogs.transport.request_budget import Requests
from tests.support.quick_sqlite import quick_sqlite


class VirtualTimeEnv(Env):
    """A simulated Discord in which tasks that wait for a deadline wait for `advance_time`, not for real time."""

    async def start(self) -> None:
        self._prepare(self.bot)
        with quick_sqlite():
            await super().start()

    async def restart_bot(self, bot: discord.Client | None = None) -> None:
        self._prepare(bot or self.bot)
        with quick_sqlite():
            await super().restart_bot(bot)

    def _prepare(self, bot: discord.Client) -> None:
        """Tell the bot the time: Discord's answer to the login does this by a header, which is missing here. Let it
        reserve no requests: they do not go by aiohttp here, so none of them is counted.
        """
        assert isinstance(bot, Bot)
        bot.watch.heard(self.now().timestamp())
        vars(bot.budget).update(reserved=Requests().reserved)

    async def _settle_internal(self, **how: Any) -> None:
        if how.get("timeout") is not None:  # simcord gives a start 5 s, which a busy machine exceeds
            how["timeout"] = max(how["timeout"], self.settle_timeout)
        await super()._settle_internal(**how)

    def _schedule_timer(self, *how: Any) -> None:
        task = asyncio.current_task()
        if task is None or not task.get_name().startswith(("clock", TASK)):
            super()._schedule_timer(*how)
