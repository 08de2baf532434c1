"""Limits of how much is asked for: floods are held off, and a move that is due never is."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.runtime.rate_limits import MOST_KEPT, PERSON, SERVER
from cogs.transport.interactions import Asked, RateLimits, asked_by_command
from cogs.transport.router import Press
from rules.core.game import Seat
from tests.support.languages import speak
from tests.support.simulation import Simulation
from tests.support.table import DM, MY_HAND, WORDS, Table

pytestmark = pytest.mark.usefixtures("plain")


def still() -> float:
    """A clock that stands still."""
    return 1000.0


def interaction(data: Any) -> Any:
    """What discord.py passes on of a press or a command, as far as the bot reads it here."""
    return SimpleNamespace(data=data, message=None, guild_id=1)


# The buckets.


def test_a_bucket_empties_and_fills_up_again() -> None:
    now = [1000.0]
    limits = RateLimits(lambda: now[0])
    most, seconds = PERSON["ask"]
    assert [limits.wait("ask", 1, None) for _ in range(most)] == [0.0] * most
    assert limits.wait("ask", 1, None) == pytest.approx(seconds)
    assert limits.wait("ask", 2, None) == 0.0, "another person's is another"
    now[0] += seconds
    assert limits.wait("ask", 1, None) == 0.0
    assert limits.wait("ask", 1, None) > 0
    now[0] += 1e6
    assert [limits.wait("ask", 1, None) for _ in range(most + 1)][-1] > 0, "it never holds more than at first"


@pytest.mark.parametrize("kind", ["picture", "open"])
def test_what_costs_more_has_a_bucket_of_its_own(kind: Any) -> None:
    limits = RateLimits(still)
    assert [limits.wait(kind, 1, 9) > 0 for _ in range(PERSON[kind].most + 1)] == [False] * PERSON[kind].most + [True]
    assert limits.wait("ask", 1, 9) == 0.0, "all else is still there to be asked for"


@pytest.mark.parametrize("kind", ["ask", "picture", "open"])
def test_a_server_has_its_share_and_another_server_its_own(kind: Any) -> None:
    limits = RateLimits(still)
    most = SERVER[kind].most
    assert [limits.wait(kind, user, 9) for user in range(most)] == [0.0] * most
    assert limits.wait(kind, most + 1, 9) > 0
    assert limits.wait(kind, most + 1, 8) == 0.0


@pytest.mark.parametrize("kind", ["hand", "complete", "open"])
def test_nothing_else_empties_the_way_to_a_move(kind: Any) -> None:
    limits = RateLimits(still)
    for other in ("ask", "picture", "delete", "move"):
        while not limits.wait(other, 1, 9):
            pass
    for user in range(2, 2 + SERVER["ask"].most):
        limits.wait("ask", user, 9)
    assert [limits.wait(kind, 1, 9) > 0 for _ in range(PERSON[kind].most + 1)] == [False] * PERSON[kind].most + [True]


ROUTES = [
    ({"custom_id": "1/7/pick//", "values": ["m/B7"]}, "move", "move"),
    ({"custom_id": "1/7/pick//", "values": ["p/B"]}, "path", "hand"),
    ({"custom_id": "1/7/hand//"}, "hand", "hand"),
    ({"custom_id": "1/7/here//"}, "here", "hand"),
    ({"custom_id": "1/7/play//"}, "play", "hand"),
    ({"custom_id": "1/0/play//", "values": ["7"]}, "play", "hand"),
    ({"custom_id": "1/7/next//"}, "next", "hand"),
    ({"custom_id": "1/7/again//"}, "again", "ask"),
    ({"custom_id": "1/7/cut//"}, "cut", "ask"),
    ({"custom_id": "1/0/data//export"}, "data/export", "picture"),
    ({"custom_id": "1/0/data//delete"}, "data/delete", "delete"),
    ({"custom_id": "1/0/data//ask"}, "data", "ask"),
    ({"custom_id": "1/7/pick//"}, None, None),
    ({"custom_id": "1/7/nonsense//"}, None, None),
]
"""What is pressed, its action and its rate; None: it has no meaning."""


async def test_each_press_has_one_route_and_its_rate(sim: Simulation) -> None:
    router = sim.bot.app.router
    for data, action, rate in ROUTES:
        route = router.route(Press.of(interaction(data)))
        assert route is router.routes.get(action), data
        assert (route and route.rate) == rate, data


def test_what_this_bot_never_made_is_no_press() -> None:
    assert Press.of(interaction({"custom_id": "nonsense"})) is None
    assert Press.of(interaction({})) is None


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"name": "hand"}, "hand"),
        ({"name": "play"}, "ask"),
        ({"name": "move", "options": [{"name": "table", "value": 7}]}, "move"),
        ({"name": "move", "options": [{"name": "table", "value": "7"}]}, "move"),
        ({}, "ask"),
    ],
)
def test_what_a_command_asks_for_is_told_by_its_name(data: Any, kind: str) -> None:
    assert asked_by_command(interaction(data)).kind == kind


def test_a_command_names_its_table_by_a_number_alone() -> None:
    options: list[dict[str, Any]] = [{"name": "table", "value": 7}, {"name": "move", "value": "play B1"}]
    given = interaction({"name": "move", "options": options})
    assert asked_by_command(given) == Asked("move", 7, text="play B1")
    options[0]["value"] = "7"
    assert asked_by_command(given) == Asked("move", None, text="play B1")


def test_what_is_refused_to_one_is_not_counted_against_the_server() -> None:
    limits = RateLimits(still)
    for _ in range(10 * SERVER["ask"].most):
        limits.wait("ask", 1, 9)
    assert limits.wait("ask", 2, 9) == 0.0


def test_memory_is_bounded() -> None:
    limits = RateLimits(still)
    for user in range(MOST_KEPT + 100):
        limits.wait("ask", user, None)
    assert len(limits) == MOST_KEPT


def test_without_a_clock_nothing_is_counted() -> None:
    limits = RateLimits()
    assert not any(limits.wait("open", 1, 9) for _ in range(1000))
    assert len(limits) == 0


# The bot.


@pytest.fixture
def sim(limited: Simulation) -> Simulation:
    return limited


async def test_a_flood_is_held_off_and_moves_that_are_due_go_through(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "carol")
    table = await Table.begin(sim, "siege_of_sunfall", people, seed="flood")
    alice, bob, _ = people
    cursor, board = sim.cursor, sim.board().id
    flood = [sim.raw_press(alice, "1/1/log//0", message=board) for _ in range(200)]
    await sim.env.settle()
    said = [sim.said(result) for result in flood if result.acknowledged]
    refused = [text for text in said if "too fast" in text]
    assert 0 < len(said) - len(refused) <= PERSON["picture"].most
    assert len(refused) == PERSON["told"].most
    assert all(re.search(r"<t:\d+:R>", text) for text in refused)
    # Each answer is an acknowledgement and a message, and what is not answered costs nothing.
    assert len(sim.env.http_requests) - cursor <= 3 * len(said)
    before = (await sim.match()).moves
    for person in (alice, bob):  # the flooder's own move, which is due, and another's
        assert "✓ Done: " in sim.said(await table.decide(person))
    assert (await sim.match()).moves == before + 2
    assert "· log" in await sim.slash(bob, "log")
    sim.env.backend.advance_clock(60)
    again = sim.raw_press(alice, "1/1/log//0", message=board)
    await sim.env.settle()
    assert "too fast" not in sim.said(again)


async def test_a_typed_move_that_is_due_goes_through_and_one_that_is_not_is_counted(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob")
    table = await Table.begin(sim, "sea_change", people, seed="typed")
    _, awaited, _ = await table.asked()
    other = next(person for person in people if person is not awaited)
    choice = (await awaited.autocomplete(sim.channel, "move", "move", ""))[0]
    for person in people:
        drain(sim, person, "ask", "hand", "complete")
    assert "too fast" in await sim.slash(other, "move", move="nonsense")
    assert "too fast" in await sim.slash(awaited, "move", move="nonsense")
    said = await sim.slash(awaited, "move", move=choice["value"])
    assert "✓ Done: " in said


async def test_an_awaited_player_floods_as_little_as_others(sim: Simulation) -> None:
    """By moves that cannot be made now: illegal ones, of another turn, or in words, which no button holds."""
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="due")
    _, awaited, turn = await table.asked()
    match = await sim.match()
    words = sim.bot.app.messages.move_labels(match, awaited.id, "en-US")
    legal, word = next((text, word) for text, word in words.items() if text != word)
    drain(sim, awaited, "ask")
    board, cursor = sim.board().id, sim.cursor
    for rest in (f"{turn}/play Z99", f"9.9/{legal}", f"{turn}/{word}"):
        for _ in range(30):
            sim.raw_press(awaited, f"1/1/move/{rest}", message=board)
    await sim.env.settle()
    assert len(sim.env.http_requests) - cursor <= 3 * PERSON["told"].most
    assert (await sim.match()).moves == match.moves
    assert "✓ Done: " in await sim.forge(awaited, f"1/1/move/{turn}/{legal}")


async def test_a_move_that_may_belong_to_two_tables_is_counted(sim: Simulation) -> None:
    """The bot makes it at neither table, so both still wait for it, and it could be sent for ever. A press that names
    no table does not count as a move at a table either.
    """
    people = sim.join_server("alice", "bob")
    for _ in range(2):
        await Table.begin(sim, "siege_of_sunfall", people, seed="two", computers=1)
    alice, elsewhere = people[0], sim.guild.create_text_channel("elsewhere")
    turn = sim.service.turn(await sim.match(1), Seat((await sim.match(1)).seat_of(alice.id) or 0))
    assert "Which table?" in await sim.slash(alice, "move", elsewhere, move="pledge 1")
    drain(sim, alice, "ask")
    board, cursor = sim.board().id, sim.cursor
    for _ in range(30):
        await alice.slash(elsewhere, "move", move="pledge 1")
        sim.raw_press(alice, f"1/0/move/{turn}/pledge 1", message=board)
    await sim.env.settle()
    assert len(sim.env.http_requests) - cursor <= 3 * PERSON["told"].most
    assert "✓ Done: " in await sim.slash(alice, "move", elsewhere, move="pledge 1", table=1)


def drain(sim: Simulation, person: Any, *kinds: Any) -> None:
    """Ask for so much that nothing more is given."""
    for kind in kinds:
        while not sim.bot.app.interactions.limits.wait(kind, person.id, sim.guild.id):
            pass


async def test_a_flood_leaves_the_hand_and_takes_the_lists_while_typing(
    sim: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = sim.join_server("alice", "bob")
    alice, bob = people
    table = await Table.open(sim, "sea_change", people, seed="lists")
    drain(sim, alice, "ask")
    said = sim.said(await sim.press(alice, sim.board(), "Cut the deck"))
    assert "too fast" in said, "a form is an answer too"
    sim.env.backend.advance_clock(60)
    await table.start()
    drain(sim, alice, "ask", "picture", "open")
    assert "too fast" in sim.said(await alice.slash(sim.channel, "help"))
    shown = await sim.press(alice, sim.board(), "My hand")
    assert shown.response.ephemeral and "too fast" not in sim.said(shown)
    assert "too fast" not in await sim.slash(alice, "hand")
    assert await alice.autocomplete(sim.channel, "hand", "table", "")
    drain(sim, alice, "complete")
    for command, option in (("hand", "table"), ("move", "move"), ("hours", "zone"), ("relocate", "table")):
        assert await alice.autocomplete(sim.channel, command, option, "") == [], command
    assert await bob.autocomplete(sim.channel, "hours", "zone", ""), "another's lists are theirs"
    # The refusal is told to no other player, and in the person's own language.
    drain(sim, bob, "ask")
    before = len(sim.public())
    speak(monkeypatch, lambda user: "de")
    said = await sim.slash(bob, "help")
    assert "Das ging zu schnell" in said
    assert len(sim.public()) == before
    assert 'result="too_much"} 3' in sim.bot.metrics.text({})


async def test_who_plays_as_fast_as_they_can_meets_no_limit(sim: Simulation) -> None:
    """A press each second and more, at the table, by direct message and in words, with looks at everything between."""
    people = sim.join_server("alice", "bob", "carol")
    ways = dict(zip(("alice", "bob", "carol"), (DM, MY_HAND, WORDS), strict=True))
    table = await Table.begin(sim, "siege_of_sunfall", people, seed="fast", ways=ways)
    for at in range(12):
        await table.step(*await table.now())
        sim.env.backend.advance_clock(1)
        person = people[at % 3]
        for look in ("log", "hand", "board"):
            await sim.slash(person, look)
        sim.env.backend.advance_clock(2)
    assert 'result="too_much"} 0.0' in sim.bot.metrics.text({})


async def test_a_server_that_asks_for_much_keeps_no_player_from_a_move_that_is_due(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "carol")
    await Table.begin(sim, "siege_of_sunfall", people, seed="server")
    for user in range(1, SERVER["ask"].most + 1):
        sim.bot.app.interactions.limits.wait("ask", user, sim.guild.id)
    assert "too fast" in await sim.slash(people[0], "help")
    choice = (await people[0].autocomplete(sim.channel, "move", "move", ""))[0]
    assert "✓ Done: " in await sim.slash(people[0], "move", move=choice["value"])
    await people[1].user.click(sim.hand(people[1]), custom_id="1/1/lookups//")
    pressed = await people[1].user.click(sim.hand(people[1]), custom_id="1/1/log//")
    assert "too fast" not in sim.said(pressed), "in direct messages no server is asked"
