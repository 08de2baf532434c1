"""The first direct messages to newcomers: presses are answered at once, each user has one place, no hand is lost."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import MemberActor

from cogs.match.time_controls import HOUR
from cogs.transport.newcomers import RETRY
from cogs.transport.senders import DM_PER_MINUTE
from data.store.database import Database, NotStored
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

SOON = "I am opening direct messages to you"


def waiting(sim: Simulation) -> int:
    return len(sim.app.publisher.newcomers)


def has_hand(sim: Simulation, person: MemberActor) -> bool:
    return any(control.startswith("1/1/") for message in sim.dms(person) for control in controls(raw(message)))


async def test_one_account_holds_one_place_and_the_next_waits_a_gap(sim: Simulation) -> None:
    griefer, host, bob = sim.join_server("griefer", "host", "bob")
    await sim.slash(host, "play", game="sea_change")
    results = [await griefer.slash(sim.channel, "doctor") for _ in range(20)]
    assert all(result.acknowledged for result in results)
    assert waiting(sim) == 1
    began, since = sim.steady(), sim.cursor
    said = sim.said(await sim.press(bob, sim.board(), "Join"))
    assert SOON in said and "You have joined" in said
    assert sim.steady() == began, "the press waits for nothing"
    assert waiting(sim) == 2
    while not sim.dms(bob):
        await sim.env.advance_time(0.5)
    assert sim.steady() - began <= 5
    await sim.greeted()
    first = [shown for shown in sim.shown(since) if shown.viewer == griefer.id and shown.channel != sim.channel.id]
    assert len(first) == 1, "one greeting, for 20 commands"


async def test_the_channel_is_looked_at_again_after_the_wait(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "doctor")
    await sim.slash(bob, "doctor")
    await sim.slash(carol, "doctor")
    await sim.service.people.change(bob.id, dm=bob.user.dm_channel.id)  # another process has opened it
    await sim.env.advance_time(2.1)
    assert sim.dms(bob) and sim.dms(carol), "a known channel takes no turn"


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_who_leaves_meanwhile_is_not_told_that_they_have_joined(sim: Simulation, elsewhere: bool) -> None:
    """If they sit at another table by then, they are greeted there."""
    alice, bob = await sim.lobby("alice", "bob")
    first = sim.board()
    if elsewhere:
        await sim.lobby(alice, bob, game="full_circle")
    assert not sim.dms(bob)
    await sim.press(bob, first, "Leave")
    await sim.greeted()
    assert waiting(sim) == 0
    told = ["\n".join(words(raw(message))) for message in sim.dms(bob)]
    assert ["Full Circle · table 2" in text for text in told] == [True] * elsewhere


async def test_many_newcomers_come_in_turn_and_each_gets_the_first_hand(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "carol", "dave", "erin")
    more = sim.join_server("frank", "gina")
    for person in more:
        await sim.slash(person, "doctor")
    host, *others = people
    said = await sim.slash(host, "play", game="sea_change")
    assert SOON in said
    for person in others[:3]:
        assert SOON in sim.said(await sim.press(person, sim.board(), "Join"))
    await sim.press(host, sim.board(), "Start")
    assert (await sim.match()).running
    seated = [sim.by_id(chair.user or 0) for chair in (await sim.match()).people]
    assert not any(has_hand(sim, person) for person in seated), "no channel is open yet"
    result = sim.raw_press(seated[1], "1/1/hand//", message=sim.board().id)
    await sim.env.settle()
    assert result.acknowledged and sim.answers(result), "My hand works until then"
    began = sim.steady()
    await sim.greeted()
    assert all(has_hand(sim, person) for person in seated)
    assert sim.steady() - began >= 60, f"at most {DM_PER_MINUTE} a minute"


async def test_a_restart_loses_no_first_hand_and_greets_no_player_twice(sim: Simulation) -> None:
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.lobby(alice, bob, carol)
    await sim.press(alice, sim.board(), "Start")
    assert not sim.dms(bob) and not sim.dms(carol)
    await sim.restart(5.0)
    await sim.greeted()
    for person in (alice, bob, carol):
        assert has_hand(sim, person)
        said = [message for message in sim.dms(person) if "Your turns come here" in str(raw(message))]
        assert len(said) == 1


async def test_who_gets_a_seat_without_a_press_is_greeted(sim: Simulation) -> None:
    """A player waits for a seat, which opens when another leaves."""
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    await sim.slash(alice, "play", game="sea_change")
    await sim.forge(alice, "1/1/option//seats", values=["2"])
    await sim.press(bob, sim.board(), "Join")
    await sim.forge(carol, "1/1/join//")
    await sim.greeted()
    assert not sim.dms(carol)
    await sim.forge(bob, "1/1/leave//")
    if (await sim.match()).seat_of(carol.id) is None:
        await sim.forge(carol, "1/1/join//")
    await sim.greeted()
    assert sim.dms(carol)
    await sim.press(alice, sim.board(), "Start")
    assert has_hand(sim, carol)


async def test_a_substitute_gets_the_hand_without_a_further_press(sim: Simulation) -> None:
    alice, bob, carol, dave = sim.join_server("alice", "bob", "carol", "dave")
    await sim.lobby(alice, bob)
    await sim.greeted()
    await sim.press(alice, sim.board(), "Start")
    await sim.forge(bob, "1/1/offer//1")
    seat = (await sim.match()).seat_of(bob.id)
    await sim.slash(carol, "doctor")
    await sim.slash(carol, "doctor")
    assert "You have taken" in (said := await sim.forge(dave, f"1/1/take//{seat}")) or SOON in said
    assert not has_hand(sim, dave)
    await sim.greeted()
    assert has_hand(sim, dave)


async def test_a_first_message_that_discord_cannot_take_now_is_tried_again(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    sim.env.inject_error("POST", f"/channels/{alice.user.dm_channel.id}/messages", status=503, code=0, times=None)
    said = await sim.slash(alice, "play", game="sea_change")
    assert SOON in said and "allow" not in said, "no setting of hers is the cause"
    sim.env.backend.faults.clear()
    await sim.env.advance_time(RETRY + 1)
    await sim.greeted()
    person = await sim.service.people.get(alice.id)
    assert sim.dms(alice) and person is not None and person.dm_works


@pytest.mark.parametrize("writes", range(5))
async def test_a_kill_while_direct_messages_are_opened_again_loses_no_hand(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """What is stored then says that they do not work, or that the hand is still to be sent. The player is off, so the
    start greets no player; their hand comes once they are back.
    """
    alice, bob = sim.join_server("alice", "bob")
    sim.close_dms(alice)
    table = await Table.open(sim, "sea_change", [alice, bob], seed="again")
    await table.start()
    await sim.slash(alice, "hours", quiet_from="23", quiet_to="6")
    assert await sim.matches.posts.behind() == [] and not has_hand(sim, alice)
    sim.env.backend.faults.clear()
    write, done = Database.write, 0

    async def killed(*given: Any, **how: Any) -> Any:
        nonlocal done
        if done == writes:
            raise NotStored
        done += 1
        return await write(*given, **how)

    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", killed)
        await sim.forge(alice, "1/0/setting//ping", values=["dm"])
        person = await sim.service.people.get(alice.id)
    await sim.restart()
    await sim.env.advance_time(7 * HOUR)
    assert has_hand(sim, alice) == person.reached


async def test_a_mention_that_is_noted_while_direct_messages_are_opened_again_loses_no_hand(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes the hand back as it was known before."""
    alice, bob = sim.join_server("alice", "bob")
    sim.close_dms(alice)
    table = await Table.open(sim, "sea_change", [alice, bob], seed="mention")
    await table.start()
    posts, people, change, done = sim.matches.posts, sim.service.people, sim.service.people.change, 0
    match = await sim.match()
    seat = match.seat_of(alice.id)
    hand = (await posts.of(match.id)).hands[seat]

    async def changed(user: int, **how: Any) -> Any:
        nonlocal done
        found, done = await change(user, **how), done + 1
        if done == 1:
            await posts.note(hand)
        return found

    sim.env.backend.faults.clear()
    with monkeypatch.context() as patch:
        patch.setattr(people, "change", changed)
        await sim.app.publisher.hands.reach(alice.id, alice.user.dm_channel.id)
    assert done
    assert await posts.behind() == [match.id]
