"""Fork bots that run at the same time: `python -m tests.process.fork_many [BUG]` imports all once, then forks one per
line.

A line of the input is JSON: the origin of a local Discord, environment variables, a name, and the seconds by which the
clock of its host is wrong. The name ends the user agent of its requests, and is its name in the database. The output
has the process id of each bot. Their pictures are single pixels, made of what is drawn. All processes end when the
input is closed.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from typing import Any, NoReturn

import discord
import pytest

import bot
from data.records import request_budget
from tests.process.fork_server import live, load_all
from tests.process.seeded_bugs import seed_bug
from tests.support.bound import end_with
from tests.support.inside import draw_when_asked
from tests.support.pixels import plain_pictures


def name_requests(name: str) -> None:
    """Let all requests of this process say which process it is."""
    make = discord.http.HTTPClient.__init__

    def named(self: Any, *given: Any, **how: Any) -> None:
        make(self, *given, **how)
        self.user_agent += f" {name}"

    discord.http.HTTPClient.__init__ = named  # type: ignore[method-assign]
    bot.process_name = lambda: name


def set_clock(wrong_by: float) -> None:
    """Let the clock of this process's host be wrong."""
    right = time.time
    time.time = lambda: right() + wrong_by
    bot.create_bot.__defaults__ = (time.time, time.monotonic, bot.unheard)


def identify_often() -> None:
    """Let sessions begin one after the other: tests/process/test_fleet.py has the turns to identify."""
    request_budget.IDENTIFY_GAP = 300


def start(origin: str, settings: dict[str, str], name: str, wrong_by: float) -> NoReturn:
    """Run the bot in this fork."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    name_requests(name)
    set_clock(wrong_by)
    identify_often()
    parent = os.getppid()

    def end_with_the_parent() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    live(origin, settings, end_with_the_parent)


def main(bugs: list[str]) -> None:
    for bug in bugs:
        seed_bug(bug)
    plain_pictures(pytest.MonkeyPatch())
    draw_when_asked()
    load_all()
    gc.freeze()  # forks share it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no process that has ended stays
    while line := sys.stdin.readline():
        parent, child = os.getpid(), os.fork()
        if child == 0:
            end_with(parent)
            start(*json.loads(line))
        print(child, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
