"""The hash chain over a match's log: each link is SHA-256 over the link before it and the next fact.

A fact is a move made or a move taken back. The first link covers what the match begins with: the commitment to its
secret, its game, the number of its seats and its options. The row of each move stores the link after that move, and the
row of the match stores the last link. So a change, a gap, an insertion or a cut anywhere in the log leaves a link that
does not fit.

Taking a move back only marks its row (`undone_at`), so links over the moves alone would not cover it. It is a fact of
its own, whose place among the others follows from the rows: it comes when the log is `undone_at` moves long, after the
facts that take back later moves. Facts name seats and never users, so deleting a user's data leaves the chain whole.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from data.store.engine import Connection
from rules.core.chance import commitment

encode = json.JSONEncoder(separators=(",", ":")).encode
"""Encodes a value as the JSON text that is stored. `json.dumps` would make an encoder for each move."""


class Entry(NamedTuple):
    """The fields of a row of the log that the chain covers, and its link."""

    number: int
    seat: int
    turn: str
    text: str
    undone_at: int | None
    link: bytes | None


def first_link(secret: str, game: str, seats: int, options: str) -> bytes:
    """Return the chain's first link, 32 bytes. `options` is the JSON text as it is stored."""
    return _link(b"", ["match", commitment(secret), game, seats, options])


def move_link(before: bytes, match: int, number: int, seat: int, turn: str, text: str) -> bytes:
    """Return the link after this move, which follows the link `before`."""
    return _link(before, ["move", match, number, seat, turn, text])


def undo_link(before: bytes, match: int, number: int, undone_at: int) -> bytes:
    """Return the link after this move is taken back, which follows the link `before`."""
    return _link(before, ["undo", match, number, undone_at])


def _link(before: bytes, fact: list[object]) -> bytes:
    return sha256(before + encode(fact).encode()).digest()


def links(first: bytes, match: int, log: Sequence[Entry]) -> Iterator[tuple[Entry | None, bytes]]:
    """Yield each move of the log, in order, with the link after it; at the end None, with the chain's last link."""
    undone = [(entry.undone_at, entry.number) for entry in log if entry.undone_at is not None]
    undone.sort(key=lambda pair: (pair[0], -pair[1]))
    link, at = first, 0
    for entry in (*log, None):
        while at < len(undone) and (entry is None or undone[at][0] <= entry.number):
            length, number = undone[at]
            link = undo_link(link, match, number, length)
            at += 1
        if entry is not None:
            link = move_link(link, match, entry.number, entry.seat, entry.turn, entry.text)
        yield entry, link


def is_whole(c: Connection, match: int) -> bool:
    """Return whether every link of a started match fits its log, and the log has the stored number of moves."""
    row = c.execute("SELECT chain, moves, undone FROM match WHERE id = ?", (match,)).fetchone()
    chain, moves, undone = tuple(row)
    log = _log(c, match)
    if [entry.number for entry in log] != list(range(moves)):
        return False
    if sum(entry.undone_at is not None for entry in log) != undone:
        return False
    return all(link == (chain if entry is None else entry.link) for entry, link in links(_first(c, match), match, log))


def broken(c: Connection) -> list[int]:
    """Return the numbers of the running matches whose log is not the one that was recorded."""
    started = [int(row[0]) for row in c.execute("SELECT id FROM match WHERE status = 'playing' ORDER BY id")]
    return [match for match in started if not is_whole(c, match)]


def fill(c: Connection) -> None:
    """Compute the links of logs from versions that had no chain."""
    for match in [int(row[0]) for row in c.execute("SELECT id FROM match WHERE state IS NOT NULL")]:
        for entry, link in links(_first(c, match), match, _log(c, match)):
            if entry is None:
                c.execute("UPDATE match SET chain = ? WHERE id = ?", (link, match))
            else:
                c.execute("UPDATE move SET link = ? WHERE match = ? AND number = ?", (link, match, entry.number))


def _first(c: Connection, match: int) -> bytes:
    sql = "SELECT secret, game, (SELECT count(*) FROM seat WHERE match = match.id), options FROM match WHERE id = ?"
    return first_link(*read_lossy(c, sql, (match,))[0])


def _log(c: Connection, match: int) -> list[Entry]:
    sql = "SELECT number, seat, turn, text, undone_at, link FROM move WHERE match = ? ORDER BY number"
    return [Entry(*row) for row in read_lossy(c, sql, (match,))]


def read_lossy(c: Connection, sql: str, values: Sequence[object]) -> list[Any]:
    """Return all rows of a query. Bytes that are not UTF-8 become U+FFFD: a damaged row leaves the others readable."""
    try:
        return c.execute(sql, values).fetchall()
    except sqlite3.OperationalError:  # PostgreSQL stores nothing but UTF-8
        assert isinstance(c, sqlite3.Connection)
        usual, c.text_factory = c.text_factory, lambda text: text.decode("utf-8", "replace")
        try:
            return c.execute(sql, values).fetchall()
        finally:
            c.text_factory = usual
