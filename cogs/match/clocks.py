"""The clocks of the seats at a table: which of them run, what becomes of one that has run out, who is away.

A `Clocks` turns a match into the match with its clocks as they are to be; `Host` saves them in the same
transaction as the move that changed them. What is asked of a seat is named by its token, so that a deadline of
something else means nothing.
"""

from __future__ import annotations

from collections import Counter
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
from data.records.deadlines import SeatClock
from data.records.hours import Hours
from data.records.match import Chair, Match, Status

ABSENT = ("computer", "vote")
"""What a table may choose to follow on the extension: the computer plays, or the table votes first."""
EXTENDED, VOTING, RETURNED = 1, 2, 3
"""Stages of a turn whose time has run out; of the last its person has come back to it, and is not waited for again."""
GRACE = 900
"""Seconds after a start of the bot in which nobody's time runs out."""


def time_control_of(match: Match) -> TimeControl:
    """What the match's clock is; none where the terms are of a version that is no more."""
    return PRESETS.get(match.clock, PRESETS["none"])


def clock_of(match: Match, seat: int) -> SeatClock | None:
    return next((clock for clock in match.clocks if clock.seat == seat), None)


def away(match: Match) -> tuple[Chair, ...]:
    """People for whom a computer plays until they are back."""
    gone = {clock.seat for clock in match.clocks if clock.away is not None}
    return tuple(chair for chair in match.people if chair.number in gone)


def absent(match: Match) -> tuple[Chair, ...]:
    """People who are away, or about whom the table votes."""
    gone = {clock.seat for clock in match.clocks if clock.away is not None or clock.stage == VOTING}
    return tuple(chair for chair in match.people if chair.number in gone)


def present(match: Match) -> tuple[Chair, ...]:
    """People who have a voice, more than half of whom decide: those who are not absent, or all where that is nobody."""
    gone = absent(match)
    return tuple(chair for chair in match.people if chair not in gone) or match.people


def _nobody_looks(due: int) -> None:
    """What is told of deadlines where there is nobody to look at them."""


class Clocks:
    """Counts everybody's time by `now` (seconds since 1970) and by the hours that each person keeps."""

    def __init__(self, hours: Callable[[int], Awaitable[Hours]], now: Callable[[], float]) -> None:
        self._hours = hours
        self._now = now
        self._grace_until = 0
        self._frozen_since: int | None = None
        self._alarm: Callable[[int], None] = _nobody_looks
        self._changes: Counter[tuple[int, int]] = Counter()
        """How often other hours have put an end off since the bot's start, by match and seat, in the turn under way."""

    def listen(self, alarm: Callable[[int], None]) -> None:
        """Tell `alarm` each instant at which a clock must be looked at."""
        self._alarm = alarm

    def alarm(self, due: int) -> None:
        """A clock that is stored now must be looked at by then."""
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

    def freeze(self, since: int) -> None:
        """From that instant on time counts for no player."""
        self._frozen_since = since

    def thaw(self) -> None:
        """Every clock has been credited: time counts again."""
        self._frozen_since = None

    def now(self) -> int:
        """The instant, in seconds since 1970."""
        return int(self._now())

    def _counted(self) -> int:
        """Until when time counts: now, or less where some is still to be given back."""
        now = self.now()
        return now if self._frozen_since is None else min(now, self._frozen_since)

    async def quiet_until(self, user: int) -> int | None:
        """When a person may be pinged again; None where that is now."""
        now = self.now()
        moves = moves_from(now, await self._hours(user))
        return moves if moves > now else None

    async def on_position(self, match: Match, asked: Mapping[int, str]) -> Match:
        """The match with its clocks as its position wants them. `asked` has the token of each seat that must decide.

        A seat that is asked the same as before goes on; one that has decided gets its reserve back as far as it did
        not use it, and some more. While no moves are made, all stand. Of a seat that a computer holds what is left of
        the turn is kept for its person, who may come back to it, and the reserve for whoever takes it next.
        """
        if not match.clocks and time_control_of(match).kind is Pace.NONE:
            return match
        if match.status is not Status.PLAYING or time_control_of(match).kind is Pace.NONE:
            for chair in match.chairs:
                self._changes.pop((match.id, chair.number), None)
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
        """The clock of a match that runs: what stood while it did not runs from now on."""
        if not clock.turn or clock.due is not None:
            return clock
        return self._due(replace(clock, since=self.now()), time_control_of(match), await self._hours(chair.user or 0))

    async def _stopped(self, chair: Chair, clock: SeatClock) -> SeatClock:
        """The clock of a match that rests: with what is left to it, until the match goes on."""
        if clock.due is None:
            return clock
        left = _left(clock, self._counted(), await self._hours(chair.user or 0))
        return replace(clock, since=self.now(), left=left, ends=None, due=None)

    async def _asked(self, match: Match, chair: Chair, clock: SeatClock, token: str) -> SeatClock:
        """The clock of a seat that is asked something else from now on, or nothing (an empty token)."""
        terms, now, hours = time_control_of(match), self.now(), await self._hours(chair.user or 0)
        self._changes.pop((match.id, chair.number), None)
        reserve = clock.reserve
        if clock.turn:
            reserve = reserve_after(_left(clock, self._counted(), hours), reserve, terms)
        if not token:
            return SeatClock(chair.number, reserve=reserve)
        new = SeatClock(chair.number, token, now, terms.turn + reserve, reserve)
        return self._due(new, terms, hours)

    def _due(self, clock: SeatClock, terms: TimeControl, hours: Hours) -> SeatClock:
        """The running clock with when it ends, and when to look at it next."""
        ends = runs_out(clock.left, clock.since, hours)
        if ends < self._grace_until:
            ends = moves_from(self._grace_until, hours)
        nudge = next_nudge(clock.left, terms)
        due = min(ends, runs_out(clock.left - nudge, clock.since, hours)) if nudge else ends
        return replace(clock, nudge=nudge, ends=ends, due=due)

    async def on_deadline(self, match: Match, seat: int, turn: str) -> Match | None:
        """The match after a deadline of that seat; None where it means nothing: too early, too late, a second time.

        A clock that stands still, or that has run out within the grace after a start, is looked at later.
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
        elif clock.stage < EXTENDED:
            clock = self._longer(clock, terms, EXTENDED)
        elif clock.stage < VOTING and match.absent == "vote" and len(present(match)) > 1:
            clock = self._longer(clock, terms, VOTING)
        else:
            return self.mark_away(match, seat)
        return with_clock(match, self._due(clock, terms, hours))

    def _longer(self, clock: SeatClock, terms: TimeControl, stage: int) -> SeatClock:
        return replace(clock, left=terms.extension, reserve=0, stage=stage, called=clock.called + 1)

    def mark_away(self, match: Match, seat: int) -> Match:
        """The match in which a computer plays for that seat until its person is back. Whoever is back before it has
        played has one turn's time more; a second time there is none.
        """
        clock = clock_of(match, seat)
        assert clock is not None
        left = 0 if clock.stage == RETURNED else time_control_of(match).turn
        away = SeatClock(seat, clock.turn, self.now(), left, stage=RETURNED, away=self.now())
        return with_clock(match, away)

    def mark_back(self, match: Match, seat: int) -> Match:
        """The match in which that seat's person plays, whether they were absent or not. Their clock starts with the
        next save; whom the table was voting about has the time of one extension again, once a turn.
        """
        clock = clock_of(match, seat)
        if clock is None or (clock.away is None and clock.stage != VOTING):
            return match
        if clock.away is not None:
            # Where nobody else is there to wait for them, no computer plays either: they have their turn.
            others = {chair.number for chair in match.people} - {chair.number for chair in absent(match)} - {seat}
            left = clock.left if others else max(clock.left, time_control_of(match).turn)
            return with_clock(match, replace(clock, away=None, left=left))
        left = time_control_of(match).extension
        again = replace(clock, since=self.now(), left=left, ends=None, due=None, stage=RETURNED)
        return with_clock(match, again)

    def same_turn(self, match: Match, seat: int, token: str) -> Match:
        """The match in which that seat is asked by this token now, in a turn of its own that it has not ended: a turn
        of several moves has its time once, also where they are taken back and made again.
        """
        clock = clock_of(match, seat)
        if clock is None or not clock.turn:
            return match
        return with_clock(match, replace(clock, turn=token, called=0))

    async def transfer(self, match: Match, seat: int, *, keeps: bool) -> Match:
        """The match in which that seat is to change hands. Its clock stands with what is left of the turn where the
        next `keeps` that, as a computer does for whoever comes back; else only the reserve is left of it. So nobody
        has more time by giving a seat up and coming back.
        """
        clock, user = clock_of(match, seat), match.chairs[seat].user
        if clock is None or (user is None and keeps):
            return match
        if user is None or not clock.turn:
            return with_clock(match, SeatClock(seat, reserve=clock.reserve))
        left = _left(clock, self._counted(), await self._hours(user))
        reserve, stage = max(0, min(clock.reserve, left)), RETURNED if clock.stage == VOTING else clock.stage
        stands = SeatClock(seat, clock.turn, self.now(), left, reserve, stage=stage)
        return with_clock(match, stands if keeps else SeatClock(seat, reserve=reserve))

    async def credit(self, match: Match, until: int) -> Match | None:
        """The match in which nobody's clock has run from `until` to now, nor in what is held of all matches' time; None
        where none runs anyway.

        `until` may be later than now, where time has been set back.
        """
        until = min(until, self._counted())
        return await self._reckoned(match, {chair.number: until for chair in match.people}, None)

    async def on_hours_changed(self, match: Match, user: int, before: Hours) -> Match | None:
        """The match of a person who kept those hours before; None where their clock does not run, or fits."""
        seat = match.seat_of(user)
        changed = None if seat is None else await self._reckoned(match, {seat: self._counted()}, before)
        if changed is None or seat is None:
            return None
        fits = self._frozen_since is not None or _ends(changed, seat) == _ends(match, seat)
        if fits and before == await self._hours(user):  # else these hours could be stored, and the clock could not
            return None
        if _ends(changed, seat) > _ends(match, seat):
            self._changes[match.id, seat] += 1
        return changed

    def may_rehour(self, match: Match, user: int) -> bool:
        """Whether this person may keep other hours by now, as far as that match is concerned: not any number of times
        while its clock runs for them.
        """
        seat = match.seat_of(user)
        clock = None if seat is None else clock_of(match, seat)
        if clock is None or clock.due is None:
            return True
        return self._changes[match.id, clock.seat] < MOST_CHANGES

    async def _reckoned(self, match: Match, until: Mapping[int, int], before: Hours | None) -> Match | None:
        """The match with what is left at those seats counted until then, and going on from now."""
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


def _left(clock: SeatClock, now: int, hours: Hours) -> int:
    """What is left to a clock at that instant."""
    return clock.left if clock.due is None else clock.left - used(clock.since, now, hours)


def _ends(match: Match, seat: int) -> int:
    """When that seat's clock runs out; 0 where it stands."""
    clock = clock_of(match, seat)
    return 0 if clock is None or clock.ends is None else clock.ends


def with_clock(match: Match, clock: SeatClock) -> Match:
    return replace(match, clocks=tuple(clock if c.seat == clock.seat else c for c in match.clocks))
