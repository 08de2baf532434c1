"""Whom a table waits for, with a clock or without: whose time runs, when it ends, and how to get there."""

from __future__ import annotations

from simcord.actors import MemberActor

from cogs.match.clocks import GRACE, clock_of
from cogs.match.reminders import reminder_of
from cogs.match.time_controls import PRESETS
from data.records.deadlines import SeatClock
from data.records.reminders import Reminder
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table

DAY_1 = PRESETS["day_1"]
WHOLE = DAY_1.turn + DAY_1.reserve


async def clocked(sim: Simulation, game: str = "sea_change", clock: str = "day_1", **options: str) -> Table:
    """A table with a clock, just begun, after the time in which no player's time runs out; for three in Siege."""
    names = ("alice", "bob", "carol") if game == "siege_of_sunfall" else ("alice", "bob")
    table = await Table.open(
        sim, game, sim.join_server(*names), seed=f"clock {game}", options={"clock": clock, **options}
    )
    await sim.env.advance_time(GRACE)
    await table.start()
    return table


async def awaited(table: Table) -> tuple[MemberActor, SeatClock]:
    """Whom the table waits for, with their clock."""
    _, person, _ = await table.asked()
    return person, await clock_at(table, person)


async def clock_at(table: Table, person: MemberActor) -> SeatClock:
    match, _ = await table.now()
    clock = clock_of(match, match.seat_of(person.id) or 0)
    assert clock is not None
    return clock


async def until(sim: Simulation, instant: int | None) -> None:
    """Let the time pass until then."""
    await sim.env.advance_time(instant - sim.env.now().timestamp())


async def run_out(table: Table, person: MemberActor, times: int = 2) -> None:
    """Let this person's time run out, then their extension, and with a vote its time."""
    for _ in range(times):
        await until(table.sim, (await clock_at(table, person)).ends)


def board(table: Table) -> str:
    return "\n".join(words(raw(table.sim.board(table.channel))))


def shown_end(clock: SeatClock) -> str:
    return f"<t:{clock.ends}:R>"


async def both(table: Table) -> tuple[MemberActor, MemberActor]:
    """The player whom the table waits for, and the one who waits."""
    _, person, _ = await table.asked()
    (other,) = (one for one in table.people if one is not person)
    return person, other


async def wait_of(table: Table, person: MemberActor) -> Reminder:
    match, _ = await table.now()
    found = reminder_of(match, match.seat_of(person.id) or 0)
    assert found is not None
    return found
