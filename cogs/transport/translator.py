"""The names and descriptions of commands, options and choices in every language that there are texts in.

Discord gets them all when the commands are told to it, and shows each person those of their own language; what a press
of a command sends back are the English names. English is the commands' own and needs no translation.
"""

from __future__ import annotations

from typing import Any, cast

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Place

from cogs.match.clocks import ABSENT
from cogs.match.time_controls import PRESETS
from data.content.texts import DEFAULT, language, texts

SAID = texts(DEFAULT, "commands")
"""What the commands themselves say, in English."""


class Translator(app_commands.Translator):
    """Finds what a command says by where it says it, in data/locales/<language>/commands.toml."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """None where Discord is to show the English. KeyError where a language lacks a text: a test holds that."""
        code, data = language(locale.value), cast(Any, context.data)
        if code == DEFAULT:
            return None
        said = texts(code, "commands")
        match context.location:
            case Place.command_name:
                return said[f"command.{data.name}.name"]
            case Place.command_description:
                return said[f"command.{data.name}.description"]
            case Place.parameter_name:
                return said[f"command.{data.command.name}.{data.name}.name"]
            case Place.parameter_description:
                return said[f"command.{data.command.name}.{data.name}.description"]
            case Place.choice_name if data.value in PRESETS:
                return texts(code, "common")[f"clock.preset.{data.value}"]
            case Place.choice_name if data.value in ABSENT:
                return texts(code, "common")[f"clock.absent.{data.value}"]
            case Place.choice_name:  # else games are the only choices
                return texts(code, data.value)["game.title"]
            case _:
                return None
