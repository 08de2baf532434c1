"""The settings of servers as they are kept, what they mean, and matches found by their server."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace

import psycopg
import pytest

from data.records.match import Status
from data.records.matches import Matches
from data.records.post import Sending
from data.records.servers import Server, Servers, Threads
from data.store.database import Database
from data.store.engine import Connection
from tests.data.test_matches import lobby

FOREST, DESERT = 1, 2


async def test_a_server_of_which_nothing_is_known_allows_everything(base: Database) -> None:
    server = await Servers(base).get(FOREST)
    assert server == Server(FOREST)
    assert server.allows_channel(5) and server.allows_game("sea_change")
    assert [server.own_thread(wished) for wished in (True, False)] == [True, False]


async def test_settings_come_back_as_they_were_stored(base: Database) -> None:
    servers = Servers(base)
    await servers.change(FOREST, channels=[7, 8], games=["full_sun"])
    await servers.change(FOREST, threads=Threads.ALWAYS, most_open=5, most_each=2, role=9)
    expected = Server(FOREST, (7, 8), ("full_sun",), Threads.ALWAYS, 5, 2, 9)
    assert await servers.get(FOREST) == await Servers(base).get(FOREST) == expected
    assert await servers.get(DESERT) == Server(DESERT)
    cleared = await servers.change(FOREST, channels=[], role=None, most_open=None)
    assert cleared == replace(expected, channels=(), role=None, most_open=None)
    assert await Servers(base).get(FOREST) == cleared


async def test_what_the_database_refuses_is_not_remembered(base: Database) -> None:
    servers = Servers(base)
    await servers.get(FOREST)
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
        await servers.change(FOREST, threads="sometimes")
    assert await servers.get(FOREST) == Server(FOREST)
    with pytest.raises(KeyError):
        await servers.change(FOREST, **{"guild = 2 --": 1})


async def test_a_ping_that_is_noted_while_a_server_is_read_is_not_forgotten(
    base: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers, write = Servers(base), base.write
    await servers.change(FOREST, ping_role=9)
    ping = Sending(7, 500)

    async def meanwhile(work: Callable[[Connection], bool]) -> bool:
        await servers.get(FOREST)
        return await write(work)

    monkeypatch.setattr(base, "write", meanwhile)
    assert await servers.note_role_ping(FOREST, None, ping)
    assert (await servers.get(FOREST)).role_ping == ping
    assert not await servers.note_role_ping(FOREST, None, Sending(7, 600))
    assert (await servers.get(FOREST)).role_ping == ping


def test_a_thread_counts_as_the_channel_that_it_hangs_in() -> None:
    server = Server(FOREST, channels=(7,))
    assert server.allows_channel(7) and server.allows_channel(99, 7)
    assert not server.allows_channel(99) and not server.allows_channel(99, None)


@pytest.mark.parametrize(("threads", "given"), [(Threads.NEVER, False), (Threads.ALWAYS, True)])
def test_threads_may_be_settled_for_all_tables(threads: Threads, given: bool) -> None:
    assert {Server(FOREST, threads=threads).own_thread(wished) for wished in (True, False)} == {given}


async def test_open_matches_are_found_by_server(base: Database) -> None:
    matches = Matches(base)
    first = await matches.open(lobby(guild=FOREST))
    second = await matches.open(lobby(guild=FOREST))
    third = await matches.open(lobby(guild=DESERT))
    assert await matches.index.open_in(FOREST) == [first.id, second.id]
    assert await matches.index.servers() == [FOREST, DESERT]
    await matches.save(replace(third, status=Status.CANCELLED))
    assert await matches.index.open_in(DESERT) == []
    assert await matches.index.servers() == [FOREST]


async def test_a_pause_is_kept_and_tells_how_a_match_ended(base: Database) -> None:
    opened = await Matches(base).open(lobby())
    paused = await Matches(base).save(replace(opened, paused_at=500))
    found = await Matches(base).get(opened.id)
    assert found == paused and found is not None
    assert found.paused and not found.running
    assert [m.id for m in await Matches(base).index.paused()] == [opened.id]
    ended = replace(found, status=Status.STOPPED)
    assert (ended.paused, ended.ending) == (False, "away")
    assert replace(ended, paused_at=None).ending == "stopped"
    matches = Matches(base)
    ended = await matches.save(ended)
    assert [m.id for m in await matches.index.paused()] == [opened.id], "the table does not say so yet"
    await matches.posts.note(*(replace(post, shown=ended.version) for post in (await matches.posts.of(opened.id))))
    assert [m.id for m in await matches.index.paused()] == []


async def test_the_health_of_a_database(base: Database) -> None:
    health = await base.health()
    assert health.sound
    assert re.fullmatch(r"PostgreSQL \d+\.\d+" if base.shared else f"SQLite {sqlite3.sqlite_version}", health.engine)
    assert base.shared if health.free is None else health.free > 0
    memory = await Database.open(":memory:")
    assert (await memory.health()).free is None
    await memory.close()
