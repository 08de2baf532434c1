"""Whether what was planted has only broken itself: that says nothing about what would find it."""

from __future__ import annotations

import re

_CRASH = re.compile(r"\b(TypeError|AttributeError|NameError)\b")


def crashed(said: str) -> bool:
    """Whether a name, an attribute or a parameter that is not there any more stands in what was said."""
    return _CRASH.search(said) is not None
