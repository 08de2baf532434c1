"""Votes about clocks and about who is absent, and what is said of time."""

from __future__ import annotations

import pytest

from cogs.match.membership import SHORT_REST
from cogs.match.time_controls import HOUR, PRESETS
from cogs.messages.clock import detail, terms, with_ends
from data.content.texts import texts
from data.records.deadlines import SeatClock
from data.records.match import Status
from rendering.core.labels import Labels
from tests.cogs.clocked import board, both, clock_at, clocked, run_out
from tests.support.matches import seated
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import MY_HAND, Table, shortest_options

pytestmark = pytest.mark.usefixtures("plain")


# Whole matches.


@pytest.mark.games("game", short=["siege_of_sunfall"], long=["photosynthesis"])
async def test_a_match_with_a_clock_pings_and_tells_as_one_without(sim: Simulation, game: str) -> None:
    """What `Table` looks at after each decision: who is pinged, and that no player learns what they may not."""
    table = await clocked(sim, game, **shortest_options(game, 3 if game == "siege_of_sunfall" else 2))
    match = await table.play()
    assert match.status is Status.OVER


# Votes.


async def voting_about_alice(sim: Simulation) -> Table:
    """A table for three whose others have moved, and vote about alice, whose time is over."""
    table = await clocked(sim, "siege_of_sunfall", absent="vote")
    alice, *others = table.people
    for person in others:
        await table.decide(person)
    await run_out(table, alice)
    assert (await clock_at(table, alice)).stage == 2
    return table


async def test_the_table_votes_about_who_is_absent(sim: Simulation) -> None:
    table = await voting_about_alice(sim)
    alice, bob, carol = table.people
    assert (await table.now())[0].moves == 2
    assert f"**{alice.name}** ran out of time" in board(table)
    await sim.press(bob, sim.board(), f"Let a computer play for {alice.name}")
    assert f"started by **{bob.name}** · 1 of 2 votes" in board(table)
    assert "closes" not in board(table), "it ends with alice's time"
    assert (await table.now())[0].seat_of(alice.id) is not None
    passed = sim.said(await sim.press(carol, sim.board(), "Yes"))
    assert f"the vote passed: *Let a computer play for {alice.name}*." in passed
    match, _ = await table.now()
    assert match.seat_of(alice.id) is None
    assert match.moves >= 3
    assert match.status is Status.PLAYING
    assert "Vote" not in board(table)


async def test_a_vote_that_no_player_answers_freezes_nothing(sim: Simulation) -> None:
    table = await voting_about_alice(sim)
    alice, *_ = table.people
    await run_out(table, alice, times=1)
    assert (await clock_at(table, alice)).away is not None
    assert (await table.now())[0].moves >= 3


async def test_on_without_a_clock(sim: Simulation) -> None:
    table = await clocked(sim)
    person, other = await both(table)
    await run_out(table, person)
    await sim.press(other, sim.board(), "Continue without a time limit")
    match, _ = await table.now()
    assert (match.clock, match.clocks) == ("none", ())
    assert "ends" not in board(table)
    await table.decide(other)
    moves = (await table.now())[0].moves
    await sim.env.advance_time(3 * 24 * HOUR)
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
    await sim.env.advance_time(3 * 24 * HOUR)
    await sim.restart()
    assert (await table.now())[0] == match


@pytest.mark.parametrize("way", ["button", "hand", "move"])
async def test_the_vote_about_somebody_ends_when_they_are_back(sim: Simulation, way: str) -> None:
    table = await voting_about_alice(sim)
    alice, bob, carol = table.people
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


# What is said of time.


def test_a_time_limit_is_named_by_what_happens() -> None:
    """Its name is the time of a turn with the whole reserve; the detail has both."""
    labels = Labels((), texts("en"))
    assert [terms(name, labels) for name in PRESETS] == [
        *("none", "about 4 minutes to move", "about 10 minutes to move", "about 30 minutes to move"),
        *("about a day to move", "about 2 days to move", "about 4 days to move", "about 5 days to move"),
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
