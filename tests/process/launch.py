"""Start the bot as `python bot.py` does, but with Discord on this machine: `python -m tests.process.launch PORT`."""

import sys

import discord
from yarl import URL

import bot


def at_this_machine(port: str) -> None:
    """From now on, discord.py talks to a Discord on that port here."""
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(f"ws://127.0.0.1:{port}/gateway")


if __name__ == "__main__":
    at_this_machine(sys.argv[1])
    sys.exit(bot.main([]))
