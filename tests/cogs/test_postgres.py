"""The whole bot on PostgreSQL: matches are played, survive a restart, and end; a user's data is deleted."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.transport import hand_replies, table_message
from data.records.match import Status
from data.store import postgres, postgres_connection, schema
from tests.support.simulation import Simulation
from tests.support.table import Table, fewest_seats, shortest_options

pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def database_url(url: str) -> str:
    return url


async def test_a_match_is_played_to_its_end_over_a_restart(sim: Simulation) -> None:
    slug = "sea_change"
    people = sim.join_server("alice", "bob")
    assert len(people) == fewest_seats(slug)
    table = await Table.begin(sim, slug, people, seed="ebb", options=shortest_options(slug, 2))
    await table.play(lambda match, state: match.moves >= 3)
    await sim.restart()
    ended = await table.play()
    assert ended.status is Status.OVER
    assert await sim.app.service.log(ended.id)


async def test_a_match_alone_is_played_over_a_restart(sim: Simulation) -> None:
    """From its lobby in direct messages, in one message, to its end in its player's history."""
    (alice,) = sim.join_server("alice")
    sim.said(await alice.user.slash("play", game="full_circle"))
    await sim.caught_up()
    for what, value in (("1/1/option//computers", "2"), ("1/1/option//target", "10"), ("Start", None)):
        await sim.press(alice, sim.hand(alice), what, value)
    hand = sim.hand(alice).id
    await sim.restart()
    ended = await sim.match()
    own = {ended.seat_of(alice.id)}
    while ended.open:
        ended = await sim.play_on(1, until=lambda state: state.to_move() != own)
    assert ended.status is Status.OVER and len(ended.chairs) == 3 and sim.hand(alice).id == hand
    assert "table 1" in sim.said(await alice.user.slash("history"))
    await sim.database.write(schema.mark_restored)
    await sim.restart()
    assert (await sim.match()).doubt is None


async def test_a_press_makes_few_journeys_to_the_database(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a server 30 ms away each takes as long, one after the other. Counted: each wait for an answer."""
    journeys, seen = [0], dict[str, int]()
    waits, stores = postgres_connection._Cursor._fetch_pipeline, postgres.write

    def wait(cursor: Any) -> None:
        journeys[0] += cursor.pgresult is None
        waits(cursor)

    def store(*given: Any) -> Any:
        before = journeys[0]
        stored = stores(*given)
        journeys[0] += 1 + (journeys[0] == before)  # the COMMIT; before it an answer, if none was waited for
        return stored

    def note(module: Any, name: str, what: str) -> None:
        real = getattr(module, name)

        def noted(*given: Any) -> Any:
            seen.setdefault(what, journeys[0])
            return real(*given)

        monkeypatch.setattr(module, name, noted)

    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", "carol"), seed="far")
    await table.play(lambda match, state: match.moves >= 1)
    _, person, _ = await table.asked()
    monkeypatch.setattr(postgres_connection._Cursor, "_fetch_pipeline", wait)
    monkeypatch.setattr(postgres, "write", store)
    note(hand_replies, "edit_own", "the player's own hand")
    note(table_message, "edit", "the table")
    await table.decide(person)
    await sim.env.settle()
    print(seen, journeys)
    assert seen["the player's own hand"] <= 8
    assert seen["the table"] <= 20
