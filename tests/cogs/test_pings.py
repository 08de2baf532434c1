"""Everybody is called once for what needs them, in the way that they chose, and for nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

import cogs.messages.hand
from cogs.match.membership import SHORT_REST
from cogs.match.time_controls import HOUR
from cogs.messages.content import Content
from cogs.messages.presenter import Presenter
from cogs.transport import hand_messages
from cogs.transport.errors import DiscordFailure, Failure
from data.records.match import Match
from data.records.people import Person, PingPreference
from data.records.post import HandPost, Post, Sending
from data.store.database import NotStored
from rules.core.game import Seat
from tests.cogs.test_clock import DAY_1, awaited, clock_at, clocked, until
from tests.process import loopback
from tests.support.hung import HUNG
from tests.support.matches import play_on
from tests.support.simulation import SILENT, Simulation, offers, raw, words
from tests.support.table import MY_HAND, Table

pytestmark = pytest.mark.usefixtures("plain")

EXPECTED = {
    PingPreference.DM: (1, 0),
    PingPreference.MENTION: (0, 1),
    PingPreference.BOTH: (1, 1),
    PingPreference.NONE: (0, 0),
}
"""Direct messages and mentions for each call."""


def calls(sim: Simulation, person: MemberActor, since: int) -> tuple[int, int]:
    """How often somebody was called since then: by direct message, and by mention."""
    posts = [shown for shown in sim.shown(since) if shown.method == "POST" and "token" not in shown.body]
    dms = [s for s in posts if s.viewer == person.id and not s.body.get("flags", 0) & SILENT]
    mentions = [s for s in posts if s.viewer is None and str(person.id) in map(str, mentioned(s.body))]
    return len(dms), len(mentions)


def mentioned(body: dict[str, object]) -> list[object]:
    allowed = body.get("allowed_mentions")
    return list(allowed.get("users", ())) if isinstance(allowed, dict) else []


async def post_of(sim: Simulation, person: MemberActor) -> HandPost:
    match = await sim.match()
    return (await sim.service.posts.of(match.id)).hands[match.chairs[match.seat_of(person.id) or 0].number]


async def left_behind(sim: Simulation, player: MemberActor, *, owes: bool = False) -> tuple[Match, Person]:
    """Note that the player's hand shows an older version, and if it `owes`, that they have had no ping. Return the
    match, and the player as stored.
    """
    match, person, post = await sim.match(), await sim.service.people.get(player.id), await post_of(sim, player)
    assert person is not None
    await sim.service.posts.note(replace(post, shown=match.version - 1, pinged=None if owes else post.pinged))
    return match, person


async def choose(sim: Simulation, person: MemberActor, way: PingPreference, table: int = 0) -> None:
    await sim.forge(person, f"1/{table}/setting//ping", values=[way])


def play_through_my_hand(table: Table) -> None:
    table.ways = dict.fromkeys((person.name for person in table.people), MY_HAND)


def other_than(table: Table, person: MemberActor) -> MemberActor:
    return next(p for p in table.people if p is not person)


@pytest.mark.parametrize("way", PingPreference)
async def test_a_turn_a_nudge_and_being_away_are_told_in_the_way_that_was_chosen(
    sim: Simulation, way: PingPreference
) -> None:
    table = await clocked(sim)
    play_through_my_hand(table)
    person, _ = await awaited(table)
    other = other_than(table, person)
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
        match, state = await table.now()
        asked = sim.by_id(match.chairs[min(state.to_move())].player)
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
    match, state = await tide.now()
    person = sim.by_id(match.chairs[min(state.to_move())].player)
    other = other_than(tide, person)
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
    match, state = await tide.now()
    person = sim.by_id(match.chairs[min(state.to_move())].player)
    other = other_than(tide, person)
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
    """In the hand, in the answers of `/hours` and `/doctor`, and on joining; no other player does, nor does anyone
    afterwards.
    """
    match, state = await tide.now()
    person = sim.by_id(match.chairs[min(state.to_move())].player)
    other = other_than(tide, person)
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


async def test_a_hand_of_an_earlier_turn_does_not_count_as_a_ping(sim: Simulation, tide: Table) -> None:
    """A press may be answered after its player was pinged for the next turn: it then shows the older hand. The ping
    stays noted, so the player is pinged once for that turn.
    """
    _, alice, _ = await tide.asked()
    earlier, _ = await tide.now()
    while (await tide.asked())[1] is not alice or (await tide.now())[0].version == earlier.version:
        await tide.step(*await tide.now())
    cursor, called = sim.cursor, await post_of(sim, alice)
    person = await sim.service.people.get(alice.id)
    assert person is not None

    async def answer(content: Content) -> None:
        """Answer with an ephemeral message."""

    await sim.app.publisher.hands.show(earlier, person, answer)
    assert (await post_of(sim, alice)).pinged == called.pinged is not None
    await sim.forge(other_than(tide, alice), "1/1/offer//1")
    assert alice.id not in sim.pings(cursor), "she is not pinged again when the match changes next"


async def test_a_hand_of_an_earlier_turn_that_is_found_by_a_press_does_not_count_as_a_ping(
    sim: Simulation, tide: Table
) -> None:
    """Its send was not noted, and the answer to the press in it fails: so nothing has told of the turn that is now."""
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice)
    post, pressed, seat = await post_of(sim, alice), sim.hand(alice), Seat(match.seat_of(alice.id) or 0)
    await sim.service.posts.note(replace(post, message=pressed.id - 1))

    async def answer(content: Content) -> None:
        raise DiscordFailure(Failure.EXPIRED)

    cursor = sim.cursor
    with sim.service.announcer.after(1):
        await play_on(sim.service, 1, 1)
        later = await play_on(sim.service, 1, until=lambda state: seat in state.to_move())
        with pytest.raises(DiscordFailure):
            await sim.app.publisher.hands.show(later, person, answer, pressed)
    await sim.caught_up()
    assert calls(sim, alice, cursor) == (1, 0)


async def test_a_press_in_an_older_hand_leaves_the_newest_one_noted(sim: Simulation, tide: Table) -> None:
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice)
    post, pressed = await post_of(sim, alice), sim.hand(alice)
    await sim.service.posts.note(replace(post, message=pressed.id + 1))

    async def answer(content: Content) -> int:
        return pressed.id

    await sim.app.publisher.hands.show(match, person, answer, pressed)
    assert (await post_of(sim, alice)).message == pressed.id + 1
    assert sim.hand(alice).id == pressed.id
    await sim.service.posts.note(replace(post, message=pressed.id))


async def test_a_ping_that_comes_while_an_earlier_hand_is_shown_stays_noted(sim: Simulation, siege: Table) -> None:
    """A player looks at their hand, and decides before the answer is there. If they are then mentioned for their next
    turn while the answer is still on its way, the ping stays noted.
    """
    alice = siege.people[0]
    await choose(sim, alice, PingPreference.MENTION, table=1)
    earlier, state = await siege.now()
    person, me = await sim.service.people.get(alice.id), Seat(earlier.seat_of(alice.id) or 0)
    assert person is not None
    assert me in state.to_move()
    turn, cursor, known = state.turn(me), sim.cursor, await post_of(sim, alice)

    async def answer(content: Content) -> None:
        """Answer with an ephemeral message, once the player is mentioned for their next turn."""
        with sim.service.announcer.after(1):  # the worker shows the last of these moves only
            match, state = await siege.now()
            while me not in state.to_move() or state.turn(me) == turn:
                seat = min(state.to_move())
                await sim.service.play(1, match.chairs[seat].player, None, str(state.legal_moves(seat)[0]))
                match, state = await siege.now()
        for _ in range(100_000):
            if (await post_of(sim, alice)).pinged != known.pinged:
                break
            await asyncio.sleep(0)

    await sim.app.publisher.hands.show(earlier, person, answer)
    await sim.caught_up()
    await sim.forge(other_than(siege, alice), "1/1/offer//1")
    assert calls(sim, alice, cursor) == (0, 1), "she is not mentioned again when the match changes next"


async def test_a_press_waits_for_no_less_urgent_picture(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a worker has the hand drawn for a direct message, its player presses and is answered."""
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice)
    hands, drawn, answered = sim.app.publisher.hands, asyncio.Event(), False
    hand = cogs.messages.hand.hand_message

    async def slowly(presenter: Presenter, match: Match, person: Person, **how: bool) -> Content:
        if not how.get("refreshable"):
            await drawn.wait()
        return await hand(presenter, match, person, **how)

    async def answer(content: Content) -> None:
        nonlocal answered
        answered = True

    monkeypatch.setattr(cogs.messages.hand, "hand_message", slowly)
    showing = asyncio.create_task(hands.show(match, person))
    await asyncio.sleep(0)
    async with asyncio.timeout(HUNG):
        await hands.show(match, person, answer, refreshable=True)
    assert answered
    drawn.set()
    await showing
    assert (await post_of(sim, alice)).shown == match.version


async def test_a_press_waits_for_no_less_urgent_request(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While requests are scarce and a worker waits to edit the hand, its player presses and is answered."""
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice)
    hands, waits, left, answered = sim.app.publisher.hands, asyncio.Event(), asyncio.Event(), False

    @asynccontextmanager
    async def scarce() -> AsyncIterator[Callable[[], bool]]:
        waits.set()
        await left.wait()
        yield lambda: True

    async def answer(content: Content) -> None:
        nonlocal answered
        answered = True

    monkeypatch.setattr(hands, "reserved", scarce)
    showing = asyncio.create_task(hands.show(match, person))
    await waits.wait()
    async with asyncio.timeout(HUNG):
        await hands.show(match, person, answer, refreshable=True)
    assert answered
    left.set()
    await showing
    assert (await post_of(sim, alice)).shown == match.version


async def test_a_worker_has_a_hand_for_one_request_at_a_time(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an earlier send had no answer, a hand takes three requests. A press need not wait for the later two."""
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice, owes=True)
    hands, done = sim.app.publisher.hands, list[tuple[str, bool]]()
    post = replace(await post_of(sim, alice), sending=Sending(sim.hand(alice).channel.id, int(sim.service.now())))
    await sim.service.posts.note(post)

    @asynccontextmanager
    async def reserved() -> AsyncIterator[Callable[[], bool]]:
        done.append(("reserved", hands.lock(match.id, post.seat).locked()))
        yield lambda: True

    def noted(request: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def make(*what: Any, **how: Any) -> Any:
            done.append((request.__name__, hands.lock(match.id, post.seat).locked()))
            return await request(*what, **how)

        return make

    monkeypatch.setattr(hands, "reserved", reserved)
    monkeypatch.setattr(hands.handles, "delete", noted(hands.handles.delete))
    for request in (hand_messages.send_private, hand_messages.edit):
        monkeypatch.setattr(hand_messages, request.__name__, noted(request))
    await hands.show(match, person)
    first = [("reserved", False), ("send_private", True), ("delete", False)]
    assert done == [*first, ("reserved", False), ("edit", True)]
    assert (await post_of(sim, alice)).shown == match.version


async def test_a_worker_that_has_waited_pings_no_player_for_a_turn_that_is_over(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While requests are scarce and it waits, the player decides and sees the next turn in an answer."""
    alice = siege.people[0]
    match, person = await left_behind(sim, alice, owes=True)
    post, hands, left, waits = await post_of(sim, alice), sim.app.publisher.hands, asyncio.Event(), [True]

    @asynccontextmanager
    async def scarce() -> AsyncIterator[Callable[[], bool]]:
        if waits:
            waits.clear()
            await left.wait()
        yield lambda: True

    monkeypatch.setattr(hands, "reserved", scarce)
    showing = asyncio.create_task(hands.show(match, person))
    assert await loopback.until(lambda: not waits)
    play_through_my_hand(siege)
    turn = sim.service.turn(match, Seat(post.seat))
    while sim.service.turn(await sim.match(), Seat(post.seat)) == turn:
        _, state = await siege.now()
        await siege.decide(sim.by_id(match.chairs[min(state.to_move())].player))
    await sim.slash(alice, "hand", siege.channel)
    # In truth only this worker shows her hand.
    await sim.service.posts.note(replace(await post_of(sim, alice), shown=match.version - 1))
    cursor = sim.cursor
    left.set()
    await showing
    await sim.caught_up()
    assert calls(sim, alice, cursor) == (0, 0)


async def test_a_hand_that_cannot_be_noted_is_made_sure_when_it_is_sent_again(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot then finds the first message, whose content may be older."""
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice, owes=True)
    hands, edits = sim.app.publisher.hands, list[int]()
    note, edit = hands.posts.note, hand_messages.edit

    async def fails(*posts: Post, **more: Any) -> None:
        if posts[0].sending is not None:
            await note(*posts, **more)
            return
        monkeypatch.setattr(hands.posts, "note", note)
        raise NotStored

    async def noted(message: discord.PartialMessage, content: Content) -> None:
        edits.append(message.id)
        await edit(message, content)

    monkeypatch.setattr(hands.posts, "note", fails)
    monkeypatch.setattr(hand_messages, "edit", noted)
    with pytest.raises(NotStored):
        await hands.show(match, person)
    await hands.show(match, person)
    assert edits == [(await post_of(sim, alice)).message]
    assert (await post_of(sim, alice)).shown == match.version


async def test_a_request_whose_turn_is_over_before_the_hand_is_free_waits_for_another(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice)
    hands, lasts = sim.app.publisher.hands, [True, False, False]

    @asynccontextmanager
    async def reserved() -> AsyncIterator[Callable[[], bool]]:
        yield lasts.pop

    monkeypatch.setattr(hands, "reserved", reserved)
    await hands.show(match, person)
    assert lasts == []
    assert (await post_of(sim, alice)).shown == match.version


async def test_a_press_in_a_hand_that_is_being_deleted_is_answered_elsewhere(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new hand is there, and requests are scarce, so the old one still waits to be deleted."""
    _, alice, _ = await tide.asked()
    match, person = await left_behind(sim, alice, owes=True)
    hands, left, old = sim.app.publisher.hands, asyncio.Event(), sim.hand(alice)
    delete = hands.handles.delete

    async def later(*what: Any, **how: Any) -> None:
        monkeypatch.setattr(hands.handles, "delete", delete)
        await left.wait()
        await delete(*what, **how)

    monkeypatch.setattr(hands.handles, "delete", later)
    showing = asyncio.create_task(hands.show(match, person))
    assert await loopback.until(lambda: sim.hand(alice).id != old.id)
    assert not showing.done()
    choice = offers(old)[0]
    cursor = sim.cursor
    values = [choice.value] if choice.value else None
    sim.raw_press(alice, choice.custom_id, message=old.id, channel=old.channel.id, values=values)
    await sim.env.settle()
    assert [shown.body for shown in sim.shown(cursor) if shown.viewer == alice.id and shown.method == "POST"]
    left.set()
    await showing
    assert not hands.is_leaving(old)


async def test_a_worker_that_shows_an_older_position_mentions_no_player_for_it(sim: Simulation) -> None:
    """Drawing takes time: meanwhile players have decided, and had the ping for their next turn."""
    table = await clocked(sim)
    play_through_my_hand(table)
    person, _ = await awaited(table)
    other = other_than(table, person)
    for one in (person, other):
        await choose(sim, one, PingPreference.MENTION)
    pings, people = sim.app.publisher.pings, {}
    older = await sim.match()
    for one in (person, other):
        found = await sim.app.people.get(one.id)
        assert found is not None
        people[one.id] = found
    await table.decide(person)
    while (await awaited(table))[0] is not person:
        await table.decide(other)
    newer = await sim.match()
    assert await pings.due(older, people) == {}
    posts = await sim.service.posts.of(older.id)
    await sim.service.posts.note(*(replace(post, pinged=None) for post in posts.hands.values()))
    assert [ping.turn for _, ping in (await pings.due(newer, people)).values()], "what is owed now is due"
