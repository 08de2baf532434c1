"""While requests are scarce, hands of players who are not to move wait; tables, pings and all other hands do not."""

from __future__ import annotations

import asyncio

import pytest

from cogs.messages.drawing import Drawing
from cogs.transport import request_budget, table_message
from cogs.workers.jobs import Job
from data.records.post_rows import TABLE, place_of
from tests.cogs.test_motion import drawn_behind, moves, opened
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.simulation import Simulation
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


class Scarcity:
    """Whether requests are scarce, as the test says."""

    def __init__(self) -> None:
        self.now, self.asked = False, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.now


@pytest.fixture
def scarce(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> Scarcity:
    found = Scarcity()
    monkeypatch.setattr(request_budget, "LOOK", 3600.0)  # the simulated Discord waits until nothing happens any more
    sim.app.publisher.postponed.is_scarce = found
    sim.app.publisher.shown.table.is_scarce = found
    return found


async def behind(sim: Simulation, number: int) -> set[int]:
    """Return the places whose posts do not show the stored match."""
    match = await sim.service.load(number)
    return {place_of(post) for post in await sim.service.posts.of(number) if post.shown < match.version}


async def test_the_hand_of_a_player_who_is_not_to_move_waits_until_requests_are_left(
    sim: Simulation, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", "carol"), seed="few")
    await sim.caught_up()
    match, state = await table.now()
    assert await behind(sim, match.id) == set()
    first = min(state.to_move())
    scarce.now = True
    await table.decide(sim.by_id(match.chairs[first].user))
    await sim.caught_up()
    match, state = await table.now()
    (second,) = state.to_move()
    (third,) = {0, 1, 2} - {first, second}
    assert await behind(sim, match.id) == {third}, "the table and the hand that is asked are shown"
    await table.decide(sim.by_id(match.chairs[second].user))
    await sim.caught_up()
    match, state = await table.now()
    assert state.to_move() == {third}
    assert third not in await behind(sim, match.id), "now it is that player's turn"
    assert TABLE not in await behind(sim, match.id)
    waiting = sim.app.publisher.postponed
    assert await behind(sim, match.id)
    assert len(waiting) == 1
    await waiting.close()
    monkeypatch.setattr(request_budget, "LOOK", 0.01)
    waiting.put(match.id)
    asked = scarce.asked
    assert await until(lambda: scarce.asked > asked + 3)
    assert len(waiting) == 1, "requests are still scarce"
    scarce.now = False
    assert await until(lambda: not len(waiting))
    for _ in range(int(HUNG * 100)):
        if not await behind(sim, match.id):
            break
        await asyncio.sleep(0.01)
    assert await behind(sim, match.id) == set()
    sim.check()


async def test_a_match_with_a_hand_that_waits_is_not_given_back_as_shown(
    sim: Simulation, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled = list[tuple[int, int]]()
    monkeypatch.setattr(
        sim.app.publisher.holdings, "settled", lambda match, version, _: settled.append((match, version))
    )
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob", "carol"), seed="holder")
    await sim.caught_up()
    match, state = await table.now()
    assert (match.id, match.version) in settled
    scarce.now = True
    await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    await sim.caught_up()
    match, _ = await table.now()
    assert await behind(sim, match.id)
    assert (match.id, match.version) not in settled, "if this process is killed now, another one must show that hand"
    scarce.now = False
    sim.app.publisher.changed(match.id)
    await sim.caught_up()
    assert (match.id, match.version) in settled
    sim.check()


async def test_what_waits_is_not_given_back_as_shown_when_its_turn_comes(
    sim: Simulation, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for a place among what is late, while its worker shows an older change."""
    settled, publisher = list[int](), sim.app.publisher
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="turn")
    await sim.caught_up()
    monkeypatch.setattr(publisher.holdings, "settled", lambda match, version, _: settled.append(version))
    number = (await table.now())[0].id
    publisher.late[number] = None
    publisher.show_soon(number, int)
    await sim.caught_up()
    assert settled == []
    publisher.late.clear()
    publisher.show_soon(number, int)
    await sim.caught_up()
    assert settled


async def test_a_bot_that_ends_still_knows_what_waits(
    sim: Simulation, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_budget, "LOOK", 0.0)
    waiting = sim.app.publisher.postponed
    scarce.now = True
    waiting.put(1)
    await sim.app.publisher.drain(0.0)
    scarce.now = False
    await asyncio.sleep(0.05)
    assert 1 in waiting, "otherwise the match would be given back as shown"
    waiting.put(2)
    await asyncio.sleep(0.05)
    assert 2 in waiting


async def test_the_end_is_shown_to_all_at_once(sim: Simulation, scarce: Scarcity) -> None:
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="end")
    match, state = await table.now()
    await sim.caught_up()
    scarce.now = True
    await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))
    await sim.app.lobby.cancel(match.id, match.host, manager=True)
    await sim.caught_up()
    assert await behind(sim, match.id) == set()
    sim.check()


async def test_no_history_is_read_to_find_a_buried_table(
    sim: Simulation, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_message, "BURIED", 0)
    table = await Table.begin(sim, "sea_change", sim.join_server("alice", "bob"), seed="buried")
    await sim.caught_up()
    before = sim.board().id
    scarce.now = True
    await table.decide(await table.mover())
    await sim.caught_up()
    assert sim.board().id == before, "it is edited in place"
    scarce.now = False
    await table.decide(await table.mover())
    await sim.caught_up()
    assert sim.board().id != before


async def test_a_picture_that_moves_waits_until_requests_are_left(
    sim: Simulation, siege: Table, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch
) -> None:
    scarce.now = True
    await opened(sim, siege)
    await sim.caught_up()
    assert not moves(sim)
    waiting = sim.app.publisher.postponed
    assert len(waiting) == 1
    await waiting.close()
    monkeypatch.setattr(request_budget, "LOOK", 0.01)
    scarce.now = False
    waiting.put(1)
    assert await until(lambda: moves(sim))


@pytest.mark.parametrize("is_scarce", [True, False])
async def test_a_table_whose_picture_does_not_move_yet_is_not_given_back_as_shown(
    sim: Simulation, siege: Table, scarce: Scarcity, monkeypatch: pytest.MonkeyPatch, is_scarce: bool
) -> None:
    """If this process ends now, another one must show the picture that moves: nothing else says that it is missing."""
    settled, busy, publisher, behind = list[tuple[int, bool]](), list[bool](), sim.app.publisher, Drawing.picture_behind
    number = (await siege.now())[0].id

    async def drawn(drawing: Drawing, job: Job) -> bytes:
        assert await until(lambda: number not in publisher.workers)  # it pauses after it has edited the table
        busy.append(publisher.is_busy(number))
        return await behind(drawing, job)

    monkeypatch.setattr(Drawing, "picture_behind", drawn)
    monkeypatch.setattr(publisher.holdings, "settled", lambda _, version, __: settled.append((version, moves(sim))))
    scarce.now = is_scarce
    await opened(sim, siege)
    await sim.caught_up()
    version = (await siege.now())[0].version
    if is_scarce:
        assert not moves(sim) and version not in dict(settled)
        assert publisher.is_busy(number), "else it is given back after some seconds"
        await publisher.postponed.close()
        scarce.now = False
        publisher.later(number)
    await drawn_behind(sim)
    assert await until(lambda: version in dict(settled))
    assert {moving for of, moving in settled if of == version} == {True}, "it was settled before it moved"
    assert all(busy), "else it is given back while a picture is drawn"
    assert not publisher.is_busy(number)
    sim.check()
