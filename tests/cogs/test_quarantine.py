"""A damaged match is held, its table says so once, `/doctor` names it, the others play on; one connection writes."""

from __future__ import annotations

import asyncio
import itertools
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cogs.match.quarantine
from cogs.match.positions import is_stored
from cogs.match.quarantine import Quarantine
from cogs.match.refusals import Refused
from cogs.transport.publisher import PublishTiming
from data.records.match import LoggedMove, Status
from data.store.backups import Backups, restore
from data.store.database import NotStored
from rules import GAMES
from tests.cogs.clocked import until
from tests.cogs.managing import manager
from tests.cogs.test_digests import digests, due, tables
from tests.cogs.test_restored import other_table
from tests.support.hung import HUNG
from tests.support.matches import seated
from tests.support.simulation import (
    ErrorLog,
    Simulation,
    background,
    controls,
    finish,
    offers,
    raw,
    seed_secrets,
    simulate,
)
from tests.support.table import Table

SELDOM = PublishTiming(edits=0, computer=0, retry=3600, longest_retry=3600)
"""What Discord refuses is tried again in an hour."""


@pytest.fixture
async def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: None) -> AsyncIterator[Simulation]:
    """A simulation in which faults may be logged: that is what is looked at here."""
    seed_secrets(monkeypatch, "broken")
    simulation = await simulate(tmp_path)
    yield simulation
    await finish(simulation)
    assert not simulation.env.errors
    simulation.check()


async def start_again(sim: Simulation, *sql: str) -> None:
    """Stop the bot, change its file, start it."""
    await sim.env.settle()
    await sim.bot.close()
    with closing(sqlite3.connect(sim.settings.database)) as connection:
        for statement in sql:
            assert connection.execute(statement).rowcount
        connection.commit()
    await sim.start_bot()
    await sim.env.settle()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE move SET text = 'play B1' WHERE match = 2 AND number = 0",
        "UPDATE match SET state = substr(state, 9) WHERE id = 2",
        "UPDATE match SET state = replace(state, '1', '2') WHERE id = 2",
    ],
    ids=["its log", "its row", "its position"],
)
async def test_a_damaged_match_is_held_and_the_others_play_on(sql: str, broken: Simulation) -> None:
    sim, faults = broken, ErrorLog()
    other = await other_table(sim)
    damaged = await Table.begin(sim, "sea_change", list(sim.people.values()), seed="damaged")
    await damaged.play(lambda match, state: match.moves >= 3)
    board = sim.board().id
    hand, alice = sim.hand(sim.people["alice"]), sim.people["alice"]
    old = offers(hand) or offers(sim.hand(sim.people["bob"]))

    logging.getLogger().addHandler(faults)
    await start_again(sim, sql)
    logging.getLogger().removeHandler(faults)
    (line,) = faults.lines
    code = line.partition("code ")[2][:8]
    assert line.startswith("match 2 is held")
    said = next(message for message in sim.channel.history() if message.id == board)
    assert code in str(said.components[0].to_dict())
    assert (await sim.match(2)).open

    pressed = await sim.forge(alice, old[0].custom_id, message=board)
    assert code in pressed
    assert code in await sim.slash(alice, "hand", table=2)
    assert code in await sim.slash(alice, "games")
    assert f"2 (`{code}`)" in await sim.slash(manager(sim), "doctor")
    await sim.play_on(other, 1)
    assert (await sim.match(other)).moves == 1

    cursor = sim.cursor
    await start_again(sim)
    assert not [shown for shown in sim.public(cursor) if code in shown.text], "it is said once"
    assert sim.service.quarantine.among([1, 2])[2].code == code


async def test_a_held_match_that_could_not_be_shown_for_long_is_shown_once(
    broken: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No clock of it runs, so none is given its time back."""
    sim, faults = broken, ErrorLog()
    await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="held")
    await start_again(sim, "UPDATE match SET state = substr(state, 9) WHERE id = 1")
    logging.getLogger().addHandler(faults)
    monkeypatch.setattr("cogs.transport.publisher.STUCK", 0)
    publisher = sim.bot.app.publisher
    publisher.timing = PublishTiming(edits=0, computer=0, retry=0.05, longest_retry=0.05)
    sim.env.inject_error("PATCH", f"/channels/{sim.channel.id}/messages/*", status=503)
    publisher.bring_back(1)
    await asyncio.wait_for(asyncio.shield(publisher.workers[1].task), HUNG)
    logging.getLogger().removeHandler(faults)
    assert not faults.lines


async def test_a_held_match_stops_no_players_digest(broken: Simulation) -> None:
    sim = broken
    await tables(sim, "none", "none", hours=1)
    await start_again(sim, "UPDATE match SET state = substr(state, 9) WHERE id = 2")
    cursor, alice = sim.cursor, sim.people["alice"]
    await until(sim, await due(sim, alice) + 1)
    (said,) = digests(sim, alice, cursor)
    assert "Tables waiting for you:** 1" in said
    assert "table 1]" in said and "table 2]" not in said


async def test_a_match_whose_game_is_gone_is_named_and_its_people_can_leave(broken: Simulation) -> None:
    """As after going back to a program that lacks the newest game."""
    sim = broken
    other = await other_table(sim)
    (alice, bob) = people = list(sim.people.values())
    await Table.begin(sim, "sea_change", people, seed="gone")
    await start_again(sim, "UPDATE match SET game = 'sixth_game' WHERE id = 2")
    name = "sixth_game · table 2"

    said = await sim.slash(alice, "games")
    assert f"[{name}](" in said and "different version of the rules" in said and f"· table {other}](" in said
    offered = await alice.autocomplete(sim.channel, "hand", "table", "")
    assert [choice["name"] for choice in offered] == [name, f"Sea Change · table {other}"]
    assert f"table {other}]" in await sim.slash(alice, "hand"), "the table that can be played on"
    for command, more in (("board", {}), ("log", {}), ("move", {"move": "B9"})):
        cursor = sim.cursor
        assert "Which table?" in await sim.slash(alice, command, **more)
        assert name in sim.shown(cursor)[-1].all_text
    assert "different version of the rules" in await sim.forge(alice, "1/2/hand//")
    assert "different version of the rules" in await sim.slash(alice, "board", table=2)
    assert "different version of the rules" in await sim.slash(alice, "log", table=2)
    assert name in await sim.forge(alice, "1/0/data//ask")
    hand = sim.hand(alice)
    sim.env.inject_error("PATCH", f"/channels/{hand.channel.id}/messages/*", status=503, times=None)
    sim.bot.app.publisher.timing = SELDOM
    assert "Done: nothing about you is stored" in await sim.forge(alice, "1/0/data//delete")
    assert any(controls(raw(message)) for message in sim.dms(alice))
    sim.env.backend.faults.clear()
    await sim.env.advance_time(3601)
    await sim.env.settle()
    assert not any(controls(raw(message)) for message in sim.dms(alice))
    assert sim.bot.app.publisher.behind() == (0, 0.0)
    assert alice.id not in {chair.user for number in (1, 2) for chair in (await sim.match(number)).chairs}
    assert bob.id in {chair.user for chair in (await sim.match(2)).chairs}


async def test_a_manager_moves_other_tables_while_one_is_held(broken: Simulation) -> None:
    sim = broken
    other = await other_table(sim)
    await Table.begin(sim, "sea_change", list(sim.people.values()), seed="damaged")
    await start_again(sim, "UPDATE match SET state = substr(state, 9) WHERE id = 2")
    mona, parlour = manager(sim), sim.guild.create_text_channel("parlour")
    offered = await mona.autocomplete(parlour, "relocate", "table", "")
    assert [choice["value"] for choice in offered] == [other, 2]
    assert "damaged" in await sim.slash(mona, "relocate", parlour, table=2)
    assert "is here from now on" in await sim.slash(mona, "relocate", parlour, table=other)


async def test_a_held_match_whose_thread_is_gone_is_given_up(broken: Simulation) -> None:
    """Nothing of it may be changed, so it moves nowhere else."""
    sim = broken
    table = await Table.begin(
        sim, "sea_change", sim.join_server("alice", "bob"), seed="thread", options={"place": "thread"}
    )
    before = await sim.match()
    sim.env.backend.delete_channel(table.channel.id)
    await start_again(sim, "UPDATE match SET state = substr(state, 9) WHERE id = 1")
    assert sim.service.quarantine.holds(1)
    assert sim.bot.app.publisher.behind() == (0, 0.0)
    assert (await sim.match()).version == before.version


async def test_one_connection_writes_the_whole_evening(
    broken: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite before 3.51.3 can corrupt a database that two connections write and checkpoint."""
    sim, opened, connect = broken, [], sqlite3.connect
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="evening")
    database = Path(sim.settings.database)

    def counted(path: Any, *how: Any, **more: Any) -> sqlite3.Connection:
        writes = not str(path).endswith(("?mode=ro", "?immutable=1"))
        if writes and Path(str(path).partition("?")[0].removeprefix("file://")) == database:
            opened.append(path)
        return connect(path, *how, **more)

    monkeypatch.setattr(sqlite3, "connect", counted)
    await table.play(lambda match, state: match.moves >= 4)
    first = await background(sim, Backups)[0].make()
    await sim.slash(sim.people["alice"], "doctor")
    assert opened == [], "it was opened at the start, and only then"
    await sim.restart()
    assert len(opened) == 1
    await sim.env.settle()
    await sim.bot.close()
    opened.clear()
    restore(database, first, sim.env.now())
    assert opened == []
    await sim.start_bot()
    await sim.env.settle()
    assert len(opened) == 1
    await table.play(lambda match, state: match.moves >= 6)


# --- what is verified, without Discord


@pytest.mark.parametrize("slug", GAMES)
def test_a_stored_position_that_lacks_an_entry_is_damaged(slug: str) -> None:
    game = GAMES[slug]
    position = game.new(game.seats[0], {}, "whole")
    stored = position.to_json()
    assert is_stored(game, position, stored)
    assert game.added <= set(stored)
    for key in stored:
        part = {name: value for name, value in stored.items() if name != key}
        assert is_stored(game, position, part) == (key in game.added), key
    assert not is_stored(game, position, {**stored, "more": 1})
    assert not is_stored(game, position, None)


class Stored:
    """The repository of matches 1 and 2: their logs are whole, and cannot be replayed."""

    def __init__(self) -> None:
        self.read: list[int] = []
        self.index = self

    async def still_open(self) -> list[tuple[int, int]]:
        return [(2, 70), (1, 71)]

    async def whole(self, number: int) -> Any:
        self.read.append(number)
        if number not in (1, 2):
            return None
        match = seated(101, 102, id=number, rules=GAMES["sea_change"].version)
        return match, [LoggedMove(0, 0, "t", "no move at all")], True

    async def stop_clocks(self, number: int) -> None:
        raise NotStored


async def test_a_log_that_cannot_be_replayed_is_held_though_its_clocks_cannot_be_stopped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[int] = []
    matches: Any = Stored()
    quarantine = Quarantine(matches, GAMES, told.append)
    fault = await quarantine.fault(seated(101, 102))
    assert fault is not None and fault.reason == "damaged"
    assert "its log cannot be replayed" in caplog.text
    assert "the clocks of match 1 cannot be stopped" in caplog.text
    with pytest.raises(Refused):
        await quarantine.check(seated(101, 102))
    assert quarantine.among([1, 2]) == {1: fault}
    assert await quarantine.fault(seated(101, 102, id=3)) is None, "it was deleted meanwhile"
    assert (told, matches.read) == ([1], [1, 3])


async def test_a_sweep_rests_longer_than_it_works_and_verifies_each_match_of_its_servers_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int] = []
    rests: list[float] = []
    seconds = itertools.count(step=3.0)

    ours = SimpleNamespace(perf_counter=lambda: next(seconds), sleep=rests.append)
    monkeypatch.setattr(cogs.match.quarantine, "time", ours)
    matches: Any = Stored()
    quarantine = Quarantine(matches, GAMES, told.append)
    await quarantine.sweep(lambda guild: guild == 71)
    assert (told, matches.read, rests) == ([1], [1], [9.0]), "the server of match 2 is another process's"
    for _ in range(2):
        await quarantine.sweep()
    assert (told, matches.read, rests) == ([1, 2], [1, 2], [9.0, 9.0])
    await quarantine.fault(seated(101, 102, id=2))
    assert matches.read == [1, 2]
    quarantine.sound.add(5)
    assert await quarantine.fault(seated(101, 102, id=5)) is None
    assert await quarantine.fault(seated(101, 102, id=2, status=Status.OVER)) is None, "nothing in it changes any more"
    assert await quarantine.fault(seated(101, 102, id=5, status=Status.OVER)) is None
    assert quarantine.sound == set(), "what has ended is not remembered"
