"""Who has had their data deleted, so that a backup that is older does not bring them back; nor do they themselves, to
a match that they may have left with the knowledge of a hand.

The list lies beside the database, which a restored backup replaces. It holds no id: its lines are a salt of this file's
own, and then, for each deletion, when it was and scrypt of the id with that salt. Nobody can read ids from it; whoever
has it and knows an id can tell whether that one is on it. A line that a power cut has torn is passed over; where it is
the salt, what comes next gets another.

A database knows of the deletions up to a line, which stands in it and so in each backup. No clock is asked for that:
one that was wrong when a backup or a line was made changes nothing.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import secrets
from collections.abc import Iterable, Mapping, Set
from pathlib import Path

from data.store import backup_files

log = logging.getLogger(__name__)

COST = 1 << 14
"""Of scrypt: about 50 ms and 16 MB for each id."""
_LINE = re.compile(r"(?:(\d{1,12}) )?([0-9a-f]{32})", re.ASCII)
"""A deletion; or, without its second, a salt."""


class ErasureLog:
    """The list beside a database; None: of a database in memory, which no backup replaces. Everything here waits."""

    def __init__(self, database: Path | None) -> None:
        real = None if database is None else backup_files.real(database)
        self._path = None if real is None else real.with_name(f"{real.name}.departed")

    def note(self, user: int, at: int) -> None:
        """Put that person on the list, since then, in seconds since 1970. Raises OSError."""
        if self._path is None:
            return
        content, salts = self._content(), self._read()
        salt = next(reversed(salts), None)
        added = "" if not content or content.endswith("\n") else "\n"  # after a line that has no end
        if salt is None:
            salt = secrets.token_bytes(16)
            added += f"{salt.hex()}\n"
        line = f"{added}{at} {_digest(user, salt)}\n".encode()
        handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        try:
            if os.write(handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)
        backup_files.sync(self._path.parent)

    def last(self) -> str:
        """The last line; "" where there is none."""
        lines = [f"{at} {digest}" for deletions in self._read().values() for at, digest in deletions]
        return lines[-1] if lines else ""

    def since(self, users: Iterable[int], second: int) -> list[int]:
        """Those of these people who are on the list since that second, by the clocks of then."""
        salts = self._read()
        noted = {salt: {digest for at, digest in deletions if at >= second} for salt, deletions in salts.items()}
        return _among(users, noted)

    def after(self, users: Iterable[int], line: str) -> list[int]:
        """Those of these people who are on the list after that line; anywhere on it where there is no such line."""
        noted: dict[bytes, set[str]] = {}
        for salt, deletions in self._read().items():
            for at, digest in deletions:
                if f"{at} {digest}" == line:
                    noted.clear()
                else:
                    noted.setdefault(salt, set()).add(digest)
        return _among(users, noted)

    def _read(self) -> dict[bytes, list[tuple[int, str]]]:
        """The deletions, each when and whose, by the salt that stands above them. A word on lines that are torn."""
        salts: dict[bytes, list[tuple[int, str]]] = {}
        torn = 0
        for line in self._content().split("\n"):
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


def _among(users: Iterable[int], noted: Mapping[bytes, Set[str]]) -> list[int]:
    return [user for user in users if any(found and _digest(user, salt) in found for salt, found in noted.items())]


def _digest(user: int, salt: bytes) -> str:
    return hashlib.scrypt(str(user).encode(), salt=salt, n=COST, r=8, p=1, dklen=16).hex()
