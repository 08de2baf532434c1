"""Our bot, which reports its cost: `python -m tests.benchmarks.bots ORIGIN [NAME] [plain]`. tests/benchmarks/bare.py is
the one beside it. With a name, the user agent of its requests ends with it. "plain": its pictures are single pixels,
and its computers make their first legal move, as if all drawing and thinking were done elsewhere.

It answers each line "cost" on its input with the seconds of processor time that the process and its workers have spent
so far, and each line "lag" with how late the event loop was in 99 of 100 moments since the last such line, in seconds.
It ends with its input.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from threading import Thread
from time import perf_counter, process_time

import pytest

import bot
from cogs.match import automatic_moves
from cogs.runtime.rate_limits import PERSON, SERVER, Rate
from tests.process.fork_many import name_requests
from tests.process.launch import use_local_discord
from tests.support.inside import draw_when_asked
from tests.support.pixels import plain_pictures

PLAIN = "plain"
BEAT = 0.02
"""Seconds between two looks at how late the loop is."""
_lags: list[float] = []
_asked = asyncio.Event()


async def watch_the_loop() -> None:
    """Note how late the loop is, from the first question on: to note it costs time."""
    await _asked.wait()
    while True:
        since = perf_counter()
        await asyncio.sleep(BEAT)
        _lags.append(perf_counter() - since - BEAT)


def lag(loop: asyncio.AbstractEventLoop) -> float:
    """Return how late the loop was in 99 of 100 moments, and begin again from zero."""
    loop.call_soon_threadsafe(_asked.set)
    found = sorted(_lags)
    _lags.clear()
    return found[int(0.99 * len(found))] if found else 0.0


class Watched(bot.Bot):
    """The bot, which tells its cost and watches its loop."""

    async def setup_hook(self) -> None:
        self._watching = asyncio.create_task(watch_the_loop())
        tell_cost(asyncio.get_running_loop())
        await super().setup_hook()


def draw_and_think_elsewhere() -> None:
    """Leave only what cannot be done by other processes."""
    plain_pictures(pytest.MonkeyPatch())
    draw_when_asked()
    automatic_moves.choose = lambda game, state, seat, *_: state.legal_moves(seat)[0]


def spent() -> float:
    """Return the processor time of this process and its children, ended ones included, in seconds. Linux only."""
    ended = getrusage(RUSAGE_CHILDREN)
    pids = [pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()]
    threads = [file for pid in pids for file in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    running = sum(int(file.read_text().split()[0]) for file in threads) / 1e9
    return process_time() + running + ended.ru_utime + ended.ru_stime


def tell_cost(loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Answer from now on, in a thread that otherwise waits. Without `loop`, the bot's, only the cost is told."""

    def answer() -> None:
        for line in sys.stdin:
            print(lag(loop) if loop and line.strip() == "lag" else spent(), flush=True)
        os._exit(1)  # the benchmark has ended

    Thread(target=answer, daemon=True).start()


if __name__ == "__main__":
    for rates in (PERSON, SERVER):  # they would hold off what is to be measured
        rates.update(dict.fromkeys(rates, Rate(10**9, 1.0)))
    if sys.argv[2:]:
        name_requests(sys.argv[2])
    if PLAIN in sys.argv[3:]:
        draw_and_think_elsewhere()
    bot.Bot = Watched  # type: ignore[misc]
    use_local_discord(sys.argv[1])
    sys.exit(bot.main([]))
