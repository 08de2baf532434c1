"""Upgrades: from every earlier schema with a running match of each game, all or nothing, after a backup."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cogs.match.service import MatchService
from cogs.match.verification import Verifier
from data.records.match import Status
from data.records.matches import Matches
from data.records.people import People
from data.store import backup_files, schema
from data.store.database import Database, DatabaseRefusal
from data.store.hash_chain import broken
from data.store.lock import FAULT
from rules import GAMES
from tests.data.test_database import STEPS, digest, version
from tests.support.matches import play_on

DUMPS = Path(__file__).with_name("schemas")
FIRST = 13
"""The first schema with which a bot ran: those before it were never released."""
EARLIER = range(FIRST, STEPS)


def stored(number: int = FIRST) -> int:
    """How many matches the stored database of that schema has: one of each game that there was when it was written."""
    return (DUMPS / f"{number:04}.sql").read_text(encoding="utf-8").count('INSERT INTO "match"')


def old(folder: Path, number: int) -> Path:
    """A database of that schema, as the bot of that time left it."""
    path = folder / "sundial.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DUMPS / f"{number:04}.sql").read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode=WAL")
    return path


def content(path: Path) -> list[str]:
    """All that is in a database but the number of the run."""
    with closing(sqlite3.connect(path)) as connection:
        return [line for line in connection.iterdump() if "VALUES('run'," not in line]


def host(base: Database) -> MatchService:
    return MatchService(Matches(base), People(base), GAMES, lambda: 5000)


def test_every_earlier_schema_has_its_dump() -> None:
    """Where one is missing: python -m tests.data.schemas."""
    assert [path.stem for path in sorted(DUMPS.glob("*.sql"))] == [f"{number:04}" for number in EARLIER]


@pytest.mark.parametrize("number", EARLIER)
async def test_its_matches_play_on(number: int, tmp_path: Path) -> None:
    path = old(tmp_path, number)
    base = await Database.open(path)
    assert await base.read(broken) == []
    tables, most = host(base), 2_000 if number == EARLIER[-1] else 4
    for match in range(1, stored(number) + 1):
        before = await tables.load(match)
        await play_on(tables, match, most)
        after = await tables.load(match)
        assert after.moves > before.moves
        assert after.rules == GAMES[after.game].version
        assert after.status is (Status.OVER if most > 4 else Status.PLAYING)
        verdict = await Verifier(tables).verify(match) if not after.open else None
        assert verdict is None or (verdict.same_end and not verdict.faults)
    assert await base.read(broken) == []
    await base.close()


@pytest.mark.parametrize("number", EARLIER)
async def test_before_it_a_backup_is_made_and_a_second_start_changes_nothing(number: int, tmp_path: Path) -> None:
    path = old(tmp_path, number)
    await (await Database.open(path)).close()
    (backup,) = backup_files.backups(path)
    assert backup.schema
    assert backup_files.verify(backup.path) == (number, [])
    assert version(path) == STEPS
    before = content(path)
    await (await Database.open(path)).close()
    assert content(path) == before
    assert backup_files.backups(path) == [backup]


@pytest.mark.parametrize("number", EARLIER)
async def test_all_steps_or_none(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, steps = old(tmp_path, number), tmp_path / "migrations"
    steps.mkdir()
    for step in schema.steps():
        (steps / step.name).write_bytes(step.read_bytes())
    (steps / "9999_bad.sql").write_text("CREATE TABLE half (x INTEGER);\nINSERT INTO nowhere VALUES (1);\n")
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    before = digest(path)
    with pytest.raises(DatabaseRefusal) as caught:
        await Database.open(path)
    assert caught.value.code == FAULT
    assert digest(path) == before
