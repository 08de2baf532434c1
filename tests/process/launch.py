"""Start the bot as `python bot.py` does, but with Discord on this machine: `python -m tests.process.launch ORIGIN`.

After the origin may come the names of bugs to plant (tests/process/planted.py).
"""

import sys

import discord
from yarl import URL

import bot
from cogs import _starts
from tests.process.planted import plant


def at_this_machine(origin: str) -> None:
    """From now on, discord.py talks to a Discord here, as "http://127.0.0.1:8080"."""
    discord.http.Route.BASE = f"{origin}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(f"{origin.replace('http', 'ws', 1)}/gateway")


if __name__ == "__main__":
    at_this_machine(sys.argv[1])
    for bug in sys.argv[2:]:
        plant(bug)
    _starts.FREE = sys.maxsize  # to be killed again and again is what it is here for
    sys.exit(bot.main([]))
