"""What must be true of a database after any fault: all that a player was told is stored, once, and nothing by half."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from cogs.match.positions import replay
from cogs.match.service import MatchService
from data.records.match import LoggedMove, Match, Status
from data.records.matches import Matches
from data.records.people import People
from data.records.post_rows import END, TABLE, place_of
from data.store.database import Connection, Database
from data.store.schema import OLDER
from rules import GAMES
from rules.core.game import AnyState, IllegalMove, Seat
from tests.reliability.history import UNDO, History
from tests.support.inside import stored_matches

LOST, DOUBLED, TORN, CORRUPT = "lost", "applied twice", "torn", "corrupt"


async def faults(path: Path | str, history: History) -> list[str]:
    """Open the file as the bot would and return its faults. Raises DatabaseRefusal."""
    database = await Database.open(path)
    try:
        return await faults_in(database, history)
    finally:
        await database.close()


async def faults_in(database: Database, history: History, only: int | None = None) -> list[str]:
    """Return the faults of an open database, or of one match of it. All is read from the file, without caches."""

    def look(c: Connection) -> tuple[list[str], list[int]]:
        found = []
        if not database.shared:
            found += [f"{CORRUPT}: {row[0]}" for row in c.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [f"{TORN}: a row of {row[0]} belongs to nothing" for row in c.execute("PRAGMA foreign_key_check")]
        if c.execute("SELECT 1 FROM setting WHERE name = ?", (OLDER,)).fetchone():
            found.append(f"{CORRUPT}: it was taken for one that is older than the bot left it")
        return found, [row[0] for row in c.execute("SELECT id FROM match ORDER BY id")]

    found, numbers = await database.read(look)
    found += [f"{LOST}: match {number}" for number in {a.press.match for a in history.answers} - set(numbers)]
    service = MatchService(Matches(database), People(database), GAMES)
    for number in numbers if only is None else [only]:
        whole = await stored_matches(service).whole(number)  # in one transaction: several processes may be at work
        assert whole is not None
        match, log, chained = whole
        wrong = [
            *([] if chained else [f"{TORN}: the log does not fit its hash chain"]),
            *_log_faults(match, log, history),
            *position_faults(match, log),
            *await post_and_clock_faults(service, match),
        ]
        found += [f"{text} (match {number}, {match.game})" for text in wrong]
    return found


def _log_faults(match: Match, log: list[LoggedMove], history: History) -> list[str]:
    """Return how the log differs from what people pressed and were told."""
    times = Counter((move.user, move.turn, move.text) for move in log if move.user is not None)
    answered = {a.press for a in history.answers if a.press.match == match.id}
    pressed = {press for press in history.pressed if press.match == match.id}
    found = [f"{LOST}: {p}" for p in answered if p.text != UNDO and not times[p.user, p.turn, p.text]]
    found += [f"{DOUBLED}: {what}" for what, number in times.items() if number > 1]
    asked = {(press.user, press.turn, press.text) for press in pressed}
    found += [f"{DOUBLED}: {what}, which no player pressed" for what in times if what not in asked]
    undone = sum(move.undone_at is not None for move in log)
    if undone != match.undone:
        found.append(f"{TORN}: {undone} moves of {match.undone} taken back")
    if undone < sum(press.text == UNDO for press in answered):
        found.append(f"{LOST}: a move is there that was taken back")
    if undone > sum(press.text == UNDO for press in pressed):
        found.append(f"{DOUBLED}: {undone} moves are taken back")
    newest = max((a.version for a in history.answers if a.press.match == match.id), default=0)
    if match.version < newest:
        found.append(f"{LOST}: version {newest}, it is {match.version}")
    return found


def position_faults(match: Match, log: list[LoggedMove]) -> list[str]:
    """Return how the stored position differs from the one that the log leads to."""
    if [move.number for move in log] != list(range(match.moves)):
        return [f"{TORN}: {match.moves} moves, of which the log has {len(log)}"]
    if match.state is None:
        return [f"{TORN}: moves before the start"] if log or match.status is Status.PLAYING else []
    try:
        end = _final_position(match, log)
    except IllegalMove as error:
        return [f"{TORN}: the log cannot be replayed: {error}"]
    if end.to_json() != match.state:
        return [f"{TORN}: the log leads to another position"]
    if (end.outcome() is not None) != (match.status is Status.OVER) or (match.ended_at is None) != match.open:
        return [f"{TORN}: {match.status} with the outcome {end.outcome()}"]
    return []


def _final_position(match: Match, log: list[LoggedMove]) -> AnyState:
    """Return the position that a log leads to, from a cache: many images of one recording have the same log."""
    known = (match.secret, tuple(log))
    if known not in _FINAL_POSITIONS:
        _FINAL_POSITIONS[known] = replay(GAMES[match.game], match, log)[1]
    return _FINAL_POSITIONS[known]


_FINAL_POSITIONS: dict[tuple[str, tuple[LoggedMove, ...]], AnyState] = {}


async def post_and_clock_faults(service: MatchService, match: Match) -> list[str]:
    """Return the faults of the stored posts and clocks of a match."""
    found, posts = [], await stored_matches(service).posts.of(match.id)
    due = set() if match.private else {TABLE}
    due |= {chair.number for chair in match.people} if match.state is not None or match.private else set()
    due |= {END} if match.tells_end else set()
    if not due <= {place_of(post) for post in posts}:
        found.append(f"{TORN}: posts only for {sorted(map(place_of, posts))}")
    if any(post.shown > match.version for post in posts):
        found.append(f"{TORN}: shown is more than there is")
    clocks = {clock.seat: clock.turn for clock in match.clocks}
    if match.status is not Status.PLAYING or match.clock == "none":
        return [*found, f"{TORN}: clocks that belong to no seat"] if clocks else found
    asked = service.state(match).to_move()
    for chair in match.people:
        token = service.turn(match, Seat(chair.number)) if chair.number in asked else ""
        if clocks.get(chair.number) != token:
            found.append(f"{TORN}: seat {chair.number} is asked {token!r}, its clock {clocks.get(chair.number)!r}")
    return found
