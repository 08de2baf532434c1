"""Fork bots from one process: `python -m tests.process.fork_server [--plain] [BUG]` imports all once, then forks one
per line. With `--plain` their pictures are single pixels, which saves seconds.

A line of the input is JSON: the origin of a local Discord, and environment variables. The fork starts the bot as
`python bot.py` does after its imports. The output has two lines for each bot: its process id, and, when it has ended,
its status. All processes end when the input is closed.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import threading
from collections.abc import Callable
from itertools import islice, product
from typing import NoReturn

import pytest
from PIL import Image

import bot
from data.content.texts import DEFAULT, languages, texts
from rendering import prewarm, renderer
from rendering.core.labels import Labels
from rules import GAMES
from tests.process.launch import use_local_discord
from tests.process.seeded_bugs import seed_bug
from tests.support.bound import end_with
from tests.support.inside import draw_when_asked
from tests.support.pixels import plain_pictures

PLAIN = "--plain"
PREWARM_PAGES = 12
"""Pages of each game that are drawn in advance; the bot draws the rest when it is first seen."""


def prewarm_all() -> None:
    """Draw most sprites of each game, as each bot does after its start."""
    for slug in GAMES:
        labels = Labels((), texts(DEFAULT, slug))
        renderer(slug).cover(labels)
        for _ in islice(prewarm(slug, labels.texts), PREWARM_PAGES):
            pass
    draw_when_asked()


def load_all() -> None:
    """Load what a bot loads once it has begun: the forks share it. To read all texts takes most of a bot's start."""
    bot.cogs_found()
    Image.preinit()
    for code, name in product(languages(), (None, "commands", *GAMES)):
        texts(code, name)


def live(origin: str, settings: dict[str, str], watch: Callable[[], None] | None = None) -> NoReturn:
    """Run the bot in this fork. `watch` ends it with its parent."""
    os.environ |= settings
    threading.Thread(target=watch or _end_with_the_input, daemon=True).start()
    use_local_discord(origin)
    status = 1
    try:
        status = bot.main([])
    finally:
        sys.stderr.flush()
        os._exit(status)


def _end_with_the_input() -> None:
    """End this process when the input is closed: while a bot runs nothing else is written to it."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main(arguments: list[str]) -> None:
    for bug in arguments:
        if bug != PLAIN:
            seed_bug(bug)
    if PLAIN in arguments:
        plain_pictures(pytest.MonkeyPatch())
        draw_when_asked()
    else:
        prewarm_all()
    load_all()
    gc.freeze()  # forks share it
    while line := sys.stdin.readline():
        parent, child = os.getpid(), os.fork()
        if child == 0:
            end_with(parent)
            live(*json.loads(line))
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(status, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
