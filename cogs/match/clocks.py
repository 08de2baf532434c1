"""The clocks of the seats at a table: which of them run, what happens when one runs out, and which players are away.

Each method of `Clocks` returns the match with its new clocks; `MatchService` saves them in the same transaction as the
move that changed them. A turn token names the question a seat must answer, so a deadline of an earlier question has no
effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from cogs.match.time_controls import (
    PRESETS,
    ClockKind,
    TimeControl,
    bounded,
    held_up,
    moves_from,
    next_nudge,
    put_off,
    reserve_after,
    runs_out,
    used,
)
from data.records.deadlines import SeatClock, Stage
from data.records.hours import Hours
from data.records.match import Chair, Match, Status
from data.records.terms import AbsencePolicy

GRACE = 900
"""Seconds after a start of the bot in which no clock runs out."""


def time_control_of(match: Match) -> TimeControl:
    """Return the match's time control; none if this version does not know its name."""
    return PRESETS.get(match.clock, PRESETS["none"])


def clock_of(match: Match, seat: int) -> SeatClock | None:
    """Return the clock of that seat; None if it has none."""
    return next((clock for clock in match.clocks if clock.seat == seat), None)


def away(match: Match) -> tuple[Chair, ...]:
    """Return the players for whom a computer plays until they come back."""
    gone = {clock.seat for clock in match.clocks if clock.away is not None}
    return tuple(chair for chair in match.people if chair.number in gone)


def absent(match: Match) -> tuple[Chair, ...]:
    """Return the players who are away, or on whom the table votes."""
    gone = {clock.seat for clock in match.clocks if clock.away is not None or clock.stage == Stage.VOTING}
    return tuple(chair for chair in match.people if chair.number in gone)


def present(match: Match) -> tuple[Chair, ...]:
    """Return the players of whom more than half decide: those who are not absent, or all if all are absent."""
    gone = absent(match)
    return tuple(chair for chair in match.people if chair not in gone) or match.people


class Clocks:
    """Counts each player's time by `now` (seconds since 1970) and by the hours that the player has set.

    A turn counts by the hours that its player has when it begins: new hours begin with the next turn. With a live time
    limit all turns count by those that the player had when the match began; players who come later have none. In one
    turn they stop the clock for a bounded time (`bounded`), in which time that does not count has no part.
    """

    def __init__(self, hours: Callable[[int], Awaitable[Hours]], now: Callable[[], float]) -> None:
        self._hours = hours
        self._now = now
        self.grace_until = 0
        """The instant before which no player's time runs out."""
        self.frozen_since: int | None = None
        """Since when time counts for no player; None while clocks run. It must be credited before they run again."""

    def freeze(self, since: int) -> bool:
        """Count no time from that instant on; frozen clocks stay as they are. Return whether they were running."""
        if self.frozen_since is not None:
            return False
        self.frozen_since = since
        return True

    def now(self) -> int:
        """Return the instant, in seconds since 1970."""
        return int(self._now())

    def _counted(self) -> int:
        """Return the instant up to which time counts: now, or the instant of the freeze."""
        now = self.now()
        return now if self.frozen_since is None else min(now, self.frozen_since)

    async def quiet_until(self, user: int, since: int | None = None) -> int | None:
        """Return when the player may be pinged again; None if that is now. `since`: None too if it was so then."""
        now = self.now()
        since = now if since is None else since  # by another process's clock it may be later than now
        moves = moves_from(since, await self._hours(user))
        return moves if moves > max(now, since) else None

    async def quiet_at(self, match: Match, user: int, since: int | None = None) -> int | None:
        """Return when a player may be pinged for this match again, as `quiet_until` does for all. A live time limit may
        count by other hours than the player has now. They may be pinged while it counts: else it could run out unheard.
        """
        until, seat = await self.quiet_until(user, since), match.seat_of(user)
        clock = clock_of(match, seat) if seat is not None and _is_live(match) else None
        if until is None or clock is None or clock.hours is None:
            return until
        counts = moves_from(self.now(), clock.hours)
        return min(until, counts) if counts > self.now() else None

    async def on_position(self, match: Match, asked: Mapping[int, str]) -> Match:
        """Return the match with the clocks of its position. `asked` has the turn token of each seat that must decide.

        A seat with the same token as before goes on. A seat that has decided keeps the rest of its reserve, and gains
        the growth. While the match is paused, all clocks stand. If a computer holds a seat, the rest of the turn is
        kept for the player, who may come back, and the reserve for the next player of the seat. An ended match keeps
        only who was absent.
        """
        if not match.clocks and time_control_of(match).kind is ClockKind.NONE:
            return match
        if match.status is not Status.PLAYING:
            return _at_end(match)
        if time_control_of(match).kind is ClockKind.NONE:
            return replace(match, clocks=())
        clocks, match = [], await self.with_hours(match)
        for chair in match.chairs:
            clock = clock_of(match, chair.number)
            token = asked.get(chair.number, "")
            if clock is not None and (chair.user is None or clock.away is not None):
                same = token == clock.turn
                clocks.append(clock if same else replace(_idle(match, clock, clock.hours), away=clock.away))
                continue
            if chair.user is None:
                continue
            clock = clock or await self._new(match, chair)
            if token != clock.turn:
                clock = await self._asked(match, chair, clock, token)
            clocks.append(self._going_on(match, clock) if match.running else self.stopped(clock))
        return replace(match, clocks=tuple(clocks))

    async def _new(self, match: Match, chair: Chair) -> SeatClock:
        """Return the clock of a seat that has none. A live time limit knows the hours that players had set before the
        match began, and no others: none if it is newer than the match, or the seat was a computer's.
        """
        begins = match.chain is None and not match.moves
        hours = await self._hours(chair.player) if begins and _is_live(match) else Hours()
        return _idle(match, SeatClock(chair.number, reserve=time_control_of(match).reserve), hours)

    async def with_hours(self, match: Match) -> Match:
        """Return the match whose clocks have the hours of their turns. An older version stored none: from now on."""
        clocks, most = [], held_up(time_control_of(match))
        for clock in match.clocks:
            user = match.chairs[clock.seat].user
            if clock.hours is None and user is not None and (clock.turn or _is_live(match)):
                since = clock.since if clock.due is None else self.now()
                clock = replace(clock, hours=bounded(await self._hours(user), since, most))
            clocks.append(clock)
        return replace(match, clocks=tuple(clocks))

    def _going_on(self, match: Match, clock: SeatClock) -> SeatClock:
        """Return the clock in a running match: if it stood, it runs from now on."""
        if not clock.turn or clock.due is not None:
            return clock
        return self._due(self._put_off(clock, clock.since), time_control_of(match))

    def _put_off(self, clock: SeatClock, since: int) -> SeatClock:
        """Return the clock of a turn that did not count since then, or since it began, and counts from now on."""
        hours = put_off(clock.hours or Hours(), max(since, clock.since), self.now())
        return replace(clock, since=self.now(), hours=hours)

    def stopped(self, clock: SeatClock) -> SeatClock:
        """Return the clock in a paused match: it stands with the time it has left."""
        if clock.due is None:
            return clock
        return replace(clock, since=self.now(), left=seconds_left(clock, self._counted()), ends=None, due=None)

    async def _asked(self, match: Match, chair: Chair, clock: SeatClock, token: str) -> SeatClock:
        """Return the clock of a seat with a new turn token from now on, or with none (an empty token). The turn counts
        by the hours that the player has set by now, or, with a live time limit, by those that they had at the start.
        """
        terms, reserve, left = time_control_of(match), clock.reserve, 0
        if clock.turn:
            left = max(0, seconds_left(clock, self._counted()))
            reserve = reserve_after(left, reserve, terms)
        if not token:
            stage = _not_voting(clock.stage)
            return SeatClock(chair.number, since=self.now(), left=left, reserve=reserve, stage=stage, hours=clock.hours)
        hours = clock.hours if _is_live(match) else await self._hours_of_turn(match, chair, token)
        hours = bounded(hours or Hours(), self.now(), held_up(terms))
        new = SeatClock(chair.number, token, self.now(), terms.turn + reserve, reserve, hours=hours)
        return self._due(new, terms)

    async def _hours_of_turn(self, match: Match, chair: Chair, token: str) -> Hours:
        """Return the hours by which a turn counts. The time limit may be newer than the turn, and hours newer still."""
        waits = next((waits for waits in match.reminders if (waits.seat, waits.turn) == (chair.number, token)), None)
        return (waits and waits.hours) or await self._hours(chair.player)

    def _due(self, clock: SeatClock, terms: TimeControl) -> SeatClock:
        """Return the running clock with its end and its next deadline."""
        hours = clock.hours or Hours()
        ends = runs_out(clock.left, clock.since, hours)
        if ends < self.grace_until:
            ends = moves_from(self.grace_until, hours)
        nudge = next_nudge(clock.left, terms)
        due = min(ends, runs_out(clock.left - nudge, clock.since, hours)) if nudge else ends
        return replace(clock, nudge=nudge, ends=ends, due=due)

    async def on_deadline(self, match: Match, seat: int, turn: str) -> Match | None:
        """Return the match after a deadline of that seat; None if it has no effect: it comes too early, too late or a
        second time.

        In quiet hours, and if the clock runs out within the grace after a start, only a later deadline is set.
        """
        clock, user = clock_of(match, seat), match.chairs[seat].user if seat < len(match.chairs) else None
        now = self.now()
        if not match.running or clock is None or user is None:
            return None
        if not turn or clock.turn != turn or clock.due is None or now < clock.due:
            return None
        match = await self.with_hours(match)
        clock, terms = clock_of(match, seat) or clock, time_control_of(match)
        left = seconds_left(clock, now)
        clock = replace(clock, since=now, left=left)
        if moves_from(now, clock.hours or Hours()) > now:
            pass
        elif left > 0 or now < self.grace_until:
            clock = replace(clock, called=clock.called + (0 < left <= clock.nudge))
        elif clock.stage < Stage.EXTENDED:
            clock = self.longer(clock, terms, Stage.EXTENDED)
        elif clock.stage < Stage.VOTING and match.absent is AbsencePolicy.VOTE and len(present(match)) > 1:
            clock = self.longer(clock, terms, Stage.VOTING)
        else:
            return self.mark_away(match, seat)
        return with_clock(match, self._due(clock, terms))

    def longer(self, clock: SeatClock, terms: TimeControl, stage: Stage) -> SeatClock:
        """Return a clock that runs on for one extension, in that stage."""
        return replace(clock, left=terms.extension, reserve=0, stage=stage, called=clock.called + 1)

    def mark_away(self, match: Match, seat: int) -> Match:
        """Return the match in which a computer plays for that seat until its player comes back. A player who comes back
        before the computer has played has one turn's time more, once.
        """
        clock = clock_of(match, seat)
        assert clock is not None
        left = 0 if clock.stage == Stage.RETURNED else time_control_of(match).turn
        now, stage = self.now(), Stage.RETURNED
        return with_clock(match, SeatClock(seat, clock.turn, now, left, stage=stage, away=now, hours=clock.hours))

    def mark_back(self, match: Match, seat: int) -> Match:
        """Return the match in which that seat's player plays, whether they were absent or not. Their clock starts with
        the next save. A player on whom the table was voting has the time of one extension again, once a turn.
        """
        clock = clock_of(match, seat)
        if clock is None or (clock.away is None and clock.stage != Stage.VOTING):
            return match
        if clock.away is not None:
            # If no other player is present to wait for them, no computer plays either: they have a whole turn.
            others = {chair.number for chair in match.people} - {chair.number for chair in absent(match)} - {seat}
            left = clock.left if others else max(clock.left, time_control_of(match).turn)
            return with_clock(match, replace(clock, away=None, left=left))
        left = time_control_of(match).extension
        again = replace(clock, since=self.now(), left=left, ends=None, due=None, stage=Stage.RETURNED)
        return with_clock(match, again)

    def same_turn(self, match: Match, seat: int, token: str) -> Match:
        """Return the match in which that seat has this token within the same turn: a turn of several moves has its time
        once, even if the player takes moves back and makes them again.
        """
        clock = clock_of(match, seat)
        if clock is None or not clock.turn:
            return match
        return with_clock(match, replace(clock, turn=token, called=0))

    def resume_turn(self, match: Match, seat: int, token: str) -> Match:
        """Return the match in which that seat goes on with the turn that it had ended, under this token, with the time
        that was left then. It gains no reserve by having ended it. Its clock starts with the next save.
        """
        clock = clock_of(match, seat)
        if clock is None or clock.away is not None:
            return match
        reserve = max(0, clock.reserve - time_control_of(match).growth)
        return with_clock(match, replace(clock, turn=token, reserve=reserve))

    async def transfer(self, match: Match, seat: int, *, keeps: bool) -> Match:
        """Return the match before that seat changes hands. Its clock stands: with the rest of the turn if the next
        holder `keeps` it, as a computer does for a player who comes back, and with the reserve alone otherwise. So a
        player gains no time by giving a seat up and coming back.
        """
        match = await self.with_hours(match)
        clock, user = clock_of(match, seat), match.chairs[seat].user
        if clock is None or (user is None and keeps):
            return match
        if user is None or not clock.turn:
            return with_clock(match, _idle(match, clock, clock.hours if keeps else Hours()))
        left = seconds_left(clock, self._counted())
        reserve = max(0, min(clock.reserve, left))
        stage = _not_voting(clock.stage)
        stands = SeatClock(seat, clock.turn, self.now(), left, reserve, stage=stage, hours=clock.hours)
        return with_clock(match, stands if keeps else _idle(match, replace(clock, reserve=reserve), Hours()))

    async def credit(self, match: Match, until: int) -> Match | None:
        """Credit every running clock for the time since `until`, and for the frozen time. Return None if no clock runs.

        `until` may be later than now, if the system clock was set back.
        """
        clocks, until, terms = [], min(until, self._counted()), time_control_of(match)
        for clock in (await self.with_hours(match)).clocks:
            if clock.due is not None and match.chairs[clock.seat].user is not None:
                clock = self._due(self._put_off(replace(clock, left=seconds_left(clock, until)), until), terms)
            clocks.append(clock)
        changed = replace(match, clocks=tuple(clocks))
        return None if changed == match else changed


def _is_live(match: Match) -> bool:
    return time_control_of(match).kind is ClockKind.LIVE


def _idle(match: Match, clock: SeatClock, hours: Hours | None) -> SeatClock:
    """Return the clock of that seat while it has no turn: with its reserve and, for a live time limit, these hours."""
    return SeatClock(clock.seat, reserve=clock.reserve, hours=hours if _is_live(match) else None)


def _at_end(match: Match) -> Match:
    """Return the ended match with what of its clocks says who was absent, and no deadline."""
    gone = {chair.number for chair in absent(match)}
    left = (SeatClock(clock.seat, stage=clock.stage, away=clock.away) for clock in match.clocks if clock.seat in gone)
    return replace(match, clocks=tuple(left))


def _not_voting(stage: Stage) -> Stage:
    """Return the stage of a clock that stands, on which the table does not vote."""
    return Stage.RETURNED if stage == Stage.VOTING else stage


def seconds_left(clock: SeatClock, now: int) -> int:
    """Return the seconds that a clock has left at that instant."""
    return clock.left if clock.due is None else clock.left - used(clock.since, now, clock.hours or Hours())


def with_clock(match: Match, clock: SeatClock) -> Match:
    """Return the match with that clock in place of the seat's clock."""
    return replace(match, clocks=tuple(clock if c.seat == clock.seat else c for c in match.clocks))
