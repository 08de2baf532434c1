"""Workers draw and choose what this process would, in the order of what is urgent, and are told nothing hidden."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cogs.messages.drawing import Drawing, picture
from cogs.workers import pool as pools
from cogs.workers import worker
from cogs.workers.frames import Texts, pickled
from cogs.workers.jobs import KINDS, Job, read_advice, write_advice
from cogs.workers.pool import Pool, Urgency, default_workers
from cogs.workers.process import ALLOCATOR, KEPT, WorkerFault, environment
from cogs.workers.thinking import PoolThinker, thought_job
from data.content.texts import texts
from rendering import Renderer, renderer
from rendering.core.labels import Labels
from rules import GAMES
from rules.core import coach
from rules.core.computer import choose
from rules.core.game import Seat
from rules.core.telling import Reason
from tests.cogs.worker_pool import labels, midway, nothing, pool_of, shares_pool, told
from tests.process.loopback import until
from tests.support.hung import HUNG
from tests.support.inside import waiting_in


def niceness(pid: int) -> int:
    return int(told(pid, "stat").rpartition(")")[2].split()[16])


# What workers do.


@pytest.mark.games("slug", short=["sea_change"], long=GAMES)
@shares_pool
async def test_a_worker_draws_the_same_bytes(slug: str, pool: Pool) -> None:
    game = GAMES[slug]
    state = midway(slug, game.seats[-1], slug)
    shown, drawn = labels(slug, game.seats[-1], large=True), renderer(slug)
    seat = min(state.to_move())
    for view in (state.view(None), state.view(seat)):
        assert await pool.run(picture(slug, Renderer.draw, view, shown, ())) == drawn.draw(view, shown)
    assert await pool.run(picture(slug, Renderer.cover, shown, 4)) == drawn.cover(shown, 4)
    assert await pool.run(picture(slug, Renderer.last, state.view(None), shown)) == drawn.last(state.view(None), shown)


@pytest.mark.games("slug", short=["siege_of_sunfall"], long=GAMES)
@shares_pool
async def test_a_worker_chooses_the_same_move_as_one_who_sees_the_position(slug: str, pool: Pool) -> None:
    game, think = GAMES[slug], PoolThinker(pool)
    for plies in (0, 7, 20):
        state = midway(slug, game.seats[-1], slug, plies)
        for seat in sorted(state.to_move())[:1]:
            thought = await think(game, state.redeal_unseen(seat, "luck"), seat, "luck", "friend", nothing)
            assert thought == (choose(game, state, seat, "luck", "friend"), False)


@pytest.mark.long
async def test_a_worker_killed_while_it_thinks_is_replaced_and_the_move_is_the_same(own_pool: Pool) -> None:
    game, state = GAMES["full_sun"], midway("full_sun", 4, "killed", 4)
    (seat,), killed = state.to_move(), list[int]()
    assert len(state.legal_moves(seat)) > 2

    def kill() -> None:
        if not killed:
            killed.extend(own_pool.pids)
            asyncio.get_running_loop().call_later(0.05, os.kill, own_pool.pids[0], signal.SIGKILL)

    think = PoolThinker(own_pool, limit=HUNG)
    thought = await think(game, state.redeal_unseen(seat, "luck"), seat, "luck", "strong", kill)
    assert thought == (choose(game, state, seat, "luck", "strong"), False)
    assert killed
    assert await until(lambda: own_pool.pids != killed)


@pytest.mark.games("slug", short=[], long=GAMES)
@shares_pool
async def test_a_worker_gives_the_hint_that_this_process_would(slug: str, pool: Pool) -> None:
    game, state = GAMES[slug], midway(slug, GAMES[slug].seats[-1], slug, 7)
    seat = min(state.to_move())
    found = await PoolThinker(pool, limit=HUNG).advise(game, state.redeal_unseen(seat, "luck"), seat, "luck")
    assert found == coach.advise(game, state, seat, "luck")


def test_advice_is_read_as_it_was() -> None:
    """With the moves beside which its reasons tell."""
    game, seat = GAMES["full_circle"], Seat(0)
    turn, other = ((game.parse(seat, text),) for text in ("draw", "play W:Y BL"))
    reasons = tuple([Reason("left", 1.0, 10.0, 1.0, 14.0, instead, other, not instead) for instead in (False, True)])
    found = (
        coach.Advised(turn, {"win": 0.5}, 0.1, coach.EQUAL, reasons),
        coach.Advised(other, {"win": 0.4}, 0.2, coach.WORSE, ()),
    )
    assert read_advice(game, seat, write_advice(found)) == found


@shares_pool
async def test_a_job_that_fails_says_the_kind_of_fault_alone(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(WorkerFault) as fault:
        await pool.run(Job("fail", ("R7 B3",)))
    assert fault.value.kind == "KeyError"
    assert "worker_program.py:" in caplog.text and "R7" not in caplog.text
    assert await pool.run(Job("sleep", (0, "next"))) == "next"


@shares_pool
async def test_a_job_that_cannot_be_sent_is_its_callers_fault(pool: Pool) -> None:
    with pytest.raises(Exception, match="pickle"):
        await pool.run(Job("sleep", (0, lambda: None)))
    assert await pool.run(Job("sleep", (0, "next"))) == "next"


async def test_a_worker_knows_neither_the_token_nor_discord(own_pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    monkeypatch.setenv("DATABASE", "data/sundial.db")
    found = await own_pool.run(Job("facts", ()))
    assert isinstance(found, str)
    variables, modules = found.split("|")
    assert set(variables.split()) <= KEPT | ALLOCATOR.keys() | {"LC_CTYPE"}
    assert modules == ""
    assert environment({"DISCORD_TOKEN": "x", "DATABASE": "y", "MALLOC_TRIM_THRESHOLD_": "1", "PATH": "p"}) == {
        "MALLOC_MMAP_THRESHOLD_": "1048576",
        "MALLOC_TRIM_THRESHOLD_": "1",
        "PATH": "p",
    }


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked at in /proc")
async def test_a_worker_has_a_lower_priority_than_the_bot_and_is_killed_first(own_pool: Pool) -> None:
    await own_pool.run(Job("sleep", (0, "started")))
    (pid,) = own_pool.pids
    assert niceness(pid) == min(19, niceness(os.getpid()) + pools.NICE)
    assert told(pid, "oom_score_adj").strip() == worker.KILLED_FIRST


def test_a_worker_works_also_if_it_may_not_restrain_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """For example under docs/sundial.service without the line that allows it."""
    refused = []
    monkeypatch.setattr(worker, "KILLED_FIRST", "no number")  # a value that Linux refuses

    def refuse(*given: Any) -> None:
        refused.append(given)
        raise PermissionError

    monkeypatch.setattr(worker.os, "nice", refuse, raising=False)
    if sys.platform != "win32":
        monkeypatch.setattr(worker.resource, "setrlimit", refuse)
    worker.restrain(5)
    assert refused


def test_there_is_at_least_one_worker_and_one_core_for_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in ((1, 1), (2, 1), (3, 2), (64, 4)):
        monkeypatch.setattr(pools.os, "sched_getaffinity", lambda _, cores=cores: set(range(cores)), raising=False)
        assert default_workers() == workers


# Which job is next.


def waiting(pool: Pool) -> int:
    """Return how many jobs no worker has begun."""
    return sum(len(list(tasks)) for tasks in waiting_in(pool).values())


@shares_pool
async def test_presses_go_first_then_tables_then_computers_then_late_work(pool: Pool, tmp_path: Path) -> None:
    order: list[str] = []

    async def ask(name: str, urgency: Urgency) -> None:
        await pool.run(Job("sleep", (0.01, name)), urgency)
        order.append(name)

    await pool.run(Job("sleep", (0, "started")))
    busy = asyncio.create_task(pool.run(Job("stay", (str(go_on := tmp_path / "go on"),))))
    assert await until(lambda: not waiting(pool))
    asked = [
        asyncio.create_task(ask(f"{urgency.name} {number}", urgency))
        for number in (1, 2)
        for urgency in reversed(Urgency)
    ]
    assert await until(lambda: waiting(pool) == len(asked))
    go_on.touch()
    await asyncio.gather(busy, *asked)
    assert order == [f"{urgency.name} {number}" for urgency in Urgency for number in (1, 2)]


@pytest.mark.long
async def test_of_several_workers_one_does_not_think() -> None:
    async with pool_of(2) as pool:
        await asyncio.gather(*(pool.run(Job("sleep", (0.5, "start"))) for _ in range(2)))
        thought = Job("choose", (100_000.0, "thought"))
        thinking = [asyncio.create_task(pool.run(thought, Urgency.COMPUTERS, HUNG)) for _ in range(3)]
        assert await until(lambda: waiting(pool) == 2)
        async with asyncio.timeout(HUNG):
            assert await pool.run(Job("sleep", (0, "hand"))) == "hand"
        for task in thinking:
            task.cancel()


@pytest.mark.long
async def test_workers_start_when_they_are_needed() -> None:
    async with pool_of(3) as pool:
        assert pool.pids == []
        for _ in range(3):
            await pool.run(Job("sleep", (0, "one at a time")))
        assert len(pool.pids) == 1
        at_once = [asyncio.create_task(pool.run(Job("sleep", (30, "at once")))) for _ in range(5)]
        assert await until(lambda: len(pool.pids) == 3)
        await asyncio.sleep(0.2)
        assert len(pool.pids) == 3
        for task in at_once:
            task.cancel()


@shares_pool
async def test_a_job_whose_caller_has_gone_is_not_begun(pool: Pool, tmp_path: Path) -> None:
    busy = asyncio.create_task(pool.run(Job("stay", (str(go_on := tmp_path / "go on"),))))
    gone = asyncio.create_task(pool.run(Job("die", ())))
    assert await until(lambda: pool.pids and waiting(pool) == 1)
    gone.cancel()
    go_on.touch()
    assert await busy == "stayed"
    pids = pool.pids
    assert await pool.run(Job("sleep", (0, "next"))) == "next"
    assert pool.pids == pids


@pytest.mark.long
@pytest.mark.usefixtures("warm")
async def test_each_worker_draws_ahead_in_steps_also_the_next_one(
    own_pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = Drawing(own_pool)
    monkeypatch.setattr("cogs.messages.drawing._prewarmed", set())
    drawing.warm_up(["full_sun"])
    drawing.prewarm("full_sun")
    drawing.prewarm("full_sun")
    assert len(own_pool.drawn_first) == 2
    assert await until(lambda: any(each.warm == 2 for each in own_pool.workers))
    (first,) = own_pool.workers
    os.kill(own_pool.pids[0], signal.SIGKILL)
    assert await until(lambda: any(each.warm == 2 for each in own_pool.workers - {first}))
    drawing.close()


@pytest.mark.long
async def test_what_cannot_be_drawn_ahead_is_logged_and_left_out(
    own_pool: Pool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "MOST_LOST", 3)
    for job in (Job("fail", ("full_sun",)), Job("die", ()), Job("sleep", (0, "reached"))):
        own_pool.beforehand(job)
    assert await until(lambda: any(each.warm == 3 for each in own_pool.workers))
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "full_sun cannot be drawn beforehand: KeyError" in line.getMessage()


# What workers are told.


@pytest.mark.parametrize("slug", GAMES)
def test_a_workers_job_is_the_same_in_positions_that_its_seat_cannot_tell_apart(slug: str) -> None:
    game, known = GAMES[slug], Texts()
    differing = 0
    for seats in game.seats:
        for plies in (0, 3, 11, 24):
            state, shown = midway(slug, seats, f"{slug} {seats}", plies), labels(slug, seats)
            for seat in map(Seat, range(seats)):
                other = state.redeal_unseen(seat, "other")
                differing += other != state
                one, two = (
                    [
                        thought_job(game, each.redeal_unseen(seat, "luck"), seat, "luck", "friend"),
                        picture(slug, Renderer.draw, each.view(seat), shown, ("a",)),
                        picture(slug, Renderer.draw, each.view(None), shown, ()),
                        picture(slug, Renderer.last, each.view(None), shown),
                    ]
                    for each in (state, other)
                )
                assert [pickled(job, known) for job in one] == [pickled(job, known) for job in two]
    assert differing


@pytest.mark.parametrize("slug", GAMES)
def test_no_worker_gets_the_seed_of_a_match(slug: str) -> None:
    """With the seed one knows all deals to come, and what each computer will play."""
    game, secret = GAMES[slug], "d1ce" * 16
    for seats in game.seats:
        for plies in (0, 5, 30):
            state = midway(slug, seats, secret, plies)
            for seat in map(Seat, range(seats)):
                job = thought_job(game, state.redeal_unseen(seat, "luck"), seat, "luck", "friend")
                assert secret.encode() not in pickled(job, Texts())[0]


def test_only_names_and_discs_go_with_a_picture() -> None:
    """The names in messages are mentions, which contain the ids of people."""
    shown = Labels(("ann",), texts("en", "full_sun"), written=("<@123456789012345678>",), discs=(3,), faces=(b"f",))
    assert shown.only_drawn == Labels(("ann",), shown.texts, (), (3,), faces=(b"f",))


def test_every_kind_of_job_is_known() -> None:
    assert set(KINDS) == {"picture", "prewarm", "choose", "advise", "better", "face"}
