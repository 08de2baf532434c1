"""The file beside the database by which one bot alone uses it, and which tells that there is a database at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from data import copies

LEAST = 512
"""Bytes of the smallest database: SQLite takes what is shorter for an empty one."""


class DatabaseRefusal(Exception):
    """The database cannot be used, said in one sentence for the operator. The file is unchanged.

    `code` is the exit code to leave with (sysexits.h): 74 unreadable or damaged, 75 in use, 78 too new.
    """

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def lock(path: Path) -> IO[str]:
    """Hold `<path>.lock` for as long as this process lives. Raises DatabaseRefusal."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock_file = path.with_name(f"{path.name}.lock").open("a+", encoding="utf-8")
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
        raise DatabaseRefusal(f"Another bot is running on the database {path}. Stop it first.", 75) from error
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        lock_file.close()
        raise DatabaseRefusal(f"The database {path} cannot be read and written by this user.", 74)
    return lock_file


def unlock(lock_file: IO[str] | None) -> None:
    if lock_file is not None:
        lock_file.close()


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the database's files while no bot runs on them. Raises DatabaseRefusal."""
    lock_file = lock(path)
    try:
        yield
    finally:
        unlock(lock_file)


def check_not_lost(path: Path, lock_file: IO[str]) -> None:
    """Raise DatabaseRefusal where there is no database and there was one: never an empty one in its place."""
    if path.exists() and (path.is_dir() or path.stat().st_size >= LEAST):
        return
    lock_file.seek(0)
    signs = [Path(lock_file.name)] if lock_file.read() else []
    signs += [log for log in [copies.wal(path)] if log.exists() and log.stat().st_size]
    signs += [copies.folder(path)] if copies.backups(path) else []
    if signs:
        raise DatabaseRefusal(
            f"The database {path} is {'empty' if path.exists() else 'gone'}, and there was one. Bring a backup back "
            f"with `python bot.py --restore`; or, to begin anew without it, move away: {', '.join(map(str, signs))}.",
            74,
        )


def leave_sign(path: Path, lock_file: IO[str]) -> None:
    """Note beside the database that there is one, for the day on which there is none. Raises DatabaseRefusal."""
    try:
        lock_file.seek(0)
        if not lock_file.read():
            text = f"{path.name} belongs here. Delete this file only to begin anew where that is gone for good.\n"
            os.write(lock_file.fileno(), text.encode())  # not through a buffer, which would try again when it is closed
            os.fsync(lock_file.fileno())
    except OSError as error:
        raise DatabaseRefusal(f"{lock_file.name} cannot be written: {error.strerror}.", 74) from error
