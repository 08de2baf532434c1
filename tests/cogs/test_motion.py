"""At a moment that is worth it the table's picture moves, unless the server or somebody at the table wants it still."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from cogs.match.table_options import set_seat_preferences
from cogs.messages.drawing import Drawing
from cogs.workers.jobs import Job, Result
from cogs.workers.pool import Urgency, urgency
from cogs.workers.process import WorkerFault
from data.records.people import PictureWish
from data.records.post_rows import TABLE, place_of
from tests.support.simulation import Simulation, raw
from tests.support.table import Table

pytestmark = pytest.mark.usefixtures("plain")


def moves(sim: Simulation) -> bool:
    return "table.webp" in json.dumps(raw(sim.board()))


async def opened(sim: Simulation, table: Table) -> None:
    """Everybody pledges, and the pledges are opened."""
    _, before = await table.now()
    while True:
        match, state = await table.now()
        if state.view(None).last_reveal != before.view(None).last_reveal:
            return
        await table.decide(sim.by_id(match.chairs[min(state.to_move())].user))


async def drawn_behind(sim: Simulation) -> None:
    """Wait for what is drawn behind all else, and until it is shown."""
    while tasks := list(sim.app.publisher.moving):
        await asyncio.gather(*tasks)
        await sim.caught_up()


async def test_opened_pledges_move_until_the_next_decision(sim: Simulation, siege: Table) -> None:
    assert not moves(sim)
    await opened(sim, siege)
    await drawn_behind(sim)
    assert moves(sim)
    await sim.restart()
    assert moves(sim), "the same picture after a restart"
    await siege.decide(await siege.mover())
    assert not moves(sim)
    sim.check()


async def test_a_hidden_change_stops_no_picture(sim: Simulation, siege: Table) -> None:
    """Also after a restart, which forgets what was drawn: that edit would tell of the change."""
    await opened(sim, siege)
    await drawn_behind(sim)
    await sim.restart()
    cursor = sim.cursor
    await set_seat_preferences(sim.service, 1, siege.people[0].id, lambda chair: replace(chair, plays_forced=True))
    await sim.caught_up()
    await drawn_behind(sim)
    assert moves(sim) and not [shown for shown in sim.shown(cursor) if shown.viewer is None]


async def test_a_table_that_did_not_move_before_the_bot_ended_moves_once_it_is_back(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ended(number: int) -> None:
        """The bot ends before that."""

    monkeypatch.setattr(sim.app.publisher, "show_moving", ended)
    await opened(sim, siege)
    assert not moves(sim) and await sim.service.posts.behind()
    await sim.restart()
    assert moves(sim)
    assert not await sim.service.posts.behind()
    sim.check()


@pytest.mark.parametrize("who", ["person", "server"])
async def test_who_wants_it_still_gets_it_still(sim: Simulation, siege: Table, who: str) -> None:
    people = siege.people
    if who == "person":
        await sim.forge(people[1], "1/0/setting//pictures", values=["still"])
        assert (await sim.service.people.get(people[1].id)).pictures == {PictureWish.STILL}
    else:
        match, _ = await siege.now()
        await sim.service.policy.change(match.guild, motion=False)
    await opened(sim, siege)
    await drawn_behind(sim)
    assert not moves(sim)


async def test_the_table_and_all_hands_are_shown_before_it_moves(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, done = [], Drawing.done

    async def noted(drawing: Drawing, job: Job) -> Result:
        match, _ = await siege.now()
        behind = {place_of(post) for post in await sim.service.posts.of(match.id) if post.shown < match.version}
        seen.append((job.arguments[1], urgency.get(), behind, moves(sim)))
        return await done(drawing, job)

    monkeypatch.setattr(Drawing, "done", noted)
    await opened(sim, siege)
    await drawn_behind(sim)
    assert moves(sim)
    assert [one for one in seen if one[0] == "draw_moving"] == [("draw_moving", Urgency.LATE, {TABLE}, False)]
    assert all(soon < Urgency.LATE for how, soon, _, _ in seen if how == "draw")


async def test_a_picture_that_cannot_move_stays_still(
    sim: Simulation, siege: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    done = Drawing.done

    async def failing(drawing: Drawing, job: Job) -> Result:
        if job.arguments[1] == "draw_moving":
            raise WorkerFault("ValueError")
        return await done(drawing, job)

    monkeypatch.setattr(Drawing, "done", failing)
    await opened(sim, siege)
    await drawn_behind(sim)
    assert not moves(sim) and "could not be drawn: ValueError" in caplog.text
    sim.check()
