"""Where commands may be used."""

from __future__ import annotations

from discord import app_commands

EVERYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
IN_SERVERS = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
