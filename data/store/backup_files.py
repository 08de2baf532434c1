"""Copies of a database in files beside it: how they are made, named, looked through and cleared away.

A copy is made as `*.partial`, put on the disk, looked through, and only then gets its name: what has a name is whole.
Everything here waits; it runs in the connection's thread or in one of its own.
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

from data.records.hash_chain import broken
from data.store import schema

PAGES = 64
"""Pages that are copied in one go: what else the connection has to do waits no longer than for these."""
NEWEST, HOURS, DAYS = 12, 24, 30
"""Backups that are kept: so many of the newest, and the newest of each of so many hours and days.

None is kept for longer than so many days, but the newest: they hold what people have had deleted since. Those that are
named for a time to come, by a clock that was wrong, push nothing out: the last `NEWEST` of them are kept besides, for
so many days from when they were first seen.
"""
AHEAD = timedelta(days=1)
"""What is named for more than that from now is named for a time to come."""
ROOM = 200 << 20
"""Bytes that a backup leaves free on the disk: moves go before backups."""
PARTIAL = ".partial"
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r".*-(\d{8}T\d{6}Z)(-schema\d+)?\.db")


class BadCopy(Exception):
    """A copy that is not what it should be, said in a few words."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole backup. `schema`: made before an upgrade."""

    path: Path
    made: datetime
    schema: bool


def real(database: Path) -> Path:
    """Where the file itself lies, whatever link leads to it: all that belongs to it is beside it, named after it."""
    return Path(os.path.realpath(database))


def folder(database: Path) -> Path:
    """Where the backups of that database are."""
    database = real(database)
    return database.with_name(f"{database.name}.backups")


def name(database: Path, made: datetime, schema: int | None = None) -> Path:
    """The file of a backup made at that instant; with the schema's number before an upgrade."""
    suffix = "" if schema is None else f"-schema{schema}"
    return folder(database) / f"{real(database).stem}-{made.astimezone(UTC).strftime(_STAMP)}{suffix}.db"


def backups(database: Path) -> list[Backup]:
    """Those that are whole, the newest first. What is half made or of another name is none."""
    found = []
    for path in folder(database).glob("*.db"):
        if named := _NAME.fullmatch(path.name):
            made = datetime.strptime(named[1], _STAMP).replace(tzinfo=UTC)
            found.append(Backup(path, made, named[2] is not None))
    return sorted(found, key=lambda backup: (backup.made, backup.path.name), reverse=True)


def told_apart(database: Path, now: datetime) -> tuple[list[Backup], list[Backup]]:
    """The backups, the newest first, and apart from them those that are named for a time to come."""
    found = backups(database)
    ahead = [backup for backup in found if backup.made - now > AHEAD]
    return found[len(ahead) :], ahead


def check_room(database: Path) -> None:
    """Raise BadCopy where the disk has no room for another copy."""
    size = sum(path.stat().st_size for path in (database, wal(database)) if path.exists())
    free = shutil.disk_usage(database.parent).free
    if free < size + ROOM:
        raise BadCopy(f"{free >> 20} MB are free, and {(size + ROOM) >> 20} MB are needed")


def copy(source: sqlite3.Connection, to: Path, between: Callable[..., None] | None = None) -> None:
    """Copy a database as it is when this returns; `between` is called now and then, and may write to the source.

    The copy says of itself that it is one.

    Raises BadCopy, sqlite3.Error or OSError; then there is no such file.
    """
    to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = to.with_name(to.name + PARTIAL)
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_CREAT | os.O_WRONLY, 0o600))  # it holds hands and seeds
    try:
        with closing(sqlite3.connect(partial)) as target:
            target.execute("PRAGMA synchronous=OFF")  # all of it is put on the disk below
            source.backup(target, pages=PAGES, progress=between, sleep=0)
            target.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file
            schema.mark_restored(target)  # however it comes to be in the database's place
            target.commit()
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def finish(to: Path) -> list[int]:
    """Put a copy on the disk, look through it, and give it its name. Gives the matches in it whose log is damaged.

    Raises BadCopy or OSError; then there is no such file.
    """
    partial = to.with_name(to.name + PARTIAL)
    try:
        sync(partial)
        _, damaged = look_through(partial)
        partial.replace(to)
        sync(to.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return damaged


def look_through(path: Path) -> tuple[int, list[int]]:
    """The schema of a database that nobody uses, and the matches in it whose log is damaged. Raises BadCopy."""
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
    """Put a file, or the names in a folder, on the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows has no such thing
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def clear(database: Path) -> None:
    """Remove what a crash has left half made."""
    for path in folder(database).glob(f"*{PARTIAL}*"):
        path.unlink(missing_ok=True)


def rotate(database: Path, now: datetime) -> list[Path]:
    """Remove the backups that need not be kept any longer, or may not, and give their paths."""
    newest_first, ahead = told_apart(database, now)
    kept = {backup.path for backup in kept_of([backup for backup in newest_first if not backup.schema])}
    kept |= {backup.path for backup in newest_first if backup.schema}
    old = {backup.path for backup in newest_first[1:] if now - backup.made > timedelta(days=DAYS)}
    gone = [backup.path for backup in newest_first if backup.path not in kept or backup.path in old]
    gone += [backup.path for backup in ahead[NEWEST:]]
    gone += [backup.path for backup in ahead[:NEWEST] if now - _seen(backup.path, now) > timedelta(days=DAYS)]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def _seen(path: Path, now: datetime) -> datetime:
    """When a file was first seen: its own time, unless that is to come; then it is now, from now on."""
    if path.stat().st_mtime > now.timestamp():
        os.utime(path, (now.timestamp(), now.timestamp()))
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def kept_of(newest_first: Sequence[Backup]) -> list[Backup]:
    """Those to keep: the newest, and the newest of each of the last hours and days in which one was made."""
    kept = dict.fromkeys(newest_first[:NEWEST])
    for pattern, most in (("%Y%m%d%H", HOURS), ("%Y%m%d", DAYS)):
        firsts: dict[str, Backup] = {}
        for backup in newest_first:
            firsts.setdefault(backup.made.strftime(pattern), backup)
        kept |= dict.fromkeys(list(firsts.values())[:most])
    return list(kept)


def wal(database: Path) -> Path:
    """The file in which SQLite keeps what it has not yet filed away; it belongs to the database."""
    database = real(database)
    return database.with_name(f"{database.name}-wal")
