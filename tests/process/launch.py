"""Start the bot as `python bot.py` does, but with Discord on this machine: `python -m tests.process.launch ORIGIN`.

After the origin may come the names of bugs to plant (tests/process/seeded_bugs.py).
"""

import sys
from unittest.mock import patch

import discord
from yarl import URL

import bot
from cogs.messages import drawing
from cogs.runtime import start_throttle
from rules import GAMES
from tests.process.seeded_bugs import seed_bug


def use_local_discord(origin: str) -> None:
    """From now on, discord.py talks to a Discord here, as "http://127.0.0.1:8080"; a bot may start again and again."""
    discord.http.Route.BASE = f"{origin}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(f"{origin.replace('http', 'ws', 1)}/gateway")
    start_throttle.FREE = sys.maxsize  # this Discord takes any number of connections


def draw_nothing_ahead() -> None:
    """From now on, a picture is drawn when it is shown: a bot of a test ends before the rest is ever seen."""
    drawing._rehearsed.update(GAMES)
    patch.object(drawing.Drawing, "warm_up").start()


if __name__ == "__main__":
    use_local_discord(sys.argv[1])
    for bug in sys.argv[2:]:
        seed_bug(bug)
    draw_nothing_ahead()
    sys.exit(bot.main([]))
