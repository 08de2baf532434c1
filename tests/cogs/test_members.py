"""Players who leave the server, or are banned from it, are out of its matches; a manager gives a seat to a computer."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from cogs.transport.server_lookup import LATELY, TO_COME_BACK
from data.records.match import Match, SeatChangeKind, Status
from tests.cogs.managing import choose, manager
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")
OUT = "You are no longer in the server of this table"


def seated(match: Match) -> list[str]:
    return [chair.name for chair in match.people]


def member_questions(sim: Simulation, since: int = 0) -> int:
    """How often the bot has asked Discord whether somebody is a member."""
    found = sim.env.http_requests[since:]
    return sum(entry.method == "GET" and f"/guilds/{sim.guild.id}/members/" in entry.path for entry in found)


@pytest.mark.parametrize("how", ["left", "banned"])
async def test_who_left_or_was_banned_makes_no_move_and_leaves_the_match(
    sim: Simulation, siege: Table, how: str
) -> None:
    bob = sim.people["bob"]
    if how == "left":
        sim.guild.remove_member(bob)
    else:
        sim.env.backend.apply_ban(sim.guild.id, bob.id, None)
    assert OUT in sim.said(await siege.decide(bob))
    match = await sim.match()
    assert match.moves == 0 and "bob" in seated(match)
    assert OUT in sim.said(await bob.user.slash("move", move="1")), "typed as well"
    assert OUT in sim.said(await bob.user.slash("hand"))
    cursor = sim.cursor
    await sim.env.advance_time(TO_COME_BACK)
    await sim.caught_up()
    match = await sim.match()
    assert "bob" not in seated(match) and [change.kind for change in match.seat_changes] == [SeatChangeKind.GONE]
    said = "\n".join(shown.text for shown in sim.public(cursor))
    assert "**bob** is no longer in this server; **🤖\u2060Blaise** plays on." in said
    assert bob.id not in sim.pings(cursor) and not offers(sim.dms(bob)[-1])
    if how == "banned":
        sim.env.backend.remove_ban(sim.guild.id, bob.id)
    back = sim.guild.add_member(bob.user)
    assert "**bob**" not in await sim.slash(back, "join", table=1)
    assert "bob" in seated(await sim.match())


async def test_a_player_who_is_back_within_a_minute_keeps_the_seat(sim: Simulation, siege: Table) -> None:
    bob = sim.people["bob"]
    sim.guild.remove_member(bob)
    assert OUT in sim.said(await siege.decide(bob))
    sim.guild.add_member(bob.user)
    await sim.env.advance_time(TO_COME_BACK)
    await sim.caught_up()
    assert not (await sim.match()).seat_changes
    assert OUT not in sim.said(await siege.decide(bob)) and (await sim.match()).moves == 1


async def test_the_managers_may_let_them_play_on(sim: Simulation, siege: Table) -> None:
    mona = manager(sim)
    assert "**Players who leave the server:** off" in await choose(sim, mona, "members_only", "off")
    bob = sim.people["bob"]
    sim.guild.remove_member(bob)
    assert OUT not in sim.said(await siege.decide(bob))
    await sim.env.advance_time(TO_COME_BACK)
    assert (await sim.match()).moves == 1 and not (await sim.match()).seat_changes


@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 403, "code": 50001}, {"status": 404, "code": 0}])
async def test_without_an_answer_of_discord_a_press_counts(
    sim: Simulation, siege: Table, fault: dict[str, int]
) -> None:
    bob = sim.people["bob"]
    sim.env.inject_error("GET", f"/guilds/{sim.guild.id}/members/{bob.id}", times=None, **fault)
    assert OUT not in sim.said(await siege.decide(bob))
    assert (await sim.match()).moves == 1


async def test_a_press_in_the_server_needs_no_question(sim: Simulation, siege: Table) -> None:
    since = sim.cursor
    await sim.press(sim.people["bob"], sim.board(), "My hand")
    assert not member_questions(sim, since)
    await siege.decide(sim.people["bob"])
    assert member_questions(sim, since) == 1


async def test_a_vote_of_a_player_who_is_out_does_not_count(sim: Simulation, siege: Table) -> None:
    bob = sim.people["bob"]
    sim.guild.remove_member(bob)
    message = sim.hand(bob)
    said = await sim.forge(bob, "1/1/vote_sure//end", message=message.id, channel=message.channel.id)
    assert OUT in said and await sim.service.votes(1) == {}
    await sim.forge(sim.people["alice"], "1/1/vote_sure//end")
    await sim.env.advance_time(TO_COME_BACK)
    match = await sim.match()
    assert match.status is Status.PLAYING and len(match.people) == 2
    await sim.forge(sim.people["carol"], "1/1/vote_sure//end")
    assert (await sim.match()).status is Status.STOPPED


async def test_a_player_who_is_out_is_not_pinged(sim: Simulation) -> None:
    """Also if they press nothing: the bot asks before it pings, at most every ten minutes."""
    alice, bob = people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="quiet", options={})
    match, state = await table.now()
    mover = sim.by_id(match.chairs[min(state.to_move())].player)
    other = bob if mover is alice else alice
    await sim.env.advance_time(700)
    sim.guild.remove_member(other)
    cursor = sim.cursor
    while min((await sim.state()).to_move()) == (await sim.match()).seat_of(mover.id):
        await table.decide(mover)
    await sim.caught_up()
    assert other.id not in sim.pings(cursor)
    await sim.env.advance_time(TO_COME_BACK)
    await sim.caught_up()
    assert seated(await sim.match()) == [mover.name] and other.id not in sim.pings(cursor)


async def test_a_lobby_is_left_too(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.lobby(alice, bob)
    await sim.greeted()
    sim.guild.remove_member(bob)
    message = sim.dms(bob)[-1]
    assert OUT in await sim.forge(bob, "1/1/leave//", message=message.id, channel=message.channel.id)
    await sim.env.advance_time(TO_COME_BACK)
    assert seated(await sim.match()) == ["alice"]


async def test_a_lobby_waits_for_no_host_who_has_left_the_server(sim: Simulation) -> None:
    """A press on Start that must wait for others looks for them: they may press nothing, and no ping is due."""
    alice, bob, carol = people = sim.join_server("alice", "bob", "carol")
    await sim.lobby(*people[:2])
    await sim.forge(alice, "1/1/option//seats", values=["2"])
    await sim.press(carol, sim.board(), "Join")
    await sim.env.advance_time(LATELY)
    for gone in (alice, carol):
        sim.guild.remove_member(gone)
    assert "It begins when the host" in await sim.forge(bob, "1/1/start//")
    await sim.env.advance_time(TO_COME_BACK)
    match = await sim.match()
    assert seated(match) == ["bob"] and match.host == bob.id and not match.waiting
    assert "**Players: 1 of 2**" in "\n".join(words(raw(sim.board())))


# Managers.


async def reseat(sim: Simulation, mona: MemberActor, player: MemberActor, answer: str = "Yes, a computer plays") -> str:
    """Choose a player behind *Players*, and answer the question."""
    page = await sim.press(mona, sim.board(), "Players")
    asked = await mona.select(page.response, [str(player.id)], custom_id="1/1/reseat//")
    assert asked.response is not None and "Shall a computer play for" in sim.said(asked)
    return sim.said(await mona.click(asked.response, label=answer))


async def test_a_manager_is_told_apart_from_the_player_whose_seat_they_give(sim: Simulation, siege: Table) -> None:
    """Also though that player is at the table no more when it is told."""
    mona, bob = manager(sim), sim.people["bob"]
    await sim.app.store.people.meet(mona.id, "bоb")  # with a Cyrillic letter
    sim.env.backend.users[mona.id].global_name = "bоb"
    cursor = sim.cursor
    await reseat(sim, mona, bob)
    await sim.caught_up()
    said = "\n".join(shown.text for shown in sim.public(cursor))
    assert f"**bоb** (<@{mona.id}>), a manager of the server, gave **bob**'s seat" in said


async def test_a_manager_gives_a_seat_to_a_computer_and_a_substitute_takes_it(sim: Simulation, siege: Table) -> None:
    mona, bob = manager(sim), sim.people["bob"]
    assert "keep their seats" in await reseat(sim, mona, bob, "No, leave it")
    assert not (await sim.match()).seat_changes
    cursor = sim.cursor
    assert "a computer has the seat now" in await reseat(sim, mona, bob)
    match = await sim.match()
    assert [change.kind for change in match.seat_changes] == [SeatChangeKind.GAVE, SeatChangeKind.GIVEN]
    assert "bob" not in seated(match)
    await sim.caught_up()
    said = "\n".join(shown.text for shown in sim.public(cursor))
    assert "**mona**, a manager of the server, gave **bob**'s seat to **🤖\u2060Blaise**." in said
    assert "gave your seat to a computer, so you cannot return" in await sim.slash(bob, "join", table=1)
    (dave,) = sim.join_server("dave")
    seat = match.seat_changes[-1].seat
    await sim.forge(dave, f"1/1/take//{seat}")
    assert "dave" in seated(await sim.match())
    assert "This player has left the table." in await sim.forge(mona, f"1/1/reseat_sure//{bob.id}")


async def test_only_a_manager_who_does_not_play_there_gives_seats_of_a_rated_table(sim: Simulation) -> None:
    mona = manager(sim)
    (alice,) = sim.join_server("alice")
    await Table.begin(sim, "sea_change", [mona, alice], seed="fair", options={"rated": "on"})
    (bob,) = sim.join_server("bob")
    page = await sim.press(mona, sim.board(), "Players")
    assert page.response is not None and "1/1/reseat//" not in controls(raw(page.response.message))
    for person, why in ((mona, "You play at this table"), (bob, "You need the permission")):
        assert why in await sim.forge(person, "1/1/reseat//", values=[str(alice.id)])
        assert why in await sim.forge(person, f"1/1/reseat_sure//{alice.id}")
    assert not (await sim.match()).seat_changes
    olga = manager(sim, "olga")
    for action in ("reseat//", f"reseat_sure//{alice.id}"):
        assert "You can only give away the seat of" in await sim.forge(olga, f"1/1/{action}", values=[str(alice.id)])
    assert not (await sim.match()).seat_changes
    await sim.app.service.policy.change(sim.guild.id, members_only=False)
    sim.guild.remove_member(alice)
    assert "a computer has the seat now" in await reseat(sim, olga, alice)
