"""What people set for themselves, for all tables and for one: it says what it does, counts at once, and stays."""

from __future__ import annotations

import pytest

from cogs.messages.names import written
from data.records.match import Status
from data.records.people import PictureWish, PingPreference
from rendering import renderer
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def test_settings_for_all_tables(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    shown = await alice.slash(sim.channel, "settings")
    said = sim.said(shown)
    assert "Pings:** direct message" in said
    assert "Digest:** off" in said
    assert "Live games and turns about to expire still ping at once" not in said
    explained = sim.said(await sim.press(alice, shown.response, "What does each mean?"))
    assert "Live games and turns about to expire still ping at once" in explained
    assert said in sim.said(await sim.press(alice, shown.response, "Back"))
    assert "Pings:** mention at the table" in sim.said(
        await sim.press(alice, shown.response, "1/0/setting//ping", "mention")
    )
    assert "Digest:** every 6 h" in sim.said(await sim.press(alice, shown.response, "1/0/setting//digest", "6"))
    person = await sim.service.people.get(alice.id)
    assert (person.ping, person.digest_hours) == (PingPreference.MENTION, 6)
    assert person.digest_due == int(sim.env.now().timestamp()) + 6 * 3600
    await sim.press(alice, shown.response, "1/0/setting//digest", "0")
    await sim.restart()
    person = await sim.service.people.get(alice.id)
    assert (person.ping, person.digest_hours, person.digest_due) == (PingPreference.MENTION, 0, None)


async def test_settings_for_one_table_lead_from_the_hand_and_back(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    await sim.press(alice, sim.hand(alice), "More …")
    shown = await sim.press(alice, sim.hand(alice), "Settings")
    said = sim.said(shown)
    assert "Your settings at [Sea Change · table 1]" in said
    assert "Pings:** as for all tables (direct message)" in said
    assert "Play forced moves for me:** off, at this table only." in said
    assert "Others may notice how fast it was and guess that you had no choice" in said
    said = sim.said(await sim.press(alice, shown.response, "1/1/setting//ping", "mention"))
    assert "Pings:** mention at the table" in said
    await sim.press(alice, shown.response, "Forced moves on/off")
    said = await sim.slash(alice, "settings", table=1)
    assert "Pings:** mention at the table" in said
    assert "Play forced moves for me:** on" in said
    listed = await alice.autocomplete(sim.channel, "settings", "table", "")
    assert [choice["value"] for choice in listed] == [1]
    assert "Your settings for all tables" in await sim.forge(alice, "1/1/setting//all")


async def test_to_choose_direct_messages_tries_them_again(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    sim.close_dms(alice)
    await sim.service.people.change(alice.id, dm_works=False)
    assert "do not reach you, so I mention you at the table instead" in await sim.forge(
        alice, "1/0/setting//ping", values=["both"]
    )
    assert "do not reach you" in await sim.slash(alice, "settings", table=1)
    sim.env.backend.faults.clear()
    assert "do not reach you" not in await sim.forge(alice, "1/0/setting//ping", values=["dm"])
    assert (await sim.service.people.get(alice.id)).dm_works


async def test_who_wants_no_direct_messages_is_not_greeted_by_one(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    await alice.slash(sim.channel, "settings")
    await sim.service.people.change(alice.id, ping=PingPreference.NONE)
    assert "As you chose in **/settings**" in await sim.slash(alice, "play", game="sea_change")
    assert sim.dms(alice) == []
    assert "plays with *My hand*" in "\n".join(words(raw(sim.board())))


async def test_pictures_are_drawn_as_a_person_wants_them(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    shown = await alice.slash(sim.channel, "settings")
    assert "Pictures:** as usual." in sim.said(shown)
    said = await sim.forge(alice, "1/0/setting//pictures", values=["large", "plain"])
    assert "Pictures:** large cards and plain and high in contrast." in said
    await sim.restart()
    assert (await sim.service.people.get(alice.id)).pictures == {PictureWish.LARGE, PictureWish.PLAIN}
    assert (await sim.service.people.get(bob.id)).pictures == set()
    assert "Pictures:** as usual." in await sim.forge(alice, "1/0/setting//pictures", values=[])
    assert "no longer works" in await sim.forge(alice, "1/0/setting//pictures", values=["upside down"])


async def test_what_no_player_offers_is_refused(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    (ida,) = sim.join_server("ida")
    before = await sim.service.people.get(alice.id), await tide.now()
    for custom_id in ("1/0/setting//ping", "1/0/setting//digest", "1/1/setting//ping", "1/0/setting//forced"):
        for values in ([], ["pigeon"], ["-1"], ["5"]):
            assert "no longer works" in await sim.forge(alice, custom_id, values=values)
    assert "You are not playing at this table." in await sim.forge(ida, "1/1/setting//forced")
    assert "You are not playing at this table." in await sim.slash(ida, "settings", table=1)
    assert (await sim.service.people.get(alice.id), await tide.now()) == before


async def test_forced_moves_are_made_at_the_table_that_was_chosen(sim: Simulation, tide: Table) -> None:
    """The last card of a hand is the only one. No player is pinged for a move that is made for them."""
    alice, bob = tide.people
    assert "Play forced moves for me:** on" in await sim.forge(alice, "1/1/setting//forced")
    assert [chair.plays_forced for chair in (await tide.now())[0].people] == [
        chair.user == alice.id for chair in (await tide.now())[0].people
    ]
    made = 0
    for _ in range(30):
        match, state = await tide.now()
        if match.status is not Status.PLAYING or state.view(None).round == 2:
            break
        seat = min(state.to_move())
        person = sim.by_id(match.chairs[seat].user)
        assert person is bob or len(state.legal_moves(seat)) > 1
        cursor = sim.cursor
        await tide.decide(person)
        after, state = await tide.now()
        made += after.moves - match.moves - 1
        asked = [sim.by_id(after.chairs[seat].user) for seat in state.to_move()]
        assert alice.id not in sim.pings(cursor) or alice in asked
    assert made > 0
    # The log says whose moves they were: alice's own, not a computer's.
    assert {move.user for move in await sim.matches.moves(1)} == {alice.id, bob.id}


async def test_forced_moves_are_off_at_the_next_table(sim: Simulation, tide: Table) -> None:
    alice, bob = tide.people
    await sim.forge(alice, "1/1/setting//forced")
    other = await Table.open(sim, "sea_change", [alice, bob], seed="next")
    await sim.press(alice, sim.board(), "Start")
    assert [chair.plays_forced for chair in (await other.now())[0].chairs] == [False, False]


async def test_pictures_told_in_words(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    await sim.forge(alice, "1/0/setting//text")
    match, state = await tide.now()
    labels = sim.bot.app.messages.labels(match)
    told = written(renderer("sea_change").transcript(state.view(match.seat_of(alice.id)), labels))
    assert told in await sim.slash(alice, "hand")
    assert written(renderer("sea_change").transcript(state.view(None), labels)) in await sim.slash(alice, "board")
    await sim.forge(alice, "1/0/setting//text")
    assert told not in await sim.slash(alice, "hand")
