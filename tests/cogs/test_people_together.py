"""Deciding together, watching, and coming too late, in the whole bot."""

from __future__ import annotations

import re

import pytest

from cogs.match.membership import SHORT_REST
from tests.cogs.managing import manager
from tests.cogs.matches_over import text
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


# Deciding together.


async def test_the_menu_of_players_and_a_pause(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    shown = await sim.press(alice, sim.board(), "Players")
    head, *players, rule = sim.said(shown).strip().split("\n")[:5]
    assert head.endswith("· players") and sorted(players) == ["• **alice**", "• **bob**", "• **carol**"]
    assert rule == "-# A vote passes with more than half of you; taking a move back needs everyone."
    assert "a week" not in sim.said(shown), "nor what holds only of a pause"
    pressed = offers(sim.hand(carol))[0].custom_id
    await sim.press(alice, shown.response, "Pause the match")
    page = next(told for told in sim.visible(alice) if "· players" in told)
    assert "Pause the match · started by **alice** · 1 of 2 votes" in page, "the page goes on with her vote"
    assert "Withdraw my vote" in page and "1/1/vote//pause" not in page
    assert "Pause the match · started by **alice** · 1 of 2 votes · closes <t:" in text(sim)
    await sim.restart()
    assert "the vote passed: *Pause the match*." in sim.said(await sim.press(bob, sim.board(), "Yes"))
    assert "**Paused**" in text(sim)
    assert "If the pause lasts a week, one vote ends it." in sim.said(await sim.press(bob, sim.board(), "Players"))
    await sim.press(carol, sim.board(), "Scores")
    pictured = [told for told in sim.visible(carol) if "round 1 of 6." in told]
    assert len(pictured) == 3 and all("8 left in the pile. Paused." in told for told in pictured), (
        "table, hand and scores"
    )
    assert not offers(sim.hand(carol))
    place = {"message": sim.hand(carol).id, "channel": sim.hand(carol).channel.id}
    assert "This match is paused." in await sim.forge(carol, pressed, **place)
    assert "This match is paused." in await sim.slash(carol, "move", move="pledge 1")
    assert not await carol.autocomplete(sim.channel, "move", "move", "", table=1)
    assert "paused <t:" in await sim.slash(carol, "games")
    await sim.env.advance_time(SHORT_REST)
    cursor = sim.cursor
    assert "1/1/vote//resume" in controls(raw(sim.board()))
    assert not any("Players" in told for told in words(raw(sim.hand(carol)))), "the hand names no button that it lacks"
    await sim.press(carol, sim.hand(carol), "Resume the match")
    assert "1/1/vote//resume" not in controls(raw(sim.hand(carol))), "only once"
    await sim.press(bob, sim.hand(bob), "Vote yes")
    assert "**To move:**" in text(sim) and "1/1/vote//resume" not in controls(raw(sim.board()))
    assert "1/1/vote//resume" not in controls(raw(sim.hand(carol)))
    assert set(sim.pings(cursor)) == {alice.id, bob.id, carol.id}, "the player asked is called again"
    assert offers(sim.hand(carol))


async def test_a_name_is_no_link_in_the_answer_to_a_voice(sim: Simulation) -> None:
    link = "[gift](http://a.bc)"
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", link), seed="link")
    alice, _, other = table.people
    said = await sim.forge(alice, f"1/1/vote//remove {other.id}")
    assert "gift" in said and link not in said


async def test_removing_takes_two_and_the_removed_one_stays_away(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    shown = await sim.press(alice, sim.board(), "Players")
    await sim.press(alice, shown.response, "1/1/vote//", f"remove {carol.id}")
    assert "Replace carol with a computer · started by **alice** · 1 of 2 votes" in text(sim)
    for pressed in ("Yes", "No"):
        assert "three or more people" in sim.said(await sim.press(carol, sim.board(), pressed))
    assert (await siege.now())[0].seat_of(carol.id) is not None
    await sim.press(carol, sim.board(), "My hand")
    passed = sim.said(await sim.press(bob, sim.board(), "Yes"))
    assert "the vote passed: *Replace carol with a computer*." in passed
    assert (await siege.now())[0].seat_of(carol.id) is None
    await sim.caught_up()
    left = [shown for shown in sim.visible(carol) if "You are no longer at" in shown]
    assert len(left) == 2 and all("gave your seat to a computer, so you cannot return" in shown for shown in left)
    assert "Open seat:** **carol**" in text(sim)
    for said in (
        sim.said(await sim.press(carol, sim.board(), "Take carol's seat")),
        await sim.slash(carol, "join", table=1),
        sim.said(await sim.press(carol, sim.board(), "My hand")),
    ):
        assert "gave your seat to a computer, so you cannot return" in said
        assert "**/board** shows you the match; **/play** opens another." in said, "what they can do instead"


async def test_strangers_have_no_voice(sim: Simulation, siege: Table) -> None:
    (ida,) = sim.join_server("ida")
    version = (await siege.now())[0].version
    alice = siege.people[0]
    for choice in ("end", "pause", "resume", "none", f"remove {alice.id}", "undo 0", "x"):
        assert "You are not playing at this table." in await sim.forge(ida, f"1/1/vote//{choice}")
    for action in ("offer//1", "give_seat//", "resign//"):
        assert "You are not playing at this table." in await sim.forge(ida, f"1/1/{action}")
    shown = await sim.press(ida, sim.board(), "Players")
    assert "alice" in sim.said(shown)
    assert not controls({"components": shown.response.components})
    assert (await siege.now())[0].version == version


# Watching.


async def test_an_onlooker_sees_the_table_and_no_more(sim: Simulation, siege: Table) -> None:
    """The same for an onlooker and for one who sits there; Refresh shows what is new in the same message."""
    (ida,) = sim.join_server("ida")
    alice = siege.people[0]
    seen = [await sim.press(person, sim.board(), "Scores") for person in (ida, alice)]
    texts = [re.sub(r"\s+", " ", sim.said(result)) for result in seen]
    assert texts[0] == texts[1]
    assert "**To move:**" in texts[0]
    assert all(result.response.ephemeral for result in seen)
    await siege.play(lambda match, state: match.moves == 2)
    count = len(sim.channel.history())
    again = await sim.press(ida, seen[0].response, "Refresh")
    assert sim.said(again)
    assert len(sim.channel.history()) == count


# Too late.


async def test_who_comes_too_late_is_offered_what_there_is(sim: Simulation) -> None:
    """The list for the next match, the seats that computers hold or that are offered, and Watch."""
    alice, bob = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", [alice, bob], seed="late", computers=1)
    await sim.forge(alice, "1/1/offer//1")
    (erin,) = sim.join_server("erin")
    joined = await erin.slash(sim.channel, "join")
    said = sim.said(joined)
    assert "This match has already started. You are on the waiting list of Sea Change · table 1" in said
    assert "You can take over a seat of a computer" in said and "refused" not in said
    computer = next(chair for chair in (await table.now())[0].chairs if chair.user is None)
    offered = controls(sim.answers(joined)[-1].body)
    assert {"Take alice's seat", f"Take 🤖{computer.name}'s seat", "Watch"} <= set(offered)
    assert "Take bob's seat" not in offered
    assert f"Take 🤖{computer.name}'s seat" not in controls(raw(sim.board())), "the table chose to play with it"
    assert "**To move:**" in sim.said(await sim.press(erin, joined.response, "Watch"))
    again = await erin.slash(sim.channel, "join", table=1)
    assert "You are already on the waiting list of this table." in sim.said(again)
    took = await sim.press(erin, again.response, f"Take 🤖{computer.name}'s seat")
    assert "You have taken over **" in sim.said(took)
    match, _ = await table.now()
    assert match.seat_of(erin.id) == computer.number and not match.waiting
    assert "Your hand:" in "\n".join(words(raw(sim.hand(erin))))
    # Another one is a moment too late for it.
    (frank,) = sim.join_server("frank")
    assert "That seat is taken" in await sim.forge(frank, f"1/1/take//{computer.number}")
    assert (await table.now())[0].seat_of(erin.id) == computer.number


async def test_without_a_free_seat_who_comes_too_late_waits_and_watches(sim: Simulation, tide: Table) -> None:
    (ida,) = sim.join_server("ida")
    joined = await ida.slash(sim.channel, "join")
    assert "You are on the waiting list" in sim.said(joined) and "You can watch in the meantime." in sim.said(joined)
    assert [text for text in controls(sim.answers(joined)[-1].body) if "/" not in text] == ["Watch"]
    # Where there is a lobby too, that is meant.
    await sim.slash(tide.people[0], "play", game="full_sun")
    (erin,) = sim.join_server("erin")
    assert "You have joined [Full Sun · table 2]" in await sim.slash(erin, "join")


async def test_a_former_player_whose_seat_is_taken_waits_and_watches(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    erin = await tide.substitute(alice, "erin")
    joined = await alice.slash(sim.channel, "join")
    assert "You are on the waiting list" in sim.said(joined) and "You can watch in the meantime." in sim.said(joined)
    await sim.forge(tide.people[1], "1/1/offer//1")
    joined = await alice.slash(sim.channel, "join")
    offered = [text for text in controls(sim.answers(joined)[-1].body) if "/" not in text]
    assert offered == ["Watch"], "another's seat is not for who has seen their own"
    await sim.forge(erin, "1/1/give_seat//")
    assert "Welcome back: you have your seat at [" in await sim.slash(alice, "join")


async def test_to_leave_asks_first_and_a_search_is_called_off_where_it_was_begun(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    assert "you keep your seat" in await sim.forge(alice, "1/1/offer//0"), "nothing was begun"
    asked = await alice.slash(sim.channel, "leave")
    looking = await sim.press(alice, asked.response, "Look for a substitute")
    assert (await tide.now())[0].chairs[(await tide.now())[0].seat_of(alice.id)].offered
    assert "you keep your seat" in sim.said(await sim.press(alice, looking.response, "Keep my seat"))
    assert not any(chair.offered for chair in (await tide.now())[0].chairs)


async def test_who_means_the_table_of_others_is_told_so(sim: Simulation, tide: Table) -> None:
    (ida,) = sim.join_server("ida")
    for command in ("hand", "move"):
        assert "You are not playing at this table." in await sim.slash(
            ida, command, **({"move": "B9"} if command == "move" else {})
        )
    assert "You are already at this table." in await sim.slash(tide.people[0], "join")


# What comes too late to be done.


async def test_a_cancelled_match_is_not_gone_on_with(sim: Simulation, siege: Table) -> None:
    """By the buttons that stand somewhere still, and by commands: each answers, and all of it stays as it was."""
    alice, bob, carol = siege.people
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote//pause")
    await sim.forge(carol, "1/1/give_seat//")
    assert (await siege.now())[0].rests_since is not None
    mona = manager(sim)
    assert "is cancelled" in await sim.cancel(mona, 1)
    before, log = (await siege.now())[0], await sim.matches.moves(1)
    called_off = "This match was cancelled."
    for custom_id in ("vote//resume", "vote//pause", "give_seat//", "offer//1", "take//0", "join//"):
        assert called_off in await sim.forge(bob, f"1/1/{custom_id}"), custom_id
    assert called_off in await sim.forge(carol, "1/1/back//")
    assert called_off in await sim.slash(bob, "move", move="pledge 1", table=1)
    assert called_off in await sim.forge(carol, "1/1/people//")
    assert called_off in await sim.cancel(mona, 1)
    assert (await siege.now())[0] == before and await sim.matches.moves(1) == log
    assert "✓ Everything checks out" in await sim.slash(alice, "verify", table=1)
