"""Who has had their data deleted, so that a backup that is older does not bring them back; nor do they themselves, to
a match that they may have left with the knowledge of a hand.

The list lies beside the database, which a restored backup replaces. It holds no id: each line is when, and scrypt of
the id with a salt of this file's own. Nobody can read ids from it; whoever has it and knows an id can tell whether that
one is on it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from data.copies import real

COST = 1 << 14
"""Of scrypt: about 50 ms and 16 MB for each id."""


class Departures:
    """The list beside a database; None: of a database in memory, which no backup replaces. Everything here waits."""

    def __init__(self, database: Path | None) -> None:
        self._path = None if database is None else _beside(real(database))

    def note(self, user: int, at: int) -> None:
        """Put that person on the list, since then, in seconds since 1970. Raises OSError."""
        if self._path is None:
            return
        lines = self._lines()
        salt = bytes.fromhex(lines[0]) if lines else secrets.token_bytes(16)
        added = "" if lines else f"{salt.hex()}\n"
        handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        try:
            os.write(handle, f"{added}{at} {_digest(user, salt)}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)

    def since(self, users: Iterable[int], made: int) -> list[int]:
        """Those of these people who are on the list since a backup was made, at that second."""
        lines = self._lines()
        noted = {line.partition(" ")[2] for line in lines[1:] if int(line.partition(" ")[0]) >= made}
        return [user for user in users if _digest(user, bytes.fromhex(lines[0])) in noted] if noted else []

    def _lines(self) -> list[str]:
        if self._path is None or not self._path.exists():
            return []
        return self._path.read_text(encoding="ascii").splitlines()


def _beside(database: Path) -> Path:
    return database.with_name(f"{database.name}.departed")


def _digest(user: int, salt: bytes) -> str:
    return hashlib.scrypt(str(user).encode(), salt=salt, n=COST, r=8, p=1, dklen=16).hex()
