"""The slash commands as Discord gets them: where they may be used, their names in every language of data/locales, and
their tree, whose faults are logged without their texts.

Discord gets the texts of all languages with the commands, and shows each user their own; a command that a user sends
has the English names. English is in the commands themselves and needs no translation.

A user can install the app for themselves. Discord then offers them the commands marked `personal` everywhere: also in
servers that have not invited the bot, in group messages, and in direct messages to other people. There the bot can
answer its user alone, and does nothing else: it sees no channel there, and `/play` opens no table, but a match for its
user alone.
"""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any, TypeVar, cast

import discord
from discord import Locale, app_commands
from discord.app_commands import AppInstallationType
from discord.app_commands import TranslationContextLocation as Place

from cogs.match.time_controls import PRESETS
from cogs.messages.choices import game_line
from cogs.messages.clock import terms
from data.content.texts import DEFAULT, language, texts
from data.records.seasons import Unfinished
from data.records.terms import AbsencePolicy
from rendering.core.labels import Labels
from rules import GAMES

log = logging.getLogger("sundial")

T = TypeVar("T")

EVERYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
IN_SERVERS = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
_ANYWHERE = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
_BY_USERS_TOO = app_commands.allowed_installs(guilds=True, users=True)
SAID = texts(DEFAULT, "commands")
"""The English texts of the commands."""
GAME_CHOICES = [app_commands.Choice(name=game.title, value=slug) for slug, game in GAMES.items()]
TERM_CHOICES = [app_commands.Choice(name=terms(name, Labels((), texts(DEFAULT))), value=name) for name in PRESETS]


class Translator(app_commands.Translator):
    """Finds the text for each place in a command, in data/locales/<language>/commands.toml."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return the text; None for the English one. Raises KeyError if a language lacks it; a test prevents that."""
        code, data = language(locale.value), cast(Any, context.data)
        if code == DEFAULT:
            return None
        said = texts(code, "commands")
        match context.location:
            case Place.command_name if data.name == SAID["menu.play_with"]:
                return said["menu.play_with"]
            case Place.command_name | Place.group_name:
                return said[f"command.{_key(data)}.name"]
            case Place.command_description | Place.group_description:
                return said[f"command.{_key(data)}.description"]
            case Place.parameter_name:
                return said[f"command.{_key(data.command)}.{data.display_name}.name"]
            case Place.parameter_description:
                return said[f"command.{_key(data.command)}.{data.display_name}.description"]
            case Place.choice_name if data.value in PRESETS:
                return terms(data.value, Labels((), texts(code, "common")))
            case Place.choice_name if data.value in list(Unfinished):
                return texts(code, "common")[f"season.choice.{data.value}"]
            case Place.choice_name if data.value in list(AbsencePolicy):
                return texts(code, "common")[f"clock.absent.{data.value}"]
            case Place.choice_name:  # all other choices are games
                return game_line(GAMES[data.value], texts(code, data.value))
            case _:
                return None


def _key(command: Any) -> str:
    """Return the key of a command's texts; that of a subcommand begins with its group's."""
    return str(command.qualified_name).replace(" ", ".")


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


def personal(command: T) -> T:
    """Offer a command also to users who have installed the app for themselves, wherever they are."""
    return _BY_USERS_TOO(_ANYWHERE(command))
