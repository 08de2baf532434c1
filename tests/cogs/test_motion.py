"""At a moment that is worth it the table's picture moves, unless the server or somebody at the table wants it still."""

from __future__ import annotations

import json

import pytest

from data.records.people import PictureWish
from tests.support.simulation import Simulation, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def moves(sim: Simulation) -> bool:
    return "table.webp" in json.dumps(raw(sim.board()))


async def opened(sim: Simulation, table: Table) -> None:
    """Everybody pledges, and the pledges are opened."""
    _, before = await table.now()
    while True:
        match, state = await table.now()
        if state.view(None).last_reveal != before.view(None).last_reveal:
            return
        await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))


async def test_opened_pledges_move_until_the_next_decision(sim: Simulation, siege: Table) -> None:
    assert not moves(sim)
    await opened(sim, siege)
    assert moves(sim)
    await sim.restart()
    assert moves(sim), "the same picture after a restart"
    match, state = await siege.now()
    await siege.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    assert not moves(sim)
    sim.check()


@pytest.mark.parametrize("who", ["person", "server"])
async def test_who_wants_it_still_gets_it_still(sim: Simulation, siege: Table, who: str) -> None:
    people = siege.people
    if who == "person":
        await sim.forge(people[1], "1/0/setting//pictures", values=["still"])
        assert (await sim.host.people.get(people[1].id)).pictures == {PictureWish.STILL}
    else:
        match, _ = await siege.now()
        await sim.host.policy.change(match.guild, motion=False)
    await opened(sim, siege)
    assert not moves(sim)
