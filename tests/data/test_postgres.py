"""What PostgreSQL alone does: statements, and the databases that it refuses."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from data.records.key_values import KeyValues
from data.store import postgres_schema, schema
from data.store.database import Database, DatabaseRefusal, examine_url
from data.store.lock import NO_ROOM, NOT_OURS, RIGHTS
from data.store.postgres_connection import translated
from data.store.postgres_refusals import BAD_URL, LOGIN, NO_SERVER, OLD_SERVER, refusal
from tests.data.postgres import content, refused, run
from tests.support.next_version import add_migration
from tests.support.postgres import Databases

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


# --- what it refuses


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql://u:p@ss@host/db",
        "postgresql://u:p@ss/w:rd@host/db",
        "postgresql://u:p/ss@host/db",
        "postgresql://u:p@ss?word=x@host/db",
        "postgresql://[host/db",
        "postgresql:///db?colour=blue",
        "postgresql://sundial:pass/db",
    ],
)
async def test_a_url_that_cannot_be_read(wrong: str) -> None:
    said = await refused(wrong, BAD_URL, "cannot be read")
    assert "p@ss" not in said and "ss@" not in said and "pass/" not in said and '"pass"' not in said


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    for nowhere in (f"postgresql:///db?host={tmp_path}", "postgresql://u:secret@127.0.0.1:9/db"):
        said = await refused(nowhere, NO_SERVER, "cannot be used now")
        assert "secret" not in said


async def test_a_database_and_a_user_that_are_not_there(databases: Databases) -> None:
    for nothing in (databases.server.url("nothing"), databases.server.url("postgres", user="stranger")):
        await refused(nothing, LOGIN, "does not exist")


OTHERS = ["pgbouncer=true", "sslmode=disable&connection_limit=1", "schema=public", "ssl=false"]


@pytest.mark.parametrize(
    "wrong", ["sslmode=bogus", "connect_timeout=soon", "port=99999", "target_session_attrs=best", *OTHERS]
)
async def test_a_parameter_of_the_url_that_does_not_fit(wrong: str) -> None:
    said = await refused(f"postgresql://u:p@127.0.0.1:9/db?{wrong}", BAD_URL, "does not fit")
    assert wrong.split("&")[-1].split("=")[0] in said


async def test_names_are_stored_whole_whatever_encoding_the_url_asks_for(url: str) -> None:
    base = await Database.open(f"{url}&client_encoding=latin1")
    await KeyValues(base).put("name", "Zoë 😀")
    assert run(url, "SELECT value FROM setting WHERE name = 'name'") == [("Zoë 😀",)]
    await base.close()


FAILED = 'connection failed: connection to server at "10.0.0.1", port 5432 failed: '


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('root certificate file "/root/.postgresql/root.crt" does not exist', BAD_URL),
        ("server does not support SSL, but SSL was required", BAD_URL),
        ('FATAL:  role "ann" is not permitted to log in', LOGIN),
        ('FATAL:  pg_hba.conf rejects connection for host "10.0.0.2", user "ann", database "games"', LOGIN),
        ('FATAL:  permission denied for database "games"', LOGIN),
        ("FATAL:  no such database: games", LOGIN),
        ("FATAL:  Passwort-Authentifizierung für Benutzer »ann« fehlgeschlagen", LOGIN),
        ("FATAL:  Datenbank »games« existiert nicht", LOGIN),
        ("FATAL:  le rôle «\u00a0ann\u00a0» n'est pas autorisé à se connecter", LOGIN),
        ("FATAL:  la autentificación password falló para el usuario «ann»", LOGIN),
        ("FATAL:  tut mir leid, schon zu viele Verbindungen", NO_SERVER),
        ('FATAL:  too many connections for role "ann"', NO_SERVER),
        ('FATAL:  database "games" is not currently accepting connections', NO_SERVER),
        ("FATAL:  no more connections allowed (max_client_conn)", NO_SERVER),
        ("FATAL:  unsupported startup parameter: options", BAD_URL),
        ("transaction blocks not allowed in statement pooling mode", BAD_URL),
        ("SSL SYSCALL error: EOF detected", NO_SERVER),
    ],
)
def test_whatever_language_a_server_speaks_its_refusal_is_understood(said: str, code: int) -> None:
    connection: Any = SimpleNamespace(user=b"ann", db=b"games")
    error = psycopg.OperationalError(FAILED + said)
    error._pgconn = connection
    found = refusal(error)
    assert found.code == code and said in str(found)


@pytest.mark.parametrize("kind", ["IdleInTransactionSessionTimeout", "TransactionTimeout", "QueryCanceled"])
def test_a_server_that_gives_up_is_not_taken_for_a_damaged_one(kind: str) -> None:
    assert refusal(getattr(psycopg.errors, kind)("terminating connection")).code == NO_SERVER


async def test_an_old_server(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_schema, "OLDEST", 99)
    await refused(empty, OLD_SERVER, "99 or newer")
    assert content(empty) == []


async def test_a_database_that_lacks_characters(databases: Databases) -> None:
    with databases.connect() as c:
        c.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    try:
        await refused(databases.server.url("latin"), OLD_SERVER, "LATIN1")
    finally:
        databases.drop("latin")


async def test_a_database_of_another_program(empty: str) -> None:
    run(empty, "CREATE TABLE recipe (cake text)")
    before = content(empty)
    await refused(empty, NOT_OURS, "another program")
    assert content(empty) == before


async def test_a_schema_from_the_future(url: str) -> None:
    run(url, "UPDATE setting SET value = '9999' WHERE name = 'schema'")
    before = content(url)
    await refused(url, 78, "newer version")
    assert content(url) == before
    run(url, f"UPDATE setting SET value = '{len(schema.steps())}' WHERE name = 'schema'")


GUEST = ("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN")


async def test_a_user_who_may_not_make_tables(databases: Databases, empty: str) -> None:
    run(empty, "REVOKE CREATE ON SCHEMA public FROM PUBLIC", *GUEST)
    await refused(empty.replace("user=postgres", "user=guest"), RIGHTS, "may not make tables")
    assert content(empty) == []


async def test_a_user_who_may_not_write(url: str) -> None:
    run(url, *GUEST, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
    try:
        await refused(url.replace("user=postgres", "user=guest"), RIGHTS, 'the table "budget"')
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
        await examine_url(f"{url}&options=-cdefault_transaction_read_only%3Don", None)
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
        await refused(empty, NOT_OURS, "another token", other)
    await (await Database.open(empty, owner="1001")).close()
    assert content(empty) == before
