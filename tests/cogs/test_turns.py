"""Whose job is next in a worker: no person's jobs hold up another's."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.workers import pool as pools
from cogs.workers.frames import Texts
from cogs.workers.jobs import Job, Result
from cogs.workers.pool import LATER, NICE_THINKER, THINKER_IDLE, Pool, Urgency
from data.turns import Gate, asker
from tests.month.virtual_time import VirtualLoop

GRIEFER, VICTIM = 66, 7


def virtually(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run this in virtual time, on a machine that does any number of things at once."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(work())


def now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(eq=False)
class Asked:
    """A job that was asked for, and what became of it."""

    person: int
    urgency: Urgency
    thinks: bool
    at: float
    begun: float | None = None
    ended: float | None = None
    gone: float | None = None
    nice: int = 0
    """The priority of the worker that did it."""


@dataclass(eq=False)
class Waiting:
    """A worker that waits as long as a job says, in the place of a process."""

    asked: dict[str, Asked]
    nice: int
    resident: int = 0
    worked: bool = False
    warm: int = 0
    process: Any = field(default_factory=lambda: SimpleNamespace(pid=0, returncode=0))
    exited: asyncio.Future[int] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def do(self, job: Job, limit: float, texts: Texts) -> Result:
        seconds, name = job.arguments
        self.asked[name].begun, self.asked[name].nice = now(), self.nice
        await asyncio.sleep(seconds)
        self.asked[name].ended = now()
        return str(name)

    async def finish(self, *, kill: bool) -> None:
        self.exited.cancel()


class Crowd:
    """People who ask a pool for jobs."""

    def __init__(self, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: dict[str, Asked] = {}

        async def start(program: str, share: int, nice: int) -> Waiting:
            await asyncio.sleep(0.3)
            return Waiting(self.asked, nice)

        monkeypatch.setattr(pools, "Worker", SimpleNamespace(start=start))
        self.pool = Pool(most)

    def ask(self, person: int, seconds: float, urgency: Urgency, *, thinks: bool = False) -> asyncio.Task[Result]:
        name = str(len(self.asked))
        asked = self.asked[name] = Asked(person, urgency, thinks, now())

        async def run() -> Result:
            asker.set(person)
            try:
                return await self.pool.run(Job("better" if thinks else "picture", (seconds, name)), urgency)
            except asyncio.CancelledError:
                asked.gone = now()
                raise

        return asyncio.create_task(run())


def waits(job: Asked, at: float) -> bool:
    """Whether the job waited at that time, and not only since or until then."""
    until = min(end for end in (job.begun, job.gone, float("inf")) if end is not None)
    return job.at < at < until


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_no_persons_jobs_hold_up_anothers_picture(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random people ask for random jobs, some too much by far, and some go before they have it."""
    random = Random(f"turns {seed} {most}")
    print("seed", seed, most)

    async def work() -> None:
        crowd = Crowd(most, monkeypatch)
        tasks: list[asyncio.Task[Result]] = []
        for _ in range(150):
            person = random.choice((GRIEFER, GRIEFER, GRIEFER, VICTIM, 8, 9, 0))
            thinks = random.random() < 0.3
            urgency = random.choice((Urgency.COMPUTERS, Urgency.LATE) if thinks else list(Urgency))
            seconds = random.uniform(1, 8) if thinks else random.uniform(0.02, 0.3)
            task = crowd.ask(person, seconds, urgency, thinks=thinks)
            tasks.append(task)
            if random.random() < 0.1:
                asyncio.get_running_loop().call_later(random.uniform(0, 5), task.cancel)
            await asyncio.sleep(random.choice((0, 0, 0.01, 0.5)))
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(THINKER_IDLE + 10)
        assert len(crowd.pool.workers) <= most, "a process that thinks beside a single worker has ended"
        await crowd.pool.close()
        check(list(crowd.asked.values()), most)

    virtually(work)


def check(asked: list[Asked], most: int) -> None:
    """Raise AssertionError if one of them waited for what it should not wait for."""
    assert all(job.ended is not None or job.gone is not None for job in asked), "each is done at last"
    for job in asked:
        if job.begun is None:
            continue
        at_once = [other for other in asked if other is not job and other.begun is not None and is_done(other, job)]
        if job.thinks:
            thoughts = [other for other in at_once if other.thinks]
            assert len(thoughts) < max(1, most - 1), "one worker never thinks"
            assert (job.nice == NICE_THINKER) == (most == 1), "a single worker never thinks"
            held_up = [
                other
                for other in asked
                if not other.thinks and other.urgency <= job.urgency and waits(other, job.begun)
            ]
            assert not thoughts or not held_up, "a second thought began while a picture waited"
        elif job.urgency is Urgency.PRESS and job.person:
            mine = [other for other in asked if other.person == job.person and other.urgency is Urgency.PRESS]
            earlier = mine[: mine.index(job)]
            if any(other.begun is None or other.begun > job.at for other in earlier):
                continue
            between = [other for other in asked if other.begun is not None and job.at < other.begun < job.begun]
            between = [other for other in between if not other.thinks]
            assert all(other.urgency is Urgency.PRESS for other in between)
            each = Counter(other.person for other in between if other.person)
            # One who has had theirs in the present round waits until the others have had theirs, and one more.
            assert max(each.values(), default=0) <= 1 + bool(earlier), "a person's jobs went before another's"


def is_done(other: Asked, job: Asked) -> bool:
    """Whether the other one was under way when this one began."""
    return other.begun <= job.begun < (other.ended if other.ended is not None else float("inf"))


@pytest.mark.parametrize("urgency", [Urgency.PRESS, Urgency.PEOPLE])
def test_a_picture_waits_only_for_the_job_that_is_under_way(urgency: Urgency, monkeypatch: pytest.MonkeyPatch) -> None:
    """One person asks for pictures and thoughts of all kinds without end."""

    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        flood = [crowd.ask(GRIEFER, 0.2, each) for each in Urgency for _ in range(20)]
        flood += [crowd.ask(GRIEFER, 9, each, thinks=True) for each in (Urgency.COMPUTERS, Urgency.LATE)]
        flood += [crowd.ask(GRIEFER, 0.2, urgency) for _ in range(20)]
        await asyncio.sleep(1)
        for _ in range(8 if urgency is Urgency.PRESS else 1):
            since = now()
            await crowd.ask(VICTIM, 0.05, urgency)
            if urgency is Urgency.PRESS:
                assert now() - since <= 0.2 + 0.05 + 1e-6
            await asyncio.sleep(0.5)
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)
        await crowd.pool.close()
        (last,) = [job for job in crowd.asked.values() if job.person == VICTIM][-1:]
        before = [job for job in crowd.asked.values() if job.begun is not None and last.at < job.begun < last.begun]
        assert sum(job.urgency is urgency for job in before) <= (urgency is Urgency.PEOPLE), (
            "the first of a round at most"
        )

    virtually(work)


def test_nothing_waits_for_ever_behind_what_people_see(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        asked = [crowd.ask(VICTIM, 100, Urgency.PRESS)]
        await asyncio.sleep(1)
        asked += [crowd.ask(VICTIM, 0.1, each) for each in (Urgency.LATE, Urgency.COMPUTERS)]
        for _ in range(2):
            await asyncio.sleep(LATER[Urgency.LATE] - LATER[Urgency.COMPUTERS] - 1)
            asked += [crowd.ask(VICTIM, 0.1, Urgency.PEOPLE) for _ in range(2)]
        asked.append(crowd.ask(VICTIM, 0.1, Urgency.PRESS))
        await asyncio.gather(*asked)
        await crowd.pool.close()
        _, *order = [job.urgency.name for job in sorted(crowd.asked.values(), key=lambda job: job.begun or 0.0)]
        assert order == ["PRESS", "COMPUTERS", "PEOPLE", "PEOPLE", "LATE", "PEOPLE", "PEOPLE"]

    virtually(work)


def test_one_persons_computers_do_not_delay_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        flood = [crowd.ask(GRIEFER, 3.0, Urgency.COMPUTERS, thinks=True) for _ in range(10)]
        await asyncio.sleep(1)
        since = now()
        await crowd.ask(VICTIM, 0.1, Urgency.COMPUTERS, thinks=True)
        assert now() - since < 3.0
        await asyncio.gather(*flood)
        await crowd.pool.close()

    virtually(work)


def test_beside_a_single_worker_a_process_thinks_as_long_as_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        crowd = Crowd(1, monkeypatch)
        for _ in range(2):  # it starts again when it is needed again
            await crowd.ask(VICTIM, 0.1, Urgency.PRESS)
            assert len(crowd.pool.pids) == 1
            await crowd.ask(VICTIM, 2.0, Urgency.COMPUTERS, thinks=True)
            await asyncio.sleep(THINKER_IDLE - 1)
            assert len(crowd.pool.pids) == 2
            await crowd.ask(VICTIM, 2.0, Urgency.LATE, thinks=True)
            await asyncio.sleep(THINKER_IDLE + 1)
            assert len(crowd.pool.pids) == 1
        await crowd.pool.close()
        with pytest.raises(pools.Lost):
            await crowd.ask(VICTIM, 2.0, Urgency.LATE, thinks=True)

    virtually(work)


def test_a_thread_works_for_one_after_the_other() -> None:
    async def work() -> None:
        gate, order = Gate(), list[int]()

        async def enter(person: int) -> None:
            asker.set(person)
            async with gate:
                order.append(person)
                await asyncio.sleep(1)

        flood = [asyncio.create_task(enter(GRIEFER)) for _ in range(6)]
        await asyncio.sleep(0.5)
        other = asyncio.create_task(enter(VICTIM))
        await asyncio.sleep(0.1)
        flood[1].cancel()
        await other
        assert order[:2] == [GRIEFER, VICTIM]
        for task in flood[:3]:
            task.cancel()  # one of them is let in at this moment
        await asyncio.gather(*flood, return_exceptions=True)
        assert order.count(GRIEFER) in (4, 5)
        await asyncio.wait_for(enter(VICTIM), 1.5)

    virtually(work)
