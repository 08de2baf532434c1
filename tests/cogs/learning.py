"""A learner in a lesson."""

from __future__ import annotations

from typing import Any

from simcord.actors import MemberActor

from cogs.match.advice import progress_of
from cogs.match.automatic_moves import AutomaticMoves
from data.records.match import Match
from rules import GAMES
from rules.core.game import Seat
from rules.core.lesson import Progress
from tests.support.hung import HUNG
from tests.support.simulation import Simulation, raw, words


async def learner(sim: Simulation) -> MemberActor:
    return sim.join_server("alice")[0]


def read(message: Any) -> str:
    return "\n".join(words(raw(message)))


async def at(sim: Simulation, number: int = 1) -> tuple[Match, Progress[Any] | None]:
    """Return the lesson and how far it is."""
    match = await sim.match(number)
    return match, progress_of(GAMES[match.game], match, await sim.service.log(number))


async def press(sim: Simulation, person: MemberActor, action: str, text: str, number: int = 1) -> str:
    """Press a button of the learner's hand in their direct messages; return what it shows then."""
    match = await sim.match(number)
    turn = sim.service.turn(match, Seat(match.seat_of(person.id) or 0))
    hand = sim.hand(person)
    said = await sim.forge(
        person, f"1/{number}/{action}/{turn}/{text}", message=hand.id, channel=person.user.dm_channel.id
    )
    await sim.caught_up()
    return said


async def moved_on(sim: Simulation, number: int = 1) -> Match:
    """Return the match once it is its player's turn, or over, however long computers think."""
    for _ in range(int(HUNG * 100)):
        await sim.caught_up()
        match = await sim.match(number)
        if not match.running or AutomaticMoves(sim.service).next_seat(match) is None:
            await sim.caught_up()
            return match
    raise AssertionError("the computers do not move")


async def decide(sim: Simulation, person: MemberActor, number: int = 1) -> Match:
    """Do as the lesson advises, and wait until it is the learner's turn again."""
    _, found = await at(sim, number)
    assert found is not None and found.advised is not None
    await press(sim, person, "move", str(found.advised), number)
    return await moved_on(sim, number)


async def learns(sim: Simulation, slug: str, decisions: int = 0) -> MemberActor:
    """Return a person who has begun a lesson in direct messages, once it is their turn after so many decisions."""
    person = await learner(sim)
    assert GAMES[slug].title in sim.said(await person.user.slash("learn", game=slug))
    await moved_on(sim)
    for _ in range(decisions):
        await decide(sim, person)
    return person


def dm(person: MemberActor) -> int:
    return int(person.user.dm_channel.id)
