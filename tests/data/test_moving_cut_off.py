"""A move from one engine to the other that fails, is interrupted or killed leaves the target whole or empty."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cogs.move import move
from cogs.runtime.process import Exit
from data.store import move_postgres, move_sqlite, moving
from data.store.postgres_connection import PostgresConnection
from tests.data.moving import content, moved, no_tables, nothing_at, refused, settings
from tests.support.hung import HUNG
from tests.support.postgres import Databases

ROOT = Path(__file__).parents[2]


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
        with pytest.raises(KeyboardInterrupt):
            move(settings(file), Path("/"), empty, print)
    assert no_tables(empty)
    moved(file, empty)
    monkeypatch.setattr(moving, "compare", interrupted)
    with pytest.raises(KeyboardInterrupt):
        move(settings(file, empty), Path("/"), str(tmp_path / "back.db"), print)
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
