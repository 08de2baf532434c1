"""The tree of the commands: its faults are logged without their texts, and its digest says whether it has changed."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import discord
from discord.app_commands import AppInstallationType

log = logging.getLogger("sundial")


class CommandTree(discord.app_commands.CommandTree[discord.Client]):
    """The slash commands. An exception that no command has answered is logged by its kind alone."""

    async def on_error(
        self, interaction: discord.Interaction[discord.Client], error: discord.app_commands.AppCommandError, /
    ) -> None:
        """discord.py's own handler would print the text of the exception, which could hold a hand."""
        cause = error.__cause__ or error
        log.error("fault in a command: %s", type(cause).__name__)


def offer_to_servers_alone(tree: discord.app_commands.CommandTree[Any]) -> None:
    """Offer no command to users who install the app for themselves."""
    for command in tree.get_commands():
        command.allowed_installs = AppInstallationType(guild=True, user=False)


async def digest_of(tree: discord.app_commands.CommandTree[Any], application: int | None) -> str:
    """Return a digest of all commands of that application as Discord gets them, in all languages."""
    translator = tree.translator
    assert translator is not None
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    return hashlib.sha256(json.dumps([application, payload], sort_keys=True).encode()).hexdigest()
