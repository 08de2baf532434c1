"""Start the bot as `python bot.py` does, with a local Discord: `python -m tests.process.launch ORIGIN [BUG …]`.

After the origin may come the names of bugs to seed (tests/process/seeded_bugs.py). The variable MIGRATIONS is the
folder of the migrations of another version (tests/support/next_version.py). With PLAIN each picture is a single pixel.
With PATIENT the bot waits for what is under way however long that takes, be it to end or for a worker.
"""

import os
import sys
from pathlib import Path
from unittest.mock import patch

from pytest import MonkeyPatch

import bot
from cogs.messages import drawing
from cogs.runtime import start_throttle
from cogs.transport.gateway import use_addresses
from cogs.transport.interactions import Interactions
from cogs.workers import pool
from data.store import schema
from tests.process.seeded_bugs import seed_bug
from tests.support.chance import follow_test
from tests.support.hung import HUNG
from tests.support.inside import draw_when_asked
from tests.support.pixels import plain_pictures


def use_local_discord(origin: str) -> None:
    """Let discord.py talk to a local Discord, such as "http://127.0.0.1:8080". A bot may start any number of times."""
    use_addresses(f"{origin}/api/v10", f"{origin.replace('http', 'ws', 1)}/gateway")
    start_throttle.FREE = sys.maxsize  # this Discord takes any number of connections


def draw_nothing_ahead() -> None:
    """Draw a picture only when it is shown: the bot of a test ends before most are seen."""
    draw_when_asked()
    patch.object(drawing.Drawing, "warm_up").start()


if __name__ == "__main__":
    follow_test()
    use_local_discord(sys.argv[1])
    for bug in sys.argv[2:]:
        seed_bug(bug)
    if other := os.environ.get("MIGRATIONS"):
        schema.MIGRATIONS = Path(other)
    if os.environ.get("PLAIN"):
        plain_pictures(MonkeyPatch())
    if os.environ.get("PATIENT"):
        bot.PATIENCE = HUNG
        Interactions.finish.__defaults__ = (HUNG,)
        pool.LIMIT, pool.MOST_ACCIDENTS = HUNG, sys.maxsize
    draw_nothing_ahead()
    sys.exit(bot.main([]))
