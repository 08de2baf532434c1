"""Backup files: how copies of a database are made, named, verified and removed.

A copy is written as `*.partial`, synced to the disk, verified, and only then renamed. So a file with the name of a
backup is whole. All functions here block; they run in the connection's thread or in a thread of their own.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from data.store import schema
from data.store.hash_chain import broken

PAGES = 64
"""Pages in one step of a copy. Other work of the connection waits for one step at most."""
NEWEST, HOURS, DAYS = 12, 24, 30
"""Backups to keep: the `NEWEST` newest, and the newest of each of the last `HOURS` hours and `DAYS` days with one.

Only the newest backup is kept for longer than `DAYS` days, since backups hold data that players have had deleted.
Backups dated in the future, by a clock that was wrong, replace no others: the last `NEWEST` of them are kept besides,
for `DAYS` days from when they were first seen.
"""
AHEAD = timedelta(days=1)
"""A backup dated more than this after now is dated in the future."""
ROOM = 200 << 20
"""Bytes that a backup leaves free on the disk, since moves matter more than backups."""
PARTIAL = ".partial"
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r".*-(\d{8}T\d{6}Z)(-schema\d+)?\.db")


class BadCopy(Exception):
    """A copy that cannot be used, with the reason in a few words."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole backup. `schema`: whether it was made before an upgrade."""

    path: Path
    made: datetime
    schema: bool


def real(database: Path) -> Path:
    """Return the path of the file itself, past any link. All files that belong to it are beside it, named after it."""
    return Path(os.path.realpath(database))


def folder(database: Path) -> Path:
    """Return the folder of that database's backups."""
    database = real(database)
    return database.with_name(f"{database.name}.backups")


def name(database: Path, made: datetime, schema: int | None = None) -> Path:
    """Return the path of a backup made at that instant. `schema`: its number, before an upgrade."""
    suffix = "" if schema is None else f"-schema{schema}"
    return folder(database) / f"{real(database).stem}-{made.astimezone(UTC).strftime(_STAMP)}{suffix}.db"


def backups(database: Path) -> list[Backup]:
    """Return the whole backups, the newest first. Partial files and files with other names do not count."""
    found = (
        Backup(path, datetime.fromisoformat(named[1]), named[2] is not None)
        for path in folder(database).glob("*.db")
        if (named := _NAME.fullmatch(path.name))
    )
    return sorted(found, key=lambda backup: (backup.made, backup.path.name), reverse=True)


def past_and_future(database: Path, now: datetime) -> tuple[list[Backup], list[Backup]]:
    """Return the backups dated until now and those dated in the future, each with the newest first."""
    found = backups(database)
    ahead = [backup for backup in found if backup.made - now > AHEAD]
    return found[len(ahead) :], ahead


def check_room(database: Path) -> None:
    """Raise BadCopy if the disk has no room for another copy."""
    size = sum(path.stat().st_size for path in (database, wal(database)) if path.exists())
    free = shutil.disk_usage(database.parent).free
    if free < size + ROOM:
        raise BadCopy(f"{free >> 20} MB are free, and {(size + ROOM) >> 20} MB are needed")


def create_private(path: Path) -> None:
    """Create an empty file that only its owner can read, since it will hold hands and seeds. It replaces a file that a
    crash has left there, with that file's journal, which SQLite would play back into the new one.
    """
    for left in (path, path.with_name(f"{path.name}-journal")):
        left.unlink(missing_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def copy_file(source: Path, to: Path) -> None:
    """Copy a file of a database that is not in use into a private one. Raises OSError."""
    create_private(to)
    shutil.copyfile(source, to)


def copy(source: sqlite3.Connection, to: Path, between: Callable[..., None] | None = None) -> None:
    """Copy a database, in the state it has when this returns, into a partial file. The copy is marked as restored.

    `between` is called between two steps and may write to the source. Raises BadCopy, sqlite3.Error or OSError; then
    there is no file.
    """
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = to.with_name(to.name + PARTIAL)
    create_private(partial)
    try:
        with closing(sqlite3.connect(partial)) as target:
            target.execute("PRAGMA synchronous=OFF")  # `finish` syncs all of it
            source.backup(target, pages=PAGES, progress=between, sleep=0)
            target.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file
            schema.mark_restored(target)  # also if the operator copies it into place by hand
            target.commit()
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def finish(to: Path) -> list[int]:
    """Sync a copy to the disk, verify it, and rename it. Return the matches in it whose log is damaged.

    Raises BadCopy or OSError; then there is no file.
    """
    partial = to.with_name(to.name + PARTIAL)
    try:
        sync(partial)
        _, damaged = verify(partial)
        partial.replace(to)
        sync(to.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return damaged


def verify(path: Path) -> tuple[int, list[int]]:
    """Return the schema's number of a database not in use, and the matches whose log is damaged. Raises BadCopy."""
    if not path.exists():
        raise BadCopy("there is no such file")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            fault = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if fault != "ok":
                raise BadCopy(f"it is damaged ({fault})")
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not version or not {"match", "move", "setting"} <= tables:
                raise BadCopy("it is no database of this program")
            columns = {row[1] for row in connection.execute("PRAGMA table_info(match)")}
            return version, broken(connection) if "chain" in columns else []
    except sqlite3.Error as error:
        raise BadCopy(f"it cannot be read ({error})") from error


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot sync a folder
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def clear(database: Path) -> None:
    """Remove the partial files that a crash has left."""
    for path in folder(database).glob(f"*{PARTIAL}*"):
        path.unlink(missing_ok=True)


def rotate(database: Path, now: datetime) -> list[Path]:
    """Remove the backups that are not needed any more or are too old, and return their paths."""
    newest_first, ahead = past_and_future(database, now)
    kept = {backup.path for backup in to_keep([backup for backup in newest_first if not backup.schema])}
    kept |= {backup.path for backup in newest_first if backup.schema}
    old = {backup.path for backup in newest_first[1:] if now - backup.made > timedelta(days=DAYS)}
    gone = [backup.path for backup in newest_first if backup.path not in kept or backup.path in old]
    gone += [backup.path for backup in ahead[NEWEST:]]
    gone += [backup.path for backup in ahead[:NEWEST] if now - _seen(backup.path, now) > timedelta(days=DAYS)]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def _seen(path: Path, now: datetime) -> datetime:
    """Return when a file was first seen: its modification time. One in the future is set to now."""
    if path.stat().st_mtime > now.timestamp():
        os.utime(path, (now.timestamp(), now.timestamp()))
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def to_keep(newest_first: Sequence[Backup]) -> list[Backup]:
    """Return the backups to keep: the newest, and the newest of each of the last hours and days that have one."""
    kept = dict.fromkeys(newest_first[:NEWEST])
    for length, most in ((len("2026-11-21T12"), HOURS), (len("2026-11-21"), DAYS)):
        firsts: dict[str, Backup] = {}
        for backup in newest_first:
            firsts.setdefault(backup.made.isoformat()[:length], backup)
        kept |= dict.fromkeys(list(firsts.values())[:most])
    return list(kept)


def wal(database: Path) -> Path:
    """Return the path of SQLite's write-ahead log. It belongs to the database."""
    database = real(database)
    return database.with_name(f"{database.name}-wal")
