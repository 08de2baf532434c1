"""A worker that also takes jobs that go wrong: `Pool(…, program="tests.support.worker_program")`."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from cogs.workers import jobs, worker
from cogs.workers.jobs import Result

_kept: list[bytes] = []


def _sleep(seconds: float, name: str) -> Result:
    time.sleep(seconds)
    return name


def _stay(until: str) -> Result:
    """Work until the file `until` is there."""
    while not Path(until).exists():
        time.sleep(0.01)
    return "stayed"


def _hang() -> Result:
    while True:
        pass


def _deaf_hang() -> Result:
    """Hang so that Python's other threads do not run either, as a fault in a library might."""
    import ctypes

    ctypes.PyDLL(None).sleep(100_000)
    return None


def _grow() -> Result:
    grown = []
    while True:
        grown.append(bytearray(os.urandom(1 << 20)) * 16)


def _keep(megabytes: int) -> Result:
    _kept.append(os.urandom(1 << 20) * megabytes)
    return str(os.getpid())


def _answer_long(size: int) -> Result:
    return bytes(size)


def _die() -> Result:
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def _die_once(mark: str) -> Result:
    """Die if the file `mark` is not there yet; else say so."""
    if Path(mark).exists():
        return "done"
    Path(mark).touch()
    return _die()


def _fail(secret: str) -> Result:
    raise KeyError(secret)


def _facts() -> Result:
    """Return the names of the environment variables, and which of these modules are imported."""
    unwanted = {"discord", "aiohttp", "aiosqlite", "sqlite3", "bot"} & sys.modules.keys()
    return f"{' '.join(sorted(os.environ))}|{' '.join(sorted(unwanted))}"


if __name__ == "__main__":
    named = (_sleep, _stay, _hang, _deaf_hang, _grow, _keep, _answer_long, _die, _die_once, _fail, _facts)
    jobs.KINDS.update({each.__name__.lstrip("_"): each for each in named})
    jobs.KINDS["choose"] = lambda *given: (
        _sleep(*given) if len(given) == 2 else jobs.choose_move(*given)
    )  # a long thought
    worker.main(sys.argv[1:])
