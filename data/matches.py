"""Matches with their seats, moves and posts, as the database keeps them. Speaks of matches and hides the SQL."""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from data.chain import first_link, is_whole, legible, move_link, undo_link
from data.database import Database
from data.deadlines import SeatClock, read_clocks, write_clocks
from data.people import Way
from rules.core.chance import seed_of

T = TypeVar("T")

TABLE, CALL = -1, -2
"""The places of public messages: the table's, and the call for substitutes. Others are seats, by direct message."""


class Status(StrEnum):
    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Played to its outcome."""
    CANCELLED = "cancelled"
    """Called off in the lobby, or by a server's manager."""
    STOPPED = "stopped"
    """Ended by the table before its outcome."""


class Doubt(StrEnum):
    """What is to be asked of a match that comes from a backup."""

    UNCHECKED = "unchecked"
    """Whether Discord shows later moves is not known yet: nothing is done in it until then."""
    BEHIND = "behind"
    """Discord shows later moves: it rests until its table decides."""


DEPARTED = ""
"""Stored for the name of somebody whose data was deleted: no person's name is empty."""
RESTORED = 10_000
"""More than moves are ever taken back in a match."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits where. `user` None is a computer, or nobody in a match that is over and whose person has had their data
    deleted (`name` DEPARTED); `since` is the length of the log when they sat down.

    `offered`: its person looks for somebody who takes it over, or has been removed. What its person has set for this
    table alone: `ping`, by which way they are called (None: as they said for all), and `plays_forced`, whether a move
    without a choice is made for them. `cut`: what whoever sat there when the match began has cut the deck with, or
    None. `came`: their place in the lobby, from 0; None where the seats were not drawn, or before it was noted.
    """

    number: int
    user: int | None
    name: str
    since: int = 0
    offered: bool = False
    ping: Way | None = None
    plays_forced: bool = False
    cut: str | None = None
    came: int | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who came too late, and plays next time or when somebody gets up."""

    user: int
    name: str


@dataclass(frozen=True, slots=True)
class Former:
    """Who has left a running match, and knows the cards of that seat. `removed` by a vote, they do not come back."""

    user: int
    seat: int
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """One play of a game, as stored. Times are seconds since 1970; `secret` is shown to nobody before the end."""

    id: int
    game: str
    status: Status
    guild: int
    channel: int
    place: int
    host: int
    locale: str
    options: dict[str, Any]
    wanted: int | None
    own_thread: bool
    secret: str = field(repr=False)
    state: dict[str, Any] | None = field(repr=False)
    version: int
    moves: int
    opened_at: int
    started_at: int | None
    turn_since: int | None
    ended_at: int | None
    chairs: tuple[Chair, ...] = ()
    undone: int = 0
    """How many moves of the log have been taken back."""
    paused_at: int | None = None
    """Since when nobody is asked for anything, because the bot was removed from the server; it ended so if not open."""
    previous: int | None = None
    """The match that this one is played again after."""
    touched_at: int = 0
    """When somebody last did something in the lobby."""
    rests_since: int | None = None
    """Since when the match rests by a vote."""
    waiting: tuple[Waiting, ...] = ()
    """Who came too late, in the order of coming."""
    former: tuple[Former, ...] = ()
    clock: str = "none"
    """The name of its terms (cogs/_clock.py)."""
    absent: str = "computer"
    """What follows where somebody's time has run out in spite of the extension: that, or "vote"."""
    clocks: tuple[SeatClock, ...] = ()
    """Those of the seats of people, where the match has a clock."""
    alone: str = ""
    """The turn of the last one awaited of several people who decide at once; "" where there is none."""
    chain: bytes | None = field(default=None, repr=False)
    """The last link of the log's chain (data/chain.py), from the start on."""
    rules: int = 1
    """The version of its game's rules that it began with."""
    doubt: Doubt | None = None
    """What a restored backup leaves open."""
    restores: int = 0
    """How often it was found to be behind what Discord showed."""
    readable: bool = True
    """Whether its row can be read; else options and state are not there."""

    def seat_of(self, user: int) -> int | None:
        """The seat of that person, or None."""
        return next((chair.number for chair in self.chairs if chair.user == user), None)

    @property
    def cuts(self) -> tuple[str, ...]:
        """What the deck has been cut with: in the order of the lobby's list, from the start on in that of the seats."""
        return tuple(chair.cut for chair in self.chairs if chair.cut is not None)

    @property
    def seed(self) -> str:
        """What all deals follow from, as secret as `secret`. Of a started match."""
        return seed_of(self.secret, self.cuts)

    @property
    def people(self) -> tuple[Chair, ...]:
        return tuple(chair for chair in self.chairs if chair.user is not None)

    def former_seat(self, user: int) -> Former | None:
        """What that person has left, or None where they never sat at the running match, or sit there."""
        return next((former for former in self.former if former.user == user), None)

    @property
    def open(self) -> bool:
        return self.status in (Status.LOBBY, Status.PLAYING)

    @property
    def paused(self) -> bool:
        return self.open and self.paused_at is not None

    @property
    def running(self) -> bool:
        """Whether moves are made in it now."""
        halted = self.paused_at is not None or self.rests_since is not None or self.doubt is Doubt.UNCHECKED
        return self.status is Status.PLAYING and not halted

    @property
    def branch(self) -> int:
        """A number that grows whenever positions are left behind: by a move taken back, or by a restored backup."""
        return self.undone + RESTORED * self.restores

    @property
    def ending(self) -> str:
        """How it ended, in a word: its status, or "away", where nobody asked the bot back to the server in time."""
        return "away" if not self.open and self.paused_at is not None else self.status.value


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move of the log. `user` None: a computer made it.

    `undone_at` is the length of the log when the move was taken back, and None while it stands. The last one that
    stands is taken back first, so this tells in what order things were done and undone.
    """

    number: int
    seat: int
    turn: str
    text: str = field(repr=False)
    user: int | None = None
    undone_at: int | None = None


@dataclass(frozen=True, slots=True)
class Post:
    """A message that shows a match, and how far it has shown it. `user`: whose hand it is; None at the table.

    `pinged` is what that person has been called for or knows of; `mentioned` is the same of the table's calls alone,
    for those who are called in both ways. `ping` is the message of the table's last call.
    """

    match: int
    place: int
    channel: int
    message: int | None = None
    shown: int = 0
    digest: str = ""
    pinged: str = ""
    ping: int | None = None
    user: int | None = None
    mentioned: str = ""


@dataclass(frozen=True, slots=True)
class Farewell:
    """A direct message with the hand of somebody who has left, still to be emptied."""

    match: int
    user: int
    channel: int
    message: int


class Conflict(Exception):
    """The match has changed since it was read. Nothing was written."""


_FIELDS = (
    *("game", "status", "guild", "channel", "place", "host", "locale", "options", "wanted", "own_thread", "secret"),
    *("state", "version", "moves", "undone", "opened_at", "started_at", "turn_since", "ended_at"),
    *("paused_at", "previous", "touched_at", "rests_since", "clock", "absent", "alone"),
    *("chain", "rules", "doubt", "restores"),
)
_READ = f"SELECT id, {', '.join(_FIELDS)} FROM match"  # noqa: S608  -- the names above and nothing else
_SAVE = f"UPDATE match SET {', '.join(f'{name} = ?' for name in _FIELDS)} WHERE id = ? AND version = ?"  # noqa: S608


_MOVE_SQL = "INSERT INTO move (match, number, seat, turn, text, user, link) VALUES (?, ?, ?, ?, ?, ?, ?)"
_UNDO_SQL = "UPDATE move SET undone_at = ? WHERE match = ? AND number = ? AND undone_at IS NULL"
_AFTER_MOVE_SQL = (
    "UPDATE match SET state = ?, version = ?, moves = ?, undone = ?, turn_since = ?, alone = ?, chain = ? "
    "WHERE id = ? AND version = ?"
)
_FAREWELL = "INSERT OR IGNORE INTO farewell SELECT ?1, user, ?3, ?4 FROM person WHERE user = ?2"
"""Of somebody whose data was deleted in the meantime nothing is noted."""
_SEAT = "number, user, name, since, offered, ping, plays_forced, cut, came"
_READ_SEATS = f"SELECT {_SEAT} FROM seat WHERE match = ? ORDER BY number"  # noqa: S608  -- the names above
_SAVE_SEAT = f"INSERT INTO seat ({_SEAT}, match) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  -- as above
_READ_MOVES = "SELECT number, seat, turn, text, user, undone_at FROM move WHERE match = ?"


MOST_KEPT = 512
"""Matches kept in memory: about 10 MB."""


def _keep(kept: OrderedDict[int, T], number: int, value: T) -> None:
    kept[number] = value
    kept.move_to_end(number)
    if len(kept) > MOST_KEPT:
        kept.popitem(last=False)


class Matches:
    """The repository of matches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # As last committed, of the matches asked for last: each press asks several times, and a hop to the database's
        # thread costs more than all that is done with the answer. They are filled in that thread alone, in the order of
        # what it does, so they are never older than the file: also where nobody waits for an answer any more.
        self._matches: OrderedDict[int, Match] = OrderedDict()
        self._posts: OrderedDict[int, dict[int, Post]] = OrderedDict()
        self._votes: OrderedDict[int, dict[int, str]] = OrderedDict()

    async def open(self, match: Match) -> Match:
        """Store a new match (its `id` is not used) and give it back with its id and version 1."""

        def work(c: sqlite3.Connection) -> Match:
            new = replace(match, version=1, chain=_chained(match, None))
            names = ", ".join(_FIELDS)
            marks = ", ".join("?" * len(_FIELDS))
            row = c.execute(f"INSERT INTO match ({names}) VALUES ({marks})", _values(new))  # noqa: S608  -- as above
            assert row.lastrowid is not None
            new = replace(new, id=row.lastrowid)
            _write_people(c, new)
            _ensure_posts(c, new)
            return new

        return await self._database.write(work)

    async def save(self, match: Match, move: LoggedMove | None = None, votes: dict[int, str] | None = None) -> Match:
        """Store what became of a match, with the move that did it, in one transaction; the version grows by one.

        `match` carries the version that was read. Raises Conflict when that is no longer the stored one, or when the
        seat has already decided in that turn. A move with `undone_at` is in the log already and is marked there.
        `votes` replaces the table's votes where given.
        """

        new = replace(match, version=match.version + 1, chain=_chained(match, move))
        known = self._matches.get(match.id)
        clocks = known.clocks if known is not None and known.version == match.version else None

        def work(c: sqlite3.Connection) -> Match:
            if move is None:
                _save(c, new)
            else:
                _save_move(c, new, move)
            write_clocks(c, new.id, clocks, new.clocks)
            if votes is not None:
                c.execute("DELETE FROM vote WHERE match = ?", (match.id,))
                c.executemany("INSERT INTO vote VALUES (?, ?, ?)", [(match.id, u, v) for u, v in votes.items()])
            return new

        def remember(saved: Match) -> None:
            _keep(self._matches, saved.id, saved)
            if votes is not None:
                _keep(self._votes, saved.id, dict(votes))
            if move is None:  # people may have come or gone, and their posts with them
                self._posts.pop(saved.id, None)

        return await self._database.write(work, remember)

    def forget(self) -> None:
        """Keep nothing in memory. In the database's thread, or where nothing is being written."""
        for kept in (self._matches, self._posts, self._votes):
            kept.clear()

    async def again(self, number: int) -> int | None:
        """The match that is played again after that one, unless it was called off."""
        sql = "SELECT id FROM match WHERE previous = ? AND status <> 'cancelled'"
        row = await self._database.read(lambda c: c.execute(sql, (number,)).fetchone())
        return None if row is None else int(row[0])

    async def untouched(self, since: int) -> list[int]:
        """Lobbies in which nobody has done anything since then, though they could."""
        sql = "SELECT id FROM match WHERE status = 'lobby' AND touched_at < ? AND paused_at IS NULL"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (since,))])

    async def farewells(self, number: int) -> list[Farewell]:
        sql = "SELECT match, user, channel, message FROM farewell WHERE match = ?"
        return await self._database.read(lambda c: [Farewell(**row) for row in c.execute(sql, (number,))])

    async def said_farewell(self, farewell: Farewell) -> None:
        """That message is empty, or gone."""
        key = (farewell.match, farewell.message)

        def work(c: sqlite3.Connection) -> None:
            c.execute("DELETE FROM farewell WHERE match = ? AND message = ?", key)

        await self._database.write(work)

    async def get(self, number: int) -> Match | None:
        def read(c: sqlite3.Connection) -> Match | None:
            found = _read(c, "WHERE id = ?", (number,))
            if not found:
                return None
            _keep(self._matches, number, found[0])
            return found[0]

        return self._matches.get(number) or await self._database.read(read)

    async def in_channel(self, channel: int) -> list[Match]:
        """Open matches whose table is or was opened in that channel, the newest first."""
        # Two index searches: an OR of them would read all that are open.
        where = (
            "WHERE id IN (SELECT id FROM match WHERE channel = ? AND status IN ('lobby', 'playing') "
            "UNION SELECT id FROM match WHERE place = ? AND status IN ('lobby', 'playing')) ORDER BY id DESC"
        )
        return await self._database.read(lambda c: _read(c, where, (channel, channel)))

    async def of_user(self, user: int) -> list[Match]:
        """Open matches in which that person sits, the newest first."""
        where = (
            "WHERE id IN (SELECT match FROM seat WHERE user = ?) AND status IN ('lobby', 'playing') ORDER BY id DESC"
        )
        return await self._database.read(lambda c: _read(c, where, (user,)))

    async def open_in(self, guild: int) -> list[int]:
        """The open matches of a server, the oldest first."""
        sql = "SELECT id FROM match WHERE guild = ? AND status IN ('lobby', 'playing') ORDER BY id"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql, (guild,))])

    async def guilds(self) -> list[int]:
        """Servers that have open matches."""
        sql = "SELECT DISTINCT guild FROM match WHERE status IN ('lobby', 'playing') ORDER BY guild"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def away(self) -> list[int]:
        """Matches that pause, and such as ended so and do not show it yet."""
        sql = (
            "SELECT id FROM match WHERE paused_at IS NOT NULL AND (status IN ('lobby', 'playing') "
            "OR EXISTS (SELECT 1 FROM post WHERE post.match = match.id AND shown < version)) ORDER BY id"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def whole(self, number: int) -> tuple[Match, list[LoggedMove], bool] | None:
        """A match with its whole log, at one moment, and whether that log is the one that was recorded. Not kept."""

        def read(c: sqlite3.Connection) -> tuple[Match, list[LoggedMove], bool] | None:
            found = _read(c, "WHERE id = ?", (number,))
            if not found:
                return None
            log = [LoggedMove(**row) for row in legible(c, f"{_READ_MOVES} ORDER BY number", (number,))]
            return found[0], log, found[0].state is None or is_whole(c, number)

        return await self._database.read(read)

    async def still_open(self) -> list[int]:
        """All open matches, the newest first."""
        sql = "SELECT id FROM match WHERE status IN ('lobby', 'playing') ORDER BY id DESC"
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def stop_clocks(self, number: int) -> None:
        """Let no deadline of that match come due any more; what is left to each seat stays."""

        def work(c: sqlite3.Connection) -> None:
            c.execute("UPDATE clock SET due = NULL, ends = NULL WHERE match = ?", (number,))

        def forget(_: None) -> None:
            self._matches.pop(number, None)

        await self._database.write(work, forget)

    async def moves(self, number: int) -> list[LoggedMove]:
        """The whole log, from the first move on, with those that were taken back."""
        return await self._database.read(
            lambda c: [LoggedMove(**row) for row in legible(c, f"{_READ_MOVES} ORDER BY number", (number,))]
        )

    async def decision(self, number: int, seat: int, turn: str) -> LoggedMove | None:
        """What the seat decided in that turn, unless it was taken back."""

        def work(c: sqlite3.Connection) -> LoggedMove | None:
            mine = "AND seat = ? AND turn = ? AND undone_at IS NULL"
            row = c.execute(f"{_READ_MOVES} {mine}", (number, seat, turn)).fetchone()
            return LoggedMove(**row) if row else None

        return await self._database.read(work)

    async def votes(self, number: int) -> dict[int, str]:
        """What each person wants the table to do, by user; whoever wants nothing is not in it."""

        def read(c: sqlite3.Connection) -> dict[int, str]:
            found = dict(c.execute("SELECT user, choice FROM vote WHERE match = ?", (number,)).fetchall())
            _keep(self._votes, number, found)
            return found

        known = self._votes.get(number)
        return dict(await self._database.read(read) if known is None else known)

    async def posts(self, number: int) -> dict[int, Post]:
        """The messages that show the match, by place."""

        def read(c: sqlite3.Connection) -> dict[int, Post]:
            found = {row["place"]: Post(**row) for row in c.execute("SELECT * FROM post WHERE match = ?", (number,))}
            _keep(self._posts, number, found)
            return found

        known = self._posts.get(number)
        return dict(await self._database.read(read) if known is None else known)

    async def save_posts(self, posts: Sequence[Post]) -> None:
        """Note what has been shown. A hand whose person has left in the meantime is noted as one to be emptied."""
        sql = (
            "UPDATE post SET channel = ?, message = ?, shown = ?, digest = ?, pinged = ?, ping = ?, mentioned = ? "
            "WHERE match = ? AND place = ? AND user IS ?"
        )

        def work(c: sqlite3.Connection) -> list[Post]:
            stored = []
            for p in posts:
                row = (p.channel, p.message, p.shown, p.digest, p.pinged, p.ping, p.mentioned)
                if c.execute(sql, (*row, p.match, p.place, p.user)).rowcount:
                    stored.append(p)
                elif p.message is not None and p.user is not None:
                    c.execute(_FAREWELL, (p.match, p.user, p.channel, p.message))
            return stored

        def remember(stored: list[Post]) -> None:
            for post in stored:
                known = self._posts.get(post.match, {})
                if post.place in known and known[post.place].user == post.user:
                    self._posts[post.match] = {**known, post.place: post}

        await self._database.write(work, remember)

    async def try_to_write(self) -> None:
        """Raise NotStored where `save_posts` would."""

        def work(c: sqlite3.Connection) -> None:
            c.execute("INSERT OR REPLACE INTO setting VALUES ('tried', hex(randomblob(8)))")

        await self._database.write(work)

    async def forget_posts(self) -> None:
        """Take every message and thread of open matches for lost, so that all of it is shown anew."""

        def work(c: sqlite3.Connection) -> None:
            # A running match does not open a thread a second time.
            c.execute("UPDATE match SET place = channel, own_thread = 0 WHERE status = 'playing'")
            c.execute(
                "UPDATE post SET message = NULL, shown = 0, digest = '', pinged = '', ping = NULL, "
                "mentioned = '' "
                "WHERE match IN (SELECT id FROM match WHERE status IN ('lobby', 'playing'))"
            )

        def forget(_: None) -> None:
            self._matches.clear()
            self._posts.clear()

        await self._database.write(work, forget)

    async def unshown(self) -> list[int]:
        """Matches that some message does not show as they stand."""
        sql = (
            "SELECT DISTINCT id FROM match JOIN post ON post.match = match.id WHERE shown < version "
            "UNION SELECT match FROM farewell UNION SELECT id FROM match WHERE doubt = 'unchecked'"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])

    async def played_for(self) -> list[int]:
        """Running matches in which a seat may be played for: a computer's, or that of a person who is away or has
        forced moves made.
        """
        sql = (
            "SELECT DISTINCT match.id FROM match JOIN seat ON seat.match = match.id "
            "LEFT JOIN clock ON clock.match = seat.match AND clock.seat = seat.number "
            "WHERE status = 'playing' AND (seat.user IS NULL OR plays_forced OR away IS NOT NULL)"
        )
        return await self._database.read(lambda c: [int(row[0]) for row in c.execute(sql)])


def _save(c: sqlite3.Connection, new: Match) -> None:
    """Everything of a match but its log. Raises Conflict."""
    if c.execute(_SAVE, (*_values(new), new.id, new.version - 1)).rowcount != 1:
        raise Conflict
    _write_people(c, new)
    _ensure_posts(c, new)


def _save_move(c: sqlite3.Connection, new: Match, move: LoggedMove) -> None:
    """A move made or taken back, and what that can change. Raises Conflict."""
    if new.status is Status.PLAYING:  # to write the status anew, even the same, costs its index a change
        values = (_text(new.state), new.version, new.moves, new.undone, new.turn_since, new.alone, new.chain)
        changed = c.execute(_AFTER_MOVE_SQL, (*values, new.id, new.version - 1))
    else:
        changed = c.execute(_SAVE, (*_values(new), new.id, new.version - 1))
    if changed.rowcount != 1:
        raise Conflict
    if move.undone_at is not None:
        if c.execute(_UNDO_SQL, (move.undone_at, new.id, move.number)).rowcount != 1:
            raise Conflict
        return
    try:
        c.execute(_MOVE_SQL, (new.id, move.number, move.seat, move.turn, move.text, move.user, new.chain))
    except sqlite3.IntegrityError as error:
        raise Conflict from error


def _chained(match: Match, move: LoggedMove | None) -> bytes | None:
    """The last link of a match's chain once that move has been made, or taken back."""
    if match.state is None:
        return None
    link = match.chain
    if link is None:
        link = first_link(match.secret, match.game, len(match.chairs), _text(match.options) or "")
    if move is None:
        return link
    if move.undone_at is not None:
        return undo_link(link, match.id, move.number, move.undone_at)
    return move_link(link, match.id, move.number, move.seat, move.turn, move.text)


def _text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, separators=(",", ":"))


def _values(match: Match) -> list[Any]:
    values = [getattr(match, name) for name in _FIELDS]
    values[_FIELDS.index("status")] = match.status.value
    values[_FIELDS.index("options")] = _text(match.options)
    values[_FIELDS.index("own_thread")] = int(match.own_thread)
    values[_FIELDS.index("state")] = _text(match.state)
    values[_FIELDS.index("doubt")] = None if match.doubt is None else match.doubt.value
    return values


def _read(c: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[Match]:
    found = []
    for row in legible(c, f"{_READ} {where}", values):
        key = (row["id"],)
        chairs = c.execute(_READ_SEATS, key)
        facts = {name: row[name] for name in _FIELDS}
        facts["status"] = Status(facts["status"])
        facts["doubt"] = None if facts["doubt"] is None else Doubt(facts["doubt"])
        facts["own_thread"] = bool(facts["own_thread"])
        try:
            facts["options"] = json.loads(facts["options"])
            facts["state"] = None if facts["state"] is None else json.loads(facts["state"])
        except ValueError:  # one damaged match must not keep others from being read
            facts |= {"options": {}, "state": None, "readable": False}
        facts["chairs"] = tuple(
            Chair(number, user, name, since, bool(offered), None if ping is None else Way(ping), bool(forced), *fair)
            for number, user, name, since, offered, ping, forced, *fair in chairs
        )
        waiting = c.execute("SELECT user, name FROM waiting WHERE match = ? ORDER BY place", key)
        facts["waiting"] = tuple(Waiting(**who) for who in waiting)
        former = c.execute("SELECT user, seat, removed FROM former WHERE match = ? ORDER BY user", key)
        facts["former"] = tuple(Former(user, seat, bool(removed)) for user, seat, removed in former)
        found.append(Match(id=row["id"], clocks=read_clocks(c, row["id"]), **facts))
    return found


def _seat(match: int, chair: Chair) -> tuple[object, ...]:
    """As _SAVE_SEAT wants it."""
    offered, forced = int(chair.offered), int(chair.plays_forced)
    seated = (chair.number, chair.user, chair.name, chair.since, offered, chair.ping, forced)
    return (*seated, chair.cut, chair.came, match)


def _write_people(c: sqlite3.Connection, match: Match) -> None:
    """Who sits there, who waits, and who has left."""
    for table in ("seat", "waiting", "former"):
        c.execute(f"DELETE FROM {table} WHERE match = ?", (match.id,))  # noqa: S608  -- one of these three
    c.executemany(_SAVE_SEAT, [_seat(match.id, chair) for chair in match.chairs])
    c.executemany(
        "INSERT INTO waiting VALUES (?, ?, ?, ?)",
        [(match.id, place, who.user, who.name) for place, who in enumerate(match.waiting)],
    )
    c.executemany(
        "INSERT INTO former VALUES (?, ?, ?, ?)",
        [(match.id, who.user, who.seat, int(who.removed)) for who in match.former],
    )


_OF_OTHERS = (
    "FROM post WHERE match = ? AND place >= 0 AND NOT EXISTS (SELECT 1 FROM seat "
    "WHERE seat.match = post.match AND seat.number = post.place AND seat.user = post.user)"
)
"""Posts of hands that are no longer their owners'."""


def _ensure_posts(c: sqlite3.Connection, match: Match) -> None:
    """A post for the table; from the start on one for each person, in their channel of direct messages if known, and
    one for the call where somebody looks for a substitute.

    Of those who have left only the message remains that is to be emptied.
    """
    c.execute("INSERT OR IGNORE INTO post (match, place, channel) VALUES (?, ?, ?)", (match.id, TABLE, match.place))
    if match.state is None:  # also of a lobby that was called off: there is no hand to show
        return
    key = (match.id,)
    c.execute(
        f"INSERT OR IGNORE INTO farewell SELECT match, user, channel, message {_OF_OTHERS} "
        "AND message IS NOT NULL AND user IS NOT NULL",
        key,
    )
    c.execute(f"DELETE {_OF_OTHERS}", key)
    if any(chair.offered for chair in match.people):
        c.execute(
            "INSERT OR IGNORE INTO post (match, place, channel) VALUES (?, ?, ?)", (match.id, CALL, match.channel)
        )
    for chair in match.people:
        c.execute(
            "INSERT OR IGNORE INTO post (match, place, channel, user) "
            "VALUES (?1, ?2, coalesce((SELECT dm FROM person WHERE user = ?3), 0), ?3)",
            (match.id, chair.number, chair.user),
        )
