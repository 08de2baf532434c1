"""A player who leaves a seat and comes back at once, or gets another one: Discord still knows what was sent before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cogs.match.lobby import Lobby
from cogs.transport import hand_messages
from data.records.match import Match
from data.records.people import Person
from data.records.terms import Terms
from tests.cogs.test_alone import begun, dm, read, to_the_end
from tests.support.machine.virtual_world import GUILD, World
from tests.support.simulation import Simulation, offers

ANN, BEN = 100, 300
NAMES = {ANN: "Ann", BEN: "Ben"}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    found = World(tmp_path / "tables.db", NAMES)
    try:
        yield found
    finally:
        found.end()


def hand(world: World, user: int) -> tuple[int, str]:
    """The number of the message that is somebody's hand, and what it says."""
    match = world.match(1)
    post = world.run(world.matches.posts.of(1)).hands[match.seat_of(user) or 0]
    assert post.user == user and post.message is not None
    return post.message, world.discord.messages[post.channel, post.message]


def wanted(world: World, user: int) -> str:
    said: str = world.run(world.messages.hand(world.match(1), Person(user, NAMES[user]))).parts[0]
    return said


@pytest.mark.parametrize("asked", [True, False])
def test_a_player_who_is_back_at_once_has_a_complete_hand(world: World, asked: bool) -> None:
    """It stands where their emptied one was. The player asked is called by a new one in its place, and to send that is
    not taken for the send before.
    """
    where = {"guild": GUILD, "channel": 10}
    match = world.run(world.lobby.open("sea_change", user=ANN, name="Ann", terms=Terms(locale="en-GB"), **where))
    world.run(world.lobby.join(match.id, BEN, "Ben"))
    world.run(world.lobby.start(match.id, ANN))
    world.report_changes([match.id])
    world.settle()
    match = world.match(match.id)
    to_move = world.service.state(match).to_move()
    user = next(chair.user for chair in match.people if chair.user and (chair.number in to_move) == asked)
    before, _ = hand(world, user)
    channel = world.run(world.matches.posts.of(1)).hands[match.seat_of(user) or 0].channel

    async def leave() -> None:
        await world.membership.give_seat_to_computer(match.id, user)

    async def come_back() -> None:
        await world.membership.come_back(match.id, user, NAMES[user])

    async def leave_and_come_back() -> None:
        await leave()
        await come_back()

    if asked:  # at once: else the computer moves
        world.run(leave_and_come_back())
    else:
        world.run(leave())
        world.settle()
        assert "You have left" in world.discord.messages[channel, before]
        world.run(come_back())
    world.report_changes([match.id])
    world.settle()
    after, said = hand(world, user)
    assert (after != before) == asked
    assert ((channel, before) in world.discord.messages) == (not asked)
    assert said == wanted(world, user)
    assert world.run(world.matches.posts.stale_hands(1)) == []


@pytest.mark.usefixtures("plain")
async def test_the_hand_of_a_seat_that_the_start_has_changed_goes(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next match begins while the hand of its lobby is being sent, and draws the seats. That hand arrives later."""
    alice, seats = await begun(sim), set[int | None]()
    send, begin = hand_messages.send_private, Lobby.begin
    for number in (2, 3):
        await to_the_end(sim, alice, number - 1)
        sent, drawn = asyncio.Event(), asyncio.Event()

        async def held(*args: Any, sent: asyncio.Event = sent, drawn: asyncio.Event = drawn, **how: Any) -> Any:
            message = await send(*args, **how)
            sent.set()
            await drawn.wait()
            return message

        async def late(self: Lobby, number: int, sent: asyncio.Event = sent, drawn: asyncio.Event = drawn) -> Match:
            await sent.wait()
            match = await begin(self, number)
            drawn.set()
            return match

        with monkeypatch.context() as patch:
            patch.setattr(hand_messages, "send_private", held)
            patch.setattr(Lobby, "begin", late)
            sim.raw_press(alice, f"1/{number - 1}/again//", message=sim.hand(alice).id, channel=dm(alice))
            await sim.caught_up()
        seats.add((await sim.match(number)).seat_of(alice.id))
        (shown,) = [m for m in alice.user.dm_channel.history() if f"table {number}" in read(m)]
        assert shown.id == sim.hand(alice).id
        assert offers(shown)
    assert seats == {0, 1}
