"""Move clocks in the whole bot: what the lobby chooses, a turn from its beginning to its end, restarts."""

from __future__ import annotations

import pytest

from cogs.match.clocks import GRACE
from cogs.match.deadlines import ring
from cogs.match.time_controls import HOUR, MINUTE
from rules import GAMES
from tests.cogs.clocked import DAY_1, WHOLE, awaited, board, both, clock_at, clocked, run_out, shown_end, until
from tests.cogs.pings import other_than
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import MY_HAND, Table

pytestmark = pytest.mark.usefixtures("plain")


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
    assert "about 4 days to move" in "\n".join(controls(raw(shown.message)))
    await alice.click(shown, label="Options …")
    assert "then everyone votes" in "\n".join(controls(raw(shown.message)))


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
    other = other_than(table, person)
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
    person, other = await both(table)
    await run_out(table, person)
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
    await sim.env.advance_time(2 * (WHOLE + DAY_1.extension) + HOUR)
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
    await run_out(table, person)
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
    person, other = await both(table)
    await run_out(table, person)
    await sim.restart()
    for _ in range(3):
        await table.decide(other)
        match, state = await table.now()
        assert match.seat_of(other.id) in state.to_move()


async def test_no_text_says_that_computers_play_while_they_do_not(sim: Simulation) -> None:
    """They wait until one player is back, and while the match rests; and an absent player names no move ahead."""
    table = await clocked(sim, "full_circle", "live_2")
    playing = "computer is playing"
    first, _ = await awaited(table)
    await run_out(table, first)
    while len([clock for clock in (await sim.match()).clocks if clock.away is not None]) < 2:
        await sim.env.advance_time(HOUR)
    games = [await sim.slash(person, "games") for person in table.people]
    hands = ["\n".join(words(raw(sim.hand(person)))) for person in table.people]
    for said in (board(table), *hands, *games):
        assert playing not in said, said
    for person, hand in zip(table.people, hands, strict=True):
        assert "Everyone is away" in hand
        assert "1/1/here//" in controls(raw(sim.hand(person))) and "1/1/ahead//" not in controls(raw(sim.hand(person)))
    await sim.press(first, sim.hand(first), "1/1/here//")
    assert playing in board(table)
    await sim.forge(first, "1/1/vote_sure//pause")
    assert "**Paused**" in board(table) and playing not in board(table)
