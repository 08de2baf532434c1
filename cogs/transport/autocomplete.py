"""The list of tables that commands offer while their `table` is typed."""

from __future__ import annotations

from discord import app_commands

from cogs.transport.app import App
from cogs.transport.interactions import Interaction


async def complete_table(interaction: Interaction, typed: str) -> list[app_commands.Choice[int]]:
    """The tables that the player may mean. discord.py gives an autocomplete no cog, so the parts come from the bot."""
    app: App = interaction.client.app
    return await app.interactions.complete(interaction, lambda: app.finder.choices(interaction, typed))
