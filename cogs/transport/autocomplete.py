"""Autocompletion of the commands' option `table`."""

from __future__ import annotations

from discord import app_commands

from cogs.transport.app import App
from cogs.transport.components import Interaction


async def complete_table(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """Return the tables that the user may mean. discord.py gives autocompletion no cog, so `App` comes from the bot."""
    app: App = interaction.client.app
    return await app.interactions.complete(interaction, lambda: app.finder.choices(interaction, typed))
