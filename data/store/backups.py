"""Makes backups of the running database at regular times, and restores one.

A restored backup may be older than what Discord shows. Its matches are marked for that (see `Database.open`). The files
that were there before are moved aside, never deleted.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from data.store import backup_files, schema
from data.store.backup_files import BadCopy
from data.store.daemon_thread import run_in_daemon_thread
from data.store.database import Database
from data.store.lock import DAMAGED, TOO_NEW, DatabaseRefusal, locked, refusal
from data.store.sqlite import SqliteEngine

log = logging.getLogger(__name__)

SOON = 60.0
"""Seconds between the start and the first backup at least."""


class Backups:
    """Makes a backup of a database of SQLite every `minutes` if something has changed; 0: never.

    `now` returns seconds since 1970. `sure` returns whether that time is certain; if it is not, no backup is removed.
    """

    def __init__(
        self,
        database: Database,
        path: Path,
        minutes: int,
        now: Callable[[], float],
        sure: Callable[[], bool] = lambda: False,
    ) -> None:
        assert isinstance(database.engine, SqliteEngine)
        self._database, self._engine = database, database.engine
        self._path = path
        self.interval = minutes * 60.0
        self._now = now
        self._sure = sure
        self.changes = -1
        self._sound = False
        self._failing = False
        self._unsaved_since: float | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Remove what a crash left, and begin."""
        try:
            await asyncio.to_thread(backup_files.clear, self._path)
        except OSError as error:
            log.warning("what a crash left cannot be removed: %s. Let this user write there", error.filename)
        if self.interval:
            self._task = asyncio.create_task(self._run(), name="clock: backups")

    async def close(self) -> None:
        """Stop making backups; one under way is given up."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        last = next((backup.made.timestamp() for backup in backup_files.backups(self._path)), 0.0)
        await asyncio.sleep(min(self.interval, max(SOON, last + self.interval - self._now())))
        while True:
            try:
                if self._database.changes != self.changes:
                    await self.make()
                elif self._sound:  # backups grow too old even while nothing changes
                    await self._rotate()
                if self._failing:
                    log.warning("backups are made again")
                self._failing = False
            except (BadCopy, sqlite3.Error, OSError) as error:  # the next backup may succeed
                if not self._failing:
                    why = str(error) if isinstance(error, BadCopy) else error
                    folder = backup_files.folder(self._path)
                    log.error("no backup can be made in %s: %s. Tried again every %.0f s", folder, why, self.interval)
                self._failing = True
            await asyncio.sleep(self.interval)

    def gauges(self) -> dict[str, float]:
        """Return the metrics of the backups, if any are made."""
        if not self.interval:
            return {}
        if self._database.changes == self.changes:
            self._unsaved_since = None
        elif self._unsaved_since is None:
            self._unsaved_since = self._now()
        unsaved = 0.0 if self._unsaved_since is None else self._now() - self._unsaved_since
        return {"backup_failing": self._failing, "unsaved_seconds": max(0.0, unsaved)}

    async def make(self) -> Path:
        """Make a backup now, and remove those not needed any more. Raises BadCopy, sqlite3.Error or OSError."""
        changes, to = self._database.changes, backup_files.name(self._path, datetime.fromtimestamp(self._now(), UTC))
        await asyncio.to_thread(backup_files.check_room, self._path)
        await self._engine.copy_to(to)
        try:
            damaged = await run_in_daemon_thread("backup", backup_files.finish, to)
        except asyncio.CancelledError:  # the thread finds the file gone; on Windows it stays until the next start
            with suppress(OSError):
                to.with_name(to.name + backup_files.PARTIAL).unlink(missing_ok=True)
            raise
        self.changes, self._sound = changes, not damaged
        if damaged:
            # An older backup may be the only one in which these matches are whole.
            log.error("the backup %s holds damaged matches (%s): older ones are kept", to, damaged)
        else:
            await self._rotate()
        log.info("backup: %s", to)
        return to

    async def _rotate(self) -> None:
        if self._sure():
            await asyncio.to_thread(backup_files.rotate, self._path, datetime.fromtimestamp(self._now(), UTC))


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restoration did: the backup in place now, the backups passed over and why, and the files moved aside."""

    backup: Path
    passed_over: tuple[tuple[Path, str], ...]
    aside: tuple[Path, ...]
    damaged: tuple[int, ...]
    """Matches in the backup whose log is damaged."""


def restore(database: Path, chosen: Path | None, now: datetime) -> Restored:
    """Put a backup in the database's place: `chosen`, or the newest that is whole.

    A backup dated in the future is only taken if there is no other. Raises DatabaseRefusal, also if a bot runs on the
    database; then nothing has changed.
    """
    database = backup_files.real(database)
    with locked(database):
        others, ahead = ([backup.path for backup in found] for found in backup_files.past_and_future(database, now))
        candidates = [*others, *ahead] if chosen is None else [chosen]
        passed_over: list[tuple[Path, str]] = []
        for backup in candidates:
            try:
                with _with_its_log(backup, database.parent) as whole:
                    version, damaged = backup_files.verify(whole)
                    if version > len(schema.steps()):
                        raise DatabaseRefusal(
                            f"The backup {backup} is from a newer version of this program. Nothing was changed. "
                            "Install that version, or name an older backup behind --restore.",
                            TOO_NEW,
                        )
                    moved = _install(database, whole, now)
            except BadCopy as fault:
                passed_over.append((backup, str(fault)))
                continue
            except (OSError, sqlite3.Error) as error:
                raise refusal(f"The backup {backup} cannot be put in place", error, database) from error
            if chosen is None and backup in others:
                passed_over += [(path, "it is named for a time to come") for path in ahead]
            return Restored(backup, tuple(passed_over), moved, tuple(damaged))
    if not passed_over:
        raise DatabaseRefusal(f"There is no backup in {backup_files.folder(database)}. Nothing was changed.", DAMAGED)
    faults = "; ".join(f"{path}: {why}" for path, why in passed_over)
    raise DatabaseRefusal(f"No backup can be used ({faults}). Nothing was changed.", DAMAGED)


@contextmanager
def _with_its_log(backup: Path, near: Path) -> Iterator[Path]:
    """Yield the backup; if a write-ahead log lies beside it, as beside files moved aside, yield a copy in the folder
    `near` that includes the log. Raises BadCopy, OSError.
    """
    log_file = backup_files.wal(backup)
    if not log_file.exists():
        yield backup
        return
    with TemporaryDirectory(dir=near) as folder:
        whole = Path(folder) / backup.name
        backup_files.copy_file(backup, whole)
        backup_files.copy_file(log_file, backup_files.wal(whole))
        try:
            with closing(sqlite3.connect(whole)) as connection:
                connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            raise BadCopy(f"it cannot be read together with its log ({error})") from error
        yield whole


def _install(database: Path, backup: Path, now: datetime) -> tuple[Path, ...]:
    """Copy the backup beside the database, mark it and swap the two. Return the paths of the files moved aside."""
    fresh = database.with_name(f"{database.name}.restoring")
    backup_files.copy_file(backup, fresh)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # all of it in the one file
        schema.mark_restored(connection)
    backup_files.sync(fresh)
    moved = []
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    for suffix in ("", "-wal", "-shm"):  # after a crash in between the database is missing, never cut short
        path = database.with_name(f"{database.name}{suffix}")
        if path.exists():
            moved.append(path.rename(database.with_name(f"{database.name}.before-{stamp}{suffix}")))
    fresh.rename(database)
    backup_files.sync(database.parent)
    return tuple(moved)
