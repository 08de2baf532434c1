"""What PostgreSQL alone does: refusals, its tables beside those of SQLite, other writers, a server that goes away."""

from __future__ import annotations

import asyncio
import gc
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cogs.match.service import MatchService
from data.records.deadlines import SeatClock
from data.records.key_values import KeyValues
from data.records.match import Conflict
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.store import postgres, postgres_schema, schema
from data.store.database import Busy, Connection, Database, DatabaseRefusal, NotStored, examine_url
from data.store.engine import CommitUnknown, Unreachable
from data.store.lock import FAULT, NO_ROOM, NOT_OURS, RIGHTS
from data.store.postgres_connection import translated
from data.store.postgres_refusals import BAD_URL, LOGIN, NO_SERVER, OLD_SERVER
from data.store.schema import mark_restored
from rules import GAMES
from rules.core.game import Seat
from tests.data.conftest import ANN, BEN
from tests.data.test_matches import after, lobby, playing
from tests.support.ended import played
from tests.support.faulty_line import AtCommit, line_to
from tests.support.hung import HUNG
from tests.support.inside import spoil
from tests.support.next_version import add_migration
from tests.support.postgres import Databases


@pytest.fixture
def empty(databases: Databases) -> Iterator[str]:
    with databases.empty() as found:
        yield found


async def refused(url: str, owner: str | None = None) -> DatabaseRefusal:
    """The refusal to open this database, the same as its examination, one sentence or more in one line."""
    with pytest.raises(DatabaseRefusal) as examined:
        await examine_url(url, owner)
    with pytest.raises(DatabaseRefusal) as caught:
        await Database.open(url, owner=owner)
    assert (str(caught.value), caught.value.code) == (str(examined.value), examined.value.code)
    assert "\n" not in str(caught.value)
    return caught.value


def run(url: str, *statements: str) -> list[Any]:
    """Run statements as the owner of the server. Return the rows of the last one."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def content(url: str) -> list[Any]:
    """All tables with their columns, and all that is stored in `setting`."""
    columns = (
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    )
    found = run(url, columns)
    return [*found, *(run(url, "SELECT * FROM setting ORDER BY name") if ("setting", "name") in found else ())]


# --- statements


@pytest.mark.parametrize(
    ("sql", "values", "query", "left"),
    [
        ("SELECT ?, ?", (1, "a"), "SELECT %s, %s", [1, "a"]),
        ("SELECT ?2, ?1, ?2", (1, 2), "SELECT %s, %s, %s", [2, 1, 2]),
        ("SELECT :a, :b, :a", {"a": 1, "b": 2}, "SELECT %s, %s, %s", [1, 2, 1]),
        ("SELECT :a IS NULL OR x = :a", {"a": None}, "SELECT NULL IS NULL OR x = NULL", []),
        ("SELECT user, seat.user, starter_user FROM t", (), 'SELECT "user", seat."user", starter_user FROM t', []),
        ("SELECT x LIKE 'user ?1 :a %' || '''?'", (), "SELECT x LIKE 'user ?1 :a %%' || '''?'", []),
        ('SELECT "user", 5 % 2', (), 'SELECT "user", 5 %% 2', []),
    ],
)
def test_statements_are_written_as_psycopg_takes_them(sql: str, values: Any, query: str, left: list[Any]) -> None:
    assert translated(sql, values) == (query.encode(), left)


async def test_values_come_back_as_from_sqlite(url: str) -> None:
    base = await Database.open(url)
    row = await base.read(
        lambda c: c.execute(
            "SELECT ? AS big, ? AS flag, ? AS text, ? AS bytes, ? AS nothing, ? AS real, sum(x) AS sum "
            "FROM (SELECT 1 AS x UNION ALL SELECT 2) AS numbers",
            (2**62, True, "é'\\%", b"\0\xff", None, 0.1),
        ).fetchone()
    )
    assert tuple(row) == (2**62, 1, "é'\\%", b"\0\xff", None, 0.1, 3)
    assert [type(value) for value in row] == [int, int, str, bytes, type(None), float, int]
    assert dict(row)["sum"] == row["sum"] == row[6] and len(row) == 7
    await base.close()


# --- tables


def of_sqlite() -> dict[str, Any]:
    """Of each table: its columns with type and NOT NULL, its key, its references and its indexes."""
    found: dict[str, Any] = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as c:
        schema.migrate(c, schema.steps(), len(schema.steps()))
        for (name,) in c.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
            columns = c.execute(f"PRAGMA table_info({name})").fetchall()
            unique = [index for index in c.execute(f"PRAGMA index_list({name})").fetchall() if index[3] == "u"]
            found[name] = {
                "columns": [(row[1], row[2], bool(row[3] or row[5]), row[4]) for row in columns],
                "key": [row[1] for row in sorted(columns, key=lambda row: row[5]) if row[5]],
                "references": sorted(
                    (*tuple(row)[2:5], row[6]) for row in c.execute(f"PRAGMA foreign_key_list({name})")
                ),
                "unique": sorted([row[2] for row in c.execute(f"PRAGMA index_info({index[1]})")] for index in unique),
                "indexes": sorted(
                    f"{index}: {statement.partition(' ON ')[2]}"
                    for index, statement in c.execute(
                        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL AND tbl_name = ?",
                        (name,),
                    )
                ),
            }
    return found


TYPES = {"bigint": "INTEGER", "text": "TEXT", "bytea": "BLOB", "double precision": "REAL"}
DELETING = {"a": "NO ACTION", "c": "CASCADE", "n": "SET NULL"}
CONSTRAINTS = (
    "SELECT contype, array(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS key (number, at) "
    "JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY at), confrelid::regclass::text, "
    "(SELECT attname FROM pg_attribute WHERE attrelid = confrelid AND attnum = confkey[1]), confdeltype "
    "FROM pg_constraint WHERE conrelid = %s::regclass"
)


def of_postgresql(url: str) -> dict[str, Any]:
    """The same of a PostgreSQL database. All texts must be compared byte by byte."""
    found: dict[str, Any] = {}
    with psycopg.connect(url) as c:
        for (name,) in c.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            columns = c.execute(
                "SELECT column_name, data_type, is_nullable = 'NO', column_default, collation_name "
                "FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position",
                (name,),
            ).fetchall()
            assert all(row[4] == "C" for row in columns if row[1] == "text"), name
            constraints = c.execute(CONSTRAINTS, (name,)).fetchall()
            indexes = c.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexname NOT IN "
                "(SELECT conname FROM pg_constraint)",
                (name,),
            )
            found[name] = {
                "columns": [
                    (row[0], TYPES[row[1]], row[2], row[3] and row[3].replace("::text", "")) for row in columns
                ],
                "key": next(row[1] for row in constraints if row[0] == "p"),
                "references": sorted(
                    (row[2].strip('"'), row[1][0], row[3], DELETING[row[4]]) for row in constraints if row[0] == "f"
                ),
                "unique": sorted(row[1] for row in constraints if row[0] == "u"),
                "indexes": sorted(f"{index}: {written.partition(' USING btree ')[2]}" for index, written in indexes),
            }
    return found


def plain(index: str) -> str:
    """The columns and the condition of an index without the marks that only one engine writes."""
    name, _, rest = index.partition(": ")
    columns, _, condition = rest.partition(" WHERE ")
    columns = columns.partition("(")[2] if rest[0] != "(" else columns[1:]
    condition = condition.replace("::text", "").replace("ANY (ARRAY[", "").replace("])", "")
    condition = re.sub(r"IN \(([^)]*)\)", r"= \1", condition)
    return f"{name} {columns} {condition}".translate(str.maketrans("", "", '()" '))


async def test_the_tables_of_both_engines_are_the_same(empty: str) -> None:
    await (await Database.open(empty)).close()
    ours, theirs = of_sqlite(), of_postgresql(empty)
    assert ours.keys() == theirs.keys() == set(postgres_schema.TABLES)
    for name, facts in ours.items():
        for part in ("columns", "key", "references", "unique"):
            assert theirs[name][part] == facts[part], (name, part)
        assert list(map(plain, theirs[name]["indexes"])) == list(map(plain, facts["indexes"])), name


def test_each_later_migration_has_a_file_for_each_engine() -> None:
    numbers = [step.stem for step in postgres_schema.steps(0)]
    assert numbers[0] == "0023_tables"
    assert numbers[1:] == [step.stem for step in schema.steps() if int(step.stem[:4]) > 23]


ADDS = re.compile(
    r"CREATE TABLE |CREATE INDEX |INSERT INTO |UPDATE "
    r"|ALTER TABLE \w+ ADD COLUMN (?!.*NOT NULL(?!.*DEFAULT))(?!.*(UNIQUE|REFERENCES|CHECK))"
)
"""The statements that a process of the version before does not notice."""
SECOND_STEP = re.compile(r"-- The versions from (\d+\.\d+\.\d+) on do without (\w+)\.$", re.MULTILINE)
"""The line of a migration that removes what the version before no longer uses."""


def unsafe(script: str) -> list[str]:
    """Return the statements that may disturb a process of the version before."""
    if SECOND_STEP.search(script):
        return []
    plain = re.sub(r"--.*", "", script)
    return [s for s in map(str.strip, plain.split(";")) if s and not ADDS.match(" ".join(s.split()))]


def test_a_process_of_the_version_before_notices_no_migration() -> None:
    for step in postgres_schema.steps(23):
        assert unsafe(step.read_text(encoding="utf-8")) == [], step.name


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE lease",
        "ALTER TABLE post DROP COLUMN digest",
        "ALTER TABLE post RENAME COLUMN digest TO hash",
        "ALTER TABLE post ADD COLUMN hash text NOT NULL",
        "ALTER TABLE post ADD COLUMN hash text UNIQUE",
        "ALTER TABLE post ALTER COLUMN digest TYPE bigint",
        "CREATE UNIQUE INDEX post_by_hash ON post (digest)",
        "DELETE FROM post",
    ],
)
def test_a_migration_that_the_version_before_would_notice_is_found(statement: str) -> None:
    assert unsafe(f"-- What for.\nCREATE TABLE t (x bigint);\n{statement};\n") == [statement]
    assert not unsafe(f"-- The versions from 0.2.0 on do without digest.\n{statement};\n")


# --- what it refuses


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql://u:p@ss@host/db",
        "postgresql://u:p@ss/w:rd@host/db",
        "postgresql://u:p/ss@host/db",
        "postgresql://[host/db",
        "postgresql:///db?colour=blue",
    ],
)
async def test_a_url_that_cannot_be_read(wrong: str) -> None:
    refusal = await refused(wrong)
    assert refusal.code == BAD_URL
    assert "p@ss" not in str(refusal) and "ss@" not in str(refusal)


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    for nowhere in (f"postgresql:///db?host={tmp_path}", "postgresql://u:secret@127.0.0.1:9/db"):
        refusal = await refused(nowhere)
        assert refusal.code == NO_SERVER
        assert "cannot be used now" in str(refusal) and "secret" not in str(refusal)


async def test_a_database_and_a_user_that_are_not_there(databases: Databases) -> None:
    for nothing in (databases.server.url("nothing"), databases.server.url("postgres", user="stranger")):
        refusal = await refused(nothing)
        assert refusal.code == LOGIN
        assert "does not exist" in str(refusal)


async def test_an_old_server(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_schema, "OLDEST", 99)
    refusal = await refused(empty)
    assert refusal.code == OLD_SERVER
    assert "99 or newer" in str(refusal)
    assert content(empty) == []


async def test_a_database_that_lacks_characters(databases: Databases) -> None:
    with databases.connect() as c:
        c.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        refusal = await refused(databases.server.url("latin"))
        assert refusal.code == OLD_SERVER
        assert "LATIN1" in str(refusal)
    finally:
        databases.drop("latin")


async def test_a_database_of_another_program(empty: str) -> None:
    run(empty, "CREATE TABLE recipe (cake text)")
    before = content(empty)
    refusal = await refused(empty)
    assert refusal.code == NOT_OURS
    assert "another program" in str(refusal)
    assert content(empty) == before


async def test_a_schema_from_the_future(url: str) -> None:
    run(url, "UPDATE setting SET value = '9999' WHERE name = 'schema'")
    before = content(url)
    refusal = await refused(url)
    assert refusal.code == 78
    assert "newer version" in str(refusal)
    assert content(url) == before
    run(url, f"UPDATE setting SET value = '{len(schema.steps())}' WHERE name = 'schema'")


GUEST = ("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")


async def test_a_user_who_may_not_make_tables(databases: Databases, empty: str) -> None:
    run(empty, "REVOKE CREATE ON SCHEMA public FROM PUBLIC", *GUEST)
    refusal = await refused(empty.replace("user=postgres", "user=guest"))
    assert refusal.code == RIGHTS
    assert "may not make tables" in str(refusal)
    assert content(empty) == []


async def test_a_user_who_may_not_write(url: str) -> None:
    run(url, *GUEST, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
    try:
        refusal = await refused(url.replace("user=postgres", "user=guest"))
        assert refusal.code == RIGHTS
        assert 'the table "budget"' in str(refusal)
    finally:
        run(url, "DROP OWNED BY guest")


async def test_a_user_who_may_not_change_the_tables_of_an_older_version(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Database.open(empty)).close()
    run(empty, *GUEST, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO guest")
    more = add_migration(tmp_path, "ALTER TABLE match ADD COLUMN colour bigint;")
    monkeypatch.setattr(schema, "MIGRATIONS", more)
    before = content(empty)
    try:
        with pytest.raises(DatabaseRefusal, match="lacks a right: must be owner of table match") as caught:
            await Database.open(empty.replace("user=postgres", "user=guest"))
        assert caught.value.code == RIGHTS
        assert content(empty) == before
    finally:
        run(empty, "DROP OWNED BY guest")


async def test_a_standby(url: str) -> None:
    before = content(url)
    with pytest.raises(DatabaseRefusal, match="takes no changes") as caught:
        await Database.open(f"{url}&options=-cdefault_transaction_read_only%3Don")
    assert caught.value.code == RIGHTS
    assert content(url) == before


async def test_a_full_disk_at_the_start(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    monkeypatch.setattr(postgres_schema, "prepare", full)
    with pytest.raises(DatabaseRefusal, match="is full") as caught:
        await Database.open(empty)
    assert caught.value.code == NO_ROOM
    assert content(empty) == []


async def test_a_database_of_another_bot(empty: str) -> None:
    await (await Database.open(empty, owner="1001")).close()
    before = content(empty)
    for other in ("1002", schema.LOCAL):
        refusal = await refused(empty, other)
        assert refusal.code == NOT_OURS
        assert "another token" in str(refusal)
    await (await Database.open(empty, owner="1001")).close()
    assert content(empty) == before


# --- migrations

READ_IN_TURN = ("match", "seat", "seat_change", "waiting", "former", "reminder", "proposal", "guest", "clock")
"""The tables of a match, in the order in which it is read."""


def test_a_migration_locks_tables_in_the_order_in_which_a_match_is_read() -> None:
    """Otherwise it and the processes that play on wait for each other, and one of them fails."""
    for path in sorted((schema.MIGRATIONS / "postgresql").glob("*.sql"))[1:]:
        altered = re.findall(r"^ALTER TABLE (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        tables = [table for table in altered if table in READ_IN_TURN]
        assert tables == sorted(tables, key=READ_IN_TURN.index), path.name


async def test_a_migration_runs_once_and_all_or_nothing(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Database.open(empty)).close()
    before = content(empty)
    script = "CREATE TABLE half (x bigint);\nALTER TABLE match ADD COLUMN half bigint;\n"
    with monkeypatch.context() as patch:
        bad = add_migration(tmp_path / "bad", script + "INSERT INTO nowhere VALUES (1);\n")
        patch.setattr(schema, "MIGRATIONS", bad)
        with pytest.raises(DatabaseRefusal, match="nowhere") as caught:
            await Database.open(empty)
        assert caught.value.code == FAULT
        assert content(empty) == before
    monkeypatch.setattr(schema, "MIGRATIONS", add_migration(tmp_path / "good", script))
    for _ in range(2):
        await (await Database.open(empty)).close()
    assert ("half", "x") in content(empty) and ("match", "half") in content(empty)


async def test_processes_that_start_at_once_make_the_tables_once(empty: str) -> None:
    opened = await asyncio.gather(*(Database.open(empty, owner="1001") for _ in range(4)))
    for base in opened:
        await base.close()
    assert dict(run(empty, "SELECT * FROM setting")) == {"schema": str(len(schema.steps())), "owner": "1001"}


# --- transactions and other writers


async def two(url: str) -> tuple[Database, Database]:
    """The databases of two processes."""
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


# --- a server that goes away


def ended(databases: Databases) -> None:
    """End all connections of bots, as a restart of the server does."""
    with databases.connect() as c:
        c.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sundial'")


async def test_after_lost_connections_it_goes_on(databases: Databases, url: str) -> None:
    base = await Database.open(url)
    values = KeyValues(base)
    await values.put("before", "1")
    assert await values.get("before") == "1"
    ended(databases)
    assert await values.get("before") == "1"
    ended(databases)
    await values.put("after", "2")
    assert await values.get("after") == "2"
    await base.close()


async def test_a_connection_lost_in_a_transaction_is_replaced_once(databases: Databases, url: str) -> None:
    base, tries = await Database.open(url), list[int]()

    def work(c: Connection) -> None:
        tries.append(1)
        c.execute("INSERT INTO setting VALUES ('once', '')")
        if len(tries) == 1:
            ended(databases)
        assert c.execute("UPDATE setting SET value = 'whole' WHERE name = 'once'").rowcount == 1  # waits for the answer

    await base.write(work)
    assert await KeyValues(base).get("once") == "whole"
    assert len(tries) == 2 and base.writes
    await base.close()


@pytest.mark.parametrize("moment", ["in a write", "at its commit", "after a write", "in a read", "after a read"])
async def test_a_connection_neither_usable_nor_closed_is_replaced(
    url: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each later transaction of its thread would fail, and nothing would say so."""
    base, used, execute = await Database.open(url), list[Connection](), psycopg.Connection.execute

    def break_off() -> None:
        spoil(used[0])
        raise psycopg.OperationalError("cannot exit pipeline mode while busy")

    def work(c: Connection) -> str:
        used.append(c)
        if len(used) == 1 and moment.startswith("in"):
            break_off()
        return moment

    def breaking(connection: Any, query: Any, *rest: Any, **how: Any) -> Any:
        if query == b"COMMIT" and len(used) == 1 and moment == "at its commit":
            break_off()
        return execute(connection, query, *rest, **how)

    monkeypatch.setattr(psycopg.Connection, "execute", breaking)
    attempt = partial(base.read if moment.endswith("read") else base.write, work)
    if moment == "at its commit":
        with pytest.raises(CommitUnknown):
            await attempt()
    elif moment.startswith("after"):
        await attempt()
        spoil(used[0])
    for _ in range(2 * postgres.READERS):
        assert await attempt() == moment
    assert base.writes and await base.answers()
    await base.close()


async def test_an_answer_lost_at_the_commit_is_told_as_unknown(databases: Databases, url: str) -> None:
    base, tries = await Database.open(url), list[int]()

    def work(c: Connection) -> None:
        tries.append(1)
        assert c.execute("INSERT INTO setting VALUES ('once', '')").rowcount == 1
        if len(tries) == 1:
            ended(databases)

    with pytest.raises(CommitUnknown):
        await base.write(work)
    assert not base.writes
    assert await KeyValues(base).get("once") is None
    await base.write(work)
    assert await KeyValues(base).get("once") == ""
    assert base.writes and len(tries) == 2
    await base.close()


@pytest.mark.parametrize("cut", [AtCommit.BEFORE, AtCommit.AFTER, AtCommit.LATE])
async def test_a_press_whose_commit_was_cut_off_is_recorded_once(cut: AtCommit, databases: Databases, url: str) -> None:
    """Over TCP. The bot asks by the decision's own key whether it was stored, and the player reads that it counts."""
    async with line_to(databases.server, url) as (line, through):
        base = await Database.open(through)
        tables = MatchService(Matches(base), People(base), GAMES)
        match = await played(tables, "sea_change", "cut", most=0, seats=2, stop=False)
        state = tables.state(match)
        seat = Seat(min(state.to_move()))
        press = (match.id, match.chairs[seat].player, tables.turn(match, seat), str(state.legal_moves(seat)[0]))
        line.at_commit = cut
        once = await tables.play(*press)
        assert line.at_commit is None
        assert once.again is (cut is not AtCommit.BEFORE)
        again = await tables.play(*press)
        assert again.again and again.match.moves == 1
        assert [move.text for move in await tables.log(match.id)] == [press[3]]
        await base.close()


async def test_without_a_server_nothing_is_stored_and_later_it_is(
    databases: Databases, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = await Database.open(url)
    connect = postgres.connect

    def gone(url: str) -> Any:
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(postgres, "connect", gone)
    ended(databases)
    with pytest.raises(NotStored):
        await KeyValues(base).put("name", "1")
    assert not base.writes and not await base.answers() and await base.unwritten()
    monkeypatch.setattr(postgres, "connect", connect)
    assert not await base.unwritten(), "the look tries, so that it says no longer than needed that nothing is stored"
    await KeyValues(base).put("name", "2")
    assert base.writes and await base.answers()
    await base.close()


@pytest.mark.parametrize("error", [psycopg.errors.DiskFull, psycopg.errors.InsufficientPrivilege])
async def test_what_cannot_be_stored_now_is_told_as_that(url: str, error: type[psycopg.Error]) -> None:
    base = await Database.open(url)

    def work(c: Connection) -> None:
        c.execute("INSERT INTO setting VALUES ('half', '')")
        raise error("no")

    with pytest.raises(NotStored):
        await base.write(work)
    assert await KeyValues(base).get("half") is None
    await base.close()


async def test_closing_does_not_wait_for_a_server_that_hangs(
    databases: Databases, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 0.2)
    base = await Database.open(url)
    begun = threading.Event()

    def sleep(c: Connection) -> None:
        begun.set()
        c.execute("SELECT pg_sleep(100000)").fetchone()

    slow = asyncio.create_task(base.read(sleep))
    assert await asyncio.to_thread(begun.wait, HUNG)
    await asyncio.wait_for(base.close(), HUNG)
    with pytest.raises(Unreachable):
        await slow
    ended(databases)  # it would sleep for as long as the server runs


async def test_what_fails_after_its_caller_was_cancelled_is_not_logged_as_lost(url: str) -> None:
    base, lost, loop = await Database.open(url), list[Any](), asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, facts: lost.append(facts))

    begun, cancelled = threading.Event(), threading.Event()

    def work(c: Connection) -> None:
        begun.set()
        cancelled.wait(HUNG)
        raise NotStored

    writing = asyncio.create_task(base.write(work))
    assert await asyncio.to_thread(begun.wait, HUNG)
    writing.cancel()
    assert isinstance((await asyncio.gather(writing, return_exceptions=True))[0], asyncio.CancelledError)
    cancelled.set()
    await base.engine.writer.idle()
    gc.collect()
    await asyncio.sleep(0)
    assert not lost
    await base.close()


async def test_an_error_quotes_no_row(url: str) -> None:
    base = await Database.open(url)

    def work(c: Connection) -> None:
        c.execute("INSERT INTO person (user, name, ping) VALUES (5, 'a hand', 'owl')")

    with pytest.raises(psycopg.IntegrityError) as caught:
        await base.write(work)
    assert "a hand" not in str(caught.value)
    await base.close()


# --- after a restoration


async def test_a_restored_database_is_compared_with_discord(url: str) -> None:
    base = await Database.open(url)
    await People(base).meet(ANN, "Ann")
    await People(base).meet(BEN, "Ben")
    matches = Matches(base)
    running, waiting = await playing(matches), await matches.open(lobby())
    await base.write(mark_restored)
    await base.close()
    again = await Database.open(url)
    matches = Matches(again)
    found, opened = await matches.get(running.id), await matches.get(waiting.id)
    assert found is not None and found.doubt == "unchecked"
    assert opened is not None and opened.secret != waiting.secret
    new = (await matches.open(lobby())).id
    assert new > waiting.id + schema.NUMBERS_LEFT_OUT
    numbers = (waiting.id, waiting.id + 1, waiting.id + schema.NUMBERS_LEFT_OUT, new)
    assert [await matches.index.is_lost(number) for number in numbers] == [False, True, True, False]
    await again.close()
    last = await Database.open(url)
    assert await Matches(last).get(running.id) == found, "once"
    await last.close()


async def test_the_list_of_deletions_is_kept_in_the_database(url: str) -> None:
    base = await Database.open(url)
    log: Callable[[], Any] = lambda: base.erasures(None)  # noqa: E731
    await asyncio.to_thread(log().note, ANN, 1000)
    await asyncio.to_thread(log().note, BEN, 2000)
    assert await asyncio.to_thread(log().since, [ANN, BEN], 1500) == [BEN]
    last = await asyncio.to_thread(log().last)
    assert await asyncio.to_thread(log().after, [ANN, BEN], last) == []
    await base.close()
    with pytest.raises(RuntimeError):  # closed
        await asyncio.to_thread(log().last)
