"""Matches that are over."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from data.records.match import Status
from tests.support.matches import play_on
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table


def text(sim: Simulation) -> str:
    return "\n".join(words(raw(sim.board())))


async def stopped(sim: Simulation, moves: int = 8) -> None:
    """Play some moves by chance at table 1, and stop the match."""
    await play_on(sim.service, 1, moves, random=Random("stopped"))
    async with sim.service.deciding(1) as match:
        await sim.service.save(replace(match, status=Status.STOPPED, ended_at=int(sim.service.now())))
    await sim.caught_up()


async def over(sim: Simulation, *names: str) -> Table:
    """A match that its people have ended."""
    table = await Table.begin(sim, "sea_change", sim.join_server(*names), seed="over")
    for person in table.people[: len(names) // 2 + 1]:
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await table.now())[0].status is Status.STOPPED
    return table
