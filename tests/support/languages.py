"""The files of data/locales that a language claims to have translated in full; tests compare these with English.

`data/locales/<code>/complete.txt` lists them, one name a line. English, the fallback of all others, has every file in
full.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from simcord import interactions

from data.content.texts import DEFAULT, LOCALES, languages
from rules import GAMES

FILES = sorted(path.stem for path in (LOCALES / DEFAULT).glob("*.toml"))
OTHERS = [code for code in languages() if code != DEFAULT]


def complete(code: str) -> list[str]:
    """Return the files that this language claims to have in full."""
    if code == DEFAULT:
        return FILES
    claim = LOCALES / code / "complete.txt"
    lines = claim.read_text(encoding="utf-8").splitlines() if claim.exists() else []
    return [line for line in lines if line and not line.startswith("#")]


def speak(monkeypatch: pytest.MonkeyPatch, of: Callable[[int], str], server: Callable[[], str] | None = None) -> None:
    """Let the clients of users have these locales from now on, and servers that one, if any."""
    usual = interactions.base_payload

    def payload(*args: Any, **how: Any) -> Any:
        record, found = usual(*args, **how)
        locales = {"locale": of(record.user_id)}
        if server is not None and "guild_locale" in found:
            locales["guild_locale"] = server()
        return record, {**found, **locales}

    monkeypatch.setattr(interactions, "base_payload", payload)


CLAIMS = [(code, name) for code in OTHERS for name in complete(code)]
"""Each file that a language other than English claims to have in full, with the language."""
SPOKEN = [(slug, code) for slug in GAMES for code in (DEFAULT, *OTHERS) if slug in complete(code)]
"""Each game in each language that claims to have it in full, English first."""
TRANSLATED = [(slug, code) for slug, code in SPOKEN if code != DEFAULT]
