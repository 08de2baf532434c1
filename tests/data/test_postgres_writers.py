"""What PostgreSQL alone does: transactions beside other writers, also after a restoration."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from data.records.deadlines import SeatClock
from data.records.key_values import KeyValues
from data.records.match import Conflict
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.store import database, postgres, postgres_schema, schema
from data.store.database import Busy, Connection, Database, DatabaseRefusal, Unreachable
from data.store.postgres_refusals import NO_SERVER
from tests.data.postgres import content, run
from tests.data.test_matches import after, playing
from tests.data.users import ANN, BEN
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.next_version import add_migration

# --- transactions and other writers


async def two(url: str) -> tuple[Database, Database]:
    ours, theirs = await Database.open(url), await Database.open(url)
    await People(ours).meet(ANN, "Ann")
    await People(ours).meet(BEN, "Ben")
    return ours, theirs


async def test_a_read_sees_one_state_whatever_others_write_meanwhile(url: str) -> None:
    ours, theirs = await two(url)
    begun, go_on = threading.Event(), threading.Event()

    def read(c: Connection) -> list[Any]:
        found = [c.execute("SELECT count(*) FROM setting").fetchone()[0]]
        begun.set()
        assert go_on.wait(HUNG)
        return [*found, c.execute("SELECT count(*) FROM setting").fetchone()[0]]

    reading = asyncio.create_task(ours.read(read))
    await asyncio.to_thread(begun.wait, HUNG)
    await KeyValues(theirs).put("new", "")
    go_on.set()
    assert len(set(await reading)) == 1
    await ours.close()
    await theirs.close()


async def test_counting_in_two_processes_loses_nothing(url: str) -> None:
    def add(c: Connection) -> None:
        row = c.execute("SELECT value FROM setting WHERE name = 'count'").fetchone()
        c.execute(schema.PUT_SETTING, ("count", str(int(row[0]) + 1 if row else 1)))

    ours, theirs = await two(url)
    await asyncio.gather(*(base.write(add) for _ in range(30) for base in (ours, theirs)))
    assert await KeyValues(ours).get("count") == "60"
    await ours.close()
    await theirs.close()


async def test_a_process_sees_what_another_has_written(url: str) -> None:
    ours, theirs = await two(url)
    here, there = Matches(ours), Matches(theirs)
    match = await playing(here)
    assert await there.get(match.id) == match
    moved = await there.save(*after(match, 0))
    assert await here.get(match.id) == moved
    post = (await there.posts.of(match.id)).table
    assert (await here.posts.of(match.id)).table == post
    await there.save(moved, votes={ANN: "end"})
    assert await here.votes(match.id) == {ANN: "end"}
    await People(theirs).change(ANN, wants_text=True)
    person = await People(ours).get(ANN)
    assert person is not None and person.wants_text
    await ours.close()
    await theirs.close()


async def test_clocks_that_one_process_stops_are_stopped_for_the_others(url: str) -> None:
    ours, theirs = await two(url)
    here, there = Matches(ours), Matches(theirs)
    match = await playing(here, clocks=(SeatClock(0, "1", 1000, 60, ends=1060, due=1060), SeatClock(1)))
    assert await there.get(match.id) == match
    await here.stop_clocks(match.id)
    stopped = await there.get(match.id)
    assert stopped is not None and [(clock.due, clock.ends, clock.left) for clock in stopped.clocks] == [
        (None, None, 60),
        (None, None, 0),
    ]
    assert stopped == await here.get(match.id)
    await here.stop_clocks(match.id)
    assert await there.get(match.id) == stopped, "there was nothing left to stop"
    with pytest.raises(Conflict):
        await there.save(*after(match, 0))
    await ours.close()
    await theirs.close()


async def test_of_two_moves_at_once_one_counts(url: str) -> None:
    ours, theirs = await two(url)
    here, there = Matches(ours), Matches(theirs)
    match = await playing(here)
    await there.get(match.id)
    results = await asyncio.gather(
        here.save(*after(match, 0, text="B1")), there.save(*after(match, 0, text="B2")), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "Match"]
    assert len(await here.moves(match.id)) == 1
    assert await here.get(match.id) in results
    assert await here.get(match.id) == await there.get(match.id)
    await ours.close()
    await theirs.close()


async def test_a_deletion_while_another_process_plays_leaves_no_trace(url: str) -> None:
    ours, theirs = await two(url)
    here, there = Matches(ours), Matches(theirs)
    privacy = Privacy(ours, [here.forget], ours.erasures(None))
    for _ in range(5):
        await People(ours).meet(ANN, "Ann")
        match = await playing(here)
        assert await there.get(match.id) == match
        results = await asyncio.gather(there.save(*after(match, 0)), privacy.erase(ANN, 2000), return_exceptions=True)
        assert all(not isinstance(result, Exception) or isinstance(result, Conflict) for result in results), results
        assert not await privacy.is_stored(ANN)
        found = await there.get(match.id)
        assert found is not None and all(chair.user != ANN for chair in found.chairs)
        assert found == await here.get(match.id)
    await ours.close()
    await theirs.close()


async def test_each_transaction_may_come_to_another_process_of_the_server(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As PgBouncer does it in its transaction mode: nothing of a session may be needed by the next transaction."""

    def elsewhere(real: Any, connection: psycopg.Connection[Any], *rest: Any) -> Any:
        connection.close()
        with postgres.connect(url) as other:
            return real(other, *rest)

    for name in ("read", "write"):
        monkeypatch.setattr(postgres, name, partial(elsewhere, getattr(postgres, name)))
    base = await Database.open(url, owner="1001")
    await People(base).meet(ANN, "Ann")
    await People(base).meet(BEN, "Ben")
    matches = Matches(base)
    moved = await matches.save(*after(await playing(matches), 0))
    assert await matches.get(moved.id) == moved
    assert await Privacy(base, [matches.forget], base.erasures(None)).erase(ANN, 2000) == [moved.id]
    await base.close()


async def test_a_process_that_stops_in_a_transaction_does_not_hold_up_the_others_for_long(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = await two(url)
    match = await playing(Matches(ours))
    real, begun = postgres.write, list[tuple[bytes, ...]]()

    def noted(connection: psycopg.Connection[Any], begin: tuple[bytes, ...], work: Any) -> Any:
        begun.append(begin)
        return real(connection, begin, work)

    monkeypatch.setattr(postgres, "write", noted)
    with psycopg.connect(url) as stopped:
        stopped.execute("SELECT 1 FROM match WHERE id = %s FOR UPDATE", (match.id,))
        with pytest.raises(Conflict):
            await Matches(theirs).save(*after(match, 0))
        assert sum(b"SET LOCAL lock_timeout = '1s'" in begin for begin in begun) == postgres.WAITS == 3
        assert theirs.writes
    await Matches(theirs).save(*after(match, 0))
    await ours.close()
    await theirs.close()


async def test_what_gets_in_the_way_again_and_again_is_given_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "PAUSE", 0.0)
    base, tries = await Database.open(url), list[int]()

    def work(c: Connection) -> None:
        tries.append(1)
        c.execute("INSERT INTO setting VALUES ('half', '')")
        raise psycopg.errors.SerializationFailure("could not serialize access")

    with pytest.raises(Busy):
        await base.write(work)
    assert len(tries) == postgres.TRIES
    assert await KeyValues(base).get("half") is None
    await base.close()


async def test_the_list_of_deletions_is_kept_in_the_database(url: str) -> None:
    base = await Database.open(url)

    def log() -> Any:
        return base.erasures(None)

    await asyncio.to_thread(log().note, ANN, 1000)
    await asyncio.to_thread(log().note, BEN, 2000)
    assert await asyncio.to_thread(log().since, [ANN, BEN], 1500) == [BEN]
    last = await asyncio.to_thread(log().last)
    assert await asyncio.to_thread(log().after, [ANN, BEN], last) == []
    await base.close()
    with pytest.raises(RuntimeError):  # closed
        await asyncio.to_thread(log().last)


# --- other programs, such as pg_dump, psql, VACUUM FULL


async def test_a_table_that_another_program_locks_is_told_once_and_read_again_later(
    url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres, "_BEGIN_READ", (postgres._BEGIN_READ[0], b"SET LOCAL lock_timeout = '50ms'"))
    base = await Database.open(url)
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE match")
        for _ in range(2):
            with pytest.raises(Unreachable) as caught:
                await Matches(base).get(1)
            assert caught.value.kind == "LockNotAvailable" and not base.writes
            await base.check_storage()  # another table
            assert base.writes
        assert base.failed == 2
        said = [record.getMessage() for record in caplog.records if record.name == "data.store.database"]
        assert len(said) == 2 and "end it" in said[0] and "works again" in said[1]
        monkeypatch.setattr(database, "QUIET", 0.0)
        with pytest.raises(Unreachable):
            await Matches(base).get(1)
        assert "end it" in caplog.records[-1].getMessage()
    assert await Matches(base).get(1) is None
    await base.close()


async def test_a_start_does_not_hold_up_play_behind_another_program(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a table waits for who reads it, and all that comes later waits for the change."""
    monkeypatch.setattr(postgres_schema, "WAIT", "SET LOCAL lock_timeout = '50ms'")
    older = await Database.open(empty)
    monkeypatch.setattr(schema, "MIGRATIONS", add_migration(tmp_path, "ALTER TABLE match ADD COLUMN colour bigint;"))
    before = content(empty)
    with psycopg.connect(empty) as dump:
        dump.execute("SELECT count(*) FROM match")
        with pytest.raises(DatabaseRefusal, match="Another program uses tables") as caught:
            await Database.open(empty)
        assert caught.value.code == NO_SERVER, "a service starts it again"
        assert await Matches(older).get(1) is None and content(empty) == before
    await older.close()
    await (await Database.open(empty)).close()


async def test_while_deleted_rows_leave_the_database_all_other_work_goes_on(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = await Database.open(url)
    with psycopg.connect(url) as other, monkeypatch.context() as patch:
        other.execute("SELECT pg_advisory_lock(1)")
        patch.setattr(postgres, "_VACUUM", "SELECT pg_advisory_lock(1)")
        cleaning = asyncio.create_task(base.clean())
        waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        assert await until(lambda: run(url, waiting))
        await KeyValues(base).put("name", "1")
        assert await KeyValues(base).get("name") == "1" and not cleaning.done()
        other.execute("SELECT pg_advisory_unlock(1)")
        assert await cleaning
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE match IN SHARE UPDATE EXCLUSIVE MODE")  # as CREATE INDEX CONCURRENTLY does
        assert not await base.clean()
    with psycopg.connect(url) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT 1")  # as pg_dump or a forgotten psql, which still sees the deleted rows
        assert not await base.clean()
    assert await base.clean()
    await base.close()
