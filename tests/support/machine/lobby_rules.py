"""Rules of lobbies and finished matches: people open, join, choose options, cut, start, cancel, play again."""

from __future__ import annotations

from functools import partial

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from data.records.terms import Terms
from rules import GAMES
from tests.support.machine.base_machine import NAMES, Machine
from tests.support.machine.clock_model import CLOCKS
from tests.support.machine.match_model import Occupant, Refusal
from tests.support.machine.strategies import (
    GAMES_PLAYED,
    MOST_TABLES,
    is_lobby,
    is_over,
    needs_table,
    numbers,
    people,
    tables,
)
from tests.support.machine.table_model import TableModel
from tests.support.machine.virtual_world import GUILD
from tests.support.table import shortest_options


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
        """Begin with a table whose match runs, since most rules need one."""
        if not type(self).rejected_simplest:
            type(self).rejected_simplest = True
            reject()
        table = self.opened(game, host)
        for user in NAMES:
            if len(table.occupants) < max(count, GAMES[game].seats[0]) and user != host:
                self.join(0, [user])
        self.chosen(table, host, "clock", clock)
        self.change_table_settings(table, host, forced=forced)
        self.start(0, 0)

    @precondition(lambda self: len(self.tables) < MOST_TABLES and self.world.discord.in_server)
    @rule(game=st.sampled_from(GAMES_PLAYED), host=people)
    def open(self, game: str, host: int) -> None:
        self.opened(game, host)

    def opened(self, game: str, host: int) -> TableModel:
        channel, who = 10 + len(self.tables), NAMES[host]
        match = self.world.run(
            self.bot.open(game, guild=GUILD, channel=channel, user=host, name=who, terms=Terms(locale="en-GB"))
        )
        table = TableModel(match.id, game, host, [Occupant(host, NAMES[host])], self.world.now(), secret=match.secret)
        table.hours_now = self.hours_now
        self.tables.append(table)
        self.settle_and_check()
        for name, value in shortest_options(game, max(2, GAMES[game].seats[0])).items():
            self.chosen(table, host, name, value)
        return table

    @rule(which=tables, who=st.lists(people, min_size=1, max_size=6))
    def join(self, which: int, who: list[int]) -> None:
        """Several people join at once, perhaps one of them twice."""
        table, now = self.table(which), self.world.now()
        self.act(
            table,
            *(
                (self.bot.join(table.number, user, NAMES[user]), partial(table.join, user, NAMES[user], now))
                for user in who
            ),
        )

    @needs_table(is_lobby)
    @rule(
        which=tables,
        who=numbers,
        about=people,
        what=st.sampled_from(["invite", "invite", "expel", "hand on", "close", "open"]),
    )
    def door(self, which: int, who: int, about: int, what: str) -> None:
        """A person, mostly the host, decides who may sit down."""
        table, now = self.some_table(which, is_lobby), self.world.now()
        user = (table.host, table.host, *NAMES)[who % (2 + len(NAMES))]
        number, door = table.number, self.bot.door
        if what == "invite":
            invited = [about, *table.people]
            work = door.invite(number, user, [(who, NAMES[who]) for who in invited])
            self.act(table, (work, partial(table.invite, user, invited)))
        elif what == "expel":
            self.act(table, (door.expel(number, user, about), partial(table.expel_now, user, about, now)))
        elif what == "hand on":
            self.act(table, (door.hand_on(number, user, about), partial(table.hand_on, user, about)))
        else:
            closed = what == "close"
            self.act(table, (door.close(number, user, closed), partial(table.close, user, closed)))

    @rule(which=tables, who=people, accepts=st.booleans())
    def answer(self, which: int, who: int, accepts: bool) -> None:
        """A person, invited or not, presses a button of an invitation."""
        table, number, now = self.table(which), self.table(which).number, self.world.now()
        if accepts:
            work = self.bot.join(number, who, NAMES[who], accepts=True)
            self.act(table, (work, partial(table.join, who, NAMES[who], now, accepts=True)))
        else:
            self.act(table, (self.bot.door.decline(number, who), partial(table.decline, who)))

    @rule(which=tables, who=people)
    def leave(self, which: int, who: int) -> None:
        """Leave as /leave does: a person who waits at a running match stops waiting."""
        table, number = self.table(which), self.table(which).number
        if table.status != "lobby" and who in table.waiting:
            self.act(table, (self.bot.wait_no_more(number, who), lambda: table.waiting.pop(who)))
        else:
            self.act(table, (self.bot.leave(number, who), lambda: table.leave(who, self.world.now())))

    @needs_table(is_lobby)
    @rule(which=tables, who=people, more=st.booleans())
    def computers(self, which: int, who: int, more: bool) -> None:
        table, now = self.some_table(which, is_lobby), self.world.now()
        number = table.number
        if more:
            self.act(table, (self.bot.add_computer(number, who), lambda: table.add_computer(who, now)))
        else:
            self.act(table, (self.bot.remove_computer(number, who), lambda: table.remove_computer(who, now)))

    @needs_table(is_lobby)
    @rule(
        which=tables,
        who=people,
        choice=st.one_of(
            st.tuples(st.just("clock"), st.sampled_from(CLOCKS)),
            st.tuples(st.just("absent"), st.sampled_from(["computer", "vote"])),
            st.tuples(st.just("seats"), st.sampled_from(["any", "2", "3", "4", "9"])),
            st.tuples(st.just("target"), st.sampled_from(["1", "2", "1000"])),
            st.sampled_from([("place", "thread"), ("place", "channel"), ("rated", "on"), ("rated", "off")]),
        ),
    )
    def choose(self, which: int, who: int, choice: tuple[str, str]) -> None:
        self.chosen(self.some_table(which, is_lobby), who, *choice)

    def chosen(self, table: TableModel, who: int, name: str, value: str) -> None:
        in_model = partial(table.choose, who, name, value, self.world.now())
        self.act(table, (self.bot.choose(table.number, who, name, value), in_model))

    @needs_table(is_lobby)
    @rule(which=tables, who=people, twice=st.booleans())
    def cut(self, which: int, who: int, twice: bool) -> None:
        table, now = self.some_table(which, is_lobby), self.world.now()
        lines = ("a", "b") if twice else ("a",)
        self.act(table, *((self.bot.cut(table.number, who, t), partial(table.cut, who, t, now)) for t in lines))

    @needs_table(is_lobby)
    @rule(which=tables, who=numbers)
    def start(self, which: int, who: int) -> None:
        """A person, mostly a seated one, presses Start twice at once."""
        table = self.some_table(which, is_lobby)
        user = (*table.people, *table.people, *NAMES)[who % (2 * len(table.people) + len(NAMES))]

        def in_model() -> None:
            if table.start(user):
                table.started(self.world.match(table.number))

        self.act(table, (self.bot.start(table.number, user), in_model), (self.bot.start(table.number, user), in_model))

    @rule(which=tables, who=people, manager=st.sampled_from([False, False, False, True]))
    def cancel(self, which: int, who: int, manager: bool) -> None:
        table = self.table(which)
        self.act(table, (self.bot.cancel(table.number, who, manager), lambda: table.cancel(who, manager)))

    @precondition(lambda self: self.world.discord.in_server)
    @needs_table(is_over)
    @rule(which=tables, who=st.lists(people, min_size=1, max_size=3))
    def play_again(self, which: int, who: list[int]) -> None:
        """Several people press Play again; each finished match has only one lobby after it. Two press at once if there
        is none: of two who join one at once, either may come first.
        """
        table = self.some_table(which, is_over)
        if len(self.tables) < MOST_TABLES + 2:
            follows = any(t.previous == table.number and t.status != "cancelled" for t in self.tables)
            at_once = 1 if follows else 2
            for users in (who[:at_once], *([user] for user in who[at_once:])):
                presses = [
                    (self.bot.play_again(table.number, user, NAMES[user]), partial(self.again, table, user))
                    for user in users
                ]
                self.act(table, *presses)

    def again(self, table: TableModel, user: int) -> None:
        if table.open or not table.states:
            raise Refusal("not_over" if table.states else "not_started")
        now = self.world.now()
        after = next((t for t in self.tables if t.previous == table.number and t.status != "cancelled"), None)
        if after is None and table.seat(user) is None and (user not in table.former or table.former[user][1]):
            raise Refusal("players_open")
        if after is not None:
            if after.open:
                after.join(user, NAMES[user], now)
            else:
                self.again(after, user)
            return
        match = self.world.match(len(self.tables) + 1)
        self.tables.append(table.again(match.id, user, NAMES[user], match.secret, now))
