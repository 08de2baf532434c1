"""Not a test of its own: test_interrupted.py starts a run of it, and ends that run. It has children of every kind, and
says so once they are at work.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.local.browser import Local, chromium, find_chromium
from tests.process.world import running_bot
from tests.reliability.bot_kills import SETTINGS
from tests.reliability.rival_processes import Forks
from tests.reliability.seeded_bugs import Bug
from tests.support.postgres import Databases

AT_WORK = "UNENDING_AT_WORK"
"""The environment variable with the FIFO into which a line is written once all children are at work."""
ASLEEP = "import time; time.sleep(100_000)"


def say_so() -> None:
    """Tell the test that has started this run."""
    Path(os.environ[AT_WORK]).write_text("at work\n", encoding="utf-8")


async def test_bots(tmp_path: Path, databases: Databases) -> None:
    """A bot with workers, a bot on PostgreSQL that stands still, a fork, a program that starts another one."""
    async with running_bot(tmp_path, "ann", settings={"WORKERS": "2"}) as world:
        forks = await Forks.launch(Bug.NONE, tmp_path / "log")
        with databases.empty() as url:
            settings = SETTINGS | {"DATABASE_URL": url, "WORKERS": "0"}
            os.kill(await forks.start(world.discord.origin, settings, "still", 0.0), signal.SIGSTOP)
            if (child := os.fork()) == 0:
                signal.pause()
            await asyncio.create_subprocess_exec(sys.executable, "-c", ASLEEP)
            say_so()
            await asyncio.Event().wait()
            os.kill(child, signal.SIGKILL)


@pytest.mark.skipif(find_chromium() is None, reason="there is no browser")
def test_a_browser(tmp_path: Path) -> None:
    """A local bot, and a browser in which it is played."""
    local = Local(tmp_path / "local.db")
    path = find_chromium()
    assert path is not None
    with chromium(path) as browser:
        browser.new_page().goto(local.home)
        say_so()
        signal.pause()
