"""What people set for themselves: the hours that they keep, how they are called, digests."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import rule

from cogs._clock import today
from data.hours import Hours
from tests.support.machine.choices import QUIET, ZONES, people
from tests.support.machine.steps import Machine


class SettingsRules(Machine):
    """Rules of settings."""

    @rule(
        who=people,
        zone=st.sampled_from(ZONES),
        quiet=st.sampled_from(QUIET),
        days_off=st.frozensets(st.integers(0, 6), max_size=2),
        holiday=st.sampled_from([0, 0, 1, 3]),
    )
    def keep_hours(
        self, who: int, zone: str, quiet: tuple[int, int] | None, days_off: frozenset[int], holiday: int
    ) -> None:
        first = today(Hours(zone), self.world.now())
        holidays = ((first, first + timedelta(days=holiday - 1)),) if holiday else ()
        before, self.hours[who] = self.hours[who], Hours(zone, quiet, days_off, holidays)
        self.world.run(self.world.clock._keep(who, before, self.hours[who]))
        self.after()
