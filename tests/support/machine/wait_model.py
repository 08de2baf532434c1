"""A model of what passes with time at a table without a time limit, and of votes that are open for a time.

- A player whom a table without a time limit waits for is reminded once after a day, and once after three; but not in
  quiet hours that they had when the wait began, which put it off by three days in all, and at least a day after the
  last nudge or reminder.
- A player who is not to move may nudge all players who have been waited for for an hour, once a day for the table.
- A vote names who started it. It closes two days later, and as soon as too many are against it; the table says so for a
  day, or until the next move. A vote on absent players does not close by itself. A vote without a voter is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from data.records.hours import Hours
from data.records.match import LoggedMove, Match
from data.records.reminders import Reminder
from tests.support.machine.clock_model import DAY, HOUR, LEAST_BOUND, TERMS, TOLERANCE, is_stopped, running_seconds
from tests.support.machine.match_model import MatchModel, Refusal

REMINDED_AFTER = (DAY, 3 * DAY)
LATE = 10
"""Seconds by which the bot may act late: it tries again after some."""


@dataclass
class VoteModel:
    """A vote: who started it and when, and who is against it. `ended`: why it closed, "" while it is open."""

    starter: int
    since: int
    against: set[int] = field(default_factory=set)
    ended: str = ""
    ended_at: int = 0

    def due(self, text: str) -> int | None:
        """Return when it closes, or, once it has closed, when the table no longer says so."""
        if self.ended:
            return self.ended_at + DAY
        return None if text == "replace" else self.since + 2 * DAY


@dataclass
class ReminderModel:
    """The wait for one player. `exact`: nothing has moved its beginning, and the player keeps no hours."""

    turn: str
    since: int
    sent: int = 0
    pings: int = 0
    nudger: int | None = None
    last: int = 0
    """When the last reminder or nudge was."""
    exact: bool = True
    hours: Hours = Hours()  # noqa: RUF009  -- frozen
    """The hours by which the wait counts: those that the player had when it began."""

    def take_over(self, stored: Reminder, now: int, latest: int, sure: bool) -> None:
        """Check a reminder that the bot has made, and take it over. `latest`: the latest time that it may have read. No
        wait begins later than `now`, also after a clock that was ahead is set back.
        """
        assert min(self.since, now) - TOLERANCE <= stored.since <= latest + TOLERANCE, (stored, self)
        if stored.sent != self.sent:
            assert stored.sent == self.sent + 1 <= len(REMINDED_AFTER), (stored, self)
            assert latest - self.since >= REMINDED_AFTER[self.sent] - TOLERANCE, f"reminded early: {stored}, {self}"
            assert not self.last or latest - self.last >= DAY - TOLERANCE, f"reminded again too soon: {stored}, {self}"
            _, spare = running_seconds(self.hours, stored.since, latest, LEAST_BOUND)
            assert not sure or not is_stopped(self.hours, latest, spare), f"reminded in quiet hours: {stored}"
            self.sent, self.pings, self.nudger, self.last = stored.sent, self.pings + 1, None, latest
        assert (stored.pings, stored.nudger) == (self.pings, self.nudger), (stored, self)
        self.exact = self.exact and self.hours == Hours() and sure
        assert not self.exact or abs(stored.since - self.since) <= TOLERANCE, (stored, self)
        if self.last:  # what is credited to the wait puts the next reminder off too
            self.last += stored.since - self.since
        self.since = stored.since
        if stored.due is not None and self.hours == Hours():
            least = self.since + REMINDED_AFTER[self.sent]
            assert stored.due <= max(least, self.last + DAY, latest) + TOLERANCE, f"put off too long: {stored}, {self}"

    def check_due(self, stored: Reminder, running: bool) -> None:
        """Check when the next reminder is due."""
        if not running or self.sent == len(REMINDED_AFTER):
            assert stored.due is None, (stored, self)
            return
        self.exact = self.exact and self.hours == Hours()
        least = self.since + REMINDED_AFTER[self.sent]
        assert stored.due is not None and stored.due >= least - TOLERANCE, (stored, self)
        assert not self.exact or stored.due <= max(least, self.last + DAY) + TOLERANCE, (stored, self)


@dataclass
class WaitModel(MatchModel):
    """A match with its reminders and its open votes."""

    proposals: dict[str, VoteModel] = field(default_factory=dict)
    begun: list[tuple[int, int]] = field(default_factory=list)
    """When each vote so far was begun, and by whom."""
    reminders: dict[int, ReminderModel] = field(default_factory=dict)
    ended_waits: dict[int, ReminderModel] = field(default_factory=dict)
    """The last wait for each seat, until its player takes the end of the turn back."""
    nudged_at: int | None = None
    now: int = 0
    """The instant of the action, or of the check."""
    waited_long: dict[int, str] = field(default_factory=dict)
    """The turns for which the table had waited for a day when the action began, by seat."""

    def makes_sense(self, text: str, user: int) -> bool:
        """Return whether this user may vote for that proposal now."""
        raise NotImplementedError

    def hours_of_turn(self, seat: int, turn: str) -> Hours:
        """Return the hours by which a turn counts that gets a clock now. The table may have waited before it did."""
        waits = self.reminders.get(seat)
        return super().hours_of_turn(seat, turn) if waits is None or waits.turn != turn else waits.hours

    def update_clocks(self) -> None:
        """Start and end waits after a change, and drop votes without voters."""
        super().update_clocks()
        waits = self.status == "playing" and TERMS.get(self.clock) is None
        turns = {seat: turn for seat, turn in self.turns().items() if waits and self.occupants[seat].user is not None}
        self.ended_waits |= {
            seat: replace(found, sent=0, last=0, exact=False) for seat, found in self.reminders.items()
        }
        kept = {seat: found for seat, found in self.reminders.items() if turns.get(seat) == found.turn}
        self.reminders = {seat: kept.get(seat) or self._new_wait(seat, turn) for seat, turn in turns.items()}
        self.drop_empty_votes()

    def _new_wait(self, seat: int, turn: str) -> ReminderModel:
        return ReminderModel(turn, self.now, hours=self.hours_now(self.occupants[seat].user or 0))

    def continue_wait(self, seat: int, turn: str) -> None:
        """The seat's own turn goes on under another token, also after its player has taken its end back: the table has
        waited since the turn began.
        """
        found = self.reminders.get(seat) or self.ended_waits.get(seat)
        if found is not None:
            self.reminders[seat] = replace(found, turn=turn, pings=0, nudger=None)

    # Votes.

    def is_removable(self, user: int) -> bool:
        """Return whether the others may remove a player: in a rated match only one who is absent, or for whom a table
        without a time limit has waited for a day.
        """
        if not self.counts() or user in self.unresponsive():
            return True
        seat = self.seat(user)
        return seat is not None and seat in self.reminders and self.waited_long.get(seat) == self.reminders[seat].turn

    def drop_empty_votes(self) -> None:
        removals = [text for text in self.proposals if text.startswith("remove ") and self.is_open(text)]
        void = {text for text in removals if not self.is_removable(int(text.removeprefix("remove ")))}
        self.votes = {user: text for user, text in self.votes.items() if text not in void}
        wanted = set(self.votes.values()) if self.status == "playing" else set()
        self.proposals = {
            text: vote
            for text, vote in self.proposals.items()
            if text in wanted or (vote.ended and self.status == "playing")
        }

    def is_open(self, text: str) -> bool:
        return text in self.proposals and not self.proposals[text].ended

    def start_vote(self, text: str, user: int) -> None:
        """This user votes for that proposal: they start the vote if none is open."""
        if not self.is_open(text):
            self.proposals[text] = VoteModel(user, self.now)
            self.begun.append((self.now, user))
        self.proposals[text].against.discard(user)

    def voters(self, text: str) -> list[int]:
        return self.people if text.partition(" ")[0] in ("undo", "remove") else self.present()

    def close_lost(self) -> None:
        """Close every vote that can no longer get enough votes because players are against it."""
        for text, vote in self.proposals.items():
            asked = self.voters(text)
            if vote.ended or not vote.against & set(asked):
                continue
            left = [user for user in asked if user not in vote.against and self.makes_sense(text, user)]
            if len(left) < self.enough(text):
                self.close_vote(text, "refused", self.now)

    def close_vote(self, text: str, why: str, now: int) -> None:
        vote = self.proposals[text]
        vote.ended, vote.ended_at, vote.against = why, now, set()
        self.votes = {user: other for user, other in self.votes.items() if other != text}

    def take_closings(self, match: Match, now: int, moved: bool) -> None:
        """Take over the votes that the bot has closed, and check that they were due. `moved`: a move came after."""
        stored = {vote.choice: vote for vote in match.proposals}
        for text, vote in list(self.proposals.items()):
            found, due = stored.get(text), vote.due(text)
            if found is not None and bool(found.ended) == bool(vote.ended):
                continue
            if vote.ended and moved and found is None:
                continue  # the move drops it in the model too
            if match.status.value != "playing":
                continue
            assert due is not None and now >= due - TOLERANCE, f"closed early: {text}, {vote}"
            counts = any(other == text and self.makes_sense(text, user) for user, other in self.votes.items())
            counts = counts and any(self.votes.get(user) == text for user in self.voters(text))
            if vote.ended or found is None:
                assert vote.ended or not counts or moved, f"closed without a word: {text}, {vote}"
                del self.proposals[text]
                self.votes = {user: other for user, other in self.votes.items() if other != text}
            else:
                assert found.ended == "expired" and found.due is not None, (found, vote)
                self.close_vote(text, "expired", found.due - DAY)

    # Nudges.

    def nudge(self, user: int) -> None:
        """Ping the players whom the table waits for."""
        self._check_playing()
        seat = self._seat_of(user)
        if self.rests:
            raise Refusal("rests")
        if TERMS.get(self.clock) is not None:
            raise Refusal("nudge_timed")
        if seat in self.reminders:
            raise Refusal("nudge_yours")
        if self.nudged_at is not None and self.now < self.nudged_at + DAY:
            raise Refusal("nudged")
        if not self.reminders:
            raise Refusal("nudge_none")
        if self.now < min(found.since for found in self.reminders.values()) + HOUR:
            raise Refusal("nudge_early")
        self.nudged_at = self.now
        for found in self.reminders.values():
            if self.now >= found.since + HOUR:
                found.pings, found.nudger, found.last = found.pings + 1, seat, self.now

    # Comparison.

    def take_reminders(self, match: Match, now: int, sure: bool) -> None:
        """Take over the reminders that the bot has made. `hours`: of the players, by seat. `sure`: the time is certain,
        and the match has not rested.
        """
        for stored in match.reminders:
            found = self.reminders.get(stored.seat)
            if found is not None and found.turn == stored.turn:
                found.take_over(stored, self.now, now, sure)

    def check_stored(self, match: Match, votes: Mapping[int, str], log: list[LoggedMove]) -> None:
        super().check_stored(match, votes, log)
        found = {v.choice: (v.starter, set(v.against), v.ended or "") for v in match.proposals}
        assert found == {text: (v.starter, v.against, v.ended) for text, v in self.proposals.items()}
        for vote in match.proposals:
            model, due = self.proposals[vote.choice], self.proposals[vote.choice].due(vote.choice)
            assert abs(vote.since - model.since) <= TOLERANCE, (vote, model)
            assert (vote.due is None) == (due is None), (vote, model)
            assert due is None or abs((vote.due or 0) - due) <= TOLERANCE, (vote, model)
        assert {w.seat: w.turn for w in match.reminders} == {seat: w.turn for seat, w in self.reminders.items()}
        assert match.nudged_at == self.nudged_at

    def check_waits(self, match: Match, now: int) -> None:
        """Check when each reminder is due, and that the bot is not late."""
        for stored in match.reminders:
            self.reminders[stored.seat].check_due(stored, match.running)
            assert stored.due is None or now <= stored.due + LATE, f"not reminded: {stored}"
        for vote in match.proposals:
            assert vote.due is None or now <= vote.due + LATE, f"not closed: {vote}"
