"""Votes at a table: who started one is named, anyone can be against it, it closes, and nothing ends by one press."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simcord.actors import MemberActor

from cogs.match.membership import SHORT_REST
from cogs.match.time_controls import DAY, HOUR, MINUTE
from cogs.match.votes import OPEN_FOR, TOLD_FOR, Choice, is_lost, open_votes, opposed, settled, started
from cogs.messages.content import Button, Id
from cogs.messages.hand import hand_message
from cogs.relocate import REST
from cogs.transport.components import layout_view
from cogs.transport.pings import BETWEEN_VOTES
from data.records.match import Match, Status
from data.records.people import PingPreference
from data.records.proposals import TableVote, VoteEnd
from tests.cogs.clocked import board, clock_at, clocked, until
from tests.support.matches import ONE, THREE, TWO, seated
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def stored(table: Table) -> tuple[TableVote, ...]:
    return (await table.now())[0].proposals


async def press(sim: Simulation, person: MemberActor, button: str) -> str:
    return sim.said(await sim.press(person, sim.board(), button))


async def test_a_vote_names_who_started_it_and_closes_once_it_cannot_pass(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    await sim.forge(alice, "1/1/vote//pause")
    assert "**Vote:** Pause the match · started by **alice** · 1 of 2 votes · closes <t:" in board(siege)
    assert "you voted no. Pause the match: 1 of 2 votes." in await press(sim, bob, "No")
    assert "1 of 2 votes · 1 against" in board(siege)
    await sim.restart()
    assert "you voted no, so the vote has failed: *Pause the match*." in await press(sim, carol, "No")
    assert "**Vote closed:** Pause the match · too many are against it" in board(siege)
    assert "**Vote:**" not in board(siege) and "Yes" not in controls(raw(sim.board()))
    assert await sim.service.votes(1) == {}
    assert "That vote is no longer open." in await sim.forge(bob, "1/1/refuse//pause")
    await siege.decide(alice)
    assert "Vote closed" not in board(siege), "until the next move"


async def test_a_vote_calls_those_who_must_answer_and_their_hands_ask(sim: Simulation, siege: Table) -> None:
    """Once each, by direct message, also if it is not their turn; not the player who began it, and again for the next
    vote alone. Their answer takes the question out of their hand.
    """
    alice, bob, carol = siege.people
    await siege.decide(bob)
    cursor = sim.cursor
    await sim.forge(alice, "1/1/vote//pause")
    assert sorted(sim.pings(cursor)) == sorted([bob.id, carol.id])
    for person in (bob, carol):
        hand = sim.hand(person)
        assert "🗳️ **alice**: Pause the match? (1 of 2)" in "\n".join(words(raw(hand)))
        assert {"Vote yes", "Vote no"} <= set(controls(raw(hand))), "beside moves, no bare Yes"
    assert "Vote no" not in controls(raw(sim.hand(alice)))
    cursor = sim.cursor
    await sim.press(bob, sim.hand(bob), "Vote no")
    assert "Vote no" not in controls(raw(sim.hand(bob)))
    await sim.restart()
    await siege.decide(alice)
    assert bob.id not in sim.pings(cursor), "called once for it"
    await sim.press(carol, sim.hand(carol), "Vote yes")
    assert "**Paused**" in board(siege)
    for person in (carol, carol, alice):
        await sim.forge(person, "1/1/vote//resume")
        await sim.forge(person, "1/1/vote//none")
    assert bob.id not in sim.pings(cursor), "nor is any player called again and again"
    await sim.env.advance_time(BETWEEN_VOTES)
    cursor = sim.cursor
    await sim.forge(carol, "1/1/vote//resume")
    assert sorted(sim.pings(cursor)) == sorted([alice.id, bob.id]), "a match that rests calls for its votes too"
    await sim.press(bob, sim.hand(bob), "Vote yes")
    assert "**Paused**" not in board(siege)


async def test_a_vote_calls_no_more_often_if_its_table_moves_or_its_match_rests(sim: Simulation, siege: Table) -> None:
    """One player can move a table to and fro, and two can let a match rest and go on; the third is to move or not."""
    alice, bob, carol = siege.people
    parlour = sim.guild.create_text_channel("parlour")
    for person in (bob, carol):
        await sim.forge(person, "1/0/setting//ping", values=[PingPreference.MENTION])
    await siege.decide(bob)
    cursor = sim.cursor
    await sim.forge(alice, "1/1/vote//pause")
    for channel in (parlour, sim.channel) * 2:
        await sim.env.advance_time(REST + 1)
        assert "is here from now on" in await sim.slash(alice, "relocate", channel, table=1)
    assert sim.pings(cursor).count(bob.id) == 1
    await sim.forge(bob, "1/1/vote//pause")
    for proposal in ("resume", "pause"):
        await sim.env.advance_time(SHORT_REST + 1)
        cursor = sim.cursor
        for person in (alice, bob):
            await sim.forge(person, f"1/1/vote//{proposal}")
        assert sim.pings(cursor).count(carol.id) == (proposal == "resume"), "its end calls for the turn"


async def test_who_was_away_meanwhile_is_not_called_for_the_same_vote_again(sim: Simulation) -> None:
    table = await clocked(sim, "siege_of_sunfall", clock="live_5")
    alice, bob, carol = table.people
    cursor = sim.cursor
    await sim.forge(alice, "1/1/vote//pause")
    assert sim.pings(cursor).count(bob.id) == 1
    for person in (alice, carol):
        await table.decide(person)
    while (clock := await clock_at(table, bob)).away is None:
        await until(sim, clock.due)
    assert await stored(table), "the vote is still open"
    cursor = sim.cursor
    await sim.app.membership.vote(1, bob.id, "end")
    sim.app.publisher.changed(1)
    await sim.caught_up()
    assert (await clock_at(table, bob)).away is None
    assert bob.id not in sim.pings(cursor)


async def test_the_fullest_hand_has_room_for_a_vote(sim: Simulation, siege: Table) -> None:
    """A newcomer's, with words, at a held table, the last to pledge, in an answer that tells something and leads on."""
    starter, other, last = siege.people
    for person in (starter, other):
        await siege.decide(person)
    match, _ = await siege.now()
    reader = await sim.service.people.get(last.id)
    hand = await hand_message(
        sim.app.messages,
        replace(match, held=True, proposals=(TableVote("pause", starter.id, 1, None),)),
        replace(reader, wants_text=True),
        notice="Not now.",
        passing=(Button("Next table", Id(2, "hand")),),
        refreshable=True,
        answers=True,
    )
    shown = controls({"components": layout_view(hand).to_components()})  # raises ValueError beyond 40 components
    assert {"Vote yes", "Vote no", "Next table", "Refresh"} <= set(shown)


async def test_who_has_voted_at_the_table_is_not_called_for_it_after_quiet_hours(sim: Simulation) -> None:
    """The simulation begins at midnight, UTC."""
    tide = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", "carol"), seed="votes")
    match, state = await tide.now()
    mover = min(state.to_move())
    await tide.decide(sim.by_id(match.chairs[mover].user))
    match, state = await tide.now()
    starter, voter = (sim.by_id(match.chairs[seat].user) for seat in range(3) if seat not in state.to_move())
    await sim.slash(voter, "hours", quiet_from="23", quiet_to="6")
    cursor = sim.cursor
    for person in (starter, voter):
        await sim.forge(person, f"1/1/vote//undo {match.moves - 1}")
    assert "2 of 3 votes" in board(tide)
    await sim.env.advance_time(12 * HOUR)
    assert voter.id not in sim.pings(cursor)


async def test_who_changes_their_mind_counts_once(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    await sim.forge(alice, "1/1/vote//pause")
    await press(sim, bob, "No")
    await press(sim, bob, "Withdraw my vote")
    assert "against" not in board(siege)
    await press(sim, bob, "No")
    await press(sim, bob, "Yes")
    assert "**Paused**" in board(siege)
    for person in (alice, carol):
        await sim.forge(person, "1/1/vote//resume")
    await sim.forge(carol, "1/1/vote//end")
    await sim.forge(carol, "1/1/vote_sure//end")
    assert "the vote has failed" in await press(sim, carol, "No"), "hers was the only vote"
    assert await stored(siege) == () and "**Vote" not in board(siege)


async def test_a_vote_closes_after_two_days_and_the_table_says_so_for_one(sim: Simulation, siege: Table) -> None:
    alice, bob, _ = siege.people
    await sim.forge(alice, "1/1/vote//pause")
    await sim.env.advance_time(OPEN_FOR - MINUTE)
    await sim.restart()
    assert "**Vote:** Pause the match" in board(siege)
    await sim.env.advance_time(2 * MINUTE)
    assert "**Vote closed:** Pause the match · not enough votes in two days" in board(siege)
    assert "That vote is no longer open." in await sim.forge(bob, "1/1/refuse//pause")
    await sim.env.advance_time(TOLD_FOR - HOUR)
    await sim.restart(down=2 * HOUR)
    await sim.env.advance_time(MINUTE)
    assert "Vote" not in board(siege)
    assert await stored(siege) == ()


async def test_several_open_votes_have_a_button_each(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    await sim.forge(alice, "1/1/vote//pause")
    await sim.forge(bob, "1/1/vote_sure//end")
    shown = controls(raw(sim.board()))
    for label in ("Yes: Pause the match", "No: Pause the match", "Yes: End the match", "No: End the match"):
        assert label in shown
    assert "you voted no. End the match: 1 of 2 votes." in await press(sim, alice, "No: End the match")
    assert {vote.choice: vote.against for vote in await stored(siege)} == {"end": (alice.id,), "pause": ()}
    await press(sim, carol, "Yes: Pause the match")
    match, _ = await siege.now()
    assert match.rests_since is not None and [vote.choice for vote in match.proposals] == ["end"]


async def test_a_move_back_is_refused_by_any_one_and_takes_all(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "photosynthesis", [alice, bob], seed="back")
    first = (await table.now())[0].state
    await table.play(lambda match, state: match.moves == 1)
    before = (await table.now())[0].state
    await sim.forge(alice, "1/1/vote//undo 0")
    assert "Undo the last move" in board(table)
    await press(sim, bob, "No")
    assert (await table.now())[0].state == before
    assert "**Vote closed:** Undo the last move" in board(table)
    shown = await sim.press(alice, sim.board(), "Players")
    await sim.press(alice, shown.response, "Undo the last move")
    assert "Undo the last move · started by **alice** · 1 of 2 votes" in board(table)
    await press(sim, bob, "Yes")
    assert (await table.now())[0].state == first
    assert "**Vote:**" not in board(table)


async def test_a_vote_to_end_is_asked_about_once(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    (ida,) = sim.join_server("ida")
    shown = await sim.press(alice, sim.board(), "Players")
    asked = await sim.press(alice, shown.response, "End the match")
    assert "Ask everyone to end the match?" in sim.said(asked)
    assert await stored(siege) == ()
    stayed = await sim.press(alice, asked.response, "No, keep playing")
    assert "you play on" in sim.said(stayed) and "Yes, ask everyone" not in controls(sim.answers(stayed)[-1].body)
    asked = await sim.press(alice, shown.response, "End the match")
    assert "End the match: 1 of 2" in sim.said(await sim.press(alice, asked.response, "Yes, ask everyone"))
    assert "started by **alice**" in board(siege)
    for pressed in ("vote//end", "vote_sure//end", "refuse//end", "stay//"):
        assert "You are not playing at this table." in await sim.forge(ida, f"1/1/{pressed}")
    assert (await siege.now())[0].status is Status.PLAYING
    await press(sim, carol, "Yes")
    assert (await siege.now())[0].status is Status.STOPPED and bob


async def test_a_single_player_decides_without_a_vote_and_is_asked_before_the_match_ends(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    table = await Table.begin(sim, "sea_change", [alice], seed="alone", computers=1)
    for button, head in (("Pause the match", "**Paused**"), ("Resume the match", "**To move:**")):
        said = sim.said(await sim.press(alice, (await sim.press(alice, sim.board(), "Players")).response, button))
        assert f"done: *{button}*." in said and "vote" not in said
        assert head in board(table)
    asked = await sim.press(alice, (await sim.press(alice, sim.board(), "Players")).response, "End the match")
    assert "ends at once" in sim.said(asked)
    assert (await table.now())[0].status is Status.PLAYING
    assert "is over" in sim.said(await sim.press(alice, asked.response, "Yes, end it"))
    assert (await table.now())[0].status is Status.STOPPED


async def test_a_voter_who_leaves_no_longer_refuses(sim: Simulation, siege: Table) -> None:
    alice, bob, _ = siege.people
    await sim.forge(alice, "1/1/vote//pause")
    await press(sim, bob, "No")
    await sim.forge(bob, "1/1/give_seat//")
    assert "1 of 2 votes" in board(siege) and "against" not in board(siege)


# The rules alone.


@pytest.mark.parametrize("people", range(2, 9))
def test_a_vote_is_lost_with_the_first_refusal_that_leaves_too_few(people: int) -> None:
    users = list(range(1, people + 1))
    match = started(seated(*users), Choice("end"), 1, now=0)
    lost = [False]
    for user in users[1:]:
        match = opposed(match, Choice("end"), user)
        lost.append(is_lost(match, Choice("end")))
    needed = people // 2 + 1
    assert lost == [people - against < needed for against in range(people)]


def test_the_one_to_remove_has_no_vote_on_it_and_counts_as_against_it() -> None:
    match = started(seated(ONE, TWO, THREE), Choice("remove", THREE), ONE, now=0)
    assert not is_lost(match, Choice("remove", THREE))
    assert is_lost(opposed(match, Choice("remove", THREE), TWO), Choice("remove", THREE))


def test_what_is_not_possible_any_more_closes_without_a_word() -> None:
    match: Match = started(seated(ONE, TWO, moves=5), Choice("undo", 4), ONE, now=0)
    votes = {ONE: "undo 4"}
    late = settled(match, votes, OPEN_FOR, overdue=True)
    assert [vote.ended for vote in late[0].proposals] == [VoteEnd.EXPIRED] and late[1] == {}
    gone = settled(replace(match, moves=6), votes, OPEN_FOR, overdue=True)
    assert gone[0].proposals == () and gone[1] == {}
    assert open_votes(settled(match, votes, OPEN_FOR - 1, overdue=True)[0]).keys() == {"undo 4"}
    assert OPEN_FOR == 2 * DAY


# The menus of /clock and /hours.


async def menu(sim: Simulation, person: MemberActor, command: str, **options: object) -> list[str]:
    """The custom ids and values in the private answer to a command."""
    cursor = sim.cursor
    await sim.slash(person, command, **options)
    (shown,) = [shown for shown in sim.shown(cursor) if "token" in shown.body]
    return controls(shown.body)


async def test_clock_has_a_menu_that_proposes(sim: Simulation, siege: Table) -> None:
    alice, bob, _ = siege.people
    (ida,) = sim.join_server("ida")
    assert "1/1/vote//clock" in await menu(sim, alice, "clock")
    assert "1/1/vote//clock" not in await menu(sim, ida, "clock", table=1)
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote//clock", values=["clock day_2"])
    assert (await siege.now())[0].clock == "day_2"
    shown = await menu(sim, alice, "clock")
    assert "1/1/vote//absent" in shown and "about 4 days to move" not in shown
    await sim.forge(alice, "1/1/vote//absent", values=["clock day_2 vote"])
    assert "Set the time limit to about 4 days to move, then everyone votes" in board(siege)
    assert "That button no longer works" in await sim.forge(bob, "1/1/vote//clock", values=["clock second"])


async def test_clock_chooses_in_a_lobby(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await Table.open(sim, "sea_change", [alice], seed="lobby")
    assert "1/1/option//clock" in await menu(sim, alice, "clock")


async def test_hours_has_a_menu(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await Table.open(sim, "sea_change", [alice], seed="menu")
    shown = await menu(sim, alice, "hours")
    assert {"1/0/hours//quiet", "1/0/hours//days_off"} <= set(shown) and "Quiet from 22:00 to 07:00" in shown
    assert "Quiet hours:** 22:00 to 07:00" in await sim.forge(alice, "1/0/hours//quiet", values=["22:00-07:00"])
    said = await sim.forge(alice, "1/0/hours//days_off", values=["5", "6"])
    assert "Days off:** Saturday and Sunday" in said and "22:00 to 07:00" in said
    await sim.slash(alice, "hours", quiet_from="20:30", quiet_to="6")
    assert "Quiet from 20:30 to 06:00" in await menu(sim, alice, "hours")
    assert "Quiet hours:** none" in await sim.forge(alice, "1/0/hours//quiet", values=["none"])
    assert "Days off:** none" in await sim.forge(alice, "1/0/hours//days_off", values=[])
    for what, values in (("quiet", ["0:00-24:00"]), ("days_off", ["7"]), ("days_off", list("01234")), ("x", ["1"])):
        before = await sim.service.people.get(alice.id)
        said = await sim.forge(alice, f"1/0/hours//{what}", values=values)
        assert "Nothing was changed" in said or "no longer works" in said
        assert await sim.service.people.get(alice.id) == before
