"""Messages whose answer from Discord was lost, and hands that cannot be edited: what is shown is true, said once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest

import cogs.transport.hand_messages
import cogs.transport.hand_replies
import cogs.transport.lobby_pings
import cogs.transport.pings
import cogs.transport.table_message
from cogs.guilds import Guilds
from cogs.match.time_controls import HOUR
from cogs.messages.content import Content
from cogs.messages.hand import hand_message
from cogs.messages.table import table_message
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.hand_replies import HandReplies
from cogs.transport.publisher import PublishTiming
from data.records.people import PingPreference
from tests.cogs.faults import AnswersLost, hourly, move, publisher
from tests.cogs.message_text import shown_words, shows_hand
from tests.cogs.pings import calls, choose
from tests.cogs.test_digests import wait_for_alice, wait_for_bob
from tests.process.loopback import until as soon
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import MY_HAND, Table

pytestmark = pytest.mark.usefixtures("plain")


SENDERS = {"send_public": cogs.transport.table_message, "send_private": cogs.transport.hand_messages}
"""The senders of tables and of hands, by name, each with the module that uses it."""


def lose_answers(monkeypatch: pytest.MonkeyPatch, where: Any, sender: str) -> AnswersLost:
    """The answers to what that module sends in this way are lost from now on."""
    lost = AnswersLost(getattr(where, sender))
    monkeypatch.setattr(where, sender, lost)
    return lost


# Discord on a bad day.


async def test_a_hand_that_is_too_old_to_be_edited_often_is_edited_later(
    sim: Simulation, siege: Table, no_errors: None
) -> None:
    """30046 passes after some seconds: direct messages are not given up for it."""
    alice, bob, _ = siege.people
    sim.env.inject_error("PATCH", f"/channels/{bob.user.dm_channel.id}/messages/*", status=429, code=30046, times=1)
    hands = len(sim.dms(bob))
    await siege.decide(alice)
    assert (await sim.service.people.get(bob.id)).dm_works
    version = (await siege.now())[0].version
    assert all(post.shown == version for post in (await sim.matches.posts.of(1)))
    assert len(sim.dms(bob)) == hands


async def test_what_is_noted_while_a_mention_is_on_its_way_stays(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody looks at a hand, or brings the table back, before Discord has answered."""
    people = sim.join_server("alice", "bob")
    sim.close_dms(*people)
    table = await Table.begin(sim, "sea_change", people, seed="noted", ways=dict.fromkeys(("alice", "bob"), MY_HAND))
    matches, send, noted = sim.matches, cogs.transport.pings.send_ping, []

    async def meanwhile(*args: Any, **how: Any) -> Any:
        sent = await send(*args, **how)
        noted.append([replace(post, digest="noted") for post in await matches.posts.of(1)])
        await matches.posts.note(*noted[-1])
        return sent

    monkeypatch.setattr(cogs.transport.pings, "send_ping", meanwhile)
    await move(table)
    assert len(noted) == 1
    digests = {post.of: post.digest for post in await matches.posts.of(1)}
    assert digests == dict.fromkeys(digests, "noted")


async def test_every_message_has_a_nonce_of_its_own(sim: Simulation, tide: Table) -> None:
    """Discord takes a second message with a nonce that it knows for the first one, and sends nothing."""
    for _ in range(3):
        board = sim.board()
        sim.env.backend.delete_message(board.channel.id, board.id)
        await sim.slash(tide.people[0], "board")
    await move(tide)
    nonces = [shown.body["nonce"] for shown in sim.shown() if "nonce" in shown.body]
    assert len(nonces) > 6
    assert all(nonces)
    assert len(nonces) == len(set(nonces))


async def test_nothing_shown_again_has_the_nonce_of_what_was_deleted_for_it(sim: Simulation, siege: Table) -> None:
    """Else Discord, where it still knows that one, would give back a message that is gone."""
    await sim.forge(siege.people[0], "1/1/offer//1")
    await sim.env.settle()
    await publisher(sim).shown.forget_shown(1)
    publisher(sim).changed(1)
    assert await soon(lambda: not publisher(sim).behind()[0], 10), "not everything is shown again"
    sent = [shown.body["nonce"] for shown in sim.shown() if shown.viewer is None and "nonce" in shown.body]
    assert len(sent) == 5  # the table and the search for a substitute, twice, and what told the host of enough players
    assert len(sent) == len(set(sent))


async def down(*_: object, **__: object) -> None:
    """In the place of a sender: Discord does not answer."""
    raise DiscordFailure(Failure.LATER)


@pytest.mark.parametrize("sender", SENDERS)
async def test_a_message_whose_answer_was_lost_shows_what_is_true_by_then(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None, sender: str
) -> None:
    """Discord gives back the message made at first; meanwhile somebody has pledged."""
    hourly(sim)
    lose_answers(monkeypatch, SENDERS[sender], sender)
    if sender == "send_public":
        sim.env.backend.delete_message(sim.channel.id, sim.board().id)
    else:
        await siege.play(lambda match, state: match.moves == 2)
        await sim.env.settle()
    for _ in range(2):
        await siege.decide(await siege.mover())
    await sim.env.advance_time(HOUR)
    match, _ = await siege.now()
    messages, people = sim.bot.app.messages, sim.service.people
    assert words(raw(sim.board()))[1:] == shown_words(await table_message(messages, match, {}))
    for person in siege.people:
        known = await people.get(person.id)
        assert shows_hand(sim.hand(person), await hand_message(messages, match, known))


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("first", [True, False])
async def test_a_hand_whose_answer_was_lost_is_the_hand_once_it_is_pressed(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, no_errors: None, answered: bool, first: bool
) -> None:
    """Its person is quicker than the next try: else it would stay for ever and offer what it did."""
    table = await Table.open(sim, "sea_change", sim.join_server("alice", "bob"), seed="lost")
    hourly(sim)
    if first:
        lose_answers(monkeypatch, cogs.transport.hand_messages, "send_private")
    await table.start()
    if not first:
        lose_answers(monkeypatch, cogs.transport.hand_messages, "send_private")
        await move(table)
        await sim.env.settle()
    seat, person, turn = await table.asked()
    before, hand = (await sim.matches.posts.of(1)).hands[seat].message, sim.hand(person)
    assert hand.id != before
    if not answered:
        monkeypatch.setattr(cogs.transport.hand_replies, "edit_own", down)
    pressed = f"1/1/move/{turn}/{(await sim.state()).default_move(seat)}"
    sim.raw_press(person, pressed, message=hand.id, channel=hand.channel.id)
    await sim.env.settle()
    assert (await sim.matches.posts.of(1)).hands[seat].message == hand.id
    await sim.env.advance_time(HOUR)
    match, _ = await table.now()
    assert match.moves == 2 - first
    (only,) = [message.id for message in sim.dms(person) if controls(raw(message))]
    assert only == hand.id or not answered  # else they may be called for their next turn
    assert shows_hand(
        sim.hand(person), await hand_message(sim.bot.app.messages, match, await sim.service.people.get(person.id))
    )


async def test_who_pressed_in_such_a_hand_is_not_called_again_for_that_turn(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """Also where they could not be answered."""
    table = await Table.open(sim, "sea_change", sim.join_server("alice", "bob"), seed="lost")
    hourly(sim)
    await table.start()
    cursor = sim.cursor
    lose_answers(monkeypatch, cogs.transport.hand_messages, "send_private")
    await move(table)
    await sim.env.settle()
    _, person, turn = await table.asked()
    hand = sim.hand(person)
    with monkeypatch.context() as patch:
        patch.setattr(cogs.transport.hand_replies, "edit_own", down)
        sim.raw_press(person, f"1/1/path/{turn}/x", message=hand.id, channel=hand.channel.id)
        await sim.env.settle()
    await sim.env.advance_time(HOUR)
    assert calls(sim, person, cursor) == (1, 0)


async def test_whose_hand_is_replaced_while_they_press_in_it_is_answered_beside_it(
    sim: Simulation, tide: Table, no_errors: None
) -> None:
    seat, person, turn = await tide.asked()
    hand, cursor = sim.hand(person), sim.cursor
    pressed = f"1/1/move/{turn}/{(await sim.state()).default_move(seat)}"
    sim.raw_press(person, pressed, message=hand.id, channel=hand.channel.id)
    sim.env.backend.delete_message(hand.channel.id, hand.id)
    await sim.env.settle()
    answers = [shown.text for shown in sim.shown(cursor) if "token" in shown.body]
    assert any("✓ Done" in text for text in answers), answers
    assert not any("Discord is not answering" in text for text in answers)


async def test_who_was_mentioned_is_not_mentioned_again_where_that_is_not_known(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """The answer to the message that calls three was lost, and one of them decides before the next try."""
    table = await Table.open(sim, "siege_of_sunfall", sim.join_server("alice", "bob", "carol"), seed="siege")
    hourly(sim)
    for person in table.people:
        await sim.service.people.change(person.id, ping=PingPreference.MENTION)
    cursor = sim.cursor
    lost = lose_answers(monkeypatch, cogs.transport.pings, "send_ping")
    await sim.press(table.people[0], sim.board(), "Start")
    await sim.env.settle()
    assert sorted(sim.pings(cursor)) == sorted(person.id for person in table.people)
    match, state = await table.now()
    seat = min(state.to_move())
    await sim.service.play(1, match.chairs[seat].user, None, str(state.default_move(seat)))
    publisher(sim).changed(1)
    await sim.env.advance_time(HOUR)
    assert len(lost.known) == 1
    assert sorted(sim.pings(cursor)) == sorted(person.id for person in table.people)
    post = (await sim.matches.posts.of(1)).table
    assert (post.mentioning, post.shown) == (None, (await sim.match()).version)


async def test_a_message_whose_answer_was_lost_shows_what_is_true_after_a_restart_too(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """Also where somebody moves before what is behind is looked for."""
    may_look, look_round = asyncio.Event(), Guilds.look_round

    async def late(owners: Guilds) -> None:
        await sim.env.external_wait(may_look.wait(), reason="where the bot still is cannot be told yet")
        await look_round(owners)

    async def no_time(patience: float = 0.0) -> None:
        """As where the bot is killed."""

    monkeypatch.setattr(Guilds, "look_round", late)
    lose_answers(monkeypatch, cogs.transport.table_message, "send_public")
    monkeypatch.setattr(publisher(sim), "timing", PublishTiming(edits=0, computer=0, retry=3600))
    monkeypatch.setattr(publisher(sim), "drain", no_time)
    sim.env.backend.delete_message(sim.channel.id, sim.board().id)
    await move(tide)
    assert await sim.matches.posts.behind() == [1]
    await sim.restart()
    await move(tide)
    assert await soon(lambda: not publisher(sim).behind()[0], 10)
    may_look.set()
    await sim.env.settle()
    match, _ = await tide.now()
    assert match.moves == 2
    assert words(raw(sim.board()))[1:] == shown_words(await table_message(sim.bot.app.messages, match, {}))


@pytest.mark.parametrize("sender", SENDERS)
async def test_a_message_that_is_known_again_is_not_sent_again_while_it_cannot_be_edited(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None, sender: str
) -> None:
    """Discord forgets a nonce after some minutes: a bot that asks with it for longer is given a second message."""
    monkeypatch.setattr(publisher(sim), "timing", PublishTiming(edits=0, computer=0, retry=0.05))
    where = SENDERS[sender]
    lost = AnswersLost(getattr(where, sender))
    edits: list[str] = []

    async def send(*args: Any, nonce: str, **how: Any) -> Any:
        again = nonce in lost.known
        try:
            return await lost(*args, nonce=nonce, **how)
        finally:
            if again:
                del lost.known[nonce]

    async def refused(message: discord.PartialMessage, content: Content) -> None:
        if message.id != gone:
            edits.append(sender)
            if len(edits) <= 6:
                raise DiscordFailure(Failure.LATER)
        await edit(message, content)

    monkeypatch.setattr(where, sender, send)
    edit, gone = where.edit, sim.board().id
    if sender == "send_public":
        sim.env.backend.delete_message(sim.channel.id, gone)
    else:
        await siege.play(lambda match, state: match.moves == 2)
    tables, hands = len(sim.channel.history()), [len(sim.dms(person)) for person in siege.people]
    match, state = await siege.now()
    monkeypatch.setattr(where, "edit", refused)
    await siege.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    await sim.env.settle()
    assert edits
    assert len(sim.channel.history()) == tables + (sender == "send_public")
    assert all(len(sim.dms(person)) <= before for person, before in zip(siege.people, hands, strict=True))


async def test_who_is_called_before_a_silent_hand_is_known_to_be_there_is_called(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """Its answer was lost; and what Discord knows by the nonce of a silent message rings for no player."""
    people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "siege_of_sunfall", [*people, *sim.join_server("carol")], seed="silent")
    hourly(sim)
    for person in table.people:
        await sim.forge(person, "1/0/setting//digest", values=["6"])
    sent: list[tuple[int, bool]] = []

    async def noted(channel: Any, user: int, content: Content, *, nonce: str, silent: bool) -> Any:
        message = await usual(channel, user, content, nonce=nonce, silent=silent)
        sent.append((user, silent))
        return message

    usual = cogs.transport.hand_messages.send_private
    monkeypatch.setattr(cogs.transport.hand_messages, "send_private", AnswersLost(noted))
    await sim.press(table.people[0], sim.board(), "Start")
    await sim.env.settle()
    assert sorted(sent) == [(person.id, True) for person in sorted(table.people, key=lambda person: person.id)]
    alice = table.people[0]
    await sim.forge(alice, "1/0/setting//digest", values=["0"])
    publisher(sim).changed(1)
    await sim.env.settle()
    assert (alice.id, False) in sent


async def test_an_answer_puts_no_older_hand_back(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else moves, and all is shown, while the answer to an out-of-date press in one's hand is made."""
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", "carol"), seed="older")
    match, state = await table.now()
    seat = min(state.to_move())
    watcher = sim.by_id(match.chairs[(seat + 2) % 3].user)  # who is not asked next either
    hand, passing = sim.hand(watcher), HandReplies.next_table

    async def meanwhile(hands: HandReplies, *what: Any) -> Any:
        found = await passing(hands, *what)
        if (await sim.match()).moves == match.moves:
            await sim.service.play(1, match.chairs[seat].user, None, str(state.default_move(seat)))
            publisher(sim).changed(1)
            assert await soon(lambda: not publisher(sim).behind()[0], 10)
        return found

    monkeypatch.setattr(HandReplies, "next_table", meanwhile)
    await sim.forge(watcher, "1/1/path/0.0/x", message=hand.id, channel=hand.channel.id)
    await sim.env.settle()
    (now,) = [message for message in sim.dms(watcher) if message.id == hand.id]
    match, _ = await table.now()
    expected = shown_words(await hand_message(sim.bot.app.messages, match, await sim.service.people.get(watcher.id)))
    assert words(raw(now))[1:] == expected


# A kill before somebody is called.


async def test_whose_direct_messages_turn_out_closed_is_called_after_a_kill(sim: Simulation, tide: Table) -> None:
    """That the table must mention them now may not stand in memory alone."""
    alice = tide.people[0]
    await wait_for_bob(tide)
    sim.close_dms(alice)
    sim.set_timing(PublishTiming(edits=3600, computer=0))
    cursor = sim.cursor
    await wait_for_alice(tide)
    assert calls(sim, alice, cursor)[1] == 0, "the worker pauses before the mention"
    await sim.restart()
    assert calls(sim, alice, cursor)[1] == 1
    assert await sim.matches.posts.behind() == []


async def test_who_was_mentioned_when_direct_messages_turn_out_closed_is_not_mentioned_again(
    sim: Simulation, tide: Table
) -> None:
    alice = tide.people[0]
    await wait_for_bob(tide)
    await choose(sim, alice, PingPreference.BOTH)
    sim.close_dms(alice)
    cursor = sim.cursor
    await wait_for_alice(tide)
    await sim.restart()
    assert calls(sim, alice, cursor)[1] == 1
    assert await sim.matches.posts.behind() == []


async def test_a_mention_besides_the_direct_message_is_made_after_a_kill(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    alice = tide.people[0]
    await wait_for_bob(tide)
    await choose(sim, alice, PingPreference.BOTH)
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600))
    with monkeypatch.context() as patch:
        patch.setattr(cogs.transport.pings, "send_ping", down)
        cursor = sim.cursor
        await wait_for_alice(tide)
        assert calls(sim, alice, cursor) == (1, 0)
        await sim.bot.close()
    await sim.restart()
    assert calls(sim, alice, cursor) == (1, 1)
    assert await sim.matches.posts.behind() == []


async def test_an_invitation_to_play_again_is_made_after_a_kill(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    alice, bob = tide.people
    for person in (alice, bob):
        await sim.forge(person, "1/1/vote_sure//end")
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=3600))
    cursor = sim.cursor
    with monkeypatch.context() as patch:
        patch.setattr(cogs.transport.lobby_pings, "send_ping", down)
        await sim.forge(bob, "1/1/again//")
        assert calls(sim, alice, cursor) == (0, 0)
        await sim.bot.close()
    await sim.restart()
    assert calls(sim, alice, cursor) == (0, 1)
    assert await sim.matches.posts.behind() == []
