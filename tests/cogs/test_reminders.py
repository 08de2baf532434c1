"""A table without a time limit reminds whom it waits for, twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest
from simcord.actors import MemberActor

from cogs.match import deadlines, reminders
from cogs.match.service import MatchService
from cogs.match.time_controls import DAY, HOUR, MINUTE
from cogs.messages.content import Id
from data.records.hours import Hours
from data.records.match import Match
from data.records.reminders import WAITS, Reminder
from rules.core.game import AnyState
from tests.cogs.clocked import both, until, wait_of
from tests.cogs.pings import calls
from tests.support.matches import seated
from tests.support.simulation import Simulation, controls, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def test_the_awaited_are_reminded_after_one_day_and_after_three(sim: Simulation, tide: Table) -> None:
    awaited, other = await both(tide)
    start, cursor = sim.env.now().timestamp(), sim.cursor
    await until(sim, int(start) + WAITS[0] - MINUTE)
    assert calls(sim, awaited, cursor) == (0, 0)
    assert "Nudge" not in controls(raw(sim.board()))
    await until(sim, int(start) + WAITS[0] + 1)
    assert calls(sim, awaited, cursor) == (1, 0)
    assert "Nudge" in controls(raw(sim.board()))
    await sim.restart()
    await until(sim, int(start) + WAITS[1] - MINUTE)
    assert calls(sim, awaited, cursor) == (1, 0)
    await until(sim, int(start) + WAITS[1] + 1)
    assert calls(sim, awaited, cursor) == (2, 0)
    await sim.env.advance_time(8 * DAY)
    assert calls(sim, awaited, cursor) == (2, 0), "no more of it"
    assert calls(sim, other, cursor) == (0, 0)
    await tide.decide(awaited)
    assert "Nudge" not in controls(raw(sim.board()))


async def test_a_mention_says_why(sim: Simulation, tide: Table) -> None:
    awaited, other = await both(tide)
    await sim.slash(awaited, "settings")
    await sim.forge(awaited, "1/0/setting//ping", values=["mention"])
    cursor = sim.cursor
    await sim.env.advance_time(WAITS[0] + 1)
    assert calls(sim, awaited, cursor) == (0, 1)
    said = [shown.body["content"] for shown in sim.public(cursor) if shown.body.get("content")]
    assert [text.partition(":")[0] for text in said] == [f"<@{awaited.id}>, it is still your turn"]
    assert "turn: [Sea Change · table 1](https://" in said[0]
    assert f"I have nudged **{awaited.name}**" in sim.said(await sim.press(other, sim.board(), "Nudge"))
    said = [shown.body["content"] for shown in sim.public(cursor) if shown.body.get("content")]
    assert said[-1].startswith(f"<@{awaited.id}>, **{other.name}** is waiting for you: ")
    assert calls(sim, awaited, cursor) == (0, 2)


async def test_quiet_hours_put_a_reminder_off_and_who_wants_no_pings_gets_none(sim: Simulation, tide: Table) -> None:
    """The simulation begins at midnight, UTC, and so a day of waiting ends then too."""
    awaited, _ = await both(tide)
    await sim.slash(awaited, "hours", quiet_from="22", quiet_to="7")
    cursor, start = sim.cursor, int(sim.env.now().timestamp())
    await until(sim, start + DAY + 6 * HOUR)
    assert calls(sim, awaited, cursor) == (0, 0)
    await until(sim, start + DAY + 8 * HOUR)
    assert calls(sim, awaited, cursor) == (1, 0)
    await sim.slash(awaited, "settings")
    await sim.forge(awaited, "1/0/setting//ping", values=["none"])
    await sim.env.advance_time(4 * DAY)
    assert calls(sim, awaited, cursor) == (1, 0)
    assert (await wait_of(tide, awaited)).sent == 2, "the table knows how long it waits all the same"


async def test_a_reminder_due_in_quiet_hours_that_came_later_is_put_off(sim: Simulation, tide: Table) -> None:
    awaited, _ = await both(tide)
    cursor, due = sim.cursor, (await wait_of(tide, awaited)).due
    await until(sim, due - HOUR)
    await sim.slash(awaited, "hours", quiet_from="22", quiet_to="7")
    await until(sim, due + 6 * HOUR)
    assert calls(sim, awaited, cursor) == (0, 0)
    await until(sim, due + 8 * HOUR)
    assert calls(sim, awaited, cursor) == (1, 0)


async def test_a_holiday_that_begins_in_the_middle_of_a_turn_puts_off_the_ping_and_not_the_wait(
    sim: Simulation, tide: Table
) -> None:
    """Else a player could keep the table waiting for a month. The next turn counts by the new hours."""
    awaited, _ = await both(tide)
    await sim.env.advance_time(HOUR)
    cursor, today = sim.cursor, sim.env.now().date()
    await sim.slash(awaited, "hours", holiday_from=f"{today}", holiday_to=f"{today + timedelta(days=13)}")
    await sim.slash(awaited, "hours", quiet_from="22", quiet_to="7")
    await sim.env.advance_time(WAITS[0])
    assert (await wait_of(tide, awaited)).sent == 1
    assert calls(sim, awaited, cursor) == (0, 0)
    await sim.restart()
    await sim.env.advance_time(WAITS[1])
    assert (await wait_of(tide, awaited)).sent == 2
    await tide.decide(awaited)
    match, state = await tide.now()
    while match.seat_of(awaited.id) not in state.to_move():
        seat = min(state.to_move())
        await sim.service.play(match.id, match.chairs[seat].player, None, str(state.legal_moves(seat)[0]))
        match, state = await tide.now()
    sim.app.publisher.changed(match.id)
    await sim.env.advance_time(WAITS[0] + HOUR)
    assert (await wait_of(tide, awaited)).sent == 0


async def test_all_who_have_not_sealed_are_reminded_and_none_who_has(sim: Simulation, siege: Table) -> None:
    alice, bob, carol = siege.people
    await siege.decide(bob)
    cursor = sim.cursor
    await sim.env.advance_time(WAITS[0] + MINUTE)
    assert [calls(sim, person, cursor) for person in (alice, bob, carol)] == [(1, 0), (0, 0), (1, 0)]
    await sim.press(bob, sim.board(), "Nudge")
    assert [calls(sim, person, cursor) for person in (alice, bob, carol)] == [(2, 0), (0, 0), (2, 0)]


def within_the_turn(state: AnyState) -> list[str]:
    """Return the moves after which the table waits for the same player."""
    (seat,) = state.to_move()
    return [str(move) for move in state.legal_moves(seat) if seat in state.apply(move)[0].to_move()]


async def move_within_the_turn(table: Table, person: MemberActor) -> None:
    before, state = await table.now()
    await table.sim.slash(person, "move", move=within_the_turn(state)[0], table=1)
    after, state = await table.now()
    assert after.moves == before.moves + 1 and after.seat_of(person.id) in state.to_move()


async def test_a_turn_of_several_moves_is_waited_for_from_its_beginning(sim: Simulation) -> None:
    """Or from the coming of a substitute who makes one of them."""
    table = await Table.begin(sim, "photosynthesis", sim.join_server("alice", "bob"), seed="steps")
    await table.play(lambda match, state: match.moves >= 5 and len(within_the_turn(state)) > 1)
    awaited, _ = await both(table)
    first = await wait_of(table, awaited)
    await sim.env.advance_time(20 * HOUR)
    await move_within_the_turn(table, awaited)
    assert (await wait_of(table, awaited)).since == first.since
    await sim.env.advance_time(DAY)
    carol = await table.substitute(awaited, "carol")
    since = (await wait_of(table, carol)).since
    assert since > first.since
    await move_within_the_turn(table, carol)
    assert (await wait_of(table, carol)).since == since


async def test_a_rest_counts_for_no_wait(sim: Simulation, tide: Table) -> None:
    awaited, other = await both(tide)
    await sim.env.advance_time(20 * HOUR)
    for person in (awaited, other):
        await sim.forge(person, "1/1/vote//pause")
    cursor = sim.cursor
    await sim.env.advance_time(5 * DAY)
    assert calls(sim, awaited, cursor) == (0, 0)
    assert "This match is paused." in await sim.forge(other, "1/1/nudge//")
    for person in (awaited, other):
        await sim.forge(person, "1/1/vote//resume")
    called = calls(sim, awaited, cursor)
    await sim.env.advance_time(4 * HOUR - MINUTE)
    assert calls(sim, awaited, cursor) == called
    await sim.env.advance_time(2 * MINUTE)
    assert calls(sim, awaited, cursor) == (called[0] + 1, 0)


async def test_the_time_in_which_the_bot_is_down_counts_for_no_wait(sim: Simulation, tide: Table) -> None:
    awaited, _ = await both(tide)
    await sim.env.advance_time(20 * HOUR)
    cursor = sim.cursor
    await sim.restart(down=3 * DAY)
    await sim.env.advance_time(3 * HOUR)
    assert calls(sim, awaited, cursor) == (0, 0)
    await sim.env.advance_time(2 * HOUR)
    assert calls(sim, awaited, cursor) == (1, 0)


async def test_a_short_outage_writes_no_match(sim: Simulation, tide: Table) -> None:
    before = (await tide.now())[0]
    await sim.restart(down=30 * MINUTE)
    assert (await tide.now())[0] == before


async def no_hours(user: int) -> Hours:
    return Hours()


def waiting(since: int) -> Match:
    """A match whose turn and whose wait for seat 0 begin at that instant."""
    return replace(a_match(1, (Reminder(0, "1", since, since + WAITS[0]),)), turn_since=since)


async def credited(match: Match, until: int, now: int) -> Match:
    return await reminders.credit(match, until, now, no_hours) or match


@pytest.mark.parametrize("seed", range(20))
async def test_outages_that_overlap_and_are_credited_often_put_a_reminder_off_once(seed: int) -> None:
    """A table that cannot be shown is credited at each try, and all tables when the bot is connected again. What counts
    for no wait is the time of all outages together; of each, less than a `SHORT_OUTAGE` may count.
    """
    random, start = Random(seed), 10 * DAY
    begins = [start + random.randrange(0, DAY, MINUTE) for _ in range(2)]
    outages = [(since, since + random.randrange(HOUR, 9 * HOUR, MINUTE)) for since in begins]
    tries = [
        (at, since)
        for since, until in outages
        for at in (*range(since, until, random.choice((5 * MINUTE, HOUR, DAY))), until)
    ]
    print(f"seed {seed}: {tries}")
    match, lost = waiting(start), set[int]()
    for at, since in sorted(tries):
        match = await credited(match, since, at)
        lost |= set(range(since, at, MINUTE))
        (wait,) = match.reminders
        assert wait.due == wait.since + WAITS[0] and match.turn_since == wait.since
        assert 0 <= len(lost) * MINUTE - (wait.since - start) < len(outages) * reminders.SHORT_OUTAGE
    assert wait.since > start


async def test_a_wait_that_begins_in_an_outage_counts_from_its_end() -> None:
    match = await credited(waiting(5 * HOUR), 2 * HOUR, 6 * HOUR)
    assert match.reminders == (Reminder(0, "1", 6 * HOUR, 6 * HOUR + WAITS[0]),)


@pytest.mark.parametrize("until", (9 * DAY, 400 * DAY))
async def test_a_clock_that_was_ahead_puts_no_reminder_off(until: int) -> None:
    """The wait began by a system clock that was a year ahead, and that is right again."""
    match = await credited(replace(waiting(400 * DAY), credited=400 * DAY), until, 9 * DAY)
    assert match.reminders == (Reminder(0, "1", 9 * DAY, 10 * DAY),)
    assert await credited(match, 9 * DAY - 2 * HOUR, 9 * DAY + HOUR) != match, "the next outage counts again"


async def test_matches_of_an_older_version_remind_their_players_too_but_not_at_once(
    sim: Simulation, tide: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their first reminders are spread over some hours, and a second start changes nothing."""

    async def nothing(_: MatchService) -> None:
        pass

    awaited, _ = await both(tide)
    cursor = sim.cursor
    with monkeypatch.context() as older:
        older.setattr(deadlines, "add_deadlines", nothing)
        await sim.database.write(lambda c: c.execute("DELETE FROM reminder").rowcount)
        await sim.restart()
        await sim.env.advance_time(10 * DAY)
    await sim.restart()
    start = int(sim.env.now().timestamp())
    found = await wait_of(tide, awaited)
    assert found.due is not None and start + DAY <= found.due <= start + DAY + reminders.SPREAD
    await sim.restart()
    assert await wait_of(tide, awaited) == found
    assert calls(sim, awaited, cursor) == (0, 0)
    await until(sim, found.due + 1)
    assert calls(sim, awaited, cursor) == (1, 0)


def test_the_first_reminders_of_many_old_matches_are_spread() -> None:
    waits = (Reminder(0, "1", 0, DAY), Reminder(1, "1", 0, None))
    found = [reminders.spread(a_match(number, waits)).reminders for number in range(1, 200)]
    dues = sorted(first.due or 0 for first, _ in found)
    assert dues[0] >= DAY and dues[-1] < DAY + reminders.SPREAD and len(set(dues)) > 40
    assert all(later - earlier <= 30 * MINUTE for earlier, later in pairwise(dues))
    assert all(second.due is None for _, second in found)


def a_match(number: int, waits: tuple[Reminder, ...]) -> Match:
    return replace(seated(1, 2), id=number, reminders=waits)


async def test_a_seat_that_changes_hands_has_not_been_waited_for(sim: Simulation, tide: Table) -> None:
    awaited, other = await both(tide)
    await sim.env.advance_time(2 * DAY)
    carol = await tide.substitute(awaited, "carol")
    found = await wait_of(tide, carol)
    assert found.since == int(sim.env.now().timestamp()) and found.sent == found.pings == 0
    assert "less than an hour" in await sim.forge(other, "1/1/nudge//")


async def test_a_reminder_is_never_doubled(sim: Simulation, tide: Table) -> None:
    """The same deadline a second time, too early, and of another turn."""
    awaited, _ = await both(tide)
    found = await wait_of(tide, awaited)
    for turn in (found.turn, "9.9"):
        assert not await deadlines.remind(sim.service, 1, found.seat, turn)
    await until(sim, found.due + 1)
    cursor = sim.cursor
    assert not await deadlines.remind(sim.service, 1, found.seat, found.turn)
    await sim.env.settle()
    assert not sim.pings(cursor)
    assert str(Id(1, "nudge")) in "\n".join(str(part) for part in raw(sim.board())["components"])
