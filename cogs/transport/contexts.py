"""Where commands may be used, and what the place of an interaction means.

A user can install the app for themselves. Discord then offers them the commands marked `personal` everywhere: also in
servers that have not invited the bot, in group messages, and in direct messages to other people. There the bot can
answer its user alone, and does nothing else: it sees no channel there and opens no table.
"""

from __future__ import annotations

from typing import Any, TypeVar

import discord
from discord import app_commands

T = TypeVar("T")
EVERYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
IN_SERVERS = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
_ANYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
_BY_USERS_TOO = app_commands.allowed_installs(guilds=True, users=True)


def personal(command: T) -> T:
    """Offer a command also to users who have installed the app for themselves, wherever they are."""
    return _BY_USERS_TOO(_ANYWHERE(command))


def server_of(interaction: discord.Interaction[Any]) -> int | None:
    """Return the server of the interaction if the bot is in it; None in every other place.

    A server that has not invited the bot is so treated like direct messages.
    """
    guild = interaction.guild_id
    return guild if guild is not None and interaction.client.get_guild(guild) is not None else None
