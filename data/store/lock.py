"""The lock file beside the database: only one bot uses the database, and a lost database is noticed."""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from data.store import backup_files, erasure_log

log = logging.getLogger(__name__)

LEAST = 512
"""Bytes of the smallest database: SQLite takes a shorter file for an empty one."""
FAULT, CANNOT_MOVE, NOT_OURS, NO_LOCKS, NO_ROOM, RIGHTS, DAMAGED, IN_USE, TOO_NEW = 1, 2, 65, 70, 71, 73, 74, 75, 78
"""The codes of refusals, as docs/operating.md has them, most after sysexits.h. Only DAMAGED asks for a backup."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_FILE = (errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EEXIST, *_NO_FILE)
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)
NOTHING_FREE = 1 << 20
"""Free bytes below which a failing file is taken for one on a full disk: SQLite then says "disk I/O error" too."""
TO_DO = {
    FAULT: "This is a fault of the program: report it to the project.",
    NO_ROOM: "Its disk is full. Make room, then start again: nothing is lost.",
    RIGHTS: "Let this user read and write the file and its folder, and see that its disk is mounted for writing.",
    DAMAGED: "If it is the bot's, it is damaged. Restore a backup: python bot.py --restore",
}
"""What the operator does about what `code_of` returns."""

_RUN = re.compile(r"^Run (\d{1,9})\.$", re.ASCII | re.MULTILINE)


class DatabaseRefusal(Exception):
    """The database cannot be used; one sentence says why to the operator. The file is unchanged. `code` is the exit
    code to leave with: one of the above, or of data/store/postgres_refusals.py.
    """

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def code_of(error: OSError | sqlite3.Error, path: Path) -> int:
    """Return the code of a refusal because of that error of the database at `path`, or of a file beside it."""
    number, kind = getattr(error, "errno", 0), getattr(error, "sqlite_errorcode", 0) & 0xFF
    if number in _FULL or kind == sqlite3.SQLITE_FULL:
        return NO_ROOM
    if number in _FORBIDDEN or kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return RIGHTS
    if kind == sqlite3.SQLITE_IOERR and shutil.disk_usage(path.parent).free < NOTHING_FREE:
        return NO_ROOM
    return DAMAGED if number or kind in _DAMAGE else FAULT


def refusal(sentence: str, error: OSError | sqlite3.Error, path: Path) -> DatabaseRefusal:
    """Return the refusal because of that error: the sentence, the error in words, and what to do."""
    code = code_of(error, path)
    return DatabaseRefusal(f"{sentence}: {getattr(error, 'strerror', None) or error}. {TO_DO[code]}", code)


def place(database: Path) -> Path:
    """Return the path of the file itself, which need not exist. Raises DatabaseRefusal for a link to a missing file,
    for a folder or a device, and for a path that is too long.
    """
    path = backup_files.real(database)
    try:
        there = path.exists()
    except OSError as error:
        raise refusal(f"The database {database} cannot be used", error, path) from error
    if there and not path.is_file():
        raise DatabaseRefusal(
            f"The database {database} is no file, but a folder or a device. Set DATABASE to the path of a file, "
            "which the bot makes if it is not there.",
            RIGHTS,
        )
    if database.is_symlink() and not there:
        raise DatabaseRefusal(
            f"The database {database} is a link to {path}, and there is nothing. Mount its disk, or bring a backup "
            "back with `python bot.py --restore`; or, to begin again, make an empty file there.",
            RIGHTS,
        )
    return path


def lock(path: Path) -> IO[str]:
    """Lock `<path>.lock` for as long as this process lives. Raises DatabaseRefusal, also if the folder is missing: the
    disk with the database may not be mounted.
    """
    try:
        # Open until the process ends, so no `with`; neither emptied nor only appended to, which no mode of Python's is.
        lock_file = open(f"{path}.lock", "r+", encoding="utf-8", errors="replace", opener=_made_if_missing)  # noqa: SIM115
    except OSError as error:
        there = path.parent.is_dir()
        if error.errno in _NO_FILE or (there and error.errno == errno.ENOENT):
            what = f"{path}.lock cannot be opened: {error.strerror}"
            raise DatabaseRefusal(f"{what}. If it is there, move it away: it holds no match.", RIGHTS) from error
        if error.errno == errno.ENOENT:
            raise DatabaseRefusal(
                f"The folder of the database is not there: {path.parent}. Mount its disk; or, where this is a new "
                f'place, make it: mkdir -p "{path.parent}"',
                RIGHTS,
            ) from error
        raise refusal(f"The folder of the database cannot be written: {path.parent}", error, path) from error
    try:
        if sys.platform == "win32":
            import msvcrt

            lock_file.seek(0)
            msvcrt.locking(lock_file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock_file.close()
        raise _unlockable(path, error) from error
    return lock_file


def check_rights(path: Path) -> None:
    """Raise DatabaseRefusal if this user may not read and write the database, or a file that belongs to it."""
    for file in (path, backup_files.wal(path), path.with_name(f"{path.name}-shm"), erasure_log.place(path)):
        if os.path.lexists(file) and not (file.is_file() and os.access(file, os.R_OK | os.W_OK)):
            raise DatabaseRefusal(f"The file {file} cannot be read and written. {TO_DO[RIGHTS]}", RIGHTS)


def _unlockable(path: Path, error: OSError) -> DatabaseRefusal:
    """Return the refusal for a database that cannot be locked."""
    if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK):
        return DatabaseRefusal(f"Another bot is running on the database {path}. Stop it first.", IN_USE)
    if error.errno in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
        return DatabaseRefusal(
            f"The file system of {path.parent} has no locks ({error.strerror}), as some network shares have none. "
            "Without them two bots could damage the database. Put it on a local disk, set DATABASE to its path there, "
            "or use PostgreSQL.",
            NO_LOCKS,
        )
    return refusal(f"The database {path} cannot be locked", error, path)


def _made_if_missing(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, 0o600)


def keep_private(path: Path, lock_file: IO[str]) -> None:
    """Let only the owner of the files read the database and those beside it, since they hold hands and seeds.

    A missing database file is created. SQLite gives its mode to the files that it creates.
    """
    if os.name == "nt":
        return  # Windows has no such modes
    with suppress(OSError):  # SQLite will say what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    for file in (path, backup_files.wal(path), path.with_name(f"{path.name}-shm"), Path(lock_file.name)):
        try:
            if file.exists() and file.stat().st_mode & 0o077:
                file.chmod(0o600)
        except OSError as error:
            log.warning("others may be able to read %s: %s", file, error.strerror)


def unlock(lock_file: IO[str] | None) -> None:
    """Let another bot use the database. `lock_file` None: there was no file to lock."""
    if lock_file is not None:
        lock_file.close()


@contextmanager
def locked(path: Path) -> Iterator[IO[str]]:
    """Lock the database while the block runs, and yield the lock file. Raises DatabaseRefusal if a bot runs on it."""
    lock_file = lock(path)
    try:
        yield lock_file
    finally:
        unlock(lock_file)


def in_use(path: Path) -> bool:
    """Return whether a bot runs on the database. Raises DatabaseRefusal if that cannot be told."""
    try:
        there = Path(f"{path}.lock").exists()
    except OSError as error:  # such as a name that is too long
        raise refusal(f"{path}.lock cannot be opened", error, path) from error
    if not there:
        return False
    try:
        with locked(path):
            return False
    except DatabaseRefusal as error:
        if error.code == IN_USE:
            return True
        raise


def check_not_lost(path: Path) -> None:
    """For a database without tables: raise DatabaseRefusal if one with tables was here before, to never replace it."""
    marker = Path(f"{path}.lock")
    signs = [marker] if marker.exists() and marker.stat().st_size else []
    if not path.exists() or path.stat().st_size < LEAST:  # a larger file may have the log of a very first start
        signs += [log for log in [backup_files.wal(path)] if log.exists() and log.stat().st_size]
    signs += [backup_files.folder(path)] if backup_files.backups(path) else []
    if signs:
        raise DatabaseRefusal(
            f"The database {path} is {'empty' if path.exists() else 'gone'}, and there was one. Bring a backup back "
            f"with `python bot.py --restore`; or, to begin again without it, move away: {', '.join(map(str, signs))}.",
            DAMAGED,
        )


def last_run(lock_file: IO[str]) -> int:
    """Return the number of the last run in the lock file, 0 if there is none."""
    found = _RUN.search(_text(lock_file))
    return int(found[1]) if found else 0


def write_marker(path: Path, lock_file: IO[str], run: int) -> None:
    """Write into the lock file that there is a database, and the number of this run. Raises DatabaseRefusal."""
    text = f"{path.name} belongs here. Delete this file only to begin again where that is gone for good.\nRun {run}.\n"
    try:
        os.lseek(lock_file.fileno(), 0, os.SEEK_SET)
        os.write(lock_file.fileno(), text.encode())  # unbuffered: a buffer would write again when it is closed
        os.fsync(lock_file.fileno())
    except OSError as error:
        raise refusal(f"{lock_file.name} cannot be written", error, path) from error


def _text(lock_file: IO[str]) -> str:
    lock_file.seek(0)
    return lock_file.read()
