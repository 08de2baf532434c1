"""A table with a clock: it nudges, extends, lets a computer play, gives the seat back, and is never unfair."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.match.clocks import GRACE, clock_of
from cogs.match.deadlines import ring
from cogs.match.membership import SHORT_REST
from cogs.match.time_controls import HOUR, MINUTE, PRESETS
from cogs.match.undo import MOST_ENDS_TAKEN_BACK
from cogs.messages.clock import detail, terms, with_ends
from cogs.transport.publisher import PublishTiming
from data.content.texts import texts
from data.records.deadlines import SeatClock
from data.records.hours import Hours, PeopleHours
from data.records.match import Conflict, Match, Status
from rendering.core.labels import Labels
from rules import GAMES
from tests.support.inside import database_of, hours_of, stored_matches, within_the_bot
from tests.support.matches import seated
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import MY_HAND, Table, shortest_options

pytestmark = pytest.mark.usefixtures("plain")

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
    match, state = await table.now()
    (seat,) = state.to_move()
    clock = clock_of(match, seat)
    assert clock is not None
    return table.sim.by_id(match.chairs[seat].player), clock


async def clock_at(table: Table, person: MemberActor) -> SeatClock:
    match, _ = await table.now()
    clock = clock_of(match, match.seat_of(person.id) or 0)
    assert clock is not None
    return clock


async def until(sim: Simulation, instant: int | None) -> None:
    """Let the time pass until then."""
    assert instant is not None
    await sim.env.advance_time(instant - sim.env.now().timestamp())


def board(table: Table) -> str:
    return "\n".join(words(raw(table.sim.board(table.channel))))


def shown_end(clock: SeatClock) -> str:
    return f"<t:{clock.ends}:R>"


# What the lobby chooses.


async def test_the_lobby_chooses_the_clock_and_what_follows(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await Table.open(sim, "sea_change", [alice], seed="lobby")
    more = await sim.more(alice)
    assert "1/1/option//clock" in controls(raw(more.message))
    assert "1/1/option//absent" not in controls(raw(more.message))
    assert "Time limit: none" in controls(raw(more.message))
    await sim.press(alice, sim.board(), "1/1/option//clock", "week")
    assert "**Time limit: about 10 days to move** · Out of time: " in "\n".join(words(raw(sim.board())))
    await sim.press(alice, sim.board(), "1/1/option//absent", "vote")
    match = await sim.match()
    assert (match.clock, match.absent) == ("week", "vote")
    for forged in ("1/1/option//clock", "1/1/option//absent"):
        result = sim.raw_press(alice, forged, message=sim.board().id, values=["a second a turn"])
        await sim.env.settle()
        assert "That choice is no longer possible" in sim.said(result)
    assert await sim.match() == match


@pytest.mark.games("game", short=["sea_change"], long=GAMES)
async def test_every_lobby_has_room_for_the_clock(sim: Simulation, game: str) -> None:
    """The fixture holds each request against Discord's limits."""
    (alice,) = sim.join_server("alice")
    options = {"clock": "day_2", "absent": "vote"}
    await Table.open(sim, game, [alice], computers=max(GAMES[game].seats) - 1, seed="room", options=options)
    shown = await sim.more(alice)
    assert "Time limit: about 4 days to move" in "\n".join(controls(raw(shown.message)))
    await alice.click(shown, label="Options …")
    assert "then everyone votes" in "\n".join(controls(raw(shown.message)))


async def test_a_table_without_a_clock_has_no_deadlines(sim: Simulation, tide: Table) -> None:
    assert "ends" not in board(tide)
    assert (await tide.now())[0].clocks == ()
    await sim.env.advance_time(10 * 24 * HOUR)
    assert (await tide.now())[0].moves == 0


# A turn from its beginning to its end.


async def test_the_clock_of_exactly_the_seat_that_blocks_runs(sim: Simulation) -> None:
    table = await clocked(sim)
    for _ in range(6):
        match, state = await table.now()
        running = {clock.seat for clock in match.clocks if clock.ends is not None}
        assert running == state.to_move()
        person, clock = await awaited(table)
        assert f"<@{person.id}> · ends {shown_end(clock)}" in board(table)
        assert f"ends {shown_end(clock)}" in "\n".join(words(raw(sim.hand(person))))
        assert clock.ends == int(sim.env.now().timestamp()) + WHOLE
        await sim.env.advance_time(2 * HOUR)
        await table.step(match, state)


async def test_sealed_phases_run_all_unsealed_seats(sim: Simulation) -> None:
    table = await clocked(sim, "siege_of_sunfall")
    match, state = await table.now()
    assert {clock.seat for clock in match.clocks if clock.ends} == state.to_move() == {0, 1, 2}
    alice = table.people[0]
    await sim.env.advance_time(HOUR)
    ends = {clock.seat: clock.ends for clock in match.clocks}
    await table.decide(alice)
    match, state = await table.now()
    sealed = match.seat_of(alice.id)
    assert {clock.seat for clock in match.clocks if clock.ends} == state.to_move() == {0, 1, 2} - {sealed}
    assert all(clock.ends == ends[clock.seat] for clock in match.clocks if clock.seat != sealed)


async def test_nudge_extension_computer_and_back_with_one_press(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    first, cursor = clock.ends, sim.cursor
    for nudge in DAY_1.nudges:
        await until(sim, first - nudge - 1)
        assert sim.pings(cursor) == []
        await until(sim, first - nudge)
        assert sim.pings(cursor) == [person.id], "a nudge pings once"
        cursor = sim.cursor
    await until(sim, first - 1)
    assert (await clock_at(table, person)).stage == 0
    await until(sim, first)
    clock = await clock_at(table, person)
    assert (clock.stage, clock.ends) == (1, first + DAY_1.extension)
    assert sim.pings(cursor) == [person.id]
    assert f"got one extension; it ends {shown_end(clock)}" in "\n".join(words(raw(sim.hand(person))))
    assert (await table.now())[0].moves == 0
    cursor = sim.cursor
    await until(sim, clock.ends)
    match, _ = await table.now()
    assert match.moves == 1, "a computer has played"
    nudges = sum(nudge < DAY_1.extension for nudge in DAY_1.nudges)
    assert sim.pings(cursor).count(person.id) == nudges + 1, "nudged again, and told once to be away"
    assert "I'm back" in controls(raw(sim.hand(person)))
    assert (await sim.matches.moves(1))[0].user is None
    assert f"A computer is playing for **{person.name}** until they are back." in board(table)
    # The other one plays on, and is never kept waiting.
    (other,) = [p for p in table.people if p is not person]
    for _ in range(3):
        before = (await table.now())[0].moves
        await table.decide(other)
        match, state = await table.now()
        assert match.moves >= before + 1
        assert match.seat_of(other.id) in state.to_move()
    # Back with one press: then the table waits for them again.
    cursor = sim.cursor
    assert "Sea Change · table 1" in sim.said(await sim.press(person, sim.board(), "I'm back"))
    assert sim.pings(cursor) == []
    assert (await clock_at(table, person)).away is None
    assert "A computer is playing" not in board(table)
    while (await awaited(table))[0] is not person:
        await table.decide(other)
    made = (await table.now())[0].moves
    await sim.env.advance_time(HOUR)
    assert (await clock_at(table, person)).ends is not None
    assert (await table.now())[0].moves == made, "no computer plays for them"


@pytest.mark.parametrize("way", ["hand", "move", "words"])
async def test_any_move_or_look_at_the_hand_takes_the_seat_back(sim: Simulation, way: str) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    await until(sim, clock.ends)
    await until(sim, (await clock_at(table, person)).ends)
    assert (await clock_at(table, person)).away is not None
    if way == "hand":
        await sim.slash(person, "hand")
    elif way == "words":
        await sim.slash(person, "move", move="nonsense")
    else:
        await sim.forge(person, "1/1/move/1.1/play R1")
    assert (await clock_at(table, person)).away is None
    await sim.env.advance_time(HOUR)
    assert (await clock_at(table, other)).away is None


async def test_without_anybody_the_table_rests(sim: Simulation) -> None:
    """No match is played to its end by computers while its people sleep."""
    table = await clocked(sim)
    await sim.env.advance_time(10 * 24 * HOUR)
    match, _ = await table.now()
    moves = match.moves
    assert all(clock.away for clock in match.clocks)
    assert "Everyone is away" in board(table)
    await sim.env.advance_time(2 * 24 * HOUR)
    assert (await table.now())[0].moves == moves < 5
    await sim.press(table.people[0], sim.board(), "I'm back")
    match, state = await table.now()
    assert state.to_move() == {match.seat_of(table.people[0].id)}


async def test_a_reserve_is_used_and_grows_back(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    await sim.env.advance_time(DAY_1.turn + 10 * HOUR)
    await table.decide(person)
    left = DAY_1.reserve - 10 * HOUR + DAY_1.growth
    assert (await clock_at(table, person)).reserve == left
    while (await awaited(table))[0] is not person:
        await table.decide((await awaited(table))[0])
    clock = await clock_at(table, person)
    assert clock.ends == int(sim.env.now().timestamp()) + DAY_1.turn + left


async def test_a_live_clock(sim: Simulation) -> None:
    table, terms = await clocked(sim, clock="live_2"), PRESETS["live_2"]
    person, clock = await awaited(table)
    cursor = sim.cursor
    await until(sim, clock.ends - terms.nudges[0])
    assert sim.pings(cursor) == [person.id]
    await until(sim, clock.ends)
    assert (await clock_at(table, person)).ends == clock.ends + terms.extension
    await sim.env.advance_time(terms.extension + 5)
    assert (await table.now())[0].moves == 1


async def test_who_takes_no_direct_messages_is_nudged_at_the_table(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    sim.close_dms(*people)
    ways = dict.fromkeys(("alice", "bob"), MY_HAND)
    table = await Table.begin(sim, "sea_change", people, seed="closed", ways=ways, options={"clock": "day_1"})
    person, clock = await awaited(table)
    cursor = sim.cursor
    await until(sim, clock.ends - DAY_1.nudges[0])
    (ping,) = [shown for shown in sim.public(cursor) if shown.body.get("content")]
    assert ping.body["content"].startswith(f"<@{person.id}>, you are running out of time")
    await until(sim, clock.ends)
    await until(sim, (await clock_at(table, person)).ends)
    said = [shown.body["content"] for shown in sim.public(cursor) if shown.body.get("content")]
    assert len(said) > len(DAY_1.nudges)
    assert any("a computer plays for you until you press *I'm back*" in text for text in said)
    standing = [m for m in sim.channel.history() if m.content.startswith("<@")]
    assert len(standing) == 1


# Late, doubled, restarted.


async def test_late_doubled_and_foreign_deadlines_do_nothing(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    before = (await table.now())[0]
    assert not await ring(sim.service, 1, clock.seat, clock.turn), "too early"
    assert not await ring(sim.service, 1, clock.seat, "9.9"), "another turn"
    assert not await ring(sim.service, 1, 7, clock.turn), "no such seat"
    assert not await ring(sim.service, 1, 1 - clock.seat, ""), "who waits"
    assert (await table.now())[0] == before
    await table.decide(person)
    after = (await table.now())[0]
    assert not await ring(sim.service, 1, clock.seat, clock.turn), "too late"
    assert (await table.now())[0] == after
    await until(sim, (await awaited(table))[1].due)
    rung = (await table.now())[0]
    _, clock = await awaited(table)
    assert clock.called == 1
    assert not await ring(sim.service, 1, clock.seat, clock.turn), "a second time"
    assert (await table.now())[0] == rung


async def test_a_restart_neither_loses_nor_doubles_a_deadline(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    cursor, nudge = sim.cursor, clock.ends - DAY_1.nudges[0]
    await until(sim, nudge - HOUR)
    await sim.restart()
    assert clock.ends - 1 <= (await clock_at(table, person)).ends <= clock.ends + MINUTE
    await until(sim, nudge + MINUTE)
    await sim.restart()
    await sim.env.advance_time(GRACE)
    await sim.restart()
    assert sim.pings(cursor).count(person.id) == 1
    assert (await clock_at(table, person)).called == 1
    await until(sim, (await clock_at(table, person)).ends)
    assert (await clock_at(table, person)).stage == 1
    await sim.restart()
    await until(sim, (await clock_at(table, person)).ends)
    await sim.restart()
    assert (await clock_at(table, person)).away is not None
    assert (await table.now())[0].moves == 1


async def test_a_computer_goes_on_for_who_is_away_after_a_restart(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    await until(sim, clock.ends)
    await until(sim, (await clock_at(table, person)).ends)
    await sim.restart()
    for _ in range(3):
        await table.decide(other)
        match, state = await table.now()
        assert match.seat_of(other.id) in state.to_move()


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
    for _ in range(5):
        await sim.env.advance_time(24 * HOUR)
        assert (await clock_at(table, other)).stage == 0
    sim.env.backend.faults.clear()
    if restarted:
        await sim.restart()
    await sim.env.advance_time(HOUR)
    later = await clock_at(table, other)
    lost = 5 * 24 * HOUR
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
    await sim.env.advance_time(3 * 24 * HOUR)
    assert (await clock_at(table, person)).stage == 0 and (await table.now())[0].moves == 0
    sim.env.backend.faults.clear()
    await sim.env.advance_time(HOUR)
    later = await clock_at(table, person)
    assert nudge + 3 * 24 * HOUR + DAY_1.nudges[0] <= later.ends <= nudge + 3 * 24 * HOUR + DAY_1.nudges[0] + HOUR
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


# Hours.


async def test_quiet_hours_hold_the_clock_and_every_ping(sim: Simulation) -> None:
    """The simulation begins at midnight, UTC. Quiet from 8 to 12."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    for someone in (person, other):
        said = await sim.slash(someone, "hours", quiet_from="8", quiet_to="12")
        assert "08:00 to 12:00" in said and "Changes count from your next turn" in said
        assert "Quiet hours and days off hold up one turn by at most 3 days in all" in said
    assert await clock_at(table, person) == clock, "this turn has begun"
    assert shown_end(clock) in board(table)
    await sim.env.advance_time(9 * HOUR)  # 09:15
    cursor = sim.cursor
    await table.decide(person)
    assert sim.pings(cursor) == [], "it is the other one's turn, whom nothing pings now"
    await sim.restart()
    assert sim.pings(cursor) == []
    await sim.env.advance_time(3 * HOUR)
    assert sim.pings(cursor) == [other.id]
    assert offers(sim.hand(other))
    asked = await clock_at(table, other)
    noon = sim.env.now().replace(hour=12, minute=0, second=0, microsecond=0).timestamp()
    assert int(noon) + WHOLE <= asked.ends <= int(noon) + WHOLE + 8 * HOUR + MINUTE
    assert shown_end(asked) in board(table)


CHANGES: list[dict[str, str]] = [
    {"quiet_from": "0", "quiet_to": "16"},
    {"days_off": "mon tue thu fri"},
    {"holiday_from": "2026-01-01", "holiday_to": "2026-01-30"},
    {"zone": "Asia/Tokyo"},
    {"quiet_from": "none"},
    {"days_off": "none"},
]


@pytest.mark.parametrize("clock", ["live_2", "hours_12", "day_1"])
async def test_no_change_of_hours_moves_the_end_of_a_turn(sim: Simulation, clock: str) -> None:
    """A player who is losing would stop the match by it."""
    table = await clocked(sim, clock=clock)
    person, running = await awaited(table)
    for change in CHANGES:
        await sim.slash(person, "hours", **change)
        assert await clock_at(table, person) == running
    await sim.restart()
    await until(sim, (await clock_at(table, person)).ends)
    late = await clock_at(table, person)
    assert late.stage == 1 and late.ends - late.since == PRESETS[clock].extension
    await until(sim, late.ends)
    assert (await clock_at(table, person)).away is not None


async def test_a_live_time_limit_knows_only_the_hours_set_before_the_match(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.env.advance_time(GRACE)
    early, later = alice, bob
    await sim.slash(early, "hours", quiet_from="0", quiet_to="6")
    await Table.open(sim, "sea_change", [alice, bob], seed="live", options={"clock": "live_2"})
    await sim.press(alice, sim.board(), "Start")
    await sim.slash(later, "hours", quiet_from="0", quiet_to="6")
    await sim.slash(early, "hours", quiet_from="none")
    six = int(sim.env.now().replace(hour=6, minute=0, second=0, microsecond=0).timestamp())
    seen = set()
    for _ in range(8):
        match, state = await sim.match(), await sim.state()
        (seat,) = state.to_move()
        person, clock = match.chairs[seat].player, clock_of(match, seat)
        assert clock is not None and clock.ends == (six if person == early.id else clock.since) + clock.left
        seen.add(person)
        await sim.service.play(match.id, person, None, str(state.legal_moves(seat)[0]))
    assert seen == {alice.id, bob.id}


async def test_a_substitute_brings_no_hours_to_a_live_time_limit(sim: Simulation) -> None:
    table = await clocked(sim, clock="live_2")
    person, _ = await awaited(table)
    (carol,) = sim.join_server("carol")
    await sim.slash(carol, "hours", quiet_from="0", quiet_to="16")
    match, _ = await table.now()
    seat = match.seat_of(person.id) or 0
    await sim.app.membership.offer_seat(1, person.id, True)
    await sim.app.membership.take_seat(1, carol.id, "carol", seat)
    clock = await clock_at(table, carol)
    assert clock.ends == clock.since + clock.left
    await sim.app.membership.give_seat_to_computer(1, carol.id)


@pytest.mark.parametrize("before", ["none", "live_5"])
async def test_a_live_time_limit_by_vote_knows_no_hours_before_the_first_move_either(
    sim: Simulation, before: str
) -> None:
    table = await clocked(sim, clock=before)
    for person in table.people:
        await sim.slash(person, "hours", quiet_from="0", quiet_to="16")
    for person in table.people:
        await sim.app.membership.vote(1, person.id, "clock live_2")
    match, _ = await table.now()
    assert (match.clock, match.moves, [clock.hours for clock in match.clocks]) == ("live_2", 0, [Hours(), Hours()])


async def test_a_substitute_for_a_computer_brings_no_hours_before_the_first_move_either(sim: Simulation) -> None:
    alice, carol = sim.join_server("alice", "carol")
    await sim.env.advance_time(GRACE)
    await sim.slash(carol, "hours", quiet_from="0", quiet_to="16")
    await Table.open(sim, "sea_change", [alice], seed="live", options={"clock": "live_2"})
    await sim.app.lobby.add_computer(1, alice.id)
    await sim.press(alice, sim.board(), "Start")
    (seat,) = [chair.number for chair in (await sim.match()).chairs if chair.user is None]
    match = await sim.app.membership.take_seat(1, carol.id, "carol", seat)
    clock = clock_of(match, seat)
    assert clock is not None and (match.moves, clock.hours) == (0, Hours())


async def test_quiet_hours_hold_where_there_is_no_clock_too(sim: Simulation, tide: Table) -> None:
    match, state = await tide.now()
    (seat,) = state.to_move()
    person = sim.by_id(match.chairs[seat].user)
    (other,) = [p for p in tide.people if p is not person]
    await sim.slash(other, "hours", quiet_from="0", quiet_to="6", zone="Europe/Berlin")  # until 05:00
    cursor = sim.cursor
    await tide.decide(person)
    await sim.env.advance_time(2 * HOUR)
    assert sim.pings(cursor) == []
    await sim.slash(other, "hours", quiet_from="none")
    assert sim.pings(cursor) == [other.id]


async def test_holidays_at_the_end_of_time_are_too_far(sim: Simulation) -> None:
    (person,) = sim.join_server("alice")
    for last in ("monday", "tomorrow", "in 99 weeks", "next mo", "9999-12-31"):
        said = await sim.slash(person, "hours", holiday_from="9999-12-31", holiday_to=last)
        assert "up to a year ahead" in said, last


async def test_of_long_texts_of_hours_the_beginning_is_read(sim: Simulation) -> None:
    """To read 6,000 characters would hold up the others."""
    (person,) = sim.join_server("alice")
    assert "I do not know a time zone" in await sim.slash(person, "hours", zone="\ufdfa" * 6000)
    await sim.slash(person, "hours", days_off="mo " * 2000)
    assert (await sim.app.store.hours.get(person.id)).days_off == {0}


async def test_holidays_pause_all_of_a_players_matches_from_the_next_turn_on(sim: Simulation) -> None:
    table = await clocked(sim)
    other, _ = await awaited(table)
    (person,) = [p for p in table.people if p is not other]
    said = await sim.slash(person, "hours", holiday_from="2026-01-02", holiday_to="2026-01-15")
    assert "2026-01-02 to 2026-01-15" in said
    assert "16 of 30 days of holidays left (in any 366 days)" in said
    await table.decide(other)
    clock = await clock_at(table, person)
    assert clock.ends == clock.since + WHOLE + 14 * 24 * HOUR
    said = await sim.slash(person, "hours", holiday_from="none")
    assert "none planned · 30 of 30 days left" in said
    assert await clock_at(table, person) == clock, "what a turn has begun with stays"
    cursor = sim.cursor
    await sim.env.advance_time(2 * 24 * HOUR)
    assert (await clock_at(table, person)).called == 0 and sim.pings(cursor) == []


async def test_a_turn_that_began_in_an_older_version_keeps_its_hours(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has none stored. If they cannot be stored now, the player's hours do not change."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    await sim.database.write(lambda c: c.execute("UPDATE clock SET hours = NULL").rowcount)
    sim.matches.forget()
    tries = []

    async def faster(*what: Any) -> Match:
        tries.append(what)
        raise Conflict

    with monkeypatch.context() as patch:
        patch.setattr(sim.matches, "save", faster)
        await sim.slash(person, "hours", quiet_from="8", quiet_to="20")
    assert len(tries) == 3
    assert "08:00" not in await sim.slash(person, "hours")
    assert "08:00" in await sim.slash(person, "hours", quiet_from="8", quiet_to="20")
    after = await clock_at(table, person)
    assert after.hours == Hours() and after.ends == clock.ends
    await sim.env.advance_time(10 * HOUR)
    assert (await clock_at(table, person)).ends == clock.ends


BAD = {
    "I do not know a time zone “Middle\\-earth/Shire”": {"zone": "Middle-earth/Shire"},
    "“usa” is not one time zone that I know. Did you mean one of these: America/New York, America/Chicago": {
        "zone": "usa"
    },
    "Did you mean one of these: Europe/Berlin": {"zone": "germny"},
    "cannot cover the whole day": {"quiet_from": "7", "quiet_to": "7:00"},
    "can last at most": {"quiet_from": "7", "quiet_to": "6"},
    "is not a time of day": {"quiet_from": "@everyone", "quiet_to": "6"},
    "need a start and an end": {"quiet_from": "7"},
    "as days of the week": {"days_off": "Sat, Caturday"},
    "at most 4 days": {"days_off": "mo tu we th fr"},
    "is not a date": {"holiday_from": "soon", "holiday_to": "2026-02-01"},
    "a first and a last day": {"holiday_from": "2026-02-01"},
    "end before they start": {"holiday_from": "2026-02-02", "holiday_to": "2026-02-01"},
    "at most 30 days in any 366, and from 2026\\-02\\-01 on that leaves 30": {
        "holiday_from": "2026-02-01",
        "holiday_to": "2026-06-01",
    },
    "before today": {"holiday_from": "2025-12-01", "holiday_to": "2026-01-05"},
}


async def test_a_zone_that_this_machine_lacks_counts_as_utc_everywhere(sim: Simulation) -> None:
    """The database may come from another machine, or the system's zone files may be gone."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    hours = Hours("Middle-earth/Shire", (8 * 60, 12 * 60), frozenset({6}))
    for someone in table.people:
        await PeopleHours(database_of(stored_matches(sim.app.service))).put(someone.id, hours)
    await sim.restart()
    for someone in table.people:
        said = await sim.slash(someone, "hours")
        assert "does not know the time zone Middle\\-earth/Shire" in said
        assert "Waiting for" in await sim.slash(someone, "hand") or offers(sim.hand(someone))
        assert "to move" in await sim.slash(someone, "clock", table=1)
    await table.decide(person)
    later = await clock_at(table, other)
    assert later.ends is not None and clock.ends is not None
    assert later.ends > clock.ends, "quiet hours by UTC"
    said = await sim.slash(person, "hours", zone="berlin")
    assert "Middle-earth" not in said
    assert "**Time zone:** Europe/Berlin" in said


async def test_an_abbreviation_is_taken_for_its_place_and_the_answer_says_so(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    said = await sim.slash(alice, "hours", zone="est")
    assert "**Time zone:** America/New York" in said
    assert "I take “est” to mean the time in America/New York" in said
    said = await sim.slash(alice, "hours", zone="germany")
    assert "**Time zone:** Europe/Berlin" in said
    assert "I take “germany” to mean the time in Europe/Berlin" in said
    said = await sim.slash(alice, "hours", zone="GMT-5")
    assert "**Time zone:** UTC\\-5 " in said
    assert "I take" not in said
    assert "it is 19:00 there now" in said


async def test_hours_that_cannot_be_change_nothing(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    hours = hours_of(sim.service.clocks)
    await sim.slash(alice, "hours", zone="Asia/Kathmandu", days_off="Sat, su", quiet_from="23", quiet_to="7")
    before = await hours(alice.id)
    assert (before.zone, before.quiet, before.days_off) == ("Asia/Kathmandu", (23 * 60, 7 * 60), {5, 6})
    for sentence, asked in BAD.items():
        said = await sim.slash(alice, "hours", **asked)
        assert sentence in said, said
        assert "Nothing was changed" in said
        assert await hours(alice.id) == before
    # Something good beside something bad is not taken either.
    await sim.slash(alice, "hours", zone="UTC", quiet_from="7", quiet_to="7")
    assert await hours(alice.id) == before


async def test_time_zones_are_completed(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    found = await alice.autocomplete(sim.channel, "hours", "zone", "new y")
    assert ("America/New York", "America/New_York") in [(choice["name"], choice["value"]) for choice in found]
    assert (await alice.autocomplete(sim.channel, "hours", "zone", "berlin"))[0]["value"] == "Europe/Berlin"
    assert await alice.autocomplete(sim.channel, "hours", "zone", "Middle-earth") == []
    for typed, zone in (("nyc", "America/New_York"), ("munich", "Europe/Berlin"), ("germany", "Europe/Berlin")):
        assert (await alice.autocomplete(sim.channel, "hours", "zone", typed))[0]["value"] == zone
    found = await alice.autocomplete(sim.channel, "hours", "zone", "usa")
    assert [choice["name"] for choice in found[:2]] == ["America/New York", "America/Chicago"]


async def test_days_off_are_joined_as_people_join_them(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for typed in ("Sat, Sun", "Sat and Sun", "sa & so", "s\u00e1b y dom", "samedi et dimanche", "s\u00e1b e dom"):
        await sim.slash(alice, "hours", days_off="none")
        assert "**Days off:** Saturday and Sunday" in await sim.slash(alice, "hours", days_off=typed), typed


async def test_the_end_of_a_turn_that_is_taken_back_gives_no_time(sim: Simulation) -> None:
    table = await clocked(sim, "photosynthesis")
    await table.play(lambda match, state: state.view(None).round > 0)
    person, clock = await awaited(table)
    reserve, say = clock.reserve, texts("en")
    for turn in range(MOST_ENDS_TAKEN_BACK + 1):
        await sim.env.advance_time(3 * HOUR)
        clock = await clock_at(table, person)
        assert clock.ends is not None
        left = clock.ends - sim.now()
        await sim.slash(person, "move", move="end", table=1)
        assert (await awaited(table))[0] is not person
        await sim.env.advance_time(HOUR)
        undo = await sim.press(person, sim.hand(person), say["button.undo"])
        if turn == MOST_ENDS_TAKEN_BACK:
            assert say["refused.undone_often"].format(count=turn) in sim.said(undo)
            break
        same, clock = await awaited(table)
        assert (same, clock.reserve <= reserve) == (person, True)
        assert clock.ends is not None
        assert abs(clock.ends - sim.now() - left) <= 2, "the other player's hour is not counted"


# Whole matches.


@pytest.mark.games("game", short=["siege_of_sunfall"], long=["photosynthesis"])
async def test_a_match_with_a_clock_pings_and_tells_as_one_without(sim: Simulation, game: str) -> None:
    """What `Table` looks at after each decision: who is pinged, and that no player learns what they may not."""
    table = await clocked(sim, game, **shortest_options(game, 3 if game == "siege_of_sunfall" else 2))
    match = await table.play()
    assert match.status is Status.OVER


# Votes.


async def test_the_table_votes_about_who_is_absent(sim: Simulation) -> None:
    table = await clocked(sim, "siege_of_sunfall", absent="vote")
    alice, bob, carol = table.people
    await table.decide(bob)
    await table.decide(carol)
    await until(sim, (await clock_at(table, alice)).ends)
    await until(sim, (await clock_at(table, alice)).ends)
    clock = await clock_at(table, alice)
    assert clock.stage == 2
    assert (await table.now())[0].moves == 2
    assert f"**{alice.name}** ran out of time" in board(table)
    await sim.press(bob, sim.board(), f"Let a computer play for {alice.name}")
    assert f"started by **{bob.name}** · 1 of 2 votes" in board(table)
    assert "closes" not in board(table), "it ends with alice's time"
    assert (await table.now())[0].seat_of(alice.id) is not None
    await sim.press(carol, sim.board(), "Yes")
    match, _ = await table.now()
    assert match.seat_of(alice.id) is None
    assert match.moves >= 3
    assert match.status is Status.PLAYING
    assert "Vote" not in board(table)


async def test_a_vote_that_no_player_answers_freezes_nothing(sim: Simulation) -> None:
    table = await clocked(sim, "siege_of_sunfall", absent="vote")
    alice, bob, carol = table.people
    await table.decide(bob)
    await table.decide(carol)
    for _ in range(3):
        await until(sim, (await clock_at(table, alice)).ends)
    assert (await clock_at(table, alice)).away is not None
    assert (await table.now())[0].moves >= 3


async def test_on_without_a_clock(sim: Simulation) -> None:
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    await until(sim, clock.ends)
    await until(sim, (await clock_at(table, person)).ends)
    await sim.press(other, sim.board(), "Continue without a time limit")
    match, _ = await table.now()
    assert (match.clock, match.clocks) == ("none", ())
    assert "ends" not in board(table)
    await table.decide(other)
    moves = (await table.now())[0].moves
    await sim.env.advance_time(10 * 24 * HOUR)
    assert (await table.now())[0].moves == moves


async def test_the_table_votes_for_another_clock(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    assert "Time limit: none" in await sim.slash(alice, "clock")
    await sim.slash(alice, "clock", terms="day_2")
    assert "**Vote:** Set the time limit to about 4 days to move · started by **alice** · 1 of 2 votes" in board(siege)
    assert "This table already has that time limit." in await sim.slash(bob, "clock", terms="none")
    await sim.press(bob, sim.board(), "Yes")
    match, state = await siege.now()
    assert match.clock == "day_2"
    assert {clock.seat for clock in match.clocks if clock.ends} == state.to_move()
    said = await sim.slash(carol, "clock")
    assert "Each turn: 2 d. On top of that everyone has a reserve of 2 d, which refills by 4 h" in said
    assert said.count("ends <t:") == 3
    (ida,) = sim.join_server("ida")
    assert "You are not playing at this table." in await sim.slash(ida, "clock", terms="none", table=1)
    assert "That button no longer works" in await sim.forge(alice, "1/1/vote//clock second")


async def test_the_table_votes_for_what_follows_too(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    assert "That only matters with a time limit" in await sim.slash(alice, "clock", absent="vote")
    await sim.slash(alice, "clock", terms="day_2", absent="vote")
    assert "Set the time limit to about 4 days to move, then everyone votes · started by **alice** · 1 of 2" in board(
        siege
    )
    await sim.press(bob, sim.board(), "Yes")
    match, _ = await siege.now()
    assert (match.clock, match.absent) == ("day_2", "vote")
    await sim.env.advance_time(HOUR)
    assert "This table already has that time limit." in await sim.slash(alice, "clock", absent="vote")
    for person in (alice, carol):
        await sim.slash(person, "clock", absent="computer")
    after, _ = await siege.now()
    assert (after.clock, after.absent, after.clocks) == ("day_2", "computer", match.clocks), (
        "no player's time begins again"
    )


async def test_a_lobbys_clock_and_what_follows_by_command(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await Table.open(sim, "sea_change", [alice], seed="lobby")
    assert "the time limit is set" in await sim.slash(alice, "clock", terms="live_5", absent="vote")
    assert ((await sim.match()).clock, (await sim.match()).absent) == ("live_5", "vote")
    assert "the time limit is set" in await sim.slash(alice, "clock", absent="computer")
    assert (await sim.match()).absent == "computer"


async def test_a_match_that_ends_has_no_clock(sim: Simulation) -> None:
    table = await clocked(sim, target="1")
    match = await sim.play_on(random=table.random)
    assert match.status is Status.OVER
    assert match.clocks == ()
    await sim.env.advance_time(10 * 24 * HOUR)
    await sim.restart()
    assert (await table.now())[0] == match


@pytest.mark.parametrize("way", ["button", "hand", "move"])
async def test_the_vote_about_somebody_ends_when_they_are_back(sim: Simulation, way: str) -> None:
    table = await clocked(sim, "siege_of_sunfall", absent="vote")
    alice, bob, carol = table.people
    await table.decide(bob)
    await table.decide(carol)
    for _ in range(2):
        await until(sim, (await clock_at(table, alice)).ends)
    assert (await clock_at(table, alice)).stage == 2
    assert "the table is voting about your seat" in "\n".join(words(raw(sim.hand(alice))))
    assert "I'm back" in controls(raw(sim.hand(alice)))
    await sim.press(bob, sim.board(), f"Let a computer play for {alice.name}")
    assert "1 of 2 votes" in board(table)
    old, cursor = sim.board().id, sim.cursor
    if way == "button":
        assert "**Your turn**" in sim.said(await sim.press(alice, sim.board(), "I'm back"))
    elif way == "hand":
        await sim.slash(alice, "hand")
    else:
        await table.decide(alice)
    assert (await clock_at(table, alice)).stage != 2
    assert "Vote" not in board(table) and "I'm back" not in controls(raw(sim.board()))
    assert alice.id not in sim.pings(cursor) or way == "move"
    # A player slower than she, from the message as it was, replaces no one.
    assert "is away here." in await sim.forge(carol, "1/1/vote//replace", message=old)
    assert (await table.now())[0].seat_of(alice.id) is not None


async def test_after_a_rest_the_player_asked_is_called_by_another_line(sim: Simulation) -> None:
    """With the nonce of the line before, Discord would give that one back for minutes, and no player would hear."""
    people = sim.join_server("alice", "bob")
    sim.close_dms(*people)
    table = await Table.open(sim, "sea_change", people, seed="rest", ways=dict.fromkeys(("alice", "bob"), MY_HAND))
    cursor = sim.cursor
    await table.start()
    for choice in ("pause", "resume"):
        for person in people:
            await sim.forge(person, f"1/1/vote//{choice}")
        await sim.env.advance_time(SHORT_REST)
    called = [shown.body for shown in sim.public(cursor) if shown.body.get("allowed_mentions", {}).get("users")]
    lines = [body for body in called if "your turn" in body["content"]]
    assert len(lines) == 2, "called, and called again"
    assert lines[0]["allowed_mentions"] == lines[1]["allowed_mentions"]
    assert lines[0]["nonce"] != lines[1]["nonce"]


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
    for _ in range(12):
        sim.raw_press(person, "1/1/path//", message=hand.id, channel=hand.channel.id)
        await sim.env.advance_time(5 * MINUTE)
    sim.env.backend.faults.clear()
    await sim.env.advance_time(30)
    after = await clock_at(table, person)
    assert after.stage == 0
    assert (after.ends or 0) - sim.env.now().timestamp() > before.left - MINUTE


# What is said of time.


def test_a_time_limit_is_named_by_what_happens() -> None:
    """Its name is the time of a turn with the whole reserve; the detail has both."""
    labels = Labels((), texts("en"))
    assert [terms(name, labels) for name in PRESETS] == [
        "none",
        "about 4 minutes to move",
        "about 10 minutes to move",
        "about 30 minutes to move",
        "about a day to move",
        "about 2 days to move",
        "about 4 days to move",
        "about 5 days to move",
        "about 10 days to move",
    ]
    assert detail("hours_12", labels).startswith("12 h + 12 h reserve · ")
    for code in ("en", "de"):
        assert all(len(detail(name, Labels((), texts(code)))) <= 100 for name in PRESETS)


def test_players_with_the_same_end_share_it() -> None:
    labels = Labels((), texts("en"))
    clocks = tuple(SeatClock(seat, "1", ends=ends) for seat, ends in enumerate((60, 60, 90, None)))
    match = seated(1, 2, 3, 4, clocks=clocks)
    waited = list(enumerate(("Ann", "Ben", "Cleo", "Dan")))
    assert with_ends(match, waited, labels) == "Ann and Ben · ends <t:60:R>, Cleo · ends <t:90:R> and Dan"
    assert with_ends(match, waited[:2], labels) == "Ann and Ben · ends <t:60:R>"
