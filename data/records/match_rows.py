"""Matches as rows of the database: reads and writes them inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any

from data.records import post_rows
from data.records.columns import column, fields_of, readers
from data.records.deadlines import READ_CLOCKS, clocks_of
from data.records.match import (
    Chair,
    Conflict,
    Former,
    Guest,
    GuestState,
    LoggedMove,
    Match,
    SeatChange,
    SeatChangeKind,
    Status,
    Waiting,
)
from data.records.proposals import READ_PROPOSALS, proposals_of
from data.records.reminders import READ_REMINDERS, reminders_of
from data.records.terms import TERMS, Terms
from data.store.engine import Connection
from data.store.hash_chain import encode, first_link, is_whole, move_link, read_lossy, undo_link

_FIELDS = (
    *("game", "status", "guild", "channel", "place", "host", *TERMS, "secret"),
    *("state", "version", "moves", "undone", "opened_at", "started_at", "turn_since", "ended_at"),
    *("paused_at", "previous", "touched_at", "rests_since", "alone"),
    *("chain", "rules", "doubt", "restores"),
    *("starts_at", "starts_soon", "missed_start", "nudged_at", "lesson"),
    *("duplicate", "held", "season", "dissolved", "clock_kept_until", "parent", "uncounted", "credited"),
)
_MISSED_START = _FIELDS.index("missed_start")
_READ = f"SELECT id, {', '.join(_FIELDS)} FROM match"
_FOLLOWS_ONCE = "ON CONFLICT (previous) WHERE previous IS NOT NULL AND status <> 'cancelled' DO NOTHING"
_SAVE = f"UPDATE match SET {', '.join(f'{name} = ?' for name in _FIELDS)} WHERE id = ? AND version = ?"


_MOVE_SQL = (
    "INSERT INTO move (match, number, seat, turn, text, user, computer, took, link) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
_AHEAD_SQL = "UPDATE seat SET ahead = ? WHERE match = ? AND number = ?"
_UNDO_SQL = "UPDATE move SET undone_at = ? WHERE match = ? AND number = ? AND undone_at IS NULL"
_AFTER_MOVE_SQL = (
    "UPDATE match SET state = ?, version = ?, moves = ?, undone = ?, turn_since = ?, alone = ?, chain = ? "
    "WHERE id = ? AND version = ?"
)
_SEAT = tuple(field.name for field in fields(Chair))
_READ_SEATS = f"SELECT {', '.join(_SEAT)} FROM seat WHERE match = ? ORDER BY number"
_SAVE_SEAT = f"INSERT INTO seat ({', '.join(_SEAT)}, match) VALUES (?{', ?' * len(_SEAT)})"
_READ_CHANGES = "SELECT moves, seat, kind, user, name, computer FROM seat_change WHERE match = ? ORDER BY number"
_READ_PARTS = (
    _READ_SEATS,
    _READ_CHANGES,
    "SELECT user, name FROM waiting WHERE match = ? ORDER BY place",
    "SELECT user, seat, removed, hints, hinted FROM former WHERE match = ? ORDER BY user",
    "SELECT user, name, state FROM guest WHERE match = ? ORDER BY user",
    READ_CLOCKS,
    READ_REMINDERS,
    *READ_PROPOSALS,
)
_SAVE_CHANGE = "INSERT INTO seat_change VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
"""A change that is stored never changes again, but that its player's name goes when their data is deleted."""
_SEASON_CHANGED = (
    "UPDATE season SET version = version + 1 WHERE status IN ('over', 'stopped') "
    "AND id = (SELECT season FROM season_table WHERE match = ?)"
)
"""Run when a match has ended after its season: with the last one, the season's messages tell its secret."""
_SEATED = "SELECT user FROM seat WHERE match = ? AND user IS NOT NULL"
_LOCK_GROUP = "UPDATE match SET duplicate = duplicate WHERE id = (SELECT min(id) FROM match WHERE duplicate = ?)"
"""Of two processes that seat people at tables of one group, the second waits here, and then begins again."""
_SITS_ELSEWHERE = (
    "SELECT 1 FROM match WHERE duplicate = ?1 AND id <> ?2 AND NOT (status = 'cancelled' AND started_at IS NULL) AND ("
    "EXISTS (SELECT 1 FROM seat WHERE match = match.id AND user = ?3) OR "
    "EXISTS (SELECT 1 FROM former WHERE match = match.id AND user = ?3))"
)
READ_MOVES = "SELECT number, seat, turn, text, user, undone_at, computer, took FROM move WHERE match = ?"


def add(c: Connection, match: Match) -> Match:
    """Store a new match. Return it with its number. Raises Conflict if another one follows the same match already."""
    marks = ", ".join("?" * len(_FIELDS))
    sql = f"INSERT INTO match ({', '.join(_FIELDS)}) VALUES ({marks}) {_FOLLOWS_ONCE} RETURNING id"
    row = c.execute(sql, _values(match)).fetchone()
    if row is None:
        raise Conflict
    new = replace(match, id=int(row[0]))
    write_people(c, new)
    post_rows.ensure_posts(c, new)
    return new


def save(c: Connection, new: Match) -> None:
    """Store everything of a match except its log. Raises Conflict if the version before is not the stored one, or a
    player who sits down has sat at another table of the same deals: another process has seated them meanwhile.
    """
    if new.duplicate is not None:
        _check_one_table(c, new, new.duplicate)
    if new.tells_end:
        post_rows.ensure_end(c, new.id)
    if c.execute(_SAVE, (*_values(new), new.id, new.version - 1)).rowcount != 1:
        raise Conflict
    if new.season and not new.open:
        c.execute(_SEASON_CHANGED, (new.id,))
    write_people(c, new)
    post_rows.ensure_posts(c, new)
    post_rows.withdraw_invitations(c, new.id)


def _check_one_table(c: Connection, new: Match, group: int) -> None:
    """Raise Conflict if a player who sits down in `new` sits or has sat at another table of the group."""
    known = {row[0] for row in c.execute(_SEATED, (new.id,))}
    came = [chair.user for chair in new.chairs if chair.user is not None and chair.user not in known]
    if came:
        c.execute(_LOCK_GROUP, (group,))
    if any(c.execute(_SITS_ELSEWHERE, (group, new.id, user)).fetchone() is not None for user in came):
        raise Conflict


def save_move(c: Connection, new: Match, move: LoggedMove, before: Match | None) -> None:
    """Store a move made or taken back, and the fields that it can change. `before`: the stored match, if it is known.
    Raises Conflict if the version before is not the stored one, or the log already has that move.
    """
    if new.status is Status.PLAYING:  # writing the status, even the same one, would cost an update of its index
        values = (_text(new.state), new.version, new.moves, new.undone, new.turn_since, new.alone, new.chain)
        changed = c.execute(_AFTER_MOVE_SQL, (*values, new.id, new.version - 1))
    else:
        post_rows.ensure_end(c, new.id)
        changed = c.execute(_SAVE, (*_values(new), new.id, new.version - 1))
    if new.season and not new.open:
        c.execute(_SEASON_CHANGED, (new.id,))
    known = {} if before is None else {chair.number: chair.ahead for chair in before.chairs}
    named = [chair for chair in new.chairs if chair.ahead is not None or known.get(chair.number, "") is not None]
    if named:
        c.executemany(_AHEAD_SQL, [(_ahead_of(new, chair), new.id, chair.number) for chair in named])
    if move.undone_at is not None:
        logged = c.execute(_UNDO_SQL, (move.undone_at, new.id, move.number))
    else:
        made = (new.id, move.number, move.seat, move.turn, move.text, move.user, move.computer, move.took, new.chain)
        logged = c.execute(_MOVE_SQL, made)
    if (changed.rowcount, logged.rowcount) != (1, 1):
        raise Conflict


def chained(match: Match, move: LoggedMove | None) -> bytes | None:
    """Return the last link of a match's chain after that move is made or taken back; None in a lobby."""
    if match.state is None:
        return None
    link = match.chain
    if link is None:
        link = first_link(match.secret, match.game, len(match.chairs), encode(match.options))
    if move is None:
        return link
    if move.undone_at is not None:
        return undo_link(link, match.id, move.number, move.undone_at)
    return move_link(link, match.id, move.number, move.seat, move.turn, move.text)


def _text(value: Any) -> str | None:
    return None if value is None else encode(value)


def _values(match: Match) -> list[Any]:
    values = [column(getattr(match, name)) for name in _FIELDS]
    values[_MISSED_START] = values[_MISSED_START] or ""
    return values


_READERS = readers(Match, _FIELDS)
_SEAT_READERS = readers(Chair, _SEAT)
_seat_values = attrgetter(*_SEAT)
_DEFAULTS = Terms(locale="")


def _ahead_mark(moves: int, undone: int) -> str:
    """Return what is stored before a move that is named ahead. It changes with each move made or taken back: a process
    of an older version, which does not know of such moves, leaves the row as it was, and the move is void.
    """
    return f"{moves + undone} "


def _ahead_of(match: Match, chair: Chair) -> str | None:
    return None if chair.ahead is None else _ahead_mark(match.moves, match.undone) + chair.ahead


def _seat_of(row: Any, mark: str) -> Chair:
    chair = Chair(**fields_of(row, _SEAT_READERS))
    if chair.ahead is None:
        return chair
    return replace(chair, ahead=chair.ahead.removeprefix(mark) if chair.ahead.startswith(mark) else None)


def read(c: Connection, where: str, values: Sequence[Any]) -> list[Match]:
    """Return the matches that this WHERE clause selects; `values` are its parameters."""
    found = []
    rows = read_lossy(c, f"{_READ} {where}", values)
    for row, parts in [(row, [c.execute(sql, (row["id"],)) for sql in _READ_PARTS]) for row in rows]:  # in one journey
        chairs, changes, waiting, former, guests, clocks, reminders, proposals, refusals = parts
        facts: dict[str, Any] = dict(zip(_FIELDS, tuple(row)[1:], strict=True))
        damaged = False
        for name, reader in _READERS.items():
            try:
                facts[name] = None if row[name] is None else reader(row[name])
            except ValueError:
                if name not in (*TERMS, "state"):
                    raise
                damaged, facts[name] = True, getattr(_DEFAULTS, name, None)
        try:
            facts["seat_changes"] = tuple(
                SeatChange(moves, seat, SeatChangeKind(kind), user, name, computer)
                for moves, seat, kind, user, name, computer in changes
            )
        except ValueError:
            damaged = True
        if damaged:  # one damaged match must not make the others unreadable
            facts |= {"options": {}, "state": None, "readable": False, "seat_changes": ()}
        mark = _ahead_mark(facts["moves"], facts["undone"])
        facts["chairs"] = tuple(_seat_of(row, mark) for row in chairs)
        facts["waiting"] = tuple(Waiting(**who) for who in waiting)
        facts["former"] = tuple(Former(user, seat, bool(removed), *rest) for user, seat, removed, *rest in former)
        facts["reminders"], facts["proposals"] = reminders_of(reminders), proposals_of(proposals, refusals)
        facts["guests"] = tuple(Guest(user, name, GuestState(state)) for user, name, state in guests)
        found.append(Match(id=row["id"], clocks=clocks_of(clocks), **facts))
    return found


def whole(c: Connection, number: int) -> tuple[Match, list[LoggedMove], bool] | None:
    """Return a match, its whole log, and whether the log fits its hash chain; None if there is no such match."""
    found = read(c, "WHERE id = ?", (number,))
    if not found:
        return None
    log = [LoggedMove(**row) for row in read_lossy(c, f"{READ_MOVES} ORDER BY number", (number,))]
    return found[0], log, found[0].state is None or is_whole(c, number)


def write_people(c: Connection, match: Match) -> None:
    """Store who sits there, who waits, who has left, who is a guest, and the changes of seats."""
    c.execute("DELETE FROM seat WHERE match = ?", (match.id,))
    c.execute("DELETE FROM waiting WHERE match = ?", (match.id,))
    c.execute("DELETE FROM former WHERE match = ?", (match.id,))
    seats = [replace(chair, ahead=_ahead_of(match, chair)) if chair.ahead else chair for chair in match.chairs]
    c.executemany(_SAVE_SEAT, [(*map(column, _seat_values(chair)), match.id) for chair in seats])
    c.executemany(
        "INSERT INTO waiting VALUES (?, ?, ?, ?)",
        [(match.id, place, who.user, who.name) for place, who in enumerate(match.waiting)],
    )
    c.executemany(  # a guest stays one, and the message that invited them stays noted
        "INSERT INTO guest (match, user, name, state) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (match, user) DO UPDATE SET name = excluded.name, state = excluded.state",
        [(match.id, guest.user, guest.name, guest.state.value) for guest in match.guests],
    )
    c.executemany(
        "INSERT INTO former (match, user, seat, removed, hints, hinted) VALUES (?, ?, ?, ?, ?, ?)",
        [(match.id, who.user, who.seat, int(who.removed), who.hints, who.hinted) for who in match.former],
    )
    c.executemany(
        _SAVE_CHANGE,
        [
            (match.id, number, change.moves, change.seat, change.kind.value, change.user, change.name, change.computer)
            for number, change in enumerate(match.seat_changes)
        ],
    )
