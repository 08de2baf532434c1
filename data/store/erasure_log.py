"""The list of users whose data was deleted. A restored backup must not bring that data back, and such a user must not
return to a match that they may have left with the knowledge of a hand.

The list is a file beside the database, so a restored backup does not replace it. PostgreSQL has no such place: there it
is stored in the database (`StoredErasureLog`). It holds no id. Its first line is a random salt; each further line holds
the instant of a deletion and scrypt of the user's id with that salt. The ids cannot be read from it, but a reader who
knows an id can check whether it is listed. A line torn by a power cut is skipped; if that is the salt, the next
deletion writes a new one.

Each database, and so each backup, stores the last line whose deletion it contains. This needs no clock, so a clock that
was wrong changes nothing.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path

from data.store import backup_files, schema
from data.store.engine import Connection, NotStored

log = logging.getLogger(__name__)

LIST = "erasures"
"""Key in `setting`: the list, if it is stored in the database."""
COST = 1 << 14
"""The cost factor of scrypt: about 50 ms and 16 MB for each id."""
_LINE = re.compile(r"(?:(\d{1,12}) )?([0-9a-f]{32})", re.ASCII)
"""A deletion; or, without the instant, a salt."""


def place(database: Path) -> Path:
    """Return the path of the list beside a database."""
    return database.with_name(f"{database.name}.departed")


class ErasureLog:
    """The list beside a database; None: no list, for a database in memory. All methods block."""

    def __init__(self, database: Path | None) -> None:
        real = None if database is None else backup_files.real(database)
        self._path = None if real is None else place(real)

    def note(self, user: int, at: int) -> None:
        """Add a user to the list. `at`: seconds since 1970. Raises OSError."""
        if self._path is None:
            return
        line = self._line(self._content(), user, at).encode()
        handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        try:
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)
        backup_files.sync(self._path.parent)

    def _line(self, content: str, user: int, at: int) -> str:
        """Return what to add to the list for a deletion."""
        salt = next(reversed(self._parsed(content)), None)
        added = "" if not content or content.endswith("\n") else "\n"  # end a torn line first
        if salt is None:
            salt = secrets.token_bytes(16)
            added += f"{salt.hex()}\n"
        return f"{added}{at} {_digest(user, salt)}\n"

    def last(self) -> str:
        """Return the last line; "" if there is none."""
        lines = [f"{at} {digest}" for deletions in self._read().values() for at, digest in deletions]
        return lines[-1] if lines else ""

    def text(self) -> str:
        """Return the whole list, without torn lines."""
        lines = []
        for salt, deletions in self._read().items():
            lines += [salt.hex(), *(f"{at} {digest}" for at, digest in deletions)]
        return "".join(f"{line}\n" for line in lines)

    def since(self, users: Iterable[int], second: int) -> list[int]:
        """Return the given users listed at that second or later, by the clocks of that time."""
        salts = self._read()
        noted = {salt: {digest for at, digest in deletions if at >= second} for salt, deletions in salts.items()}
        return _among(users, noted)

    def after(self, users: Iterable[int], line: str) -> list[int]:
        """Return the given users listed after `line`; if `line` is absent, listed at all."""
        noted: dict[bytes, set[str]] = {}
        for salt, deletions in self._read().items():
            for at, digest in deletions:
                if f"{at} {digest}" == line:
                    noted.clear()
                else:
                    noted.setdefault(salt, set()).add(digest)
        return _among(users, noted)

    def _read(self) -> dict[bytes, list[tuple[int, str]]]:
        return self._parsed(self._content())

    def _parsed(self, content: str) -> dict[bytes, list[tuple[int, str]]]:
        """Return the deletions under each salt: the instant and the digest of the id. Log the number of torn lines."""
        salts: dict[bytes, list[tuple[int, str]]] = {}
        torn = 0
        for line in content.split("\n"):
            found = _LINE.fullmatch(line)
            if found and found[1] is None:
                salts.setdefault(bytes.fromhex(found[2]), [])
            elif found and salts:
                salts[next(reversed(salts))].append((int(found[1]), found[2]))
            else:
                torn += line != ""
        if torn:
            log.warning("%s: %d lines cannot be read", self._path, torn)
        return salts

    def _content(self) -> str:
        if self._path is None or not self._path.exists():
            return ""
        return self._path.read_text(encoding="ascii", errors="replace")


class StoredErasureLog(ErasureLog):
    """The same list in the database, for one that has no folder of ours beside it. A restored backup brings an older
    list back; the operator deletes again who was deleted since. `run` runs a function in a transaction, and blocks.
    """

    def __init__(self, run: Callable[[Callable[[Connection], str]], str]) -> None:
        super().__init__(None)
        self._run = run

    def note(self, user: int, at: int) -> None:
        """Add a user to the list. `at`: seconds since 1970. Raises OSError."""

        def work(c: Connection) -> str:
            content = stored_text(c)
            c.execute(schema.PUT_SETTING, (LIST, content + self._line(content, user, at)))
            return ""

        self._tried(work)

    def _content(self) -> str:
        return self._tried(stored_text)

    def _tried(self, work: Callable[[Connection], str]) -> str:
        try:
            return self._run(work)
        except NotStored as error:
            raise OSError(errno.EIO, str(error)) from error


def stored_text(c: Connection) -> str:
    """Return the list that the database holds; "" if there is none."""
    return schema.setting(c, LIST) or ""


def _among(users: Iterable[int], noted: Mapping[bytes, Set[str]]) -> list[int]:
    return [user for user in users if any(found and _digest(user, salt) in found for salt, found in noted.items())]


def _digest(user: int, salt: bytes) -> str:
    return hashlib.scrypt(str(user).encode(), salt=salt, n=COST, r=8, p=1, dklen=16).hex()
