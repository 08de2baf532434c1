"""What a database must hold, whatever happened to it: everything that anybody was told, once, and nothing in halves."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

from cogs.match.replay import replay
from cogs.match.service import MatchService
from data.records.match import TABLE, LoggedMove, Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.store.database import Database
from data.store.schema import OLDER
from rules import GAMES
from rules.core.game import AnyState, IllegalMove, Seat
from tests.reliability.history import UNDO, Diary

LOST, DOUBLED, TORN, CORRUPT = "lost", "applied twice", "torn", "corrupt"


async def faults(path: Path, diary: Diary) -> list[str]:
    """Open the file as the bot would, and list what is wrong in it. Raises DatabaseRefusal."""
    database = await Database.open(path)
    try:
        return await faults_in(database, diary)
    finally:
        await database.close()


async def faults_in(database: Database, diary: Diary, only: int | None = None) -> list[str]:
    """What is wrong in an open database, or with one match of it, read past whatever its users remember."""

    def look(c: sqlite3.Connection) -> tuple[list[str], list[int]]:
        found = [f"{CORRUPT}: {row[0]}" for row in c.execute("PRAGMA integrity_check") if row[0] != "ok"]
        found += [f"{TORN}: a row of {row[0]} belongs to nothing" for row in c.execute("PRAGMA foreign_key_check")]
        if c.execute("SELECT 1 FROM setting WHERE name = ?", (OLDER,)).fetchone():
            found.append(f"{CORRUPT}: it was taken for one that is older than the bot left it")
        return found, [row[0] for row in c.execute("SELECT id FROM match ORDER BY id")]

    found, numbers = await database.read(look)
    found += [f"{LOST}: match {number}" for number in {a.press.match for a in diary.answers} - set(numbers)]
    host = MatchService(Matches(database), People(database), GAMES)
    for number in numbers if only is None else [only]:
        match, log = await host._matches.get(number), await host._matches.moves(number)
        assert match is not None
        wrong = [*_told(match, log, diary), *replayed(match, log), *await beside(host, match)]
        found += [f"{text} (match {number}, {match.game})" for text in wrong]
    return found


def _told(match: Match, log: list[LoggedMove], diary: Diary) -> list[str]:
    """The log beside what people pressed and were told."""
    times = Counter((move.user, move.turn, move.text) for move in log if move.user is not None)
    answered = {a.press for a in diary.answers if a.press.match == match.id}
    pressed = {press for press in diary.pressed if press.match == match.id}
    found = [f"{LOST}: {p}" for p in answered if p.text != UNDO and not times[p.user, p.turn, p.text]]
    found += [f"{DOUBLED}: {what}" for what, number in times.items() if number > 1]
    asked = {(press.user, press.turn, press.text) for press in pressed}
    found += [f"{DOUBLED}: {what}, which nobody pressed" for what in times if what not in asked]
    undone = sum(move.undone_at is not None for move in log)
    if undone != match.undone:
        found.append(f"{TORN}: {undone} moves of {match.undone} taken back")
    if undone < sum(press.text == UNDO for press in answered):
        found.append(f"{LOST}: a move is there that was taken back")
    if undone > sum(press.text == UNDO for press in pressed):
        found.append(f"{DOUBLED}: {undone} moves are taken back")
    newest = max((a.version for a in diary.answers if a.press.match == match.id), default=0)
    if match.version < newest:
        found.append(f"{LOST}: version {newest}, it is {match.version}")
    return found


def replayed(match: Match, log: list[LoggedMove]) -> list[str]:
    """The position beside the log that leads to it."""
    if [move.number for move in log] != list(range(match.moves)):
        return [f"{TORN}: {match.moves} moves, of which the log has {len(log)}"]
    if match.state is None:
        return [f"{TORN}: moves before the start"] if log or match.status is Status.PLAYING else []
    try:
        end = _end(match, log)
    except IllegalMove as error:
        return [f"{TORN}: the log cannot be replayed: {error}"]
    if end.to_json() != match.state:
        return [f"{TORN}: the log leads to another position"]
    if (end.outcome() is not None) != (match.status is Status.OVER) or (match.ended_at is None) != match.open:
        return [f"{TORN}: {match.status} with the outcome {end.outcome()}"]
    return []


def _end(match: Match, log: list[LoggedMove]) -> AnyState:
    """The position that a log leads to. Many images of one recording hold the same."""
    known = (match.secret, tuple(log))
    if known not in _ENDS:
        _ENDS[known] = replay(GAMES[match.game], match, log)[1]
    return _ENDS[known]


_ENDS: dict[tuple[str, tuple[LoggedMove, ...]], AnyState] = {}


async def beside(host: MatchService, match: Match) -> list[str]:
    """What is stored beside the position: messages and clocks."""
    found, posts = [], await host._matches.posts(match.id)
    due = {TABLE} | ({chair.number for chair in match.people} if match.state is not None else set())
    if not due <= set(posts):
        found.append(f"{TORN}: posts only for {sorted(posts)}")
    if any(post.shown > match.version for post in posts.values()):
        found.append(f"{TORN}: shown is more than there is")
    clocks = {clock.seat: clock.turn for clock in match.clocks}
    if match.status is not Status.PLAYING or match.clock == "none":
        return [*found, f"{TORN}: clocks of nobody"] if clocks else found
    asked = host.state(match).to_move()
    for chair in match.people:
        token = host.turn(match, Seat(chair.number)) if chair.number in asked else ""
        if clocks.get(chair.number) != token:
            found.append(f"{TORN}: seat {chair.number} is asked {token!r}, its clock {clocks.get(chair.number)!r}")
    return found
