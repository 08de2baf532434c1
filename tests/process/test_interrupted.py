"""A test run that is interrupted or killed leaves no process behind: no bot, no server, no browser."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.local.browser import find_chromium
from tests.process.unending import AT_WORK
from tests.process.world import ROOT, children
from tests.support.hung import HUNG
from tests.support.postgres import REQUIRED, programs

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end"),
    pytest.mark.skipif(programs() is None and REQUIRED not in os.environ, reason="there is no PostgreSQL"),
]


def below(pid: int) -> Iterator[int]:
    """Yield all processes that this one has started, and those that they have."""
    for child in children(pid):
        yield child
        yield from below(child)


def ended(watched: dict[int, int]) -> list[str]:
    """Wait until these processes, each with a descriptor, have ended. Return the commands of the others."""
    poll = select.poll()
    for descriptor in watched.values():
        poll.register(descriptor, select.POLLIN)
    left = dict(watched)
    while left and (found := poll.poll(HUNG * 1000)):
        for descriptor, _ in found:
            poll.unregister(descriptor)
            left = {pid: kept for pid, kept in left.items() if kept != descriptor}
    return [Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace") for pid in left]


@pytest.mark.parametrize("test", ["test_bots", "test_a_browser"])
@pytest.mark.parametrize(
    ("whom", "how"),
    [("run", signal.SIGINT), ("run", signal.SIGKILL), ("worker", signal.SIGKILL)],
    ids=["Ctrl-C", "the run is killed", "a worker is killed"],
)
def test_a_run_that_is_interrupted_leaves_no_process_behind(
    test: str, whom: str, how: signal.Signals, tmp_path: Path
) -> None:
    if test == "test_a_browser" and find_chromium() is None:
        pytest.skip("there is no browser")
    os.mkfifo(said := tmp_path / "said")
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore Ctrl-C
    with (tmp_path / "output").open("w+") as output:
        run = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "pytest",
                "-n",
                "1",
                "--max-worker-restart=0",
                f"tests/process/unending.py::{test}",
            ],
            cwd=ROOT,
            env={**os.environ, AT_WORK: str(said), "PYTEST_ADDOPTS": f"--basetemp={tmp_path / 'run'}"},
            stdout=output,
            stderr=output,
            process_group=0,  # as in a terminal, in which Ctrl-C reaches all of them
        )
        signal.signal(signal.SIGINT, heeded)
        watched = {run.pid: os.pidfd_open(run.pid)}
        fifo = os.open(said, os.O_RDONLY | os.O_NONBLOCK)
        try:
            select.select([fifo, watched[run.pid]], [], [], HUNG)
            assert os.read(fifo, 100), (tmp_path / "output").read_text()
            started = list(below(run.pid))
            watched |= {pid: os.pidfd_open(pid) for pid in started}
            if how is signal.SIGINT:
                os.killpg(run.pid, how)
            else:
                os.kill(run.pid if whom == "run" else children(run.pid)[0], how)
            assert ended(watched) == []
            assert len(started) > 4
        finally:
            for pid, descriptor in watched.items():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                os.close(descriptor)
            os.close(fifo)
            run.wait()
