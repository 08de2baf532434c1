"""Matches that are over."""

from __future__ import annotations

from data.records.match import Status
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table


def text(sim: Simulation) -> str:
    return "\n".join(words(raw(sim.board())))


async def over(sim: Simulation, *names: str) -> Table:
    """A match that its people have ended."""
    table = await Table.begin(sim, "sea_change", sim.join_server(*names), seed="over")
    for person in table.people[: len(names) // 2 + 1]:
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await table.now())[0].status is Status.STOPPED
    return table
