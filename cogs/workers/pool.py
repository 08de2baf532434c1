"""The pool of workers: a bounded number of processes that draw and think beside the event loop. Jobs for a press go
first, then jobs for what people see, then computers' moves, then the rest; but see `LATER`. A worker has one job at a
time. If a worker dies, hangs or takes too much memory, the pool replaces it, and another one does its job again; a job
that ends its workers again and again is `Lost`. The first worker starts with the first job, another one when a job
finds all of them busy.

No library does this: the executors of the standard library and of loky lose all jobs when one worker dies, and do not
order jobs by urgency; pebble's licence does not fit.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections import Counter, deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum

from cogs.workers.frames import Texts
from cogs.workers.jobs import MORE, Job, Result
from cogs.workers.process import Lost, Worker, WorkerFault

log = logging.getLogger(__name__)

PROGRAM = "cogs.workers.worker"

MOST_BY_DEFAULT = 4
"""The most workers, if the operator has set no number."""
LIMIT = 20.0
"""Seconds that a job may take: a hundred times what the longest job needs on a quiet machine."""
MOST_RESIDENT = 420 * 2**20
"""Bytes of memory above which a worker is replaced after its job. With full caches it has some 250 MB."""
MOST_LOST = 8
"""How many workers may die at one job: another process may kill any of them at any time."""
MOST_AT_FAULT = 2
"""How many workers may hang or run out of memory at one job: that is the job's own fault."""
MOST_ACCIDENTS = 2
"""How many workers in a row may be killed while they start."""
PAUSES = (0.0, 0.1, 0.5, 5.0, 30.0)
"""Seconds before the next try to start a worker, by the number of failed starts in a row."""
MOST_USELESS = 3
"""The index in PAUSES of the longest pause after workers that ended before any job: a player may wait for a picture."""


class Urgency(IntEnum):
    """How urgent a job is: the lowest goes first."""

    PRESS = 0
    """A player has pressed something and waits for it."""
    PEOPLE = 1
    """People see it: tables, and the hands of players who have not pressed."""
    COMPUTERS = 2
    """A computer's move."""
    LATE = 3
    """No player waits for it."""


LATER = {Urgency.PRESS: -math.inf, Urgency.PEOPLE: 0.0, Urgency.COMPUTERS: 3.0, Urgency.LATE: 30.0}
"""By urgency: a job goes after more urgent jobs that arrive up to that many seconds later. So no job waits for ever if
there is always more to draw than the workers can, except behind presses, and people make only so many of these.
"""

urgency: ContextVar[Urgency] = ContextVar("urgency", default=Urgency.PRESS)
"""How urgent the pictures of the current task are."""


def default_workers() -> int:
    """Return one less than the processor's cores that this process may use, but at least 1 and at most 4."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(1, cores - 1), MOST_BY_DEFAULT)


def _nothing() -> None:
    """Do nothing."""


@dataclass(slots=True, eq=False)
class _Task:
    """A job that waits or runs, and how many of its workers were lost so far."""

    job: Job
    urgency: Urgency
    limit: float
    result: asyncio.Future[Result]
    due: float
    """The time of its arrival plus the `LATER` of its urgency; the job with the lowest is next."""
    begun: Callable[[], None] = _nothing
    """Called each time a worker begins with it."""
    lost: list[str] = field(default_factory=list)


class Pool:
    """At most `most` workers. `on_lost` is called with how a worker was lost."""

    def __init__(self, most: int, on_lost: Callable[[str], None] = lambda _: None, program: str = PROGRAM) -> None:
        self._most, self._on_lost, self._program = most, on_lost, program
        self._waiting: dict[Urgency, deque[_Task]] = {each: deque() for each in Urgency}
        self._texts = Texts()
        self._beforehand: list[Job] = []
        self._lost_at: Counter[int] = Counter()
        """How many workers were lost at each of these jobs. A job that failed is not done again, as if it had lost too
        many.
        """
        self._places: set[asyncio.Task[None]] = set()
        self._workers: set[Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._idle: set[asyncio.Future[None]] = set()
        self._starting = 0
        self._unstarted = 0
        """How many workers in a row could not be started."""
        self._thinking = 0
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run now."""
        return [worker.process.pid for worker in self._workers]

    @property
    def _hopeless(self) -> bool:
        """Whether no worker runs, and several in a row could not be started."""
        return self._unstarted > MOST_ACCIDENTS and not self._workers

    async def run(
        self,
        job: Job,
        urgency: Urgency = Urgency.PRESS,
        limit: float = LIMIT,
        begun: Callable[[], None] = _nothing,
    ) -> Result:
        """Return the result of a job, which may take a worker `limit` seconds. `begun` is called when a worker begins.

        Raises WorkerFault if the job failed, or Lost if no worker survived it or none can be started. If the caller is
        cancelled, the job is dropped or its result ignored.
        """
        if self._closed:
            raise Lost("closed")
        if self._hopeless:
            raise Lost("unstarted")
        loop = asyncio.get_running_loop()
        task = _Task(job, urgency, limit, loop.create_future(), loop.time() + LATER[urgency], begun)
        self._waiting[urgency].append(task)
        self._look()
        return await task.result

    def beforehand(self, job: Job) -> None:
        """Let each worker do a job, step by step, whenever no other job waits. Only the first call for a job counts."""
        if job not in self._beforehand and not self._closed:
            self._beforehand.append(job)
            self._look()

    async def close(self) -> None:
        """End all workers, also in the middle of their jobs. Jobs that are not done are Lost."""
        self._closed = True
        for place in self._places:
            place.cancel()
        await asyncio.gather(*self._places, return_exceptions=True)
        await asyncio.gather(*self._ending)
        for waiting in self._waiting.values():
            while waiting:
                _fail(waiting.popleft(), "closed")

    def _look(self) -> None:
        """Wake the idle workers, or start one more if a job waits for it."""
        if self._closed:
            return
        for idle in self._idle:
            if not idle.done():
                idle.set_result(None)
        wanted = self._claims() > len(self._idle) + self._starting or (self._beforehand and not self._places)
        if wanted and len(self._places) < self._most:
            self._starting += 1
            place = asyncio.create_task(self._live(), name="worker")
            self._places.add(place)
            place.add_done_callback(self._places.discard)

    def _room(self, each: Urgency) -> int:
        """Return how many more jobs of that urgency may begin.

        If there are several workers, one does not think, so that no player waits until a computer has thought.
        """
        return max(1, self._most - 1) - self._thinking if each is Urgency.COMPUTERS else self._most

    def _claims(self) -> int:
        """Return how many jobs wait that may begin."""
        return sum(min(len(waiting), self._room(each)) for each, waiting in self._waiting.items())

    def _next(self) -> deque[_Task] | None:
        """Return the queue whose first job is next; None if no job may begin now."""
        for waiting in self._waiting.values():
            while waiting and waiting[0].result.done():  # its caller has gone
                waiting.popleft()
        ready = [waiting for each, waiting in self._waiting.items() if waiting and self._room(each) > 0]
        return min(ready, key=lambda waiting: waiting[0].due, default=None)

    async def _live(self) -> None:
        """Run one worker after the other at one place of the pool."""
        starting = True  # counted in `_starting`
        useless = 0  # workers in a row that ended by themselves before any job
        try:
            while True:
                await asyncio.sleep(PAUSES[min(useless, MOST_USELESS)])
                try:
                    worker = await Worker.start(self._program, self._most)
                except (Lost, OSError) as error:
                    await self._not_started(error)
                    continue
                finally:
                    self._starting -= starting
                    starting = False
                self._unstarted = 0
                self._workers.add(worker)
                kill = True
                try:
                    await self._feed(worker)
                    kill = False
                except Lost as lost:
                    self._on_lost(lost.kind)
                    useless = 0 if worker.worked else useless + (lost.kind == "idle")
                finally:
                    self._workers.discard(worker)
                    self._end(worker, kill=kill)
        finally:
            self._starting -= starting

    def _end(self, worker: Worker, *, kill: bool) -> None:
        """End a worker in a task of its own: the next worker does not wait for it, and closing the pool does not
        interrupt it.
        """
        ending = asyncio.create_task(worker.finish(kill=kill), name=f"end worker {worker.process.pid}")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _not_started(self, error: Exception) -> None:
        """Wait before the next try. Jobs do not wait for ever: after several failures they are Lost."""
        self._unstarted += 1
        self._on_lost("unstarted")
        level = logging.ERROR if self._unstarted > MOST_ACCIDENTS else logging.WARNING
        log.log(level, "a worker could not be started: %s", type(error).__name__)
        if self._hopeless:
            for waiting in self._waiting.values():
                while waiting:
                    _fail(waiting.popleft(), "unstarted")
        await asyncio.sleep(PAUSES[min(self._unstarted, len(PAUSES) - 1)])

    async def _feed(self, worker: Worker) -> None:
        """Give a worker jobs until it has too much memory. Raises Lost."""
        while worker.resident <= MOST_RESIDENT:
            if (waiting := self._next()) is not None:
                await self._do(worker, waiting.popleft())
            elif worker.warm < len(self._beforehand):
                await self._do_beforehand(worker)
            else:
                await self._wait(worker)
        log.info("a worker with %d MB is replaced", worker.resident >> 20)

    async def _wait(self, worker: Worker) -> None:
        """Wait until there may be something to do. Raises Lost if the worker ends meanwhile."""
        idle = asyncio.get_running_loop().create_future()
        self._idle.add(idle)
        try:
            await asyncio.wait({idle, worker.exited}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._idle.discard(idle)
        if worker.exited.done():
            log.warning("a worker ended by itself, with %d", worker.process.returncode)
            raise Lost("idle")

    async def _do(self, worker: Worker, task: _Task) -> None:
        """Let a worker do a job. If the worker is lost, the job is first in its queue again."""
        thinks = task.urgency is Urgency.COMPUTERS
        self._thinking += thinks
        task.begun()
        try:
            result = await worker.do(task.job, task.limit, self._texts)
        except WorkerFault as fault:
            if not task.result.done():
                task.result.set_exception(fault)
        except Lost as lost:
            log.warning("a worker was lost at a job of the kind %s: %s", task.job.kind, lost.kind)
            task.lost.append(lost.kind)
            if len(task.lost) >= MOST_LOST or len(task.lost) - task.lost.count("died") >= MOST_AT_FAULT:
                _fail(task, lost.kind)
            else:
                self._waiting[task.urgency].appendleft(task)
                self._look()
            raise
        except asyncio.CancelledError:
            _fail(task, "closed")
            raise
        except Exception as error:  # for example an argument that cannot be pickled: the caller's fault
            if not task.result.done():
                task.result.set_exception(error)
        else:
            worker.worked = True
            if not task.result.done():
                task.result.set_result(result)
        finally:
            self._thinking -= thinks

    async def _do_beforehand(self, worker: Worker) -> None:
        """Let a worker do the next step of the work beforehand. Log an error, since no caller waits for the result."""
        number, job = worker.warm, self._beforehand[worker.warm]
        worker.warm += 1
        if self._lost_at[number] >= MOST_LOST:
            return
        try:
            if await worker.do(job, LIMIT, self._texts) == MORE:
                worker.warm = number
        except WorkerFault as fault:
            self._lost_at[number] = MOST_LOST
            log.error("%s cannot be drawn beforehand: %s", job.arguments[0], fault.kind)
        except Lost:
            self._lost_at[number] += 1
            raise


def _fail(task: _Task, how: str) -> None:
    if not task.result.done():
        task.result.set_exception(Lost(how))
