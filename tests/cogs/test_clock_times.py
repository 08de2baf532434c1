"""How time is counted, by example and by chance: days of 23 and 25 hours, quiet hours over midnight, holidays."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.match.clocks import Clocks
from cogs.match.quiet_hours import (
    MOST_QUIET,
    BadHours,
    holidays_left,
    with_holiday,
    without_holiday,
)
from cogs.match.time_controls import (
    DAY,
    HOUR,
    PRESETS,
    ClockKind,
    TimeControl,
    bounded,
    held_up,
    moves_from,
    next_nudge,
    put_off,
    reserve_after,
    runs_out,
    still,
    used,
)
from data.records.hours import Hours
from tests.support.matches import seated

BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"
NIGHT = (22 * 60, 7 * 60)
ODD = ("Australia/Lord_Howe", "Africa/Cairo", "America/Santiago", "Asia/Beirut", "Pacific/Apia", "Asia/Kathmandu")
"""Zones whose hands jump at midnight, by half an hour or over a whole day, or that are off by odd minutes."""


def at(text: str, zone: str = BERLIN, fold: int = 0) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold).timestamp())


def local(instant: int, zone: str = BERLIN) -> str:
    return datetime.fromtimestamp(instant, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


# By example.


def test_without_hours_time_is_time() -> None:
    assert runs_out(100, 1000, Hours()) == 1100
    assert used(1000, 1100, Hours()) == 100
    assert used(1100, 1000, Hours()) == 0
    assert moves_from(1000, Hours()) == 1000


def test_the_clock_stands_still_over_midnight() -> None:
    hours = Hours(BERLIN, NIGHT)
    assert local(runs_out(4 * HOUR, at("2026-06-01 20:00"), hours)) == "2026-06-02 09:00"
    assert used(at("2026-06-01 20:00"), at("2026-06-02 09:00"), hours) == 4 * HOUR
    assert local(runs_out(0, at("2026-06-01 23:00"), hours)) == "2026-06-02 07:00"
    assert local(moves_from(at("2026-06-02 06:59"), hours)) == "2026-06-02 07:00"
    assert local(moves_from(at("2026-06-02 07:00"), hours)) == "2026-06-02 07:00"


def test_what_ends_as_the_quiet_hours_begin_ends_after_them() -> None:
    hours = Hours(BERLIN, NIGHT)
    assert local(runs_out(2 * HOUR, at("2026-06-01 20:00"), hours)) == "2026-06-02 07:00"
    assert local(runs_out(2 * HOUR - 60, at("2026-06-01 20:00"), hours)) == "2026-06-01 21:59"


@pytest.mark.parametrize(("day", "length"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
def test_a_day_off_has_as_many_hours_as_the_zone_gives_it(day: str, length: int) -> None:
    weekday = date.fromisoformat(day).weekday()
    start, end = next(still(Hours(BERLIN, days_off=frozenset({weekday})), at(f"{day} 12:00")))
    assert end - start == length * HOUR


@pytest.mark.parametrize(("evening", "night"), [("2026-03-28", 8), ("2026-10-24", 10), ("2026-06-01", 9)])
def test_quiet_nights_in_which_the_hands_jump(evening: str, night: int) -> None:
    start, end = next(still(Hours(BERLIN, NIGHT), at(f"{evening} 21:00")))
    assert end - start == night * HOUR


def test_quiet_hours_that_the_day_leaves_out_or_has_twice() -> None:
    """29 March has no 02:30 in Berlin, 25 October has it twice."""
    hours = Hours(BERLIN, (2 * 60 + 15, 2 * 60 + 45))
    spring = [span for span in still(hours, at("2026-03-29 00:00")) if span[0] < at("2026-03-29 12:00")][:1]
    assert not spring or spring[0][0] > at("2026-03-29 12:00")
    start, end = next(still(hours, at("2026-10-25 00:00")))
    assert (start, end) == (at("2026-10-25 02:15"), at("2026-10-25 02:45", fold=1))
    over = Hours(BERLIN, (22 * 60, 2 * 60 + 30))
    assert local(moves_from(at("2026-03-29 01:00"), over)) == "2026-03-29 03:00"


def test_days_off_and_quiet_hours_are_one_stillness() -> None:
    """Friday night, Saturday off, Saturday night."""
    hours = Hours(BERLIN, NIGHT, frozenset({5}))
    assert local(moves_from(at("2026-06-05 23:00"), hours)) == "2026-06-07 07:00"


def test_holidays_stop_the_clock_on_every_day_of_them() -> None:
    hours = Hours(NEW_YORK, holidays=((date(2026, 7, 1), date(2026, 7, 14)),))
    ends = runs_out(24 * HOUR, at("2026-06-30 12:00", NEW_YORK), hours)
    assert local(ends, NEW_YORK) == "2026-07-15 12:00"


def test_the_next_nudge_is_the_first_of_those_to_come() -> None:
    terms = PRESETS["day_1"]
    assert next_nudge(24 * HOUR, terms) == 6 * HOUR
    assert next_nudge(6 * HOUR, terms) == HOUR
    assert next_nudge(HOUR, terms) == 0


def test_a_reserve_grows_back_and_not_beyond_what_was_agreed() -> None:
    terms = PRESETS["day_1"]
    full = terms.reserve
    assert reserve_after(terms.turn + full - HOUR, full, terms) == full  # within the turn's own time
    assert reserve_after(10 * HOUR, full, terms) == 10 * HOUR + terms.growth
    assert reserve_after(-5, full, terms) == terms.growth
    assert reserve_after(12 * HOUR, 0, terms) == terms.growth  # an extension is no reserve


def test_every_preset_makes_sense() -> None:
    for name, terms in PRESETS.items():
        assert (terms.kind is ClockKind.NONE) == (name == "none")
        if name != "none":
            assert 0 < terms.growth < terms.reserve <= terms.turn
            assert 0 < terms.extension <= terms.turn
            assert all(0 < nudge < terms.turn for nudge in terms.nudges)


# What a player may ask for.


def test_holidays_have_a_yearly_allowance() -> None:
    now = date(2026, 12, 20)
    taken = Hours(holidays=((date(2026, 7, 1), date(2026, 7, 20)),))
    assert holidays_left(taken, now) == 10
    turn = with_holiday(taken, date(2026, 12, 24), date(2026, 12, 31), now)
    assert holidays_left(turn, date(2027, 1, 1)) == 2, "a new year brings no new holidays"
    assert [holidays_left(turn, date(2027, 6, day)) for day in (28, 29, 30)] == [2, 2, 22], "those of July are over"
    with pytest.raises(BadHours) as caught:
        with_holiday(taken, date(2026, 12, 21), date(2026, 12, 31), now)
    assert (caught.value.reason, caught.value.facts["left"]) == ("holiday_too_long", 10)
    assert caught.value.facts["first"] == date(2026, 12, 21)
    # What is to come gives way to what is asked for; what is over stays, and so does the day that has begun.
    again = with_holiday(turn, date(2026, 12, 30), date(2026, 12, 31), date(2026, 12, 26))
    assert again.holidays == (
        *taken.holidays,
        (date(2026, 12, 24), date(2026, 12, 26)),
        (date(2026, 12, 30), date(2026, 12, 31)),
    )
    longer = with_holiday(turn, date(2026, 12, 26), date(2026, 12, 28), date(2026, 12, 26))
    assert longer.holidays == (*taken.holidays, (date(2026, 12, 24), date(2026, 12, 28)))
    assert without_holiday(turn, now).holidays == taken.holidays


def test_a_holiday_put_off_from_day_to_day_uses_the_allowance_up() -> None:
    for moved in ("planned again", "ended and planned again"):
        hours, day, taken = Hours(), date(2026, 3, 1), 0
        while taken < 40:
            try:
                before = without_holiday(hours, day) if moved.startswith("ended") else hours
                hours = with_holiday(before, day + timedelta(days=1), day + timedelta(days=1), day)
            except BadHours:
                break
            day, taken = day + timedelta(days=1), taken + 1
        assert (taken, holidays_left(hours, day)) == (30, 0), moved


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 60), st.integers(0, 35), st.booleans()), max_size=12))
def test_no_366_days_have_more_than_30_of_holidays(plans: list[tuple[int, int, int, bool]]) -> None:
    """Planned, changed and ended on any days; and a plan that is refused would have been too long."""
    hours, today = Hours(), date(2026, 3, 1)
    for later, ahead, length, ends in plans:
        today += timedelta(days=later)
        first = today + timedelta(days=ahead)
        hours = without_holiday(hours, today) if ends else hours
        try:
            hours = with_holiday(hours, first, first + timedelta(days=length), today)
        except BadHours as error:
            assert error.reason == "holiday_too_long" and error.facts["left"] <= length
    days = [first + timedelta(days=at) for first, last in hours.holidays for at in range((last - first).days + 1)]
    assert len(set(days)) == len(days)
    assert all(sum(0 <= (day - start).days < 366 for day in days) <= 30 for start in days)


def test_holidays_are_planned_for_a_year_at_most() -> None:
    with pytest.raises(BadHours) as caught:
        with_holiday(Hours(), date(2027, 6, 30), date(2027, 7, 1), date(2026, 6, 1))
    assert caught.value.reason == "holiday_far"


def test_zones_are_there_where_the_system_has_none() -> None:
    """A slim container has no zone files; the package brings them."""
    code = "from cogs.match.quiet_hours import zones\nfrom cogs.match.time_controls import runs_out\n"
    code += "from data.records.hours import Hours\n"
    code += "print(len(zones()), runs_out(60, 0, Hours('Europe/Berlin', (60, 120))))"
    pytest.importorskip("tzdata")
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONTZPATH": ""}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > 300


# By chance.

SPAN = st.integers(0, 20 * 24 * HOUR)
INSTANTS = st.integers(at("2024-01-01 00:00"), at("2028-01-01 00:00"))


@st.composite
def some_hours(draw: st.DrawFn) -> Hours:
    zone = draw(st.sampled_from(("UTC", BERLIN, NEW_YORK, *ODD)))
    start, length = draw(st.integers(0, 1439)), draw(st.integers(1, MOST_QUIET))
    quiet = (start, (start + length) % 1440) if draw(st.booleans()) else None
    off = draw(st.frozensets(st.integers(0, 6), max_size=4))
    first = date(2024, 1, 1) + timedelta(days=draw(st.integers(0, 1400)))
    last = first + timedelta(days=draw(st.integers(0, 29)))
    return Hours(zone, quiet, off, ((first, last),) if draw(st.booleans()) else ())


@settings(deadline=None, max_examples=150)
@given(some_hours(), INSTANTS, SPAN)
def test_what_is_left_has_been_used_when_it_runs_out(hours: Hours, since: int, left: int) -> None:
    ends = runs_out(left, since, hours)
    assert ends >= since + left
    assert used(since, ends, hours) == left
    assert moves_from(ends, hours) == ends, "it ended while it stood still"


@settings(deadline=None, max_examples=150)
@given(some_hours(), INSTANTS, SPAN, SPAN)
def test_used_and_left_are_constant(hours: Hours, since: int, left: int, later: int) -> None:
    """To look in between changes nothing: a restart, a nudge, a new reckoning."""
    between = since + later
    ends = runs_out(left, since, hours)
    ran = used(since, between, hours)
    assert 0 <= ran <= later
    if between <= ends:
        assert runs_out(left - ran, between, hours) == ends or ran == left
    assert used(since, ends, hours) == used(since, between, hours) + used(between, ends, hours) or between > ends


TERMS = st.sampled_from([terms for terms in PRESETS.values() if terms.kind is ClockKind.DAYS])


@settings(deadline=None, max_examples=150)
@given(some_hours(), INSTANTS, st.integers(0, 14 * DAY), SPAN, TERMS)
def test_quiet_hours_and_days_off_hold_up_one_turn_for_so_long(
    hours: Hours, since: int, later: int, left: int, terms: TimeControl
) -> None:
    """Three days, or as long as the time limit; beyond that, the holidays alone. Less changes nothing."""
    most, away = held_up(terms), Hours(hours.zone, holidays=hours.holidays)
    turn = bounded(hours, since, most)
    ends, free, always = runs_out(left, since, turn), runs_out(left, since, hours), runs_out(left, since, away)
    stopped = used(since, ends, away) - left
    assert 0 <= stopped <= most and always <= ends <= free
    assert ends == free if used(since, free, away) - left <= most else stopped == most
    assert ends <= runs_out(left, since + later, bounded(hours, since + later, most)), "who is asked later has longer"
    assert used(since, ends, turn) == left and Hours.parse(str(turn)) == turn


@settings(deadline=None, max_examples=150)
@given(some_hours(), INSTANTS, SPAN, SPAN, SPAN)
def test_time_that_does_not_count_takes_nothing_from_the_bound(
    hours: Hours, since: int, before: int, out: int, left: int
) -> None:
    """A rest, an outage: what quiet hours may still hold up after it is what they could before it."""
    away, turn = Hours(hours.zone, holidays=hours.holidays), bounded(hours, since, 3 * DAY)
    stops, goes_on = since + before, since + before + out
    later = put_off(turn, stops, goes_on)
    held_before = used(since, stops, away) - used(since, stops, turn)
    ends = runs_out(left, goes_on, later)
    held_after = used(goes_on, ends, away) - left
    assert held_before + held_after <= 3 * DAY
    whole = used(goes_on, free := runs_out(left, goes_on, hours), away) - left
    assert ends == free if held_before + whole <= 3 * DAY else held_before + held_after == 3 * DAY


@pytest.mark.parametrize(("clock", "most"), [("day_1", 5.5), ("day_2", 9), ("week", 21)])
def test_the_longest_turn_of_a_player_who_is_hardly_ever_there(clock: str, most: float) -> None:
    """16 quiet hours a day and four days off a week made 19 days of two, and the holidays of two years 80."""
    terms, since = PRESETS[clock], at("2026-06-03 23:00")
    hours = Hours(BERLIN, (0, MOST_QUIET), frozenset({3, 4, 5, 6}))
    whole = terms.turn + terms.reserve + terms.extension
    assert runs_out(whole, since, bounded(hours, since, held_up(terms))) - since == most * DAY
    away = with_holiday(hours, date(2026, 12, 2), date(2026, 12, 31), date(2026, 12, 1))
    with pytest.raises(BadHours):
        with_holiday(away, date(2027, 1, 1), date(2027, 1, 1), date(2026, 12, 31))
    since = at("2026-12-01 23:00")
    longest = runs_out(whole, since, bounded(away, since, held_up(terms))) - since
    assert longest == (most + 30) * DAY


def test_a_week_with_quiet_nights_is_a_week_of_days() -> None:
    terms, since = PRESETS["week"], at("2026-06-01 07:00")
    hours = Hours(BERLIN, NIGHT)
    ends = runs_out(terms.turn + terms.reserve, since, bounded(hours, since, held_up(terms)))
    assert ends == runs_out(terms.turn + terms.reserve, since, hours)
    assert ends - since == 16 * DAY


@settings(deadline=None, max_examples=150)
@given(some_hours(), INSTANTS)
def test_the_clock_stands_still_when_the_wall_says_so(hours: Hours, instant: int) -> None:
    """The spans against the plain reading of a clock on the wall, there and then."""
    wall = datetime.fromtimestamp(instant, ZoneInfo(hours.zone))
    minute = wall.hour * 60 + wall.minute
    quiet = False
    if hours.quiet is not None:
        start, end = hours.quiet
        quiet = start <= minute < end if start < end else minute >= start or minute < end
    off = wall.weekday() in hours.days_off
    away = any(first <= wall.date() <= last for first, last in hours.holidays)
    stands = moves_from(instant, hours) > instant
    if quiet or off or away:
        assert stands
    else:  # in the hour that comes twice, quiet hours that begin or end in it hold for all of it
        twice = wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset()
        assert not stands or twice


async def test_clocks_are_frozen_once_and_no_one_runs_out_within_the_grace() -> None:
    async def hours(user: int) -> Hours:
        return Hours()

    clocks = Clocks(hours, lambda: 1_000.0)
    assert (clocks.freeze(900), clocks.freeze(950), clocks.frozen_since) == (True, False, 900)
    clocks.frozen_since = None
    match = seated(101, 102, clock="day_1")
    ends = {}
    for grace in (0, 10**9):
        clocks.grace_until = grace
        (clock,) = (found for found in (await clocks.on_position(match, {0: "t"})).clocks if found.seat == 0)
        ends[grace] = clock.ends
    assert ends == {0: 1_000 + PRESETS["day_1"].turn + PRESETS["day_1"].reserve, 10**9: 10**9}


async def test_a_player_without_hours_is_never_off_whatever_other_clocks_say() -> None:
    """The clock of the process that made the last move may be ahead of this one."""

    async def hours(user: int) -> Hours:
        return Hours()

    clocks = Clocks(hours, lambda: 1_000.0)
    assert [await clocks.quiet_until(1, since) for since in (None, 900, 1_000, 1_090)] == [None] * 4
