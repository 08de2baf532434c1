"""How a player is told of their turn: in the way that they chose, once, and not during quiet hours."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from cogs.match.membership import SHORT_REST
from cogs.match.time_controls import HOUR
from data.records.people import PingPreference
from tests.cogs.clocked import DAY_1, both, clock_at, clocked, until
from tests.cogs.managing import manager
from tests.cogs.pings import calls, choose, play_through_my_hand
from tests.support.languages import speak
from tests.support.matches import play_on
from tests.support.simulation import Simulation, offers, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")

EXPECTED = {
    PingPreference.DM: (1, 0),
    PingPreference.MENTION: (0, 1),
    PingPreference.BOTH: (1, 1),
    PingPreference.NONE: (0, 0),
}
"""Direct messages and mentions for each call."""


@pytest.mark.parametrize("way", PingPreference)
async def test_a_turn_a_nudge_and_being_away_are_told_in_the_way_that_was_chosen(
    sim: Simulation, way: PingPreference
) -> None:
    table = await clocked(sim)
    play_through_my_hand(table)
    person, other = await both(table)
    await choose(sim, other, way)
    hand, cursor = sim.hand(other).id, sim.cursor
    await table.decide(person)
    assert calls(sim, other, cursor) == EXPECTED[way]
    assert offers(sim.hand(other)), "the hand is up to date all the same"
    assert (sim.hand(other).id == hand) == (way in (PingPreference.MENTION, PingPreference.NONE))
    first, cursor = (await clock_at(table, other)).ends or 0, sim.cursor
    await until(sim, first - DAY_1.nudges[0])
    assert calls(sim, other, cursor) == EXPECTED[way]
    await until(sim, first)
    last = (await clock_at(table, other)).ends or 0
    await until(sim, last - 1)
    cursor = sim.cursor
    await until(sim, last)
    assert (await clock_at(table, other)).away is not None
    assert calls(sim, other, cursor) == EXPECTED[way]
    shown = "\n".join(words(raw(sim.board())))
    assert f"A computer is playing for **{other.name}**" in shown, "the table tells it in any case"
    assert len([m for m in sim.channel.history() if m.content.startswith("<@")]) <= 1, "a newer ping replaces the last"


@pytest.mark.parametrize("way", PingPreference)
async def test_who_takes_no_direct_messages_is_mentioned_unless_they_want_nothing(
    sim: Simulation, way: PingPreference
) -> None:
    people = sim.join_server("alice", "bob")
    sim.close_dms(*people)
    table = await Table.open(sim, "sea_change", people, seed="closed")
    play_through_my_hand(table)
    for person in people:
        await choose(sim, person, way)
    cursor, before = sim.cursor, None
    await sim.press(people[0], sim.board(), "Start")
    for _ in range(4):
        asked = await table.mover()
        # Who is asked again at once sees so in the answer to their own decision.
        assert calls(sim, asked, cursor) == (0, 0 if way is PingPreference.NONE or asked is before else 1)
        cursor, before = sim.cursor, asked
        await table.decide(asked)


@pytest.mark.parametrize("way", [PingPreference.MENTION, PingPreference.NONE])
async def test_who_wants_no_direct_messages_gets_no_hand(sim: Simulation, way: PingPreference) -> None:
    people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", people, seed="no hand")
    play_through_my_hand(table)
    for person in people:
        await choose(sim, person, way)
    greetings = [len(sim.dms(person)) for person in people]
    await sim.press(people[0], sim.board(), "Start")
    await table.play(lambda match, state: match.moves == 4) if way is PingPreference.MENTION else None
    assert [len(sim.dms(person)) for person in people] == greetings


async def test_a_table_may_call_in_another_way_than_all_others(sim: Simulation, tide: Table) -> None:
    play_through_my_hand(tide)
    person, other = await both(tide)
    await choose(sim, other, PingPreference.NONE)
    await choose(sim, other, PingPreference.MENTION, table=1)
    cursor = sim.cursor
    await tide.decide(person)
    assert calls(sim, other, cursor) == EXPECTED[PingPreference.MENTION]
    await choose(sim, other, PingPreference.BOTH)
    cursor = sim.cursor
    assert calls(sim, other, cursor) == (0, 0), "another way is for what comes, not for what has been said"
    await sim.forge(other, "1/1/setting//ping", values=["all"])
    assert (await tide.now())[0].chairs[(await tide.now())[0].seat_of(other.id) or 0].ping is None
    assert calls(sim, other, cursor) == (0, 0)


@pytest.mark.parametrize("way", PingPreference)
async def test_quiet_hours_hold_every_way(sim: Simulation, tide: Table, way: PingPreference) -> None:
    """The simulation begins at midnight, UTC."""
    play_through_my_hand(tide)
    person, other = await both(tide)
    await choose(sim, other, way)
    await sim.slash(other, "hours", quiet_from="23", quiet_to="6")
    cursor = sim.cursor
    await tide.decide(person)
    await sim.env.advance_time(2 * HOUR)
    await sim.restart()
    assert calls(sim, other, cursor) == (0, 0)
    await sim.env.advance_time(5 * HOUR)
    assert calls(sim, other, cursor) == EXPECTED[way]
    await sim.restart()
    assert calls(sim, other, cursor) == EXPECTED[way]


async def test_a_player_who_is_off_reads_so_once_in_each_place(sim: Simulation, tide: Table) -> None:
    """In the hand, in the answers of `/hours` and `/doctor`, and on joining; no other player, nor anyone afterwards."""
    person, other = await both(tide)
    off = int(datetime(2026, 1, 1, 6, tzinfo=UTC).timestamp())
    sentence = f"By your **/hours** you are off until <t:{off}:f>."
    said = await sim.slash(person, "hours", quiet_from="23", quiet_to="6")
    assert said.count(sentence) == said.count("you are off") == 1
    assert (await sim.slash(person, "hours")).count(sentence) == 1
    assert (await sim.slash(person, "doctor")).count(sentence) == 1
    line = f"You are off until <t:{off}:f> (**/hours**)"
    assert (await sim.slash(person, "hand")).count(line) == 1
    for command in ("hours", "doctor", "hand"):
        assert "off until" not in await sim.slash(other, command)
    (carol,) = sim.join_server("carol")
    await sim.slash(carol, "hours", days_off="Thu")
    said = await sim.slash(carol, "play", game="full_sun")
    assert "By your **/hours** you are off until" in said
    await sim.env.advance_time(6 * HOUR + 60)
    for command in ("hours", "doctor", "hand"):
        assert "off until" not in await sim.slash(person, command)
    assert "Your turn" in str(raw(sim.hand(person))) and "off until" not in str(raw(sim.hand(person)))


# The last one awaited.


async def test_the_last_one_awaited_is_told_so_once(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    cursor = sim.cursor
    await siege.decide(alice)
    assert sim.pings(cursor) == []
    await siege.decide(bob)
    assert sim.pings(cursor) == [carol.id]
    assert "everyone else is done" in "\n".join(words(raw(sim.hand(carol))))
    match, state = await siege.now()
    assert match.alone == state.turn(match.seat_of(carol.id))
    await siege.decide(alice)  # seals again
    await sim.restart()
    await siege.decide(bob)
    assert sim.pings(cursor) == [carol.id]


async def test_the_last_one_awaited_is_told_at_the_table_where_they_chose_that(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    await choose(sim, carol, PingPreference.MENTION)
    cursor = sim.cursor
    await siege.decide(alice)
    await siege.decide(bob)
    (ping,) = [shown.body["content"] for shown in sim.public(cursor) if shown.body.get("content")]
    assert ping.startswith(f"<@{carol.id}>, everyone else has chosen")
    assert calls(sim, carol, cursor) == (0, 1)


async def test_who_learns_only_then_that_it_is_their_turn_is_called_once(sim: Simulation, siege: Table) -> None:
    """At the end of quiet hours there is one ping for both."""
    alice, bob, carol = siege.people
    await siege.decide(alice)
    await siege.decide(bob)
    await sim.slash(carol, "hours", quiet_from="23", quiet_to="6")
    cursor = sim.cursor
    await siege.decide(carol)
    await siege.play(lambda match, state: len(state.to_move()) == 3)
    for person in (alice, bob):
        await siege.decide(person)
    assert carol.id not in sim.pings(cursor)
    await sim.env.advance_time(7 * HOUR)
    assert sim.pings(cursor).count(carol.id) == 1


async def test_players_who_take_turns_are_never_the_last_one(sim: Simulation, tide: Table) -> None:
    for _ in range(6):
        match, state = await tide.now()
        assert match.alone == ""
        await tide.step(match, state)


async def test_who_waits_with_computers_alone_is_not_told_to_be_the_last(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    table = await Table.begin(sim, "siege_of_sunfall", [alice], computers=2, seed="alone")
    assert (await table.now())[0].alone == ""
    assert sim.pings(table.cursor) == [alice.id]


async def test_to_seal_again_shows_to_no_player_while_a_call_is_held_back(sim: Simulation) -> None:
    """Though the table is buried, and would be sent again for the player called; early in a match and late."""
    alice, bob, carol = sim.join_server("alice", "bob", "carol")
    siege = await Table.open(sim, "siege_of_sunfall", [alice, bob, carol], seed="held")
    await sim.forge(carol, "1/0/setting//digest", values=["24"])
    await sim.press(alice, sim.board(), "Start")
    for late in (False, True):
        if late:
            with sim.service.announcer.after(1):
                await play_on(sim.service, 1, until=lambda state: state.ply > 60 and len(state.to_move()) == 3)
            await sim.caught_up()
        await siege.decide(alice)
        for _ in range(6):
            await bob.send(sim.channel, "hm")
        cursor = sim.cursor
        await siege.decide(alice)
        assert all(shown.viewer == alice.id for shown in sim.shown(cursor))
        await siege.decide(bob)
        assert carol.id not in sim.pings(cursor), "the last one awaited waits for the digest too"


async def test_calls_of_several_kinds_at_once_are_one_message(sim: Simulation) -> None:
    """Else the second would replace the first, which no player has read."""
    table = await clocked(sim, "siege_of_sunfall")
    play_through_my_hand(table)
    alice, bob, carol = table.people
    for person in (alice, bob):
        await choose(sim, person, PingPreference.MENTION)
    match, _ = await table.now()
    seats = {person: match.seat_of(person.id) for person in table.people}
    post = (await sim.matches.posts.of(1)).hands[seats[alice]]
    await sim.matches.posts.note(replace(post, pinged=None, mentioned=None))
    clocks = (replace(clock, called=1) if clock.seat == seats[bob] else clock for clock in match.clocks)
    cursor = sim.cursor
    await sim.service.save(replace(match, clocks=tuple(clocks)))
    await sim.caught_up()
    (ping,) = [m.content for m in sim.channel.history() if m.content.startswith("<@")]
    assert f"<@{alice.id}>, your turn" in ping
    assert f"<@{bob.id}>, you are running out of time" in ping
    assert [calls(sim, person, cursor) for person in (alice, bob, carol)] == [(0, 1), (0, 1), (0, 0)]


async def test_no_player_is_called_again_and_again_by_resting_and_going_on(sim: Simulation) -> None:
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", "carol"), seed="rests")
    match, state = await table.now()
    (seat,) = state.to_move()
    asked = sim.by_id(match.chairs[seat].player)
    others, cursor = [person for person in table.people if person is not asked], sim.cursor
    for seconds, called in ((10, 1), (10, 1), (SHORT_REST - 1, 1), (SHORT_REST, 2)):  # once for a vote, once to go on
        for choice in ("pause", "resume"):
            for person in others:
                await sim.forge(person, f"1/1/vote//{choice}")
            await sim.env.advance_time(seconds)
        assert sum(calls(sim, asked, cursor)) == called


@pytest.mark.parametrize("end", ["played", "voted", "cancelled"])
async def test_the_last_mention_goes_with_its_match(sim: Simulation, tide: Table, end: str) -> None:
    alice, bob = tide.people
    await choose(sim, bob, PingPreference.MENTION)
    await sim.forge(alice, "1/1/vote_sure//pause")

    def mentions() -> list[str]:
        return [message.content for message in sim.channel.history() if f"<@{bob.id}>" in message.content]

    assert len(mentions()) == 1
    if end == "played":
        await sim.play_on()
    elif end == "voted":
        await sim.forge(bob, "1/1/vote_sure//end")
        await sim.forge(alice, "1/1/vote_sure//end")
    else:
        await sim.cancel(manager(sim), 1)
    await sim.caught_up()
    assert not (await sim.match()).open
    assert mentions() == []


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(("code", "one", "several"), [("de", "du bist", "ihr seid"), ("fr", "à toi", "à vous")])
async def test_several_players_are_spoken_to_as_several(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, code: str, one: str, several: str, count: int
) -> None:
    speak(monkeypatch, lambda _: code, lambda: code)
    people = [*await sim.lobby("alice", game="siege_of_sunfall"), *sim.join_server("bob", "carol")]
    for person in people[1:]:
        await sim.forge(person, "1/1/join//")
    for person, way in zip(people, [PingPreference.MENTION] * count + [PingPreference.NONE] * 3, strict=False):
        await choose(sim, person, way)
    since = sim.cursor
    await sim.forge(people[0], "1/1/start//")
    await sim.caught_up()
    (said,) = [shown.body["content"] for shown in sim.public(since) if "<@" in shown.body.get("content", "")]
    assert (one in said, several in said) == (count == 1, count > 1)
