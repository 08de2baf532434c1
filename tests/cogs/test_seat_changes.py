"""A seat's history stays its player's: the log tells who left, took over and came back; past rounds name who played."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor

from cogs.messages.names import names_at
from cogs.messages.narration import sentences
from data.content.texts import languages, texts
from data.records.match import DEPARTED, Chair, Former, Match, SeatChange, SeatChangeKind
from rules import GAMES
from tests.cogs.test_games import until_waits
from tests.cogs.test_retention import exported
from tests.support.matches import seated
from tests.support.simulation import Simulation, raw, words
from tests.support.table import Table, fewest_seats, shortest_options

pytestmark = pytest.mark.usefixtures("plain")
LEFT, OVER, BACK, HANDED = (SeatChangeKind(kind) for kind in ("left", "took_over", "came_back", "handed_over"))


def a_match(*changes: SeatChange, chairs: tuple[Chair, ...], former: tuple[Former, ...] = ()) -> Match:
    return seated(1, moves=9, chairs=chairs, former=former, seat_changes=changes)


ANN = Chair(0, 1, "Ann")
BEN_LEFT, GONE = SeatChange(4, 1, LEFT, 2, "Ben", "Ada"), SeatChange(4, 1, LEFT, None, DEPARTED, "Ada")
AFTER_ADA, AFTER_BEN = SeatChange(6, 1, OVER, 3, "Cleo", "Ada"), SeatChange(4, 1, OVER, 3, "Cleo")


@pytest.mark.parametrize(
    ("changes", "chair", "told"),
    [
        ((), Chair(1, None, "Ada"), {0: "🤖Ada", None: "🤖Ada"}),
        ((), Chair(1, 2, "Ben"), {0: "Ben", None: "Ben"}),
        ((BEN_LEFT,), Chair(1, None, "Ada", 4), {-1: "Ben", 3: "Ben", 4: "🤖Ada for Ben", None: "🤖Ada for Ben"}),
        ((BEN_LEFT, AFTER_ADA), Chair(1, 3, "Cleo", 6), {3: "Ben", 5: "🤖Ada for Ben", 6: "Cleo", None: "Cleo"}),
        ((SeatChange(4, 1, HANDED, 2, "Ben"), AFTER_BEN), Chair(1, 3, "Cleo", 4), {3: "Ben", 4: "Cleo"}),
        ((BEN_LEFT, SeatChange(4, 1, BACK, 2, "Ben", "Ada")), Chair(1, 2, "Ben", 4), {3: "Ben", 4: "Ben"}),
        ((SeatChange(4, 1, OVER, 3, "Cleo", "Ada"),), Chair(1, 3, "Cleo", 4), {3: "🤖Ada", 4: "Cleo"}),
        ((GONE,), Chair(1, None, "Ada", 4), {3: "deleted player", 4: "🤖Ada for a deleted player"}),
        ((GONE,), Chair(1, None, DEPARTED, 4), {3: "deleted player", 5: "deleted player"}),
    ],
)
def test_a_seat_is_named_for_who_had_it_then(
    changes: tuple[SeatChange, ...], chair: Chair, told: dict[int | None, str]
) -> None:
    match = a_match(*changes, chairs=(ANN, chair))
    for moves, name in told.items():
        assert names_at(match, texts("en"), moves) == ("Ann", name), moves


def test_a_match_of_an_older_version_says_that_a_computer_stands_in() -> None:
    match = a_match(chairs=(ANN, Chair(1, None, "Ada", 4)), former=(Former(2, 1),))
    assert names_at(match, texts("en")) == ("Ann", "🤖Ada")


async def a_table(
    sim: Simulation, game: str, *, computers: int = 0, options: dict[str, str] | None = None
) -> tuple[Table, list[MemberActor]]:
    people = sim.join_server(*("alice", "bob", "carol", "dan")[: max(fewest_seats(game), 2)])
    table = await Table.begin(sim, game, people, seed=f"seats {game}", computers=computers, options=options)
    return table, people


def hand_of(sim: Simulation, person: MemberActor) -> str:
    return "\n".join(words(raw(sim.hand(person))))


async def log_of(sim: Simulation, person: MemberActor) -> str:
    return await sim.forge(person, "1/1/log//")


@pytest.mark.games("game", short=["siege_of_sunfall"], long=GAMES)
async def test_leaving_taking_over_and_coming_back_are_lines_of_the_log(sim: Simulation, game: str) -> None:
    _, (alice, bob, *_) = await a_table(sim, game)
    await sim.play_on(1, 4)
    await sim.forge(bob, "1/1/give_seat//")
    await sim.env.settle()
    match = await sim.match()
    seat = next(change.seat for change in match.seat_changes)
    computer = match.chairs[seat].name
    assert [(c.kind, c.user, c.name, c.computer) for c in match.seat_changes] == [(LEFT, bob.id, "bob", computer)]
    said = await log_of(sim, alice)
    assert f"**bob** left; **🤖\u2060{computer}** plays on." in said
    before = said.split("**bob** left;")[0]
    assert f"{computer} for bob" not in before and f"**🤖\u2060{computer}**" not in before
    await sim.caught_up()
    assert f"{computer} for bob" in "\n".join(sim.visible(alice)), "at the table"
    assert "bob" in sim.bot.app.messages.labels(match).names[seat]

    (eve,) = sim.join_server("eve")
    assert "You have taken over **" in await sim.forge(eve, f"1/1/take//{seat}")
    said = await log_of(sim, alice)
    assert "**eve** took over **bob**'s seat." in said
    before = said.split("**eve** took over")[0]
    assert "**eve**" not in before, "what happened before she came names who played it"
    assert said.index("**bob** left;") < said.index("**eve** took over")
    # In the other language, too.
    for code in languages():
        match = await sim.match()
        told = sentences(
            sim.service.game(match),
            match,
            await sim.service.events_of(match),
            None,
            sim.bot.app.messages.labels(match, code),
        )
        assert sum("eve" in line and "bob" in line for line in told) == 1


async def test_coming_back_is_a_line_and_the_seat_is_theirs_again(sim: Simulation) -> None:
    _, (alice, bob) = await a_table(sim, "sea_change")
    await sim.play_on(1, 3)
    await sim.forge(bob, "1/1/give_seat//")
    await sim.forge(bob, "1/1/back//")
    match = await sim.match()
    assert [change.kind for change in match.seat_changes] == [LEFT, BACK]
    said = await log_of(sim, alice)
    assert said.index("**bob** left;") < said.index("**bob** is back.")
    assert set(sim.bot.app.messages.labels(match).names) == {"alice", "bob"}


async def test_an_offered_seat_that_is_taken_is_one_line(sim: Simulation) -> None:
    table, (alice, bob) = await a_table(sim, "sea_change")
    await sim.play_on(1, 3)
    await table.substitute(bob, "eve")
    match = await sim.match()
    assert [change.kind for change in match.seat_changes] == [HANDED, OVER]
    said = await log_of(sim, alice)
    assert said.count("**eve** took over **bob**'s seat.") == 1 and "**bob** left" not in said


async def test_what_was_missed_has_the_changes_of_seats(sim: Simulation) -> None:
    _, (alice, bob) = await a_table(sim, "sea_change")
    await sim.play_on(1, 3)
    await sim.forge(bob, "1/1/give_seat//")
    await sim.env.advance_time(5)
    assert "**bob** left;" in await sim.forge(alice, "1/1/catch_up//")


async def test_a_hand_tells_a_change_of_seats_until_its_player_has_moved(sim: Simulation) -> None:
    table, (alice, bob) = await a_table(sim, "sea_change")
    await sim.play_on(1, 16)
    await until_waits(sim, 1, alice)
    await sim.forge(bob, "1/1/give_seat//")
    (eve,) = sim.join_server("eve")
    await sim.forge(eve, f"1/1/take//{(await sim.match()).former[0].seat}")
    await sim.caught_up()
    assert "**eve** took over **bob**'s seat." in hand_of(sim, alice)
    for _ in range(2):
        await table.decide(alice)
        await until_waits(sim, 1, alice)
        await sim.caught_up()
        assert "eve" in hand_of(sim, alice) and "took over" not in hand_of(sim, alice)


async def test_changes_survive_a_restart_and_a_deletion_takes_the_name(sim: Simulation) -> None:
    _, (alice, bob) = await a_table(sim, "sea_change")
    await sim.play_on(1, 3)
    await sim.forge(bob, "1/1/give_seat//")
    stored = (await sim.match()).seat_changes
    await sim.restart()
    assert (await sim.match()).seat_changes == stored
    data = await exported(sim, bob)
    assert data["seat_changes"] == [{"match": 1, "seat": stored[0].seat, "kind": "left", "name": "bob"}]
    assert "Done" in await sim.forge(bob, "1/0/data//delete")
    (change,) = (await sim.match()).seat_changes
    assert (change.user, change.name) == (None, DEPARTED)
    said = await log_of(sim, alice)
    assert "bob" not in said
    assert "**a deleted player** left;" in said


async def test_computers_are_marked_in_lists(sim: Simulation) -> None:
    table, (alice, _) = await a_table(sim, "sea_change", computers=1, options=shortest_options("sea_change", 3))
    match = await sim.match()
    computer = next(chair.name for chair in match.chairs if chair.user is None)
    assert f"🤖{computer}" in sim.bot.app.messages.labels(match).names
    said = await sim.forge(alice, "1/1/people//")
    assert f"• **🤖\u2060{computer}**\n" in said
    await table.play()
    marked = f"**🤖\u2060{computer} \\(beginner\\)**"
    assert marked in "\n".join(sim.visible(alice))
