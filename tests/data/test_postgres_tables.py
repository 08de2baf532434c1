"""PostgreSQL's tables beside those of SQLite, and migrations that processes of the version before do not notice."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from data.store import postgres_schema, schema
from data.store.database import Database, DatabaseRefusal
from data.store.lock import FAULT
from tests.data.postgres import content, run
from tests.support.next_version import add_migration

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
