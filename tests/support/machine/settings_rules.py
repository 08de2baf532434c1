"""Rules of people's settings: quiet hours, pings, digests."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import rule

from cogs.match.quiet_hours import today
from cogs.preferences import HOURS
from data.records.hours import Hours
from data.records.people import PingPreference
from tests.support.machine.base_machine import NAMES, Machine
from tests.support.machine.clock_model import DAY
from tests.support.machine.strategies import QUIET, ZONES, numbers, people, tables


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
        self.keep(who, Hours(zone, quiet, days_off, holidays))

    def keep(self, who: int, hours: Hours) -> None:
        wishes = self.ping_settings[who]
        before, wishes.hours = wishes.hours, hours
        if hours != before:
            self.world.run(self.world.time.keep(who, hours))
        self.settle_and_check()

    @rule(who=people, way=st.sampled_from(list(PingPreference)))
    def be_called(self, who: int, way: PingPreference) -> None:
        """A person chooses another kind of ping for all tables for which they have not chosen one."""
        self.ping_settings[who].way = way
        self.setting(who, "ping", way)

    @rule(who=people, hours=st.sampled_from([0, *HOURS]), night=st.booleans())
    def have_digests(self, who: int, hours: int, night: bool) -> None:
        """A person gets one message every `hours` hours instead of a ping for each turn, perhaps with quiet nights."""
        self.ping_settings[who].digest_hours = hours
        self.setting(who, "digest", str(hours))
        if night:
            self.keep(who, replace(self.ping_settings[who].hours, quiet=(8 * 60, 22 * 60)))
            self.pass_time(DAY)

    def setting(self, who: int, name: str, value: str) -> None:
        async def change() -> None:
            person = await self.world.people.get(who)
            assert person is not None
            await self.world.settings.change(person, name, value)

        self.world.run(change())
        self.settle_and_check()

    @rule(which=tables, pick=numbers, way=st.sampled_from([None, *PingPreference]))
    def be_called_here(self, which: int, pick: int, way: PingPreference | None) -> None:
        """A person, mostly a seated one, chooses another kind of ping for that table."""
        table = self.table(which)
        users = (*table.people, *table.people, *NAMES)
        self.change_table_settings(table, users[pick % len(users)], ping=way)

    @rule(which=tables, who=people, forced=st.booleans())
    def force(self, which: int, who: int, forced: bool) -> None:
        """A person lets the bot make their forced moves at that table, or no longer."""
        self.change_table_settings(self.table(which), who, forced=forced)
