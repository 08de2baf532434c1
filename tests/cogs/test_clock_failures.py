"""No player's time runs out because the bot, its machine or Discord fails."""

from __future__ import annotations

import pytest

from cogs.match.clocks import GRACE
from cogs.match.time_controls import HOUR, MINUTE
from cogs.transport.publisher import PublishTiming
from tests.cogs.clocked import DAY_1, WHOLE, awaited, board, clock_at, clocked, shown_end, until
from tests.support.inside import within_the_bot
from tests.support.simulation import Simulation, raw, words

pytestmark = pytest.mark.usefixtures("plain")


# No player plays for the bot's or Discord's failures.


async def gateway(sim: Simulation, event: str) -> None:
    """What discord.py tells the bot of its connection."""
    with within_the_bot(sim.env):
        sim.bot.dispatch(event)
    await sim.env.settle()


@pytest.mark.parametrize("crash", [False, True])
async def test_downtime_is_given_back(sim: Simulation, crash: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(name: str, value: str) -> None:
        """Store no heartbeat."""

    table = await clocked(sim)
    person, clock = await awaited(table)
    await sim.env.advance_time(5 * HOUR)
    if crash:  # then no player notes down when
        monkeypatch.setattr(sim.bot.clock.values, "put", nothing)
    await sim.restart(down=3 * 24 * HOUR)
    later = await clock_at(table, person)
    assert (later.stage, later.called, later.away) == (0, 0, None)
    slack = HOUR if crash else MINUTE  # since the last heartbeat
    assert clock.ends + 3 * 24 * HOUR <= later.ends <= clock.ends + 3 * 24 * HOUR + slack
    assert shown_end(later) in board(table)


async def test_no_player_runs_out_in_the_first_quarter_of_an_hour_after_a_start(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    await until(sim, clock.ends - 2 * MINUTE)
    await sim.restart()
    start = int(sim.env.now().timestamp())
    later = await clock_at(table, person)
    assert later.ends == start + GRACE
    await sim.env.advance_time(GRACE - 1)
    assert (await clock_at(table, person)).stage == 0
    await sim.env.advance_time(2)
    assert (await clock_at(table, person)).stage == 1


async def test_while_discord_is_away_no_players_time_runs(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    await until(sim, clock.ends - HOUR)
    await gateway(sim, "disconnect")
    await sim.env.advance_time(3 * HOUR)
    assert (await clock_at(table, person)).stage == 0
    await gateway(sim, "disconnect")
    await gateway(sim, "resumed")
    assert (await clock_at(table, person)).ends == clock.ends + 3 * HOUR
    await sim.env.advance_time(HOUR - 1)
    assert (await clock_at(table, person)).stage == 0
    await sim.env.advance_time(1)
    assert (await clock_at(table, person)).stage == 1


def fail(sim: Simulation) -> None:
    """From now on Discord takes no messages; the bot tries each hour."""
    sim.env.inject_error("*", "/channels/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=HOUR, longest_retry=HOUR))


@pytest.mark.parametrize("restarted", [pytest.param(False, marks=pytest.mark.long), True])
async def test_while_discord_takes_no_messages_no_players_time_runs_out(sim: Simulation, restarted: bool) -> None:
    """Though the connection on which it tells the bot things stays: the player asked cannot be told."""
    table = await clocked(sim)
    mover, _ = await awaited(table)
    fail(sim)
    await table.decide(mover)
    other, clock = await awaited(table)
    assert other is not mover
    lost = WHOLE + HOUR
    await sim.env.advance_time(lost)
    assert (await clock_at(table, other)).stage == 0
    sim.env.backend.faults.clear()
    if restarted:
        await sim.restart()
    await sim.env.advance_time(HOUR)
    later = await clock_at(table, other)
    assert clock.ends + lost - HOUR <= later.ends <= clock.ends + lost + HOUR
    assert shown_end(later) in board(table) and f"ends {shown_end(later)}" in "\n".join(words(raw(sim.hand(other))))
    assert await sim.matches.posts.behind() == []
    await until(sim, later.ends)
    assert (await clock_at(table, other)).stage == 1


async def test_who_cannot_be_nudged_is_not_late(sim: Simulation) -> None:
    """Discord fails when it has been somebody's turn for long: what was left then is left when it works again."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    nudge = clock.ends - DAY_1.nudges[0]
    await until(sim, nudge - 1)
    fail(sim)
    await sim.env.advance_time(24 * HOUR)
    assert (await clock_at(table, person)).stage == 0 and (await table.now())[0].moves == 0
    sim.env.backend.faults.clear()
    await sim.env.advance_time(HOUR)
    later = await clock_at(table, person)
    assert clock.ends + 24 * HOUR <= later.ends <= clock.ends + 25 * HOUR
    await until(sim, later.ends)
    assert (await clock_at(table, person)).stage == 1


@pytest.mark.parametrize(
    "jump",
    [
        72 * HOUR,
        -24 * HOUR,
        *(pytest.param(jump, marks=pytest.mark.long) for jump in (HOUR, 24 * HOUR, -1_767_225_600)),
    ],
)
async def test_a_clock_that_jumps_holds_everything(sim: Simulation, jump: int) -> None:
    """And time in doubt is given back; a press of anybody, which carries Discord's time, settles nothing wrongly."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    await until(sim, clock.ends - 21 * HOUR)
    called, cursor = (await clock_at(table, person)).called, sim.cursor
    sim.bot.clock.beat = sim.bot.clock.longest = 5 * MINUTE  # else it would not look for an hour
    await sim.env.advance_time(HOUR)
    sim.jumped = jump
    await sim.env.advance_time(20 * HOUR if jump < 0 else 10 * MINUTE)
    held = await clock_at(table, person)
    assert (held.stage, held.called, held.away) == (0, called, None)
    assert sim.pings(cursor) == []
    await sim.slash(table.people[0], "clock")
    await sim.env.advance_time(5 * MINUTE)
    assert await clock_at(table, person) == held
    sim.jumped, sim.bot.clock.beat, sim.bot.clock.longest = 0, HOUR, HOUR
    await sim.env.advance_time(5 * MINUTE)
    later = await clock_at(table, person)
    lost = (20 * HOUR if jump < 0 else 10 * MINUTE) + 10 * MINUTE
    assert clock.ends + lost - 5 * MINUTE <= later.ends <= clock.ends + lost + 5 * MINUTE
    await until(sim, later.ends)
    assert (await clock_at(table, person)).stage == 1


async def test_time_in_which_the_process_stood_still_is_no_players(sim: Simulation) -> None:
    """It was suspended: both its clocks went on, and nothing was done."""
    table = await clocked(sim, clock="live_15")
    person, before = await awaited(table)
    sim.env.backend.advance_clock(HOUR)
    await sim.env.advance_time(3 * MINUTE)
    clock = await clock_at(table, person)
    assert clock.stage == 0 and clock.away is None
    assert clock.left == (before.ends or 0) - (before.due or 0), "until the next look was due it was at work"
    assert (clock.ends or 0) > sim.env.now().timestamp()


async def test_while_discord_takes_no_press_no_players_time_runs_out(sim: Simulation) -> None:
    """Nothing else would have to be shown: it is the press of the awaited player that fails."""
    table = await clocked(sim, clock="live_15")
    person, before = await awaited(table)
    hand = sim.hand(person)
    sim.env.inject_error("*", "/*", status=503, times=None)
    for _ in range(8):
        sim.raw_press(person, "1/1/path//", message=hand.id, channel=hand.channel.id)
        await sim.env.advance_time(5 * MINUTE)
    sim.env.backend.faults.clear()
    await sim.env.advance_time(30)
    after = await clock_at(table, person)
    assert after.stage == 0
    assert (after.ends or 0) - sim.env.now().timestamp() > before.left - MINUTE
