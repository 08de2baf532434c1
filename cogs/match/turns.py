"""Turns at a table: what names one, whom the table waits for, and since when."""

from __future__ import annotations

from dataclasses import replace

from cogs.match.clocks import away
from data.records.match import Match
from rules.core.game import AnyState, Seat


def token(match: Match, state: AnyState, seat: Seat) -> str:
    """What names a seat's decision, on its buttons and in the log.

    It is the rules' own, and after a dash the match's branch: to take a move back, or to restore a backup, brings the
    rules' tokens back, and a button of a position that is no more must not act on another. Both are public
    (`State.may_take_back`).
    """
    turn = state.turn(seat)
    return f"{turn}-{match.branch}" if match.branch else turn


def phase(turn: str) -> str:
    """The phase that a decision belongs to, of the token that names it: the same however often the seat decides anew or
    takes back in it.
    """
    return turn.partition("-")[0].partition(".")[0]


def seats_to_move(state: AnyState) -> frozenset[tuple[Seat, str]]:
    """Who is asked, and for what: when it changes, a new turn has begun. Sealing anew does not change it."""
    return frozenset((seat, state.turn(seat)) for seat in state.to_move())


def turned(match: Match, before: AnyState, after: AnyState, now: int) -> Match:
    """The match at its new position, since now if that asks somebody anew."""
    since = match.turn_since if seats_to_move(after) == seats_to_move(before) else now
    return replace(match, state=after.to_json(), turn_since=since, alone=left_alone(match, before, after))


def left_alone(match: Match, before: AnyState, after: AnyState) -> str:
    """The turn of the one person who is awaited after others have decided at the same time; "" where there is none.

    It follows from what everybody sees: whom the table waits for. Sealing anew changes it as little as that.
    """
    there = {Seat(chair.number) for chair in match.people} - {Seat(chair.number) for chair in away(match)}
    was, now = before.to_move() & there, after.to_move() & there
    if len(now) != 1 or not now <= was:
        return ""
    (seat,) = now
    turn = after.turn(seat)
    if turn != before.turn(seat):
        return ""
    return turn if len(was) > 1 else match.alone


def going_on(match: Match, since: int, now: int) -> Match:
    """The match once it runs again: the time since then was nobody's to decide in."""
    return replace(match, turn_since=None if match.turn_since is None else match.turn_since + now - since)
