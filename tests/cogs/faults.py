"""Faults on purpose, and the moves that run into them."""

from __future__ import annotations

from typing import Any

from cogs.match.time_controls import HOUR
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.publisher import Publisher, PublishTiming
from tests.support.simulation import Simulation
from tests.support.table import Table


def publisher(sim: Simulation) -> Publisher:
    return sim.bot.app.publisher


async def move(table: Table) -> None:
    await table.decide(await table.mover())


def hourly(sim: Simulation) -> None:
    """From now on what has failed is tried again each hour, and not while one waits for the bot to come to rest."""
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=HOUR, longest_retry=HOUR))


class AnswersLost:
    """In the place of a sender: the first send of each nonce is done, and its answer lost; Discord then knows it."""

    def __init__(self, send: Any) -> None:
        self.send = send
        self.known: dict[str, Any] = {}

    async def __call__(self, *args: Any, nonce: str, **how: Any) -> Any:
        if nonce in self.known:
            return self.known[nonce]
        self.known[nonce] = await self.send(*args, nonce=nonce, **how)
        raise DiscordFailure(Failure.LATER)
