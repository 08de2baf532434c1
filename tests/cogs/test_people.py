"""Playing again, leaving and taking over, in the whole bot."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.actors import MemberActor

import cogs.messages.hand
from cogs.match.membership import IDLE_LOBBY, Membership
from cogs.match.refusals import Reason, Refused
from cogs.messages.presenter import Presenter
from cogs.transport.publisher import PublishTiming
from data.records.match import Match, Status
from data.records.people import Person
from data.store.database import NotStored
from tests.cogs.managing import manager
from tests.cogs.matches_over import over, text
from tests.process.loopback import until
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


# Once more.


async def test_play_again_pressed_by_four_is_one_lobby(sim: Simulation) -> None:
    table = await over(sim, "alice", "bob", "carol", "dave")
    board = sim.board().id
    results = [sim.raw_press(person, "1/1/again//", message=board) for person in table.people]
    await sim.env.settle()
    assert sum("is open, and you are in" in sim.said(result) for result in results) == 1
    assert sum("You have joined [Sea Change · table 2]" in sim.said(result) for result in results) == 3
    assert await sim.matches.get(3) is None
    before, lobby = await sim.match(1), await sim.match(2)
    assert {chair.user for chair in lobby.chairs} == {person.id for person in table.people}
    for person in table.people[2:]:  # the host or any two
        await sim.press(person, sim.board(), "Start")
    assert (await sim.match(2)).chairs[0].user == before.chairs[1].user, "the next one begins"


async def test_those_who_played_and_those_who_wait_are_called_once(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await Table.begin(sim, "sea_change", [alice, bob], seed="called")
    (ida,) = sim.join_server("ida")
    assert "This match has already started. You are on the waiting list" in await sim.slash(ida, "join", table=1)
    assert "Waiting list: **ida**" in text(sim)
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    cursor = sim.cursor
    await sim.press(alice, sim.board(), "Play again")
    called = [shown for shown in sim.public(cursor) if shown.body.get("content")]
    assert len(called) == 1
    assert {int(user) for user in called[0].body["allowed_mentions"]["users"]} == {bob.id, ida.id}
    assert [chair.user for chair in (await sim.match(2)).chairs] == [alice.id, ida.id]
    cursor = sim.cursor
    await sim.restart()
    await sim.press(bob, sim.board(), "Join")
    (said,) = [shown for shown in sim.public(cursor) if shown.body.get("content")]
    assert said.body["allowed_mentions"]["users"] == [alice.id], "the host alone: enough players are there"
    await sim.cancel(alice, 2)
    cursor = sim.cursor
    await sim.forge(alice, "1/1/again//")
    assert (await sim.match(3)).previous == 1
    assert not [shown for shown in sim.public(cursor) if shown.body.get("content")], "they have been asked once"


def invited(sim: Simulation, since: int) -> list[int]:
    """Whom messages in the channel have mentioned since then."""
    called = [shown for shown in sim.public(since) if shown.body.get("content")]
    return [int(user) for shown in called for user in shown.body["allowed_mentions"]["users"]]


async def test_who_calls_the_lobby_off_and_presses_again_calls_no_player_a_second_time(sim: Simulation) -> None:
    table = await over(sim, "alice", "bob", "carol")
    (alice, bob, carol), board, cursor = table.people, sim.board(), sim.cursor
    for number in (2, 3):
        await sim.press(alice, board, "Play again")
        await sim.slash(alice, "leave", table=number)
        assert (await sim.match(number)).status is Status.CANCELLED
        assert not [message for message in sim.channel.history() if message.content], "what it said goes with it"
    await sim.press(bob, board, "Play again")
    assert sorted(invited(sim, cursor)) == sorted([bob.id, carol.id])
    # Nor once a lobby that has called them was played, had a pause and was called off.
    await sim.press(carol, sim.board(), "Join")
    await sim.press(carol, sim.board(), "Start")
    for choice in ("pause", "resume"):
        for person in (bob, carol):
            await sim.forge(person, f"1/4/vote//{choice}")
    cursor = sim.cursor
    await sim.cancel(manager(sim), 4)
    await sim.press(alice, board, "Play again")
    assert (await sim.match(5)).previous == 1
    assert invited(sim, cursor) == []


async def test_a_stranger_opens_no_rematch_and_calls_no_player(sim: Simulation) -> None:
    table = await over(sim, "alice", "bob")
    (ida,) = sim.join_server("ida")
    board, cursor = sim.board(), sim.cursor
    assert "Only a player of this match" in sim.said(await sim.press(ida, board, "Play again"))
    assert await sim.service.find(2) is None and invited(sim, cursor) == []
    await sim.press(table.people[0], board, "Play again")
    assert invited(sim, cursor) == [table.people[1].id], "as if no stranger had come"
    for person in (table.people[1], ida):
        await sim.press(person, board, "Play again")
    match = await sim.match(2)
    assert match.host == table.people[0].id
    assert all(match.seat_of(person.id) is not None for person in (*table.people[:2], ida))


async def test_a_lobby_that_no_player_comes_to_is_closed_with_a_word(sim: Simulation) -> None:
    (alice,) = await sim.lobby("alice")
    message = sim.board().id
    await sim.env.advance_time(IDLE_LOBBY + 2 * 3600)
    assert (await sim.match()).status is Status.CANCELLED
    last = sim.channel.last_message
    assert last.id == message
    assert "Closed after 4 days without activity." in "\n".join(words(raw(last)))
    assert not controls(raw(last))
    assert "This match was cancelled." in await sim.forge(alice, "1/1/join//", message=message)


async def test_each_lobby_that_is_closed_says_so_though_the_next_cannot_be(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    (alice,) = sim.join_server("alice")
    for _ in range(2):
        await sim.slash(alice, "play", game="sea_change")
    save = sim.service.save

    async def full(match: Match, *more: Any, **how: Any) -> Match:
        if match.id == 2:
            raise Refused(Reason.NOT_STORED)
        return await save(match, *more, **how)

    monkeypatch.setattr(sim.service, "save", full)
    monkeypatch.setattr(Membership, "now", lambda membership: int(sim.service.now()) + IDLE_LOBBY + 3600)
    with pytest.raises(Refused):
        await sim.bot.app.membership.close_idle()
    assert await until(lambda: not sim.bot.app.publisher.behind()[0])
    assert [(await sim.match(number)).status for number in (1, 2)] == [Status.CANCELLED, Status.LOBBY]
    assert sum("Closed after 4 days without activity" in shown for shown in sim.visible(alice)) == 1


# Leaving and taking over.


async def substituted(sim: Simulation, table: Table) -> tuple[MemberActor, MemberActor, Match]:
    """Alice has looked for a substitute, and erin has taken her seat."""
    alice = table.people[0]
    (erin,) = sim.join_server("erin")
    asked = await alice.slash(sim.channel, "leave")
    said = sim.said(await sim.press(alice, asked.response, "Look for a substitute"))
    assert "Keep playing until someone takes it." in said
    call = sim.board()
    assert "needs a substitute for **alice**" in text(sim)
    took = await sim.press(erin, call, "Take alice's seat")
    assert "You have taken over **" in sim.said(took)
    assert call.id not in [message.id for message in sim.channel.history()], "no player is called any more"
    assert "Open seat" not in text(sim)
    return alice, erin, (await table.now())[0]


async def test_the_call_stands_in_the_channel_where_a_thread_has_the_table(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", [alice, bob], seed="call", options={"place": "thread"})
    board = sim.board(table.channel)
    await sim.forge(alice, "1/1/offer//1", message=board.id, channel=board.channel.id)
    assert "Open seat:** **alice**" in "\n".join(words(raw(sim.board(table.channel))))
    call = sim.board()
    assert "Take alice's seat" in controls(raw(call))
    await sim.forge(bob, "1/1/give_seat//", message=board.id, channel=board.channel.id)
    assert "Take bob's seat" in controls(raw(sim.board(table.channel))), "a computer's seat is had at the table alone"
    assert "Take bob's seat" not in controls(raw(sim.board()))
    assert sim.board().id == call.id
    await sim.restart()
    await sim.forge(alice, "1/1/vote_sure//end", message=board.id, channel=board.channel.id)
    assert (await table.now())[0].status is Status.STOPPED
    assert call.id not in [message.id for message in sim.channel.history()]
    assert await sim.matches.posts.behind() == []


async def test_a_substitute_gets_the_hand_and_the_former_player_an_empty_message(sim: Simulation, siege: Table) -> None:
    alice = siege.people[0]
    old = sim.hand(alice)
    pressed = offers(old)[0]
    seat = (await siege.now())[0].seat_of(alice.id)
    alice, erin, match = await substituted(sim, siege)
    assert match.seat_of(erin.id) == seat
    assert match.seat_of(alice.id) is None
    hand = sim.hand(erin)
    assert "**Your turn**" in "\n".join(words(raw(hand)))
    assert offers(hand)
    (emptied,) = [message for message in sim.dms(alice) if message.id == old.id]
    assert "You are no longer at" in "\n".join(words(raw(emptied)))
    assert not emptied.attachments
    assert not controls(raw(emptied))
    # Her buttons are dead, wherever they are.
    where = {"message": old.id, "channel": old.channel.id}
    for custom_id in (pressed.custom_id, "1/1/path/1.1/", "1/1/undo/1.1/", "1/1/log//", "1/1/last//", "1/1/board//"):
        assert "You are no longer at this table." in await sim.forge(alice, custom_id, **where)
    for custom_id in ("1/1/hand//", "1/1/vote_sure//end", "1/1/offer//1", "1/1/give_seat//", "1/1/resign//"):
        assert "You are no longer at this table." in await sim.forge(alice, custom_id)
    assert "✓" not in await sim.slash(alice, "move", move="pledge 1", table=1)
    assert "That seat is taken" in await sim.forge(alice, "1/1/back//")
    assert "You are already at this table." in await sim.forge(erin, f"1/1/take//{seat}")


async def test_from_then_on_the_former_player_learns_nothing(sim: Simulation, siege: Table) -> None:
    alice, erin, match = await substituted(sim, siege)
    del sim.people["alice"]
    cursor, moves, state = sim.cursor, match.moves, (await siege.now())[1]
    siege.known_turns[erin.id] = state.turn(match.seat_of(erin.id))  # the hand that came was a ping
    await siege.play(lambda match, state: match.moves >= moves + 8)
    assert not [shown for shown in sim.shown(cursor) if shown.viewer == alice.id]
    (ida,) = sim.join_server("ida")
    for action in ("board", "log", "last"):
        told = [await sim.forge(person, f"1/1/{action}//") for person in (alice, ida)]
        assert told[0] == told[1], "what an onlooker sees, and nothing else"


async def test_a_press_that_crosses_the_change_of_seats_leaves_no_hand_behind(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Her hand is being drawn when another takes the seat: it is shown as it was, and then emptied."""
    alice = tide.people[0]
    await sim.forge(alice, "1/1/offer//1")
    (erin,) = sim.join_server("erin")
    match = (await tide.now())[0]
    seat, membership = match.seat_of(alice.id), sim.bot.app.membership
    await sim.service.people.meet(erin.id, "erin")
    draw, old = cogs.messages.hand.hand_message, sim.hand(alice)

    async def slowly(presenter: Presenter, match: Match, person: Person, **how: Any) -> object:
        content = await draw(presenter, match, person, **how)
        if person.user == alice.id and (await tide.now())[0].seat_of(alice.id) is not None:
            await membership.take_seat(1, erin.id, "erin", seat)
        return content

    monkeypatch.setattr(cogs.messages.hand, "hand_message", slowly)
    where = {"message": old.id, "channel": old.channel.id}
    await sim.forge(alice, f"1/1/path/{(await sim.state()).turn(seat)}/", **where)
    await sim.env.settle()
    assert (await tide.now())[0].seat_of(erin.id) == seat
    for message in sim.dms(alice):
        assert "Your hand:" not in "\n".join(words(raw(message)))
        assert not controls(raw(message))


async def test_a_hand_is_emptied_though_discord_fails_and_the_bot_is_restarted(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    old = sim.hand(alice)
    await sim.forge(alice, "1/1/offer//1")
    (erin,) = sim.join_server("erin")
    sim.env.inject_error("PATCH", f"/channels/{old.channel.id}/messages/*", status=503, times=None)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600))
    seat = (await tide.now())[0].seat_of(alice.id)
    assert "You have taken over **" in await sim.forge(erin, f"1/1/take//{seat}")
    assert "Your hand:" in "\n".join(sim.visible(alice))
    assert 1 in await sim.matches.posts.behind()
    sim.env.backend.faults.clear()
    await sim.restart()
    assert "Your hand:" not in "\n".join(sim.visible(alice))
    assert await sim.matches.posts.behind() == []


async def test_who_waits_may_leave_the_list_by_the_command(sim: Simulation, tide: Table) -> None:
    (ida,) = sim.join_server("ida")
    await sim.slash(ida, "join", table=1)
    assert "You have left Sea Change · table 1." in await sim.slash(ida, "leave")
    assert "That does not work at any table here." in await sim.slash(ida, "leave")
    assert not (await tide.now())[0].waiting


async def test_who_has_no_open_direct_messages_can_take_over_too(sim: Simulation, tide: Table) -> None:
    await sim.forge(tide.people[0], "1/1/offer//1")
    (erin,) = sim.join_server("erin")
    sim.close_dms(erin)
    took = await sim.press(erin, sim.board(), "Take alice's seat")
    assert "I cannot send you direct messages" in sim.said(took)
    assert "Your hand:" in sim.said(await sim.press(erin, sim.board(), "My hand"))


async def test_a_seat_that_is_taken_is_shown_though_nothing_is_noted_beside_it(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full once the seat is stored, before it is noted whether direct messages reach who has taken it."""
    alice = tide.people[0]
    seat = (await sim.match()).seat_of(alice.id)
    await sim.forge(alice, "1/1/give_seat//")
    (erin,) = sim.join_server("erin")

    async def full(user: int, **what: Any) -> None:
        raise NotStored

    with monkeypatch.context() as patch:
        patch.setattr(sim.service.people, "change", full)
        assert "I cannot save anything new" in await sim.forge(erin, f"1/1/take//{seat}")
    assert (await sim.match()).seat_of(erin.id) == seat
    assert "**erin**" in text(sim)


async def test_coming_back_where_a_computer_sits(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    seat = (await tide.now())[0].seat_of(alice.id)
    asked = await alice.slash(sim.channel, "leave", table=1)
    gone = await sim.press(alice, asked.response, "Give my seat to a computer")
    await sim.restart()
    assert "Welcome back: you have your seat at [" in sim.said(await sim.press(alice, gone.response, "Come back"))
    match = (await tide.now())[0]
    assert match.seat_of(alice.id) == seat
    assert "Your hand:" in "\n".join(words(raw(sim.hand(alice))))
    assert "You are already at this table." in await sim.slash(alice, "join", table=1)
    # And by the command, from the channel.
    await sim.forge(alice, "1/1/give_seat//")
    assert "Welcome back: you have your seat at [" in await sim.slash(alice, "join")
    assert (await tide.now())[0].seat_of(alice.id) == seat


async def test_forged_seats_are_not_free(sim: Simulation, tide: Table) -> None:
    (erin,) = sim.join_server("erin")
    version = (await tide.now())[0].version
    for rest in ("", "9", "-1", "x", "99999999999999999999"):
        assert "That seat is taken" in await sim.forge(erin, f"1/1/take//{rest}"), rest
    assert (await tide.now())[0].version == version
