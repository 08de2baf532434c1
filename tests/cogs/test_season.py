"""Seasons on Discord: from `/season open` to the message that tells the end, and who may do what."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor

from cogs.match.seasons import DAY, Seasons
from data.records.match import Status
from data.records.seasons import Season, SeasonStatus
from rules.core.chance import commitment
from rules.core.game import Seat
from tests.support.simulation import Shown, Simulation, raw

pytestmark = pytest.mark.usefixtures("plain")


def seasons(sim: Simulation) -> Seasons:
    assert sim.bot.seasons is not None
    return sim.bot.seasons._seasons


async def stored(sim: Simulation, number: int = 1) -> Season:
    return await seasons(sim).load(number)


async def look(sim: Simulation) -> None:
    """Let the bot do all that is due for seasons, and show it."""
    assert sim.bot.seasons is not None
    await sim.bot.seasons.look()
    await sim.caught_up()


async def people(sim: Simulation, *names: str) -> list[MemberActor]:
    """Return people of whom only the first manages the server."""
    role = sim.guild.create_role("keeper", permissions=discord.Permissions(manage_guild=True))
    first, *others = names
    return [*sim.join_server(first, roles=[role]), *sim.join_server(*others)]


async def press(sim: Simulation, person: MemberActor, what: str, number: int = 1) -> str:
    message = (await stored(sim, number)).message
    assert message is not None
    said = await sim.forge(person, f"1/0/season//{what}/{number}", message=message)
    await look(sim)
    return said


async def text(sim: Simulation, *, last: bool = False) -> str:
    season = await stored(sim)
    number = season.last_message if last else season.message
    (message,) = [found for found in sim.channel.history() if found.id == number]
    return Shown(None, "", 0, raw(message)).text


async def opened(sim: Simulation, *names: str, **options: object) -> list[MemberActor]:
    """Open a season, in which all of these people take part."""
    found = await people(sim, *names)
    said = await sim.slash(found[0], "season open", **{"game": "full_circle", "title": "Cup", **options})
    assert "is open" in said
    await look(sim)
    for person in found:
        assert "You take part" in await press(sim, person, "join")
    return found


async def play_to_end(sim: Simulation, number: int) -> None:
    """Make the moves that the clock would make, to the end of that match."""
    while (match := await sim.match(number)).status is Status.PLAYING:
        state = sim.host.state(match)
        seat = min(state.to_move())
        move = state.default_move(seat)
        await sim.host.play(number, match.chairs[seat].player, sim.host.turn(match, Seat(seat)), str(move))


async def test_a_season_from_its_opening_to_its_end(sim: Simulation) -> None:
    alice, bob, carol = await opened(sim, "alice", "bob", "carol", clock="day_1")
    secret = (await stored(sim)).secret
    assert commitment(secret) in await text(sim)
    assert "1 alice · 2 bob · 3 carol" in await text(sim)
    assert "are drawn" in await press(sim, alice, "start")
    for number in (1, 2, 3):
        season = await stored(sim)
        assert (season.round, season.rounds) == (number, 3)
        (table,) = season.in_round(number)
        assert table.match == number
        match = await sim.match(number)
        assert match.status is Status.PLAYING
        assert match.clock == "day_1"
        assert {chair.user for chair in match.chairs} == {season.entrants[place].user for place in table.places}
        shown = await text(sim)
        assert f"Round {number} of 3" in shown
        assert f"channels/{sim.guild.id}/{match.place}" in shown
        assert secret not in shown
        await play_to_end(sim, number)
        await look(sim)
    season = await stored(sim)
    assert season.status is SeasonStatus.OVER
    last = await text(sim, last=True)
    assert secret in last
    assert "Congratulations" in last
    print(last)
    print(await text(sim))
