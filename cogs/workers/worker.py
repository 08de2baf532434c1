"""A worker's process: `python -m cogs.workers.worker SHARE NICE`. It does the jobs that arrive on its standard input.

`SHARE` is the number of workers that share the memory for cached pictures, and `NICE` how much lower its priority is
than the bot's, which answers presses; other programs do not take all the time. It ends when its input ends, even in the
middle of a job: the bot has closed it, or was killed.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from traceback import extract_tb
from typing import BinaryIO

from cogs.workers.frames import LENGTH, answer_frame, error_frame, read_exactly, read_job
from cogs.workers.jobs import do
from rendering.core import canvas, pixel_cache

if sys.platform != "win32":
    import resource

MOST_DATA = 640 * 2**20
"""Bytes that a worker may allocate: a job that wants more fails, before the machine runs out of memory."""
KILLED_FIRST = "500"
"""Linux's score for what to kill when the machine runs out of memory, -1000 to 1000: before the bot, which has 0."""
SPARE = 5
"""Seconds beyond a job's limit after which the process ends itself, if the bot has not ended it."""


def main(arguments: list[str]) -> None:
    """Do jobs until the input ends."""
    for ending in (signal.SIGINT, signal.SIGTERM):  # these are for the bot, which still wants pictures while it ends
        signal.signal(ending, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # so that printed text does not get into the answers
    restrain(int(arguments[1]))
    canvas.share_memory(int(arguments[0]))
    pixel_cache.share_memory(int(arguments[0]))
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    Thread(target=_read, args=(source, frames), daemon=True).start()
    texts: dict[int, Mapping[str, str]] = {}
    _write(sink, answer_frame(None, resident()))  # it is ready
    while True:
        _write(sink, _answer(frames.get(), texts))


def restrain(nice: int) -> None:
    """Lower this process's priority, limit its memory, and let the system kill it before the bot if memory runs out, as
    far as the system can and allows it.
    """
    if hasattr(os, "nice"):
        with suppress(OSError):  # the service may not be allowed to; then it works at the bot's priority
            os.nice(nice)
    if sys.platform == "linux":
        with suppress(OSError, ValueError):  # a lower limit may be set already
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA, MOST_DATA))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(KILLED_FIRST, encoding="ascii")


def _answer(body: bytes, texts: dict[int, Mapping[str, str]]) -> bytes:
    try:
        limit, job = read_job(body, texts)
        _alarm(limit + SPARE)
        result = do(job)
    except BaseException as error:  # the bot raises it for the caller
        found = extract_tb(error.__traceback__)
        return error_frame(type(error).__name__, _place(found[-1].filename, found[-1].lineno), resident())
    finally:
        _alarm(0)
    return answer_frame(result, resident())


def _alarm(seconds: float) -> None:
    """End this process after these seconds, even in the middle of a job; 0: never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _place(filename: str, line: int | None) -> str:
    return f"{'/'.join(Path(filename).parts[-3:])}:{line}"


def _read(source: BinaryIO, frames: queue.SimpleQueue[bytes]) -> None:
    """Read the bot's frames into the queue. End the process at the end of the input."""
    while len(size := read_exactly(source, LENGTH.size)) == LENGTH.size:
        frames.put(read_exactly(source, *LENGTH.unpack(size)))
    os._exit(0)


def _write(sink: BinaryIO, frame: bytes) -> None:
    left = memoryview(frame)
    try:
        while left:
            left = left[sink.write(left) :]
    except BrokenPipeError:
        os._exit(0)


def resident() -> int:
    """Return the process's memory in bytes; 0 if the system does not tell it."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


if __name__ == "__main__":
    main(sys.argv[1:])
