"""The door of a lobby: who starts it, whom its host takes out, who is host next, and who may sit down at all."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from data.records.match import GuestState, Status
from tests.cogs.message_text import read
from tests.support.simulation import Simulation, controls, raw

pytestmark = pytest.mark.usefixtures("plain")


async def of_host(sim: Simulation, host: MemberActor, custom_id: str, value: str | None = None) -> str:
    """The host opens the page about people and presses there. What they see is the answer or the page after it."""
    more = await sim.more(host)
    await host.click(more, label="Players …")
    if value is None:
        result = await host.click(more, custom_id=custom_id)
    else:
        result = await host.select(more, [value], custom_id=custom_id)
    return sim.said(result)


# Start.


async def test_any_two_start_without_the_host(sim: Simulation) -> None:
    _, bob, carol = await sim.lobby("alice", "bob", "carol")
    await sim.press(bob, sim.board(), "Start")
    await sim.press(bob, sim.board(), "Start")
    assert (await sim.match()).status is Status.LOBBY, "the same one twice is one"
    assert "**bob** wants to start" in read(sim.board())
    await sim.press(carol, sim.board(), "Start")
    match = await sim.match()
    assert match.status is Status.PLAYING
    assert not any(chair.ready for chair in match.chairs)


async def test_who_wanted_to_start_wanted_that_match(sim: Simulation) -> None:
    """Another player or option, and they must say so again; a cut or an invitation changes nothing."""
    alice, bob, _ = await sim.lobby("alice", "bob", "carol")
    (dave,) = sim.join_server("dave")
    for change in ("join", "leave"):
        await sim.press(bob, sim.board(), "Start")
        assert [chair.ready for chair in (await sim.match()).chairs][1]
        await sim.forge(dave, f"1/1/{change}//")
        assert not any(chair.ready for chair in (await sim.match()).chairs)
    await sim.press(bob, sim.board(), "Start")
    await sim.press(alice, sim.board(), "1/1/option//clock", "week")
    assert not any(chair.ready for chair in (await sim.match()).chairs)


async def test_a_restart_keeps_who_wants_to_start(sim: Simulation) -> None:
    _, bob, carol = await sim.lobby("alice", "bob", "carol")
    await sim.press(bob, sim.board(), "Start")
    await sim.restart()
    await sim.press(carol, sim.board(), "Start")
    assert (await sim.match()).status is Status.PLAYING


# Taking out and handing on.


async def test_who_is_taken_out_cannot_come_back_to_that_lobby(sim: Simulation) -> None:
    alice, bob, carol = await sim.lobby("alice", "bob", "carol")
    await of_host(sim, alice, "1/1/expel//", str(bob.id))
    assert [chair.user for chair in (await sim.match()).chairs] == [alice.id, carol.id]
    gone = "The host has removed you from this table."
    assert gone in sim.said(await sim.press(bob, sim.board(), "Join"))
    assert gone in await sim.slash(bob, "join", table=1)
    assert gone in await sim.forge(bob, "1/1/accept//")
    await sim.restart()
    assert gone in await sim.forge(bob, "1/1/join//")
    # After the start neither: not on the waiting list, not on a seat that is free.
    await sim.press(alice, sim.board(), "Start")
    assert gone in await sim.forge(bob, "1/1/join//")
    await sim.forge(carol, "1/1/offer//1")
    seat = (await sim.match()).seat_of(carol.id)
    assert gone in await sim.forge(bob, f"1/1/take//{seat}")
    # Another table is another table.
    await sim.slash(carol, "play", game="sea_change")
    await sim.press(bob, sim.board(), "Join")
    assert (await sim.match(2)).seat_of(bob.id) is not None


async def test_only_the_host_takes_out_and_never_themself(sim: Simulation) -> None:
    alice, bob, carol = await sim.lobby("alice", "bob", "carol")
    (dave,) = sim.join_server("dave")
    before = await sim.match()
    for action in ("expel", "hand_on"):
        assert "Only the host" in await sim.forge(bob, f"1/1/{action}//", values=[str(carol.id)])
        assert "not joined this table" in await sim.forge(dave, f"1/1/{action}//", values=[str(carol.id)])
        for value in (str(dave.id), "-1", "", "x", "9" * 30):
            assert "isn’t at this table" in await sim.forge(alice, f"1/1/{action}//", values=[value])
    assert "Only the host" in await sim.forge(bob, "1/1/closed//1")
    assert "Only the host" in await sim.forge(bob, "1/1/door//")
    assert "can’t remove yourself" in await sim.forge(alice, "1/1/expel//", values=[str(alice.id)])
    assert await sim.match() == before
    await sim.press(alice, sim.board(), "Start")
    for custom_id in ("expel", "hand_on", "closed", "invite", "door", "teams"):
        said = await sim.forge(alice, f"1/1/{custom_id}//", values=[str(bob.id)])
        assert "already started" in said or "Choose people" in said, custom_id


async def test_the_hosts_part_is_handed_on(sim: Simulation) -> None:
    alice, bob, _ = await sim.lobby("alice", "bob", "carol")
    await of_host(sim, alice, "1/1/hand_on//", str(bob.id))
    assert (await sim.match()).host == bob.id
    assert "1/1/door//" not in controls(raw((await sim.more(alice)).message))
    await of_host(sim, bob, "1/1/expel//", str(alice.id))
    assert (await sim.match()).seat_of(alice.id) is None


async def test_a_seat_freed_by_the_host_goes_to_who_waits(sim: Simulation) -> None:
    names = ("alice", "bob", "carol", "dave", "erin", "frank", "gina", "hugo")
    alice, bob, *_ = await sim.lobby(*names)
    (ida,) = sim.join_server("ida")
    await sim.press(ida, sim.board(), "Wait for a seat")
    await of_host(sim, alice, "1/1/expel//", str(bob.id))
    match = await sim.match()
    assert match.seat_of(ida.id) is not None
    assert [guest.state for guest in match.guests] == [GuestState.REMOVED]


# A closed lobby.


async def test_a_closed_lobby_is_for_its_guests_alone(sim: Simulation) -> None:
    alice, bob = await sim.lobby("alice", "bob")
    (carol,) = sim.join_server("carol")
    await of_host(sim, alice, "1/1/closed//1")
    assert "For invited people only." in read(sim.board())
    only = "This table is for invited people."
    for said in (
        sim.said(await sim.press(carol, sim.board(), "Join")),
        await sim.slash(carol, "join", table=1),
    ):
        assert only in said
    assert "You aren’t invited" in await sim.forge(carol, "1/1/accept//")
    assert "You aren’t invited" in await sim.forge(carol, "1/1/decline//")
    # Who sat there when it was closed may leave and come back, also the host.
    for person in (bob, alice):
        await sim.press(person, sim.board(), "Leave")
        await sim.press(person, sim.board(), "Join")
    assert len((await sim.match()).people) == 2
    await sim.press(bob, sim.board(), "Start")
    assert only in await sim.forge(carol, "1/1/join//"), "nor on the waiting list"
    await sim.forge(alice, "1/1/give_seat//")
    seat = (await sim.match()).former[0].seat
    assert only in await sim.forge(carol, f"1/1/take//{seat}"), "nor on a seat that is free"
    assert "Welcome back: you have your seat at [" in await sim.forge(alice, "1/1/back//")


async def test_a_lobby_is_opened_again(sim: Simulation) -> None:
    alice, _ = await sim.lobby("alice", "bob")
    (carol,) = sim.join_server("carol")
    await of_host(sim, alice, "1/1/closed//1")
    await of_host(sim, alice, "1/1/closed//0")
    assert "For invited people only." not in read(sim.board())
    await sim.press(carol, sim.board(), "Join")
    assert (await sim.match()).seat_of(carol.id) is not None


async def test_playing_again_stays_among_the_guests(sim: Simulation) -> None:
    alice, bob = await sim.lobby("alice", "bob")
    (carol,) = sim.join_server("carol")
    await of_host(sim, alice, "1/1/closed//1")
    await sim.press(alice, sim.board(), "Start")
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    only = "This table is for invited people."
    assert "Only a player" in await sim.forge(carol, "1/1/again//"), "a stranger opens no lobby in their place"
    await sim.forge(bob, "1/1/again//")
    match = await sim.match(2)
    assert match.closed and match.host == bob.id
    assert only in await sim.forge(carol, "1/2/join//")
    await sim.forge(alice, "1/2/join//")
    assert (await sim.match(2)).seat_of(alice.id) is not None
