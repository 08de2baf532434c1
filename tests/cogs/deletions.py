"""Deleting one's data in tests, and what is left of it."""

from __future__ import annotations

from pathlib import Path

from simcord.actors import MemberActor

from data.records.match import Status
from tests.data.people_everywhere import encodings, files_with
from tests.support.simulation import Simulation
from tests.support.table import Table


def traces(sim: Simulation, user: int) -> list[str]:
    return files_with(Path(sim.settings.database).parent, *encodings(user))


async def everywhere(sim: Simulation) -> list[MemberActor]:
    """Five people who have left a trace in every table of the database."""
    people = sim.join_server("alice", "bob", "carol", "dave", "erin")
    alice, bob, carol, dave, erin = people
    over = await Table.open(sim, "siege_of_sunfall", people, seed="privacy")
    await sim.bot.app.lobby.cut(1, alice.id, "left of the middle")
    await sim.caught_up()
    await over.start()
    for _ in range(5):
        await over.step(*await over.now())
    await sim.forge(erin, "1/1/give_seat//")
    for person in (alice, bob, carol):
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await sim.match(1)).status is Status.STOPPED
    for person in people:
        await sim.slash(person, "hours", zone="Europe/Berlin", quiet_from="22", quiet_to="7")
    await sim.slash(alice, "play", game="siege_of_sunfall")
    for person in (bob, carol, dave):
        await sim.press(person, sim.board(), "1/2/join//")
    await sim.press(alice, sim.board(), "1/2/option//clock", "day_1")
    await sim.press(alice, sim.board(), "1/2/start//")
    await sim.slash(erin, "join", table=2)
    await sim.forge(dave, "1/2/give_seat//")
    await sim.forge(alice, f"1/2/vote//remove {bob.id}")
    await sim.forge(bob, f"1/2/vote//remove {alice.id}")
    await sim.slash(carol, "play", game="sea_change")
    await sim.press(bob, sim.board(), "1/3/join//")
    await sim.env.settle()
    return people
