"""The sentences that players read, by language and game, from data/locales/<language>/*.toml.

Nested tables become dotted keys. A game's texts are the common ones and its own; its own hold. commands.toml has what
the slash commands say of themselves.
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
    """The languages that there are, by their code."""
    return tuple(sorted(folder.name for folder in LOCALES.iterdir() if folder.is_dir()))


def language(locale: str) -> str:
    """The language to speak to somebody with that Discord locale ("en-GB", "de")."""
    code = locale.split("-")[0]
    return code if code in languages() else DEFAULT


@cache
def texts(code: str, name: str | None = None) -> Mapping[str, str]:
    """The texts of one language, common ones alone or with those of a game, or of the "commands"."""
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
