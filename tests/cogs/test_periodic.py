"""A background task runs again and again, survives failures, is woken and ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import inf
from typing import Any

import pytest

from cogs.runtime import periodic
from cogs.runtime.logs import Lines
from cogs.runtime.periodic import LEAST, Periodic


class Sleeps:
    """Takes the place of `asyncio.sleep`: the task sleeps until the test ends its sleep."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.asked: list[float] = []
        self._ends: asyncio.Event = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        self._ends.clear()
        await self._ends.wait()
        self.now += seconds

    async def end(self) -> None:
        self._ends.set()
        await settle()


async def settle() -> None:
    """Let every task go on until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> Sleeps:
    found = Sleeps()

    class Patched:
        sleep = staticmethod(found.sleep)

        def __getattr__(self, name: str) -> object:
            return getattr(asyncio, name)

    monkeypatch.setattr(periodic, "asyncio", Patched())
    return found


class Work:
    """Counts its runs; each run takes the next of `results`, which is returned or raised."""

    def __init__(self, *results: float | Exception | None) -> None:
        self.runs = 0
        self.results = list(results)

    async def __call__(self) -> float | None:
        self.runs += 1
        result = self.results.pop(0) if self.results else None
        if isinstance(result, Exception):
            raise result
        return result


@asynccontextmanager
async def begun(
    sleeps: Sleeps, work: Callable[[], Awaitable[float | None]], every: float = 60.0, **how: Any
) -> AsyncIterator[Periodic]:
    task = Periodic("test", work, every, now=lambda: sleeps.now, **how)
    task.start()
    await settle()
    yield task
    await task.close()


async def test_the_first_run_is_at_once_and_the_next_when_the_work_says(sleeps: Sleeps) -> None:
    work = Work(7.0, None, 0.0)
    task = Periodic("test", work, 60.0, now=lambda: sleeps.now)
    assert not task.running
    task.start()
    await settle()
    assert (work.runs, task.asleep, task.due, task.running) == (1, True, 1007.0, True)
    await sleeps.end()
    await sleeps.end()
    assert (work.runs, sleeps.asked) == (3, [7.0, 60.0, LEAST])
    await task.close()


async def test_a_first_run_may_come_later(sleeps: Sleeps) -> None:
    work = Work()
    async with begun(sleeps, work, 5.0, at_once=False):
        assert (work.runs, sleeps.asked) == (0, [5.0])
        await sleeps.end()
        assert (work.runs, sleeps.asked) == (1, [5.0, 5.0])


@pytest.mark.parametrize(("after", "pause"), [(None, 60.0), (9.0, 9.0)])
async def test_a_failure_is_logged_by_its_kind_and_the_work_goes_on(
    sleeps: Sleeps, caplog: pytest.LogCaptureFixture, after: float | None, pause: float
) -> None:
    work = Work(ValueError("Ann holds B7"))
    async with begun(sleeps, work, after_failure=after):
        (record,) = caplog.records
        line = Lines("text").format(record)
        assert record.levelno == logging.ERROR
        assert "test failed: ValueError" in line and "test_periodic.py" in line
        assert "B7" not in line
        assert sleeps.asked == [pause]
        await sleeps.end()
        assert work.runs == 2


async def test_a_woken_task_runs_at_once_and_only_if_it_sleeps(sleeps: Sleeps) -> None:
    going_on = asyncio.Event()
    runs = 0

    async def work() -> None:
        nonlocal runs
        runs += 1
        await going_on.wait()

    task = Periodic("test", work, 60.0, now=lambda: sleeps.now)
    task.wake()
    task.start()
    await settle()
    task.wake()
    await settle()
    assert (runs, task.asleep) == (1, False), "it is at work"
    going_on.set()
    await settle()
    assert task.asleep
    task.wake()
    task.wake()
    await settle()
    assert (runs, task.asleep) == (2, True)
    await task.close()


@pytest.mark.parametrize(("instant", "pause"), [(1010.0, 10.0), (inf, 60.0), (900.0, LEAST)])
async def test_an_instant_named_during_a_run_is_kept(sleeps: Sleeps, instant: float, pause: float) -> None:
    async def work() -> None:
        task.run_by(instant)

    task = Periodic("test", work, 60.0, now=lambda: sleeps.now)
    task.start()
    await settle()
    assert sleeps.asked == [pause]
    await task.close()


async def test_an_earlier_instant_wakes_a_sleeper_and_a_later_one_does_not(sleeps: Sleeps) -> None:
    work = Work()
    async with begun(sleeps, work) as task:
        for instant, runs in ((1060.0, 1), (1059.0, 2)):
            task.run_by(instant)
            await settle()
            assert work.runs == runs


async def test_a_closed_task_is_gone_and_is_not_woken(sleeps: Sleeps) -> None:
    work = Work()
    before = asyncio.all_tasks()
    async with begun(sleeps, work) as task:
        pass
    await task.close()
    task.wake()
    task.run_by(0.0)
    await settle()
    assert (work.runs, task.running) == (1, False)
    assert asyncio.all_tasks() == before
