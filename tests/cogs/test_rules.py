"""/rules: the page of each game, and pictures of a turn in a match that no player has played."""

from __future__ import annotations

from typing import Any

import pytest

from data.content.texts import texts
from rendering import renderer
from rendering.core.canvas import MOST_FILE_BYTES
from rendering.core.labels import Labels
from rules import GAMES
from rules.core.example import LEAST_CHOICES, example
from tests.contract.conftest import conservation_of
from tests.support.apicheck import GALLERY, components
from tests.support.published import PUBLISHED
from tests.support.simulation import Simulation
from tests.support.table import Table, shortest_options


@pytest.mark.games("game", short=["full_circle"], long=GAMES)
async def test_rules_come_with_pictures_of_a_turn(sim: Simulation, game: str) -> None:
    """First in short, with a hand on which things are explained; then the turn in full, with the table."""
    (alice,) = sim.join_server("alice")
    cursor = sim.cursor
    said = await sim.slash(alice, "rules", game=game)
    (answer,) = sim.shown(cursor)
    assert answer.viewer == alice.id
    (hand,) = pictures_of(answer.body)
    labels = Labels(("A",) * max(GAMES[game].seats), texts("en", game))
    things = [text.partition(":")[0] for key, text in labels.texts.items() if key.startswith("callout.")]
    assert sum(f"{thing}:" in hand for thing in things) >= 4 or game not in PUBLISHED, "as its description, too"
    assert len(hand) <= 1024
    assert said.index("An example") > said.index(renderer(game).summary(labels)) > said.index(GAMES[game].title)
    shown = await alice.slash(sim.channel, "rules", game=game)
    assert sim.said(shown) == said, "again, from memory"
    cursor = sim.cursor
    turn = sim.said(await sim.press(alice, shown.response, "Your turn in full"))
    (answer,) = sim.shown(cursor)
    (table,) = pictures_of(answer.body)
    assert table != hand or not conservation_of(GAMES[game]).REDEALS_DIFFER, "a game without secrets may say the same"
    assert "An example" in turn and turn != said
    pictures = list(sim.files.values())
    assert all(len(png) <= MOST_FILE_BYTES for png in pictures)
    # Through the button of a lobby.
    await sim.slash(alice, "play", game=game)
    assert "An example" in sim.said(await sim.press(alice, sim.board(), "Rules"))


def pictures_of(body: Any) -> list[str]:
    galleries = [part for part in components(body) if part["type"] == GALLERY]
    return [item["description"] for gallery in galleries for item in gallery["items"]]


@pytest.mark.games("game", short=["sea_change"], long=PUBLISHED)
async def test_pages_of_the_rules_are_turned_in_place(sim: Simulation, game: str) -> None:
    """All of the rules is there, and forged pages lead to the first one, or to a refusal."""
    (alice,) = sim.join_server("alice")
    shown = await alice.slash(sim.channel, "rules", game=game)
    first, found = sim.said(shown), Labels(("A",) * max(GAMES[game].seats), texts("en", game))
    turn, more = renderer(game).rules_pages(GAMES[game].deck, found)
    assert turn in sim.said(await sim.press(alice, shown.response, "Your turn in full"))
    assert more in sim.said(await sim.press(alice, shown.response, f"1/0/rulebook//{game}/more"))
    assert sim.said(await sim.press(alice, shown.response, f"1/0/rulebook//{game}/short")) == first
    await sim.slash(alice, "play", game=game)
    assert await sim.forge(alice, f"1/0/rulebook//{game}/nonsense") == first
    assert turn in await sim.forge(alice, "1/1/rulebook//other/turn"), "the match says which game"
    said = await sim.forge(alice, "1/0/rulebook//no_game/turn")
    assert said.strip() == texts("en")["refused.no_game"]


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
    said: list[list[str]] = []
    for number in range(2):
        await Table.open(sim, "sea_change", people, seed=f"{number}", options=shortest_options("sea_change", 2))
        await sim.press(people[0], sim.board(), "Start")
        pages = [await sim.press(people[0], sim.board(), "Rules")]
        for page in ("turn", "more"):
            pages.append(await sim.press(people[0], pages[0].response, f"1/{number + 1}/rulebook//sea_change/{page}"))
        said.append([sim.said(page) for page in pages])
    assert said[0] == said[1]
    by, found = renderer("sea_change"), sim.bot.app.messages.labels(await sim.match())
    for page, text in zip(by.rules_pages(GAMES["sea_change"].deck, found), said[0][1:], strict=True):
        assert page in text
