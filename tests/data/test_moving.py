"""`bot.py --move-to`: everything goes from one engine to the other and back, whole or not at all, and the source stays
as it is.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

import cogs.move
from cogs.move import move
from cogs.runtime.process import Exit
from cogs.runtime.settings import Settings
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.store import backup_files, erasure_log, move_postgres, move_sqlite, moving
from data.store.database import Database, DatabaseRefusal, examine_url
from data.store.lock import locked
from data.store.postgres_connection import PostgresConnection
from data.store.postgres_schema import TABLES
from data.store.preflight import read_only
from tests.data.test_database import digest
from tests.data.test_matches import lobby
from tests.data.test_schemas import EARLIER, host, old
from tests.support.hung import HUNG
from tests.support.matches import play_on
from tests.support.past import Past
from tests.support.postgres import Databases

TOKEN, NUMBER = "MTAwMQ.b.c", "1001"
"""A token, and the number of its bot."""
ROOT = Path(__file__).parents[2]
ODD = "é'\\%\n☃ \U0001f600"
ROWS = {
    "vote": (4, 101, "end"),
    "server": (1, "[]", '["sea_change"]', "allowed", None, 3, None, "[]", None, 0, 1, 1, 0, "[5, 7]", 1),
    "waiting": (4, 0, 104, ODD),
    "former": (4, 103, 0, 1, 2, "1"),
    "clock": (4, 0, "1", 1000, 60, 0, 0, 1060, 1060, 0, 0, None, 0, '["Europe/Rome", null, [], [], null]'),
    "hours": (102, "Europe/Berlin", 1320, 420, "[]", '["DE"]'),
    "farewell": (4, 103, 10, 2**62, 0),
    "old_table": (4, 10, 77, 1000, -1),
    "proposal": (4, "remove 101", 102, 1000, 2000, None),
    "refusal": (4, 101, "end"),
    "reminder": (5, 0, "1", 1000, 2000, 1, 0, None, None),
    "seat_change": (4, 0, 3, 1, "left", None, ODD, "friend 1"),
    "guest": (4, 105, ODD, "invited", None),
    "invitation": (4, 10, 78, 1000),
    "portrait": (102, "a" * 32, b"\x00\xff'\\" * 200),
    "tally": (1, "sea_change", "trump", ODD, 3, 2),
    "season": (
        *(1, 1, 10, 101, "sea_change", ODD, "de", 2, 3, 7, "none", "5e" * 32, "playing", 4, 2, 2000, 1000, None),
        *(None, 0, None, "played_on", 2),
    ),
    "entrant": (1, 0, 101, ODD, 1),
    "season_table": (1, 1, 0, "0 1", 1, "3 1", "0"),
    "lease": (5, "a process", 0, 3, 4, 0),
    "duty": ("digests", "a process", 0, 2),
    "gateway_process": ("a process", 4, 5, 0),
    "shard": (4, 0, "a process", 5, 6, "another", 7),
    "identify": (0, 5),
    "budget": ("requests", 45_000, 5),
    "invalid_requests": (29_000_000, "a process", 3),
}
"""Rows of tables that the matches below leave empty."""


async def fill(path: Path | str) -> None:
    """Two matches go on to their end, the others stay open; rated ones are over; a user's data is deleted, and the last
    match and season are gone.
    """
    base = await Database.open(path)
    try:
        tables = host(base)
        for number in (1, 2):
            await play_on(tables, number, 2_000)
        past = Past(base)
        for users in ((101, 102), (102, 103), (103, 101), (101, None)):
            await past.played(*users)
        matches = Matches(base)
        await matches.open(lobby(host=101, chairs=()))
        await Privacy(base, [matches.forget], base.erasures(path if isinstance(path, Path) else None)).erase(104, 2_000)
        await asyncio.to_thread(base.erasures(path if isinstance(path, Path) else None).note, 104, 2_000)
        await People(base).meet(104, "Dan")
        marks = {table: ", ".join("?" * len(row)) for table, row in ROWS.items()}

        def add(c: Any) -> None:
            for table, row in ROWS.items():
                c.execute(f"INSERT INTO {table} VALUES ({marks[table]}) ON CONFLICT DO NOTHING", row)
            c.execute("UPDATE match SET doubt = 'unchecked', own_thread = 1, lesson = 1, duplicate = 4 WHERE id = 5")
            season = c.execute("SELECT name FROM season").fetchone()
            assert season is not None
            for number in (2, 3):
                c.execute(
                    "INSERT INTO season SELECT ?, guild, 10 + ?, opener, game, name, locale, seats, rounds, days, "
                    "clock, secret, status, version, round, round_ends, touched_at, ended_at, message, shown, "
                    "last_message, unfinished, restores FROM season WHERE id = 1",
                    (number, number),
                )

        await base.write(add)
        last = await matches.open(lobby(host=101, chairs=()))
        await base.write(lambda c: c.execute("DELETE FROM match WHERE id = ?", (last.id,)).rowcount)
        if isinstance(path, Path):
            await base.write(lambda c: c.execute("DELETE FROM season WHERE id = 3").rowcount)
    finally:  # its thread would keep a run that fails from ending
        await base.close()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with something in every table. Tests copy it."""
    folder = tmp_path_factory.mktemp("filled")
    path = old(folder, EARLIER[-1])
    asyncio.run(fill(path))
    stored = content(path)
    assert [table for table in TABLES if not stored[table]] == []
    return path


@pytest.fixture
def file(filled: Path, tmp_path: Path) -> Path:
    """A copy of that file, with the list of deleted users."""
    for name in ("sundial.db", "sundial.db.departed"):
        backup_files.copy_file(filled.with_name(name), tmp_path / name)
    return tmp_path / "sundial.db"


@pytest.fixture
def empty(databases: Databases) -> Iterator[str]:
    with databases.empty() as found:
        yield found


def content(where: Path | str) -> dict[str, list[tuple[Any, ...]]]:
    """All that a database holds, without what each engine notes of itself."""
    own = "('run', 'schema', 'owner', 'erasures')"

    def read(execute: Callable[[str], Iterable[Any]]) -> dict[str, list[tuple[Any, ...]]]:
        found = {}
        for table in TABLES:
            only = f"WHERE name NOT IN {own}" if table == "setting" else ""
            found[table] = sorted((tuple(row) for row in execute(f'SELECT * FROM "{table}" {only}')), key=repr)
        return found

    if isinstance(where, Path):
        with closing(read_only(where)) as connection:
            return read(connection.execute)
    with psycopg.connect(where) as connection_:
        return read(lambda sql: connection_.execute(sql.encode()).fetchall())


def settings(path: Path, url: str | None = None, token: str = TOKEN) -> Settings:
    return Settings(token=token, database=str(path), database_url=url)


def moved(path: Path, to: Path | str, url: str | None = None) -> list[str]:
    """Move, and return what was said."""
    said: list[str] = []
    assert move(settings(path, url), Path("/"), str(to), said.append) is Exit.ENDED
    return said


def refused(path: Path, to: Path | str, url: str | None = None, token: str = TOKEN) -> DatabaseRefusal:
    """Return the refusal of a move."""
    said: list[str] = []
    with pytest.raises(DatabaseRefusal) as caught:
        move(settings(path, url, token), Path("/"), str(to), said.append)
    assert not any(line.startswith("Moved") for line in said)
    assert "\n" not in str(caught.value)
    return caught.value


def no_tables(url: str) -> bool:
    return asyncio.run(examine_url(url, None)) == 0


def nothing_at(path: Path) -> bool:
    """Whether no part of a database is at that place; the empty file that locks it may be."""
    return [name.name for name in path.parent.glob(f"{path.name}*") if name.stat().st_size] == []


def files(folder: Path) -> dict[str, str]:
    """The hashes of all files in a folder that are not empty."""
    return {path.name: digest(path) for path in folder.iterdir() if path.is_file() and path.stat().st_size}


NEXT = {
    "match": "INSERT INTO match (game, status, guild, channel, place, host, locale, options, secret, opened_at) "
    "VALUES ('sea_change', 'lobby', 1, 1, 1, 101, 'en', '{}', 'ff', 1) RETURNING id",
    "season": "INSERT INTO season (guild, channel, opener, game, name, locale, seats, rounds, days, clock, secret, "
    "status, touched_at) VALUES (1, 999, 101, 'sea_change', '', 'en', 2, 1, 1, 'none', 'ff', 'over', 1) RETURNING id",
    "player": "INSERT INTO player (user) VALUES (NULL) RETURNING id",
    "result": "INSERT INTO result (match, guild, game, ended_at, seats, moves, rated) "
    "VALUES (4, 1, 'sea_change', 1, 2, 9, 0) RETURNING number",
}


# --- there and back


def test_everything_goes_there_and_back_and_the_sources_stay_as_they_are(
    file: Path, empty: str, tmp_path: Path
) -> None:
    before, whole = files(tmp_path), content(file)
    said = moved(file, empty)
    assert files(tmp_path) == before
    assert content(empty) == whole
    assert any(line.startswith("10 matches were replayed") for line in said), said
    assert not any("host=" in line or "postgresql:" in line for line in said), "it may hold a password"

    back = tmp_path / "there" / "back.db"
    back.parent.mkdir()
    said = moved(file, back, empty)
    assert content(back) == whole == content(empty)
    assert any(str(back) in line for line in said)
    assert {name: path.stat().st_mode & 0o777 for name in ("", ".departed") if (path := Path(f"{back}{name}"))} == {
        "": 0o600,
        ".departed": 0o600,
    }
    listed = (tmp_path / "sundial.db.departed").read_text()
    assert Path(f"{back}.departed").read_text() == listed


def test_no_number_is_used_twice(file: Path, empty: str, tmp_path: Path) -> None:
    async def next_numbers(target: Path | str) -> dict[str, int]:
        base = await Database.open(target)

        def add(c: Any) -> dict[str, int]:
            return {table: int(c.execute(sql).fetchone()[0]) for table, sql in NEXT.items()}

        found = await base.write(add)
        await base.close()
        return found

    players = max(row[0] for row in content(file)["player"])
    with closing(sqlite3.connect(file)) as c:
        last = dict(c.execute("SELECT name, max(seq) FROM sqlite_sequence GROUP BY name").fetchall())
    assert last["match"] > max(row[0] for row in content(file)["match"]), "the last one is gone"
    moved(file, empty)
    back = tmp_path / "back.db"
    moved(file, back, empty)
    expected = {"match": last["match"] + 1, "season": 4, "player": players + 1, "result": last["result"] + 1}
    assert asyncio.run(next_numbers(empty)) == expected
    assert asyncio.run(next_numbers(back)) == expected


async def test_matches_go_on_and_the_bot_s_own_notes_do_not_come_along(file: Path, empty: str, tmp_path: Path) -> None:
    await asyncio.to_thread(moved, file, empty)
    base = await Database.open(empty, owner=NUMBER)
    await play_on(host(base), 3, 4)
    notes = await base.read(lambda c: dict(c.execute("SELECT name, value FROM setting").fetchall()))
    assert notes["owner"] == NUMBER and "run" not in notes and notes["erasures"]
    moves = await Matches(base).moves(3)
    await base.close()
    back = tmp_path / "back.db"
    await asyncio.to_thread(moved, file, back, empty)
    base = await Database.open(back)
    assert await Matches(base).moves(3) == moves
    await play_on(host(base), 3, 2)
    assert (await host(base).load(3)).moves > len(moves) - 1
    await base.close()


async def test_users_who_were_deleted_stay_deleted(
    file: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list moves along; an older copy put in the place of a database is still recognised after the move."""
    base = await Database.open(file)
    await base.close()
    older = tmp_path / "older.db"
    backup_files.copy_file(file, older)
    base = await Database.open(file)  # one run more, in which Cleo goes
    await asyncio.to_thread(base.erasures(file).note, 103, 3_000)
    await base.close()
    backup_files.copy_file(older, file)
    said: list[str] = []
    await asyncio.to_thread(lambda: said.extend(moved(file, empty)))
    assert any("older than the bot left it" in line for line in said)
    base = await Database.open(empty, owner=NUMBER)
    privacy = Privacy(base, [], base.erasures(None))
    assert await privacy.is_stored(103)
    assert await privacy.erase_again(4_000) >= 1
    assert not await privacy.is_stored(103)
    await base.close()
    back = tmp_path / "back.db"
    await asyncio.to_thread(moved, file, back, empty)
    base = await Database.open(back)
    assert not await Privacy(base, [], base.erasures(back)).is_stored(103)
    assert await asyncio.to_thread(base.erasures(back).since, [101, 103, 104], 0) == [103, 104]
    await base.close()


def test_a_torn_list_is_moved_without_what_is_torn(file: Path, empty: str) -> None:
    listed = erasure_log.place(file)
    listed.write_bytes(listed.read_bytes() + b"30 \xff\x00")
    moved(file, empty)
    with psycopg.connect(empty) as c:
        ((stored,),) = c.execute("SELECT value FROM setting WHERE name = 'erasures'").fetchall()
    assert stored.encode() == listed.read_bytes()[:-5]


def test_a_damaged_match_moves_along_as_it_is(file: Path, empty: str) -> None:
    with closing(sqlite3.connect(file)) as c, c:
        c.execute("UPDATE move SET text = 'play B1' WHERE match = 3 AND number = 0")
    said = moved(file, empty)
    assert any(line.startswith("Damaged before and after") and line.endswith(" 3.") for line in said), said
    assert content(empty) == content(file)


def test_a_file_that_a_killed_bot_has_left_is_moved_with_its_log(file: Path, empty: str) -> None:
    async def killed() -> None:
        base = await Database.open(file)
        await People(base).meet(777, "only in the log")
        os._exit(0)

    if (child := os.fork()) == 0:
        asyncio.run(killed())
    os.waitpid(child, 0)
    assert backup_files.wal(file).stat().st_size
    before = {name: hashed for name, hashed in files(file.parent).items() if not name.endswith("-shm")}
    said = moved(file, empty)
    assert {name: hashed for name, hashed in files(file.parent).items() if not name.endswith("-shm")} == before
    assert 777 in [row[0] for row in content(empty)["person"]]
    assert not any("older" in line for line in said)


def test_a_long_move_says_how_far_it_is(file: Path, empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cogs.move, "OFTEN", 0.0)
    said = moved(file, empty)
    assert any(" rows are moved." in line for line in said)
    assert any(" matches are replayed." in line for line in said)


# --- refusals: nothing changes


def test_a_bot_that_runs_on_the_source(file: Path, empty: str, tmp_path: Path) -> None:
    with locked(file):
        assert refused(file, empty).code == Exit.IN_USE
    assert no_tables(empty)
    moved(file, empty)

    async def running() -> None:
        base = await Database.open(empty, owner=NUMBER)
        refusal = await asyncio.to_thread(refused, file, tmp_path / "back.db", empty)
        assert refusal.code == Exit.IN_USE and "A bot runs" in str(refusal)
        await base.close()

    asyncio.run(running())
    assert nothing_at(tmp_path / "back.db")


def test_a_program_that_writes_to_the_source(
    file: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_postgres, "BEGIN_SOURCE", move_postgres.BEGIN_SOURCE.replace(b"5s", b"200ms"))
    moved(file, empty)
    with psycopg.connect(empty) as other:
        other.execute("UPDATE match SET version = version + 1 WHERE id = 1")
        refusal = refused(file, tmp_path / "back.db", empty)
        assert refusal.code == Exit.IN_USE and "Another program" in str(refusal)
    assert nothing_at(tmp_path / "back.db")


def test_no_process_writes_to_the_source_meanwhile(
    file: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, locked_out = moving.compare, list[bool]()

    def compared(*given: Any) -> None:
        with psycopg.connect(empty) as other, pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute("SET lock_timeout = '100ms'; UPDATE match SET version = 99")
        locked_out.append(True)
        real(*given)

    moved(file, empty)
    monkeypatch.setattr(moving, "compare", compared)
    moved(file, tmp_path / "back.db", empty)
    assert locked_out == [True]


def test_a_target_that_is_not_empty(file: Path, empty: str, tmp_path: Path) -> None:
    moved(file, empty)
    before = content(empty)
    refusal = refused(file, empty)
    assert refusal.code == Exit.SETTINGS and "CREATE DATABASE" in str(refusal)
    assert refused(file, empty, token="MTAwMg.b.c").code == Exit.NOT_OURS
    assert content(empty) == before
    left = files(tmp_path)
    assert refused(file, file, empty).code == Exit.SETTINGS
    (tmp_path / "gone.db.departed").write_text("5e" * 16 + "\n")
    assert "belongs to another" in str(refused(file, tmp_path / "gone.db", empty))
    (tmp_path / "lost.db.lock").write_text("Run 7.\n")
    assert "there was one" in str(refused(file, tmp_path / "lost.db", empty))
    assert {name: hashed for name, hashed in files(tmp_path).items() if name in left} == left
    assert not (tmp_path / "gone.db").exists() and not (tmp_path / "lost.db").exists()


def test_a_target_of_another_program(file: Path, empty: str) -> None:
    with psycopg.connect(empty) as c:
        c.execute("CREATE TABLE recipe (cake text)")
    assert refused(file, empty).code == Exit.NOT_OURS


def test_another_bot_s_database(file: Path, empty: str, tmp_path: Path) -> None:
    moved(file, empty)
    back = tmp_path / "back.db"
    assert refused(file, back, empty, token="MTAwMg.b.c").code == Exit.NOT_OURS
    assert nothing_at(back)
    moved(file, back, empty)
    assert refused(back, empty, token="MTAwMg.b.c").code == Exit.NOT_OURS, "the file says whose it is"


def test_an_older_schema_says_what_to_do(file: Path, empty: str, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.mkdir()
    path = old(older, EARLIER[-1])
    before = digest(path)
    refusal = refused(path, empty)
    assert refusal.code == Exit.SETTINGS and "Start the bot on it once" in str(refusal)
    assert digest(path) == before and no_tables(empty)
    moved(file, empty)
    with psycopg.connect(empty) as c:
        c.execute("UPDATE setting SET value = '22' WHERE name = 'schema'")
    assert "Start the bot on it once" in str(refused(file, tmp_path / "back.db", empty))
    with psycopg.connect(empty) as c:
        c.execute("UPDATE setting SET value = '99' WHERE name = 'schema'")
    assert refused(file, tmp_path / "back.db", empty).code == Exit.TOO_NEW
    assert nothing_at(tmp_path / "back.db")


def test_what_is_no_database_to_move(empty: str, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.db"
    assert "no database to move" in str(refused(nothing, empty))
    nothing.touch()
    assert "no tables" in str(refused(nothing, empty))
    assert "no tables" in str(refused(nothing, tmp_path / "back.db", empty))
    for to, url in ((tmp_path / "other.db", None), ("mysql://u@host/db", None), (empty, empty)):
        assert refused(nothing, to, url).code == Exit.SETTINGS
    assert sorted(path.name for path in tmp_path.iterdir() if path.stat().st_size) == []


# --- what goes wrong on the way


def test_what_cannot_be_read_back_is_not_kept(
    file: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = PostgresConnection.executemany

    def lossy(self: PostgresConnection, sql: str, rows: Any) -> Any:
        return real(self, sql, rows[:-1] if 'INTO "tally"' in sql else rows)

    monkeypatch.setattr(PostgresConnection, "executemany", lossy)
    refusal = refused(file, empty)
    assert "table tally" in str(refusal) and refusal.code == Exit.DAMAGED
    assert no_tables(empty)


def test_a_full_disk_of_the_server(file: Path, empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = PostgresConnection.executemany

    def full(self: PostgresConnection, sql: str, rows: Any) -> Any:
        if 'INTO "move"' in sql:
            raise psycopg.errors.DiskFull("could not extend file: No space left on device")
        return real(self, sql, rows)

    monkeypatch.setattr(PostgresConnection, "executemany", full)
    assert refused(file, empty).code == Exit.NO_ROOM
    assert no_tables(empty)


def test_a_full_disk_of_the_file(file: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moved(file, empty)
    back = tmp_path / "back.db"
    monkeypatch.setattr(move_sqlite, "PRAGMAS", (*move_sqlite.PRAGMAS, "max_page_count=75"))
    refusal = refused(file, back, empty)
    assert refusal.code == Exit.NO_ROOM and "full" in str(refusal)
    assert nothing_at(back) and not back.exists()


def test_a_connection_that_is_lost_on_the_way(
    file: Path, empty: str, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(*given: Any) -> None:
        with databases.connect() as c:
            c.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sundial'")
        real(*given)

    for part in ("compare", "finish"):
        real = getattr(moving, part)
        with monkeypatch.context() as patched:
            patched.setattr(moving, part, end)
            assert refused(file, empty).code == Exit.NO_SERVER
        assert no_tables(empty)
    commit = move_postgres.commit
    monkeypatch.setattr(move_postgres, "commit", end)
    real = commit
    refusal = refused(file, empty)
    assert refusal.code == Exit.NO_SERVER and "either empty or whole" in str(refusal)
    monkeypatch.undo()
    moved(file, empty)


def test_an_interrupted_move_leaves_nothing(
    file: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(moving, "compare", interrupted)
        assert move(settings(file), Path("/"), empty, print) is Exit.FAULT
    assert no_tables(empty)
    moved(file, empty)
    monkeypatch.setattr(moving, "compare", interrupted)
    assert move(settings(file, empty), Path("/"), str(tmp_path / "back.db"), print) is Exit.FAULT
    assert nothing_at(tmp_path / "back.db")


KILLED = """
import os, sys
from pathlib import Path
from cogs.move import move
from cogs.runtime.settings import Settings
from data.store import move_postgres, move_sqlite, moving

path, to, url, point = sys.argv[1:]

def killed(*_, **__):
    os.kill(os.getpid(), 9)

def after(real):
    def then(*given):
        real(*given)
        killed()
    return then

match point:
    case "copy":
        add, pages = moving.Content.add, []
        def counted(self, page):
            add(self, page)
            pages.append(page)
            if len(pages) == 8:
                killed()
        moving.Content.add = counted
    case "compare" | "finish":
        setattr(moving, point, killed)
    case "rename":
        Path.replace = killed
    case "committed":
        move_postgres.commit = after(move_postgres.commit)
        move_sqlite.sync = lambda path, real=move_sqlite.sync: after(real)(path) if path.is_dir() else real(path)
settings = Settings(token="MTAwMQ.b.c", database=path, database_url=url or None)
move(settings, Path("/"), to, print)
"""


def killed_at(point: str, path: Path, to: Path | str, url: str = "") -> None:
    """Move in a process that is killed at that point."""
    command = [sys.executable, "-c", KILLED, str(path), str(to), url, point]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HUNG, check=False)
    assert done.returncode == -9, done.stderr


def alone(url: str) -> None:
    """Wait until the server has noticed that the process is gone that used this database. Others may be in use."""
    sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sundial'"
    until = time.monotonic() + HUNG
    with psycopg.connect(url, autocommit=True) as c:
        while c.execute(sql).fetchall() != [(0,)]:
            assert time.monotonic() < until
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("point", "whole"),
    [
        ("finish", False),
        *(pytest.param(*each, marks=pytest.mark.long) for each in (("copy", False), ("committed", True))),
    ],
)
def test_killed_on_the_way_to_postgresql_it_is_empty_or_whole(point: str, whole: bool, file: Path, empty: str) -> None:
    before = content(file)
    killed_at(point, file, empty)
    alone(empty)
    assert no_tables(empty) != whole
    if whole:
        assert refused(file, empty).code == Exit.SETTINGS
    else:
        moved(file, empty)
    assert content(empty) == before == content(file)


@pytest.mark.parametrize(
    ("point", "whole"),
    [("rename", False), *(pytest.param(point, False, marks=pytest.mark.long) for point in ("copy", "finish"))],
)
def test_killed_on_the_way_to_a_file_it_is_empty_or_whole(
    point: str, whole: bool, file: Path, empty: str, tmp_path: Path
) -> None:
    back = tmp_path / "back.db"
    moved(file, empty)
    killed_at(point, file, back, empty)
    alone(empty)
    assert back.exists() == whole
    assert Path(f"{back}.departed").exists() == (point == "rename"), "the list is there before the file"
    moved(file, back, empty)
    assert content(back) == content(empty)
    assert not Path(f"{back}.moving").exists()


MEMORY = """
import resource, sys
from pathlib import Path
from cogs.move import move
from cogs.runtime.settings import Settings
import data.store.move_postgres, data.store.move_sqlite

path, to, url = sys.argv[1:]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
settings = Settings(token="MTAwMQ.b.c", database=path, database_url=url or None)
assert move(settings, Path("/"), to, lambda line: None) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the memory is that of Linux")
def test_memory_does_not_grow_with_the_tables(file: Path, empty: str, tmp_path: Path) -> None:
    """Rows of 60 MB take less than half of that, both ways."""
    with closing(sqlite3.connect(file)) as c, c:
        rows = ((8_000 + number, "x" * 20_000) for number in range(3_000))
        c.executemany("INSERT INTO person (user, name) VALUES (?, ?)", rows)
    for to, url in ((empty, ""), (str(tmp_path / "back.db"), empty)):
        command = [sys.executable, "-c", MEMORY, str(file), to, url]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HUNG, check=False)
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) < 30_000
