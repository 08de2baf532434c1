"""The sentences that players read, by language and game, from data/locales/<language>/*.toml.

Nested tables become dotted keys. A game's texts are the common ones and its own; if both have a key, the game's own
counts. commands.toml has the texts of the slash commands. English has every text. Another language may lack texts, or a
game's whole file: players then read the English ones. complete.txt lists the files that a language claims to have in
full; tests compare these with English.
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
    """Return the codes of all languages, sorted."""
    return tuple(sorted(folder.name for folder in LOCALES.iterdir() if folder.is_dir()))


def language(locale: str) -> str:
    """Return the language for a user with that Discord locale ("en-GB", "de"); English if it has no folder."""
    code = locale.split("-")[0]
    return code if code in languages() else DEFAULT


@cache
def texts(code: str, name: str | None = None) -> Mapping[str, str]:
    """Return the common texts in one language with those of a game or of the "commands"; missing texts are English."""
    found: dict[str, str] = {}
    for part in ("common", name) if name else ("common",):
        found.update(own_texts(DEFAULT, part))  # after the common ones: a game's English text counts more than those
        found.update(own_texts(code, part))
    return MappingProxyType(found)


@cache
def own_texts(code: str, name: str) -> Mapping[str, str]:
    """Return one file's texts alone; none if the language lacks it. Raises FileNotFoundError if English lacks it."""
    path = LOCALES / code / f"{name}.toml"
    if code != DEFAULT and not path.exists():
        return MappingProxyType({})
    return MappingProxyType(dict(_flatten(tomllib.loads(path.read_text(encoding="utf-8")))))


def _flatten(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
