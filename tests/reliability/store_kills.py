"""kill -9 of the store at random instants: a process presses until it is killed, and the next one goes on.

Each such process is called a life. This process has no threads, so it can fork each life with everything imported, in
milliseconds. A life is killed while it opens the file, or after a few answers, at a random instant of the next move.
Each life first repeats the last press of the one before; the answer must be that it is recorded, now or before: before,
if the player was told so. After
LIVES lives the next begins without a file, so that kills also meet migrations and lobbies.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections import deque
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from cogs.local.postgres_server import PostgresServer
from data.store.database import DatabaseRefusal
from rules import GAMES
from tests.reliability.forks import live
from tests.reliability.history import VIOLATION, History, violation_line
from tests.reliability.invariants import CORRUPT, LOST, faults
from tests.reliability.report import Report, empty_folder
from tests.reliability.seeded_bugs import Bug
from tests.reliability.store_players import StorePlayers
from tests.support.hung import HUNG

LIVES = 50
"""Lives of one file."""
STARTING = 0.25
"""The fraction of lives that are killed before the first press."""
LONGEST = HUNG
"""Seconds of silence after which a life counts as hanging. On a busy machine a start on a new PostgreSQL database has
taken more than 30.
"""


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """Kill `trials` times, or only the lives of file number `only`."""
    _run(report, folder, trials, bug, only, lambda number, where: where / "sundial.db")


def run_on_postgresql(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """Do the same on databases of a PostgreSQL server of our own, which goes on. What it does for a killed process may
    still be under way when the next one begins.
    """
    import_module("data.store.postgres")  # once, not in each life; only here is psycopg needed
    server = PostgresServer()
    try:
        _run(report, folder, trials, bug, only, lambda number, where: server.make(f"kills_{number}"))
    finally:
        server.close()


def _run(
    report: Report, folder: Path, trials: int, bug: Bug, only: int | None, new: Callable[[int, Path], Path | str]
) -> None:
    """Kill `trials` times. `new` returns what to open as a new database, of that number and perhaps in that folder."""
    for number in range(-(-trials // LIVES)) if only is None else [only]:
        lives = min(LIVES, trials - number * LIVES) if only is None else LIVES
        where = empty_folder(folder / "kills")
        found = _one_file(new(number, where), Random(f"{report.seed}/{number}"), lives, bug, report)
        if report.record(number, found, where) or report.out_of_time:
            return


def _one_file(path: Path | str, random: Random, lives: int, bug: Bug, report: Report) -> list[str]:
    """Run the lives of one file or database. Return the faults of the file, compared with what people were told."""
    history, timing = History(), _KillTiming(random)
    for _ in range(lives):
        before = len(history.answers)
        history.read(_one_life(path, random, history, bug, timing))
        report.counts["kills"] += 1
        report.counts["answers"] += len(history.answers) - before
        report.counts["presses without an answer"] += history.unanswered is not None
        if history.violations:
            break
    try:
        return [*asyncio.run(faults(path, history)), *history.violations]
    except DatabaseRefusal as refusal:
        return [f"{CORRUPT}: {refusal}", *history.violations]


class _KillTiming:
    """Draw when to kill, relative to how long recent starts and moves took, so that a slow machine changes nothing."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._starts, self._lines = deque([0.02], 15), deque([0.001], 15)

    def plan(self) -> tuple[int, float]:
        """Return after how many lines of the history to kill, and how many seconds after the last of them."""
        if self._random.random() < STARTING:
            return 0, self._random.uniform(0, 2 * median(self._starts))
        return self._random.randrange(1, 12), self._random.uniform(0, 2 * median(self._lines))

    def learn(self, first: bool, seconds: float) -> None:
        (self._starts if first else self._lines).append(seconds)


def _one_life(path: Path | str, random: Random, history: History, bug: Bug, timing: _KillTiming) -> list[str]:
    """Fork a life, kill it, and return its lines of the history. Raises RuntimeError if it ends by itself."""
    seed = random.getrandbits(32)
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        live(outward, partial(_press_on, path, Random(seed), history, bug))
    os.close(outward)
    try:
        said = _listen(inward, timing)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        while more := os.read(inward, 65536):  # written before the kill
            said += more
    finally:
        os.close(inward)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        raise RuntimeError(f"a life ended by itself, with the status {status}")
    return said.decode().splitlines(keepends=True)


def _listen(inward: int, timing: _KillTiming) -> bytes:
    """Return what the life writes up to the instant at which to kill it."""
    lines, delay = timing.plan()
    said, last = b"", perf_counter()
    due = last + delay if lines == 0 else None
    while True:
        wait = LONGEST if due is None else max(0.0, due - perf_counter())
        if not select.select([inward], [], [], wait)[0]:
            return said if due is not None else said + violation_line(f"silent for {LONGEST} s").encode()
        more = os.read(inward, 65536)
        if not more or more.startswith(VIOLATION):
            return said + more
        now = perf_counter()
        timing.learn(not said, now - last)
        said, last = said + more, now
        if due is None and said.count(b"\n") >= lines:
            due = now + delay


async def _press_on(
    path: Path | str, random: Random, history: History, bug: Bug, write_line: Callable[[str], object]
) -> None:
    async with StorePlayers.opened(path, random, write_line, bug) as players:
        await players.sit_down()
        if history.last is not None:
            stored = await players.service.load(history.last.match)
            if (
                history.unanswered is None and stored.version < history.answers[-1].version
            ):  # repeating it would hide it
                write_line(violation_line(f"{LOST}: version {history.answers[-1].version}, it is {stored.version}"))
                return
            await players.press_again(history.last)
        for slug in cycle(random.sample(sorted(GAMES), len(GAMES))):
            await players.press(await players.draw_press(slug))
            await players.record_shown(slug)
