"""Whatever happens at the tables, in whatever order: the bot's parts do what a plain second telling of them says.

A state machine (hypothesis) opens tables, sits down, plays, votes, leaves, lets minutes and days pass, restarts the
bot, sets its clock wrong, deletes its messages, and does many of these things twice or at once. After each step what is
stored is held against `tests/support/ledger.py`, and what is shown against what is stored.

`--examples` says how many runs of up to `--steps` steps; `--seed` chooses others. A failure prints its steps in order,
and the blob with which `@reproduce_failure` has them again.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

import cogs._host
from cogs._clock import today
from cogs._timekeeper import ABSENT
from data.hours import Hours
from data.match import TABLE
from rules import GAMES
from rules.core.game import AnyState, Game, Move, Seat
from tests.support.ledger import No, Sitter, Table
from tests.support.machine import NAMES, Machine, Told
from tests.support.reckoning import DAY, HOUR, MINUTE, TERMS
from tests.support.simulation import fair_luck
from tests.support.small_world import GUILD, RETRY
from tests.support.table import shortest

MOST_TABLES = 3
NO_ONE = 999
"""Somebody whom nobody knows."""
GAMES_PLAYED = ("sea_change", "siege_of_sunfall", "photosynthesis")
TIMES = (1, MINUTE, 3 * MINUTE, 10 * MINUTE, HOUR, 5 * HOUR, DAY, 3 * DAY)
ZONES = ("UTC", "Europe/Berlin", "Asia/Kolkata", "America/New_York")
QUIET = (None, (22 * 60, 7 * 60), (0, 16 * 60), (13 * 60, 14 * 60))
JUMPS = (HOUR, -HOUR, DAY, -DAY, -1_780_000_000)
PLACES = ("table", "hand", "call", "thread", "channel")

tables = st.integers(0, 99)
people = st.sampled_from(list(NAMES))
numbers = st.integers(0, 10_000)


def there_is(fits: Callable[[Table], bool]) -> Callable[[Any], Any]:
    """Of a rule that needs such a table."""
    return precondition(lambda self: any(fits(table) for table in self.tables))


def in_lobby(table: Table) -> bool:
    return table.status == "lobby"


def plays(table: Table) -> bool:
    return table.status == "playing"


def runs_now(table: Table) -> bool:
    return table.running


def is_over(table: Table) -> bool:
    return not table.open


class Tables(Machine):
    """The rules: whatever people, time and Discord may do."""

    # The lobby.

    @initialize(
        game=st.sampled_from(GAMES_PLAYED), host=people, clock=st.sampled_from(list(TERMS)), forced=st.booleans()
    )
    def first(self, game: str, host: int, clock: str, forced: bool) -> None:
        """Most begins with a table at which somebody plays."""
        table = self.opened(game, host)
        for user in NAMES:
            if len(table.sitters) < max(2, GAMES[game].seats[0]) and user != host:
                self.join(0, [user])
        self.chosen(table, host, "clock", clock)
        self.forced(table, host, forced)
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
        """Some at once, perhaps somebody twice."""
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
        """As /leave does it: whoever waits at a match that has begun waits no more."""
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
            st.tuples(st.just("clock"), st.sampled_from(list(TERMS))),
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

    @rule(which=tables, who=people, forced=st.booleans())
    def force(self, which: int, who: int, forced: bool) -> None:
        """Somebody has moves made, at that table, that they have no choice in; or no longer."""
        self.forced(self.table(which), who, forced)

    def forced(self, table: Table, who: int, forced: bool) -> None:
        self.act(table, (self.doors.force(table.number, who, forced), lambda: table.force(who, forced)))

    @there_is(in_lobby)
    @rule(which=tables, who=numbers)
    def start(self, which: int, who: int) -> None:
        """Pressed by anybody, mostly somebody who sits there, and then twice."""
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
        """However many press, there is one lobby after each match that is over."""
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

    # Moves.

    @there_is(runs_now)
    @rule(which=tables, pick=numbers, count=st.sampled_from([1, 3, 10, 25]))
    def play(self, which: int, pick: int, count: int) -> None:
        """Moves by those who are asked, one after the other."""
        table = self.some(which, runs_now)
        for n in range(count):
            user = self.asked(table, pick + n)
            if user is None:
                return
            turn, text = self.decision(table, user, pick * 31 + n)
            self.act(table, self.press(table, user, turn, text))

    def asked(self, table: Table, pick: int) -> int | None:
        """A person who must decide something."""
        users = [table.sitters[seat].user for seat in sorted(table.asked())] if table.running else []
        there = [user for user in users if user is not None]
        return there[pick % len(there)] if there else None

    def decision(self, table: Table, user: int, pick: int) -> tuple[str, str]:
        """A button that this person may have before them."""
        seat = table.seat(user)
        legal = table.state.legal_moves(Seat(seat)) if seat is not None else ()
        return ("" if seat is None else table.token(seat)), str(legal[pick % len(legal)]) if legal else "nothing"

    def press(self, table: Table, user: int, turn: str, text: str) -> tuple[Any, Told]:
        return self.doors.play(table.number, user, turn, text), partial(table.play, user, turn, text)

    @there_is(runs_now)
    @rule(which=tables, pick=numbers, other=numbers)
    def press_twice(self, which: int, pick: int, other: int) -> None:
        """The same button twice at once, and another button of the same hand."""
        table = self.some(which, runs_now)
        user = self.asked(table, pick)
        if user is not None:
            turn, text = self.decision(table, user, pick)
            _, second = self.decision(table, user, other)
            self.act(table, *(self.press(table, user, turn, which) for which in (text, text, second)))

    @rule(which=tables, who=people, pick=numbers, old=st.booleans())
    def press_anything(self, which: int, who: int, pick: int, old: bool) -> None:
        """A button of one's own or of somebody else's hand, of now or of long ago, at a table one may not sit at."""
        table = self.table(which)
        turn, text = "1.1", "nothing"
        if old and table.log:
            move = table.log[pick % len(table.log)]
            turn, text = move.turn, move.text
        elif table.states:
            turn, text = self.decision(table, table.people[pick % len(table.people)] if table.people else who, pick)
        self.act(table, self.press(table, who, turn, text))

    @there_is(runs_now)
    @rule(which=tables, pick=numbers, twice=st.booleans())
    def undo(self, which: int, pick: int, twice: bool) -> None:
        """Mostly by whoever may, after one more move, where the game lets anybody; the same button twice."""
        table = self.some(which, lambda table: runs_now(table) and table.game == "photosynthesis")
        asked = self.asked(table, pick)
        if asked is not None:
            self.act(table, self.press(table, asked, *self.decision(table, asked, pick)))
        may = [u for u in table.people if table.running and table.state.may_take_back(Seat(table.seat(u) or 0))]
        user = (*may * 9, *NAMES)[pick % (9 * len(may) + len(NAMES))]
        seat = table.seat(user)
        turn = table.token(seat) if table.states and seat is not None else "1.1"

        def told() -> None:
            table.undo(user, turn)

        works = [(self.doors.undo(table.number, user, turn), told) for _ in range(1 + twice)]
        if not all(self.act(table, *works)):
            again = self.asked(table, pick)
            if again is not None:  # what was decided before is asked anew, by another button
                self.act(table, self.press(table, again, *self.decision(table, again, pick)))

    @there_is(plays)
    @rule(which=tables, who=numbers)
    def look(self, which: int, who: int) -> None:
        """Somebody looks at their hand, first of all those who are absent."""
        table = self.some(which, lambda table: bool(table.gone()))
        users = (*table.gone() * 3, *NAMES)
        user = users[who % len(users)]
        self.act(table, (self.doors.look(table.number, user), lambda: table.here(user)))

    # Votes, substitutes.

    @there_is(plays)
    @rule(
        which=tables,
        who=st.tuples(numbers, st.integers(1, 4)),
        kind=st.sampled_from(["pause", "resume", "remove", "undo", "replace", "clock", "end", "none"]),
        about=people,
        terms=st.sampled_from([*TERMS, *(f"{name} {policy}" for name in TERMS for policy in ABSENT if name != "none")]),
    )
    def vote(self, which: int, who: tuple[int, int], kind: str, about: int, terms: str) -> None:
        """Some for the same, mostly of those who sit there."""
        table = self.some(which, plays)
        stranger = next((user for user in NAMES if user not in table.people), NO_ONE)
        users = [*table.people, *table.people, stranger] * 3
        first = who[0] % (len(users) // 3)
        facts = {"remove": about, "clock": terms, "undo": max(0, len(table.log) - 1)}
        text = f"{kind} {facts[kind]}" if kind in facts else kind
        for user in users[first : first + who[1]]:
            if kind == "undo" and table.status == "playing":
                self.vote_to_undo(table, user, text)
            else:
                self.act(table, (self.doors.vote(table.number, user, text), partial(table.vote, user, text)))

    @there_is(lambda table: plays(table) and bool(table.gone() or table.former))
    @rule(which=tables, pick=numbers, kind=st.sampled_from(["replace", "remove", "pause", "resume", "end", "none"]))
    def vote_about_the_absent(self, which: int, pick: int, kind: str) -> None:
        """By those who are there, by those whom it is about, and by those who have left."""
        table = self.some(which, lambda table: plays(table) and bool(table.gone() or table.former))
        away, left = table.gone(), list(table.former)
        about = (*away, *left, NO_ONE)[pick % (len(away) + len(left) + 1)]
        users = (*away, *left, *table.people, *table.present())
        for n in range(1 + pick % 4):
            user, text = users[(pick // 4 + n) % len(users)], f"remove {about}" if kind == "remove" else kind
            self.act(table, (self.doors.vote(table.number, user, text), partial(table.vote, user, text)))

    def vote_to_undo(self, table: Table, user: int, text: str) -> None:
        """Whether a move told nobody anything is not told here a second time; but it was the last, and a person's."""
        may = self.world.run(self.world.company.last_open_move(self.world.match(table.number)))
        if may is not None:
            last = table.log[-1]
            assert last.undone_at is None and last.user is not None and text == f"undo {last.number}"

        def told() -> None:
            if may is None and table.paused is None and table.seat(user) is not None:
                raise No("no_undo")
            table.vote(user, text)

        self.act(table, (self.doors.vote(table.number, user, text), told))

    @there_is(plays)
    @rule(which=tables, who=numbers, offered=st.sampled_from([True, True, False]))
    def offer(self, which: int, who: int, offered: bool) -> None:
        table = self.some(which, plays)
        user = (*table.people, *NAMES)[who % (len(table.people) + len(NAMES))]
        self.act(table, (self.doors.offer(table.number, user, offered), lambda: table.offer(user, offered)))

    @there_is(plays)
    @rule(which=tables, who=numbers)
    def give(self, which: int, who: int) -> None:
        table = self.some(which, plays)
        user = (*table.people, *NAMES)[who % (len(table.people) + len(NAMES))]
        self.act(table, (self.doors.give(table.number, user), lambda: table.give(user)))

    @there_is(plays)
    @rule(which=tables, who=st.lists(people, min_size=1, max_size=3, unique=True), seat=st.integers(0, 6))
    def take(self, which: int, who: list[int], seat: int) -> None:
        """Some at once want the seat that is offered, or one that is not."""
        table = self.some(which, lambda table: plays(table) and any(sitter.offered for sitter in table.sitters))
        offered = [at for at, sitter in enumerate(table.sitters) if sitter.offered]
        at = (*offered, seat)[seat % (len(offered) + 1)]
        self.act(
            table,
            *(
                (self.doors.take(table.number, user, NAMES[user], at), partial(table.take, user, NAMES[user], at))
                for user in who
            ),
        )

    @there_is(plays)
    @rule(which=tables, who=people, twice=st.booleans())
    def come_back(self, which: int, who: int, twice: bool) -> None:
        table = self.some(which, lambda table: plays(table) and bool(table.former))
        user = (*table.former, who)[who % (len(table.former) + 1)]
        self.act(
            table,
            *(
                (self.doors.come_back(table.number, user, NAMES[user]), partial(table.come_back, user, NAMES[user]))
                for _ in range(1 + twice)
            ),
        )

    # Time.

    @rule(seconds=st.sampled_from(TIMES))
    def wait(self, seconds: int) -> None:
        self.let_pass(seconds)

    @rule(which=tables, early=st.sampled_from([0, 0, 1]))
    def wait_for_a_deadline(self, which: int, early: int) -> None:
        """Until just before somebody looks at a clock, or until they have."""
        dues = [clock.due for table in self.tables for clock in self.world.match(table.number).clocks if clock.due]
        if dues:
            self.let_pass(max(0, min(min(dues) - early - self.world.now(), 3 * DAY)))

    @rule(which=tables, pick=numbers)
    def ring(self, which: int, pick: int) -> None:
        """A deadline that is none: too early, of another turn, of a seat that has no clock; and twice."""
        table = self.table(which)
        seat = pick % 8
        turn = self.token_of(table, seat) if pick % 3 else "1.1"
        work = (self.doors.ring(table.number, seat, turn), lambda: None)
        self.act(table, work, (self.doors.ring(table.number, seat, turn), lambda: None))

    def token_of(self, table: Table, seat: int) -> str:
        return table.token(seat) if table.states and seat < len(table.sitters) else ""

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

    @rule(seconds=st.sampled_from(JUMPS), then=st.sampled_from([MINUTE, HOUR, 3 * HOUR]), back=st.booleans())
    def jump(self, seconds: int, then: int, back: bool) -> None:
        """The machine's clock is set, and perhaps back again."""
        self.unsure = True
        self.world.jumped += seconds
        self.let_pass(then)
        if back or seconds < -DAY:
            self.unsure = True
            self.world.jumped -= seconds
            self.let_pass(2 * MINUTE)

    @rule(down=st.sampled_from([0, 1, HOUR, 2 * DAY]), crash=st.booleans())
    def restart(self, down: int, crash: bool) -> None:
        """The bot ends and comes again; what happens in between is nobody's time."""
        before = self.world.rows()
        self.world.stop(crash)
        self.world.loop.instant += down
        self.unsure = True
        self.world.start()
        self.calm_at = max(self.calm_at, self.world.loop.instant)
        if not any(table.running for table in self.tables):
            assert {name: self.world.rows()[name] for name in ("move", "vote")} == {
                n: before[n] for n in ("move", "vote")
            }
        self.after()

    @rule(which=tables, who=people)
    def lose_the_connection(self, which: int, who: int) -> None:
        self.world.run(self.world.clock.on_disconnect())
        self.unsure = True
        self.let_pass(HOUR)
        self.world.run(self.world.clock.on_resumed())
        self.after()

    # Discord.

    @rule(which=tables, what=st.sampled_from(PLACES), asked=st.booleans())
    def delete(self, which: int, what: str, asked: bool) -> None:
        """A message, a thread or a channel is deleted; `asked`: somebody wants to see the table then."""
        table, box = self.table(which), self.world.box
        match, posts = self.world.match(table.number), self.world.run(self.world.matches.posts(table.number))
        if what == "channel":
            box.gone.add(match.channel)
        elif what == "thread" and match.place != match.channel:
            box.gone.add(match.place)
        for place, post in posts.items():
            if (
                (what == "table" and place == TABLE)
                or (what == "hand" and place >= 0)
                or (what == "call" and place < TABLE)
            ):
                box.messages.pop((post.channel, post.message or 0), None)
        if asked:
            self.world.run(self.world.publisher.bring_back(table.number))
            self.after()
            self.brought_back(table)

    def brought_back(self, table: Table) -> None:
        """The table stands where somebody can see it, if there is such a place."""
        box, match = self.world.box, self.world.match(table.number)
        if not box.trouble and box.there and match.place not in box.gone and match.ending != "away":
            post = self.world.run(self.world.matches.posts(table.number))[TABLE]
            assert (post.channel, post.message) in box.messages

    @rule(trouble=st.sampled_from(["down", "lost"]))
    def fail(self, trouble: str) -> None:
        """From now on Discord fails, before or after it has done what it was asked."""
        self.world.box.trouble = trouble

    @precondition(lambda self: self.world.box.trouble or not self.world.box.there)
    @rule()
    def works_again(self) -> None:
        self.mend()
        self.let_pass(int(RETRY) + 1)

    @rule(
        told=st.booleans(),
        away=st.sampled_from([0, 0, 0, HOUR, HOUR, DAY, DAY, 31 * DAY]),
        back=st.sampled_from([True, True, False]),
    )
    def kick(self, told: bool, away: int, back: bool) -> None:
        """The bot is removed from the server, and perhaps invited again; it may find that out only later."""
        self.world.box.there = False
        if told:
            self.world.run(self.world.owners.on_guild_remove(cast(Any, SimpleNamespace(id=GUILD))))
            self.after()
            assert all(table.paused is not None for table in self.tables if table.open)
        self.let_pass(away)
        if back:
            self.mend()


def hasty(game: Game, state: AnyState, seat: Seat, seed: str) -> Move:
    """A computer that plays anything at once."""
    return Random(seed).choice(state.legal_moves(seat))


def test_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    option = request.config.getoption
    chosen = option("--seed")
    print(f"machine --seed {chosen} --examples {option('--examples')} --steps {option('--steps')}")
    monkeypatch.setattr(cogs._host, "choose", hasty)
    Tables.folder, Tables.luck = tmp_path, staticmethod(lambda: fair_luck(monkeypatch, chosen))
    run_state_machine_as_test(
        seeded(chosen)(Tables),
        settings=settings(
            max_examples=option("--examples"),
            stateful_step_count=option("--steps"),
            deadline=None,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
