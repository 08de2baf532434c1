"""The bot on a bad day: faults in between, people who leave, a full disk, kills before somebody is called."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from dataclasses import replace
from typing import Any

import discord
import pytest

import cogs.match.positions
import cogs.messages.table
import cogs.transport.digests
import cogs.transport.hand_messages
import cogs.transport.table_message
from cogs.match.time_controls import HOUR, MINUTE
from cogs.messages.content import Content
from cogs.transport import errors
from cogs.transport.match_posts import Shown
from cogs.transport.publisher import Publisher, PublishTiming
from data.records.match import Match, Status
from data.records.people import PingPreference
from data.store.database import OUT_OF_REACH, NotStored
from rules.core.game import AnyState
from tests.cogs.clocked import awaited, clock_at, clocked, until
from tests.cogs.faults import AnswersLost, hourly, move
from tests.cogs.pings import calls, choose
from tests.cogs.test_digests import digests, due, tables, wait_for_alice, wait_for_bob
from tests.cogs.test_publisher import words_of_nothing
from tests.support.simulation import Simulation, controls, offers, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


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
    publisher = Publisher(nothing, words_of_nothing(), nothing, PublishTiming(edits=0))
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
    sim: Simulation,
    tide: Table,
    no_errors: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    status: int,
) -> None:
    """It has no code of Discord's own. What it kept from being shown is shown later, and the player asked is called.
    The operator learns once what it may be.
    """
    monkeypatch.setattr(errors, "_warned", {})
    caplog.set_level(logging.WARNING, logger=errors.__name__)
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
    assert sum(record.getMessage().endswith(errors.LOCKED_OUT) for record in caplog.records) == 1
    sim.env.backend.faults.clear()
    cursor = sim.cursor
    await sim.env.advance_time(2)
    assert calls(sim, alice, cursor) == (1, 0)
    assert await sim.matches.posts.behind() == []


# A full disk, and a bot that ends.


class Disk:
    """The disk of the database, which may be full."""

    def __init__(self, sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full, self.refused, self.write = False, 0, sim.database.write
        self.error: type[Exception] = NotStored
        monkeypatch.setattr(sim.database, "write", self._write)

    async def _write(self, *work: Any, **how: Any) -> Any:
        if self.full:
            self.refused += 1
            raise self.error
        return await self.write(*work, **how)


async def test_on_a_full_disk_a_move_is_refused_and_one_may_still_look(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
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


@pytest.mark.parametrize("error", OUT_OF_REACH)
async def test_while_nothing_can_be_stored_no_players_time_runs(
    sim: Simulation, plain: None, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """Each move is refused: what comes due meanwhile is no player's fault, also once there is room again."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    await until(sim, clock.ends - HOUR)
    disk, cursor = Disk(sim, monkeypatch), sim.cursor
    disk.full, disk.error = True, error
    await sim.env.advance_time(90 * MINUTE)
    disk.full = False
    await sim.env.advance_time(2 * MINUTE)
    later = await clock_at(table, person)
    assert later.stage == 0
    assert later.ends >= clock.ends + 88 * MINUTE
    assert sim.pings(cursor) == []


@pytest.mark.parametrize("error", OUT_OF_REACH)
async def test_what_cannot_be_noted_down_is_not_sent_again_and_again(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    disk = Disk(sim, monkeypatch)
    disk.error = error
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
    await sim.env.advance_time(HOUR + MINUTE)
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
