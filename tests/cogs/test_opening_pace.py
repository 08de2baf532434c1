"""How fast a user opens tables: what really opens counts, once, and who waits as long as told opens the next."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cogs.match.alone import end_private
from cogs.runtime.rate_limits import PERSON, SERVER
from rules import GAMES
from tests.support.simulation import Simulation, raw, words

pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def sim(limited: Simulation) -> Simulation:
    return limited


def drain(sim: Simulation, person: Any) -> None:
    """Open so much, by the count, that nothing more may be opened."""
    while not sim.bot.app.interactions.limits.wait("open", person.id, None):
        pass


async def test_tables_are_opened_a_few_at_a_time(sim: Simulation) -> None:
    alice, bob = sim.join_server("alice", "bob")
    said = [await sim.slash(alice, "play", game="sea_change") for _ in range(PERSON["open"].most + 1)]
    assert not [text for text in said[:-1] if "many tables" in text]
    assert "You have opened many tables" in said[-1]
    assert len(await sim.matches.index.open_in(sim.guild.id)) == PERSON["open"].most
    assert "many tables" not in await sim.slash(bob, "play", game="sea_change")
    await sim.restart()
    assert "many tables" not in await sim.slash(alice, "play", game="sea_change"), "a restart forgets"


async def test_a_flood_at_once_opens_no_more(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    asked = await alice.slash(sim.channel, "play")
    sim.env.backend.advance_clock(10)
    for _ in range(2 * PERSON["open"].most):
        sim.raw_press(alice, "1/0/table//sea_change", message=asked.response.id)
    await sim.env.settle()
    assert len(await sim.matches.index.open_in(sim.guild.id)) == PERSON["open"].most


def seconds_left(sim: Simulation, said: str) -> int:
    """How long a refusal tells its reader to wait."""
    told = re.search(r"<t:(\d+):R>", said)
    assert told is not None, said
    return int(told[1]) - int(sim.service.now())


async def end_all(sim: Simulation, person: Any) -> None:
    for match in await sim.matches.index.of_player(person.id):
        if match.private:
            await end_private(sim.service, match.id)


async def chosen(sim: Simulation, person: Any, action: str, game: str) -> str:
    """Type `/play` in the server and choose a game in the menu of that action; return the answer."""
    asked = await person.slash(sim.channel, "play")
    return sim.said(await sim.press(person, asked.response, f"1/0/at//{action}", f"1/0/{action}//{game}"))


@pytest.mark.parametrize("action", ["table", "open"])
async def test_who_waits_as_long_as_told_opens_the_next(sim: Simulation, action: str) -> None:
    """Neither the menu nor what was refused takes anything of what they wait for."""
    (alice,) = sim.join_server("alice")
    for at in range(PERSON["open"].most + 3):
        sim.env.backend.advance_clock(1)
        said = await chosen(sim, alice, action, "sea_change")
        assert ("You have opened many tables" in said) is (at >= PERSON["open"].most)
        if at >= PERSON["open"].most:
            sim.env.backend.advance_clock(seconds_left(sim, said))
            assert "many tables" not in await chosen(sim, alice, action, "sea_change")
        await end_all(sim, alice)


async def test_to_go_on_is_not_to_open(sim: Simulation) -> None:
    """A lesson, and a match alone without a move, are shown again as often as wanted."""
    (alice,) = sim.join_server("alice")
    await sim.slash(alice, "learn", game="sea_change")
    await sim.slash(alice, "play", game="sea_change")
    drain(sim, alice)
    for _ in range(3):
        sim.env.backend.advance_clock(1)
        assert "many tables" not in await sim.slash(alice, "learn", game="sea_change")
    drain(sim, alice)
    assert "You have opened many tables" in await sim.slash(alice, "learn", game="full_circle")


async def test_others_keep_nobody_from_a_match_alone(sim: Simulation) -> None:
    (alice,) = sim.join_server("alice")
    for user in range(1, SERVER["open"].most + 1):
        sim.bot.app.interactions.limits.wait("open", user, sim.guild.id)
    here = await chosen(sim, alice, "table", "sea_change")
    assert "in this server" in here and "You have" not in here
    sim.env.backend.advance_clock(1)
    assert "many tables" not in (await chosen(sim, alice, "open", "sea_change")).lower()
    assert [match.guild for match in await sim.matches.index.of_player(alice.id)] == [0]


async def test_an_evening_of_trying_everything_meets_no_limit(sim: Simulation) -> None:
    """A lesson of each game and a match of each, a minute and a half for each, and then one after the other."""
    (alice,) = sim.join_server("alice")
    for game in (*GAMES, *GAMES):
        for _ in range(2):
            sim.env.backend.advance_clock(45)
            said = sim.said(await alice.user.slash("learn", game=game))
            said += sim.said(await alice.user.slash("play", game=game))
            assert "many tables" not in said, game
        await end_all(sim, alice)
    assert 'result="too_much"} 0.0' in sim.bot.metrics.text({})


@pytest.mark.parametrize("action", ["table", "open", "learn"])
async def test_a_menu_whose_choice_is_refused_asks_again(sim: Simulation, action: str) -> None:
    """It says why, and a client shows what it asks without the choice: the same game can be chosen there later."""
    (alice,) = sim.join_server("alice")
    drain(sim, alice)
    sim.env.backend.advance_clock(1)
    asked = await alice.slash(sim.channel, "play" if action != "learn" else "help")
    menu = asked.response
    if action == "learn":
        await sim.press(alice, menu, "1/0/help//learn")
    before, choice = sim.cursor, f"1/0/{action}//sea_change"
    refused = sim.said(await sim.press(alice, menu, f"1/0/at//{action}", choice))
    assert "You have opened many tables" in refused
    assert [shown.method for shown in sim.shown(before)] == ["PATCH"], "in the menu, which is the only answer"
    assert "You have opened many tables" in "\n".join(words(raw(menu.message)))
    sim.env.backend.advance_clock(seconds_left(sim, refused))
    assert "many tables" not in sim.said(await sim.press(alice, menu, f"1/0/at//{action}", choice))
    assert len(await sim.matches.index.of_player(alice.id)) == 1
