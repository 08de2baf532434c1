"""The lock file beside the database: only one bot uses the database, and a lost database is noticed."""

from __future__ import annotations

import errno
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from data.store import backup_files

log = logging.getLogger(__name__)

LEAST = 512
"""Bytes of the smallest database: SQLite takes a shorter file for an empty one."""
IN_USE = 75
"""The code of a refusal because a bot runs on the database."""
NO_LOCKS = 70
"""The code of a refusal because the file system has no locks."""
NO_ROOM = 71
"""The code of a refusal because a disk is full."""

_RUN = re.compile(r"^Run (\d{1,9})\.$", re.ASCII | re.MULTILINE)


class DatabaseRefusal(Exception):
    """The database cannot be used; one sentence says why to the operator. The file is unchanged.

    `code` is the exit code to leave with (sysexits.h): 70 no locks, 74 unreadable or damaged, 75 in use, 78 too new;
    for PostgreSQL also those of data/store/postgres_refusals.py.
    """

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def place(database: Path) -> Path:
    """Return the path of the file itself, which need not exist. Raises DatabaseRefusal for a link to a missing file."""
    path = backup_files.real(database)
    if database.is_symlink() and not path.exists():
        raise DatabaseRefusal(
            f"The database {database} is a link to {path}, and there is nothing. Mount its disk, or bring a backup "
            "back with `python bot.py --restore`; or, to begin again, make an empty file there.",
            74,
        )
    return path


def lock(path: Path) -> IO[str]:
    """Lock `<path>.lock` for as long as this process lives. Raises DatabaseRefusal, also if the folder is missing: the
    disk with the database may not be mounted.
    """
    try:
        # Open until the process ends, so no `with`; neither emptied nor only appended to, which no mode of Python's is.
        lock_file = open(f"{path}.lock", "r+", encoding="utf-8", errors="replace", opener=_made_if_missing)  # noqa: SIM115
    except FileNotFoundError as error:
        raise DatabaseRefusal(
            f"The folder of the database is not there: {path.parent}. Mount its disk; or, where this is a new place, "
            f'make it: mkdir -p "{path.parent}"',
            74,
        ) from error
    except OSError as error:
        raise DatabaseRefusal(
            f"The folder of the database cannot be written: {path.parent} ({error.strerror}).", 74
        ) from error
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
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        lock_file.close()
        raise DatabaseRefusal(f"The database {path} cannot be read and written by this user.", 74)
    return lock_file


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
    return DatabaseRefusal(f"The database {path} cannot be locked ({error.strerror}).", 74)


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
def locked(path: Path) -> Iterator[None]:
    """Lock the database while the block runs. Raises DatabaseRefusal if a bot runs on it."""
    lock_file = lock(path)
    try:
        yield
    finally:
        unlock(lock_file)


def in_use(path: Path) -> bool:
    """Return whether a bot runs on the database. Raises DatabaseRefusal if that cannot be told."""
    if not Path(f"{path}.lock").exists():
        return False
    try:
        with locked(path):
            return False
    except DatabaseRefusal as error:
        if error.code == IN_USE:
            return True
        raise


def check_not_lost(path: Path, lock_file: IO[str]) -> None:
    """For a database without tables: raise DatabaseRefusal if one with tables was here before, to never replace it."""
    signs = [Path(lock_file.name)] if _text(lock_file) else []
    if not path.exists() or path.stat().st_size < LEAST:  # a larger file may have the log of a very first start
        signs += [log for log in [backup_files.wal(path)] if log.exists() and log.stat().st_size]
    signs += [backup_files.folder(path)] if backup_files.backups(path) else []
    if signs:
        raise DatabaseRefusal(
            f"The database {path} is {'empty' if path.exists() else 'gone'}, and there was one. Bring a backup back "
            f"with `python bot.py --restore`; or, to begin again without it, move away: {', '.join(map(str, signs))}.",
            74,
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
        raise DatabaseRefusal(f"{lock_file.name} cannot be written: {error.strerror}.", 74) from error


def _text(lock_file: IO[str]) -> str:
    lock_file.seek(0)
    return lock_file.read()
