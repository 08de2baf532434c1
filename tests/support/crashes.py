"""Whether a seeded bug crashed by itself, as the code that it replaces has changed. Such a crash is no find."""

from __future__ import annotations

import re

_CRASH = re.compile(r"\b(TypeError|AttributeError|NameError)\b")


def crashed(said: str) -> bool:
    """Return whether the text of a failure names a missing name, attribute or parameter."""
    return _CRASH.search(said) is not None
