"""One bot on a simulated Discord, in a process of its own: `python -m tests.benchmarks.world bare|<people> <matches>`.

Each line on its input is one press; it answers with JSON: seconds from the press to its acknowledgement and to the new
board, and processor seconds until all is shown. With people, it is our bot: that many of them at a table of Sea Change
(alone: against the game's own opponent), with so many more live matches in the database. `bare` is a discord.py button
that acknowledges and edits a ready picture in.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import discord
import simcord

import cogs._publisher
from cogs._components import Id
from cogs._publisher import Publisher
from cogs.tables import Tables
from data.matches import Match
from data.people import Person
from tests.support.simulation import Simulation, finish, simulate

PICTURE = Path(__file__).parents[2] / "docs" / "table.png"


class Watch:
    """Notes when what a press leads to has happened: "acknowledged", "board", "pressed", "shown"."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self._happened = asyncio.Condition()

    def wrap(self, owner: Any, name: str, event: str, counts: Callable[..., bool] = lambda *_: True) -> None:
        """From now on, the end of each call of `owner.name` whose arguments count is that event."""
        inner: Callable[..., Awaitable[Any]] = getattr(owner, name)

        async def outer(*arguments: Any, **how: Any) -> Any:
            result = await inner(*arguments, **how)
            if counts(*arguments):
                self.at[event] = perf_counter()
                async with self._happened:
                    self._happened.notify_all()
            return result

        setattr(owner, name, outer)

    async def measure(self, press: Callable[[], object], *events: str) -> dict[str, float]:
        """Press, and wait for all these events."""
        self.at.clear()
        begin, processor = perf_counter(), process_time()
        press()
        async with self._happened:
            await self._happened.wait_for(lambda: all(event in self.at for event in events))
        spent = process_time() - processor
        return {"processor": spent, **{event: at - begin for event, at in self.at.items()}}


async def answer(press: Callable[[], Awaitable[dict[str, float]]]) -> None:
    """A press for each line on the input, until it ends."""
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await press()), flush=True)


async def ours(people: int, others: int) -> None:
    with TemporaryDirectory() as folder:
        world = await simulate(Path(folder))
        with world.env.time_context():
            players = world.join_server(*("alice", "bob", "carol", "dave")[:people])
            number = (await table(world, players)).id
            for _ in range(others):
                await someones_table(world)
            watch = Watch()
            watch.wrap(discord.InteractionResponse, "defer", "acknowledged")
            watch.wrap(cogs._publisher, "edit", "board", lambda message, _: message.channel.id == world.channel.id)
            watch.wrap(Publisher, "_show", "shown", lambda _, shown: shown == number)
            watch.wrap(Tables, "_press_in_hand", "pressed")

            async def press() -> dict[str, float]:
                match, state = await world.match(number), await world.state(number)
                seat = min(state.to_move())
                person = world.by_id(match.chairs[seat].user or 0)
                custom_id = str(Id(number, "move", state.turn(seat), str(state.legal_moves(seat)[0])))
                where = {"message": world.hand(person).id, "channel": person.user.dm_channel.id}
                found = await watch.measure(
                    lambda: world.raw_press(person, custom_id, **where), "acknowledged", "board", "pressed", "shown"
                )
                await shown(world, number)
                return found

            await answer(press)
        await finish(world)


async def table(world: Simulation, players: list[Any]) -> Match:
    """A running match of these people, who take direct messages."""
    host, house = world.host, world.bot.house
    assert house is not None
    for person in players:
        await house.people.meet(person.id, person.user.name)
        channel = person.user.dm_channel.id
        await house.people.save(Person(person.id, person.user.name, dm=channel, dm_works=True))
    first, *rest = players
    where = {"guild": world.guild.id, "channel": world.channel.id, "locale": "en-US"}
    match = await host.open("sea_change", user=first.id, name=first.user.name, **where)
    house.publisher.changed(match.id)
    await shown(world, match.id)
    for person in rest:
        await host.join(match.id, person.id, person.user.name)
    match = await host.choose_option(match.id, first.id, "target", "9")
    match = await host.start(match.id, first.id)
    house.publisher.changed(match.id)
    await shown(world, match.id)
    return match


async def shown(world: Simulation, number: int) -> None:
    """Wait until all messages show the match as it stands. simcord waits only for what an interaction began."""
    while number in await world.host.matches.unshown():  # noqa: ASYNC110  -- the database says it, no event does
        await asyncio.sleep(0.005)
    await world.env.settle()


async def someones_table(world: Simulation) -> None:
    """A running match of two people who are not here, shown as it stands."""
    host, house = world.host, world.bot.house
    assert house is not None
    for user in (1, 2):
        await house.people.meet(user, f"Person {user}")
    match = await host.open("sea_change", guild=1, channel=3, user=1, name="Person 1", locale="en-US")
    await host.join(match.id, 2, "Person 2")
    match = await host.start(match.id, 1)
    posts = await host.matches.posts(match.id)
    await host.matches.save_posts([replace(post, shown=match.version) for post in posts.values()])


async def bare() -> None:
    """The least that a bot can do with a picture and a button."""
    png = PICTURE.read_bytes()
    client = discord.Client(intents=discord.Intents(guilds=True))

    class Board(discord.ui.View):
        @discord.ui.button(label="press", custom_id="press")
        async def press(self, interaction: discord.Interaction, _: Any) -> None:
            await interaction.response.defer()
            await interaction.edit_original_response(attachments=[discord.File(BytesIO(png), "table.png")])

    async with simcord.run(client) as env:
        channel = env.create_guild("Forest").create_text_channel("games")
        person = channel.guild.add_member(env.create_user("alice"))
        world = Simulation.__new__(Simulation)
        world.env, world.channel = env, channel
        board = Board(timeout=None)
        message = await client.get_channel(channel.id).send(  # type: ignore[union-attr]
            view=board, file=discord.File(BytesIO(png), "table.png")
        )
        watch = Watch()
        watch.wrap(discord.InteractionResponse, "defer", "acknowledged")
        watch.wrap(discord.Interaction, "edit_original_response", "board")

        async def press() -> dict[str, float]:
            found = await watch.measure(
                lambda: world.raw_press(person, "press", message=message.id), "acknowledged", "board"
            )
            await env.settle()
            return found

        await answer(press)


if __name__ == "__main__":
    asyncio.run(bare() if sys.argv[1] == "bare" else ours(int(sys.argv[1]), int(sys.argv[2]) - 1))
