"""Before the bot ends: nothing new is taken up, what has changed is shown, computers rest."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.match.automatic_moves import AutomaticMoves
from data.content.texts import texts
from tests.cogs.clocked import both
from tests.cogs.faults import publisher
from tests.support.simulation import Simulation, offers
from tests.support.table import Table

RESTARTING = texts("en")["refused.restarting"]


async def move_unseen(sim: Simulation, table: Table) -> None:
    """A move that is recorded and not shown yet."""
    player, _ = await both(table)
    turn, text = offers(sim.hand(player))[0].custom_id.split("/", 4)[3:]
    await sim.service.play(table.number, player.id, turn, text)
    publisher(sim).changed(table.number)
    assert publisher(sim).behind()[0] == 1


@pytest.mark.parametrize("how", ["a move", "a button at the table", "a silent button", "a command", "a setting"])
async def test_whatever_is_pressed_then_is_turned_away_for_that_person_alone(
    sim: Simulation, tide: Table, how: str
) -> None:
    player, _ = await both(tide)
    board, hand, cursor = sim.board(), sim.hand(player), sim.cursor
    before = [(m.id, m.edited_at) for m in sim.channel.history()]
    await sim.bot.drain()
    if how == "a command":
        said = await sim.slash(player, "hand")
    elif how == "a setting":
        said = await sim.slash(player, "settings")
    elif how == "a move":
        said = sim.said(await sim.press(player, hand, offers(hand)[0].custom_id))
    else:
        action = "hand" if how == "a button at the table" else "start"
        said = await sim.forge(player, f"1/{tide.number}/{action}//", message=board.id)
    assert said == RESTARTING
    assert {shown.viewer for shown in sim.shown(cursor)} == {player.id}
    assert (await tide.now())[0].moves == 0
    assert [(m.id, m.edited_at) for m in sim.channel.history() if not m.flags.ephemeral] == before
    assert 'result="turned_away"} 1' in sim.bot.metrics.text({})


async def test_what_somebody_types_is_under_way_too(sim: Simulation, tide: Table) -> None:
    """Else it would be answered through a session that is closed."""
    app, seen = sim.bot.app, []

    async def work() -> list[tuple[int, str]]:
        seen.append(asyncio.current_task() in app.interactions.under_way)
        await asyncio.sleep(60)
        return []

    alice = tide.people[0]
    typing = cast(Any, SimpleNamespace(user=alice, guild_id=None))
    task = asyncio.create_task(app.interactions.complete(typing, work))
    await asyncio.sleep(0)
    assert seen == [True]
    await app.interactions.break_off()
    assert task.cancelled()
    assert not app.interactions.under_way


async def test_computers_rest(sim: Simulation, plain: None) -> None:
    alice = sim.join_server("alice")
    table = await Table.begin(sim, "sea_change", alice, seed="rest", computers=1)
    await sim.env.advance_time(60)  # until the person is waited for
    await sim.env.settle()
    await publisher(sim).drain()
    await sim.press(alice[0], sim.hand(alice[0]), offers(sim.hand(alice[0]))[0].custom_id)
    before, _ = await table.now()
    assert AutomaticMoves(sim.service).next_seat(before) is not None, "it is a computer's turn"
    await sim.env.advance_time(60)
    await sim.env.settle()
    assert (await table.now())[0].moves == before.moves
    await sim.restart()
    await sim.env.advance_time(60)
    await sim.env.settle()
    assert (await table.now())[0].moves > before.moves, "from the next start on they go on"


async def test_what_is_behind_is_shown_first(sim: Simulation, tide: Table) -> None:
    await move_unseen(sim, tide)
    await sim.bot.drain()
    assert publisher(sim).behind() == (0, 0.0)
    assert not await sim.matches.posts.behind()


async def test_what_cannot_be_shown_is_not_waited_for_for_ever(sim: Simulation, tide: Table) -> None:
    sim.env.inject_error("PATCH", f"/channels/{sim.channel.id}/messages/*", status=503, times=None)
    await move_unseen(sim, tide)
    await publisher(sim).drain(0.2)
    assert publisher(sim).behind()[0] == 1
    sim.env.backend.faults.clear()
    await sim.restart()
    assert publisher(sim).behind() == (0, 0.0), "the next run shows it"
