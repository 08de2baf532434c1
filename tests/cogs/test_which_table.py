"""A command that may mean several tables asks which, with a button for each that does what the command would have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cogs.messages.choices import MOST_BUTTONS, MOST_OPTIONS, which_table
from cogs.messages.content import Button, Id, Select
from data.content.texts import texts
from data.records.match import Status
from rendering.core.labels import Labels
from rules.core.game import Seat
from tests.support import apicheck
from tests.support.simulation import Simulation
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


async def two_tables(sim: Simulation, game: str = "sea_change") -> tuple[Any, Any]:
    """Return alice and the channel `elsewhere`: she sits at tables 1 and 2, which stand in another channel."""
    people = sim.join_server("alice", "bob")
    for number in range(2):
        await Table.begin(sim, game, people, seed=f"which {number}")
    return people[0], sim.guild.create_text_channel("elsewhere")


def buttons(sim: Simulation, cursor: int) -> dict[str, str]:
    """Return the buttons of the only answer since the cursor: label to id."""
    (shown,) = sim.shown(cursor)
    assert shown.viewer is not None
    return {part["label"]: part["custom_id"] for part in apicheck.components(shown.body) if "custom_id" in part}


async def test_each_button_does_what_the_command_would_have_done(sim: Simulation) -> None:
    alice, elsewhere = await two_tables(sim)
    for command, options, answer in (
        ("board", {}, "Sea Change · table 2"),
        ("log", {}, "Sea Change · table 2"),
        ("clock", {}, "### Sea Change · table 2"),
        ("leave", {}, "Leave Sea Change · table 2"),
        ("join", {}, "You are already at this table."),
        ("clock", {"terms": "day_1"}, "Sea Change · table 2"),
    ):
        cursor = sim.cursor
        assert "Which table?" in await sim.slash(alice, command, elsewhere, **options)
        offered = buttons(sim, cursor)
        assert list(offered) == ["Sea Change · table 2", "Sea Change · table 1"]
        assert answer in await sim.forge(alice, offered["Sea Change · table 2"])
        assert not await sim.service.votes(1)
        assert bool(await sim.service.votes(2)) == bool(options), command


async def test_a_typed_move_is_made_at_the_table_chosen(sim: Simulation) -> None:
    """In Siege of Sunfall each seat may pledge 1 at once, so the text is a move at both tables."""
    people = sim.join_server("alice", "bob")
    for _ in range(2):
        await Table.begin(sim, "siege_of_sunfall", people, seed="two", computers=1)
    alice, elsewhere = people[0], sim.guild.create_text_channel("elsewhere")
    cursor = sim.cursor
    assert "Which table?" in await sim.slash(alice, "move", elsewhere, move="1 Münze setzen")
    offered = buttons(sim, cursor)
    moves = [(await sim.match(number)).moves for number in (1, 2)]
    assert "✓ Done: " in await sim.forge(alice, offered["Siege of Sunfall · table 2"])
    logged = [move for move in await sim.matches.moves(2) if move.user == alice.id]
    assert [move.text for move in logged] == ["pledge 1"]
    assert (await sim.match(1)).moves == moves[0]
    # What is no move there leads to the hand.
    cursor = sim.cursor
    await sim.slash(alice, "move", elsewhere, move="pledge 999")
    assert {found.split("/")[2] for found in buttons(sim, cursor).values()} == {"hand"}


async def test_hand_opens_the_table_that_waits_for_the_player(sim: Simulation) -> None:
    alice, elsewhere = await two_tables(sim)
    matches = [await sim.match(number) for number in (1, 2)]
    waits = [Seat(m.seat_of(alice.id) or 0) in sim.service.state(m).to_move() for m in matches]
    if waits[0] == waits[1]:  # then alice makes her move at the second
        move = str(sim.service.state(matches[1]).legal_moves(Seat(matches[1].seat_of(alice.id) or 0))[0])
        await sim.slash(alice, "move", move=move, table=2)
        waits = [True, False]
    first, other = (1, 2) if waits[0] else (2, 1)
    for channel in (elsewhere, sim.channel):
        said = await sim.slash(alice, "hand", channel)
        assert f"table {first}]" in said and f"table {other}]" not in said


async def test_hand_opens_the_earliest_deadline(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    for clock in ("week", "day_1"):
        await Table.begin(sim, "siege_of_sunfall", people, seed="clocks", computers=1, options={"clock": clock})
    assert "table 2]" in await sim.slash(people[0], "hand")
    await sim.slash(people[0], "move", move="pledge 0", table=2)
    assert "table 1]" in await sim.slash(people[0], "hand")


async def test_relocate_asks_which_and_the_button_moves_it(sim: Simulation) -> None:
    alice, elsewhere = await two_tables(sim)
    cursor = sim.cursor
    assert "Which table?" in await sim.slash(alice, "relocate", elsewhere)
    offered = buttons(sim, cursor)
    there = (await alice.send(elsewhere, "here")).id
    await sim.forge(alice, offered["Sea Change · table 1"], message=there, channel=elsewhere.id)
    assert [(await sim.match(number)).place == elsewhere.id for number in (1, 2)] == [True, False]


def test_more_than_ten_tables_are_a_select_of_at_most_25() -> None:
    labels = Labels((), texts("en"))
    for count in (2, MOST_BUTTONS, MOST_BUTTONS + 1, MOST_OPTIONS, 40):
        content = which_table([(f"T {n} " + "x" * 100, Id(n, "board")) for n in range(count)], 7, labels)
        assert content.user == 7
        if count <= MOST_BUTTONS:
            assert all(isinstance(row, tuple) for row in content.rows)
            offered = [button for row in content.rows if isinstance(row, tuple) for button in row]
            assert all(isinstance(b, Button) and len(b.label) <= 80 for b in offered)
            assert [b.id for b in offered] == [Id(n, "board") for n in range(count)]
        else:
            (row,) = content.rows
            assert isinstance(row, Select)
            assert [entry.value for entry in row.entries] == [f"1/{n}/board//" for n in range(min(count, MOST_OPTIONS))]
        assert ("name it" in str(content.parts[0])) == (count > MOST_OPTIONS)


async def test_an_option_of_the_select_is_the_press_of_its_button(sim: Simulation) -> None:
    alice, _ = await two_tables(sim)
    said = await sim.forge(alice, "1/0/at//", values=["1/2/people//"])
    assert "### Sea Change · table 2 · players" in said
    for value in ("", "nonsense", "1/0/at//", "1/2/pick//", "1/99/board//"):
        before = [(await sim.match(number)).version for number in (1, 2)]
        assert await sim.forge(alice, "1/0/at//", values=[value] if value else None)
        assert [(await sim.match(number)).version for number in (1, 2)] == before


async def test_a_held_table_does_not_keep_the_hand_of_another_from_its_player(sim: Simulation) -> None:
    alice, elsewhere = await two_tables(sim)
    async with sim.service.deciding(1) as match:
        await sim.service.save(replace(match, rests_since=1))
    assert "table 2]" in await sim.slash(alice, "hand", elsewhere)
    assert (await sim.match(1)).status is Status.PLAYING
