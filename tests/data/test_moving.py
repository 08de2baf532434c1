"""`bot.py --move-to`: all goes from one engine to the other and back, or nothing, and the source stays as it is."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

import cogs.move
from cogs.runtime.process import Exit
from data.records.matches import Matches
from data.records.people import People
from data.records.privacy import Privacy
from data.store import backup_files, erasure_log, move_postgres, moving
from data.store.database import Database
from data.store.lock import locked
from data.store.postgres_connection import PostgresConnection
from tests.data.moving import NUMBER, content, moved, no_tables, nothing_at, refused
from tests.data.test_database import digest
from tests.data.test_schemas import EARLIER, host, old
from tests.support.matches import play_on


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
