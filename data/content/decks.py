"""Owners' deck tables: data/decks/<game>.toml corrects the values that the rules page could only guess.

Read when the bot starts, checked by the game; a match keeps the table that it began with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.core.game import AnyGame, BadOption

DECKS = Path(__file__).parents[1] / "decks"


class BadDeck(Exception):
    """A deck file that its game cannot be played with, said in one sentence for the operator."""


def load(games: Mapping[str, AnyGame], folder: Path = DECKS) -> dict[str, dict[str, Any]]:
    """The deck table to play each game with, by slug. Raises BadDeck."""
    tables = {}
    for slug, game in games.items():
        path = folder / f"{slug}.toml"
        table: dict[str, Any] = {}
        if path.exists():
            try:
                with path.open("rb") as file:
                    table = tomllib.load(file)
            except (OSError, tomllib.TOMLDecodeError) as error:
                raise BadDeck(f"{path} cannot be read: {error}.") from error
        try:
            tables[slug] = game.check_deck(table)
        except BadOption as error:
            raise BadDeck(f"{path} does not fit {game.title}: {error.why}.") from error
    return tables
