"""What people do in a lobby, and after a match: open, sit down, choose, cut, start, call off, play again."""

from __future__ import annotations

from functools import partial

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from rules import GAMES
from tests.support.machine.base_machine import NAMES, Machine
from tests.support.machine.clock_model import CLOCKS
from tests.support.machine.match_model import No, Sitter
from tests.support.machine.strategies import (
    GAMES_PLAYED,
    MOST_TABLES,
    in_lobby,
    is_over,
    numbers,
    people,
    tables,
    there_is,
)
from tests.support.machine.table_model import Table
from tests.support.machine.virtual_world import GUILD
from tests.support.table import shortest


class LobbyRules(Machine):
    """Rules of the lobby."""

    @initialize(
        game=st.sampled_from(GAMES_PLAYED),
        host=people,
        clock=st.sampled_from(CLOCKS),
        forced=st.booleans(),
        count=st.sampled_from([2, 3, 3, 4]),
    )
    def first(self, game: str, host: int, clock: str, forced: bool, count: int) -> None:
        """Begin with a table at which people play, since most rules need one."""
        if not type(self).turned_down:
            type(self).turned_down = True
            reject()
        table = self.opened(game, host)
        for user in NAMES:
            if len(table.sitters) < max(count, GAMES[game].seats[0]) and user != host:
                self.join(0, [user])
        self.chosen(table, host, "clock", clock)
        self.wish(table, host, forced=forced)
        self.start(0, 0)

    @precondition(lambda self: len(self.tables) < MOST_TABLES and self.world.box.there)
    @rule(game=st.sampled_from(GAMES_PLAYED), host=people)
    def open(self, game: str, host: int) -> None:
        self.opened(game, host)

    def opened(self, game: str, host: int) -> Table:
        where = {"guild": GUILD, "channel": 10 + len(self.tables)}
        match = self.world.run(self.doors.open(game, user=host, name=NAMES[host], locale="en-GB", **where))
        table = Table(match.id, game, host, [Sitter(host, NAMES[host])], self.world.now(), secret=match.secret)
        self.tables.append(table)
        self.after()
        for name, value in shortest(game, max(2, GAMES[game].seats[0])).items():
            self.chosen(table, host, name, value)
        return table

    @rule(which=tables, who=st.lists(people, min_size=1, max_size=6))
    def join(self, which: int, who: list[int]) -> None:
        """Several people join at once, perhaps one of them twice."""
        table, now = self.table(which), self.world.now()
        self.act(
            table,
            *(
                (self.doors.join(table.number, user, NAMES[user]), partial(table.join, user, NAMES[user], now))
                for user in who
            ),
        )

    @rule(which=tables, who=people)
    def leave(self, which: int, who: int) -> None:
        """Leave as /leave does: a person who waits at a running match stops waiting."""
        table, number = self.table(which), self.table(which).number
        if table.status != "lobby" and who in table.waiting:
            self.act(table, (self.doors.wait_no_more(number, who), lambda: table.waiting.pop(who)))
        else:
            self.act(table, (self.doors.leave(number, who), lambda: table.leave(who, self.world.now())))

    @there_is(in_lobby)
    @rule(which=tables, who=people, more=st.booleans())
    def computers(self, which: int, who: int, more: bool) -> None:
        table, now = self.some(which, in_lobby), self.world.now()
        number = table.number
        if more:
            self.act(table, (self.doors.add_computer(number, who), lambda: table.add_computer(who, now)))
        else:
            self.act(table, (self.doors.remove_computer(number, who), lambda: table.remove_computer(who, now)))

    @there_is(in_lobby)
    @rule(
        which=tables,
        who=people,
        choice=st.one_of(
            st.tuples(st.just("clock"), st.sampled_from(CLOCKS)),
            st.tuples(st.just("absent"), st.sampled_from(["computer", "vote"])),
            st.tuples(st.just("seats"), st.sampled_from(["any", "2", "3", "4", "9"])),
            st.tuples(st.just("target"), st.sampled_from(["1", "2", "1000"])),
            st.tuples(st.just("place"), st.sampled_from(["thread", "channel"])),
        ),
    )
    def choose(self, which: int, who: int, choice: tuple[str, str]) -> None:
        self.chosen(self.some(which, in_lobby), who, *choice)

    def chosen(self, table: Table, who: int, name: str, value: str) -> None:
        told = partial(table.choose, who, name, value, self.world.now())
        self.act(table, (self.doors.choose(table.number, who, name, value), told))

    @there_is(in_lobby)
    @rule(which=tables, who=people, twice=st.booleans())
    def cut(self, which: int, who: int, twice: bool) -> None:
        table, now = self.some(which, in_lobby), self.world.now()
        lines = ("a", "b") if twice else ("a",)
        self.act(table, *((self.doors.cut(table.number, who, t), partial(table.cut, who, t, now)) for t in lines))

    @there_is(in_lobby)
    @rule(which=tables, who=numbers)
    def start(self, which: int, who: int) -> None:
        """Any person presses Start, mostly a seated one, and then twice."""
        table = self.some(which, in_lobby)
        user = (*table.people, *table.people, *NAMES)[who % (2 * len(table.people) + len(NAMES))]

        def told() -> None:
            table.start(user)
            table.begun(self.world.match(table.number))

        self.act(table, (self.doors.start(table.number, user), told), (self.doors.start(table.number, user), told))

    @rule(which=tables, who=people, manager=st.sampled_from([False, False, False, True]))
    def cancel(self, which: int, who: int, manager: bool) -> None:
        table = self.table(which)
        self.act(table, (self.doors.cancel(table.number, who, manager), lambda: table.cancel(who, manager)))

    @precondition(lambda self: self.world.box.there)
    @there_is(is_over)
    @rule(which=tables, who=st.lists(people, min_size=1, max_size=3))
    def play_again(self, which: int, who: list[int]) -> None:
        """Several people press Play again; each finished match has only one lobby after it."""
        table = self.some(which, is_over)
        if len(self.tables) < MOST_TABLES + 2:
            work = [(self.doors.play_again(table.number, u, NAMES[u]), partial(self.again, table, u)) for u in who]
            self.act(table, *work)

    def again(self, table: Table, user: int) -> None:
        if table.open or not table.states:
            raise No("not_over" if table.states else "not_started")
        now = self.world.now()
        after = next((t for t in self.tables if t.previous == table.number and t.status != "cancelled"), None)
        if after is not None:
            if after.open:
                after.join(user, NAMES[user], now)
            else:
                self.again(after, user)
            return
        match = self.world.match(len(self.tables) + 1)
        self.tables.append(table.again(match.id, user, NAMES[user], match.secret, now))
