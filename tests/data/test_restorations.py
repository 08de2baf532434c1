"""What becomes of a lost database: a backup comes back and no file is lost; never an empty one in its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from data.records.match import RestoreCheck, Status
from data.records.matches import Matches
from data.store import backup_files
from data.store.backup_files import BadCopy
from data.store.backups import restore
from data.store.database import Database, DatabaseRefusal
from data.store.erasure_log import ErasureLog
from data.store.lock import RIGHTS
from tests.data.backups import NOON, PATIENCE, refused, running, service
from tests.data.test_database import digest, holding
from tests.data.test_schemas import host
from tests.support.matches import play_on


async def lost(path: Path) -> DatabaseRefusal:
    with pytest.raises(DatabaseRefusal) as caught:
        await Database.open(path)
    assert caught.value.code == 74
    return caught.value


# --- bringing one back


async def test_a_backup_comes_back_and_no_file_is_lost(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    tables = host(base)
    (chair, *_) = (await tables.load(1)).chairs
    lobby = await Matches(base).open(
        replace(_lobby(await tables.load(1)), chairs=(replace(chair, number=0, cut="a cut"),))
    )
    to = await service(base, path).make()
    await play_on(tables, 1, 5)
    later = await tables.load(1)
    await base.close()
    before = digest(path)
    done = restore(path, to, NOON)
    assert done.backup == to
    assert [digest(aside) for aside in done.aside] == [before]
    base = await Database.open(path)
    matches = Matches(base)
    restored = await matches.get(1)
    assert restored is not None
    assert restored.moves < later.moves
    assert restored.doubt is RestoreCheck.UNCHECKED
    assert not restored.running
    again = await matches.get(lobby.id)
    assert again is not None
    assert again.secret != lobby.secret, "somebody may have seen hands that were dealt from the old seed"
    assert (lobby.cuts, again.cuts) == (("a cut",), ()), "a player who cuts is to know what they mix with"
    assert again.doubt is None
    opened = await matches.open(_lobby(restored))
    assert opened.id > lobby.id + 900, "buttons of later matches are still there"
    await base.close()
    base = await Database.open(path)
    assert (await Matches(base).get(lobby.id)) == again, "once"
    await base.close()


async def test_a_restored_database_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut leaves the old database, none, or the restored one, and never a part of one under that name."""
    path, base = await running(tmp_path)
    await base.close()
    steps: list[tuple[str, int]] = []  # what was done, and the number of the file
    rename, fsync = os.rename, os.fsync

    def renamed(source: Path, to: Path) -> None:
        steps.append((f"named {Path(to).name}", inode(source)))
        rename(source, to)

    def synced(handle: int) -> None:
        fsync(handle)
        steps.append(("synced", os.fstat(handle).st_ino))

    monkeypatch.setattr(os, "rename", renamed)
    monkeypatch.setattr(os, "fsync", synced)
    restore(path, None, NOON)
    placed = steps.index(("named sundial.db", inode(path)))
    assert ("synced", inode(path)) in steps[:placed], steps
    assert ("synced", inode(path.parent)) in steps[placed:], steps


def inode(path: Path) -> int:
    return path.stat().st_ino


async def test_no_other_user_reads_a_restored_database(tmp_path: Path) -> None:
    """The restoration itself sets the modes, before the next start does."""
    path, base = await running(tmp_path)
    await base.close()
    before = os.umask(0o022)
    try:
        restore(path, None, NOON)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def modes_stay(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each file keeps the mode with which it is created, under a umask that lets everyone read and write."""

    def ignore(*arguments: object, **more: object) -> None:
        """Change no mode."""

    for name in ("chmod", "fchmod"):
        monkeypatch.setattr(os, name, ignore)
    monkeypatch.setattr(Path, "chmod", ignore)
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("modes_stay")
async def test_a_restored_database_is_private_from_its_first_byte(tmp_path: Path) -> None:
    """A program that opened the file in between could read on, even after the file's mode changes."""
    path, base = await running(tmp_path)
    await base.close()
    left = path.with_name(f"{path.name}.restoring")  # left by a crash of an earlier version; all users can read it
    left.touch()
    with left.open("rb") as opened:
        restore(path, None, NOON)
        assert opened.read() == b""
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("modes_stay")
async def test_a_backup_and_the_copy_with_its_log_are_private_from_their_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that opened the file in between could read on, even after the file's mode changes."""
    path, base = await running(tmp_path)
    backup = await service(base, path).make()
    assert backup.stat().st_mode & 0o777 == 0o600
    with_log = tmp_path / "with its log.db"
    for file, to in ((path, with_log), (backup_files.wal(path), backup_files.wal(with_log))):
        shutil.copyfile(file, to)
    await base.close()
    modes: list[int] = []
    verify = backup_files.verify

    def looked(whole: Path) -> tuple[int, list[int]]:
        modes.append(whole.stat().st_mode & 0o777)
        return verify(whole)

    monkeypatch.setattr(backup_files, "verify", looked)
    restore(path, with_log, NOON)
    assert modes == [0o600]


async def test_the_journal_of_a_restoration_cut_off_does_not_get_into_the_next(tmp_path: Path) -> None:
    """SQLite plays back a journal that it finds beside a database."""
    path, base = await running(tmp_path)
    backup = await service(base, path).make()
    await base.close()
    left = path.with_name(f"{path.name}.restoring")
    shutil.copyfile(backup, left)
    journal = left.with_name(f"{left.name}-journal")
    with closing(sqlite3.connect(left, isolation_level=None)) as cut_off:
        cut_off.execute("PRAGMA cache_size=1")  # it writes its journal and pages before the commit
        cut_off.execute("INSERT INTO setting VALUES ('from', 'the restoration cut off')")
        cut_off.execute("BEGIN")
        for table in ("setting", "move", "match", "seat", "post"):
            cut_off.execute(f"DELETE FROM {table}")
        pages = journal.read_bytes()
    journal.write_bytes(pages)
    restore(path, None, NOON)
    assert not journal.exists()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT value FROM setting WHERE name = 'from'").fetchone() is None


def _lobby(match: Any) -> Any:
    return replace(match, status=Status.LOBBY, state=None, moves=0, undone=0, chain=None, doubt=None, chairs=())


async def test_the_newest_that_is_whole_is_taken(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    good = await service(base, path).make()
    bad = await service(base, path, NOON + timedelta(hours=1)).make()
    empty = await service(base, path, NOON + timedelta(hours=2)).make()
    await base.close()
    content = bytearray(bad.read_bytes())
    content[4096:12288] = b"\xa5" * 8192
    bad.write_bytes(content)
    empty.write_bytes(b"")
    path.unlink()
    done = restore(path, None, NOON)
    assert done.backup == good
    assert [faulty for faulty, _ in done.passed_over] == [empty, bad]
    await (await Database.open(path)).close()


async def test_one_made_by_a_clock_that_was_ahead_is_taken_where_there_is_no_other(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    good = await service(base, path).make()
    wrong = await service(base, path, NOON + timedelta(days=4000), sure=False).make()
    await base.close()
    path.unlink()
    done = restore(path, None, NOON)
    assert done.backup == good
    assert [faulty for faulty, _ in done.passed_over] == [wrong] and "time to come" in done.passed_over[0][1]
    assert restore(path, wrong, NOON).backup == wrong, "who names it has it"
    for backup in backup_files.backups(path):
        if backup.path != wrong:
            backup.path.write_bytes(b"")
    done = restore(path, None, NOON + timedelta(minutes=1))
    assert done.backup == wrong
    assert wrong not in [faulty for faulty, _ in done.passed_over]


async def test_an_older_schema_comes_back_and_is_brought_up_to_date(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    await base.close()
    (before,) = backup_files.backups(path)
    restore(path, before.path, NOON)
    base = await Database.open(path)
    match = await Matches(base).get(1)
    assert match is not None
    assert match.doubt is RestoreCheck.UNCHECKED
    await base.close()


async def test_what_is_no_backup_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    await base.close()
    before, other = digest(path), tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE recipe (cake TEXT)")
    newer = tmp_path / "newer.db"
    newer.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 9999")
    garbage = tmp_path / "garbage.db"
    garbage.write_bytes(b"no database " * 1000)
    for chosen, code in ((other, 74), (garbage, 74), (tmp_path / "nothing.db", 74), (newer, 78)):
        refusal = refused(path, chosen)
        assert refusal.code == code and "Nothing was changed" in str(refusal)
        assert digest(path) == before
    assert refused(tmp_path / "elsewhere" / "sundial.db").code == RIGHTS


async def test_under_a_running_bot_nothing_is_restored(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    holder = holding(path)
    try:
        assert refused(path).code == 75
    finally:
        holder.communicate("\n", timeout=PATIENCE)


async def test_through_a_link_it_is_the_database_that_comes_back(tmp_path: Path) -> None:
    """With its log and its backups, which lie beside the file and not beside the link."""
    path, base = await running(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(path)
    backup = await service(base, link).make()
    assert backup_files.backups(path)[0].path == backup
    ErasureLog(link).note(101, 1)
    assert ErasureLog(path).since([101], 0) == [101]
    await base.close()
    backup_files.wal(path).write_bytes(b"moves that were made")
    assert restore(link, None, NOON).backup == backup
    assert link.is_symlink() and not path.is_symlink()
    assert not backup_files.wal(path).exists()
    assert {found.name for found in (tmp_path / "elsewhere").iterdir()} == {"link.db"}
    base = await Database.open(link)
    match = await Matches(base).get(1)
    assert match is not None and match.doubt is RestoreCheck.UNCHECKED
    await base.close()


# --- a lost database


@pytest.mark.parametrize("how", ["gone", "empty"])
async def test_never_an_empty_database_in_place_of_a_lost_one(how: str, tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    await (await Database.open(path)).close()
    path.unlink()
    if how == "empty":
        path.touch()
    refusal = await lost(path)
    assert "--restore" in str(refusal)
    assert f"{path}.lock" in str(refusal)
    assert path.exists() == (how == "empty")
    path.with_name("sundial.db.lock").unlink()
    await (await Database.open(path)).close()


async def test_its_wal_or_its_backups_tell_of_it_too(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    await service(base, path).make()
    await base.close()
    for name in ("sundial.db", "sundial.db.lock"):
        (tmp_path / name).unlink()
    assert str(backup_files.folder(path)) in str(await lost(path))
    backup_files.folder(path).rename(tmp_path / "away")
    backup_files.wal(path).write_bytes(b"moves that were made")
    assert str(backup_files.wal(path)) in str(await lost(path))


async def test_a_truncated_database_is_refused_as_it_is(tmp_path: Path) -> None:
    path, base = await running(tmp_path)
    await base.close()
    whole = path.read_bytes()
    for size in (1, 100, 4096, len(whole) // 2, len(whole) - 4096):
        path.write_bytes(whole[:size])
        before = digest(path)
        assert (await lost(path)).code == 74
        assert digest(path) == before
        with pytest.raises(BadCopy):
            backup_files.verify(path)
