"""An oracle for clocks and pings, independent of the bot's code: it finds what the bot did early, late, twice or never.

It gets each saved match, each ping, and the times at which the bot was up. For each seat it counts how long the clock
has run. If it cannot know that to the second (after a crash, or while the system clock was wrong) it keeps two counts:
by `most` nothing may come early, by `least` nothing may come late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from data.records.deadlines import SeatClock
from data.records.hours import Hours
from data.records.match import Match, Status
from data.records.reminders import Reminder
from rules import GAMES
from rules.core.game import Seat
from tests.month.counts import DAY, Counts, RunningHours, SeatTimer
from tests.month.messages import Message
from tests.support.machine.clock_model import TERMS
from tests.support.traits import allows_undo

HOUR = 3600
RETURNED = 3
"""The stage of a turn to which its player has come back."""
GRACE = 900
"""Seconds after a start in which no time runs out."""
TOLERANCE = 3
"""Seconds of error, as the bot counts whole seconds."""
LATEST = 60
"""Seconds by which a deadline may be late at most."""
REMINDED_AFTER, NUDGED_AFTER = (DAY, 3 * DAY), HOUR
"""Seconds of waiting, without a time limit, after which the bot reminds a player, and after which others may nudge."""
VOTES_EVERY = 6 * HOUR
"""Seconds from the beginning of a vote that calls a player to that of the next one that does, at least."""
A_MOMENT = 30
"""Seconds within which a ping may come after what it tells has changed."""
SOON = 150
"""Seconds within which a turn must be pinged, counted while nothing prevents it."""


class Oracle(Counts):
    """Judges a run. `faults` has the faults, one a line."""

    def __init__(self, now: Callable[[], float], start: int, days: int, beat: float) -> None:
        super().__init__(now, start, days)
        self._beat = beat
        self._began: dict[tuple[int, int], Hours] = {}
        """The hours of the players when a match began."""
        self.hours_seen: dict[tuple[int, int, int], set[Hours]] = {}
        """By which hours the turns of a player in a seat have counted."""
        self._reserves: dict[tuple[int, int], tuple[float, float]] = {}  # of seats that have changed hands
        self._left: dict[int, set[int]] = {}  # who have sat at a match and left it
        self._pings: dict[tuple[object, ...], Message] = {}
        self._votes: dict[tuple[object, ...], int] = {}
        """When the last vote began for which a player was called, by match, user and way."""
        self.ways: dict[int, str] = {}
        """The ping preference of users who have chosen one: dm (the default), mention, both or none."""
        self._written: dict[int, Message] = {}  # the last hand by direct message, by user
        self._rests: Counter[int] = Counter()
        self.matches: dict[int, Match] = {}
        self.saved_at: dict[int, float] = {}
        self.figures: Counter[str] = Counter()
        self.worst, self.earliest = 0.0, float("inf")

    # What was saved.

    def saved(self, match: Match) -> None:
        """Take note of a saved match."""
        before = self.matches.get(match.id)
        self.matches[match.id], self.saved_at[match.id] = match, self._now()
        self.note(match.id, f"saved: {match.status.value}, move {match.moves}, undone {match.undone}")
        if match.state is None:
            return
        if before is not None:
            self._tally(before, match)
        people = {chair.number: chair.user for chair in match.people if chair.user is not None}
        for key in [(match.id, chair.number) for chair in match.chairs]:
            if key in self._timers and people.get(key[1]) != self._timers[key].user:
                left = self._timers.pop(key)
                self._reserves[key] = _unused_reserve(left)
                self._left.setdefault(match.id, set()).add(left.user)
        state = GAMES[match.game].from_json(match.state)
        fresh = before is not None and before.clock != match.clock
        if fresh:
            self._reserves = {key: kept for key, kept in self._reserves.items() if key[0] != match.id}
        for seat, user in people.items():
            turn = state.turn(Seat(seat)) if match.status is Status.PLAYING and Seat(seat) in state.to_move() else ""
            self._update_timer(match, self._timer(match, seat, user, fresh), turn)

    def _tally(self, before: Match, match: Match) -> None:
        """Count what people have done, for the figures."""
        if before.rests_since is None and match.rests_since is not None:
            self.figures["people: rests agreed on"] += 1
        elif before.rests_since is not None and match.rests_since is None:
            self._rests[match.id] += (
                self._now() - before.rests_since >= HOUR
            )  # then each player to move is pinged again
        if before.paused and not match.paused:
            self._rests[match.id] += 1  # then all is shown, and pinged, as for the first time
        self.figures["people: moves taken back"] += match.undone - before.undone
        self.figures["people: other clocks agreed on"] += before.state is not None and before.clock != match.clock
        if match.state is None or before.state is None:
            return
        for chair, now in zip(before.chairs, match.chairs, strict=True):
            if chair.user != now.user:
                self.figures[f"people: seats {'left to a computer' if now.user is None else 'taken over'}"] += 1
        gone, still = ({c.seat for c in m.clocks if c.away is not None} for m in (before, match))
        self.figures["people: for whom a computer played"] += len(still - gone)
        self.figures["people: back by themselves"] += len(gone - still) if match.status is Status.PLAYING else 0

    def _timer(self, match: Match, seat: int, user: int, fresh: bool) -> SeatTimer:
        timer = self._timers.get((match.id, seat))
        if timer is None or fresh:
            whole = TERMS[match.clock][1] if match.clock != "none" else 0.0
            reserve = (whole, whole)
            if not fresh:  # a new player of a seat has what is left of its reserve
                reserve = self._reserves.get((match.id, seat), reserve)
            fully_pinged = None if timer is None else timer
            timer = SeatTimer(match.id, seat, user, reserve=reserve, counted=self._now())
            timer.returned = user in self._left.get(match.id, ())
            if fully_pinged is not None:  # the table chose another clock, in the same turn
                timer.ping, timer.fully_pinged, timer.since = (
                    fully_pinged.ping,
                    fully_pinged.fully_pinged,
                    fully_pinged.since,
                )
                timer.partly_pinged = fully_pinged.partly_pinged
                timer.returns = fully_pinged.returns + (fully_pinged.away is not None or fully_pinged.called > 0)
            self._timers[match.id, seat] = timer
        return timer

    def _update_timer(self, match: Match, timer: SeatTimer, turn: str) -> None:
        self._count(timer)
        open_ = [vote.since for vote in match.proposals if vote.ended is None and timer.user != vote.starter]
        if open_:
            timer.vote, timer.asked = max(open_), float("inf")
        else:
            timer.asked = min(timer.asked, self._now())
        clock = next((clock for clock in match.clocks if clock.seat == timer.seat), None)
        away, stage, called = (clock.away, clock.stage, clock.called) if clock is not None else (None, 0, 0)
        waits = next((waits for waits in match.reminders if waits.seat == timer.seat), None)
        if waits is not None:
            called = waits.pings
        if away is None and timer.away is not None and stage == RETURNED:
            timer.returned = True  # in the same turn: the oracle does not know what is left of it
        token = f"{turn}-{match.undone}" if turn and away is None else ""
        if token and not timer.token and match.undone > timer.undone and match.clock in TERMS:
            timer.returned = True  # the end of its turn may be taken back: the oracle does not know what is left of it
            timer.reserve = max(0.0, timer.reserve[0] - TERMS[match.clock][2]), timer.reserve[1]
        if not match.moves and match.status is Status.PLAYING:
            self._began.setdefault((match.id, timer.user), self._hours.get(timer.user, Hours()))
        if token and clock is not None:
            self._check_hours(match, timer, clock, new=token != timer.token)
        if away is not None and timer.away is None:
            self._check_deadline(match, timer, away=True)
            timer.reserve = (0.0, 0.0)
        elif token != timer.token:
            self._start_turn(match, timer, token)
        elif token and stage != timer.stage:
            if stage != RETURNED:  # else the player is back while the table votes, and gets an extension
                self._check_deadline(match, timer, away=False)
            extension = TERMS[match.clock][3]
            timer.low = timer.high = extension
            timer.most = timer.least = 0.0
            timer.reserve = (0.0, 0.0)
        elif waits is not None:
            if called > timer.called:
                self._check_reminder(match, timer, waits)
        elif called != timer.called:
            self._check_nudge(match, timer)
        if token != timer.token or waits is None:
            timer.waits_since, timer.reminded, timer.due = self._now(), 0, None
        timer.due = None if waits is None else waits.due
        timer.returns += away is None and (timer.away is not None or (token == timer.token and called < timer.called))
        timer.token, timer.stage, timer.called, timer.away, timer.undone = token, stage, called, away, match.undone
        timer.runs = match.running
        ping: tuple[object, ...] | None = None
        if match.status is Status.PLAYING and away is not None:
            ping = ("away", away)
        elif token:
            alone = ("everyone else is done",) if turn == match.alone else ()
            ping = (turn, match.undone, called, *alone)
        if ping is not None:
            ping = (match.id, timer.seat, timer.user, self._rests[match.id] + timer.returns, *ping)
        self._update_ping(timer, ping)

    def _check_hours(self, match: Match, timer: SeatTimer, clock: SeatClock, *, new: bool) -> None:
        """A turn counts by the hours that its player had when it began: those of now, or, if it is the same turn after
        a move was taken back or after an absence, those of before.
        """
        theirs = self._hours.get(timer.user, Hours())
        allowed = [timer.hours] if not new and timer.hours is not None else [timer.hours, theirs]
        if match.clock.startswith("live"):  # by those of the beginning of the match; a player who came later has none
            allowed = [self._began.get((match.id, timer.user), Hours()), Hours()]
        known = self.hours_seen.setdefault((match.id, timer.seat, timer.user), set())
        kept = replace(clock.hours or Hours(), until=None)
        if clock.hours is None or (kept not in allowed and not (new and kept in known)):
            self.fault(match.id, f"seat {timer.seat}: counts by other hours than the turn began with")
            return
        known.add(kept)
        if (kept, clock.hours.until) != (timer.hours, timer.until):
            timer.hours, timer.until = kept, clock.hours.until
            timer.running = RunningHours(kept, self._start, self._days, timer.until)
            turn, reserve, *_ = TERMS[match.clock]
            held = 0.0 if timer.until is None else timer.running.held_up(self._now(), timer.until)
            if held > max(3 * DAY, turn + reserve) + TOLERANCE:
                self.fault(match.id, f"seat {timer.seat}: quiet hours may hold the turn up by {held / HOUR:.0f} hours")

    def _start_turn(self, match: Match, timer: SeatTimer, token: str) -> None:
        """The seat has decided, or must decide now."""
        if match.clock == "none" or match.clock not in TERMS:
            timer.low = timer.high = float("inf")
            timer.most = timer.least = 0.0
            return
        turn, full, growth, *_ = TERMS[match.clock]
        if timer.token and timer.away is None:
            low, high = _unused_reserve(timer)
            if token and allows_undo(match.game):  # perhaps in the same turn, which gets its time only once
                timer.reserve = low, min(full, high + growth)
                timer.high, timer.least, timer.late = turn + timer.reserve[1], 0.0, False
                return
            timer.reserve = min(full, low + growth), min(full, high + growth)
        if token and timer.returned:
            timer.low, timer.high, timer.returned = 0.0, turn + timer.reserve[1], False
            timer.most = timer.least = 0.0
        elif token:
            timer.low, timer.high = turn + timer.reserve[0], turn + timer.reserve[1]
            timer.most = timer.least = 0.0
            timer.late = False

    def _check_deadline(self, match: Match, timer: SeatTimer, *, away: bool) -> None:
        """Check a deadline: the bot says that the time has run out."""
        self.figures["deadlines rung"] += 1
        early = timer.low - timer.most
        self.earliest = min(self.earliest, -early)
        if early > TOLERANCE:
            self.fault(match.id, f"seat {timer.seat}: time ran out {early:.0f} s early (stage {timer.stage})")
        if self._now() < self.started + GRACE - TOLERANCE:
            self.fault(match.id, f"seat {timer.seat}: time ran out right after a start")
        if not (timer.running or self.running_hours(timer.user)).at(self._now()):
            self.fault(match.id, f"seat {timer.seat}: time ran out in quiet hours")
        if away and timer.stage == 0:
            self.fault(match.id, f"seat {timer.seat}: no extension")
        asked = self._now() - timer.since  # several turns in a row share their time, and the last may begin at its end
        if self.ways.get(timer.user) != "none" and not timer.partly_pinged and asked > A_MOMENT:
            self.fault(match.id, f"seat {timer.seat}: time ran out for a turn without a ping")
        self._late(match, timer)

    def _late(self, match: Match, timer: SeatTimer) -> None:
        running = timer.running or self.running_hours(timer.user)
        after_grace = running.between(max(self._working_from + GRACE, timer.since), self._now())
        late = min(timer.least - timer.high, after_grace)
        self.worst = max(self.worst, late)
        if late > LATEST and not timer.late:
            timer.late = True
            self.fault(match.id, f"seat {timer.seat}: {late:.0f} s late (stage {timer.stage})")

    def _check_nudge(self, match: Match, timer: SeatTimer) -> None:
        self.figures["nudges"] += 1
        nudge = max(TERMS[match.clock][4])
        if timer.low - timer.most > nudge + TOLERANCE:
            self.fault(match.id, f"seat {timer.seat}: nudged early")

    def _check_reminder(self, match: Match, timer: SeatTimer, waits: Reminder) -> None:
        """Check a reminder, or a nudge by a player, at a table without a time limit."""
        if waits.sent == timer.reminded:
            self.figures["players nudged by others"] += 1
            if self._now() - timer.waits_since < NUDGED_AFTER - TOLERANCE:
                self.fault(match.id, f"seat {timer.seat}: nudged by a player after a moment")
            return
        self.figures["reminders"] += 1
        if timer.reminded == len(REMINDED_AFTER):
            self.fault(match.id, f"seat {timer.seat}: reminded a third time")
        elif self._now() - timer.waits_since < REMINDED_AFTER[timer.reminded] - TOLERANCE:
            self.fault(match.id, f"seat {timer.seat}: reminded early")
        hours = self.running_hours(timer.user)
        if not hours.at(self._now()) and hours.held_up(timer.waits_since, self._now()) < 3 * DAY - TOLERANCE:
            self.fault(match.id, f"seat {timer.seat}: reminded in quiet hours")
        timer.reminded = waits.sent

    def _update_ping(self, timer: SeatTimer, ping: tuple[object, ...] | None) -> None:
        if ping == timer.ping:
            return
        self._check_pinged(timer)
        if timer.ping is not None:
            timer.before = [*timer.before[-3:], (self._now(), timer.ping)]
        timer.ping, timer.since, timer.reached = ping, self._now(), 0.0
        self.note(timer.match, f"seat {timer.seat} ({timer.user}) is asked {ping and ping[3:]}")
        timer.fully_pinged = timer.partly_pinged = ping is not None and self._all_pings_came(timer.user, ping)

    def _check_pinged(self, timer: SeatTimer) -> None:
        """Check that a player who must decide was pinged in time, unless they want no pings."""
        if self.ways.get(timer.user) == "none":
            return
        if timer.ping is not None and not timer.fully_pinged and timer.reached > SOON:
            timer.fully_pinged = True
            self.fault(timer.match, f"seat {timer.seat}: not pinged for {timer.ping[4:]}")

    # Pings.

    def on_ping(self, user: int, number: int | None, message: Message) -> None:
        """Check a ping about a match."""
        if number is None:
            return  # the welcome to a new player, who has just pressed
        now, match = self._now(), self.matches[number]
        self.figures["rings"] += 1
        self.note(number, f"{user} is pinged")
        timer = self._timers.get((number, seat)) if (seat := match.seat_of(user)) is not None else None
        if not self._may_be_pinged(match, user, timer, now) and not self._may_be_pinged(match, user, timer, now - 10):
            self.fault(number, f"{user} was pinged in quiet hours")
        if match.tells_end and match.seat_of(user) is not None:
            if self.ways.get(user) == "none":
                self.fault(number, f"{user} was pinged for the end and wants no pings")
            self._check_once((number, *self._ping_key(message, user, (user, "the end"))), number, message)
        elif match.status is Status.LOBBY:
            self._check_once((number, user, "invited"), number, message)
        elif timer is None:
            self.fault(number, f"{user} was pinged and does not sit there")
        else:
            self._check_ping(timer, message)

    def _may_be_pinged(self, match: Match, user: int, timer: SeatTimer | None, at: float) -> bool:
        """Return whether no quiet hours defer a ping. A live match may count by older ones: then its pings come too."""
        counts = timer.running if timer is not None and match.clock.startswith("live") and match.open else None
        return self.running_hours(user).at(at) or (counts is not None and counts.at(at))

    def _check_ping(self, timer: SeatTimer, message: Message) -> None:
        user, ping = timer.user, timer.ping
        if self.ways.get(user) == "none":
            self.fault(timer.match, f"{user} was pinged and wants no pings")
        key = None if ping is None else self._ping_key(message, user, ping)
        if ping is not None and key is not None and key not in self._pings:
            self._pings[key] = message
            timer.partly_pinged, timer.fully_pinged = True, timer.fully_pinged or self._all_pings_came(user, ping)
            self.figures["turns rung"] += ping[-1] == 0
            return
        for until, late in timer.before:
            before = self._ping_key(message, user, late)
            if before not in self._pings and self._now() - until < A_MOMENT:
                self._pings[before] = message
                self.figures["rung a moment too late"] += 1
                return
        if key is not None and self._answer_was_lost(key, message):
            return
        if self._is_for_a_vote(timer, message):
            self.figures["votes rung"] += 1
            return
        self.fault(timer.match, f"{user} was pinged once more for {ping and ping[4:]}")

    def _is_for_a_vote(self, timer: SeatTimer, message: Message) -> bool:
        """Return whether the ping may be for a vote that others have begun."""
        key = self._ping_key(message, timer.user, (timer.match, timer.user))
        last = self._votes.get(key)
        if self._now() - 30 > timer.asked or (last is not None and timer.vote - last < VOTES_EVERY):
            return False
        self._votes[key] = timer.vote
        return True

    def _ping_key(self, message: Message, user: int, ping: tuple[object, ...]) -> tuple[object, ...]:
        """Return what may ping once: `ping`, or each way of it for a player who wants both."""
        by_dm = message.viewer is not None
        if by_dm:
            self._written[user] = message
        return (*ping, "dm" if by_dm else "mention") if self.ways.get(user) == "both" else ping

    def _all_pings_came(self, user: int, ping: tuple[object, ...]) -> bool:
        """Return whether all pings have come. A direct message is due once the bot has seen that one arrives."""
        if self.ways.get(user) != "both":
            return ping in self._pings
        written = self._written.get(user)
        by_dm = written is None or not written.known or (*ping, "dm") in self._pings
        return by_dm and (*ping, "mention") in self._pings

    def _answer_was_lost(self, key: tuple[object, ...], message: Message) -> bool:
        """Return whether the answer to the earlier ping was lost: unknown to the bot once Discord forgets its nonce."""
        before, self._pings[key] = self._pings[key], message
        self.figures["rung again after a lost answer"] += not before.known
        return not before.known

    def _check_once(self, key: tuple[object, ...], number: int, message: Message) -> None:
        if key in self._pings and not self._answer_was_lost(key, message):
            self.fault(number, f"pinged twice: {key}")
        self._pings[key] = message

    def on_hand_shown(self, user: int, number: int) -> None:
        self.note(number, f"{user} looks")
        seat = self.matches[number].seat_of(user)
        timer = self._timers.get((number, -1 if seat is None else seat))
        if timer is not None:
            timer.fully_pinged = timer.partly_pinged = True

    # Regular checks.

    def sweep(self) -> None:
        """Check that all that was due by now has happened."""
        self._count_all()
        for timer in self._timers.values():
            match = self.matches[timer.match]
            self._check_pinged(timer)
            if timer.token and timer.runs and match.clock != "none":
                self._late(match, timer)
            overdue = timer.due is not None and self._now() - max(timer.due, self._reach_from, self._working_from)
            if overdue and overdue > LATEST and self._sure and match.running:
                timer.due = None
                self.fault(match.id, f"seat {timer.seat}: not reminded for {overdue:.0f} s")
        for match in self.matches.values():
            self._check_computers_move(match)

    def _check_computers_move(self, match: Match) -> None:
        """Check that no table waits long for a computer, or for an absent player for whom one plays."""
        quiet = self._now() - max(self.saved_at[match.id], self._reach_from)
        if not match.running or match.state is None or quiet < 900 or not self._sure:
            return
        gone = {clock.seat for clock in match.clocks if clock.away is not None}
        if {chair.number for chair in match.people} <= gone:
            return
        waits = GAMES[match.game].from_json(match.state).to_move()
        if any(match.chairs[seat].user is None or seat in gone for seat in waits):
            self.fault(match.id, "a computer does not move")


def _unused_reserve(timer: SeatTimer) -> tuple[float, float]:
    """Return the least and the most that is left of the reserve at the end of a turn."""
    low, high = timer.reserve
    if not timer.token or timer.away is not None:
        return low, high
    return max(0.0, min(low, timer.low - timer.most)), max(0.0, min(high, timer.high - timer.least))
