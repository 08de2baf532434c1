"""Workers that die, hang, grow or are closed lose no picture and no move."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.messages.drawing import Drawing, picture
from cogs.workers import pool as pools
from cogs.workers.frames import Texts, job_frame, pickled
from cogs.workers.jobs import Job, do
from cogs.workers.pool import PROGRAM, Pool, Urgency
from cogs.workers.process import Lost, Worker
from cogs.workers.thinking import PoolThinker, thought_job
from rendering import Renderer, renderer
from rules import GAMES
from rules.core.computer import choose
from rules.core.game import Seat
from tests.cogs.worker_pool import BAD, labels, midway, nothing, pool_of, shares_pool, told
from tests.process.loopback import until
from tests.support.hung import HUNG

ROOT = Path(__file__).parents[2]


def runs(pid: int) -> bool:
    """Return whether the process runs and is no zombie."""
    try:
        return told(pid, "stat").rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


# What happens to workers.


async def test_an_end_that_is_broken_off_leaves_no_pipe_open() -> None:
    """If the loop were closed then, Python would find the pipe later, and could not close it."""
    worker = await Worker.start(PROGRAM, 1, 0)
    end = asyncio.create_task(worker.finish(kill=True))
    await asyncio.sleep(0)
    end.cancel()
    await asyncio.wait([end])
    assert end.cancelled() and worker.transport.is_closing()
    await worker.process.wait()


async def test_a_worker_ends_whose_answer_is_longer_than_what_is_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """If its job is broken off while the answer arrives, asyncio stops reading, and so would never see the end."""
    worker, texts, paused = await Worker.start(BAD, 1, 0), Texts(), asyncio.Event()
    pipe = worker.transport.get_pipe_transport(1)
    assert isinstance(pipe, asyncio.ReadTransport)
    pause = pipe.pause_reading
    monkeypatch.setattr(pipe, "pause_reading", lambda: (pause(), paused.set()))  # 3.11.2 tells it in no other way
    worker.process.stdin.write(job_frame(60, *pickled(Job("answer_long", (1 << 20,)), texts)))
    await asyncio.wait_for(paused.wait(), HUNG)
    await worker.finish(kill=True)
    assert worker.exited.done() and worker.transport.is_closing()


@shares_pool
async def test_a_job_whose_worker_dies_is_done_by_another(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    monkeypatch.setattr(pool, "on_lost", lost.append)
    assert await pool.run(Job("die_once", (str(tmp_path / "mark"),))) == "done"
    assert lost == ["died"]


@pytest.mark.long
async def test_a_worker_that_dies_while_it_waits_is_replaced_at_once_and_the_next_one_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise the cause that ends them would make the machine start processes all day."""
    monkeypatch.setattr(pools, "PAUSES", (0.0, 20.0, 20.0, 20.0))
    async with pool_of(1) as pool:
        await pool.run(Job("sleep", (0, "started")))
        (pid,) = pool.pids
        os.kill(pid, signal.SIGKILL)
        assert await until(lambda: pool.pids not in ([], [pid]))
        os.kill(pool.pids[0], signal.SIGKILL)
        assert await until(lambda: not pool.pids)
        await asyncio.sleep(1)
        assert not pool.pids


@pytest.mark.long
@shares_pool
async def test_a_worker_that_is_stopped_is_replaced(pool: Pool) -> None:
    """After SIGSTOP, or when the machine has suspended it, a worker does not answer and cannot end itself."""
    await pool.run(Job("sleep", (0, "started")))
    (pid,) = pool.pids
    os.kill(pid, signal.SIGSTOP)
    long = "more than goes into a pipe " * 100_000
    assert await pool.run(Job("sleep", (0, long)), limit=10) == long
    assert await until(lambda: not runs(pid))


@pytest.mark.long
@shares_pool
@pytest.mark.parametrize(
    ("kind", "how"), [("die", "died"), ("hang", "slow"), ("deaf_hang", "slow"), ("grow", "memory")]
)
async def test_a_job_that_ends_every_worker_is_given_up(
    kind: str, how: str, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "MOST_LOST", 3)
    await pool.run(Job("sleep", (0, "started")))
    (pid,) = pool.pids
    with pytest.raises(Lost) as lost:
        await pool.run(Job(kind, ()), limit=0.3 if how == "slow" else HUNG)
    assert lost.value.kind == how
    assert await until(lambda: not runs(pid))
    assert await pool.run(Job("sleep", (0, "next"))) == "next"
    assert pid not in pool.pids


@pytest.mark.long
@shares_pool
async def test_a_worker_that_has_grown_is_replaced_after_its_job(pool: Pool) -> None:
    small = await pool.run(Job("keep", (1,)))
    assert await pool.run(Job("keep", (pools.MOST_RESIDENT >> 20,))) == small
    assert await pool.run(Job("keep", (1,))) != small


@pytest.mark.long
async def test_a_pool_is_closed_while_a_worker_is_replaced() -> None:
    async with pool_of(1) as pool:
        await pool.run(Job("keep", (1,)))
        pids = pool.pids
        await pool.run(Job("keep", (pools.MOST_RESIDENT >> 20,)))
    assert not any(map(runs, pids))


@shares_pool
async def test_a_search_that_cannot_be_made_leaves_the_default_move(
    pool: Pool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = GAMES["full_sun"]
    known = midway("full_sun", 4, "slow").redeal_unseen(Seat(0), "luck")
    (seat,) = known.to_move()
    monkeypatch.setattr("cogs.workers.thinking.thought_job", lambda *_: Job("hang", ()))
    thought = await PoolThinker(pool, limit=0.2)(game, known, seat, "luck", "friend", nothing)
    assert thought == (known.default_move(seat), True)
    assert "it plays its default move" in caplog.text


@pytest.mark.long
async def test_without_any_worker_this_process_draws_and_thinks(caplog: pytest.LogCaptureFixture) -> None:
    async with pool_of(1, program="cogs.workers.none") as pool:
        drawing, game, state = Drawing(pool), GAMES["sea_change"], midway("sea_change", 3, "none")
        view, shown, (seat,) = state.view(None), labels("sea_change", 3), state.to_move()
        job = picture("sea_change", Renderer.draw, view, shown, ())
        assert await drawing.picture(job) == renderer("sea_change").draw(view, shown)
        thought = await PoolThinker(pool)(game, state.redeal_unseen(seat, "luck"), seat, "luck", "friend", nothing)
        assert thought == (choose(game, state, seat, "luck", "friend"), False)
        drawing.close()
    assert "could not be started" in caplog.text


@pytest.mark.long
async def test_the_pool_is_closed_while_it_is_busy() -> None:
    async with pool_of(2) as pool:
        asked = [asyncio.create_task(pool.run(Job("hang", ()))) for _ in range(4)]
        assert await until(lambda: len(pool.pids) == 2)
        pids = pool.pids
    assert not any(map(runs, pids))
    for task in asked:
        with pytest.raises(Lost):
            await task
    with pytest.raises(Lost):
        await pool.run(Job("sleep", (0, "late")))


@pytest.mark.long
async def test_a_pool_is_closed_while_its_first_worker_starts() -> None:
    async with pool_of(1) as pool:
        asked = asyncio.create_task(pool.run(Job("sleep", (100_000, "x"))))
        await asyncio.sleep(0.02)
    with pytest.raises(Lost):
        await asked


ORPHANS = """
import asyncio, sys
from cogs.workers.jobs import Job
from cogs.workers.pool import Pool
async def main():
    pool = Pool(2, program="tests.support.worker_program")
    asyncio.create_task(pool.run(Job("hang", ())))
    while len(pool.pids) < 1:
        await asyncio.sleep(0.01)
    asyncio.create_task(pool.run(Job("sleep", (0, "x"))))
    while len(pool.pids) < 2:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    print(*pool.pids, flush=True)
    await asyncio.sleep(100_000)
asyncio.run(main())
"""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked at in /proc")
async def test_workers_end_with_a_bot_that_is_killed() -> None:
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", ORPHANS, cwd=ROOT, stdout=subprocess.PIPE)
    pids = [int(pid) for pid in (await bot.stdout.readline()).split()]
    assert len(pids) == 2 and all(map(runs, pids))
    bot.kill()
    await bot.wait()
    assert await until(lambda: not any(map(runs, pids)))


@pytest.mark.long
async def test_killed_workers_lose_no_picture_and_no_move() -> None:
    """They are killed while they draw and choose; each has done some jobs before, so that no job is given up."""
    random, kills, finished, done = Random("long"), 0, 0, asyncio.Event()
    wanted: list[tuple[Job, Any]] = []
    for number in range(20):
        slug = random.choice(list(GAMES))
        state = midway(slug, 4, f"long {number}", 2 * number)
        job = picture(slug, Renderer.draw, state.view(random.choice([None, Seat(0)])), labels(slug, 4), ())
        if number % 4 == 0 and state.to_move():
            seat = min(state.to_move())
            job = thought_job(GAMES[slug], state.redeal_unseen(seat, "luck"), seat, "luck", "beginner")
        wanted.append((job, do(job)))
    async with pool_of(2, pools.PROGRAM) as pool:

        async def kill() -> None:
            nonlocal kills
            while not done.is_set():
                await asyncio.sleep(random.uniform(0, 0.05))
                if pool.pids:
                    before = finished
                    with suppress(ProcessLookupError):
                        os.kill(random.choice(pool.pids), signal.SIGKILL)
                        kills += 1
                    await until(lambda before=before: done.is_set() or finished > before + 2)

        killing, room = asyncio.create_task(kill()), asyncio.Semaphore(4)

        async def ask(number: int) -> None:
            nonlocal finished
            async with room:
                job, result = wanted[number % len(wanted)]
                urgency = Urgency.COMPUTERS if job.kind == "choose" else random.choice(list(Urgency))
                assert await pool.run(job, urgency) == result, number
                finished += 1
                await asyncio.sleep(random.uniform(0, 0.05))

        await asyncio.gather(*map(ask, range(30)))
        done.set()
        await killing
    assert kills >= 4
