"""A ping and the hand that brings it: older hands, presses and workers on the way at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

import cogs.messages.hand
from cogs.messages.content import Content
from cogs.messages.presenter import Presenter
from cogs.transport import hand_messages
from cogs.transport.errors import DiscordFailure, Failure
from data.records.match import Match
from data.records.people import Person, PingPreference
from data.records.post import HandPost, Post, Sending
from data.store.database import NotStored
from rules.core.game import Seat
from tests.cogs.clocked import awaited, clocked
from tests.cogs.pings import calls, choose, other_than, play_through_my_hand
from tests.process import loopback
from tests.support.hung import HUNG
from tests.support.matches import play_on
from tests.support.simulation import Simulation, offers
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def post_of(sim: Simulation, person: MemberActor) -> HandPost:
    match = await sim.match()
    return (await sim.service.posts.of(match.id)).hands[match.chairs[match.seat_of(person.id) or 0].number]


async def left_behind(sim: Simulation, player: MemberActor, *, owes: bool = False) -> tuple[Match, Person]:
    """Note that the player's hand shows an older version, and if it `owes`, that they have had no ping. Return the
    match, and the player as stored.
    """
    match, person, post = await sim.match(), await sim.service.people.get(player.id), await post_of(sim, player)
    await sim.service.posts.note(replace(post, shown=match.version - 1, pinged=None if owes else post.pinged))
    return match, person


@pytest.fixture
async def alice(tide: Table) -> MemberActor:
    """The player whom the table of Sea Change asks."""
    return (await tide.asked())[1]


async def test_a_hand_of_an_earlier_turn_does_not_count_as_a_ping(
    sim: Simulation, tide: Table, alice: MemberActor
) -> None:
    """A press may be answered after its player was pinged for the next turn: it then shows the older hand. The ping
    stays noted, so the player is pinged once for that turn.
    """
    earlier, _ = await tide.now()
    while (await tide.asked())[1] is not alice or (await tide.now())[0].version == earlier.version:
        await tide.step(*await tide.now())
    cursor, called = sim.cursor, await post_of(sim, alice)
    person = await sim.service.people.get(alice.id)

    async def answer(content: Content) -> None:
        """Answer with an ephemeral message."""

    await sim.app.publisher.hands.show(earlier, person, answer)
    assert (await post_of(sim, alice)).pinged == called.pinged is not None
    await sim.forge(other_than(tide, alice), "1/1/offer//1")
    assert alice.id not in sim.pings(cursor), "she is not pinged again when the match changes next"


async def test_a_hand_of_an_earlier_turn_that_is_found_by_a_press_does_not_count_as_a_ping(
    sim: Simulation, alice: MemberActor
) -> None:
    """Its send was not noted, and the answer to the press in it fails: so nothing has told of the turn that is now."""
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


async def test_a_press_in_an_older_hand_leaves_the_newest_one_noted(sim: Simulation, alice: MemberActor) -> None:
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


@pytest.mark.parametrize("scarce", ["pictures", "requests"])
async def test_a_press_waits_for_nothing_that_is_less_urgent(
    sim: Simulation, alice: MemberActor, monkeypatch: pytest.MonkeyPatch, scarce: str
) -> None:
    """While a worker has the hand drawn, or waits to edit it, its player presses and is answered."""
    match, person = await left_behind(sim, alice)
    hands, waits, left = sim.app.publisher.hands, asyncio.Event(), asyncio.Event()
    hand, answers = cogs.messages.hand.hand_message, list[Content]()

    async def slowly(presenter: Presenter, match: Match, person: Person, **how: bool) -> Content:
        if not how.get("refreshable"):
            waits.set()
            await left.wait()
        return await hand(presenter, match, person, **how)

    @asynccontextmanager
    async def reserved() -> AsyncIterator[Callable[[], bool]]:
        waits.set()
        await left.wait()
        yield lambda: True

    async def answer(content: Content) -> None:
        answers.append(content)

    if scarce == "pictures":
        monkeypatch.setattr(cogs.messages.hand, "hand_message", slowly)
    else:
        monkeypatch.setattr(hands, "reserved", reserved)
    showing = asyncio.create_task(hands.show(match, person))
    await waits.wait()
    async with asyncio.timeout(HUNG):
        await hands.show(match, person, answer, refreshable=True)
    assert answers
    left.set()
    await showing
    assert (await post_of(sim, alice)).shown == match.version


async def test_a_worker_has_a_hand_for_one_request_at_a_time(
    sim: Simulation, alice: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an earlier send had no answer, a hand takes three requests. A press need not wait for the later two."""
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
    sim: Simulation, alice: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot then finds the first message, whose content may be older."""
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
    sim: Simulation, alice: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    sim: Simulation, alice: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new hand is there, and requests are scarce, so the old one still waits to be deleted."""
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
        people[one.id] = found
    await table.decide(person)
    while (await awaited(table))[0] is not person:
        await table.decide(other)
    newer = await sim.match()
    assert await pings.due(older, people) == {}
    posts = await sim.service.posts.of(older.id)
    await sim.service.posts.note(*(replace(post, pinged=None) for post in posts.hands.values()))
    assert [ping.turn for _, ping in (await pings.due(newer, people)).values()], "what is owed now is due"
