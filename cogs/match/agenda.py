"""What matches want of a player: their open matches in order, first those that wait for them, by time left; which ping
they are owed; and what they have missed, the part of a match's history after their own last move.

What a player has missed counts only what their seat saw. A changed seal of another seat is no event, so the offer to
catch up does not reveal it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from cogs.match.automatic_moves import own_move
from cogs.match.clocks import clock_of
from cogs.match.positions import LoggedEvent
from cogs.match.reminders import reminder_of
from cogs.match.service import MatchService
from cogs.match.votes import asked
from data.records.match import Match, Status
from data.records.pings import THE_END, Ping
from rules.core.game import Seat

LONG = 3600
"""Seconds of waiting after which a player who opens their hand may catch up on a single move."""


class Attention(IntEnum):
    """What a match needs from one player, in the order in which matches are listed."""

    YOURS = 0
    """It waits for the player."""
    AWAY = 1
    """A computer plays for the player until they are back."""
    OTHERS = 2
    """It waits for other players."""
    LOBBY = 3
    """It has not begun."""
    RESTING = 4
    """No moves are possible until it goes on."""


def attention(service: MatchService, match: Match, user: int) -> Attention:
    """Return what an open match needs from a player who sits there. The match has been verified, as by `open_of`."""
    seat = match.seat_of(user)
    if seat is None or match.paused or match.rests_since is not None or match.id not in service.quarantine.sound:
        return Attention.RESTING
    if match.status is Status.LOBBY:
        return Attention.LOBBY
    clock = clock_of(match, seat)
    if clock is not None and clock.away is not None:
        return Attention.AWAY
    return Attention.YOURS if Seat(seat) in service.state(match).to_move() else Attention.OTHERS


def in_order(service: MatchService, matches: Iterable[Match], user: int) -> list[Match]:
    """Return the matches ordered by attention, then by the end of the time, then by the longest wait."""

    def key(match: Match) -> tuple[int, bool, int, int]:
        how = attention(service, match, user)
        ends = _ends(service, match, user, how)
        return how, ends is None, match.waits_since if ends is None else ends, match.id

    return sorted(matches, key=key)


async def open_of(service: MatchService, user: int, known: Match | None = None) -> list[Match]:
    """Return the open matches of a user. Each has been verified: `quarantine.sound` has those that can be played on.
    `known`: one of them, which need not be read.
    """
    matches = await service.index.of_player(user, known)
    for match in matches:
        if match.id not in service.quarantine.sound:
            await service.quarantine.fault(match)
    return matches


async def waiting_for(service: MatchService, user: int, known: Match | None = None) -> list[Match]:
    """Return the matches that wait for a user, in order; no private ones, since no other player waits in them. `known`:
    as for `open_of`.
    """
    matches = [match for match in await open_of(service, user, known) if not match.private]
    return in_order(service, [m for m in matches if attention(service, m, user) is Attention.YOURS], user)


def others_than(number: int, waiting: list[Match]) -> list[Match]:
    """Return the other matches, beginning after that one, so that going from each to the next visits all of them."""
    at = next((at for at, match in enumerate(waiting) if match.id == number), None)
    return waiting if at is None else waiting[at + 1 :] + waiting[:at]


def _ends(service: MatchService, match: Match, user: int, how: Attention) -> int | None:
    """Return when the time of the players that the match waits for runs out; None without a clock."""
    if how not in (Attention.YOURS, Attention.OTHERS):
        return None
    seats = service.state(match).to_move() if how is Attention.OTHERS else {match.seat_of(user)}
    clocks = (clock_of(match, seat) for seat in seats if seat is not None)
    return min((clock.ends for clock in clocks if clock is not None and clock.ends is not None), default=None)


def ping_owed(service: MatchService, match: Match, seat: int) -> Ping | None:
    """Return the ping that the seat's player should have had by now; None: no ping.

    A player is pinged for their turn, for each reminder and nudge, for a vote that another has begun, if a computer
    plays for them, and when the match has ended. There is no ping for a move that the bot makes, nor in a private
    match.
    """
    if match.tells_end:
        return THE_END
    if match.status is not Status.PLAYING or match.paused or match.private:
        return None
    clock = clock_of(match, seat)
    if clock is not None and clock.away is not None:
        return Ping("", away=clock.away) if match.running else None
    begun = asked(match, seat) if match.proposals else ()
    vote = begun[0].since if begun else None
    state = service.state(match) if match.running else None
    if state is None or Seat(seat) not in state.to_move() or own_move(service, match, Seat(seat)) is not None:
        return None if vote is None else Ping("", vote=vote)
    turn = state.turn(Seat(seat))
    if match.undone:  # the same turn once more is another ping
        turn = f"{turn}-{match.undone}"
    reminder = reminder_of(match, seat)
    called = 0 if clock is None else clock.called
    return Ping(turn, nudges=called if reminder is None else reminder.pings, vote=vote)


def is_last(service: MatchService, match: Match, seat: int) -> bool:
    """Return whether the table waits for this seat alone: all others who decide at the same time have decided."""
    if not match.running or not match.alone or (owed := ping_owed(service, match, seat)) is None:
        return False
    return bool(owed.turn) and match.alone == service.state(match).turn(Seat(seat))


@dataclass(frozen=True, slots=True)
class Missed:
    """The end of the history since a player's own last move, or since they sat down."""

    since: int
    """The number of moves in the log at that time."""
    story: Sequence[LoggedEvent]
    others: int
    """The number of other seats' moves in it of which the player saw something."""
    for_them: frozenset[int]
    """The numbers of the moves that a computer made for the player meanwhile."""

    def much(self, match: Match) -> bool:
        """Return whether each hand offers to catch up: as many moves missed as other seats, or a computer's move."""
        if match.status not in (Status.PLAYING, Status.OVER):
            return False
        return bool(self.for_them) or self.others >= max(1, len(match.chairs) - 1)

    def long_ago(self, match: Match, now: int) -> bool:
        """Return whether a move was made and then nothing for LONG: the answer to a press offers to catch up then."""
        waited = match.turn_since is not None and now - match.turn_since >= LONG
        return match.status is Status.PLAYING and self.others > 0 and waited


def missed(match: Match, story: Sequence[LoggedEvent], user: int) -> Missed:
    """Return what that seated player has missed. `story`: the whole history (`MatchService.events_of`)."""
    seat = match.seat_of(user)
    assert seat is not None
    since, first = match.chairs[seat].since, 0
    own = next((at for at in reversed(range(len(story))) if (story[at].seat, story[at].user) == (seat, user)), None)
    if own is not None:
        since, first = story[own].move + 1, own + 1
    elif since:
        first = next((at for at, logged in enumerate(story) if logged.move >= since), len(story))
    tail = story[first:]
    seen = [logged for logged in tail if logged.move >= 0 and logged.event.seen_by(Seat(seat)) is not None]
    others = {logged.move for logged in seen if logged.seat != seat}
    return Missed(since, tail, len(others), frozenset(logged.move for logged in seen if logged.seat == seat))
