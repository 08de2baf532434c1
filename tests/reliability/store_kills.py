"""kill -9 at random instants, over and over: a life is a process that presses until it is killed, and the next goes on.

This process keeps no thread, so it may fork: a life begins with everything imported, in milliseconds. A life is
killed while it opens the file, or after a few answers and then at an instant of the next move. Each life first presses
again what the last one pressed, and its answer must be that it is recorded, now or before. Every so many lives begin
anew with no file at all, so migrations and lobbies are killed too.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections import deque
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import NoReturn

from data.store.database import DatabaseRefusal
from rules import GAMES
from tests.reliability.forks import broken_off
from tests.reliability.history import COMPLAINT, Diary, Press, complaining
from tests.reliability.invariants import CORRUPT, faults
from tests.reliability.report import Report, fresh
from tests.reliability.seeded_bugs import Bug
from tests.reliability.store_players import Players

LIVES = 50
"""Lives of one file."""
STARTING = 0.25
"""The share of lives that are killed before anybody has pressed."""
LONGEST = 30
"""Seconds after which a silent life hangs."""


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """So many kills. `only`: just those of that file."""
    for number in range(-(-trials // LIVES)) if only is None else [only]:
        lives = min(LIVES, trials - number * LIVES) if only is None else LIVES
        where = fresh(folder / "kills")
        found = _one_file(where / "sundial.db", Random(f"{report.seed}/{number}"), lives, bug, report)
        if report.ended(number, found, where) or report.late:
            return


def _one_file(path: Path, random: Random, lives: int, bug: Bug, report: Report) -> list[str]:
    """The lives of one file; then what is wrong in it, beside what people were told."""
    diary, pace = Diary(), _Pace(random)
    for _ in range(lives):
        before = len(diary.answers)
        diary.read(_one_life(path, random, diary.last, bug, pace))
        report.counts["kills"] += 1
        report.counts["answers"] += len(diary.answers) - before
        report.counts["presses without an answer"] += diary.unanswered is not None
        if diary.complaints:
            break
    try:
        return [*asyncio.run(faults(path, diary)), *diary.complaints]
    except DatabaseRefusal as refusal:
        return [f"{CORRUPT}: {refusal}", *diary.complaints]


class _Pace:
    """When to kill: counted in how long starts and moves took of late, so that a slow machine changes nothing."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._starts, self._lines = deque([0.02], 15), deque([0.001], 15)

    def plan(self) -> tuple[int, float]:
        """After how many lines of the diary, and how many seconds after the last of them."""
        if self._random.random() < STARTING:
            return 0, self._random.uniform(0, 2 * median(self._starts))
        return self._random.randrange(1, 12), self._random.uniform(0, 2 * median(self._lines))

    def learn(self, first: bool, seconds: float) -> None:
        (self._starts if first else self._lines).append(seconds)


def _one_life(path: Path, random: Random, last: Press | None, bug: Bug, pace: _Pace) -> list[str]:
    """Fork a life, kill it in time, and give back what it has said. Raises RuntimeError where it ends by itself."""
    seed = random.getrandbits(32)
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        _live(path, Random(seed), last, bug, outward)
    os.close(outward)
    try:
        said = _listen(inward, pace)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        while more := os.read(inward, 65536):  # it was said before the kill
            said += more
    finally:
        os.close(inward)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        raise RuntimeError(f"a life ended by itself, with the status {status}")
    return said.decode().splitlines(keepends=True)


def _listen(inward: int, pace: _Pace) -> bytes:
    """What is said up to the instant at which to kill."""
    lines, delay = pace.plan()
    said, last = b"", perf_counter()
    due = last + delay if lines == 0 else None
    while True:
        wait = LONGEST if due is None else max(0.0, due - perf_counter())
        if not select.select([inward], [], [], wait)[0]:
            return said if due is not None else said + complaining(f"silent for {LONGEST} s").encode()
        more = os.read(inward, 65536)
        if not more or more.startswith(COMPLAINT):
            return said + more
        now = perf_counter()
        pace.learn(not said, now - last)
        said, last = said + more, now
        if due is None and said.count(b"\n") >= lines:
            due = now + delay


def _live(path: Path, random: Random, last: Press | None, bug: Bug, outward: int) -> NoReturn:
    """Press until killed. What goes wrong is said, and the kill waited for all the same."""

    def say(line: str) -> None:
        os.write(outward, line.encode())

    try:
        asyncio.run(_press_on(path, random, last, bug, say))
    except BaseException as error:
        say(complaining(broken_off(error)))
    while True:
        signal.pause()


async def _press_on(path: Path, random: Random, last: Press | None, bug: Bug, say: Callable[[str], object]) -> None:
    async with Players.opened(path, random, say, bug) as players:
        await players.sit_down()
        if last is not None:
            await players.press_again(last)
        for slug in cycle(random.sample(sorted(GAMES), len(GAMES))):
            await players.press(await players.draw(slug))
            await players.show(slug)
