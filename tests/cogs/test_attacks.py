"""Bad days: presses at the worst moment, a Discord that answers wrongly, a disk that is full. The match goes on."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from dataclasses import replace
from typing import Any

import pytest

import cogs._host
from cogs._publisher import Pace, Publisher
from data.matches import Match
from rules.core.game import AnyState
from tests.support.simulation import Simulation
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def publisher(sim: Simulation) -> Publisher:
    assert sim.bot.house is not None
    return sim.bot.house.publisher


async def move(table: Table) -> None:
    match, state = await table.now()
    await table.decide(table.sim.by_id(match.chairs[min(state.to_move())].user))


@pytest.fixture
def no_errors(sim: Simulation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """These faults are meant: what is logged of them is no failure, and the next try comes soon."""
    monkeypatch.setattr(publisher(sim), "_pace", Pace(edits=0, computer=0, retry=0.05))
    for name in ("cogs._publisher", "cogs._house"):
        caplog.set_level(logging.CRITICAL, logger=name)


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
    publisher = Publisher(nothing, nothing, nothing, nothing, Pace(edits=0))
    shown = 0

    async def show(number: int) -> None:
        nonlocal shown
        shown += 1

    monkeypatch.setattr(publisher, "_show", show)
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
    """In the place of a coroutine function: fails at first, then does its work."""

    def __init__(self, work: Any, error: Exception, times: int = 1) -> None:
        self.work, self.error, self.times = work, error, times

    async def __call__(self, *args: Any, **how: Any) -> Any:
        if self.times:
            self.times -= 1
            raise self.error
        return await self.work(*args, **how)


FULL = sqlite3.OperationalError("database or disk is full")


async def test_what_a_fault_kept_from_being_shown_is_shown_later(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    desk = sim.bot.house.desk
    monkeypatch.setattr(desk, "table", FaultOnce(desk.table, FULL))
    await move(tide)
    version = (await tide.now())[0].version
    assert all(post.shown == version for post in (await sim.host.matches.posts(1)).values())


async def test_a_computer_that_could_not_move_moves_later(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch, no_errors: None
) -> None:
    table = await Table.open(sim, "sea_change", sim.join_server("alice"), computers=1, seed="computer")
    monkeypatch.setattr(sim.host, "play_automatic", FaultOnce(sim.host.play_automatic, FULL))
    await table.start()
    for _ in range(4):
        match, state = await table.now()
        if match.seat_of(sim.people["alice"].id) in state.to_move():
            await move(table)
        await sim.env.advance_time(10)
    match, state = await table.now()
    assert match.moves >= 4


async def test_a_forced_move_is_made_after_a_restart_too(sim: Simulation, tide: Table) -> None:
    """The bot ended in the moment between the turn and the move that was to be made for the player."""
    alice, match = tide.people[0], await forced(tide)
    await sim.host.people.save(replace(await sim.host.people.get(alice.id), plays_forced=True))
    assert (await tide.now())[0].moves == match.moves
    await sim.restart()
    assert (await tide.now())[0].moves > match.moves


async def test_switching_forced_moves_on_makes_the_one_that_is_waited_for(sim: Simulation, tide: Table) -> None:
    alice, match = tide.people[0], await forced(tide)
    await sim.forge(alice, "1/0/setting//forced")
    assert (await tide.now())[0].moves > match.moves


async def test_a_match_out_of_memory_goes_on(sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With many tables, this one's position may be dropped at any moment: it is read again."""
    monkeypatch.setattr(cogs._host, "KEPT_STORIES", 0)
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
    assert (await sim.host.people.get(bob.id)).dm_works
    version = (await siege.now())[0].version
    assert all(post.shown == version for post in (await sim.host.matches.posts(1)).values())
    assert len(sim.dms(bob)) == hands


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
