"""The base of the state machine of `tests/cogs/test_machine.py`: how it makes a step, and what it checks after each.

A step asks the bot for an action and does the same in the model. Both accept it, or both refuse it for the same reason.
Then the machine checks what the bot did by itself, takes it over into the model, and compares all that is stored and
shown.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from hypothesis.stateful import RuleBasedStateMachine, invariant

from cogs.match.clocks import GRACE
from cogs.match.deadlines import nudge, remind, ring
from cogs.match.host_rights import Door
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Refused
from cogs.match.service import MatchService, Played
from cogs.match.undo import undo_alone
from cogs.preferences import _chair
from data.records.hours import Hours
from data.records.match import Match, Status
from data.records.people import Person
from data.records.post import HandPost, TablePost
from rules.core.game import IllegalMove
from tests.support.machine.clock_model import DAY, HOUR, LIVE, MINUTE, is_stopped
from tests.support.machine.match_model import Refusal
from tests.support.machine.ping_model import PingModel, PingSettings
from tests.support.machine.table_model import TableModel
from tests.support.machine.virtual_world import GUILD, RETRY, World
from tests.support.simulation import ErrorLog

NAMES = {100: "Ann", 200: "Ben", 300: "Cleo", 400: "Dan", 500: "Eve"}
IDLE, PAUSE = 4 * DAY, 30 * DAY
"""Seconds after which a lobby without visitors is closed, and a match ends to which the bot does not come back."""
ModelAction = Callable[[], object]


class BotActions:
    """All actions that the machine asks of the bot, in one place."""

    def __init__(self, service: MatchService, lobby: Lobby, membership: Membership) -> None:
        self.open, self.leave = lobby.open, lobby.leave
        self.add_computer, self.remove_computer = lobby.add_computer, lobby.remove_computer
        self.choose, self.start, self.cancel = lobby.choose_option, lobby.start, lobby.cancel
        self.play = service.play
        self.join, self.wait_no_more, self.play_again = membership.join, membership.wait_no_more, membership.play_again
        self.offer, self.give = membership.offer_seat, membership.give_seat_to_computer
        self.take, self.come_back, self.vote = membership.take_seat, membership.come_back, membership.vote
        self.oppose = membership.oppose
        self.door = Door(lobby)
        self.cut, self.look, self._service = lobby.cut, service.back, service

    async def undo(self, number: int, user: int, turn: str) -> Played:
        """Take the last move back, if that player alone may."""
        return await undo_alone(self._service, number, user, turn)

    async def nudge(self, number: int, user: int) -> Match:
        """Nudge the players whom that table waits for."""
        return await nudge(self._service, number, user)

    async def ring(self, number: int, seat: int, turn: str) -> bool:
        """Act on a clock's deadline that may not be due."""
        return await ring(self._service, number, seat, turn)

    async def remind(self, number: int, seat: int, turn: str) -> bool:
        """Act on a reminder that may not be due."""
        return await remind(self._service, number, seat, turn)

    async def set_up(self, number: int, user: int, **wishes: object) -> Match:
        """Set a person's preferences for that table (cogs/preferences.py): `plays_forced`, `ping`."""
        async with self._service.deciding(number) as match:
            mine = _chair(match, Person(user, NAMES.get(user, "")))
            chairs = [replace(chair, **cast(Any, wishes)) if chair is mine else chair for chair in match.chairs]
            return await self._service.save(replace(match, chairs=tuple(chairs)))


class Machine(RuleBasedStateMachine):
    """A machine without rules. `run_machine` sets `folder` and `fix_seed`."""

    folder: Path
    fix_seed: Callable[[], None]
    runs = 0
    rejected_simplest = True
    """Whether the run of the simplest choices has been rejected."""

    def __init__(self) -> None:
        super().__init__()
        type(self).runs += 1
        type(self).fix_seed()
        self.faults = ErrorLog()
        logging.getLogger().addHandler(self.faults)
        self.world = World(self.folder / f"{type(self).runs}.db", NAMES)
        self.tables: list[TableModel] = []
        self.ping_settings = {user: PingSettings(Hours(), has_dm=bool(user % 200)) for user in NAMES}
        self.ping_model = PingModel(self.ping_settings)
        self.uncertain = True
        """Whether the bot stops all clocks, or has done so since the last check."""
        self.latest_now = self.world.now()
        """The latest time that the bot may have read since the last check: its clock may be set back."""
        self.time_known_since = 0.0
        """The instant of the loop from which the bot's time of day is right again after a jump."""
        self.retries_done_at = 0.0
        """The instant of the loop at which all that failed has been tried again."""
        try:
            self.world.settle()
            self.pass_time(GRACE + MINUTE)
        except BaseException:  # after a failed start no teardown follows
            self.end()
            raise

    def end(self) -> None:
        logging.getLogger().removeHandler(self.faults)
        self.world.end()

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # else a step has failed, and pytest reports that failure
                self.repair()
                self.pass_time(int(RETRY) + MINUTE)
                self.everything_agrees()
        finally:
            self.end()

    def repair(self) -> None:
        """Let Discord work again, and invite the bot back."""
        self.world.discord.failing = ""
        self.retries_done_at = self.world.loop.instant + RETRY
        if not self.world.discord.in_server:
            self.world.discord.in_server = True
            guild: Any = SimpleNamespace(id=GUILD, system_channel=None, text_channels=[])  # no place for a greeting
            self.world.run(self.world.guilds.on_guild_join(guild))
            self.settle_and_check()

    @property
    def bot(self) -> BotActions:
        return BotActions(self.world.service, self.world.lobby, self.world.membership)

    def table(self, which: int) -> TableModel:
        return self.tables[which % len(self.tables)]

    def some_table(self, which: int, fits: Callable[[TableModel], bool]) -> TableModel:
        """Return mostly a table that `fits`, now and then another."""
        found = [table for table in self.tables if fits(table)] * 4 + self.tables
        return found[which % len(found)]

    # Steps.

    def act(self, table: TableModel, *done: tuple[Coroutine[Any, Any, Any], ModelAction]) -> list[str]:
        """Do these actions at once in the bot, and one after the other in the model. Both must accept or refuse alike,
        and a refusal must change nothing. Return the answer to each action: "", or the reason of the refusal.
        """
        before, unresponsive = self.world.rows(), table.unresponsive()
        match, now = self.world.match(table.number), self.world.now()
        table.rests_long = match.rests_since is not None and now - match.rests_since >= 7 * DAY
        table.waits_long = match.running and match.turn_since is not None and now - match.turn_since >= 2 * DAY
        until = match.rests_since or now
        table.waited_long = {
            found.seat: found.turn for found in match.reminders if found.sent and until - found.since >= DAY
        }
        table.now = now

        async def together() -> list[Any]:
            return await asyncio.gather(*(work for work, _ in done), return_exceptions=True)

        said, expected = [], []
        for result in self.world.run(together()):
            if isinstance(result, BaseException) and not isinstance(result, (Refused, IllegalMove)):
                raise result
            said.append(
                result.reason if isinstance(result, Refused) else "illegal" if isinstance(result, IllegalMove) else ""
            )
        for _, in_model in done:
            try:
                in_model()
                expected.append("")
            except Refusal as refusal:
                expected.append(str(refusal))
            table.update_clocks()
        assert said == expected, f"the bot says {said}, the model {expected}"
        if all(said) and table.unresponsive() == unresponsive:
            assert self.world.rows() == before, "a refusal changes nothing"
        self.settle_and_check()
        return said

    def settle_and_check(self) -> None:
        """Report the changes to the publisher, run what follows from them, and compare all with the model."""
        self.world.report_changes([table.number for table in self.tables])
        self.world.settle()
        self.observe()

    def pass_time(self, seconds: int) -> None:
        """Let time pass, in which only sleeping tasks act; at most an hour while Discord fails."""
        seconds = min(seconds, HOUR) if self.world.discord.failing else seconds
        until = self.world.loop.instant + seconds
        more = True
        while more:
            steady, before = self.world.loop.instant, self.world.now()
            self.uncertain = self.uncertain or self.clocks_are_stopped()
            more = self.world.advance(until)
            ran, after = int(self.world.loop.instant) - int(steady), self.world.now()
            self.latest_now = max(before + ran, after)
            self.uncertain = self.uncertain or self.clocks_are_stopped() or abs(after - before - ran) > 2
            for table in self.tables:
                for clock in table.clocks.values() if table.running else ():
                    clock.elapse(before, before + ran if clock.hours == Hours() or self.uncertain else after)
            self.observe()

    def skip_time(self, seconds: int) -> None:
        """Skip weeks in which no clock runs, without the checks in between, to save time."""
        self.world.loop.instant += max(0, seconds)

    def clocks_are_stopped(self) -> bool:
        """Return whether the bot stops all clocks: the time is uncertain, a table cannot be shown, or the bot has just
        started.
        """
        keeper, now = self.world.service.clocks, self.world.now()
        unshown = any(self.world.is_retrying(table.number) for table in self.tables)
        wrong = self.clock_is_wrong()
        return wrong or unshown or keeper.frozen_since is not None or now < keeper.grace_until

    def hours_now(self, user: int) -> Hours:
        """Return the hours that this person keeps."""
        wishes = self.ping_settings.get(user)
        return Hours() if wishes is None else wishes.hours

    def mark_uncertain(self) -> None:
        """While the bot stops the clocks, the model knows a lower bound of what is left; with quiet hours not even
        that.
        """
        for table in self.tables:
            for clock in table.clocks.values():
                if clock.hours == Hours():
                    clock.mark_uncertain()
                else:
                    clock.mark_unknown()

    def observe(self) -> None:
        """Take over what the bot did by itself, after checking that it was due, and compare the rest."""
        self.uncertain = self.uncertain or self.clocks_are_stopped()
        if self.uncertain:
            self.mark_uncertain()
        now = self.world.now()
        for table in self.tables:
            match = self.world.match(table.number)
            if match.version == table.version:
                continue
            self.take_pauses_and_ends(table, match, now)
            table.deserted = len(table.away()) == len(table.people)
            table.now = now
            log = self.world.log(table.number)
            table.take_closings(match, max(now, self.latest_now), len(log) > len(table.log))
            sure = not self.uncertain and match.running
            table.take_reminders(match, max(now, self.latest_now), sure)
            for stored in match.clocks:
                clock = table.clocks.get(stored.seat)
                if clock is not None and (stored.away is not None or stored.turn == clock.turn):
                    clock.check_nudge(stored.called, stored.stage, stored.away is not None)
                    clock.check_escalation(stored.stage, stored.away is not None, table.votes_on_absence())
            table.update_clocks()
            for move in log[len(table.log) :]:
                table.play_automatic(move)
            table.check_stored(match, self.world.votes(table.number), log)
        self.check_pings()
        if self.uncertain:
            self.mark_uncertain()
            self.uncertain = self.clocks_are_stopped()

    def check_pings(self) -> None:
        """Check the pings since the last check."""
        discord, matches = self.world.discord, {table.number: self.world.match(table.number) for table in self.tables}
        sent, discord.notifications = discord.notifications, []
        sure = not self.clock_is_wrong() and self.time_known_since <= self.world.loop.instant
        for table in self.tables:
            self.ping_model.note_change(table, matches[table.number])
        for call in sent:
            self.ping_model.check(call, self.tables, matches, sure)
        if discord.failing:  # the bot sends a message again if its answer was lost
            self.ping_model.allow_again(self.tables)

    def clock_is_wrong(self) -> bool:
        """Return whether the bot uses another time than the system clock."""
        return abs(self.world.system_time() - self.world.trusted_clock.now()) > 1

    def change_table_settings(self, table: TableModel, user: int, **wishes: Any) -> None:
        """Change a person's settings for that table. The names are those of the model."""
        stored = {{"forced": "plays_forced"}.get(name, name): value for name, value in wishes.items()}
        work = self.bot.set_up(table.number, user, **stored)
        self.act(table, (work, lambda: table.set_up(user, **wishes)))

    def take_pauses_and_ends(self, table: TableModel, match: Match, now: int) -> None:
        """Take over a pause or its end, as the bot left the server or came back, and check an end without a move."""
        if table.open and match.paused_at != table.paused:
            if match.paused_at is not None:
                assert not self.world.discord.in_server and table.paused is None
                table.paused = match.paused_at
            else:
                assert self.world.discord.in_server and table.paused is not None
                table.touched += now - table.paused
                table.paused = None
        if table.open and not match.open and match.status in (Status.CANCELLED, Status.STOPPED):
            if table.paused is not None:
                assert now >= table.paused + PAUSE
                table.status = "cancelled" if table.status == "lobby" else "stopped"
            else:
                idle = max(now, self.latest_now) - table.touched
                assert table.status == "lobby" and idle > IDLE, f"closed after {idle} seconds"
                table.status = "cancelled"

    @invariant()
    def everything_agrees(self) -> None:
        """Check all that must hold after each step."""
        self.check_clocks()
        self.check_stored_again()
        self.check_one_rematch()
        self.check_shown()
        self.check_told_once()

    def check_clocks(self) -> None:
        now = self.world.now()
        for table in self.tables:
            match = self.world.match(table.number)
            assert {clock.seat for clock in match.clocks} == set(table.clocks) or not match.open
            if not match.open:  # what is left of the clocks says who was absent
                assert {clock.seat for clock in match.clocks} == table.absent_at_end
                assert all(clock.due is None for clock in match.clocks)
            for seat, clock in table.clocks.items():
                clock.check_stored(match, seat, now)
            if not self.clocks_are_stopped():
                table.check_waits(match, now)

    def check_stored_again(self) -> None:
        """Check that a read without caches equals the bot's memory, and that replaying the log leads to what is
        stored.
        """
        for table in self.tables:
            match, state = self.world.reread(table.number)
            known = self.world.match(table.number)
            known = replace(known, former=tuple(sorted(known.former, key=lambda who: who.user)))  # in no order
            other = [f.name for f in fields(match) if getattr(match, f.name) != getattr(known, f.name)]
            assert not other, [(name, getattr(match, name), getattr(known, name)) for name in other]
            assert (state is None) == (not table.states)
            if state is not None:
                assert state == table.state
                assert self.world.service.state(match).to_json() == match.state
                assert self.world.chain_is_whole(table.number), "each link of the log fits"

    def check_one_rematch(self) -> None:
        for table in self.tables:
            follow = [t for t in self.tables if t.previous == table.number and t.status != "cancelled"]
            assert len(follow) <= 1

    def check_shown(self) -> None:
        """Check that all messages show what is stored. Not while Discord fails; and not for a hand whose player may not
        be pinged now, or whose table has no place.
        """
        assert not self.faults.lines, self.faults.lines
        discord, now = self.world.discord, self.world.now()
        if discord.failing or not discord.in_server or self.world.loop.instant < self.retries_done_at:
            return
        for table in self.tables:
            match, posts = self.world.match(table.number), self.world.run(self.world.matches.posts.of(table.number))
            if match.ending == "away":
                continue
            people = self.world.run(self.people_of(match))
            if match.place not in discord.deleted and not self.clocks_are_stopped():
                self.ping_model.check_all_pinged(table, now)
            for post in posts:
                user = post.user if isinstance(post, HandPost) else None
                waits = user is not None and self.ping_may_wait(table, user, now)
                if not waits and (user is None or match.place not in discord.deleted):
                    assert post.shown == match.version, (post, match.version)
                if post.message is None or (post.channel, post.message) not in discord.messages:
                    continue
                if not isinstance(post, TablePost | HandPost):
                    continue
                if isinstance(post, TablePost) and match.place in discord.deleted:
                    continue
                content = self.world.run(self.expected_content(match, people.get(user) if user else None))
                said = discord.messages[post.channel, post.message]
                assert said == content.parts[0] or (user and is_stopped(self.ping_settings[user].hours, now)), post

    def check_told_once(self) -> None:
        """Check that each end is told in at most one message, and only of a match that has ended."""
        for table in self.tables:
            told = [text for text in self.world.discord.messages.values() if text.startswith(f"end {table.number} ")]
            assert len(told) <= (table.status in ("over", "stopped")), (table.number, told)

    def ping_may_wait(self, table: TableModel, user: int, now: int) -> bool:
        """Return whether a ping of this person may have to wait."""
        wishes = self.ping_settings[user]
        return is_stopped(wishes.hours, now) or (bool(wishes.digest_hours) and table.clock not in LIVE)

    async def people_of(self, match: Match) -> dict[int, Any]:
        return {chair.user: await self.world.people.get(chair.user) for chair in match.people if chair.user is not None}

    async def expected_content(self, match: Match, person: Any) -> Any:
        """Return the content that a post must have."""
        messages = self.world.messages
        if person is not None:
            return await messages.hand(match, person)
        if match.status is Status.CANCELLED and match.started_at is None:
            return messages.closed(match)
        if match.status is Status.LOBBY:
            return await messages.lobby(match, {})
        return await messages.table(match, await self.world.matches.votes(match.id))
