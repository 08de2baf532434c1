"""Trace a press until its move is stored, and on until its answer is sent: the files that it enters, and its hops
between the files of cogs/.

`python -m tests.support.press_trace` plays a card from a hand in simulated Discord and prints the trace of the press.
tests/cogs/test_press_trace.py checks the bounds of the trace.

A visit is a call of a function of this project, or a coroutine's resumption, in the task that discord.py made for the
press. A hop is a visit to a file of cogs/ other than the last visited one. The write is where the store begins to save
the match; the answer is the task's next request to Discord.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

from rules import GAMES
from tests.support.simulation import PEOPLE, Simulation, finish, simulate
from tests.support.table import Table
from tests.support.traits import nearest_seats

ROOT = Path(__file__).parents[2]
ROOMS = ("bot.py", "cogs", "data", "rendering", "rules")
STORE = ("matches.py", "save")
"""The file and the function that stores a move."""
REQUEST = ("simcord/http/client.py", "request")
"""The end of the path and the function that makes a request to the simulated Discord."""


@dataclass
class PressTrace:
    """The visits of one press in order."""

    visits: list[tuple[str, str]]
    """File and function."""

    @property
    def to_the_write(self) -> PressTrace:
        """Return the part up to the write."""
        (end,) = [at for at, (file, name) in enumerate(self.visits) if (file.rpartition("/")[2], name) == STORE][:1]
        return PressTrace(self.visits[: end + 1])

    @property
    def files(self) -> list[str]:
        """Return each entered file of the project, in the order of the first visits."""
        return list(dict.fromkeys(file for file, _ in self.visits))

    @property
    def cogs(self) -> list[str]:
        """Return each entered file of cogs/, in the same order."""
        return [file for file in self.files if file.startswith("cogs/")]

    @property
    def hops(self) -> int:
        """Return how often the press went from one file of cogs/ to another."""
        return sum(a != b for a, b in pairwise(file for file, _ in self.visits if file.startswith("cogs/")))

    def count(self, file: str, function: str) -> int:
        return self.visits.count((file, function))

    def __str__(self) -> str:
        return (
            f"{len(self.visits)} visits, {len(self.files)} files, {len(self.cogs)} of cogs/, "
            f"{self.hops} hops between those"
        )


class Tracer:
    """A profile function that follows all tasks. `trace` is that of the task which first stores a match."""

    def __init__(self) -> None:
        self.trace: PressTrace | None = None
        self._visits: dict[asyncio.Task[Any], list[tuple[str, str]]] = {}
        self._storing: asyncio.Task[Any] | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or self.trace is not None:
            return
        file, task, name = self._file(frame), self._current(), frame.f_code.co_name
        if task is None:
            return
        if file is None:
            if task is self._storing and name == REQUEST[1] and frame.f_code.co_filename.endswith(REQUEST[0]):
                self.trace = PressTrace(self._visits[task])
            return
        self._visits.setdefault(task, []).append((file, name))
        if self._storing is None and (file.rpartition("/")[2], name) == STORE:
            self._storing = task

    @staticmethod
    def _current() -> asyncio.Task[Any] | None:
        try:
            return asyncio.current_task()
        except RuntimeError:  # another thread, without a loop
            return None

    @staticmethod
    def _file(frame: FrameType) -> str | None:
        try:
            file = Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()
        except ValueError:
            return None
        return file if file.split("/")[0] in ROOMS else None


async def card_press(sim: Simulation, game: str = "sea_change") -> PressTrace:
    """Return the trace of a press that makes a move from a hand in direct messages, at a table of three people, or of
    the nearest number that the game takes.
    """
    people = sim.join_server(*PEOPLE[: nearest_seats(GAMES[game], 3)])
    table = await Table.open(sim, game, people, seed="road")
    await table.start()
    await sim.env.settle()
    match, state = await table.now()
    person = sim.by_id(match.chairs[min(state.to_move())].player)
    tracer = Tracer()
    sys.setprofile(tracer)
    try:
        await table.decide(person)
        await sim.env.settle()
    finally:
        sys.setprofile(None)
    assert tracer.trace is not None, "the press stored nothing, or was not answered"
    return tracer.trace


async def main() -> None:
    """Print the trace."""
    with tempfile.TemporaryDirectory() as folder:
        sim = await simulate(Path(folder))
        try:
            trace = await card_press(sim)
        finally:
            await finish(sim)
    before = ""
    for file, function in trace.visits:
        print(f"{'' if file == before else file:<44}{function}")
        before = file
    print(f"to the write: {trace.to_the_write}\nto the answer: {trace}")


if __name__ == "__main__":
    asyncio.run(main())
