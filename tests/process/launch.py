"""Start the bot as `python bot.py` does, but with Discord on this machine: `python -m tests.process.launch PORT`."""

import sys

import discord
from yarl import URL

import bot

if __name__ == "__main__":
    port = int(sys.argv[1])
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(f"ws://127.0.0.1:{port}/gateway")
    sys.exit(bot.main([]))
