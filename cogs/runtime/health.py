"""Whether the bot works, for the operator's monitoring: `/livez`, `/readyz` and `/metrics`.

Off unless the operator sets a port. The answers are numbers about the program: no players, servers, matches or cards.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
from aiohttp import web

from cogs.runtime.metrics import KNOWN, Metrics
from cogs.runtime.periodic import Periodic
from cogs.runtime.settings import BadSettings
from data.store import backup_files

BEAT = 0.5
"""Seconds between two measurements of the loop's lag."""
ALIVE, CLOCK_LAG, BEHIND = 5.0, 60.0, 300.0
"""Limits in seconds: the time since the loop last ran, the lag of the clocks, and the age of the oldest late post."""
UNWRITTEN = 60.0
"""Seconds for which writes may fail. To start again mends a process that cannot write; without a server, or with a full
disk, the start says so.
"""
PORTS = 10
"""How many ports from HEALTH_PORT on are tried if other processes of the bot may run on the same machine."""
LEAST_ROOM = 50 << 20
"""Free bytes of disk that the bot needs to store moves."""
MOST_PORT = 65535
PATIENCE = 2.0
"""Seconds for the database to answer."""


CLOCK_OFF = 3.0
"""Seconds by which the clock may differ from Discord's. A smaller difference may be the delay of the message."""
LITTLE_ROOM = 100 << 20
"""Free bytes below which a disk is nearly full."""


_ANSWER = re.compile(r"/(interactions|webhooks)/\d+/")


def tried(port: int, ports: int) -> range:
    """Return the ports from `port` on that are tried until one is free."""
    return range(port, min(port + ports, MOST_PORT + 1))


async def _always() -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class HealthProbes:
    """Functions that say how the bot is. `behind` returns the number of matches with late posts, and the oldest age."""

    connected: Callable[[], bool]
    stored: Callable[[], Awaitable[bool]]
    clock_lag: Callable[[], float]
    behind: Callable[[], tuple[int, float]]
    matches: Callable[[], Awaitable[Mapping[str, int]]]
    database: Path | None
    """The database file; None in memory."""
    asks: Callable[[], bool] = lambda: True
    """Whether requests to Discord are sent, or held back because it has refused too many."""
    others: Callable[[], Mapping[str, float]] = dict
    """Gauges of the other parts, by name."""
    unwritten: Callable[[], Awaitable[float]] = _always
    """Seconds for which nothing could be written to the database; 0.0 if something can be."""
    workers: Callable[[], Sequence[int]] = tuple
    """The numbers of the processes that draw and think."""


class Health:
    """Measures the loop's lag and serves the answers. `steady` returns seconds that never go back."""

    def __init__(
        self, signs: HealthProbes, metrics: Metrics, steady: Callable[[], float], wall: Callable[[], float]
    ) -> None:
        self._signs = signs
        self._metrics = metrics
        self._steady = steady
        self._wall = wall
        self._beat = steady()
        self._lags: deque[float] = deque([0.0], maxlen=int(60 / BEAT))
        self._pulse = Periodic("pulse", self._measure_lag, BEAT, at_once=False, now=steady)
        self.runner: web.AppRunner | None = None

    async def open(self, port: int, host: str = "127.0.0.1", ports: int = 1) -> int:
        """Serve on this port of this address, or on the first free one of so many `ports` from it on; 0: any free one.
        Return the port. Raises BadSettings if none is free.
        """
        self._beat = self._steady()
        self._pulse.start()
        app = web.Application()
        app.router.add_get("/livez", self._livez)
        app.router.add_get("/readyz", self._readyz)
        app.router.add_get("/metrics", self._tell_metrics)
        self.runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self.runner.setup()
        for number in tried(port, ports):
            try:
                await web.TCPSite(self.runner, host, number).start()
            except OSError as error:
                taken = error
            else:
                return int(self.runner.addresses[0][1])
        raise BadSettings([f"HEALTH_PORT: port {port} of {host} cannot be used: {taken.strerror}."]) from taken

    async def close(self) -> None:
        """Stop measuring and serving."""
        await self._pulse.close()
        if self.runner is not None:
            await self.runner.cleanup()

    async def _measure_lag(self) -> None:
        before, self._beat = self._beat, self._steady()
        self._lags.append(max(0.0, self._beat - before - BEAT))

    def alive(self) -> bool:
        """Return whether the loop has run lately."""
        return self._steady() - self._beat < ALIVE

    async def checks(self) -> dict[str, bool]:
        """Return the conditions for serving players, by name."""
        _, age = self._signs.behind()
        room = free_room(self._signs.database)
        return {
            "connected": self._signs.connected(),
            "database": await self._stored(),
            "clock": self._signs.clock_lag() < CLOCK_LAG,
            "disk": room is None or room >= LEAST_ROOM,
            "posts": age < BEHIND,
            "requests": self._signs.asks(),
        }

    async def _stored(self) -> bool:
        try:
            return await asyncio.wait_for(self._signs.stored(), PATIENCE)
        except TimeoutError:
            return False

    async def _livez(self, request: web.Request) -> web.Response:
        return _told({"loop": self.alive(), "writes": await self._signs.unwritten() < UNWRITTEN})

    async def _readyz(self, request: web.Request) -> web.Response:
        return _told(await self.checks())

    async def _tell_metrics(self, request: web.Request) -> web.Response:
        count, age = self._signs.behind()
        gauges: dict[str, float | Mapping[str, int]] = {
            "loop_lag_seconds": max(self._lags),
            "clock_lag_seconds": self._signs.clock_lag(),
            "connected": self._signs.connected(),
            "database_works": (works := await self._stored()),
            "posts_behind": count,
            "posts_behind_seconds": age,
            "tasks": len(asyncio.all_tasks()),
            **self._signs.others(),
            **_of_processes(self._signs.workers()),
            **_of_files(self._signs.database, self._wall()),
        }
        if works:
            gauges["matches"] = await self._signs.matches()
        return web.Response(text=self._metrics.text(gauges), headers={"Content-Type": "text/plain; version=0.0.4"})


def counting(metrics: Metrics, heard: Callable[[float], object]) -> aiohttp.TraceConfig:
    """Count every request of discord.py, retries included, by the class of its answer, and time it from its sending on.
    `heard` gets the time in the answer, in seconds since 1970.
    """
    timers = {route: metrics.timer("discord_seconds", route) for route in KNOWN["discord_seconds"].values}

    async def sent(_: Any, times: SimpleNamespace, __: aiohttp.TraceRequestHeadersSentParams) -> None:
        times.sent = time.perf_counter()

    async def answered(_: Any, times: SimpleNamespace, facts: aiohttp.TraceRequestEndParams) -> None:
        status = facts.response.status
        timers[_route(facts.url.path)](time.perf_counter() - times.sent)
        metrics.count("discord_calls_total", "429" if status == 429 else f"{status // 100}xx")
        with suppress(ValueError):  # an answer of a proxy may have no date
            heard(parsedate_to_datetime(facts.response.headers.get("Date", "")).timestamp())

    async def failed(_: Any, __: SimpleNamespace, facts: aiohttp.TraceRequestExceptionParams) -> None:
        metrics.count("discord_calls_total", "failed")

    trace = aiohttp.TraceConfig()
    trace.on_request_headers_sent.append(sent)
    trace.on_request_end.append(answered)
    trace.on_request_exception.append(failed)
    return trace


def _route(path: str) -> str:
    """Return what a request asks for, as a label: an answer to a press, something of a message, or anything else."""
    return "answer" if _ANSWER.search(path) else "message" if "/messages" in path else "other"


def _told(checks: Mapping[str, bool]) -> web.Response:
    """Return 200 if all checks pass, otherwise 503; the body names the checks that fail."""
    body = json.dumps({name: "ok" if well else "bad" for name, well in checks.items()})
    return web.Response(text=body, status=200 if all(checks.values()) else 503, content_type="application/json")


def free_room(database: Path | None) -> int | None:
    """Return the free bytes of the file system on which the database is, 0 if it is gone; None without one."""
    if database is None:
        return None
    return shutil.disk_usage(database.parent).free if database.exists() else 0


def _of_processes(workers: Sequence[int]) -> dict[str, float]:
    """Return the start, memory and open files of this process, and the memory of its workers; on Linux only."""
    if sys.platform != "linux":
        return {}
    return {
        "started_seconds": Path("/proc/self").stat().st_mtime,
        "resident_bytes": _resident("self"),
        "workers_resident_bytes": sum(map(_resident, workers)),
        "open_files": sum(1 for _ in Path("/proc/self/fd").iterdir()),
    }


def _resident(process: int | str) -> int:
    """Return the bytes of memory of that process; 0 if it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _of_files(database: Path | None, now: float) -> dict[str, float]:
    """Return the sizes of the database's files, the free space, and the age of the newest backup. A file that is gone,
    as an old backup may be by now, has no size.
    """
    if database is None:
        return {}
    sizes = {
        "database_bytes": float(sum(facts.st_size for facts in _there(database))),
        "wal_bytes": float(sum(facts.st_size for facts in _there(backup_files.wal(database)))),
        "disk_free_bytes": float(free_room(database) or 0),
    }
    made = [facts.st_mtime for facts in _there(*backup_files.folder(database).glob("*.db"))]
    return {**sizes, "backup_age_seconds": now - max(made)} if made else sizes


def _there(*paths: Path) -> Iterator[os.stat_result]:
    """Yield what the file system tells of those of the files that are there."""
    for path in paths:
        with suppress(FileNotFoundError):
            yield path.stat()
