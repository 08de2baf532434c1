"""Bad days: presses at the worst moment, a Discord that answers wrongly, a disk that is full. The match goes on."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

import cogs.match.positions
import cogs.messages.table
import cogs.transport.digests
import cogs.transport.hand_messages
import cogs.transport.hand_replies
import cogs.transport.lobby_pings
import cogs.transport.pings
import cogs.transport.senders
import cogs.transport.table_message
from cogs.guilds import Guilds
from cogs.match.time_controls import HOUR, MINUTE
from cogs.messages.content import Content
from cogs.messages.hand import hand_message
from cogs.messages.table import table_message
from cogs.transport.errors import DiscordFailure, Failure
from cogs.transport.hand_replies import HandReplies
from cogs.transport.match_posts import Shown
from cogs.transport.publisher import Publisher, PublishTiming
from data.records.match import Match, Status
from data.records.people import PingPreference
from data.store.database import NotStored
from rules.core.game import AnyState
from tests.cogs.message_text import shown_words, shows_hand
from tests.cogs.test_clock import awaited, clock_at, clocked, until
from tests.cogs.test_digests import digests, due, tables, wait_for_alice, wait_for_bob
from tests.cogs.test_pings import calls, choose
from tests.process.loopback import until as soon
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import MY_HAND, Table

pytestmark = pytest.mark.usefixtures("plain")


def publisher(sim: Simulation) -> Publisher:
    assert sim.bot.app is not None
    return sim.bot.app.publisher


async def move(table: Table) -> None:
    match, state = await table.now()
    await table.decide(table.sim.by_id(match.chairs[min(state.to_move())].user))


@pytest.fixture
def no_errors(sim: Simulation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """These faults are meant: what is logged of them is no failure, and the next try comes soon."""
    for part in (publisher(sim), publisher(sim).computers):
        monkeypatch.setattr(part, "timing", PublishTiming(edits=0, computer=0, retry=0.05))
    for name in (
        "cogs.transport.table_message",
        "cogs.transport.publisher",
        "cogs.transport.computer_moves",
        "cogs.transport.clock_worker",
        "cogs.transport.hand_messages",
        "cogs.transport.digests",
        "cogs.transport.interactions",
        "cogs.time",
    ):
        caplog.set_level(logging.CRITICAL, logger=name)


def hourly(sim: Simulation) -> None:
    """From now on what has failed is tried again each hour, and not while one waits for the bot to come to rest."""
    sim.set_timing(PublishTiming(edits=0, computer=0, retry=HOUR, longest_retry=HOUR))


async def forced(table: Table) -> Match:
    """Play until the first of the people has one legal move."""

    def one(match: Match, state: AnyState) -> bool:
        seat = min(state.to_move())
        return match.chairs[seat].user == table.people[0].id and len(state.legal_moves(seat)) == 1

    return await table.play(one)


# Wake-ups.


async def test_a_change_while_a_worker_ends_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it comes, also between a worker's last look and its end."""
    nothing: Any = None
    host: Any = SimpleNamespace(clocks=SimpleNamespace(now=lambda: 0), posts=None)
    messages: Any = SimpleNamespace(lacks_motion=lambda number: False)
    publisher = Publisher(nothing, host, nothing, messages, nothing, PublishTiming(edits=0))
    shown = 0

    async def show(number: int, **how: object) -> Shown:
        nonlocal shown
        shown += 1
        return Shown()

    monkeypatch.setattr(publisher.shown, "show", show)
    for ticks in range(12):
        publisher.changed(1)
        for _ in range(ticks):
            await asyncio.sleep(0)
        before = shown
        publisher.changed(1)
        for _ in range(12):
            await asyncio.sleep(0)
        assert shown > before, f"a change {ticks} steps after another"


class FaultOnce:
    """In the place of a coroutine function: fails the first time, then does its work."""

    def __init__(self, work: Any, error: Exception) -> None:
        self.work, self.error, self.struck = work, error, False

    async def __call__(self, *args: Any, **how: Any) -> Any:
        if not self.struck:
            self.struck = True
            raise self.error
        return await self.work(*args, **how)


FULL = sqlite3.OperationalError("database or disk is full")


async def test_what_a_fault_kept_from_being_shown_is_shown_later(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    fault = FaultOnce(cogs.messages.table.table_message, FULL)
    monkeypatch.setattr(cogs.messages.table, "table_message", fault)
    await move(tide)
    assert fault.struck
    version = (await tide.now())[0].version
    assert all(post.shown == version for post in (await sim.matches.posts.of(1)))


async def test_a_computer_that_could_not_move_moves_later(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    table = await Table.open(sim, "sea_change", sim.join_server("alice"), computers=1, seed="computer")
    moves = sim.app.publisher.computers.moves
    fault = FaultOnce(moves.play, FULL)
    monkeypatch.setattr(moves, "play", fault)
    await table.start()
    for _ in range(4):
        match, state = await table.now()
        if match.seat_of(sim.people["alice"].id) in state.to_move():
            await move(table)
        await sim.env.advance_time(10)
    match, state = await table.now()
    assert fault.struck
    assert match.moves >= 4


async def test_a_forced_move_is_made_after_a_restart_too(sim: Simulation, tide: Table) -> None:
    """The bot ended in the moment between the turn and the move that was to be made for the player."""
    alice, match = tide.people[0], await forced(tide)
    chairs = tuple(replace(chair, plays_forced=chair.user == alice.id) for chair in match.chairs)
    await sim.service.save(replace(match, chairs=chairs))
    assert (await tide.now())[0].moves == match.moves
    await sim.restart()
    assert (await tide.now())[0].moves > match.moves


async def test_switching_forced_moves_on_makes_the_one_that_is_waited_for(sim: Simulation, tide: Table) -> None:
    alice, match = tide.people[0], await forced(tide)
    await sim.forge(alice, "1/1/setting//forced")
    assert (await tide.now())[0].moves > match.moves


async def test_a_match_out_of_memory_goes_on(sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With many tables, this one's position may be dropped at any moment: it is read again."""
    monkeypatch.setattr(cogs.match.positions, "KEPT", 0)
    for _ in range(3):
        await move(tide)
    assert (await tide.now())[0].moves == 3


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


async def down(*_: object) -> None:
    """In the place of a sender: Discord does not answer."""
    raise DiscordFailure(Failure.LATER)


class AnswersLost:
    """In the place of a sender: the first send of each nonce is done, and its answer lost; Discord then knows it."""

    def __init__(self, send: Any) -> None:
        self.send = send
        self.known: dict[str, Any] = {}

    async def __call__(self, *args: Any, nonce: str, **how: Any) -> Any:
        if nonce in self.known:
            return self.known[nonce]
        self.known[nonce] = await self.send(*args, nonce=nonce, **how)
        raise DiscordFailure(Failure.LATER)


@pytest.mark.parametrize("sender", ["send_public", "send_private"])
async def test_a_message_whose_answer_was_lost_shows_what_is_true_by_then(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None, sender: str
) -> None:
    """Discord gives back the message made at first; meanwhile somebody has pledged."""
    hourly(sim)
    where = cogs.transport.table_message if sender == "send_public" else cogs.transport.hand_messages
    monkeypatch.setattr(where, sender, AnswersLost(getattr(where, sender)))
    if sender == "send_public":
        sim.env.backend.delete_message(sim.channel.id, sim.board().id)
    else:
        await siege.play(lambda match, state: match.moves == 2)
        await sim.env.settle()
    for _ in range(2):
        match, state = await siege.now()
        await siege.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    await sim.env.advance_time(HOUR)
    match, state = await siege.now()
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
        monkeypatch.setattr(
            cogs.transport.hand_messages, "send_private", AnswersLost(cogs.transport.hand_messages.send_private)
        )
    await table.start()
    if not first:
        monkeypatch.setattr(
            cogs.transport.hand_messages, "send_private", AnswersLost(cogs.transport.hand_messages.send_private)
        )
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
    monkeypatch.setattr(
        cogs.transport.hand_messages, "send_private", AnswersLost(cogs.transport.hand_messages.send_private)
    )
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
    lost = AnswersLost(cogs.transport.pings.send_ping)
    monkeypatch.setattr(cogs.transport.pings, "send_ping", lost)
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
    monkeypatch.setattr(
        cogs.transport.table_message, "send_public", AnswersLost(cogs.transport.table_message.send_public)
    )
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


@pytest.mark.parametrize("sender", ["send_public", "send_private"])
async def test_a_message_that_is_known_again_is_not_sent_again_while_it_cannot_be_edited(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None, sender: str
) -> None:
    """Discord forgets a nonce after some minutes: a bot that asks with it for longer is given a second message."""
    monkeypatch.setattr(publisher(sim), "timing", PublishTiming(edits=0, computer=0, retry=0.05))
    where = cogs.transport.table_message if sender == "send_public" else cogs.transport.hand_messages
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


@pytest.mark.parametrize("way", [PingPreference.DM, PingPreference.MENTION])
async def test_a_digest_tried_again_tells_of_all_that_has_become_news(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, no_errors: None, way: PingPreference
) -> None:
    """Discord gives back the one made at first: what it does not list is not told."""
    _, second = await tables(sim, "none", "none", hours=1)
    alice = sim.people["alice"]
    await choose(sim, alice, way)
    await wait_for_bob(second)
    sender = "send_private" if way is PingPreference.DM else "send_ping"
    monkeypatch.setattr(cogs.transport.digests, sender, AnswersLost(getattr(cogs.transport.digests, sender)))
    cursor = sim.cursor
    await until(sim, await due(sim, alice) + 1)
    await wait_for_alice(second)
    await sim.env.advance_time(30 * MINUTE)
    posted = [shown.text for shown in sim.shown(cursor) if shown.method == "POST"]
    before, after = [text for text in posted if re.search("[Tt]ables (here )?waiting for you", text)]
    assert "table 1]" in before and "table 2]" not in before
    assert "table 1]" in after and "table 2]" in after
    assert await due(sim, alice) > sim.env.now().timestamp()


async def test_a_digest_sent_while_a_hand_is_edited_is_not_forgotten(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next one tells of the same again."""
    (table,) = await tables(sim, "none", hours=1)
    alice, edit = sim.people["alice"], cogs.transport.hand_messages.edit
    looks: list[asyncio.Task[float]] = []

    async def edit_during_digest(message: discord.PartialMessage, content: Content) -> None:
        match, state = await table.now()
        if not looks and content.user == alice.id and match.seat_of(alice.id) in state.to_move():
            await sim.service.people.change(alice.id, digest_due=sim.service.clocks.now() - 1)
            looks.append(asyncio.create_task(sim.app.digests.tick()))
            for _ in range(20):  # meanwhile it ends, or waits for this hand
                await sim.matches.posts.check_storage()
        await edit(message, content)

    await wait_for_bob(table)
    cursor = sim.cursor
    monkeypatch.setattr(cogs.transport.hand_messages, "edit", edit_during_digest)
    await wait_for_alice(table)
    assert looks
    await sim.env.advance_time(3 * HOUR)
    assert len(digests(sim, alice, cursor)) == 1
    assert await sim.matches.posts.behind() == []


async def test_a_crash_while_the_table_moves_to_its_thread(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """The thread is there and the match knows of it, the message is not yet: it is made once."""
    people = sim.join_server("alice", "bob")
    table = await Table.open(sim, "sea_change", people, seed="thread", options={"place": "thread"})
    fault = FaultOnce(cogs.transport.table_message.edit, FULL)
    monkeypatch.setattr(cogs.transport.table_message, "edit", fault)
    await sim.press(people[0], sim.board(), "Start")
    assert fault.struck
    assert len(sim.channel.threads) == 1
    assert table.channel.is_thread
    assert "My hand" in controls(raw(sim.board(table.channel)))
    assert f"The match has started in <#{table.channel.id}>" in words(raw(sim.channel.history()[0]))[1]
    await table.play(lambda match, state: match.moves == 2)
    assert len(table.channel.history()) == 1


# People who leave.


async def test_who_has_left_leaves_nothing_to_be_shown_for_ever(sim: Simulation, siege: Table) -> None:
    """A seat that was given up has no hand any more: it would be behind at each start of the bot."""
    alice, bob, carol = siege.people
    await sim.forge(alice, "1/1/give_seat//")
    del sim.people["alice"]
    for person in (bob, carol):
        await sim.forge(person, "1/1/vote_sure//end")
    assert (await siege.now())[0].status is Status.STOPPED
    assert await sim.matches.posts.behind() == []


async def test_one_who_leaves_may_decide_the_vote(sim: Simulation, plain: None) -> None:
    """Two of four are no majority; two of three are."""
    people = sim.join_server("alice", "bob", "carol", "dave")
    table = await Table.begin(sim, "siege_of_sunfall", people, seed="vote")
    await sim.forge(people[0], "1/1/vote_sure//end")
    await sim.forge(people[1], "1/1/vote_sure//end")
    assert (await table.now())[0].status is Status.PLAYING
    await sim.forge(people[2], "1/1/give_seat//")
    assert (await table.now())[0].status is Status.STOPPED
    assert "The players ended this match early" in "\n".join(words(raw(sim.board())))


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refusal_on_the_way_to_discord_is_no_players_closed_door(
    sim: Simulation, tide: Table, no_errors: None, status: int
) -> None:
    """It has no code of Discord's own. What it kept from being shown is shown later, and the player asked is called."""
    alice = tide.people[0]
    await wait_for_bob(tide)
    sim.set_timing(PublishTiming(edits=0, computer=0, longest_retry=HOUR))
    sim.env.inject_error("*", "/channels/*", status=status, code=0, times=None)
    await wait_for_alice(tide)
    known = await sim.service.people.get(alice.id)
    assert known is not None and known.dm_works
    refused = len(sim.env.http_requests)
    await sim.env.advance_time(HOUR - 1)
    assert len(sim.env.http_requests) == refused, "a bot that asks too often is kept out for longer"
    sim.env.backend.faults.clear()
    cursor = sim.cursor
    await sim.env.advance_time(2)
    assert calls(sim, alice, cursor) == (1, 0)
    assert await sim.matches.posts.behind() == []


# A kill before somebody is called.


async def out_of_order(*args: Any, **how: Any) -> None:
    """In the place of a sender."""
    raise DiscordFailure(Failure.LATER)


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
        patch.setattr(cogs.transport.pings, "send_ping", out_of_order)
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
        patch.setattr(cogs.transport.lobby_pings, "send_ping", out_of_order)
        await sim.forge(bob, "1/1/again//")
        assert calls(sim, alice, cursor) == (0, 0)
        await sim.bot.close()
    await sim.restart()
    assert calls(sim, alice, cursor) == (0, 1)
    assert await sim.matches.posts.behind() == []


# A full disk, and a bot that ends.


class Disk:
    """The disk of the database, which may be full."""

    def __init__(self, sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
        database = sim.database
        assert database is not None
        self.full, self.refused, self.write = False, 0, database.write
        monkeypatch.setattr(database, "write", self._write)

    async def _write(self, *work: Any, **how: Any) -> Any:
        if self.full:
            self.refused += 1
            raise NotStored
        return await self.write(*work, **how)


async def test_on_a_full_disk_a_move_is_refused_and_one_may_still_look(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    match, state = await tide.now()
    player, disk = sim.by_id(match.chairs[min(state.to_move())].user), Disk(sim, monkeypatch)
    hourly(sim)
    disk.full = True
    result = await tide.decide(player)
    assert "nothing happened" in sim.said(result)
    assert "✓" not in sim.said(result)
    assert (await tide.now())[0].version == match.version
    assert "Your hand:" in await sim.slash(player, "hand")
    assert "is dealt" in await sim.slash(player, "log")
    assert "nothing happened" in await sim.slash(player, "play", game="sea_change")
    disk.full = False
    assert "✓ Done" in sim.said(await tide.decide(player))


async def test_while_nothing_can_be_stored_no_players_time_runs(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    """Each move is refused: what comes due meanwhile is no player's fault, also once there is room again."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    await until(sim, clock.ends - HOUR)
    disk, cursor = Disk(sim, monkeypatch), sim.cursor
    disk.full = True
    await sim.env.advance_time(3 * HOUR)
    disk.full = False
    await sim.env.advance_time(2 * MINUTE)
    later = await clock_at(table, person)
    assert later.stage == 0
    assert later.ends >= clock.ends + 3 * HOUR - 2 * MINUTE
    assert sim.pings(cursor) == []


async def test_what_cannot_be_noted_down_is_not_sent_again_and_again(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    disk = Disk(sim, monkeypatch)
    board = sim.board()
    sim.env.backend.delete_message(board.channel.id, board.id)
    sent = cogs.transport.table_message.send_public

    async def send(*args: Any, **how: Any) -> Any:
        disk.full = True
        return await sent(*args, **how)

    monkeypatch.setattr(cogs.transport.table_message, "send_public", send)
    hourly(sim)
    await move(tide)
    posted, refused = [shown for shown in sim.public() if shown.method == "POST"], disk.refused
    await sim.env.advance_time(3 * HOUR)
    assert disk.refused > refused, "it is tried again"
    assert [shown for shown in sim.public() if shown.method == "POST"] == posted
    monkeypatch.setattr(cogs.transport.table_message, "send_public", sent)
    disk.full = False
    await sim.env.advance_time(HOUR)
    version = (await tide.now())[0].version
    assert all(post.shown == version for post in (await sim.matches.posts.of(1)))


async def test_a_press_under_way_is_answered_before_the_bot_ends(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, state = await tide.now()
    player, save, saving = (
        sim.by_id(match.chairs[min(state.to_move())].user),
        sim.matches.save,
        asyncio.Event(),
    )

    async def slowly(*args: Any) -> Any:
        saving.set()
        await asyncio.sleep(0.1)
        return await save(*args)

    monkeypatch.setattr(sim.matches, "save", slowly)
    hand = sim.hand(player)
    pressed = sim.raw_press(player, offers(hand)[0].custom_id, message=hand.id, channel=hand.channel.id)
    await saving.wait()
    await sim.bot.close()
    assert "✓ Done" in sim.said(pressed)


async def test_sealing_again_holds_up_nothing_that_others_see(sim: Simulation, siege: Table) -> None:
    """A worker pauses after an edit of the table; a pause after nothing would delay the next one, and tell."""
    alice, bob, _ = siege.people
    await siege.press(alice, sim.hand(alice), next(o for o in offers(sim.hand(alice)) if o.label.startswith("3")))
    sim.set_timing(PublishTiming(edits=3600, computer=0))
    await siege.press(alice, sim.hand(alice), next(o for o in offers(sim.hand(alice)) if o.label.startswith("2")))
    board = sim.board().id
    await siege.press(bob, sim.hand(bob), next(o for o in offers(sim.hand(bob)) if o.label.startswith("1")))
    assert sim.board().id == board
    awaited = "\n".join(words(raw(sim.board()))).rsplit("To move:", 1)[1]
    assert "bob" not in awaited, "the table shows that bob has sealed"
    sim.set_timing(PublishTiming(edits=0, computer=0))
