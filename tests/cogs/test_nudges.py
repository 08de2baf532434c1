"""Players nudge those whom a table without a time limit waits for: when, how often, and in whose name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.match import reminders
from cogs.match.reminders import NUDGE_AFTER, NUDGE_EVERY
from cogs.match.time_controls import DAY, HOUR, MINUTE
from data.records.reminders import WAITS, Reminder
from tests.cogs.clocked import board, both, until, wait_of
from tests.cogs.pings import calls
from tests.support import apicheck
from tests.support.matches import seated
from tests.support.meaning import standing
from tests.support.simulation import Simulation, controls, raw, words
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def nudges(sim: Simulation) -> list[bool]:
    """Whether each button that nudges works, of all messages that stand, the newest last."""
    found = [part for message in standing(sim) for part in apicheck.components(message.body)]
    return [not part.get("disabled") for part in found if part.get("custom_id") == "1/1/nudge//"]


async def test_the_table_has_the_button_while_it_works(sim: Simulation, tide: Table) -> None:
    """Also once the bot reminds no more, when nothing else edits the table."""
    _, other = await both(tide)
    for wait in (*WAITS, 5 * DAY):
        await until(sim, (await wait_of(tide, (await both(tide))[0])).since + wait + MINUTE)
        cursor = sim.cursor
        assert nudges(sim) == [True]
        assert "I have nudged" in sim.said(await sim.press(other, sim.board(), "Nudge"))
        assert nudges(sim) == []
        await sim.env.advance_time(NUDGE_EVERY - MINUTE)
        assert nudges(sim) == []
        await sim.env.advance_time(2 * MINUTE)
        assert nudges(sim) == [True]
        assert {shown.method for shown in sim.public(cursor)} == {"PATCH"}, "without a new message"


async def test_a_table_shows_the_button_again_after_a_restart(sim: Simulation, tide: Table) -> None:
    _, other = await both(tide)
    await sim.env.advance_time(WAITS[0] + MINUTE)
    await sim.env.advance_time(WAITS[1])
    assert "I have nudged" in sim.said(await sim.press(other, sim.board(), "Nudge"))
    await sim.restart()
    assert nudges(sim) == []
    await sim.env.advance_time(NUDGE_EVERY + MINUTE)
    assert nudges(sim) == [True]


async def test_a_nudge_says_until_when_a_player_is_off(sim: Simulation) -> None:
    """It reaches them only then."""
    people = sim.join_server("alice", "bob")
    for person in people:
        await sim.slash(person, "hours", quiet_from="0:00", quiet_to="15:00")
    await sim.lobby(*people, game="full_circle")
    await sim.press(people[0], sim.board(), "Start")
    (seat,) = (await sim.state()).to_move()
    mover = sim.by_id((await sim.match()).chairs[seat].player)
    other = next(person for person in people if person is not mover)
    await sim.env.advance_time(2 * HOUR)
    cursor = sim.cursor
    said = await sim.forge(other, "1/1/nudge//")
    assert "I have nudged" in said and f"💤 **{mover.name}** is off until" in said and not sim.pings(cursor)
    await sim.env.advance_time(14 * HOUR)
    assert sim.pings(cursor) == [mover.id]


def test_nudges_put_a_reminder_off_for_a_day_at_most() -> None:
    """The others may remove a player only once that was reminded: a nudge a day must not keep them from it."""
    match = replace(seated(1, 2), reminders=(Reminder(0, "1", 0, WAITS[0]),))
    for day in range(1, 9):
        match = reminders.nudged(match, 1, day * NUDGE_EVERY - MINUTE)
        due = match.reminders[0].due
        assert due is not None and WAITS[0] <= due <= WAITS[0] + reminders.BETWEEN


async def test_a_nudge_is_not_told_in_the_name_of_a_later_player(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "cleo", "dan")
    table = await Table.begin(sim, "full_circle", people[:3], seed="x")
    match, state = await table.now()
    (seat,) = state.to_move()
    nudger = next(person for person in people[:3] if match.seat_of(person.id) != seat)
    await sim.env.advance_time(2 * HOUR)
    assert "I have nudged" in await sim.forge(nudger, "1/1/nudge//")
    await sim.forge(nudger, "1/1/offer//1")
    assert (await table.now())[0].reminders[0].nudger is not None
    await sim.forge(people[3], f"1/1/take//{match.seat_of(nudger.id)}")
    match, _ = await table.now()
    assert match.seat_of(people[3].id) is not None and match.reminders[0].nudger is None


async def test_who_waits_nudges_once_a_day(sim: Simulation, tide: Table) -> None:
    awaited, other = await both(tide)
    cursor = sim.cursor
    shown = await sim.press(other, sim.board(), "Players")
    assert nudges(sim) == [False]
    since = (await wait_of(tide, awaited)).since
    assert f"*Nudge* works from <t:{since + NUDGE_AFTER}:f> on" in sim.said(shown)
    assert "less than an hour" in await sim.forge(other, "1/1/nudge//")
    await until(sim, since + NUDGE_AFTER - MINUTE)
    shown = await sim.press(other, sim.board(), "Players")
    assert nudges(sim) == [False]
    await sim.env.advance_time(2 * MINUTE)
    assert nudges(sim) == [True], "the same answer, without a press"
    assert f"I have nudged **{awaited.name}**" in sim.said(await sim.press(other, shown.response, "Nudge"))
    assert calls(sim, awaited, cursor) == (1, 0)
    assert f"**{other.name}** is waiting for you" in "\n".join(words(raw(sim.hand(awaited))))
    await sim.restart()
    shown = await sim.press(other, sim.board(), "Players")
    again = f"from <t:{(await tide.now())[0].nudged_at + NUDGE_EVERY}:f> on"
    assert again in sim.said(shown) and nudges(sim)[-1] is False
    refused = await sim.forge(other, "1/1/nudge//")
    assert "nudged here within the last day" in refused and again in refused
    await sim.env.advance_time(NUDGE_EVERY - MINUTE)
    assert "nudged here within the last day" in await sim.forge(other, "1/1/nudge//")
    assert calls(sim, awaited, cursor) == (1, 0), "a nudge puts the reminder off"
    await sim.env.advance_time(2 * MINUTE)
    assert calls(sim, awaited, cursor) == (2, 0), "the reminder, a day after the nudge"
    assert "is waiting for you" not in "\n".join(words(raw(sim.hand(awaited))))
    assert "I have nudged" in await sim.forge(other, "1/1/nudge//")
    assert calls(sim, awaited, cursor) == (3, 0)


async def test_a_nudge_is_of_who_sits_there_and_waits(sim: Simulation, tide: Table) -> None:
    awaited, other = await both(tide)
    (ida,) = sim.join_server("ida")
    await sim.env.advance_time(2 * DAY)
    cursor, before = sim.cursor, (await tide.now())[0]
    assert "You are not playing at this table." in await sim.forge(ida, "1/1/nudge//")
    assert "The table is waiting for you too" in await sim.forge(awaited, "1/1/nudge//")
    shown = await sim.press(awaited, sim.board(), "Players")
    assert "Nudge" not in controls(sim.answers(shown)[-1].body)
    assert (await tide.now())[0] == before and not sim.pings(cursor)
    await sim.forge(other, "1/1/give_seat//")
    cursor = sim.cursor
    assert "You are no longer at this table." in await sim.forge(other, "1/1/nudge//")
    assert not sim.pings(cursor)


async def test_a_table_with_a_time_limit_needs_no_nudge(sim: Simulation) -> None:
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="x", options={"clock": "day_2"})
    awaited, other = await both(table)
    assert (await table.now())[0].reminders == ()
    await sim.env.advance_time(30 * HOUR)
    assert "Nudge" not in controls(raw(sim.board()))
    assert "has a time limit" in await sim.forge(other, "1/1/nudge//")
    assert "Nudge" not in board(table) and awaited is not other
