"""Rules of time: it passes, reaches a deadline, the system clock jumps, the bot is down or cut off from Discord."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.support.machine.base_machine import Machine
from tests.support.machine.clock_model import DAY, HOUR, MINUTE
from tests.support.machine.strategies import JUMPS, TIMES, needs_table, numbers, people, tables
from tests.support.machine.table_model import TableModel


class TimeRules(Machine):
    """Rules of time."""

    @rule(seconds=st.sampled_from(TIMES))
    def wait(self, seconds: int) -> None:
        self.pass_time(seconds)

    @rule(early=st.sampled_from([0, 0, 1]))
    def wait_for_a_deadline(self, early: int) -> None:
        """Wait until just before a task checks a clock, or until it has checked it."""
        self.until_a_deadline(early)

    def until_a_deadline(self, early: int = 0) -> None:
        matches = [self.world.match(table.number) for table in self.tables]
        found = [clock.due for match in matches for clock in match.clocks]
        found += [reminder.due for match in matches for reminder in match.reminders]
        found += [vote.due for match in matches for vote in match.proposals]
        dues = [due for due in found if due]
        if dues:
            self.pass_time(max(0, min(min(dues) - early - self.world.now(), 3 * DAY)))

    @needs_table(lambda table: table.running and bool(table.clocks))
    @rule(times=st.integers(2, 12))
    def no_player_comes(self, times: int) -> None:
        """Wait until several deadlines have passed: players are nudged, extended, absent, at last all of them."""
        for _ in range(times):
            self.until_a_deadline()

    @rule(which=tables, pick=numbers)
    def ring(self, which: int, pick: int) -> None:
        """Ring an invalid deadline: too early, of another turn, of a seat without a clock; and twice."""
        table = self.table(which)
        seat = pick % 8
        turn = self.token_of(table, seat) if pick % 3 else "1.1"
        for ring in (self.bot.ring, self.bot.remind):
            work = (ring(table.number, seat, turn), lambda: None)
            self.act(table, work, (ring(table.number, seat, turn), lambda: None))

    def token_of(self, table: TableModel, seat: int) -> str:
        return table.token(seat) if table.states and seat < len(table.occupants) else ""

    @rule(seconds=st.sampled_from(JUMPS), then=st.sampled_from([MINUTE, HOUR, 3 * HOUR]), back=st.booleans())
    def jump(self, seconds: int, then: int, back: bool) -> None:
        """The system clock is set to another time, and perhaps back again."""
        self.uncertain = True
        self.world.clock_offset += seconds
        self.pass_time(then)
        if back or seconds < -DAY:
            self.uncertain = True
            self.world.clock_offset -= seconds
            self.pass_time(2 * MINUTE)
        self.time_known_since = self.world.loop.instant + 1

    @rule(down=st.sampled_from([0, 1, HOUR, 2 * DAY]), crash=st.booleans())
    def restart(self, down: int, crash: bool) -> None:
        """The bot ends and starts again; the time in between counts against no player."""
        before = self.world.rows()
        self.world.stop(crash)
        self.world.loop.instant += down
        self.uncertain = True
        self.world.start()
        self.retries_done_at = max(self.retries_done_at, self.world.loop.instant)
        if not any(table.running for table in self.tables):
            assert {name: self.world.rows()[name] for name in ("move", "vote")} == {
                n: before[n] for n in ("move", "vote")
            }
        self.settle_and_check()

    @rule(which=tables, who=people)
    def lose_the_connection(self, which: int, who: int) -> None:
        self.world.connect(False)
        self.uncertain = True
        self.pass_time(HOUR)
        self.world.connect(True)
        self.settle_and_check()
