"""From a press to its answer, each bot in a process of its own (tests/benchmarks/world.py), pressed in turn.

The peer is the least work that shows a new picture after a press: discord.py alone, one request that acknowledges the
press and edits a ready picture in. A bot's processor time is that of its process and of its workers. Both bots are
pressed 60 times before the first press that counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import mean

from tests.benchmarks.pairs import Row

PRESSES = 3
"""Presses in a slice; its figure is their mean, since what one leaves to be done may fall into the next."""
GROWTH = 1.25
"""What 1,000 live matches may add to a press, noise included."""


class World:
    """A bot that waits to be pressed. `arguments` as the module has them."""

    def __init__(self, *arguments: str, module: str = "tests.benchmarks.world") -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout

    def __enter__(self) -> World:
        if self._out.readline() != "ready\n":
            self._process.kill()
            raise RuntimeError(f"the bot did not start: {self._process.args!r}")
        return self

    def __exit__(self, *_: object) -> None:
        self._in.close()
        self._process.wait(60)

    def figure(self, name: str) -> Callable[[], float]:
        """A slice of presses; gives that figure of them, in milliseconds."""

        press = self.asked("press", name)
        return lambda: 1000 * mean([press() for _ in range(PRESSES)])

    def asked(self, command: str, name: str) -> Callable[[], float]:
        answer = self.answer(command)
        return lambda: float(answer()[name])

    def answer(self, command: str) -> Callable[[], dict[str, float]]:
        """All figures of the answer to a command."""

        def ask() -> dict[str, float]:
            self._in.write(f"{command}\n")
            self._in.flush()
            found: dict[str, float] = json.loads(self._out.readline())
            return found

        return ask


@contextmanager
def rows() -> Iterator[list[Row]]:
    """The bots live as long as the context."""
    with ExitStack() as stack:
        bare, still, alone, two, hundred, thousand = (
            stack.enter_context(World(*given.split()))
            for given in ("bare 1", "1 1 still", "1 1", "2 1", "2 100", "2 1000")
        )
        cost, plain = "ms of processor", "a bare discord.py button, a ready picture"
        found = [
            Row(f"a whole move, {who}", plain, most, cost, ours.figure("processor"), bare.figure("processor"), True)
            for who, most, ours in (
                ("alone: table and hand", 8.0, still),
                ("alone, with pictures that move", None, alone),
                ("of two: table and both hands, with pictures that move", None, two),
            )
        ]
        for what, event in (("acknowledgement", "acknowledged"), ("new board", "board")):
            for count, world in ((100, hundred), (1_000, thousand)):
                name = f"press to {what}, {count:,} live matches"
                found.append(Row(name, "the same with 1", GROWTH, "ms", world.figure(event), two.figure(event), True))
        yield found
