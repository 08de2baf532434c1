"""What every step of the machine of `tests/cogs/test_machine.py` is held to, and how a step is made.

Something is asked of the bot and told to the ledger; both accept it, or both refuse it for the same reason. Then
whatever follows by itself is taken up, if it was to follow, and everything stored and shown is compared.
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
from cogs.match.lobby import Lobby
from cogs.match.membership import Membership
from cogs.match.refusals import Refused
from cogs.match.service import MatchService
from cogs.preferences import _chair
from data.records.hours import Hours
from data.records.match import TABLE, Match, Status
from data.records.people import Person
from rules.core.game import IllegalMove
from tests.support.machine.clock_model import DAY, HOUR, MINUTE, runs, stands
from tests.support.machine.match_model import No
from tests.support.machine.ping_model import LIVE, Calls, Wishes
from tests.support.machine.table_model import Table
from tests.support.machine.virtual_world import GUILD, RETRY, World
from tests.support.simulation import Faults

NAMES = {100: "Ann", 200: "Ben", 300: "Cleo", 400: "Dan", 500: "Eve"}
IDLE, PAUSE = 4 * DAY, 30 * DAY
"""Seconds after which a lobby without visitors is closed, and after which a match ends whose server is lost."""
Told = Callable[[], object]


class Doors:
    """Everything that is asked of the bot, in one place: which part of it answers is its own affair."""

    def __init__(self, host: MatchService, lobby: Lobby, company: Membership) -> None:
        self.open, self.leave = lobby.open, lobby.leave
        self.add_computer, self.remove_computer = lobby.add_computer, lobby.remove_computer
        self.choose, self.start, self.cancel = lobby.choose_option, lobby.start, lobby.cancel
        self.play, self.undo, self.ring = host.play, host.undo, host.ring
        self.join, self.wait_no_more, self.play_again = company.join, company.wait_no_more, company.play_again
        self.offer, self.give = company.offer_seat, company.give_seat_to_computer
        self.take, self.come_back, self.vote = company.take_seat, company.come_back, company.vote
        self.cut, self.look, self._host = lobby.cut, host.back, host

    async def set_up(self, number: int, user: int, **wishes: object) -> Match:
        """Set a person's preferences for that table (cogs/preferences.py): `plays_forced`, `ping`."""
        async with self._host.deciding(number) as match:
            mine = _chair(match, Person(user, NAMES.get(user, "")))
            chairs = [replace(chair, **cast(Any, wishes)) if chair is mine else chair for chair in match.chairs]
            return await self._host.save(replace(match, chairs=tuple(chairs)))


class Machine(RuleBasedStateMachine):
    """Without a rule yet. `folder` and `luck` are set by the test that runs it."""

    folder: Path
    luck: Callable[[], None]
    runs = 0
    turned_down = True
    """Whether a first run of the simplest choices has been."""

    def __init__(self) -> None:
        super().__init__()
        type(self).runs += 1
        type(self).luck()
        self.faults = Faults()
        logging.getLogger().addHandler(self.faults)
        self.world = World(self.folder / f"{type(self).runs}.db", NAMES)
        self.tables: list[Table] = []
        self.wishes = {user: Wishes(Hours(), has_dm=bool(user % 200)) for user in NAMES}
        self.calls = Calls(self.wishes)
        self.unsure = True
        """Whether something holds the clocks, or has done so since the last look."""
        self.latest = self.world.now()
        """The latest instant that the bot may have taken it for since the last look: its time may be set back."""
        self.sure_since = 0.0
        """From when on what the bot takes for the time of day is believable again, after a jump."""
        self.calm_at = 0.0
        """From when on nothing that has failed waits for its next try."""
        try:
            self.world.settle()
            self.let_pass(GRACE + MINUTE)
        except BaseException:  # after a failed start no teardown follows
            self.end()
            raise

    def end(self) -> None:
        logging.getLogger().removeHandler(self.faults)
        self.world.end()

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # else a step has failed, and that is what is to be told
                self.mend()
                self.let_pass(int(RETRY) + MINUTE)
                self.as_told()
        finally:
            self.end()

    def mend(self) -> None:
        """Whatever is wrong outside is wrong no more."""
        self.world.box.trouble = ""
        self.calm_at = self.world.loop.instant + RETRY
        if not self.world.box.there:
            self.world.box.there = True
            self.world.run(self.world.guilds.on_guild_join(cast(Any, SimpleNamespace(id=GUILD))))
            self.after()

    @property
    def doors(self) -> Doors:
        return Doors(self.world.host, self.world.lobby, self.world.company)

    def table(self, which: int) -> Table:
        return self.tables[which % len(self.tables)]

    def some(self, which: int, fits: Callable[[Table], bool]) -> Table:
        """Mostly a table of that kind, now and then another."""
        found = [table for table in self.tables if fits(table)] * 4 + self.tables
        return found[which % len(found)]

    # Doing something, and what follows from it.

    def act(self, table: Table, *done: tuple[Coroutine[Any, Any, Any], Told]) -> list[str]:
        """Do these things at once; the ledger is told of them one after the other. Both accept or refuse alike, and a
        refusal changes nothing. Return the answer to each: "" or the reason.
        """
        before, gone = self.world.rows(), table.gone()
        match, now = self.world.match(table.number), self.world.now()
        table.rests_long = match.rests_since is not None and now - match.rests_since >= 7 * DAY
        table.waits_long = match.running and match.turn_since is not None and now - match.turn_since >= 14 * DAY

        async def together() -> list[Any]:
            return await asyncio.gather(*(work for work, _ in done), return_exceptions=True)

        said, expected = [], []
        for result in self.world.run(together()):
            if isinstance(result, BaseException) and not isinstance(result, (Refused, IllegalMove)):
                raise result
            said.append(
                result.reason if isinstance(result, Refused) else "illegal" if isinstance(result, IllegalMove) else ""
            )
        for _, told in done:
            try:
                told()
                expected.append("")
            except No as no:
                expected.append(str(no))
            table.settled()
        assert said == expected, f"the bot says {said}, the ledger {expected}"
        if all(said) and table.gone() == gone:
            assert self.world.rows() == before, "a refusal changes nothing"
        self.after()
        return said

    def after(self) -> None:
        """Show what has changed, do what follows, and hold everything against the ledger."""
        self.world.show([table.number for table in self.tables])
        self.world.settle()
        self.observe()

    def let_pass(self, seconds: int) -> None:
        """Let time pass in which only sleeping tasks act. Discord fails for at most an hour at a time."""
        seconds = min(seconds, HOUR) if self.world.box.trouble else seconds
        until = self.world.loop.instant + seconds
        more = True
        while more:
            steady, before = self.world.loop.instant, self.world.now()
            self.unsure = self.unsure or self.held()
            more = self.world.wake(until)
            ran, after = int(self.world.loop.instant) - int(steady), self.world.now()
            self.latest = max(before + ran, after)
            self.unsure = self.unsure or self.held() or abs(after - before - ran) > 2
            for table in self.tables:
                for seat, clock in table.clocks.items():
                    hours = self.hours_at(table, seat)
                    if table.running:
                        clock.pass_by(ran if hours == Hours() or self.unsure else runs(hours, before, after))
            self.observe()

    def skip(self, seconds: int) -> None:
        """Skip weeks in which no clock runs, without checks in between, since each check takes time."""
        self.world.loop.instant += max(0, seconds)

    def held(self) -> bool:
        """Whether clocks stand because the time is in doubt or a table cannot be shown, or do not count yet after a
        start.
        """
        keeper, now = self.world.host.clocks, self.world.now()
        unshown = any(self.world.is_being_tried(table.number) for table in self.tables)
        wrong = self.clock_is_wrong()
        return wrong or unshown or keeper.frozen_since is not None or now < keeper.grace_until

    def hours_at(self, table: Table, seat: int) -> Hours:
        """Return the hours of the player in that seat."""
        wishes = self.wishes.get(table.sitters[seat].user or 0)
        return Hours() if wishes is None else wishes.hours

    def doubt(self) -> None:
        """While the clocks are held, what is left is only known from below; with hours of one's own not even that."""
        for table in self.tables:
            for seat, clock in table.clocks.items():
                if self.hours_at(table, seat) == Hours():
                    clock.doubt()
                else:
                    clock.forget_hours()

    def observe(self) -> None:
        """Take up what has happened by itself, if it was to happen, and compare the rest."""
        self.unsure = self.unsure or self.held()
        if self.unsure:
            self.doubt()
        now = self.world.now()
        for table in self.tables:
            match = self.world.match(table.number)
            if match.version == table.version:
                continue
            self.came_or_went(table, match, now)
            table.deserted = len(table.away()) == len(table.people)
            for stored in match.clocks:
                clock = table.clocks.get(stored.seat)
                if clock is not None and (stored.away is not None or stored.turn == clock.turn):
                    clock.nudge(stored.called, stored.stage, stored.away is not None)
                    clock.escalate(stored.stage, stored.away is not None, table.may_vote())
            table.settled()
            log = self.world.log(table.number)
            for move in log[len(table.log) :]:
                table.played(move)
            table.agrees(match, self.world.votes(table.number), log)
        self.hear()
        if self.unsure:
            self.doubt()
            self.unsure = self.held()

    def hear(self) -> None:
        """Check the pings since the last look."""
        box, matches = self.world.box, {table.number: self.world.match(table.number) for table in self.tables}
        sent, box.calls = box.calls, []
        sure = not self.clock_is_wrong() and self.sure_since <= self.world.loop.instant
        for table in self.tables:
            self.calls.changed(table, matches[table.number])
        for call in sent:
            self.calls.take(call, self.tables, matches, sure)
        if box.trouble:  # the bot sends a message again if its answer was lost
            self.calls.forget(self.tables)

    def clock_is_wrong(self) -> bool:
        """Whether the bot goes by another time than the machine."""
        return abs(self.world._wall() - self.world.watch.now()) > 1

    def wish(self, table: Table, user: int, **wishes: Any) -> None:
        """A person changes settings for that table; the names are the ledger's."""
        stored = {{"forced": "plays_forced"}.get(name, name): value for name, value in wishes.items()}
        work = self.doors.set_up(table.number, user, **stored)
        self.act(table, (work, lambda: table.set_up(user, **wishes)))

    def came_or_went(self, table: Table, match: Match, now: int) -> None:
        """The bot has left the server or is back; a match ends if its server does not come back."""
        if table.open and match.paused_at != table.paused:
            if match.paused_at is not None:
                assert not self.world.box.there and table.paused is None
                table.paused = match.paused_at
            else:
                assert self.world.box.there and table.paused is not None
                table.touched += now - table.paused
                table.paused = None
        if table.open and not match.open and match.status in (Status.CANCELLED, Status.STOPPED):
            if table.paused is not None:
                assert now >= table.paused + PAUSE
                table.status = "cancelled" if table.status == "lobby" else "stopped"
            else:
                idle = max(now, self.latest) - table.touched
                assert table.status == "lobby" and idle > IDLE, f"closed after {idle} seconds"
                table.status = "cancelled"

    @invariant()
    def as_told(self) -> None:
        """All that holds after each step."""
        self.clocks_as_reckoned()
        self.stored_as_remembered()
        self.one_rematch()
        self.shown_as_stored()

    def clocks_as_reckoned(self) -> None:
        now = self.world.now()
        for table in self.tables:
            match = self.world.match(table.number)
            assert {clock.seat for clock in match.clocks} == set(table.clocks)
            for seat, clock in table.clocks.items():
                clock.agrees(match, seat, now, self.hours_at(table, seat))

    def stored_as_remembered(self) -> None:
        """Who remembers nothing reads the same; replaying the log leads to what is stored."""
        for table in self.tables:
            match, state = self.world.anew(table.number)
            known = self.world.match(table.number)
            known = replace(known, former=tuple(sorted(known.former, key=lambda who: who.user)))  # in no order
            other = [f.name for f in fields(match) if getattr(match, f.name) != getattr(known, f.name)]
            assert not other, [(name, getattr(match, name), getattr(known, name)) for name in other]
            assert (state is None) == (not table.states)
            if state is not None:
                assert state == table.state
                assert self.world.host.state(match).to_json() == match.state
                assert self.world.whole(table.number), "each link of the log fits"

    def one_rematch(self) -> None:
        for table in self.tables:
            follow = [t for t in self.tables if t.previous == table.number and t.status != "cancelled"]
            assert len(follow) <= 1

    def shown_as_stored(self) -> None:
        """What is stored is shown, unless Discord fails, or the bot must still ping a player: they may not be pinged
        now, or there is no place to do it.
        """
        assert not self.faults.lines, self.faults.lines
        box, now = self.world.box, self.world.now()
        if box.trouble or not box.there or self.world.loop.instant < self.calm_at:
            return
        for table in self.tables:
            match, posts = self.world.match(table.number), self.world.run(self.world.matches.posts(table.number))
            if match.ending == "away":
                continue
            people = self.world.run(self.people_of(match))
            if match.place not in box.gone and not self.held():
                self.calls.nobody_is_forgotten(table, now)
            for place, post in posts.items():
                held = post.user is not None and (self.waits(table, post.user, now) or match.place in box.gone)
                if not held:
                    assert post.shown == match.version, (post, match.version)
                if post.message is None or (post.channel, post.message) not in box.messages or place < TABLE:
                    continue
                if place == TABLE and match.place in box.gone:
                    continue
                content = self.world.run(self.wanted(match, people.get(post.user) if post.user else None))
                said = box.messages[post.channel, post.message]
                assert said == content.parts[0] or (post.user and stands(self.wishes[post.user].hours, now)), post

    def waits(self, table: Table, user: int, now: int) -> bool:
        """Whether a call of this person may have to wait."""
        wishes = self.wishes[user]
        return stands(wishes.hours, now) or (bool(wishes.every) and table.clock not in LIVE)

    async def people_of(self, match: Match) -> dict[int, Any]:
        return {chair.user: await self.world.people.get(chair.user) for chair in match.people if chair.user is not None}

    async def wanted(self, match: Match, person: Any) -> Any:
        """What a post must say."""
        desk = self.world.desk
        if person is not None:
            return await desk.hand(match, person)
        if match.status is Status.CANCELLED and match.started_at is None:
            return desk.closed(match)
        if match.status is Status.LOBBY:
            return await desk.lobby(match, {})
        return await desk.table(match, await self.world.matches.votes(match.id))
