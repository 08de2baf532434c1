"""Owners' deck tables: data/decks/<game>.toml corrects the values that the rules page could only guess.

The bot reads them when it starts, and each game checks its own. A match keeps the deck table that it began with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.core.game import AnyGame, BadOption

DECKS = Path(__file__).parents[1] / "decks"


class BadDeck(Exception):
    """A deck file with which its game cannot be played. The message is one sentence for the operator."""


def load(games: Mapping[str, AnyGame], folder: Path = DECKS) -> dict[str, dict[str, Any]]:
    """Return each game's deck table, by slug: the file's values, checked and completed by the game. Raises BadDeck if a
    file cannot be read or does not fit its game.
    """
    tables = {}
    for slug, game in games.items():
        path = folder / f"{slug}.toml"
        table: dict[str, Any] = {}
        if path.exists():
            try:
                with path.open("rb") as file:
                    table = tomllib.load(file)
            except (OSError, ValueError, RecursionError) as error:  # ValueError: no TOML, no UTF-8, a number too long
                raise BadDeck(f"{path} cannot be read: {error}.") from error
        try:
            tables[slug] = game.check_deck(table)
        except BadOption as error:
            raise BadDeck(f"{path} does not fit {game.title}: {error.why}.") from error
    return tables
