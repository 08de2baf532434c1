"""What a host, an onlooker or a single voter could do to others, and cannot."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.cogs.test_invitations import invitations, invite, lobby_of
from tests.support.simulation import Simulation, controls
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def test_a_host_reminds_of_a_start_once(sim: Simulation) -> None:
    """Not each time that they set another time."""
    alice, *guests = sim.join_server("alice", "bob", "carol", "dave")
    await sim.slash(alice, "play", game="sea_change")
    await invite(sim, alice, *guests)
    cursor, zone = sim.cursor, ZoneInfo((await sim.service.hours_of(alice.id)).zone)
    for minute in range(2, 9):
        at = datetime.fromtimestamp(sim.now() + 60 * minute, zone)
        more = await alice.click(lobby_of(sim), custom_id="1/1/more//")
        form = await alice.click(more.response, custom_id="1/1/start_at//")
        await alice.submit_modal(form, {"line": f"{at:%H:%M}"})
        await sim.env.advance_time(1)
    assert [sim.pings(cursor).count(guest.id) for guest in guests] == [1, 1, 1]


async def test_one_vote_alone_sets_a_limit_of_days_only(sim: Simulation, tide: Table) -> None:
    """Else a player who is away loses the seat within minutes."""
    _, awaited, _ = await tide.asked()
    other = next(person for person in tide.people if person is not awaited)
    await sim.env.advance_time(2 * 86_400 + 1)
    for how in ({"terms": "live_2"}, {"terms": "hours_12"}, {"terms": "day_1", "absent": "computer"}):
        await sim.slash(other, "clock", table=1, **how)
        assert (await tide.now())[0].clock == "none"
    await sim.slash(other, "clock", table=1, terms="day_1")
    match, _ = await tide.now()
    assert (match.clock, match.reminders) == ("day_1", ())
    assert any(clock.due is not None for clock in match.clocks)


async def test_a_player_who_was_voted_out_does_not_become_the_host_of_the_rematch(sim: Simulation) -> None:
    alice, bob, mallory = sim.join_server("alice", "bob", "mallory")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob, "with2": mallory})
    for person in (bob, mallory):
        await sim.forge(person, "1/1/accept//")
    await sim.forge(alice, "1/1/start//")
    for person in (alice, bob):
        await sim.forge(person, f"1/1/vote//remove {mallory.id}")
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    assert "Only a player of this match" in await sim.forge(mallory, "1/1/again//end")
    await sim.forge(alice, "1/1/again//end")
    assert (await sim.match(2)).host == alice.id
    assert (await sim.match(2)).guest(mallory.id) is None


async def test_a_person_at_the_table_can_always_be_removed(sim: Simulation) -> None:
    """Also from a lobby with so many guests that a select does not offer them all."""
    alice, *guests, mallory = sim.join_server("alice", *(f"guest{number}" for number in range(25)), "mallory")
    await sim.slash(alice, "play", game="sea_change")
    for at in (0, 10, 20):
        await invite(sim, alice, *guests[at : at + 10])
    await sim.forge(mallory, "1/1/join//", message=lobby_of(sim).id)
    more = await alice.click(lobby_of(sim), custom_id="1/1/more//")
    page = controls(sim.answers(await alice.click(more.response, custom_id="1/1/door//"))[-1].body)
    assert str(mallory.id) in page[: page.index("1/1/hand_on//")]


async def test_the_name_of_a_removed_person_is_no_markup(sim: Simulation) -> None:
    (alice,), (bob,) = sim.join_server("alice"), sim.join_server("bob", nick="[free](http://evil.x)")
    await sim.slash(alice, "play", game="sea_change")
    await sim.press(bob, lobby_of(sim), "Join")
    await sim.forge(alice, "1/1/expel//", values=[str(bob.id)], message=lobby_of(sim).id)
    said = await invite(sim, alice, bob)
    assert "can’t be invited again" in said
    assert "[free](http" not in said


async def test_an_invitation_works_after_the_lobby_has_moved(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    other = sim.guild.create_text_channel("other")
    await sim.slash(alice, "play", game="sea_change", **{"with": bob})
    (message,) = invitations(sim)
    await sim.slash(alice, "relocate", other, table=1)
    assert "You have joined" in sim.said(await sim.press(bob, message, "Accept"))


async def test_two_do_not_ping_a_third_by_changing_the_time_limit_to_and_fro(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    for person in (alice, bob):
        await sim.slash(person, "move", move="pledge 1", table=1)
    cursor, answers = sim.cursor, []
    for terms, seconds in (("live_2", 300), ("none", 1)) * 8:
        answers += [await sim.slash(person, "clock", table=1, terms=terms) for person in (alice, bob)]
        await sim.env.advance_time(seconds)
    pings = sim.pings(cursor).count(carol.id)
    assert pings <= 2
    assert any("voted for more time" in answer for answer in answers)
    await sim.env.advance_time(3600)
    for person in (alice, bob):
        await sim.slash(person, "clock", table=1, terms="live_2")
    assert (await siege.now())[0].clock == "live_2"


async def test_a_vote_for_more_time_can_always_pass(sim: Simulation, siege: Table) -> None:
    for terms in ("live_2", "live_5", "day_1", "none"):
        for person in siege.people[:2]:
            await sim.slash(person, "clock", table=1, terms=terms)
        assert (await siege.now())[0].clock == terms
