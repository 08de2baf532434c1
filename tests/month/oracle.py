"""A second reckoning of everybody's time, which knows nothing of the bot's: what was done early, late, twice, or never.

It hears what was saved, who was rung and when the bot was there, and counts for each seat how long its clock has fairly
run. Where that cannot be known to the second (after a crash, while the host's clock was wrong) it keeps two counts:
`most`, by which nothing may come early, and `least`, by which nothing may come late.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from data.records.hours import Hours
from data.records.match import Match, Status
from rules import GAMES
from rules.core.game import Seat
from tests.month.fake_discord import Message
from tests.support.machine.clock_model import TERMS
from tests.support.traits import takes_back

HOUR, DAY = 3600, 86400
RETURNED = 3
"""The stage of a turn to which somebody has come back."""
GRACE = 900
"""Seconds after a start in which nobody's time runs out."""
SLOT = 900
TOLERANCE = 3
"""Seconds that whole numbers may cost."""
LATEST = 60
"""Seconds after which a deadline is late."""
SOON = 150
"""Seconds of a turn within which its ring must come, where nothing hinders it."""


class Awake:
    """When nothing keeps a person's clock from running, by quarters of an hour, each looked up in their own time."""

    def __init__(self, hours: Hours, start: int, days: int) -> None:
        self._start = start - start % SLOT
        self._before = [0]
        self._free: list[bool] = []
        self.always = hours.quiet is None and not hours.days_off and not hours.holidays
        if self.always:
            return
        zone = ZoneInfo(hours.zone)
        for slot in range(days * DAY // SLOT):
            there = datetime.fromtimestamp(self._start + slot * SLOT, UTC).astimezone(zone)
            minute, free = there.hour * 60 + there.minute, there.weekday() not in hours.days_off
            if hours.quiet is not None:
                first, last = hours.quiet
                quiet = first <= minute < last if first < last else minute >= first or minute < last
                free = free and not quiet
            free = free and not any(first <= there.date() <= last for first, last in hours.holidays)
            self._free.append(free)
            self._before.append(self._before[-1] + SLOT * free)

    def at(self, instant: float) -> bool:
        return self.always or self._free[int(instant - self._start) // SLOT]

    def between(self, since: float, until: float) -> float:
        """Seconds in which the clock may run."""
        return max(0.0, until - since) if self.always else max(0.0, self._upto(until) - self._upto(since))

    def _upto(self, instant: float) -> float:
        slot = int(instant - self._start) // SLOT
        return self._before[slot] + (instant - self._start) % SLOT * self._free[slot]


@dataclass(slots=True)
class Question:
    """What one seat is asked, and for how long."""

    match: int
    seat: int
    user: int
    runs: bool = False
    token: str = ""
    call: tuple[object, ...] | None = None
    """What the person is to be rung for once."""
    since: float = 0.0
    """When that was asked."""
    counted: float = 0.0
    most: float = 0.0
    least: float = 0.0
    reached: float = 0.0
    """Seconds since then in which a ring could come."""
    low: float = 0.0
    high: float = 0.0
    """Seconds that it may take at least and at most, where that is not certain."""
    reserve: tuple[float, float] = (0.0, 0.0)
    stage: int = 0
    returned: bool = False
    """They are back at a turn whose time had run out, or that they had given up."""
    called: int = 0
    away: int | None = None
    told: bool = False
    """The person was rung, or has looked."""
    heard: bool = False
    """They were rung in one way at least, or have looked."""
    late: bool = False
    returns: int = 0
    """How often they were away, or called again, and are now asked as if for the first time."""
    before: list[tuple[float, tuple[object, ...]]] = field(default_factory=list)
    """The calls of a moment ago: a ring may be on its way."""


class Oracle:
    """Judges a whole run; `faults` says what was wrong, a line each."""

    def __init__(self, now: Callable[[], float], start: int, days: int, beat: float) -> None:
        self._now, self._start, self._days, self._beat = now, start, days, beat
        self._awake: dict[int, Awake] = {}
        self._questions: dict[tuple[int, int], Question] = {}
        self._reserves: dict[tuple[int, int], tuple[float, float]] = {}  # of seats that have changed hands
        self._left: dict[int, set[int]] = {}  # who have sat at a match and left it
        self._rung: dict[tuple[object, ...], Message] = {}
        self.ways: dict[int, str] = {}
        """How people who have said so want to be called: dm (as all others), mention, both or none."""
        self._written: dict[int, Message] = {}  # the last hand by direct message, by user
        self._rests: Counter[int] = Counter()
        self.matches: dict[int, Match] = {}
        self.saved_at: dict[int, float] = {}
        self.faults: list[str] = []
        self._story: dict[int, deque[str]] = {}
        self.figures: Counter[str] = Counter()
        self.worst, self.earliest = 0.0, float("inf")
        self.started = self._at_work = 0.0
        self._interrupted = False
        """The bot was cut off before its start was surely done: it begins its grace once it is there again."""
        self._perhaps = self._sure = False
        self._sure_from = 0.0
        self._reach_from = 0.0

    def fault(self, number: int, what: str) -> None:
        stamp = datetime.fromtimestamp(self._now(), UTC).isoformat(" ", "seconds")
        self.faults.append(f"{stamp} match {number}: {what}\n    " + "\n    ".join(self._story[number]))

    def tell(self, number: int, what: str) -> None:
        """Remember for a while what happened, to be read with a fault."""
        self._story.setdefault(number, deque(maxlen=20)).append(f"{self._now() - self._start:.1f} {what}")

    def _befell(self, what: str) -> None:
        """Something has happened to all matches."""
        self._count_all()
        for number in self._story:
            self.tell(number, what)

    def awake(self, user: int) -> Awake:
        if user not in self._awake:
            self._awake[user] = Awake(Hours(), self._start, self._days)
        return self._awake[user]

    # Whether the bot is there.

    def there(self, *, started: bool = False, after: float = 10.0) -> None:
        """The bot is at work from now on, surely so many seconds later."""
        self._befell("a start" if started else "the bot is there")
        now = self._now()
        self.started = now if started else self.started
        self._at_work = now + after if started or self._interrupted else self._at_work
        self._perhaps = self._sure = True
        self._sure_from = now + after
        self._reach_from = max(self._reach_from, now + after)

    def gone(self, slack: float = 0.0, *, perhaps: bool = False) -> None:
        """It is not; so many seconds before now may not count either."""
        self._befell("the bot may be gone" if perhaps else "the bot is gone")
        self._perhaps, self._sure = perhaps, False
        self._interrupted = self._now() < self._at_work
        for question in self._questions.values():
            question.least = max(0.0, question.least - slack)

    def out_of_reach(self, seconds: float) -> None:
        """Discord takes nothing for so long; then the bot tries again, at most five minutes later. Clocks of matches
        that it cannot show meanwhile stand still.
        """
        self._befell(f"Discord takes nothing for {seconds:.0f} s")
        self._reach_from = max(self._reach_from, self._now() + seconds + 620)

    def hours(self, user: int, hours: Hours) -> None:
        """A person keeps other hours from now on."""
        self._count_all()
        self._awake[user] = Awake(hours, self._start, self._days)

    # Counting.

    def _count_all(self) -> None:
        for question in self._questions.values():
            self._count(question)

    def _count(self, question: Question) -> None:
        now, since = self._now(), question.counted
        question.counted = now
        if not question.runs or question.call is None or now <= since:
            return
        awake = self.awake(question.user)
        if self._perhaps:
            question.most += awake.between(since, now)
        if self._sure:
            sure = awake.between(max(since, self._sure_from, self._reach_from), now)
            question.least += sure
            question.reached += sure

    # What was saved.

    def saved(self, match: Match) -> None:
        """What has become of a match."""
        before = self.matches.get(match.id)
        self.matches[match.id], self.saved_at[match.id] = match, self._now()
        self.tell(match.id, f"saved: {match.status.value}, move {match.moves}, undone {match.undone}")
        if match.state is None:
            return
        if before is not None:
            self._tally(before, match)
        people = {chair.number: chair.user for chair in match.people if chair.user is not None}
        for key in [(match.id, chair.number) for chair in match.chairs]:
            if key in self._questions and people.get(key[1]) != self._questions[key].user:
                left = self._questions.pop(key)
                self._reserves[key] = _unused(left)
                self._left.setdefault(match.id, set()).add(left.user)
        state = GAMES[match.game].from_json(match.state)
        fresh = before is not None and before.clock != match.clock
        if fresh:
            self._reserves = {key: kept for key, kept in self._reserves.items() if key[0] != match.id}
        for seat, user in people.items():
            turn = state.turn(Seat(seat)) if match.status is Status.PLAYING and Seat(seat) in state.to_move() else ""
            self._answered(match, self._question(match, seat, user, fresh), turn)

    def _tally(self, before: Match, match: Match) -> None:
        """What people have done, for the figures."""
        if before.rests_since is None and match.rests_since is not None:
            self.figures["people: rests agreed on"] += 1
        elif before.rests_since is not None and match.rests_since is None:
            self._rests[match.id] += self._now() - before.rests_since >= HOUR  # then each is called anew
        if before.paused and not match.paused:
            self._rests[match.id] += 1  # all of it is shown, and rings, as if for the first time
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

    def _question(self, match: Match, seat: int, user: int, fresh: bool) -> Question:
        question = self._questions.get((match.id, seat))
        if question is None or fresh:
            whole = TERMS[match.clock][1] if match.clock != "none" else 0.0
            reserve = (whole, whole)
            if not fresh:  # whoever takes a seat over has what is left of its reserve
                reserve = self._reserves.get((match.id, seat), reserve)
            told = None if question is None else question
            question = Question(match.id, seat, user, reserve=reserve, counted=self._now())
            question.returned = user in self._left.get(match.id, ())
            if told is not None:  # other terms, but the same that has been asked
                question.call, question.told, question.since = told.call, told.told, told.since
                question.heard = told.heard
                question.returns = told.returns + (told.away is not None or told.called > 0)
            self._questions[match.id, seat] = question
        return question

    def _answered(self, match: Match, question: Question, turn: str) -> None:
        self._count(question)
        clock = next((clock for clock in match.clocks if clock.seat == question.seat), None)
        away, stage, called = (clock.away, clock.stage, clock.called) if clock is not None else (None, 0, 0)
        if away is None and question.away is not None and stage == RETURNED:
            question.returned = True  # to the same turn: what is left of it is not known here
        token = f"{turn}-{match.undone}" if turn and away is None else ""
        if away is not None and question.away is None:
            self._ends(match, question, away=True)
            question.reserve = (0.0, 0.0)
        elif token != question.token:
            self._next(match, question, token)
        elif token and stage != question.stage:
            if stage != RETURNED:  # else they are back while the table votes, and have the time of an extension
                self._ends(match, question, away=False)
            extension = TERMS[match.clock][3]
            question.low = question.high = extension
            question.most = question.least = 0.0
            question.reserve = (0.0, 0.0)
        elif called != question.called:
            self._nudged(match, question)
        question.returns += away is None and (
            question.away is not None or (token == question.token and called < question.called)
        )
        question.token, question.stage, question.called, question.away = token, stage, called, away
        question.runs = match.running
        call: tuple[object, ...] | None = None
        if match.status is Status.PLAYING and away is not None:
            call = ("away", away)
        elif token:
            alone = ("the last one awaited",) if turn == match.alone else ()
            call = (turn, match.undone, called, *alone)
        if call is not None:
            call = (match.id, question.seat, question.user, self._rests[match.id] + question.returns, *call)
        self._calls(question, call)

    def _next(self, match: Match, question: Question, token: str) -> None:
        """The seat has decided, or is asked."""
        if match.clock == "none" or match.clock not in TERMS:
            question.low = question.high = float("inf")
            question.most = question.least = 0.0
            return
        turn, full, growth, *_ = TERMS[match.clock]
        if question.token and question.away is None:
            low, high = _unused(question)
            if token and takes_back(match.game):  # perhaps in the same turn, which has its time once
                question.reserve = low, min(full, high + growth)
                question.high, question.least, question.late = turn + question.reserve[1], 0.0, False
                return
            question.reserve = min(full, low + growth), min(full, high + growth)
        if token and question.returned:
            question.low, question.high, question.returned = 0.0, turn + question.reserve[1], False
            question.most = question.least = 0.0
        elif token:
            question.low, question.high = turn + question.reserve[0], turn + question.reserve[1]
            question.most = question.least = 0.0
            question.late = False

    def _ends(self, match: Match, question: Question, *, away: bool) -> None:
        """The bot says that the time has run out."""
        self.figures["deadlines rung"] += 1
        early = question.low - question.most
        self.earliest = min(self.earliest, -early)
        if early > TOLERANCE:
            self.fault(match.id, f"seat {question.seat}: time ran out {early:.0f} s early (stage {question.stage})")
        if self._now() < self.started + GRACE - TOLERANCE:
            self.fault(match.id, f"seat {question.seat}: time ran out right after a start")
        if not self.awake(question.user).at(self._now()):
            self.fault(match.id, f"seat {question.seat}: time ran out in quiet hours")
        if away and question.stage == 0:
            self.fault(match.id, f"seat {question.seat}: no extension")
        if self.ways.get(question.user) != "none" and not question.heard:
            self.fault(match.id, f"seat {question.seat}: time ran out for what nobody told them")
        self._late(match, question)

    def _late(self, match: Match, question: Question) -> None:
        after_grace = self.awake(question.user).between(max(self._at_work + GRACE, question.since), self._now())
        late = min(question.least - question.high, after_grace)
        self.worst = max(self.worst, late)
        if late > LATEST and not question.late:
            question.late = True
            self.fault(match.id, f"seat {question.seat}: {late:.0f} s late (stage {question.stage})")

    def _nudged(self, match: Match, question: Question) -> None:
        self.figures["nudges"] += 1
        nudge = max(TERMS[match.clock][4])
        if question.low - question.most > nudge + TOLERANCE:
            self.fault(match.id, f"seat {question.seat}: nudged early")

    def _calls(self, question: Question, call: tuple[object, ...] | None) -> None:
        if call == question.call:
            return
        self._untold(question)
        if question.call is not None:
            question.before = [*question.before[-3:], (self._now(), question.call)]
        question.call, question.since, question.reached = call, self._now(), 0.0
        self.tell(question.match, f"seat {question.seat} ({question.user}) is asked {call and call[3:]}")
        question.told = question.heard = call is not None and self._is_told(question.user, call)

    def _untold(self, question: Question) -> None:
        """Nobody is asked without being rung for it, but for those who want no calls."""
        if self.ways.get(question.user) == "none":
            return
        if question.call is not None and not question.told and question.reached > SOON:
            question.told = True
            self.fault(question.match, f"seat {question.seat}: not rung for {question.call[4:]}")

    # Who was rung.

    def rang(self, user: int, number: int | None, message: Message) -> None:
        """A person's phone made a sound about a match."""
        if number is None:
            return  # the hello to who sits down: their own press
        now, match = self._now(), self.matches[number]
        self.figures["rings"] += 1
        self.tell(number, f"{user} is rung")
        if not self.awake(user).at(now) and not self.awake(user).at(now - 10):
            self.fault(number, f"{user} was rung in quiet hours")
        question = self._questions.get((number, seat)) if (seat := match.seat_of(user)) is not None else None
        if match.status is Status.LOBBY:
            self._once((number, user, "invited"), number, message)
        elif question is None:
            self.fault(number, f"{user} was rung and does not sit there")
        else:
            self._ring(question, message)

    def _ring(self, question: Question, message: Message) -> None:
        user, call = question.user, question.call
        if self.ways.get(user) == "none":
            self.fault(question.match, f"{user} was rung and wants no calls")
        key = None if call is None else self._by(message, user, call)
        if call is not None and key is not None and key not in self._rung:
            self._rung[key] = message
            question.heard, question.told = True, question.told or self._is_told(user, call)
            self.figures["turns rung"] += call[-1] == 0
            return
        for until, late in question.before:
            before = self._by(message, user, late)
            if before not in self._rung and self._now() - until < 30:
                self._rung[before] = message
                self.figures["rung a moment too late"] += 1
                return
        if key is not None and self._lost(key, message):
            return
        self.fault(question.match, f"{user} was rung once more for {call and call[4:]}")

    def _by(self, message: Message, user: int, call: tuple[object, ...]) -> tuple[object, ...]:
        """What may ring once: a call, or each way of it for who wants both."""
        by_dm = message.eyes is not None
        if by_dm:
            self._written[user] = message
        return (*call, "dm" if by_dm else "mention") if self.ways.get(user) == "both" else call

    def _is_told(self, user: int, call: tuple[object, ...]) -> bool:
        """Whether all rings of a call have come. Direct messages are due once the bot has seen that one arrives."""
        if self.ways.get(user) != "both":
            return call in self._rung
        written = self._written.get(user)
        by_dm = written is None or not written.known or (*call, "dm") in self._rung
        return by_dm and (*call, "mention") in self._rung

    def _lost(self, key: tuple[object, ...], message: Message) -> bool:
        """Whether the bot was never told of the ring before: nobody can know, and Discord forgets a nonce."""
        before, self._rung[key] = self._rung[key], message
        self.figures["rung again after a lost answer"] += not before.known
        return not before.known

    def _once(self, key: tuple[object, ...], number: int, message: Message) -> None:
        if key in self._rung and not self._lost(key, message):
            self.fault(number, f"rung twice: {key}")
        self._rung[key] = message

    def looked(self, user: int, number: int) -> None:
        """A person was shown their hand."""
        self.tell(number, f"{user} looks")
        seat = self.matches[number].seat_of(user)
        question = self._questions.get((number, -1 if seat is None else seat))
        if question is not None:
            question.told = question.heard = True

    # Now and then.

    def sweep(self) -> None:
        """Whatever should have happened by now has."""
        self._count_all()
        for question in self._questions.values():
            match = self.matches[question.match]
            self._untold(question)
            if question.token and question.runs and match.clock != "none":
                self._late(match, question)
        for match in self.matches.values():
            self._moves_on(match)

    def _moves_on(self, match: Match) -> None:
        """A table that waits for a computer, or for somebody for whom one plays, does not wait long."""
        quiet = self._now() - max(self.saved_at[match.id], self._reach_from)
        if not match.running or match.state is None or quiet < 900 or not self._sure:
            return
        gone = {clock.seat for clock in match.clocks if clock.away is not None}
        if {chair.number for chair in match.people} <= gone:
            return
        waits = GAMES[match.game].from_json(match.state).to_move()
        if any(match.chairs[seat].user is None or seat in gone for seat in waits):
            self.fault(match.id, "a computer does not move")


def _unused(question: Question) -> tuple[float, float]:
    """What is left of the reserve, at least and at most, once the seat is asked this no more."""
    low, high = question.reserve
    if not question.token or question.away is not None:
        return low, high
    return max(0.0, min(low, question.low - question.most)), max(0.0, min(high, question.high - question.least))
