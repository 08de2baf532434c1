"""What players wait for with 100,000 finished matches stored: each query of `/history`, `/profile` and `/leaderboard`,
and what an end adds. The slowest of some people counts, the one who played most among them.

Beside the times: the bytes that a finished match takes beyond its log.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from data.records.histories import Histories, Key
from data.records.ratings import ALL_TIME, months_of
from data.records.results import Results
from data.records.visibility import Sought
from data.store.database import Database
from rules import GAMES

MATCHES, PEOPLE, SERVERS = 100_000, 400, 4
START, APART = 1_700_000_000, 600
BOUND, MOST_BYTES = 0.3, 2_000
TRIES = 3
ASKED = 12
"""How many people are asked about."""


def fill(c: sqlite3.Connection, *, remembered: bool) -> None:
    """Store the matches with their seats and, if `remembered`, what is remembered of them. The busiest person has
    played some 9,000 of them.
    """
    chance = random.Random(1)
    slugs, users = list(GAMES), list(range(1, PEOPLE + 1))
    often = [user**-0.5 for user in users]
    c.executemany(
        "INSERT INTO person (user, name, locale, seen_at) VALUES (?, 'Ann of the Hill', 'en', 0)",
        [(user,) for user in users],
    )
    if remembered:
        c.executemany("INSERT INTO player VALUES (?, ?)", [(user, user) for user in users])
    for number in range(1, MATCHES + 1):
        game, guild, ended_at = chance.choice(slugs), chance.randint(1, SERVERS), START + number * APART
        seats = chance.choice([count for count in GAMES[game].seats if 2 <= count <= 5])
        people = list(dict.fromkeys(chance.choices(users, often, k=20)))[:seats]
        c.execute(
            "INSERT INTO match (id, game, status, guild, channel, place, host, locale, options, secret, "
            "opened_at, started_at, ended_at) VALUES (?, ?, 'over', ?, 1, 1, 1, 'en', '{}', 'ff', ?, ?, ?)",
            (number, game, guild, ended_at, ended_at, ended_at),
        )
        c.executemany(
            "INSERT INTO seat (match, number, user, name) VALUES (?, ?, ?, 'Ann of the Hill')",
            [(number, seat, user) for seat, user in enumerate(people)],
        )
        c.execute("INSERT INTO post (match, place, channel, message) VALUES (?, -3, 1, ?)", (number, number))
        if remembered:
            c.execute(
                "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, 60, 1, 0)",
                (number, number, guild, game, ended_at, len(people)),
            )
            c.executemany(
                "INSERT INTO standing VALUES (?, ?, ?, ?, ?, ?, 20, 4000, 1234, 12, 'tricks bold', NULL, 0)",
                [(number, seat, user, seat, seat + 1, 60 - 9 * seat) for seat, user in enumerate(people)],
            )
            c.executemany(
                "INSERT OR IGNORE INTO rating (guild, game, month, player, mu, sigma, points, matches, wins) "
                "VALUES (?, ?, ?, ?, 25, 8, ?, 9, 3)",
                [(guild, game, month, user, 1000 + user) for user in people for month in months_of(ended_at)],
            )


async def filled(path: Path, *, remembered: bool) -> Database:
    """Return a database with the matches."""
    database = await Database.open(path)
    await database.write(lambda c: fill(c, remembered=remembered))
    return database


def questions(database: Database) -> dict[str, list[Callable[[], Awaitable[object]]]]:
    """Return what is asked, by name."""
    histories, results = Histories(database), Results(database)
    people = [1, 2, 3, *random.Random(2).sample(range(4, PEOPLE + 1), ASKED - 3)]
    old = START + MATCHES * APART // 2

    def page(sought: Sought) -> list[Callable[[], Awaitable[object]]]:
        return [
            lambda: histories.page(sought, None, newer=False, most=8),
            lambda: histories.page(sought, Key(old, 1), newer=False, most=8),
        ]

    def each(*sought: Sought) -> list[Callable[[], Awaitable[object]]]:
        return [work for one in sought for work in page(one)]

    return {
        "/history of a person": each(*(Sought(9, 1, user) for user in people)),
        "/history of a person and game": each(*(Sought(9, 1, user, slug) for user in people for slug in GAMES)),
        "/history of two people": each(*(Sought(9, 1, 1, other=user) for user in people[1:])),
        "/history of a server": each(Sought(9, 1, None)),
        "/history of a server and game": each(*(Sought(9, 1, None, slug) for slug in GAMES)),
        "/history in direct messages": each(*(Sought(user, None, user) for user in people)),
        "the score between two people": [
            lambda user=user: histories.between(Sought(9, 1, 1, other=user)) for user in people[1:]
        ],
        "/profile": [lambda user=user: histories.profile(9, 1, user) for user in people],
        "/profile in direct messages": [lambda user=user: histories.profile(user, None, user) for user in people],
        "/leaderboard": [
            lambda slug=slug, month=month: histories.leaderboard(9, 1, slug, month, 0, 20)
            for slug in GAMES
            for month in (ALL_TIME, "2024-01")
        ],
        "what an end adds": [lambda match=match: results.feats(match) for match in range(MATCHES - 50, MATCHES)],
    }


async def slowest(works: list[Callable[[], Awaitable[object]]]) -> float:
    """Return the seconds that the slowest of these takes, each in the best of some tries: others use the machine."""
    longest = 0.0
    for work in works:
        times = []
        for _ in range(TRIES):
            begin = perf_counter()
            await work()
            times.append(perf_counter() - begin)
        longest = max(longest, min(times))
    return longest


async def measured(folder: Path) -> list[str]:
    """Return a line for each figure."""
    with_it = await filled(folder / "with.db", remembered=True)
    lines = []
    try:
        for name, works in questions(with_it).items():
            seconds = await slowest(works)
            verdict = "within" if seconds < BOUND else "ABOVE"
            lines.append(f"{name}: {1000 * seconds:.0f} ms at most, {verdict} the bound of {1000 * BOUND:.0f} ms")
        pages = await with_it.read(_bytes)
    finally:
        await with_it.close()
    without = await filled(folder / "without.db", remembered=False)
    try:
        each = (pages - await without.read(_bytes)) / MATCHES
    finally:
        await without.close()
    verdict = "within" if each < MOST_BYTES else "ABOVE"
    return [*lines, f"a finished match beyond its log: {each:.0f} bytes, {verdict} the bound of {MOST_BYTES}"]


def _bytes(c: sqlite3.Connection) -> int:
    return int(c.execute("PRAGMA page_count").fetchone()[0]) * int(c.execute("PRAGMA page_size").fetchone()[0])


@contextmanager
def rows() -> Iterator[list[str]]:
    """The figures, as lines."""
    with TemporaryDirectory() as folder:
        yield asyncio.run(measured(Path(folder)))
