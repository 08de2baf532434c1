"""The names and descriptions of commands, options and choices in every language of data/locales.

Discord gets all of them with the commands, and shows each user their own language; a command that a user sends has the
English names. English is in the commands themselves and needs no translation.
"""

from __future__ import annotations

from typing import Any, cast

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

from cogs.match.time_controls import PRESETS
from cogs.messages.clock import terms
from cogs.messages.game_list import game_line
from data.content.texts import DEFAULT, language, texts
from data.records.match import AbsencePolicy
from data.records.seasons import Unfinished
from rendering.core.labels import Labels
from rules import GAMES

SAID = texts(DEFAULT, "commands")
"""The English texts of the commands."""


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
