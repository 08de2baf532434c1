"""Rules of votes, and of players who leave a running match, take a seat over or come back."""

from __future__ import annotations

from functools import partial

from hypothesis import strategies as st
from hypothesis.stateful import rule

from cogs.match.undo import last_open_move
from data.records.terms import AbsencePolicy
from tests.support.machine.base_machine import NAMES
from tests.support.machine.clock_model import CLOCKS, DAY, HOUR
from tests.support.machine.match_model import Refusal
from tests.support.machine.play_rules import PlayRules
from tests.support.machine.strategies import UNKNOWN_USER, is_playing, is_running, needs_table, numbers, people, tables
from tests.support.machine.table_model import TableModel


class MembershipRules(PlayRules):
    """Rules of votes and substitutes."""

    @needs_table(is_playing)
    @rule(
        which=tables,
        who=st.tuples(numbers, st.integers(1, 4)),
        kind=st.sampled_from(["pause", "resume", "remove", "undo", "replace", "clock", "end", "none"]),
        about=people,
        terms=st.sampled_from(
            [*CLOCKS, *(f"{name} {policy}" for name in CLOCKS for policy in AbsencePolicy if name != "none")]
        ),
    )
    def vote(self, which: int, who: tuple[int, int], kind: str, about: int, terms: str) -> None:
        """Several people, mostly seated ones, vote for the same proposal."""
        table = self.some_table(which, is_playing)
        stranger = next((user for user in NAMES if user not in table.people), UNKNOWN_USER)
        users = [*table.people, *table.people, stranger] * 3
        first = who[0] % (len(users) // 3)
        facts = {"remove": about, "clock": terms, "undo": max(0, len(table.log) - 1)}
        text = f"{kind} {facts[kind]}" if kind in facts else kind
        for user in users[first : first + who[1]]:
            if kind == "undo" and table.status == "playing":
                self.vote_to_undo(table, user, text)
            else:
                self.act(table, (self.bot.vote(table.number, user, text), partial(table.vote, user, text)))

    @needs_table(lambda table: is_playing(table) and bool(table.unresponsive() or table.former))
    @rule(which=tables, pick=numbers, kind=st.sampled_from(["replace", "remove", "pause", "resume", "end", "none"]))
    def vote_about_the_absent(self, which: int, pick: int, kind: str) -> None:
        """Present players, the absent players themselves, and players who have left vote."""
        table = self.some_table(which, lambda table: is_playing(table) and bool(table.unresponsive() or table.former))
        away, left = table.unresponsive(), list(table.former)
        about = (*away, *left, UNKNOWN_USER)[pick % (len(away) + len(left) + 1)]
        users = (*away, *left, *table.people, *table.present())
        for n in range(1 + pick % 4):
            user, text = users[(pick // 4 + n) % len(users)], f"remove {about}" if kind == "remove" else kind
            self.act(table, (self.bot.vote(table.number, user, text), partial(table.vote, user, text)))

    @needs_table(is_playing)
    @rule(which=tables, pick=numbers, seat=st.integers(0, 6), seconds=st.sampled_from([0, 0, DAY]))
    def remove(self, which: int, pick: int, seat: int, seconds: int) -> None:
        """All other players vote for a removal, now and then after a day; then the removed player tries to sit down
        again, there or elsewhere.
        """
        self.pass_time(seconds)
        table = self.some_table(which, is_playing)
        about = (*table.people, UNKNOWN_USER)[pick % (len(table.people) + 1)]
        for user in [user for user in table.people if user != about]:
            if table.status == "playing":
                text = f"remove {about}"
                self.act(table, (self.bot.vote(table.number, user, text), partial(table.vote, user, text)))
        if about in NAMES:
            name = NAMES[about]
            self.act(
                table,
                (self.bot.come_back(table.number, about, name), partial(table.come_back, about, name)),
                (self.bot.take(table.number, about, name, seat), partial(table.take, about, name, seat)),
            )

    def vote_to_undo(self, table: TableModel, user: int, text: str) -> None:
        """The model does not check that a move revealed nothing; it checks that it was the last, and a person's."""
        may = self.world.run(last_open_move(self.world.service, self.world.match(table.number)))
        if may is not None:
            last = table.log[-1]
            assert last.undone_at is None and last.user is not None and text == f"undo {last.number}"

        def in_model() -> None:
            if may is None and table.paused is None and table.seat(user) is not None:
                raise Refusal("no_undo")
            table.vote(user, text)

        self.act(table, (self.bot.vote(table.number, user, text), in_model))

    @needs_table(is_playing)
    @rule(which=tables, who=numbers, count=st.integers(1, 4), other=st.booleans())
    def oppose(self, which: int, who: int, count: int, other: bool) -> None:
        """Several people, mostly seated ones, vote against an open proposal, or against one that is not open."""
        table = self.some_table(which, lambda table: is_playing(table) and bool(table.proposals))
        text = "pause" if other or not table.proposals else sorted(table.proposals)[who % len(table.proposals)]
        users = [*table.people * 3, *NAMES]
        for n in range(count):
            user = users[(who + n) % len(users)]
            self.act(table, (self.bot.oppose(table.number, user, text), partial(table.oppose, user, text)))

    @needs_table(is_playing)
    @rule(which=tables, who=numbers, seconds=st.sampled_from([0, HOUR, DAY]))
    def nudge(self, which: int, who: int, seconds: int) -> None:
        """Several people nudge, mostly seated ones, some of whom are to move."""
        table = self.some_table(which, lambda table: is_playing(table) and bool(table.reminders))
        self.pass_time(seconds)
        users = [*table.people * 3, *NAMES]
        for n in range(3):
            user = users[(who + n) % len(users)]
            self.act(table, (self.bot.nudge(table.number, user), partial(table.nudge, user)))

    @needs_table(is_playing)
    @rule(which=tables, who=numbers, offered=st.sampled_from([True, True, False]))
    def offer(self, which: int, who: int, offered: bool) -> None:
        table = self.some_table(which, is_playing)
        user = (*table.people, *NAMES)[who % (len(table.people) + len(NAMES))]
        self.act(table, (self.bot.offer(table.number, user, offered), lambda: table.offer(user, offered)))

    @needs_table(is_running)
    @rule(which=tables, pick=numbers, count=st.integers(1, 4))
    def vote_to_undo_what_was_just_played(self, which: int, pick: int, count: int) -> None:
        table = self.some_table(which, lambda table: is_running(table) and table.game == "photosynthesis")
        user = self.player_to_move(table, pick)
        if user is not None:
            self.act(table, self.press(table, user, *self.decision(table, user, pick)))
        for voter in table.people[:count]:
            if table.log and table.running:
                self.vote_to_undo(table, voter, f"undo {len(table.log) - 1}")

    @needs_table(is_playing)
    @rule(which=tables, who=numbers, voice=st.sampled_from(["", "end", "pause"]))
    def give(self, which: int, who: int, voice: str) -> None:
        """A player leaves, perhaps after a vote, which then no longer counts."""
        table = self.some_table(which, is_playing)
        user = (*table.people, *NAMES)[who % (len(table.people) + len(NAMES))]
        if voice:
            self.act(table, (self.bot.vote(table.number, user, voice), partial(table.vote, user, voice)))
        self.act(table, (self.bot.give(table.number, user), lambda: table.give(user)))

    @needs_table(is_playing)
    @rule(which=tables, who=st.lists(people, min_size=1, max_size=3, unique=True), seat=st.integers(0, 6))
    def take(self, which: int, who: list[int], seat: int) -> None:
        """Several people at once try to take a seat, mostly an offered one."""
        table = self.some_table(
            which, lambda table: is_playing(table) and any(occupant.offered for occupant in table.occupants)
        )
        offered = [at for at, occupant in enumerate(table.occupants) if occupant.offered]
        at = (*offered, seat)[seat % (len(offered) + 1)]
        self.act(
            table,
            *(
                (self.bot.take(table.number, user, NAMES[user], at), partial(table.take, user, NAMES[user], at))
                for user in who
            ),
        )

    @needs_table(is_playing)
    @rule(which=tables, who=people, twice=st.booleans())
    def come_back(self, which: int, who: int, twice: bool) -> None:
        table = self.some_table(which, lambda table: is_playing(table) and bool(table.former))
        user = (*table.former, who)[who % (len(table.former) + 1)]
        self.act(
            table,
            *(
                (self.bot.come_back(table.number, user, NAMES[user]), partial(table.come_back, user, NAMES[user]))
                for _ in range(1 + twice)
            ),
        )
