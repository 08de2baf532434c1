"""Writes the dumps of earlier schemas that are missing beside this file; it never touches one that is there.

The migrations up to a number are run, and then one match of each game is filled in, some moves on, a move taken back
where a game leaves that to its player.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from data.store import schema
from data.store.hash_chain import fill
from rules import GAMES
from rules.core.game import Game, Seat

HERE = Path(__file__).parent
MOVES = 12
PEOPLE = ((101, "Ann"), (102, "Ben"), (103, "Cleo"), (104, "Dan"))


def dump(number: int) -> str:
    """The SQL text of a database of that schema."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        schema.migrate(connection, schema.steps()[:number], number)
        for user, name in PEOPLE:
            _insert(connection, "person", {"user": user, "name": name})
        for at, game in enumerate(GAMES.values(), start=1):
            _fill_in(connection, at, game)
        if "chain" in {row[1] for row in connection.execute("PRAGMA table_info(match)")}:
            fill(connection)
        lines = [line for line in connection.iterdump() if "sqlite_sequence" not in line]
        sequence = f"INSERT INTO sqlite_sequence VALUES ('match', {len(GAMES)});"
        return "\n".join([*lines[:-1], sequence, f"PRAGMA user_version = {number};", lines[-1], ""])


def _fill_in(connection: sqlite3.Connection, match: int, game: Game) -> None:
    seats, secret = max(2, game.seats[0]), f"{match:064x}"
    options: dict[str, Any] = {"deck": dict(game.deck)}
    state = game.new(seats, options, secret)
    moves: list[dict[str, Any]] = []
    undone = 0
    while len(moves) < MOVES and state.to_move():
        seat = min(state.to_move())
        move = state.default_move(seat)
        if not undone:
            move = next((m for m in state.legal_moves(seat) if state.apply(m)[0].may_take_back(seat)), move)
        before, turn = state, state.turn(seat)
        state, _ = state.apply(move)
        row = {"match": match, "number": len(moves), "seat": seat, "turn": _token(turn, undone), "text": str(move)}
        moves.append({**row, "user": PEOPLE[seat][0], "undone_at": None})
        if not undone and state.may_take_back(Seat(seat)):
            moves[-1]["undone_at"], state, undone = len(moves), before, 1
    _insert(
        connection,
        "match",
        {
            **{"id": match, "game": game.slug, "status": "playing", "guild": 1, "channel": 10, "place": 10},
            **{"host": 101, "locale": "en", "options": json.dumps(options, separators=(",", ":")), "secret": secret},
            **{"state": json.dumps(state.to_json(), separators=(",", ":")), "version": 2 + len(moves) + undone},
            **{"moves": len(moves), "undone": undone, "opened_at": 1000, "started_at": 1001, "turn_since": 1002},
        },
    )
    for seat in range(seats):
        user, name = PEOPLE[seat]
        _insert(connection, "seat", {"match": match, "number": seat, "user": user, "name": name})
        _insert(connection, "post", {"match": match, "place": seat, "channel": 0, "user": user})
    _insert(connection, "post", {"match": match, "place": -1, "channel": 10})
    for row in moves:
        _insert(connection, "move", row)


def _token(turn: str, undone: int) -> str:
    return f"{turn}-{undone}" if undone else turn


def _insert(connection: sqlite3.Connection, table: str, values: dict[str, Any]) -> None:
    """A row with those of the values that the table has a column for in this schema."""
    there = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    kept = {name: value for name, value in values.items() if name in there}
    marks = ", ".join("?" * len(kept))
    connection.execute(f"INSERT INTO {table} ({', '.join(kept)}) VALUES ({marks})", list(kept.values()))


if __name__ == "__main__":
    for number in range(1, len(schema.steps())):
        path = HERE / f"{number:04}.sql"
        if not path.exists():
            path.write_text(dump(number), encoding="utf-8")
