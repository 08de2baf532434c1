"""Making backups: whole copies between moves, which of them are kept, and for how long."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

import data.store.backups
from cogs.runtime.logs import Lines
from data.store import backup_files
from data.store.backup_files import BadCopy
from data.store.backups import Backups, restore
from data.store.daemon_thread import run_in_daemon_thread
from data.store.database import Database, NotStored
from tests.data.backups import NOON, PATIENCE, refused, running, service
from tests.data.test_schemas import host
from tests.process.loopback import until
from tests.support.matches import play_on

MOVES = 12
"""Moves that are made while a backup is."""


def fill(c: sqlite3.Connection) -> None:
    """Some megabytes, so that a copy takes many steps."""
    c.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", [(f"{n}", "x" * 4000) for n in range(1500)])


# --- making them


async def test_moves_go_on_while_it_is_made_and_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, base = await running(tmp_path)
    await base.write(fill)
    tables, steps, made = host(base), 0, list[int]()
    others, begun, loop = base.engine.let_others, asyncio.Event(), asyncio.get_running_loop()
    patience = time.monotonic() + PATIENCE

    def counted(*left: int) -> None:
        """A step that lasts for a move: all steps might be over before a busy event loop begins the first one."""
        nonlocal steps
        steps, before = steps + 1, len(made)
        loop.call_soon_threadsafe(begun.set)
        others(*left)
        while len(made) == before < MOVES and time.monotonic() < patience:
            time.sleep(0.001)
            others(*left)

    monkeypatch.setattr(base.engine, "let_others", counted)

    async def moves() -> None:
        await begun.wait()  # else they may all be made before it
        for _ in range(MOVES):
            await play_on(tables, 4, 1)
            made.append(steps)

    backup = asyncio.create_task(service(base, path).make())
    await moves()
    to = await backup
    assert to.name == "sundial-20261121T120000Z.db"
    assert made[0] < steps, "the first move waited for a few pages, not for all of them"
    assert made[-1] < steps, "and so did each that followed"
    assert backup_files.verify(to)[1] == []
    with closing(sqlite3.connect(to)) as copy:
        assert copy.execute("SELECT count(*) FROM setting WHERE length(value) = 4000").fetchone()[0] == 1500
        assert copy.execute("SELECT moves FROM match WHERE id = 4").fetchone()[0] > MOVES
    assert (to.stat().st_mode & 0o077) == 0
    await base.close()


async def test_the_end_does_not_wait_for_the_look_through_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, base = await running(tmp_path)
    look, begun, go_on, loop = backup_files.verify, asyncio.Event(), threading.Event(), asyncio.get_running_loop()
    before, threads = sorted(backup_files.folder(path).iterdir()), set(threading.enumerate())

    def slowly(partial: Path) -> tuple[int, list[int]]:
        loop.call_soon_threadsafe(begun.set)
        assert go_on.wait(PATIENCE)
        return look(partial)

    monkeypatch.setattr(backup_files, "verify", slowly)
    monkeypatch.setattr("data.store.backups.SOON", 0)
    backups = service(base, path)
    await backups.start()
    await asyncio.wait_for(begun.wait(), PATIENCE)
    (looking,) = [t for t in set(threading.enumerate()) - threads if t.name.startswith("backup")]
    assert looking.daemon, "nor does the interpreter wait"
    await asyncio.wait_for(backups.close(), PATIENCE)
    await base.close()
    assert sorted(backup_files.folder(path).iterdir()) == before, "nothing half made is left"
    go_on.set()
    looking.join(PATIENCE)
    assert sorted(backup_files.folder(path).iterdir()) == before


async def test_a_failing_write_in_between_is_told_to_its_own_caller(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    await base.write(fill)

    def bad(_: sqlite3.Connection) -> None:
        raise KeyError("on the way")

    def full(_: sqlite3.Connection) -> None:
        error = sqlite3.OperationalError("full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    backup = asyncio.create_task(service(base, path).make())
    await asyncio.sleep(0)
    with pytest.raises(KeyError):
        await base.write(bad)
    with pytest.raises(NotStored):
        await base.write(full)
    backup_files.verify(await backup)
    await base.close()


async def test_to_close_gives_a_copy_up_and_leaves_nothing_half_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, base = await running(tmp_path)
    await base.write(fill)
    others, begun, closing = base.engine.let_others, asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def held(*left: int) -> None:
        loop.call_soon_threadsafe(begun.set)
        assert closing.wait(PATIENCE)
        others(*left)

    monkeypatch.setattr(base.engine, "let_others", held)
    backup = asyncio.create_task(service(base, path).make())
    await asyncio.wait_for(begun.wait(), PATIENCE)
    closed = asyncio.create_task(base.close())
    await asyncio.sleep(0)  # now it waits for the copy
    closing.set()
    await closed
    with pytest.raises((sqlite3.Error, ValueError)):
        await backup
    assert len(list(backup_files.folder(path).iterdir())) == 1
    await (await Database.open(path)).close()


async def test_every_hour_in_which_something_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, base = await running(tmp_path)
    backups, slept, made, enough = service(base, path), [], [], asyncio.Event()
    half = backup_files.name(path, NOON).with_suffix(".db.partial")
    half.write_bytes(b"half made")

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            await base.write(fill)
        if len(slept) == 5:
            enough.set()
            await asyncio.Event().wait()

    async def make() -> Path:
        made.append(len(slept))
        backups.changes = base.changes
        return path

    monkeypatch.setattr("data.store.backups.asyncio.sleep", sleep)
    monkeypatch.setattr(backups, "make", make)
    await backups.start()
    await asyncio.wait_for(enough.wait(), PATIENCE)
    await backups.close()
    assert not half.exists()
    assert slept[1:] == [3600.0] * 4
    assert made == [1, 3], "at the start it is not known whether something changed; then only where it did"
    await base.close()


async def test_what_a_restoration_moved_aside_comes_back_with_its_log(tmp_path: Path) -> None:
    """After a crash the newest is in the log beside the file alone."""
    path, base = await running(tmp_path)
    await service(base, path).make()
    await base.write(lambda c: c.execute("INSERT INTO setting VALUES ('newest', '1')").rowcount)
    crashed = tmp_path / "crashed" / path.name
    crashed.parent.mkdir()
    for file in (path, backup_files.wal(path)):
        shutil.copy(file, crashed.with_name(file.name))
    shutil.copytree(backup_files.folder(path), backup_files.folder(crashed))
    await base.close()
    moved = restore(crashed, None, NOON).aside
    assert [file.name.removeprefix(moved[0].name) for file in moved] == ["", "-wal"]
    assert restore(crashed, moved[0], NOON + timedelta(days=1)).backup == moved[0]
    with closing(sqlite3.connect(crashed)) as connection:
        assert connection.execute("SELECT value FROM setting WHERE name = 'newest'").fetchone() == ("1",)
    assert not list(crashed.parent.glob("tmp*"))


def test_a_file_that_is_not_there_is_no_backup_and_is_not_made(tmp_path: Path) -> None:
    typed = tmp_path / "sundial-typed.db"
    assert "there is no such file" in str(refused(tmp_path / "sundial.db", typed))
    assert not typed.exists()


async def test_why_there_is_no_backup_stands_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path, base = await running(tmp_path)
    monkeypatch.setattr(backup_files, "ROOM", 1 << 60)
    monkeypatch.setattr(data.store.backups, "SOON", 0.0)
    backups = service(base, path)
    await backups.start()
    assert await until(lambda: caplog.records)
    await backups.close()
    await base.close()
    assert "MB are needed" in Lines("text").format(caplog.records[-1])


async def test_what_a_crash_left_and_cannot_be_removed_keeps_no_bot_from_its_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, base = await running(tmp_path)
    (backup_files.folder(path) / "sundial-20260101T000000Z.db.partial").mkdir(parents=True)  # no file can be unlinked
    backups = service(base, path)
    await backups.start()
    await backups.close()
    await base.close()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "db.partial" in caplog.text


async def test_a_full_disk_is_left_to_the_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, base = await running(tmp_path)
    monkeypatch.setattr(backup_files, "ROOM", 1 << 60)
    with pytest.raises(BadCopy, match="MB are free"):
        await service(base, path).make()
    assert len(backup_files.backups(path)) == 1, "that from before the upgrade"
    await base.close()


def test_which_are_kept() -> None:
    """12 of the newest, one of each of 24 hours, one of each of 30 days."""
    every_ten_minutes = [
        backup_files.Backup(Path(str(n)), NOON - timedelta(minutes=10 * n), schema=False) for n in range(40 * 24 * 6)
    ]
    kept = backup_files.to_keep(every_ten_minutes)
    assert kept[:12] == every_ten_minutes[:12]
    hours = {backup.made.replace(minute=0) for backup in kept}
    assert {NOON - timedelta(hours=n) for n in range(24)} <= hours
    assert len({backup.made.date() for backup in kept}) == 30
    assert len(kept) == 12 + 21 + 28, "three of the hours are among the newest, and two of the days among the hours"


async def test_others_are_removed_but_those_before_upgrades_and_while_a_match_is_damaged(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    before = backup_files.backups(path)
    for minutes in range(14):
        await service(base, path, NOON + timedelta(minutes=minutes)).make()
    found = backup_files.backups(path)
    assert len(found) == 12 + len(before), "they are all of one hour"
    assert set(before) <= set(found)
    await base.write(lambda c: c.execute("UPDATE move SET text = 'x' WHERE match = 1 AND number = 0").rowcount)
    await service(base, path, NOON + timedelta(minutes=20)).make()
    assert len(backup_files.backups(path)) == len(found) + 1
    await base.close()


async def test_none_is_kept_for_longer_than_is_promised(tmp_path: Path) -> None:
    """Also those made before an upgrade go, and the newest alone stays whatever its age."""
    path, base = await running(tmp_path)
    (schema,) = backup_files.backups(path)
    for day in range(40):
        await service(base, path, schema.made + timedelta(days=day, minutes=1)).make()
    found = backup_files.backups(path)
    assert {(found[0].made - backup.made).days for backup in found} == set(range(backup_files.DAYS))
    assert not any(backup.schema for backup in found)
    assert backup_files.rotate(path, found[0].made + timedelta(days=365)) and backup_files.backups(path) == found[:1]
    await base.close()


async def test_what_is_too_old_goes_also_while_nothing_changes(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    now = [NOON.timestamp()]
    backups = Backups(base, path, 1, lambda: now[0], lambda: True)
    old = await backups.make()
    now[0] += 60
    newest = await backups.make()
    now[0] += 40 * 86_400
    backups.interval = 0.001
    await backups.start()
    assert await until(lambda: not old.exists())
    await backups.close()
    assert not old.exists() and newest.exists()
    await base.close()


async def test_one_made_by_a_clock_that_was_ahead_pushes_nothing_out(tmp_path: Path) -> None:
    """It is not the newest, and goes as long after it was first seen as any other goes."""
    path, base = await running(tmp_path)
    for hour in range(30):
        await service(base, path, NOON + timedelta(hours=hour)).make()
    before, later = backup_files.backups(path), NOON + timedelta(hours=30)
    ahead = NOON + timedelta(days=4000)
    wrong = await service(base, path, ahead, sure=False).make()
    os.utime(wrong, (ahead.timestamp(), ahead.timestamp()))
    newest = await service(base, path, later).make()
    found = [backup.path for backup in backup_files.backups(path)]
    assert found[:2] == [wrong, newest]
    assert len(set(found) & {backup.path for backup in before}) >= len(before) - 1
    month = later + timedelta(days=backup_files.DAYS)
    assert wrong not in backup_files.rotate(path, month) and wrong in backup_files.rotate(
        path, month + timedelta(minutes=1)
    )
    assert [backup.path for backup in backup_files.backups(path)] == [newest]
    await base.close()


async def test_of_those_made_by_a_clock_that_was_ahead_a_few_are_kept(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    ahead = [backup_files.name(path, NOON + timedelta(days=4000 + day)) for day in range(40)]
    for wrong in ahead:
        wrong.touch()
    newest = await service(base, path).make()
    assert [backup.path for backup in backup_files.backups(path) if not backup.schema] == [
        *reversed(ahead[-backup_files.NEWEST :]),
        newest,
    ]
    await base.close()


async def test_nothing_is_removed_while_the_time_is_not_sure(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    for day in range(40):
        await service(base, path, NOON + timedelta(days=day), sure=False).make()
    assert len(backup_files.backups(path)) == 40 + 1
    await service(base, path, NOON + timedelta(days=40)).make()
    assert len(backup_files.backups(path)) == backup_files.DAYS
    await base.close()


async def test_what_a_daemon_thread_raises_reaches_the_one_who_waits_for_it() -> None:
    with pytest.raises(KeyError):
        await asyncio.wait_for(run_in_daemon_thread("backup", {}.__getitem__, 1), PATIENCE)
