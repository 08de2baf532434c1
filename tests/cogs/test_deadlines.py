"""The clocks of a table without a table: whatever happens in between, each counts what its person could have used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.match.clocks import GRACE, Clocks, absent, away, clock_of, present, time_control_of
from cogs.match.time_controls import DAY, HOUR, PRESETS, bounded, held_up, moves_from, used
from cogs.match.votes import Choice, needed, tally
from data.records.deadlines import Stage
from data.records.hours import Hours
from data.records.match import Match
from data.records.terms import AbsencePolicy
from tests.support.matches import seated

T = TypeVar("T")
NOON = 1_770_033_600
TERMS = PRESETS["day_1"]


class Time:
    """A clock whose time and hours a test sets."""

    def __init__(self, hours: Hours = Hours()) -> None:  # noqa: B008  -- frozen
        self.now = NOON
        self.hours = hours
        self.keeper = Clocks(self._hours, lambda: self.now)

    async def _hours(self, user: int) -> Hours:
        return self.hours

    def left(self, match: Match) -> int:
        clock = clock_of(match, 0)
        return clock.left - used(clock.since, self.now, clock.hours or Hours())


def a_match(people: int = 2, clock: str = "day_1", policy: str = "computer") -> Match:
    at = {"opened_at": NOON, "started_at": NOON, "turn_since": NOON}
    return seated(*range(1, people + 1), clock=clock, absent=AbsencePolicy(policy), **at)


def wait(work: Awaitable[T]) -> T:
    async def run() -> T:
        return await work

    return asyncio.run(run())


def ring(time: Time, match: Match) -> Match:
    """The match after the next deadline of seat 0, at the instant at which it is due."""
    clock = clock_of(match, 0)
    time.now = clock.due
    return wait(time.keeper.on_deadline(match, 0, clock.turn))


def begun(time: Time, match: Match | None = None) -> Match:
    return wait(time.keeper.on_position(match or a_match(), {0: "1.1"}))


def test_a_seat_that_waits_has_no_deadline() -> None:
    match = begun(Time())
    assert [clock.due is None for clock in match.clocks] == [False, True]
    assert begun(Time(), a_match(clock="none")).clocks == ()
    assert begun(Time(), a_match(clock="of a version that is no more")).clocks == ()
    assert time_control_of(a_match(clock="?")).turn == 0


def test_what_is_asked_again_goes_on_and_what_is_new_begins() -> None:
    time = Time()
    match = begun(time)
    time.now += HOUR
    assert wait(time.keeper.on_position(match, {0: "1.1"})) == match
    new = clock_of(wait(time.keeper.on_position(match, {0: "1.2"})), 0)
    assert (new.since, new.left) == (time.now, TERMS.turn + TERMS.reserve)


def test_nudges_extension_then_away() -> None:
    time, seen = Time(), []
    match = begun(time)
    while not away(match):
        match = ring(time, match)
        clock = clock_of(match, 0)
        seen.append((clock.stage, clock.called, time.now - NOON))
    end, longer = TERMS.turn + TERMS.reserve, TERMS.extension
    assert seen == [
        *[(0, 1, end - 6 * HOUR), (0, 2, end - HOUR), (1, 3, end)],
        *[(1, 4, end + longer - 6 * HOUR), (1, 5, end + longer - HOUR), (Stage.RETURNED, 0, end + longer)],
    ]
    back = wait(time.keeper.on_position(time.keeper.mark_back(match, 0), {0: "1.1"}))
    assert time.left(back) == TERMS.turn, "the reserve is used up"


def test_who_comes_back_again_and_again_holds_no_player_up() -> None:
    """At the instant in which their time is up, before a computer has played: once a turn, and then no more."""
    for policy in ("computer", "vote"):
        time = Time()
        match = begun(time, a_match(3, policy=policy))
        for _ in range(9):
            while not absent(match):
                match = ring(time, match)
            match = wait(time.keeper.on_position(time.keeper.mark_back(match, 0), {0: "1.1"}))
        assert time.now <= NOON + 2 * TERMS.turn + TERMS.reserve + 2 * TERMS.extension
        away_still = wait(time.keeper.on_position(ring(time, match), {0: "1.1"}))
        match = wait(time.keeper.on_position(away_still, {0: "1.2"}))
        back = wait(time.keeper.on_position(time.keeper.mark_back(match, 0), {0: "1.2"}))
        assert time.left(back) == TERMS.turn, "another turn is another"


def test_who_is_back_where_no_other_player_is_has_their_turn_again() -> None:
    """No computer plays for them meanwhile, so without time they would be away again at once, and for ever."""
    time = Time()
    match = begun(time, a_match(1))
    for _ in range(3):
        while not away(match):
            match = ring(time, match)
        match = wait(time.keeper.on_position(time.keeper.mark_back(match, 0), {0: "1.1"}))
        assert time.left(match) == TERMS.turn


def test_a_vote_stands_between_the_extension_and_the_computer() -> None:
    time = Time()
    match = begun(time, a_match(3, policy="vote"))
    while not absent(match):
        match = ring(time, match)
    assert not away(match)
    assert [chair.number for chair in present(match)] == [1, 2]
    counts = tally(match, {1: "end", 2: "replace", 3: "replace"})
    assert counts == {Choice("replace"): 2}
    assert needed(match, Choice("replace")) == 2
    while not away(match):
        match = ring(time, match)
    assert time.now == NOON + TERMS.turn + TERMS.reserve + 2 * TERMS.extension
    assert [chair.number for chair in present(replace(match, chairs=match.chairs[:1]))] == [0], (
        "no other player is there"
    )


def test_who_is_alone_has_no_player_to_vote() -> None:
    time = Time()
    match = begun(time, a_match(1, policy="vote"))
    while not away(match):
        match = ring(time, match)
    assert time.now == NOON + TERMS.turn + TERMS.reserve + TERMS.extension


def test_time_given_back_twice_is_given_once() -> None:
    """A crash in the middle of giving back: the next start does it again."""
    time = Time()
    match = begun(time)
    time.now = NOON + HOUR
    down = time.now
    time.now += 3 * DAY
    once = wait(time.keeper.credit(match, down))
    assert time.left(once) == time.left(match) + 3 * DAY
    twice = wait(time.keeper.credit(once, down))
    assert twice in (None, once)
    time.now += 60
    again = wait(time.keeper.credit(once, down))
    assert time.left(again) == time.left(once) + 60


def test_time_that_is_set_back_takes_nothing() -> None:
    """Everything since then was counted in a year to come."""
    time = Time()
    match = begun(time)
    left = time.left(match)
    time.now += 12 * 365 * DAY
    wrong = wait(time.keeper.credit(match, NOON))
    time.now = NOON + HOUR
    right = wait(time.keeper.credit(wrong, NOON + 12 * 365 * DAY))
    assert time.left(right) == left


def test_time_not_yet_given_back_is_not_counted() -> None:
    """The bot is back: somebody decides, or the match pauses, before the time of the outage is given back."""
    time = Time()
    match = begun(time)
    down = time.now = NOON + 30 * HOUR
    time.now += 3 * DAY
    time.keeper.freeze(down)
    decided = clock_of(wait(time.keeper.on_position(match, {0: "1.2"})), 0)
    assert decided.reserve == TERMS.reserve - 6 * HOUR + TERMS.growth
    paused = clock_of(wait(time.keeper.on_position(replace(match, paused_at=time.now), {0: "1.1"})), 0)
    assert paused.left == TERMS.turn + TERMS.reserve - 30 * HOUR
    handed_on = clock_of(wait(time.keeper.transfer(match, 0, keeps=False)), 0)
    assert handed_on.reserve == TERMS.reserve - 6 * HOUR
    given_back = clock_of(wait(time.keeper.credit(match, down)) or match, 0)
    assert given_back.left == paused.left, "once and no more"


def test_time_given_back_of_one_match_gives_back_all_that_is_held() -> None:
    """A match cannot be shown, and its own time is given back, while that of all matches is held for longer already."""
    time = Time()
    match = begun(time)
    down = time.now = NOON + HOUR
    time.keeper.freeze(down)
    time.now += 2 * HOUR
    match = wait(time.keeper.credit(match, time.now - 60)) or match
    time.now += HOUR
    match = wait(time.keeper.credit(match, down)) or match
    assert time.left(match) == TERMS.turn + TERMS.reserve - HOUR


def test_a_seat_that_is_given_up_while_time_is_held_keeps_its_reserve() -> None:
    time = Time()
    match = begun(time)
    time.now = NOON + 30 * HOUR
    time.keeper.freeze(time.now)
    time.now += 3 * DAY
    given_up = clock_of(wait(time.keeper.transfer(match, 0, keeps=False)), 0)
    assert given_up.reserve == TERMS.turn + TERMS.reserve - 30 * HOUR


def test_other_hours_begin_with_the_next_turn() -> None:
    time = Time()
    match = begun(time)
    running = clock_of(match, 0)
    time.now += 10 * HOUR
    time.hours = Hours(days_off=frozenset({0, 1}))  # NOON is a Monday
    assert clock_of(wait(time.keeper.on_position(match, {0: "1.1"})), 0) == running
    assert wait(time.keeper.with_hours(match)) == match, "it has them"
    clock = clock_of(wait(time.keeper.on_position(match, {0: "1.2"})), 0)
    assert clock.left == TERMS.turn + TERMS.reserve
    assert clock.ends == NOON + 36 * HOUR + clock.left


def test_a_turn_of_an_older_version_counts_by_the_hours_at_which_it_is_first_looked_at() -> None:
    time = Time(Hours(days_off=frozenset({0})))
    match = begun(time)
    old = replace(match, clocks=tuple(replace(clock, hours=None) for clock in match.clocks))
    assert wait(time.keeper.with_hours(old)) == match
    assert wait(time.keeper.credit(old, time.now)) == match
    assert wait(time.keeper.transfer(old, 0, keeps=True)) == wait(time.keeper.transfer(match, 0, keeps=True))


HARDLY_THERE = Hours("UTC", (0, 16 * 60), frozenset({1, 2, 3, 4}))


def rests(time: Time, match: Match) -> Match:
    resting = wait(time.keeper.on_position(replace(match, rests_since=time.now), {0: "1.1"}))
    time.now += 10 * DAY
    return replace(resting, rests_since=None)


def is_away(time: Time, match: Match) -> Match:
    match = wait(time.keeper.on_position(time.keeper.mark_away(match, 0), {0: "1.1"}))
    time.now += 10 * DAY
    return time.keeper.mark_back(match, 0)


def takes_the_end_back(time: Time, match: Match) -> Match:
    match = wait(time.keeper.on_position(match, {1: "2.1"}))
    time.now += 10 * DAY
    return time.keeper.resume_turn(match, 0, "1.1")


def lets_a_computer_sit_there(time: Time, match: Match) -> Match:
    match = wait(time.keeper.transfer(match, 0, keeps=True))
    left = replace(match, chairs=(replace(match.chairs[0], user=None), *match.chairs[1:]))
    left = wait(time.keeper.on_position(left, {0: "1.1"}))
    time.now += 10 * DAY
    return replace(left, chairs=match.chairs)


def is_cut_off(time: Time, match: Match) -> Match:
    time.now += 10 * DAY
    return wait(time.keeper.credit(match, time.now - 10 * DAY)) or match


@pytest.mark.parametrize("old", [False, True], ids=["", "older version"])
@pytest.mark.parametrize("way", [rests, is_away, takes_the_end_back, lets_a_computer_sit_there, is_cut_off])
def test_quiet_hours_hold_up_a_turn_by_three_days_of_those_that_count(
    way: Callable[[Time, Match], Match], old: bool
) -> None:
    time = Time(HARDLY_THERE)
    match = begun(time)
    assert clock_of(match, 0).ends == NOON + 5 * DAY, "of two days"
    time.now += DAY
    held = DAY - used(NOON, time.now, HARDLY_THERE)
    match = way(time, match)
    if old:
        match, held = replace(match, clocks=tuple(replace(clock, hours=None) for clock in match.clocks)), 0
    clock = clock_of(wait(time.keeper.on_position(match, {0: "1.1"})), 0)
    if old and way is is_cut_off:  # its deadline is stored and stays
        assert clock.ends == clock_of(match, 0).ends
    else:
        assert clock.ends == time.now + clock.left + 3 * DAY - held


def test_a_turn_that_begins_in_an_outage_is_held_up_no_longer() -> None:
    time = Time(HARDLY_THERE)
    match = begun(time)
    credited = wait(time.keeper.credit(match, time.now - DAY)) or match
    assert clock_of(credited, 0).ends == clock_of(match, 0).ends


def test_each_turn_has_its_own_bound() -> None:
    for terms in ("day_1", "live_15"):
        time = Time(HARDLY_THERE)
        match = begun(time, replace(a_match(clock=terms), moves=0))
        time.now += 4 * DAY
        later = clock_of(wait(time.keeper.on_position(match, {0: "1.2"})), 0)
        assert later.hours == bounded(HARDLY_THERE, time.now, held_up(PRESETS[terms]))


STEPS = st.lists(
    st.tuples(st.sampled_from(("pass", "down", "restart", "ring", "late", "off")), st.integers(1, 20 * HOUR)),
    max_size=25,
)


@settings(deadline=None, max_examples=150)
@given(STEPS, st.booleans())
def test_whatever_happens_no_player_runs_out_early(steps: list[tuple[str, int]], quiet: bool) -> None:
    """Time passes, the bot is down, starts again, deadlines come early and late, and the player sets other
    hours, which do not count in this turn.
    """
    night, none = Hours("Europe/Berlin", (22 * 60, 7 * 60)), Hours()
    time = Time(hours := night if quiet else none)
    match, counted = begun(time), 0
    budget = TERMS.turn + TERMS.reserve
    for step, seconds in steps:
        if step in ("pass", "late"):
            counted += used(time.now, time.now + seconds, hours)
            time.now += seconds
        elif step in ("down", "restart"):
            down = time.now
            time.now += seconds
            if step == "restart":
                time.keeper.grace_until = time.now + GRACE
            match = wait(time.keeper.credit(match, down)) or match
        elif step == "off":
            time.hours = none if time.hours == night else night
        assert time.left(match) == budget - counted
        if step in ("ring", "late"):
            rung = wait(time.keeper.on_deadline(match, 0, "1.1"))
            match = rung or match
            after = clock_of(match, 0)
            if after.stage or after.away:
                assert counted >= budget
                assert time.now >= time.keeper.grace_until
                assert moves_from(time.now, hours) == time.now
                return
        ends = clock_of(match, 0).ends
        assert moves_from(ends, hours) == ends
