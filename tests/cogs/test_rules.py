"""/rules: the page of each game, and pictures of a turn in a match that nobody has played."""

from __future__ import annotations

import pytest

from rendering import renderer
from rules import GAMES
from rules.core.example import LEAST_CHOICES, example
from tests.contract.conftest import conservation_of
from tests.support.apicheck import GALLERY, components
from tests.support.published import PUBLISHED
from tests.support.simulation import Simulation
from tests.support.table import Table, shortest_options


@pytest.mark.parametrize("game", GAMES)
async def test_rules_come_with_pictures_of_a_turn(sim: Simulation, game: str) -> None:
    (alice,) = sim.join_server("alice")
    cursor = sim.cursor
    said = await sim.slash(alice, "rules", game=game)
    (answer,) = sim.shown(cursor)
    assert answer.viewer == alice.id
    galleries = [part for part in components(answer.body) if part["type"] == GALLERY]
    table, hand = (gallery["items"][0]["description"] for gallery in galleries)
    assert table != hand or not conservation_of(GAMES[game]).REDEALS_DIFFER, "a game without secrets may say the same"
    assert said.index("An example") > said.index(GAMES[game].title)
    pictures = list(sim.env.backend.cdn._blobs.values())
    assert len(pictures) == 2
    assert all(len(png) <= 80_000 for png in pictures)
    # Again, from memory, and through the button of a lobby.
    assert await sim.slash(alice, "rules", game=game) == said
    await sim.slash(alice, "play", game=game)
    assert "An example" in sim.said(await sim.press(alice, sim.board(), "Rules"))


@pytest.mark.parametrize("game", GAMES)
def test_the_example_is_a_turn_with_a_choice(game: str) -> None:
    found = example(GAMES[game], GAMES[game].deck)
    assert found == example(GAMES[game], GAMES[game].deck)
    assert found.seat in found.state.to_move()
    assert len(found.state.legal_moves(found.seat)) >= (LEAST_CHOICES if game in PUBLISHED else 2)
    assert found.state.outcome() is None


async def test_the_example_tells_nothing_of_the_match_it_is_asked_for_in(sim: Simulation, plain: None) -> None:
    """Two matches of the same game show the same one."""
    people = sim.join_server("alice", "bob")
    said = []
    for number in range(2):
        await Table.open(sim, "sea_change", people, seed=f"{number}", options=shortest_options("sea_change", 2))
        await sim.press(people[0], sim.board(), "Start")
        result = await sim.press(people[0], sim.board(), "Rules")
        said.append(sim.said(result))
    assert said[0] == said[1]
    assert (
        renderer("sea_change").rules(GAMES["sea_change"].deck, sim.bot.app.messages.labels(await sim.match()))
        in said[0]
    )
