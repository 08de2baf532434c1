"""The clocks of the seats at a table: which of them run, what happens when one runs out, and which players are away.

Each method of `Clocks` returns the match with its new clocks; `MatchService` saves them in the same transaction as the
move that changed them. A turn token names the question a seat must answer, so a deadline of an earlier question has no
effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from cogs.match.time_controls import (
    MOST_CHANGES,
    PRESETS,
    Pace,
    TimeControl,
    moves_from,
    next_nudge,
    reserve_after,
    runs_out,
    used,
)
from data.records.deadlines import SeatClock, Stage
from data.records.hours import Hours
from data.records.match import AbsencePolicy, Chair, Match, Status

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


def _ignore(due: int) -> None:
    """Ignore a deadline: no worker listens yet."""


class Clocks:
    """Counts each player's time by `now` (seconds since 1970) and by the hours that the player has set."""

    def __init__(self, hours: Callable[[int], Awaitable[Hours]], now: Callable[[], float]) -> None:
        self._hours = hours
        self._now = now
        self._grace_until = 0
        self._frozen_since: int | None = None
        self._alarm: Callable[[int], None] = _ignore

    def listen(self, alarm: Callable[[int], None]) -> None:
        """Call `alarm` with the instant of each new deadline."""
        self._alarm = alarm

    def alarm(self, due: int) -> None:
        """Tell the listener that a deadline at this instant is stored."""
        self._alarm(due)

    @property
    def grace_until(self) -> int:
        """The instant before which no player's time runs out."""
        return self._grace_until

    def grant_grace(self, until: int) -> None:
        """Let no player's time run out before that instant."""
        self._grace_until = until

    @property
    def frozen_since(self) -> int | None:
        """Since when time counts for no player, until it is credited; None while clocks run."""
        return self._frozen_since

    def freeze(self, since: int) -> bool:
        """Count no time from that instant on. If the clocks are frozen already, nothing changes. Return whether they
        were running.
        """
        if self._frozen_since is not None:
            return False
        self._frozen_since = since
        return True

    def thaw(self) -> None:
        """Count time again. The frozen time must be credited before."""
        self._frozen_since = None

    def now(self) -> int:
        """Return the instant, in seconds since 1970."""
        return int(self._now())

    def _counted(self) -> int:
        """Return the instant up to which time counts: now, or the instant of the freeze."""
        now = self.now()
        return now if self._frozen_since is None else min(now, self._frozen_since)

    async def quiet_until(self, user: int) -> int | None:
        """Return when the player may be pinged again; None if that is now."""
        now = self.now()
        moves = moves_from(now, await self._hours(user))
        return moves if moves > now else None

    async def on_position(self, match: Match, asked: Mapping[int, str]) -> Match:
        """Return the match with the clocks of its position. `asked` has the turn token of each seat that must decide.

        A seat with the same token as before goes on. A seat that has decided keeps the rest of its reserve, and gains
        the growth. While the match is paused, all clocks stand. If a computer holds a seat, the rest of the turn is
        kept for the player, who may come back, and the reserve for the next player of the seat. An ended match keeps
        only who was absent.
        """
        if not match.clocks and time_control_of(match).kind is Pace.NONE:
            return match
        if match.status is not Status.PLAYING:
            return _at_end(match)
        if time_control_of(match).kind is Pace.NONE:
            return replace(match, clocks=())
        clocks = []
        for chair in match.chairs:
            clock = clock_of(match, chair.number)
            token = asked.get(chair.number, "")
            if clock is not None and (chair.user is None or clock.away is not None):
                same = token == clock.turn
                clocks.append(clock if same else SeatClock(chair.number, reserve=clock.reserve, away=clock.away))
                continue
            if chair.user is None:
                continue
            clock = clock or SeatClock(chair.number, reserve=time_control_of(match).reserve)
            if token != clock.turn:
                clock = await self._asked(match, chair, clock, token)
            clocks.append(
                await self._going_on(match, chair, clock) if match.running else await self._stopped(chair, clock)
            )
        return replace(match, clocks=tuple(clocks))

    async def _going_on(self, match: Match, chair: Chair, clock: SeatClock) -> SeatClock:
        """Return the clock in a running match: if it stood, it runs from now on."""
        if not clock.turn or clock.due is not None:
            return clock
        return self._due(replace(clock, since=self.now()), time_control_of(match), await self._hours(chair.player))

    async def _stopped(self, chair: Chair, clock: SeatClock) -> SeatClock:
        """Return the clock in a paused match: it stands with the time it has left."""
        if clock.due is None:
            return clock
        left = _left(clock, self._counted(), await self._hours(chair.player))
        return replace(clock, since=self.now(), left=left, ends=None, due=None)

    async def _asked(self, match: Match, chair: Chair, clock: SeatClock, token: str) -> SeatClock:
        """Return the clock of a seat with a new turn token from now on, or with none (an empty token)."""
        terms, now, hours = time_control_of(match), self.now(), await self._hours(chair.player)
        reserve, left = clock.reserve, 0
        if clock.turn:
            left = max(0, _left(clock, self._counted(), hours))
            reserve = reserve_after(left, reserve, terms)
        if not token:
            return SeatClock(chair.number, left=left, reserve=reserve, stage=_not_voting(clock.stage))
        new = SeatClock(chair.number, token, now, terms.turn + reserve, reserve)
        return self._due(new, terms, hours)

    def _due(self, clock: SeatClock, terms: TimeControl, hours: Hours) -> SeatClock:
        """Return the running clock with its end and its next deadline."""
        ends = runs_out(clock.left, clock.since, hours)
        if ends < self._grace_until:
            ends = moves_from(self._grace_until, hours)
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
        hours, terms = await self._hours(user), time_control_of(match)
        left = _left(clock, now, hours)
        clock = replace(clock, since=now, left=left)
        if moves_from(now, hours) > now:
            pass
        elif left > 0 or now < self._grace_until:
            clock = replace(clock, called=clock.called + (0 < left <= clock.nudge))
        elif clock.stage < Stage.EXTENDED:
            clock = self._longer(clock, terms, Stage.EXTENDED)
        elif clock.stage < Stage.VOTING and match.absent is AbsencePolicy.VOTE and len(present(match)) > 1:
            clock = self._longer(clock, terms, Stage.VOTING)
        else:
            return self.mark_away(match, seat)
        return with_clock(match, self._due(clock, terms, hours))

    def _longer(self, clock: SeatClock, terms: TimeControl, stage: Stage) -> SeatClock:
        return replace(clock, left=terms.extension, reserve=0, stage=stage, called=clock.called + 1)

    def mark_away(self, match: Match, seat: int) -> Match:
        """Return the match in which a computer plays for that seat until its player comes back. A player who comes back
        before the computer has played has one turn's time more, once.
        """
        clock = clock_of(match, seat)
        assert clock is not None
        left = 0 if clock.stage == Stage.RETURNED else time_control_of(match).turn
        now, stage = self.now(), Stage.RETURNED
        return with_clock(match, SeatClock(seat, clock.turn, now, left, stage=stage, away=now, put_off=clock.put_off))

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
        return with_clock(match, replace(clock, turn=token, since=self.now(), reserve=reserve))

    async def transfer(self, match: Match, seat: int, *, keeps: bool) -> Match:
        """Return the match before that seat changes hands. Its clock stands: with the rest of the turn if the next
        holder `keeps` it, as a computer does for a player who comes back, and with the reserve alone otherwise. So a
        player gains no time by giving a seat up and coming back.
        """
        clock, user = clock_of(match, seat), match.chairs[seat].user
        if clock is None or (user is None and keeps):
            return match
        if user is None or not clock.turn:
            return with_clock(match, SeatClock(seat, reserve=clock.reserve))
        left = _left(clock, self._counted(), await self._hours(user))
        reserve = max(0, min(clock.reserve, left))
        stage = _not_voting(clock.stage)
        stands = SeatClock(seat, clock.turn, self.now(), left, reserve, stage=stage, put_off=clock.put_off)
        return with_clock(match, stands if keeps else SeatClock(seat, reserve=reserve))

    async def credit(self, match: Match, until: int) -> Match | None:
        """Credit every running clock for the time since `until`, and for the frozen time. Return None if no clock runs.

        `until` may be later than now, if the system clock was set back.
        """
        until = min(until, self._counted())
        return await self._reckoned(match, {chair.number: until for chair in match.people}, None)

    async def settle(self, match: Match, user: int) -> Match | None:
        """Return the match after that player's clock has counted until now; None if no clock of theirs runs."""
        seat = match.seat_of(user)
        return None if seat is None else await self._reckoned(match, {seat: self._counted()}, None)

    async def on_hours_changed(self, match: Match, user: int, before: Hours) -> Match | None:
        """Return the match after its player changed their hours from `before`; None if no clock of theirs changes."""
        seat = match.seat_of(user)
        changed = None if seat is None else await self._reckoned(match, {seat: self._counted()}, before)
        clock = None if changed is None or seat is None else clock_of(changed, seat)
        if changed is None or seat is None or clock is None:
            return None
        fits = self._frozen_since is not None or _ends(changed, seat) == _ends(match, seat)
        if fits and before == await self._hours(user):  # otherwise the hours were stored earlier, and the clock was not
            return None
        later = _ends(changed, seat) > _ends(match, seat)
        return with_clock(changed, replace(clock, put_off=clock.put_off + 1)) if later else changed

    def may_rehour(self, match: Match, user: int) -> bool:
        """Return whether the player may change their hours now: at most `MOST_CHANGES` times while their clock runs."""
        seat = match.seat_of(user)
        clock = None if seat is None else clock_of(match, seat)
        if clock is None or clock.due is None:
            return True
        return clock.put_off < MOST_CHANGES

    async def _reckoned(self, match: Match, until: Mapping[int, int], before: Hours | None) -> Match | None:
        """Return the match whose clocks at those seats count time up to those instants, and continue from now."""
        clocks = []
        for clock in match.clocks:
            user = match.chairs[clock.seat].user
            if clock.due is not None and clock.seat in until and user is not None:
                hours = await self._hours(user)
                left = _left(clock, until[clock.seat], before or hours)
                clock = self._due(replace(clock, since=self.now(), left=left), time_control_of(match), hours)
            clocks.append(clock)
        changed = replace(match, clocks=tuple(clocks))
        return None if changed == match else changed


def _at_end(match: Match) -> Match:
    """Return the ended match with what of its clocks says who was absent, and no deadline."""
    gone = {chair.number for chair in absent(match)}
    left = (SeatClock(clock.seat, stage=clock.stage, away=clock.away) for clock in match.clocks if clock.seat in gone)
    return replace(match, clocks=tuple(left))


def _not_voting(stage: Stage) -> Stage:
    """Return the stage of a clock that stands, on which the table does not vote."""
    return Stage.RETURNED if stage == Stage.VOTING else stage


def _left(clock: SeatClock, now: int, hours: Hours) -> int:
    """Return the seconds that a clock has left at that instant."""
    return clock.left if clock.due is None else clock.left - used(clock.since, now, hours)


def _ends(match: Match, seat: int) -> int:
    """Return when that seat's clock runs out; 0 if it stands."""
    clock = clock_of(match, seat)
    return 0 if clock is None or clock.ends is None else clock.ends


def with_clock(match: Match, clock: SeatClock) -> Match:
    """Return the match with that clock in place of the seat's clock."""
    return replace(match, clocks=tuple(clock if c.seat == clock.seat else c for c in match.clocks))
