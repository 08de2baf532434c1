"""A worker's process, as the bot has it: it starts, does one job at a time, and ends."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cogs.workers.frames import LENGTH, Texts, job_frame, pickled, read_answer
from cogs.workers.jobs import Job, Result

log = logging.getLogger(__name__)

ROOT = Path(__file__).parents[2]

BUFFER = 65_536
"""Bytes of an answer that wait to be read before the worker has to."""
START = 30.0
"""Seconds that a worker may take to start."""
FAREWELL = 2.0
"""Seconds for a worker to end by itself."""

KEPT = frozenset({"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "PYTHONPATH"})
"""The environment variables that a worker gets, besides those of the allocator (MALLOC_…). None is the bot's."""

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has one way only

ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "131072"}
"""Lets glibc return the memory of large images, if the operator has set nothing else (docs/sundial.service)."""


class WorkerFault(Exception):
    """A job failed. `kind` is the name of the exception in the worker; its place is in the log."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Lost(Exception):
    """A worker was lost. `kind` says how: at a job it died, was slow or ran out of memory; it ended while it was idle;
    it could not be started (unstarted), or the pool was closed.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the part of this environment that a worker gets: no secrets, and none of the bot's settings."""
    return ALLOCATOR | {name: value for name, value in given.items() if name in KEPT or name.startswith("MALLOC_")}


class Worker:
    """A worker's process."""

    def __init__(self, transport: asyncio.SubprocessTransport, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.transport = transport
        """The process's pipes and its end, as asyncio has them."""
        self.process, self._to, self._from = process, process.stdin, process.stdout
        self.exited = asyncio.create_task(process.wait(), name=f"wait for worker {process.pid}")
        self.resident = 0
        self.worked = False
        """Whether the worker has done a job for a caller."""
        self.warm = 0
        """How many of the jobs to be done beforehand the worker has done."""
        self._told: set[int] = set()
        """The numbers of the texts that the worker has."""

    @classmethod
    async def start(cls, program: str, share: int, nice: int) -> Worker:
        """Start a process; for `share` and `nice` see worker.py. Raises Lost or OSError."""
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.subprocess_exec(
            lambda: asyncio.subprocess.SubprocessStreamProtocol(BUFFER, loop),
            *(sys.executable, "-m", program, str(share), str(nice)),
            cwd=ROOT,
            env=environment(os.environ),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # Python could print a hand there
        )
        worker = cls(transport, asyncio.subprocess.Process(transport, protocol, loop))
        try:
            await worker._answer(START)
        except BaseException:
            await worker.finish(kill=True)
            raise
        return worker

    async def do(self, job: Job, limit: float, texts: Texts) -> Result:
        """Do a job, within `limit` seconds. Raises WorkerFault, or Lost if the pool must replace the worker."""
        data, named = pickled(job, texts)
        frame = job_frame(limit, data, {key: named[key] for key in named.keys() - self._told})
        self._told |= named.keys()
        head, result = await self._answer(limit, frame)
        if (fault := head.get("error")) == "MemoryError":
            raise Lost("memory")
        if fault is not None:
            log.warning(
                "a worker failed at a job of the kind %s: %s at %s. Report this line to the project",
                job.kind,
                fault,
                head.get("where"),
            )
            raise WorkerFault(fault)
        return result

    async def _answer(self, seconds: float, frame: bytes = b"") -> tuple[dict[str, Any], Result]:
        """Send a frame and return the head and the result of its answer. Raises Lost."""
        try:
            async with asyncio.timeout(seconds):
                self._to.write(frame)
                await self._to.drain()
                (size,) = LENGTH.unpack(await self._from.readexactly(LENGTH.size))
                head, result = read_answer(await self._from.readexactly(size))
        except TimeoutError as error:
            raise Lost("slow") from error
        except (OSError, EOFError, RuntimeError, ValueError, KeyError, TypeError) as error:
            raise Lost("died") from error
        self.resident = head["resident"]
        return head, result

    async def finish(self, *, kill: bool) -> None:
        """End the process: at once, or when it has read the end of its input. If broken off, its pipes close."""
        try:
            self._to.close()
            if not kill:
                with suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(self.exited), FAREWELL)
            if not self.exited.done():
                with suppress(ProcessLookupError):
                    # `Process.kill` may take the exit status from the code that waits for it.
                    os.kill(self.process.pid, KILL)
            await self._from.read()  # to the end: asyncio tells the exit only when nothing is left to read
            await self.exited
            with suppress(OSError):
                await self._to.wait_closed()
        finally:
            self.transport.close()
