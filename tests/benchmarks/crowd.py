"""A database full of open matches: those of all games in mid-play, clocks running, everything shown as it stands.

One match of each kind is played for real; the others are copies of it in rows, with people, places and times of their
own. Everybody sits at about three tables.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from cogs.match.agenda import ping_owed
from cogs.match.automatic_moves import AutomaticMoves
from cogs.match.lobby import Lobby
from cogs.match.service import MatchService
from data.records.hours import Hours, PeopleHours
from data.records.matches import Matches
from data.records.people import People
from data.records.post import HandPost
from data.records.terms import Terms
from data.store import hash_chain
from data.store.database import Database
from rules import GAMES

FIRST = 1 << 40
"""Where the ids of people and messages begin; those of direct messages are the people's plus OF_DM."""
OF_DM = 1 << 41
MOVES = 24
"""Moves before a match stands as it is: mid-play in every game."""
TABLES = 3
"""At which one of us sits, in a match of ours beside two of the crowd's."""
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")
COPIED = ("match", "seat", "move", "post", "clock")


async def patterns(path: Path) -> list[int]:
    """Matches to copy, in a new database: each game among people alone, and with a computer."""
    random, database = Random("crowd"), await Database.open(path)
    people, matches, hours = People(database), Matches(database), PeopleHours(database)
    service = MatchService(matches, people, GAMES, hours=hours)
    lobby = Lobby(service)
    found = []
    for user in range(1, 5):
        await people.meet(user, f"Person {user}", "en-US")
        await people.change(user, dm=OF_DM + user, dm_works=True)
    for slug, game in GAMES.items():
        seats = max(seats for seats in game.seats if seats <= 4)
        for computers in (0, 1):
            number = (
                await lobby.open(slug, guild=1, channel=1, user=1, name="Person 1", terms=Terms(locale="en-US"))
            ).id
            for user in range(2, seats + 1 - computers):
                await lobby.join(number, user, f"Person {user}")
            for _ in range(computers):
                await lobby.add_computer(number, 1)
            await lobby.choose_option(number, 1, "clock", "day_1")
            await lobby.start(number, 1)
            await play(service, number, random)
            match, posts = await service.load(number), await matches.posts.of(number)
            shown = [replace(p, message=1, shown=match.version, digest="as it stands") for p in posts]
            await matches.posts.note(
                *(replace(p, pinged=ping_owed(service, match, p.seat)) if isinstance(p, HandPost) else p for p in shown)
            )
            found.append(number)
    await hours.put(1, Hours(ZONES[0], (22 * 60, 7 * 60)))
    await database.close()
    return found


async def play(service: MatchService, number: int, random: Random) -> None:
    """Until the match has gone on for a while and waits for people alone."""
    while True:
        match = await service.load(number)
        if AutomaticMoves(service).next_seat(match) is not None:
            await AutomaticMoves(service).play(number)
            continue
        if match.moves >= MOVES:
            return
        seat = min(service.state(match).to_move())
        user = match.chairs[seat].player
        await service.play(number, user, None, str(random.choice(service.state(match).legal_moves(seat))))


async def fill(path: Path, count: int, places: list[tuple[int, int]], us: tuple[int, ...] = ()) -> None:
    """Add so many open matches to a database that no bot is running on, at these (guild, channel) in turn.

    Of those who are `us`, the first sits at two of them.
    """
    await (await Database.open(path)).close()
    with TemporaryDirectory() as folder:
        source = Path(folder) / "patterns.db"
        numbers = await patterns(source)
        with sqlite3.connect(source) as reader, sqlite3.connect(path) as writer:
            reader.row_factory = sqlite3.Row
            kinds = [{table: rows(reader, table, number) for table in COPIED} for number in numbers]
            _copy(writer, kinds, count, places, us)
            hash_chain.fill(writer)  # of its own number, for each copy
        reader.close()
        writer.close()


def rows(reader: sqlite3.Connection, table: str, number: int) -> list[dict[str, Any]]:
    key = "id" if table == "match" else "match"
    return [dict(row) for row in reader.execute(f"SELECT * FROM {table} WHERE {key} = ?", (number,))]


def _copy(
    writer: sqlite3.Connection, kinds: list[Any], count: int, places: list[tuple[int, int]], us: tuple[int, ...]
) -> None:
    people = max(8, count)  # with three to four at a table
    now = int(time.time())
    for person in range(people):
        user = FIRST + person
        writer.execute(
            "INSERT INTO person (user, name, dm, dm_works, locale) VALUES (?, ?, ?, 1, 'en-US')",
            (user, f"Person {person}", OF_DM + user),
        )
        if person % 3 == 0:
            zone = ZONES[person // 3 % len(ZONES)]
            writer.execute("INSERT INTO hours VALUES (?, ?, 1320, 420, '[]', '[]')", (user, zone))
    first = 1 + int(writer.execute("SELECT coalesce(max(id), 0) FROM match").fetchone()[0])

    def of(copy: int, user: int) -> int:
        """Who sits in that copy where the pattern has that person."""
        if us and user == 1 and copy < TABLES - 1:
            return us[0]
        return FIRST + (copy + user * (people // 4)) % people

    for table in COPIED:
        names = list(kinds[0][table][0])
        made = (row for copy in range(count) for row in _copies(kinds[copy % len(kinds)], table, first, copy, now, of))
        marks = ", ".join("?" * len(names))
        filled = ([*_placed(table, row, places).values()] for row in made)
        writer.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", filled)


def _copies(kind: Any, table: str, first: int, copy: int, now: int, of: Any) -> Iterator[dict[str, Any]]:
    """The rows of one match. Its times lie a second before those of the copy before it, so that each is due alone."""
    number, since = first + copy, kind["match"][0]["started_at"]
    for row in kind[table]:
        new = {**row, "id" if table == "match" else "match": number}
        if new.get("user") is not None:
            new["user"] = of(copy, row["user"])
        if table == "match":
            new["host"] = of(copy, row["host"])
        if table == "post" and row["place"] >= 0:
            new["channel"] = OF_DM + new["user"]
        if table == "post":
            new["message"] = FIRST + 8 * number + row["place"] + 1
        for name in ("since", "ends", "due") if table == "clock" else ("opened_at", "started_at", "turn_since"):
            if row.get(name) is not None:
                new[name] = row[name] - since + now - copy
        yield new


def _placed(table: str, row: dict[str, Any], places: list[tuple[int, int]]) -> dict[str, Any]:
    guild, channel = places[row["id" if table == "match" else "match"] % len(places)]
    if table == "match":
        return {**row, "guild": guild, "channel": channel, "place": channel}
    return {**row, "channel": channel} if table == "post" and row["place"] < 0 else row


def fall_behind(path: Path, count: int) -> None:
    """As after a crash: so many of the matches have changed since they were shown."""
    with sqlite3.connect(path) as writer:
        writer.execute(
            "UPDATE post SET shown = shown - 1 WHERE match IN (SELECT id FROM match ORDER BY id DESC LIMIT ?)", (count,)
        )
    writer.close()
