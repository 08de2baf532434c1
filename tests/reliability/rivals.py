"""Several processes on one PostgreSQL database press at the same tables at once, and each is killed at some instant.

Each process decides by what it has read, so another one is often faster: then it is refused, and its players press
again. What a player was told must be stored, once, as if one process alone had run.
"""

from __future__ import annotations

import asyncio
import math
import os
import select
import signal
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from time import perf_counter

from cogs.local.postgres_server import PostgresServer
from cogs.match.refusals import Reason, Refused
from rules import GAMES
from tests.reliability.forks import live
from tests.reliability.history import VIOLATION, History, violation_line
from tests.reliability.invariants import faults
from tests.reliability.report import Report
from tests.reliability.seeded_bugs import Bug
from tests.reliability.store_players import StorePlayers

PROCESSES = 3
ROUNDS = 4
"""Times that new processes begin on one database."""
LINES = 5, 100
"""A process has written at least, and at most, so many lines when its last moment begins: on a slow machine too."""
MOMENT = 0.02
"""Seconds in which it is then killed: several presses."""


def run(report: Report, folder: Path, trials: int, bug: Bug, only: int | None = None) -> None:
    """Run `trials` processes, or only those of database number `only`."""
    server = PostgresServer()
    try:
        for number in range(-(-trials // (ROUNDS * PROCESSES))) if only is None else [only]:
            url, random = server.make(f"rivals_{number}"), Random(f"{report.seed}/{number}")
            if report.record(number, _one_database(url, random, bug, report), folder) or report.out_of_time:
                return
    finally:
        server.close()


def _one_database(url: str, random: Random, bug: Bug, report: Report) -> list[str]:
    """Run some rounds on a database. Return its faults, compared with what people were told."""
    history = History()
    asyncio.run(_sit_down(url, random.getrandbits(32)))
    for _ in range(ROUNDS):
        for said in _one_round(url, random, bug):
            told = History()
            told.read(said)
            history.pressed |= told.pressed
            history.answers += told.answers
            history.violations += told.violations
            report.counts["refused"] += sum(line.startswith('["refused"') for line in said)
        report.counts["processes killed"] += PROCESSES
    report.counts["answers"] += len(history.answers)
    return [*asyncio.run(faults(url, history)), *history.violations]


def _one_round(url: str, random: Random, bug: Bug) -> list[list[str]]:
    """Fork the processes, kill each at a random instant, and return what each has written, in lines."""
    children = dict[int, int]()
    for _ in range(PROCESSES):
        seed = random.getrandbits(32)
        inward, outward = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(inward)
            live(outward, partial(_press_on, url, Random(seed), bug))
        os.close(outward)
        children[inward] = child
    plans = {inward: (random.randint(*LINES), random.uniform(0.0, MOMENT)) for inward in children}
    due = dict.fromkeys(children, math.inf)
    said = dict.fromkeys(children, b"")
    while due:
        until = min(due.values())
        ready, _, _ = select.select(list(due), [], [], None if until == math.inf else max(0.0, until - perf_counter()))
        for inward in ready:
            more, (lines, later) = os.read(inward, 65536), plans[inward]
            said[inward] += more
            stopped = not more or VIOLATION in said[inward]  # it writes no more
            if due[inward] == math.inf and (stopped or said[inward].count(b"\n") >= lines):
                due[inward] = perf_counter() + later
        for inward in [inward for inward, instant in due.items() if instant <= perf_counter()]:
            os.kill(children[inward], signal.SIGKILL)
            os.waitpid(children[inward], 0)
            while more := os.read(inward, 65536):  # written before the kill
                said[inward] += more
            os.close(inward)
            del due[inward]
    return [text.decode().splitlines(keepends=True) for text in said.values()]


async def _sit_down(url: str, seed: int) -> None:
    async with StorePlayers.opened(url, Random(seed), lambda line: None) as players:
        await players.sit_down()


async def _press_on(url: str, random: Random, bug: Bug, write_line: Callable[[str], object]) -> None:
    async with StorePlayers.opened(url, random, write_line, bug) as players:
        for slug in cycle(random.sample(sorted(GAMES), len(GAMES))):
            try:
                if slug not in players.tables:
                    await players.sit_down()
                await players.press(await players.draw_press(slug))
                await players.record_shown(slug)
            except Refused as refused:
                if refused.reason == Reason.DAMAGED:
                    write_line(violation_line(f"torn: the stored match of {slug} is refused as damaged"))
                    return
                write_line(f'["refused","{refused.reason}"]\n')
