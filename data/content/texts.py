"""The texts that players read, by language and game, from data/locales/<language>/*.toml.

Nested tables become dotted keys. A game's texts are those of common.toml and its own, which override the common ones.
commands.toml has the names and descriptions of the slash commands.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

LOCALES = Path(__file__).parents[1] / "locales"
DEFAULT = "en"


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages, sorted: ("de", "en")."""
    return tuple(sorted(folder.name for folder in LOCALES.iterdir() if folder.is_dir()))


def language(locale: str) -> str:
    """Return the code of the language for a Discord locale ("en-GB", "de"); DEFAULT if there are no texts in it."""
    code = locale.split("-")[0]
    return code if code in languages() else DEFAULT


@cache
def texts(code: str, name: str | None = None) -> Mapping[str, str]:
    """Return the texts of one language by dotted key: the common ones, and those of `name`, which is a game's slug or
    "commands". Raises FileNotFoundError if there is no such file.
    """
    found = dict(_flatten(_load(code, "common")))
    if name is not None:
        found.update(_flatten(_load(code, name)))
    return MappingProxyType(found)


def _load(code: str, name: str) -> dict[str, Any]:
    with (LOCALES / code / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def _flatten(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
