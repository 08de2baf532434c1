"""Quiet hours and days off hold the clocks, and what people type for them."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.match.clocks import GRACE, clock_of
from cogs.match.time_controls import HOUR, MINUTE, PRESETS
from cogs.match.undo import MOST_ENDS_TAKEN_BACK
from data.content.texts import texts
from data.content.typed_dates import week_days
from data.records.hours import Hours, PeopleHours
from data.records.match import Conflict, Match
from tests.cogs.clocked import WHOLE, awaited, board, clock_at, clocked, shown_end, until
from tests.support.inside import database_of, hours_of, stored_matches
from tests.support.simulation import Simulation, offers, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


# Hours.


async def test_quiet_hours_hold_the_clock_and_every_ping(sim: Simulation) -> None:
    """The simulation begins at midnight, UTC. Quiet from 8 to 12."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    for someone in (person, other):
        said = await sim.slash(someone, "hours", quiet_from="8", quiet_to="12")
        assert "08:00 to 12:00" in said and "Changes count from your next turn" in said
        assert "Quiet hours and days off hold up one turn by at most 3 days in all" in said
    assert await clock_at(table, person) == clock, "this turn has begun"
    assert shown_end(clock) in board(table)
    await sim.env.advance_time(9 * HOUR)  # 09:15
    cursor = sim.cursor
    await table.decide(person)
    assert sim.pings(cursor) == [], "it is the other one's turn, whom nothing pings now"
    await sim.restart()
    assert sim.pings(cursor) == []
    await sim.env.advance_time(3 * HOUR)
    assert sim.pings(cursor) == [other.id]
    assert offers(sim.hand(other))
    asked = await clock_at(table, other)
    noon = sim.env.now().replace(hour=12, minute=0, second=0, microsecond=0).timestamp()
    assert int(noon) + WHOLE <= asked.ends <= int(noon) + WHOLE + 8 * HOUR + MINUTE
    assert shown_end(asked) in board(table)


CHANGES: list[dict[str, str]] = [
    {"quiet_from": "0", "quiet_to": "16"},
    {"days_off": "mon tue thu fri"},
    {"holiday_from": "2026-01-01", "holiday_to": "2026-01-30"},
    {"zone": "Asia/Tokyo"},
    {"quiet_from": "none"},
    {"days_off": "none"},
]


@pytest.mark.parametrize("clock", ["live_2", "hours_12", "day_1"])
async def test_no_change_of_hours_moves_the_end_of_a_turn(sim: Simulation, clock: str) -> None:
    """A player who is losing would stop the match by it."""
    table = await clocked(sim, clock=clock)
    person, running = await awaited(table)
    for change in CHANGES:
        await sim.slash(person, "hours", **change)
        assert await clock_at(table, person) == running
    await sim.restart()
    await until(sim, (await clock_at(table, person)).ends)
    late = await clock_at(table, person)
    assert late.stage == 1 and late.ends - late.since == PRESETS[clock].extension
    await until(sim, late.ends)
    assert (await clock_at(table, person)).away is not None


async def test_a_live_time_limit_knows_only_the_hours_set_before_the_match(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    await sim.env.advance_time(GRACE)
    early, later = alice, bob
    await sim.slash(early, "hours", quiet_from="0", quiet_to="6")
    await Table.open(sim, "sea_change", [alice, bob], seed="live", options={"clock": "live_2"})
    await sim.press(alice, sim.board(), "Start")
    await sim.slash(later, "hours", quiet_from="0", quiet_to="6")
    await sim.slash(early, "hours", quiet_from="none")
    six = int(sim.env.now().replace(hour=6, minute=0, second=0, microsecond=0).timestamp())
    seen = set()
    for _ in range(8):
        match, state = await sim.match(), await sim.state()
        (seat,) = state.to_move()
        person, clock = match.chairs[seat].player, clock_of(match, seat)
        assert clock is not None and clock.ends == (six if person == early.id else clock.since) + clock.left
        seen.add(person)
        await sim.service.play(match.id, person, None, str(state.legal_moves(seat)[0]))
    assert seen == {alice.id, bob.id}


async def test_a_player_of_a_live_match_is_pinged_while_their_time_runs(sim: Simulation) -> None:
    """Quiet hours that are newer than the match stop neither the clock nor its pings."""
    table = await clocked(sim, clock="live_2")
    person, _ = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    said = await sim.slash(other, "hours", quiet_from="0", quiet_to="6")
    assert "from your next match" in said
    cursor = sim.cursor
    await table.decide(person)
    assert sim.pings(cursor) == [other.id]
    assert "is off until" not in board(table) and "you are off until" not in str(raw(sim.hand(other)))
    running, cursor = await clock_at(table, other), sim.cursor
    await until(sim, running.ends - PRESETS["live_2"].nudges[0])
    assert sim.pings(cursor) == [other.id], "nudged"


async def test_a_substitute_brings_no_hours_to_a_live_time_limit(sim: Simulation) -> None:
    table = await clocked(sim, clock="live_2")
    person, _ = await awaited(table)
    (carol,) = sim.join_server("carol")
    await sim.slash(carol, "hours", quiet_from="0", quiet_to="16")
    match, _ = await table.now()
    seat = match.seat_of(person.id) or 0
    await sim.app.membership.offer_seat(1, person.id, True)
    await sim.app.membership.take_seat(1, carol.id, "carol", seat)
    clock = await clock_at(table, carol)
    assert clock.ends == clock.since + clock.left
    await sim.app.membership.give_seat_to_computer(1, carol.id)


@pytest.mark.parametrize("before", ["none", "live_5"])
async def test_a_live_time_limit_by_vote_knows_no_hours_before_the_first_move_either(
    sim: Simulation, before: str
) -> None:
    table = await clocked(sim, clock=before)
    for person in table.people:
        await sim.slash(person, "hours", quiet_from="0", quiet_to="16")
    for person in table.people:
        await sim.app.membership.vote(1, person.id, "clock live_2")
    match, _ = await table.now()
    assert (match.clock, match.moves, [clock.hours for clock in match.clocks]) == ("live_2", 0, [Hours(), Hours()])


async def test_a_substitute_for_a_computer_brings_no_hours_before_the_first_move_either(sim: Simulation) -> None:
    alice, carol = sim.join_server("alice", "carol")
    await sim.env.advance_time(GRACE)
    await sim.slash(carol, "hours", quiet_from="0", quiet_to="16")
    sim.app.publisher.computers.rest()  # else it moves before carol comes
    await Table.open(sim, "sea_change", [alice], seed="live", options={"clock": "live_2"})
    await sim.app.lobby.add_computer(1, alice.id)
    await sim.press(alice, sim.board(), "Start")
    (seat,) = [chair.number for chair in (await sim.match()).chairs if chair.user is None]
    match = await sim.app.membership.take_seat(1, carol.id, "carol", seat)
    clock = clock_of(match, seat)
    assert clock is not None and (match.moves, clock.hours) == (0, Hours())


async def test_quiet_hours_hold_where_there_is_no_clock_too(sim: Simulation, tide: Table) -> None:
    match, state = await tide.now()
    (seat,) = state.to_move()
    person = sim.by_id(match.chairs[seat].user)
    (other,) = [p for p in tide.people if p is not person]
    await sim.slash(other, "hours", quiet_from="0", quiet_to="6", zone="Europe/Berlin")  # until 05:00
    cursor = sim.cursor
    await tide.decide(person)
    await sim.env.advance_time(2 * HOUR)
    assert sim.pings(cursor) == []
    await sim.slash(other, "hours", quiet_from="none")
    assert sim.pings(cursor) == [other.id]


async def test_holidays_at_the_end_of_time_are_too_far(sim: Simulation) -> None:
    (person,) = sim.join_server("alice")
    for last in ("monday", "tomorrow", "in 99 weeks", "next mo", "9999-12-31"):
        said = await sim.slash(person, "hours", holiday_from="9999-12-31", holiday_to=last)
        assert "up to a year ahead" in said, last


async def test_holidays_that_have_begun_begin_today(sim: Simulation) -> None:
    (person,) = sim.join_server("alice")
    said = await sim.slash(person, "hours", holiday_from="24.12.", holiday_to="5.1.")
    assert "January 1, 2026 to January 5, 2026" in said
    said = await sim.slash(person, "hours", holiday_from="24.12.", holiday_to="26.12.")
    assert "December 24, 2026 to December 26, 2026" in said


async def test_of_long_texts_of_hours_the_beginning_is_read(sim: Simulation) -> None:
    """To read 6,000 characters would hold up the others."""
    (person,) = sim.join_server("alice")
    assert "I do not know a time zone" in await sim.slash(person, "hours", zone="\ufdfa" * 6000)
    await sim.slash(person, "hours", days_off="mo " * 2000)
    assert (await sim.app.store.hours.get(person.id)).days_off == {0}


async def test_holidays_pause_all_of_a_players_matches_from_the_next_turn_on(sim: Simulation) -> None:
    table = await clocked(sim)
    other, _ = await awaited(table)
    (person,) = [p for p in table.people if p is not other]
    said = await sim.slash(person, "hours", holiday_from="2026-01-02", holiday_to="2026-01-15")
    assert "January 2, 2026 to January 15, 2026" in said
    assert "16 of 30 days of holidays left (in any 366 days)" in said
    await table.decide(other)
    clock = await clock_at(table, person)
    assert clock.ends == clock.since + WHOLE + 14 * 24 * HOUR
    said = await sim.slash(person, "hours", holiday_from="none")
    assert "none planned · 30 of 30 days left" in said
    assert await clock_at(table, person) == clock, "what a turn has begun with stays"
    cursor = sim.cursor
    await sim.env.advance_time(2 * 24 * HOUR)
    assert (await clock_at(table, person)).called == 0 and sim.pings(cursor) == []


async def test_a_turn_that_began_in_an_older_version_keeps_its_hours(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has none stored. If they cannot be stored now, the player's hours do not change."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    await sim.database.write(lambda c: c.execute("UPDATE clock SET hours = NULL").rowcount)
    sim.matches.forget()
    tries = []

    async def faster(*what: Any) -> Match:
        tries.append(what)
        raise Conflict

    with monkeypatch.context() as patch:
        patch.setattr(sim.matches, "save", faster)
        await sim.slash(person, "hours", quiet_from="8", quiet_to="20")
    assert len(tries) == 3
    assert "08:00" not in await sim.slash(person, "hours")
    assert "08:00" in await sim.slash(person, "hours", quiet_from="8", quiet_to="20")
    after = await clock_at(table, person)
    assert after.hours == Hours() and after.ends == clock.ends
    await sim.env.advance_time(10 * HOUR)
    assert (await clock_at(table, person)).ends == clock.ends


BAD = {
    "I do not know a time zone “Middle\\-earth/Shire”": {"zone": "Middle-earth/Shire"},
    "“usa” is not one time zone that I know. Did you mean one of these: America/New York, America/Chicago": {
        "zone": "usa"
    },
    "I do not know a time zone “📍”": {"zone": "📍"},
    "Did you mean one of these: Europe/Berlin": {"zone": "germny"},
    "cannot cover the whole day": {"quiet_from": "0", "quiet_to": "24"},
    "can last at most": {"quiet_from": "7", "quiet_to": "6:59"},
    "is not a time of day": {"quiet_from": "@everyone", "quiet_to": "6"},
    "need a start and an end": {"quiet_from": "7"},
    "as days of the week": {"days_off": "Sat, Caturday"},
    "at most 4 days": {"days_off": "mo tu we th fr"},
    "is not a date": {"holiday_from": "soon", "holiday_to": "2026-02-01"},
    "a first and a last day": {"holiday_from": "2026-02-01"},
    "end before they start": {"holiday_from": "2026-02-02", "holiday_to": "2026-02-01"},
    "at most 30 days in any 366, and from February 1, 2026 on that leaves 30": {
        "holiday_from": "2026-02-01",
        "holiday_to": "2026-06-01",
    },
    "before today": {"holiday_from": "2025-12-01", "holiday_to": "2026-01-05"},
}


@pytest.mark.parametrize("word", ["none", "off", "Keine", "Aucune", "nada", "Não", "-"])
async def test_a_word_for_nothing_in_any_language_removes_a_setting(sim: Simulation, word: str) -> None:
    (alice,) = sim.join_server("alice")
    said = await sim.slash(
        alice, "hours", quiet_from="22", quiet_to="7", days_off="Sat", holiday_from="2026-02-01", holiday_to="1.2."
    )
    assert "**Holidays:** February 1, 2026\n" in said and "**Quiet hours:** 22:00 to 07:00" in said
    said = await sim.slash(alice, "hours", quiet_from=word, days_off=word, holiday_to=word)
    for kind in ("Quiet hours", "Days off", "Holidays"):
        assert f"**{kind}:** none" in said


async def test_a_zone_that_this_machine_lacks_counts_as_utc_everywhere(sim: Simulation) -> None:
    """The database may come from another machine, or the system's zone files may be gone."""
    table = await clocked(sim)
    person, clock = await awaited(table)
    (other,) = [p for p in table.people if p is not person]
    hours = Hours("Middle-earth/Shire", (8 * 60, 12 * 60), frozenset({6}))
    for someone in table.people:
        await PeopleHours(database_of(stored_matches(sim.app.service))).put(someone.id, hours)
    await sim.restart()
    for someone in table.people:
        said = await sim.slash(someone, "hours")
        assert "does not know the time zone Middle\\-earth/Shire" in said
        assert "Waiting for" in await sim.slash(someone, "hand") or offers(sim.hand(someone))
        assert "to move" in await sim.slash(someone, "clock", table=1)
    await table.decide(person)
    later = await clock_at(table, other)
    assert later.ends > clock.ends, "quiet hours by UTC"
    said = await sim.slash(person, "hours", zone="berlin")
    assert "Middle-earth" not in said
    assert "**Time zone:** Europe/Berlin" in said


async def test_an_abbreviation_is_taken_for_its_place_and_the_answer_says_so(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    said = await sim.slash(alice, "hours", zone="est")
    assert "**Time zone:** America/New York" in said
    assert "I take “est” to mean the time in America/New York" in said
    said = await sim.slash(alice, "hours", zone="germany")
    assert "**Time zone:** Europe/Berlin" in said
    assert "I take “germany” to mean the time in Europe/Berlin" in said
    said = await sim.slash(alice, "hours", zone="GMT-5")
    assert "**Time zone:** UTC\\-5 " in said
    assert "I take" not in said
    assert "it is 19:00 there now" in said


async def test_hours_that_cannot_be_change_nothing(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    hours = hours_of(sim.service.clocks)
    await sim.slash(alice, "hours", zone="Asia/Kathmandu", days_off="Sat, su", quiet_from="23", quiet_to="7")
    before = await hours(alice.id)
    assert (before.zone, before.quiet, before.days_off) == ("Asia/Kathmandu", (23 * 60, 7 * 60), {5, 6})
    for sentence, asked in BAD.items():
        said = await sim.slash(alice, "hours", **asked)
        assert sentence in said, said
        assert "Nothing was changed" in said
        assert await hours(alice.id) == before
    # Something good beside something bad is not taken either.
    await sim.slash(alice, "hours", zone="UTC", quiet_from="7", quiet_to="7")
    assert await hours(alice.id) == before


async def test_time_zones_are_completed(sim: Simulation, tide: Table) -> None:
    alice = tide.people[0]
    found = await alice.autocomplete(sim.channel, "hours", "zone", "new y")
    assert ("America/New York", "America/New_York") in [(choice["name"], choice["value"]) for choice in found]
    assert (await alice.autocomplete(sim.channel, "hours", "zone", "berlin"))[0]["value"] == "Europe/Berlin"
    assert await alice.autocomplete(sim.channel, "hours", "zone", "Middle-earth") == []
    for typed, zone in (("nyc", "America/New_York"), ("munich", "Europe/Berlin"), ("germany", "Europe/Berlin")):
        assert (await alice.autocomplete(sim.channel, "hours", "zone", typed))[0]["value"] == zone
    found = await alice.autocomplete(sim.channel, "hours", "zone", "usa")
    assert [choice["name"] for choice in found[:2]] == ["America/New York", "America/Chicago"]


async def test_days_off_are_joined_as_people_join_them(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for typed in (
        *("Sat/Sun", "sam | dim", "Sat, Sun", "Sat and Sun", "sa & so", "s\u00e1b y dom", "samedi et dimanche"),
        "s\u00e1b e dom",
        "every Sat, each Sunday",
        "Sonnabends und jeden Sonntag",
        "s\u00e1bado e todos os domingos",
    ):
        await sim.slash(alice, "hours", days_off="none")
        assert "**Days off:** Saturday and Sunday" in await sim.slash(alice, "hours", days_off=typed), typed


async def test_the_end_of_a_turn_that_is_taken_back_gives_no_time(sim: Simulation) -> None:
    table = await clocked(sim, "photosynthesis")
    await table.play(lambda match, state: state.view(None).round > 0)
    person, clock = await awaited(table)
    reserve, say = clock.reserve, texts("en")
    for turn in range(MOST_ENDS_TAKEN_BACK + 1):
        await sim.env.advance_time(3 * HOUR)
        clock = await clock_at(table, person)
        left = clock.ends - sim.now()
        await sim.slash(person, "move", move="end", table=1)
        assert (await awaited(table))[0] is not person
        await sim.env.advance_time(HOUR)
        undo = await sim.press(person, sim.hand(person), say["button.undo"])
        if turn == MOST_ENDS_TAKEN_BACK:
            assert say["refused.undone_often"].format(count=turn) in sim.said(undo)
            break
        same, clock = await awaited(table)
        assert (same, clock.reserve <= reserve) == (person, True)
        assert abs(clock.ends - sim.now() - left) <= 2, "the other player's hour is not counted"


@pytest.mark.parametrize(
    ("locale", "texts_", "days"),
    [
        ("en-US", "weekend|Weekends|the weekend|every weekend|saturdays and sundays|Sat - Sun|sat. & sun.", {5, 6}),
        ("de", "Wochenende|am Wochenende|samstags und sonntags|Sa bis So|samstags, sonntags", {5, 6}),
        ("fr", "week-end|le week-end|samedis et dimanches|du samedi au dimanche|sam-dim", {5, 6}),
        ("es-ES", "fin de semana|los fines de semana|s\u00e1bados y domingos|s\u00e1bado a domingo", {5, 6}),
        ("pt-BR", "fim de semana|fins de semana|s\u00e1bados e domingos|s\u00e1bado \u00e0 domingo", {5, 6}),
        ("en-US", "Mon-Wed|Mon to Wed|Monday through Wednesday|Mon \u2013 Wed", {0, 1, 2}),
        ("pt-BR", "segunda-feira a quarta-feira|seg-qua|segunda at\u00e9 quarta|de segunda a quarta", {0, 1, 2}),
        ("de", "Fr-So|Freitag bis Sonntag|freitags und am Wochenende", {4, 5, 6}),
        ("en-US", "weekdays|on weekdays|every weekday|Mon-Fri", {*range(5)}),
        ("de", "werktags|an Wochentagen|wochentags", {*range(5)}),
        ("fr", "en semaine|les jours de semaine", {*range(5)}),
        ("es-ES", "entre semana|los d\u00edas laborables", {*range(5)}),
        ("pt-BR", "dias \u00fateis|durante a semana", {*range(5)}),
        ("en-US", "weekdays and weekends|weekdays, Sat, Sun", {*range(7)}),
        ("en-US", "Sat-Mon", {5, 6, 0}),
        ("en-US", "someday|Sat-Caturday|Mon to|weekend or so", None),
    ],
)
def test_days_off_as_people_type_them(locale: str, texts_: str, days: set[int] | None) -> None:
    for typed in texts_.split("|"):
        assert week_days(typed, locale) == days, typed
