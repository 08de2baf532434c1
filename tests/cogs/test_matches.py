"""Whole matches from /play to the final score, by every way in which a person can decide."""

from __future__ import annotations

import pytest

from tests.support.simulation import Simulation
from tests.support.table import DM, MY_HAND, WORDS, Table, plain_pictures

ONE_ROUND = {"target": "1"}


async def to_the_end(table: Table) -> None:
    await table.start()
    await table.play()
    await table.check_end()


async def test_sea_change_by_direct_message_with_real_pictures(sim: Simulation) -> None:
    people = sim.join_server("alice", "bob", "carol", "dave")
    await to_the_end(await Table.open(sim, "sea_change", people, seed="a tide", options=ONE_ROUND))


async def test_siege_by_direct_message(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_pictures(monkeypatch)
    people = sim.join_server("alice", "bob", "carol")
    await to_the_end(await Table.open(sim, "siege_of_sunfall", people, seed="a siege"))


@pytest.mark.parametrize("game", ["sea_change", "siege_of_sunfall"])
async def test_with_closed_direct_messages(sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    plain_pictures(monkeypatch)
    people = sim.join_server("alice", "bob", "carol", "dave")
    sim.close_dms(*people)
    options = ONE_ROUND if game == "sea_change" else {}
    ways = dict.fromkeys(sim.people, MY_HAND)
    table = await Table.open(sim, game, people, seed="closed", ways=ways, options=options)
    assert "hand through *My hand*" in "\n".join(sim.visible(people[0]))
    await to_the_end(table)


@pytest.mark.parametrize(("game", "names"), [("sea_change", ("alice", "bob")), ("siege_of_sunfall", "abc")])
async def test_in_words(sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str, names: tuple[str, ...]) -> None:
    plain_pictures(monkeypatch)
    people = sim.join_server(*names)
    options = ONE_ROUND if game == "sea_change" else {}
    await to_the_end(
        await Table.open(sim, game, people, seed="words", ways=dict.fromkeys(sim.people, WORDS), options=options)
    )


@pytest.mark.parametrize("game", ["sea_change", "siege_of_sunfall"])
async def test_four_seats_two_of_them_computers(sim: Simulation, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    plain_pictures(monkeypatch)
    people = sim.join_server("alice", "bob")
    options = ONE_ROUND if game == "sea_change" else {}
    ways = {"alice": DM, "bob": MY_HAND}
    await to_the_end(
        await Table.open(sim, game, people, seed="four", computers=2, ways=ways, options={**options, "place": "thread"})
    )


async def test_sea_change_alone_against_the_tide(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_pictures(monkeypatch)
    people = sim.join_server("alice")
    await to_the_end(await Table.open(sim, "sea_change", people, seed="alone", options=ONE_ROUND))


async def test_sea_change_in_teams(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    plain_pictures(monkeypatch)
    people = sim.join_server("alice", "bob", "carol", "dave")
    options = {"teams": "2v2", **ONE_ROUND}
    ways = {"alice": DM, "bob": MY_HAND, "carol": WORDS, "dave": DM}
    await to_the_end(await Table.open(sim, "sea_change", people, seed="teams", ways=ways, options=options))


async def test_restarts_lose_nothing_and_show_nothing_twice(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the lobby, on the way, and while some have sealed and some have not: the old buttons go on working."""
    plain_pictures(monkeypatch)
    people = sim.join_server("alice", "bob", "carol")
    table = await Table.open(sim, "siege_of_sunfall", people, seed="restarts")

    async def restart() -> None:
        cursor, standing = sim.cursor, [list(sim.visible(person)) for person in people]
        await sim.restart()
        assert not sim.shown(cursor)
        assert standing == [list(sim.visible(person)) for person in people]

    await restart()
    await table.start()
    await restart()
    for sealed in (1, 2, 1, 2):
        cursor = (await table.now())[0].moves
        match = await table.play(lambda m, s, n=sealed, c=cursor: m.moves > c and len(s.view(None).sealed) == n)
        assert len((await table.now())[1].to_move()) == 3 - sealed or match.moves > cursor
        await restart()
    await table.play(lambda match, state: state.view(None).round == 3)
    match, _ = await table.now()
    assert (await sim.host.matches.moves(1))[-1].number == match.moves - 1
