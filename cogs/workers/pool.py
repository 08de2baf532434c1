"""The pool of workers: a bounded number of processes that draw and think beside the event loop. Jobs for a press go
first, then jobs for what people see, then computers' moves, then the rest; but see `LATER`. Equally urgent ones are
done in turn among the people for whom they are. A worker has one job at a time. If a worker dies, hangs or takes too
much memory, the pool replaces it, and another one does its job again; a job that ends its workers again and again is
`Lost`. The first worker starts with the first job, another one when a job finds all of them busy.

A player never waits for a picture until a thought is over. Of several workers one never thinks. A single worker never
thinks either: a further process does, at a lower priority, and only as long as there is something to think about.

No library does this: the executors of the standard library and of loky lose all jobs when one worker dies, and do not
order jobs by urgency; pebble's licence does not fit.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum

from cogs.workers.frames import Texts
from cogs.workers.jobs import MORE, THOUGHTS, Job, Result
from cogs.workers.process import Lost, Worker, WorkerFault
from data.turns import Turns, asker

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
NICE = 5
"""How much lower a worker's priority is than the bot's, which answers presses."""
NICE_THINKER = 10
"""The same of the process that thinks beside a single worker: pictures have priority."""
THINKER_IDLE = 60.0
"""Seconds without a thought after which that process ends."""
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


@dataclass(slots=True, eq=False)
class _Task:
    """A job that waits or runs, and how many of its workers were lost so far."""

    job: Job
    urgency: Urgency
    limit: float
    result: asyncio.Future[Result]
    due: float
    """The time of its arrival plus the `LATER` of its urgency; the job with the lowest is next."""
    begun: Callable[[], None] = lambda: None
    """Called each time a worker begins with it."""
    lost: list[str] = field(default_factory=list)

    @property
    def thinks(self) -> bool:
        """Whether it is a thought."""
        return self.job.kind in THOUGHTS


@dataclass(slots=True, eq=False)
class _Crew:
    """The workers that do the same jobs, at most `most`."""

    most: int
    nice: int = NICE
    draws: bool = True
    thinks: bool = True
    stays: float | None = None
    """Seconds that a worker waits for a job before it ends; None: it stays."""
    places: set[asyncio.Task[None]] = field(default_factory=set)
    workers: set[Worker] = field(default_factory=set)
    idle: set[asyncio.Future[None]] = field(default_factory=set)
    starting: int = 0
    unstarted: int = 0
    """How many workers in a row could not be started."""

    @property
    def hopeless(self) -> bool:
        """Whether none runs, and several in a row could not be started."""
        return self.unstarted > MOST_ACCIDENTS and not self.workers

    def does(self, task: _Task) -> bool:
        """Return whether such jobs are for these workers."""
        return self.thinks if task.thinks else self.draws


class Pool:
    """At most `most` workers, and one that thinks beside a single one. `on_lost` hears how a worker was lost."""

    def __init__(self, most: int, on_lost: Callable[[str], None] = lambda _: None, program: str = PROGRAM) -> None:
        self._most, self.on_lost, self._program = most, on_lost, program
        self._waiting: dict[Urgency, Turns[_Task]] = {each: Turns() for each in Urgency}
        self._texts = Texts()
        self.drawn_first: list[Job] = []
        self._lost_at: Counter[int] = Counter()
        """How many workers were lost at each of these jobs. A job that failed is not done again, as if it had lost too
        many.
        """
        self._crews = [_Crew(most)]
        if most == 1:
            self._crews = [_Crew(1, thinks=False), _Crew(1, NICE_THINKER, draws=False, stays=THINKER_IDLE)]
        self._ending: set[asyncio.Task[None]] = set()
        self._thinking = 0
        self._closed = False

    @property
    def workers(self) -> set[Worker]:
        """The workers that run now."""
        return set().union(*(crew.workers for crew in self._crews))

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that run now."""
        return [worker.process.pid for worker in self.workers]

    def gauges(self) -> dict[str, float]:
        """Return the metrics of the workers: how many run, and how many jobs wait for them."""
        return {"workers": len(self.workers), "jobs_waiting": sum(len(each) for each in self._waiting.values())}

    async def run(
        self,
        job: Job,
        urgency: Urgency = Urgency.PRESS,
        limit: float | None = None,
        begun: Callable[[], None] = lambda: None,
    ) -> Result:
        """Return the result of a job, which may take a worker `limit` seconds, else LIMIT. `begun` is called when one
        begins.

        Raises WorkerFault if the job failed, or Lost if no worker survived it or none can be started. If the caller is
        cancelled, the job is dropped or its result ignored. The job is for whom the current task works.
        """
        if self._closed:
            raise Lost("closed")
        loop = asyncio.get_running_loop()
        task = _Task(job, urgency, limit or LIMIT, loop.create_future(), loop.time() + LATER[urgency], begun)
        if any(crew.hopeless for crew in self._crews if crew.does(task)):
            raise Lost("unstarted")
        self._waiting[urgency].append(task, asker.get())
        self._look()
        return await task.result

    def beforehand(self, job: Job) -> None:
        """Let each worker do a job, step by step, whenever no other job waits. Only the first call for a job counts."""
        if job not in self.drawn_first and not self._closed:
            self.drawn_first.append(job)
            self._look()

    async def close(self) -> None:
        """End all workers, also in the middle of their jobs. Jobs that are not done are Lost."""
        self._closed = True
        places = [place for crew in self._crews for place in crew.places]
        for place in places:
            place.cancel()
        await asyncio.gather(*places, return_exceptions=True)
        await asyncio.gather(*self._ending)
        for crew in self._crews:
            self._give_up(crew, "closed")

    def _look(self) -> None:
        """Wake the idle workers, or start one more in a crew for which a job waits."""
        if self._closed:
            return
        for crew in self._crews:
            for idle in crew.idle:
                if not idle.done():
                    idle.set_result(None)
            ahead = self.drawn_first and crew.draws and not crew.places
            wanted = self._claims(crew) > len(crew.idle) + crew.starting or ahead
            if wanted and len(crew.places) < crew.most:
                crew.starting += 1
                place = asyncio.create_task(self._live(crew), name="worker")
                crew.places.add(place)
                place.add_done_callback(crew.places.discard)

    def _room(self, urgency: Urgency) -> int:
        """Return how many thoughts of that urgency may be under way. One worker never thinks, and none begins with a
        second thought while a picture waits that is as urgent.
        """
        if any(not task.thinks for each in Urgency if each <= urgency for task in self._waiting[each]):
            return 1
        return max(1, self._most - 1)

    def _claims(self, crew: _Crew) -> int:
        """Return how many jobs wait that the crew may begin."""
        claims = 0
        for urgency, waiting in self._waiting.items():
            tasks = [task for task in waiting if crew.does(task)]
            thoughts = sum(task.thinks for task in tasks)
            claims += len(tasks) - thoughts
            if thoughts:
                claims += max(0, min(thoughts, self._room(urgency) - self._thinking))
        return claims

    def _next(self, crew: _Crew) -> _Task | None:
        """Return the job that the crew does next; None if there is none that it may begin now. It still waits."""
        ready = []
        for urgency, waiting in self._waiting.items():
            for gone in [task for task in waiting if task.result.done()]:  # its caller has gone
                waiting.drop(gone)
            may_think = self._thinking < self._room(urgency)

            def may(task: _Task, may_think: bool = may_think) -> bool:
                return crew.does(task) and (may_think or not task.thinks)

            if (task := waiting.first(may)) is not None:
                ready.append(task)
        return min(ready, key=lambda task: task.due, default=None)

    async def _live(self, crew: _Crew) -> None:
        """Run one worker after the other at one place of the crew."""
        starting = True  # counted in `starting`
        useless = 0  # workers in a row that ended by themselves before any job
        try:
            while True:
                await asyncio.sleep(PAUSES[min(useless, MOST_USELESS)])
                try:
                    worker = await Worker.start(self._program, self._most, crew.nice)
                except (Lost, OSError) as error:
                    await self._not_started(crew, error)
                    continue
                finally:
                    crew.starting -= starting
                    starting = False
                crew.unstarted = 0
                crew.workers.add(worker)
                kill = True
                try:
                    stays = await self._feed(crew, worker)
                    kill = False
                except Lost as lost:
                    self.on_lost(lost.kind)
                    useless = 0 if worker.worked else useless + (lost.kind == "idle")
                else:
                    if not stays:
                        # Now, not when this task is done: a job that comes in between needs another place.
                        crew.places.discard(asyncio.current_task())
                        return
                finally:
                    crew.workers.discard(worker)
                    self._end(worker, kill=kill)
        finally:
            crew.starting -= starting

    def _end(self, worker: Worker, *, kill: bool) -> None:
        """End a worker in a task of its own: no worker waits for it, and closing the pool does not interrupt it."""
        ending = asyncio.create_task(worker.finish(kill=kill), name=f"end worker {worker.process.pid}")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _not_started(self, crew: _Crew, error: Exception) -> None:
        """Wait before the next try. Jobs do not wait for ever: after several failures they are Lost."""
        crew.unstarted += 1
        self.on_lost("unstarted")
        level = logging.ERROR if crew.unstarted > MOST_ACCIDENTS else logging.WARNING
        log.log(level, "a worker could not be started: %s", type(error).__name__)
        if crew.hopeless:
            self._give_up(crew, "unstarted")
        await asyncio.sleep(PAUSES[min(crew.unstarted, len(PAUSES) - 1)])

    def _give_up(self, crew: _Crew, how: str) -> None:
        """Fail all jobs that wait for this crew."""
        for waiting in self._waiting.values():
            for task in [task for task in waiting if crew.does(task)]:
                waiting.drop(task)
                _fail(task, how)

    async def _feed(self, crew: _Crew, worker: Worker) -> bool:
        """Give a worker jobs until it has too much memory (True) or waited too long for one (False). Raises Lost."""
        while worker.resident <= MOST_RESIDENT:
            if (task := self._next(crew)) is not None:
                self._waiting[task.urgency].take(task)
                await self._do(worker, task)
            elif crew.draws and worker.warm < len(self.drawn_first):
                await self._do_beforehand(worker)
            elif not await self._wait(crew, worker):
                return False
        log.info("a worker with %d MB is replaced", worker.resident >> 20)
        return True

    async def _wait(self, crew: _Crew, worker: Worker) -> bool:
        """Wait for something to do; return False if that took too long. Raises Lost if the worker ends meanwhile."""
        idle = asyncio.get_running_loop().create_future()
        crew.idle.add(idle)
        try:
            await asyncio.wait({idle, worker.exited}, timeout=crew.stays, return_when=asyncio.FIRST_COMPLETED)
        finally:
            crew.idle.discard(idle)
        if worker.exited.done():
            log.warning("a worker ended by itself, with %d, and is replaced", worker.process.returncode)
            raise Lost("idle")
        return idle.done()

    async def _do(self, worker: Worker, task: _Task) -> None:
        """Let a worker do a job. If the worker is lost, the job is first in its queue again."""
        self._thinking += task.thinks
        self._look()  # a picture does not wait any more, so another thought may begin
        task.begun()
        try:
            result = await worker.do(task.job, task.limit, self._texts)
        except WorkerFault as fault:
            if not task.result.done():
                task.result.set_exception(fault)
        except Lost as lost:
            log.warning(
                "a worker was lost at a job of the kind %s, which another one does again: %s", task.job.kind, lost.kind
            )
            task.lost.append(lost.kind)
            if len(task.lost) >= MOST_LOST or len(task.lost) - task.lost.count("died") >= MOST_AT_FAULT:
                _fail(task, lost.kind)
            else:
                self._waiting[task.urgency].put_back(task)
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
            self._thinking -= task.thinks

    async def _do_beforehand(self, worker: Worker) -> None:
        """Let a worker do the next step of the work beforehand. Log an error, since no caller waits for the result."""
        number, job = worker.warm, self.drawn_first[worker.warm]
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
