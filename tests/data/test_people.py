"""The tables of people: what an older database holds is carried over, and nothing of a seat outlives its person."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from data.database import MIGRATIONS, Database
from data.matches import TABLE, Matches

MATCH = (
    "INSERT INTO match (game, status, guild, channel, place, host, locale, options, secret, state, version, opened_at) "
    "VALUES ('sea_change', ?, 1, 2, 2, 100, 'en', '{}', 'seed', '{}', 3, 1000)"
)


def as_it_was(path: Path) -> None:
    """A database with one running match, a vote and two hands, from before these tables."""
    connection = sqlite3.connect(path, isolation_level=None)
    steps = [step for step in sorted(MIGRATIONS.glob("[0-9]*.sql")) if step.name < "0004"]
    for step in steps:
        connection.executescript(step.read_text(encoding="utf-8"))
    connection.execute(f"PRAGMA user_version = {len(steps)}")
    for user in (100, 200):
        connection.execute("INSERT INTO person (user, name) VALUES (?, ?)", (user, f"{user}"))
    connection.execute(MATCH, ("playing",))
    connection.execute("INSERT INTO seat (match, number, user, name) VALUES (1, 0, 200, 'Ben'), (1, 1, 100, 'Ann')")
    connection.execute("INSERT INTO vote VALUES (1, 100, 'end'), (1, 200, 'go_on')")
    connection.execute("INSERT INTO post (match, place, channel, message) VALUES (1, -1, 2, 7), (1, 0, 20, 8)")
    connection.close()


async def test_an_older_database_is_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "sundial.db"
    as_it_was(path)
    base = await Database.open(path)
    matches = Matches(base)
    match = await matches.get(1)
    assert match is not None
    assert (match.touched_at, match.rests_since, match.previous, match.former) == (1000, None, None, ())
    assert await matches.votes(1) == {100: "end"}
    posts = await matches.posts(1)
    assert (posts[TABLE].user, posts[0].user, posts[0].message) == (None, 200, 8)
    await base.close()
