"""A PostgreSQL database full of live matches, as after weeks of play: filled fast, and every row as the bot stores it.

A few matches of each game are played to their end through the match service, half of them with a computer, and read at
several depths. The others are copies of these positions, with numbers, people, places, times and hash chains of their
own. Each copy has its posts, its clock or reminders, and a lease that was given back with nothing left to do.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import psycopg
from psycopg import sql

from cogs.match import automatic_moves
from cogs.match.agenda import ping_owed
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.service import MatchService
from data.records.matches import Matches
from data.records.people import People
from data.records.post import HandPost
from data.records.terms import Terms
from data.store.database import Database
from data.store.hash_chain import Entry, first_link, links
from rules import GAMES
from tests.support.inside import stored_matches
from tests.support.matches import begun

PLAYED = 2
"""Matches of each game that are played, with a computer and as many without."""
DEPTHS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
"""Shares of a match's moves after which it is read."""
CLOCKS = ("day_1", "none")
NAMES = {user: f"Person {user}" for user in range(1, 6)}
COPIED = ("match", "seat", "move", "post", "clock", "reminder")
GONE = "a process that has ended"
"""The last holder of the leases."""
OURS = "as it stands"
"""In place of the digest of a message: the first change of a match edits it."""

Rows = dict[str, list[dict[str, Any]]]
"""The rows of one match, by table."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who plays, and where. `people`: users, each with the channel of their direct messages. `places`: servers, each
    with a channel. `first_message`: the ids of messages begin here.
    """

    people: Sequence[tuple[int, int]]
    places: Sequence[tuple[int, int]]
    first_message: int = 1 << 50

    def message(self, match: int, place: int) -> int:
        """Return the id of the message of a match's post; `place` -1 is the table, from 0 on the seat's hand."""
        return self.first_message + 8 * match + place + 1

    def place(self, match: int) -> tuple[int, int]:
        """Return the server and the channel of a match."""
        return self.places[match % len(self.places)]

    def person(self, match: int, user: int) -> tuple[int, int]:
        """Return who sits in a match where its pattern has person 1, 2, …, and the channel of their messages."""
        return self.people[(3 * match + user * (len(self.people) // 5)) % len(self.people)]


async def patterns(path: Path, played: int, depths: Sequence[float], games: Iterable[str]) -> list[Rows]:
    """Play that many matches of these games in a new file of SQLite, and as many with a computer. Return their rows at
    those depths.
    """
    random, database = Random("many servers"), await Database.open(path)
    people, matches = People(database), Matches(database)
    service, found = MatchService(matches, people, GAMES), list[Rows]()
    for user, name in NAMES.items():
        await people.meet(user, name, "en-US")
        await people.change(user, dm=user, dm_works=True)
    for number in range(played):
        for slug in games:
            for computers in (0, 1):
                match = await _begin(service, slug, computers, CLOCKS[number % len(CLOCKS)])
                found += await _play(service, match, random, path, depths)
    await database.close()
    return found


async def _begin(service: MatchService, slug: str, computers: int, clock: str) -> int:
    users = range(1, max(seats for seats in GAMES[slug].seats if seats <= 4) + 1 - computers)
    terms = Terms(locale="en-US", clock=clock)
    return (await begun(service, *users, game=slug, computers=computers, terms=terms, channel=1, names=NAMES)).id


async def _play(service: MatchService, number: int, random: Random, path: Path, depths: Sequence[float]) -> list[Rows]:
    """Play a match at random to its end. Return its rows at the depths: the end is known only after it."""
    seen = list[Rows]()
    while (match := await service.load(number)).running:
        if AutomaticMoves(service).next_seat(match) is not None:
            with patch.object(
                automatic_moves, "choose", lambda _, state, seat, *__: random.choice(state.legal_moves(seat))
            ):
                await AutomaticMoves(service).play(number)
            continue
        posts = await stored_matches(service).posts.of(number)
        shown = [replace(p, message=1, shown=match.version, digest=OURS) for p in posts]
        await stored_matches(service).posts.note(
            *(replace(p, pinged=ping_owed(service, match, p.seat)) if isinstance(p, HandPost) else p for p in shown)
        )
        seen.append(_read(path, number))
        seat = random.choice(sorted(service.state(match).to_move() & {chair.number for chair in match.people}))
        user = match.chairs[seat].player
        await service.play(number, user, None, str(random.choice(service.state(match).legal_moves(seat))))
    return [seen[int(share * len(seen))] for share in depths]


def _read(path: Path, match: int) -> Rows:
    with sqlite3.connect(path) as reader:
        reader.row_factory = sqlite3.Row
        found = {}
        for table in COPIED:
            key = "id" if table == "match" else "match"
            found[table] = [dict(r) for r in reader.execute(f"SELECT * FROM {table} WHERE {key} = ?", (match,))]
    reader.close()
    return found


async def fill(
    url: str,
    count: int,
    crowd: Crowd,
    played: int = PLAYED,
    depths: Sequence[float] = DEPTHS,
    games: Iterable[str] = GAMES,
) -> None:
    """Add that many live matches to an empty database whose tables are there."""
    with TemporaryDirectory() as folder:
        kinds = await patterns(Path(folder) / "patterns.db", played, depths, games)
    Random("kinds").shuffle(kinds)
    with psycopg.connect(url) as connection:
        people = [
            {"user": user, "name": f"Person {at}", "dm": dm, "dm_works": 1, "locale": "en-US"}
            for at, (user, dm) in enumerate(crowd.people)
        ]
        _write(connection, "person", iter(people))
        now = int(time.time())
        for table in COPIED:
            made = (row for match in range(1, count + 1) for row in copies(kinds, table, match, crowd, now))
            _write(connection, table, made)
        leases = (
            {"match": m, "holder": GONE, "until": 0, "epoch": 1, "done": kinds[m % len(kinds)]["match"][0]["version"]}
            for m in range(1, count + 1)
        )
        _write(connection, "lease", leases)
        connection.execute("SELECT setval('match_id_seq', %s)", (count,))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def copies(kinds: Sequence[Rows], table: str, match: int, crowd: Crowd, now: int) -> Iterator[dict[str, Any]]:
    """Return the rows of that match in a table: its pattern's, with its own people, places, times and links. It waits
    since an instant of the last twenty hours.
    """
    kind = kinds[match % len(kinds)]
    begun, (guild, channel) = kind["match"][0], crowd.place(match)
    later = now - begun["turn_since"] - match * 7919 % (20 * 3600)
    of_chain = dict[int | None, bytes]()
    if table in ("match", "move"):
        log = [Entry(*(row[name] for name in Entry._fields)) for row in kind["move"]]
        first = first_link(begun["secret"], begun["game"], len(kind["seat"]), begun["options"])
        of_chain = {None if entry is None else entry.number: link for entry, link in links(first, match, log)}
    for row in kind[table]:
        new = {**row, "id" if table == "match" else "match": match}
        if new.get("user") is not None:
            new["user"], dm = crowd.person(match, row["user"])
        for name in ("since", "ends", "due", "opened_at", "started_at", "turn_since", "touched_at"):
            if new.get(name):
                new[name] += later
        if table == "match":
            service, _ = crowd.person(match, row["host"])
            new |= {"host": service, "guild": guild, "channel": channel, "place": channel, "chain": of_chain[None]}
        elif table == "move":
            new["link"] = of_chain[row["number"]]
        elif table == "post":
            new["channel"] = dm if row["place"] >= 0 else channel
            new["message"] = crowd.message(match, row["place"])
        yield new


def _write(connection: psycopg.Connection[Any], table: str, rows: Iterator[dict[str, Any]]) -> None:
    """Copy rows into a table, by the columns that the first one has."""
    first = next(rows, None)
    if first is None:
        return
    names = sql.SQL(", ").join(map(sql.Identifier, first))
    command = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
    with connection.cursor().copy(command) as copy:
        copy.write_row(list(first.values()))
        for row in rows:
            copy.write_row(list(row.values()))
