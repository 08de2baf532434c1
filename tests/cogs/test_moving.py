"""`bot.py --move-to` with the whole bot: after the move it goes on, with the buttons that people had before it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import discord
from simcord.actors import MemberActor

from cogs.move import move
from cogs.runtime.process import Exit
from data.records.match import Status
from rules import GAMES
from tests.support.simulation import Offer, Simulation, offers, raw
from tests.support.table import Table, fewest_seats, shortest_options


async def moved(sim: Simulation, to: str, url: str | None) -> list[str]:
    """Stop the bot, move its database, and start it there. `url`: the database that it uses from now on."""
    said: list[str] = []
    await sim.env.settle()
    await sim.bot.close()
    done = await asyncio.to_thread(move, sim.settings, Path("/"), to, said.append)
    assert done is Exit.ENDED, said
    sim.settings = replace(sim.settings, database_url=url, database=sim.settings.database if url else to)
    await sim.start_bot()
    await sim.env.settle()
    return said


async def button(sim: Simulation, number: int) -> tuple[MemberActor, discord.Message, Offer]:
    """A move or a step to one that a player of that match is offered now, with the hand that offers it."""
    match = await sim.match(number)
    person = sim.by_id(match.chairs[min(sim.service.state(match).to_move())].player)
    return next(
        (person, message, offer)
        for message in reversed(sim.dms(person))
        for offer in offers(raw(message))
        if offer.custom_id.startswith(f"1/{number}/")
    )


async def test_all_games_go_on_after_it_with_the_buttons_from_before(
    empty: str, sim: Simulation, plain: None, tmp_path: Path
) -> None:
    people = sim.join_server("alice", "bob", "carol")
    running = []
    for slug in GAMES:
        seats = fewest_seats(slug)
        table = await Table.begin(sim, slug, people[:seats], seed=slug, options=shortest_options(slug, seats))
        await sim.play_on(table.number, 3)
        running.append(table.number)
    over = await Table.begin(sim, "sea_change", people[:2], seed="over", options=shortest_options("sea_change", 2))
    await sim.play_on(over.number, 1_000)
    assert (await sim.match(over.number)).status is Status.OVER
    await people[0].slash(sim.channel, "learn", game="sea_change")
    assert (await sim.match(over.number + 1)).lesson

    last = over.number + 1
    for to, url in ((empty, empty), (str(tmp_path / "back.db"), None)):
        before = [await sim.match(number) for number in range(1, last + 1)]
        history = await sim.slash(people[0], "history")
        pressed = [await button(sim, number) for number in running]
        said = await moved(sim, to, url)
        assert any(line.startswith(f"{last} matches were replayed") for line in said), said
        assert [await sim.match(number) for number in range(1, last + 1)] == before
        assert await sim.slash(people[0], "history") == history
        for person, hand, offer in pressed:
            result = await sim.press(person, hand, offer.custom_id, offer.value)
            assert offer.action != "move" or "✓ Done: " in sim.said(result)
        for number in running:
            await sim.play_on(number, 3)
            assert (await sim.match(number)).moves > before[number - 1].moves
        assert before[over.number - 1].secret in await sim.slash(people[0], "verify", table=over.number)
        opened = await Table.open(sim, "sea_change", people[:2], seed=to)
        assert opened.number == last + 1
        last = opened.number
    await sim.play_on(running[0], 2_000)
    assert (await sim.match(running[0])).status is Status.OVER
