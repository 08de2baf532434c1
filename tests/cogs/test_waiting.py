"""However many wait for a seat, and whatever they are called: what a table is held to stays in its message."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match.membership import MOST_WAITING
from cogs.match.restored import mark
from cogs.messages.content import Content
from cogs.messages.names import MOST
from cogs.transport.compare_restored import shown_by
from cogs.transport.components import layout_view
from data.records.match import Waiting
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

HOSTILE = "@" * MOST
"""Three letters each, once they are harmless."""


def crowd(count: int) -> tuple[Waiting, ...]:
    return tuple(Waiting(5000 + number, HOSTILE) for number in range(count))


async def waited_for(sim: Simulation, count: int) -> str:
    """The table once so many wait at it."""
    for who in crowd(count):
        await sim.service.people.meet(who.user, who.name)
    async with sim.service.deciding(1) as match:
        await sim.service.save(replace(match, waiting=crowd(count)))
    sim.bot.app.publisher.changed(1)
    while sim.bot.app.publisher.behind()[0]:
        await sim.env.settle()
    return "\n".join(words(raw(sim.board())))


async def test_a_crowd_that_waits_does_not_hide_the_mark(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", [alice, bob], seed="crowd")
    lobby = await waited_for(sim, 45)
    assert "and 37 more" in lobby
    assert lobby.count("\\@") == 8 * MOST
    await table.start()
    shown = await waited_for(sim, 45)
    assert "and 37 more" in shown
    match, state = await table.now()
    shown_there = shown_by(sim.board(), 1)
    assert shown_there.mark == mark(match, state, await sim.service.events_of(match))
    assert "and" not in (await waited_for(sim, 1)).partition("Waiting list")[2].splitlines()[0]


async def test_the_list_of_those_who_wait_comes_to_an_end(sim: Simulation, tide: Table) -> None:
    await waited_for(sim, MOST_WAITING)
    (ida,) = sim.join_server("ida")
    assert f"The waiting list is full: {MOST_WAITING} people." in await sim.slash(ida, "join", table=1)
    assert len((await sim.match()).waiting) == MOST_WAITING
    await waited_for(sim, MOST_WAITING - 1)
    assert "You are on the waiting list" in await sim.slash(ida, "join", table=1)


def test_the_foot_of_a_message_is_cut_by_nothing() -> None:
    content = Content(("a " * 1500, "b " * 3000), note="c " * 500, foot="-# Position 7")
    texts = words({"components": [part.to_component_dict() for part in layout_view(content).children]})
    assert sum(map(len, texts)) <= 4000
    assert texts[-1] == "-# Position 7"
    assert replace(content, foot="-# Position 8").digest() != content.digest()


async def test_who_neither_plays_nor_waits_is_told_so_by_leave(sim: Simulation, tide: Table) -> None:
    (carol,) = sim.join_server("carol")
    assert "waiting list" in await sim.forge(carol, "1/1/join//")
    assert "You have left" in await sim.slash(carol, "leave", table=1)
    assert "You are not playing at this table" in await sim.slash(carol, "leave", table=1)
    await sim.forge(tide.people[0], "1/1/give_seat//")
    assert "You are no longer at this table" in await sim.slash(tide.people[0], "leave", table=1)
